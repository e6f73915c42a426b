/* Write the values of a query as CSV or HDF5. */
#include "command/query/query_write.h"
#include "base/version.h"
#include "command/query/query.h"
#include "store/hdf5/h5file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNITS \
  "x, y, z are lengths; values have the units of the fields of the case; du_dx is the derivative of u along x, per " \
  "length; d2u_dxdy the second derivative along x and y, per length squared"

int triad_query_write_csv(const triad_query *q, const char *shown, FILE *out)
{
  const triad_query_source *s = &q->source;
  (void)fprintf(out, "# triad %s query of %s, t = %.17g\n# " UNITS "\n", triad_version(), shown, s->t);
  if (q->filter > 0) (void)fprintf(out, "# filtered to modes with |k| <= %.17g\n", q->filter);
  if (s->n > 1) {
    (void)fprintf(out, "# linear in time between t = %.17g and t = %.17g; rms difference of both over these points:\n#",
                  s->about[1]->t, s->about[0]->t);
    for (int c = 0; c < q->n_columns; c++) (void)fprintf(out, " %s %.3g", q->columns[c].name, q->columns[c].difference);
    (void)fprintf(out, "\n");
  }
  (void)fprintf(out, "x,y,z");
  for (int c = 0; c < q->n_columns; c++) (void)fprintf(out, ",%s", q->columns[c].name);
  (void)fprintf(out, "\n");
  for (int64_t p = 0; p < q->points.n; p++) {
    const double *x = q->points.x + 3 * p;
    (void)fprintf(out, "%.17g,%.17g,%.17g", x[0], x[1], x[2]);
    for (int c = 0; c < q->n_columns; c++) (void)fprintf(out, ",%.17g", q->values[c * q->points.n + p]);
    (void)fprintf(out, "\n");
  }
  return TRIAD_OK;
}

static int put_columns(triad_h5 *file, const triad_query *q)
{
  for (int c = 0; c < q->n_columns; c++) {
    const triad_query_column *column = &q->columns[c];
    TRIAD_TRY(triad_h5_put_doubles(file, column->name, 1, &q->points.n, q->values + c * q->points.n));
    if (q->source.n > 1) TRIAD_TRY(triad_h5_reals(file, column->name, "difference", 0, &column->difference));
  }
  return TRIAD_OK;
}

static int fill_file(triad_h5 *file, const triad_query *q, const char *shown)
{
  const triad_query_source *s = &q->source;
  int64_t dims[2] = {q->points.n, 3};
  TRIAD_TRY(triad_h5_text(file, "/", "about", "triad query: fields at points. " UNITS "."));
  TRIAD_TRY(triad_h5_text(file, "/", "writer", triad_version_text()));
  TRIAD_TRY(triad_h5_text(file, "/", "source", shown));
  TRIAD_TRY(triad_h5_reals(file, "/", "t", 0, &s->t));
  TRIAD_TRY(triad_h5_reals(file, "/", "length", 3, s->about[0]->grid.length));
  if (q->filter > 0) TRIAD_TRY(triad_h5_reals(file, "/", "filtered", 0, &q->filter));
  if (s->n > 1) TRIAD_TRY(triad_h5_reals(file, "/", "between", 2, (double[]){s->about[1]->t, s->about[0]->t}));
  TRIAD_TRY(triad_h5_put_doubles(file, "position", 2, dims, q->points.x));
  return put_columns(file, q);
}

int triad_query_write_h5(const triad_query *q, const char *shown, const char *path)
{
  triad_h5 *file;
  TRIAD_TRY(triad_h5_create(&file, path));
  return triad_h5_close(&file, fill_file(file, q, shown));
}
