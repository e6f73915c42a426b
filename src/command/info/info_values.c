/* Read the datasets of an HDF5 file in pieces, check that values are finite, and print their range. */
#include "command/info/info_values.h"
#include "command/info/info.h"
#include "command/info/info_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

triad_dataset *triad_inspection_find(const triad_inspection *k, const char *name)
{
  for (int i = 0; i < k->n_sets; i++)
    if (strcmp(k->sets[i].name, name) == 0) return &k->sets[i];
  return NULL;
}

int triad_inspection_measure(triad_inspection *k, triad_dataset *d)
{
  triad_guard_alive(k->guard);
  int64_t room = triad_h5_deflated(k->file, d->name) ? 1032 * k->file_bytes : k->file_bytes;
  TRIAD_TRY(triad_h5_dims(k->file, d->name, &d->n_dims, d->dims, &d->bytes));
  d->values = 1;
  for (int i = 0; i < d->n_dims; i++) {
    if (d->dims[i] > 0 && d->values > room / d->dims[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s is larger than the file: the file is damaged", k->path,
                        d->name);
    d->values *= d->dims[i];
  }
  if (d->bytes < 1 || d->values > room / d->bytes)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s is larger than the file: the file is damaged", k->path, d->name);
  return TRIAD_OK;
}

/* first, count: the box of the set that these are, whose indices the last one of which runs fastest. */
static void take_values(triad_dataset *d, const int64_t *first, const int64_t *count, const double *values, int64_t n,
                        double *out)
{
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) {
      int64_t rest = i;
      for (int a = d->n_dims - 1; a >= 0 && d->bad == 0; a--) {
        d->first_bad[a] = first[a] + rest % count[a];
        rest /= count[a];
      }
      if (d->bad == 0) d->is_nan = isnan(values[i]);
      d->bad++;
      continue;
    }
    d->least = fmin(d->least, values[i]);
    d->most = fmax(d->most, values[i]);
    d->sum += values[i];
    d->squares += values[i] * values[i];
  }
  if (out) memcpy(out, values, (size_t)n * sizeof *out);
}

/* The largest box of at most ROOM values from the end of the dimensions on. */
static void choose_piece(const triad_dataset *d, int64_t *piece)
{
  int64_t room = ROOM;
  for (int i = d->n_dims - 1; i >= 0; i--) {
    piece[i] = d->dims[i] < room ? d->dims[i] : room;
    room /= piece[i];
    if (room < 1) room = 1;
  }
}

typedef struct reading {
  triad_inspection *file;
  triad_dataset *set;
  double *buffer, *all; /* all: where the next values go too, or NULL */
} reading;

static int read_piece(void *self, const int64_t *first, const int64_t *count, int64_t values)
{
  reading *r = self;
  triad_guard_alive(r->file->guard);
  TRIAD_TRY(triad_h5_read(r->file->file, r->set->name, r->set->n_dims, first, count, 8, r->buffer));
  take_values(r->set, first, count, r->buffer, values, r->all);
  if (r->all) r->all += values;
  return TRIAD_OK;
}

int triad_inspection_values(triad_inspection *k, triad_dataset *d, double *all)
{
  int64_t piece[TRIAD_H5_DIMS] = {0};
  d->sum = d->squares = 0;
  d->bad = 0;
  d->least = INFINITY;
  d->most = -INFINITY;
  if (d->values == 0) return TRIAD_OK;
  reading r = {k, d, malloc(sizeof(double) * ROOM), all};
  if (!r.buffer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer of %d values", k->path, ROOM);
  choose_piece(d, piece);
  int st = triad_h5_pieces(d->n_dims, d->dims, piece, read_piece, &r);
  free(r.buffer);
  return st;
}

int triad_inspection_load(triad_inspection *k, triad_dataset *d, double **out)
{
  *out = malloc((size_t)(d->values > 0 ? d->values : 1) * sizeof **out);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " values of %s", k->path, d->values, d->name);
  return triad_inspection_values(k, d, *out);
}

void triad_inspection_print(const triad_inspection *k, const triad_dataset *d)
{
  char shape[256] = "", units[100] = "", words[200] = "";
  size_t at = 0;
  for (int i = 0; i < d->n_dims; i++)
    at += (size_t)snprintf(shape + at, sizeof shape - at, "%s%" PRId64, i ? " x " : "", d->dims[i]);
  int has_units = triad_h5_attribute_text(k->file, d->name, "units", units, sizeof units);
  (void)triad_h5_attribute_text(k->file, d->name, "long_name", words, sizeof words);
  const char *slash = strrchr(d->name, '/');
  triad_info_line("  %-10s %s, %d bytes each%s%s%s%s", slash ? slash + 1 : d->name, shape, d->bytes,
                  has_units ? ", unit " : "", units, words[0] ? ": " : "", words);
  if (d->values > d->bad) triad_info_line("             from %.9g to %.9g", d->least, d->most);
}

void triad_inspection_print_notes(const triad_inspection *k)
{
  static const char *const names[] = {"version", "commit", "source"};
  char text[200];
  for (int i = 0; i < 3; i++) {
    triad_message_clear();
    if (triad_h5_attribute_text(k->file, "notes", names[i], text, sizeof text))
      triad_info_line("  %-10s %s", names[i], text);
  }
}

/* Files of a run are named by their step. */
int triad_inspection_check_step(const triad_inspection *k, const char *prefix, double step)
{
  const char *name = triad_path_name(k->path);
  size_t n = strlen(prefix);
  char *end = NULL;
  if (strncmp(name, prefix, n) != 0) return TRIAD_OK;
  long long named = strtoll(name + n, &end, 10);
  if (end == name + n || (strcmp(end, ".h5") != 0 && strcmp(end, ".vtkhdf") != 0) || (double)named == step)
    return TRIAD_OK;
  return triad_info_wrong("%s: the file name says step %lld, but its attribute is step %.0f", k->path, named, step);
}

int triad_inspection_check_finite(const triad_inspection *k)
{
  int st = TRIAD_OK;
  for (int i = 0; i < k->n_sets; i++) {
    const triad_dataset *d = &k->sets[i];
    char place[TRIAD_H5_DIMS * 24] = "";
    size_t at = 0;
    for (int a = 0; d->bad && a < d->n_dims; a++)
      at += (size_t)snprintf(place + at, sizeof place - at, "%s%" PRId64, a ? ", " : "", d->first_bad[a]);
    if (d->bad)
      st = triad_info_wrong("%s: %s has %" PRId64 " values that are not finite, of %" PRId64
                            ": the first is %s, at index (%s), counted from 0",
                            k->path, d->name, d->bad, d->values, d->is_nan ? "not a number" : "infinite", place);
  }
  return st;
}
