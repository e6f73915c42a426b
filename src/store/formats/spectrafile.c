/* Write the spectra of one time as HDF5, with their scales, units and descriptions. */
#include "store/formats/spectrafile.h"

#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const triad_spectrum *find(int n, const triad_spectrum *spectra, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(spectra[i].name, name) == 0) return &spectra[i];
  return NULL;
}

static int check_scales(int n, const triad_spectrum *spectra, const triad_spectrum *s)
{
  if (s->n_dims < 1 || s->n_dims > TRIAD_SPECTRUM_DIMS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %d dimensions", s->name, s->n_dims);
  for (int d = 0; d < s->n_dims; d++) {
    const triad_spectrum *k = s->scale[d] ? find(n, spectra, s->scale[d]) : NULL;
    if (s->scale[d] && (!k || k->n_dims != 1 || k->dims[0] != s->dims[d]))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: \"%s\" cannot be the scale of dimension %d", s->name, s->scale[d], d);
  }
  return TRIAD_OK;
}

static int is_a_scale(int n, const triad_spectrum *spectra, const char *name)
{
  for (int i = 0; i < n; i++)
    for (int d = 0; d < spectra[i].n_dims; d++)
      if (spectra[i].scale[d] && strcmp(spectra[i].scale[d], name) == 0) return 1;
  return 0;
}

static int fill_file(triad_h5 *h5, int64_t step, double t, int n, const triad_spectrum *spectra,
                     const triad_notes *notes)
{
  TRIAD_TRY(triad_h5_put_instant(h5, step, t));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", notes));
  for (int i = 0; i < n; i++) {
    const triad_spectrum *s = &spectra[i];
    TRIAD_TRY(check_scales(n, spectra, s));
    TRIAD_TRY(triad_h5_put_doubles(h5, s->name, s->n_dims, s->dims, s->values));
    TRIAD_TRY(triad_h5_text(h5, s->name, "units", s->units));
    TRIAD_TRY(triad_h5_text(h5, s->name, "long_name", s->long_name));
    if (is_a_scale(n, spectra, s->name)) TRIAD_TRY(triad_h5_make_scale(h5, s->name));
  }
  for (int i = 0; i < n; i++)
    if (!is_a_scale(n, spectra, spectra[i].name))
      TRIAD_TRY(triad_h5_use_scales(h5, spectra[i].name, spectra[i].n_dims, spectra[i].scale));
  return TRIAD_OK;
}

static int write_file(const char *run_dir, int64_t step, double t, int n, const triad_spectrum *spectra,
                      const triad_notes *notes)
{
  char folder[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(folder, "%s/spectra", run_dir));
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-spectra-%08lld.h5", folder, (long long)step));
  TRIAD_TRY(triad_disk_path(final, "%s/spectra-%08lld.h5", folder, (long long)step));
  TRIAD_TRY(triad_disk_make_folder(folder));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  TRIAD_TRY(triad_h5_create(&h5, temporary));
  int st = triad_h5_close(&h5, fill_file(h5, step, t, n, spectra, notes));
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

int triad_spectrafile_write(const triad_context *ctx, const char *run_dir, int64_t step, double t, int n,
                            const triad_spectrum *spectra, const triad_notes *notes)
{
  int st = ctx->comm.rank == 0 ? write_file(run_dir, step, t, n, spectra, notes) : TRIAD_OK;
  return triad_agree(&ctx->comm, st);
}

enum { TEXT = 200, TEXTS = 6 /* of an array: its name, unit, meaning, scale, and names of factors */ };

int triad_contents_create(triad_contents **out, triad_memory *memory, int most, int64_t values)
{
  TRIAD_TRY(TRIAD_ALLOC(memory, "spectra", 1, out));
  triad_contents *c = *out;
  c->memory = memory;
  c->most = most;
  int st = TRIAD_ALLOC(memory, "spectra", most, &c->list);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "spectra", (int64_t)most * TEXTS * TEXT, &c->texts);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "spectra", values, &c->values);
  c->next = c->values;
  if (st != TRIAD_OK) triad_contents_destroy(out);
  return st;
}

void triad_contents_destroy(triad_contents **contents)
{
  triad_contents *c = *contents;
  if (!c) return;
  TRIAD_FREE(c->memory, &c->values);
  TRIAD_FREE(c->memory, &c->texts);
  TRIAD_FREE(c->memory, &c->list);
  TRIAD_FREE(c->memory, contents);
}

double *triad_contents_add(triad_contents *c, triad_spectrum s)
{
  int64_t size = 1;
  for (int d = 0; d < s.n_dims; d++) size *= s.dims[d];
  double *values = c->next;
  s.values = values;
  c->list[c->n++] = s;
  c->next += size;
  return values;
}

const char *triad_contents_text(triad_contents *c, const char *format, ...)
{
  char *text = c->texts + (int64_t)c->n_texts++ * TEXT;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, TEXT, format, args);
  va_end(args);
  return text;
}

void triad_contents_scale(triad_contents *c, const char *name, const char *units, const char *about, int64_t n,
                          double width)
{
  double *k = triad_contents_add(
    c, (triad_spectrum){.name = name, .units = units, .long_name = about, .n_dims = 1, .dims = {n}, .scale = {name}});
  for (int64_t s = 0; s < n; s++) k[s] = (double)s * width;
}
