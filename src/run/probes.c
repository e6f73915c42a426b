/* Rows of probes: a separate series with a column for each field at each point. */
#include "run/probes.h"
#include "run/outputs.h"
#include "run/series.h"

#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"
#include "store/rows/seriestable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, FORMULA = 160 };

struct triad_probe_rows {
  const triad_simulation *sim;
  triad_places_info places;
  double interval;
  int h5;
  const char *dir;
  triad_series *series;
  int n;                      /* columns: fields of the first place, of the second, .. */
  triad_column_info *columns; /* [n] */
  char *texts;                /* [n][NAME + FORMULA] */
  double *values;             /* [n] */
};

/* "u_1 [U]: velocity along x at (1, 2, 3)" */
static void name_columns(triad_probe_rows *r)
{
  char *text = r->texts;
  for (int i = 0; i < r->n; i++, text += NAME + FORMULA) {
    const triad_field_info *f = &r->places.fields[i % r->places.n_fields];
    const double *x = r->places.x + 3 * (int64_t)(i / r->places.n_fields);
    (void)snprintf(text, NAME, "%.36s_%d", f->name, i / r->places.n_fields + 1);
    (void)snprintf(text + NAME, FORMULA, "%.60s at (%.17g, %.17g, %.17g)", f->long_name, x[0], x[1], x[2]);
    r->columns[i] = (triad_column_info){text, f->unit, .formula = text + NAME};
  }
}

static int create(triad_probe_rows **out, const triad_simulation *sim, const triad_places_info *places)
{
  triad_probe_rows *r = *out = calloc(1, sizeof *r);
  if (!r) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of probes");
  r->sim = sim;
  r->places = *places;
  r->interval = triad_case_real(sim->given, "output.probes_interval");
  r->h5 = triad_case_is(sim->given, "output.probes_format", "h5");
  r->n = (int)places->n * places->n_fields;
  r->columns = calloc((size_t)r->n, sizeof *r->columns);
  r->texts = calloc((size_t)r->n, NAME + FORMULA);
  r->values = calloc((size_t)r->n, sizeof *r->values);
  if (!r->columns || !r->texts || !r->values) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of probes");
  name_columns(r);
  return TRIAD_OK;
}

int triad_probe_rows_open(triad_probe_rows **out, const triad_simulation *sim, const char *run_dir, int64_t resumed,
                          triad_log *log)
{
  triad_places_info places = {0};
  const triad_comm *comm = &sim->context->comm;
  *out = NULL;
  if (sim->solver->places_info) sim->solver->places_info(sim->flow, &places);
  if (places.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, create(out, sim, &places)));
  const triad_series_info info = {triad_case_word(sim->given, "equations.solver"), (*out)->n, (*out)->columns};
  (*out)->dir = run_dir;
  TRIAD_TRY(triad_series_open(&(*out)->series, comm, &info, run_dir, "probes", resumed, 0));
  triad_series_log((*out)->series, log);
  return TRIAD_OK;
}

void triad_probe_rows_close(triad_probe_rows **rows)
{
  triad_probe_rows *r = *rows;
  if (!r) return;
  triad_series_close(&r->series);
  free(r->columns);
  free(r->texts);
  free(r->values);
  free(r);
  *rows = NULL;
}

int triad_probe_rows_due(const triad_probe_rows *r, double before, double t, int first)
{
  return r && (first || r->interval <= 0 || triad_due(r->interval, before, t));
}

int triad_probe_rows_add(triad_probe_rows *r, const triad_instant *at)
{
  TRIAD_TRY(r->sim->solver->places(r->sim->flow, r->values));
  return triad_series_add(r->series, at, r->values);
}

int triad_probe_rows_flush(triad_probe_rows *r) { return r ? triad_series_flush(r->series) : TRIAD_OK; }

/* ---- probes.h5 ---- */

static int put_field(triad_h5 *h5, const triad_probe_rows *r, const triad_series_table *t, int f, double *values)
{
  static const char *const scales[2] = {"t", NULL};
  const triad_field_info *field = &r->places.fields[f];
  const int64_t dims[2] = {t->rows, r->places.n};
  for (int64_t row = 0; row < t->rows; row++)
    for (int64_t p = 0; p < r->places.n; p++)
      values[row * r->places.n + p] = t->values[row * t->n_columns + 3 + p * r->places.n_fields + f];
  TRIAD_TRY(triad_h5_put_doubles(h5, field->name, 2, dims, values));
  TRIAD_TRY(triad_h5_text(h5, field->name, "units", field->unit));
  TRIAD_TRY(triad_h5_text(h5, field->name, "long_name", field->long_name));
  return triad_h5_use_scales(h5, field->name, 2, scales);
}

static int fill_file(triad_h5 *h5, const triad_probe_rows *r, const triad_series_table *t, double *values)
{
  const int64_t dims[2] = {r->places.n, 3};
  TRIAD_TRY(triad_h5_text(h5, "/", "about", t->about));
  for (int64_t row = 0; row < t->rows; row++) values[row] = t->values[row * t->n_columns + 1];
  TRIAD_TRY(triad_h5_put_doubles(h5, "t", 1, &t->rows, values));
  TRIAD_TRY(triad_h5_text(h5, "t", "units", "T"));
  TRIAD_TRY(triad_h5_make_scale(h5, "t"));
  TRIAD_TRY(triad_h5_put_doubles(h5, "position", 2, dims, r->places.x));
  TRIAD_TRY(triad_h5_text(h5, "position", "units", "L"));
  for (int f = 0; f < r->places.n_fields; f++) TRIAD_TRY(put_field(h5, r, t, f, values));
  return TRIAD_OK;
}

static int write_table(const triad_probe_rows *r, const triad_series_table *t)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5 = NULL;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-probes.h5", r->dir));
  TRIAD_TRY(triad_disk_path(final, "%s/probes.h5", r->dir));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  double *values = malloc((size_t)(t->rows * r->places.n) * sizeof *values);
  int st =
    values ? triad_h5_create(&h5, temporary) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rows of probes", (long long)t->rows);
  if (st == TRIAD_OK) st = triad_h5_close(&h5, fill_file(h5, r, t, values));
  free(values);
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

/* Write the HDF5 file from the rows of the text file. */
static int make_h5(const triad_probe_rows *r)
{
  char path[TRIAD_PATH];
  triad_series_table *t = calloc(1, sizeof *t);
  if (!t) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of probes");
  int st = triad_disk_path(path, "%s/probes.csv", r->dir);
  if (st == TRIAD_OK) st = triad_series_table_add(t, path);
  if (st == TRIAD_OK && t->rows > 0) st = write_table(r, t);
  triad_series_table_free(t);
  free(t);
  return st;
}

int triad_probe_rows_sync(triad_probe_rows *r)
{
  int64_t rows = 0;
  if (!r) return TRIAD_OK;
  const triad_comm *comm = &r->sim->context->comm;
  TRIAD_TRY(triad_series_sync(r->series, &rows));
  return triad_agree(comm, r->h5 && comm->rank == 0 ? make_h5(r) : TRIAD_OK);
}
