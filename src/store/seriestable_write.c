#include "store/seriestable.h"

#include "store/h5file.h"
#include "store/h5read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void gather(const triad_series_table *t, int column, double *out)
{
  for (int64_t i = 0; i < t->rows; i++) out[i] = t->values[i * t->n_columns + column];
}

static int put_column(triad_h5 *file, const triad_series_table *t, int column, double *values)
{
  static const char *const scale[1] = {"t"};
  const triad_series_column *c = &t->columns[column];
  gather(t, column, values);
  if (column == 0) {
    int64_t *steps = malloc((size_t)t->rows * sizeof *steps);
    if (!steps) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld steps", (long long)t->rows);
    for (int64_t i = 0; i < t->rows; i++) steps[i] = (int64_t)values[i];
    int st = triad_h5_put_longs(file, c->name, 1, &t->rows, steps);
    free(steps);
    TRIAD_TRY(st);
  } else {
    TRIAD_TRY(triad_h5_put_doubles(file, c->name, 1, &t->rows, values));
  }
  TRIAD_TRY(triad_h5_text(file, c->name, "units", c->unit));
  TRIAD_TRY(triad_h5_text(file, c->name, "long_name", c->formula));
  return column == 1 ? triad_h5_make_scale(file, c->name) : column > 1 ? triad_h5_use_scales(file, c->name, 1, scale) : TRIAD_OK;
}

static int fill(triad_h5 *file, const triad_series_table *t, double *values)
{
  TRIAD_TRY(triad_h5_text(file, "/", "about", t->about));
  TRIAD_TRY(triad_h5_integers(file, "/", "rows", 0, &t->rows));
  for (int c = 0; c < t->n_columns; c++) TRIAD_TRY(put_column(file, t, c, values));
  return TRIAD_OK;
}

static int compare(triad_h5 *file, const triad_series_table *t, const char *path, double *values, double *back)
{
  const int64_t first = 0;
  for (int c = 0; c < t->n_columns; c++) {
    gather(t, c, values);
    TRIAD_TRY(triad_h5_read(file, t->columns[c].name, &first, &t->rows, 8, back));
    if (memcmp(values, back, (size_t)t->rows * sizeof *back) != 0)
      return TRIAD_FAIL(TRIAD_ERR_IO, "%s: column %s reads back other than it was written", path, t->columns[c].name);
  }
  return TRIAD_OK;
}

int triad_series_table_write(const triad_series_table *t, const char *path)
{
  triad_h5 *file = NULL;
  if (t->rows == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a series without rows", path);
  double *values = malloc((size_t)(2 * t->rows) * sizeof *values);
  int st = values ? triad_h5_create(&file, path) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rows", (long long)t->rows);
  int made = 0;
  if (st == TRIAD_OK) {
    st = triad_h5_close(&file, fill(file, t, values));
    made = st == TRIAD_OK;
  }
  if (st == TRIAD_OK) st = triad_h5_open(&file, path);
  if (st == TRIAD_OK) st = triad_h5_close(&file, compare(file, t, path, values, values + t->rows));
  if (st != TRIAD_OK && made) (void)remove(path);
  free(values);
  return st;
}
