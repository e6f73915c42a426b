/* Write the paths of points that follow the flow as CSV or HDF5. */
#include "command/query/query_paths.h"
#include "base/version.h"
#include "command/query/query.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"

#include <stdlib.h>

void triad_query_path_free(triad_query_path *path)
{
  free(path->t);
  free(path->x);
  free(path->u);
}

#define ABOUT \
  "paths of points in the velocity of stored checkpoints, interpolated linearly in time; positions are not wrapped " \
  "into the box"

int triad_query_path_csv(const triad_query *q, const triad_query_path *path, const char *shown, FILE *out)
{
  const int64_t n = q->points.n;
  (void)fprintf(out,
                "# triad %s query of %s: " ABOUT "; Runge-Kutta of fourth order, %d steps\nt,particle,x,y,z,u,v,w\n",
                triad_version(), shown, path->steps);
  for (int s = 0; s <= path->steps; s++)
    for (int64_t p = 0; p < n; p++) {
      const double *x = path->x + 3 * (s * n + p), *u = path->u + 3 * (s * n + p);
      (void)fprintf(out, "%.17g,%lld,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", path->t[s], (long long)p, x[0], x[1], x[2],
                    u[0], u[1], u[2]);
    }
  return TRIAD_OK;
}

static int fill_file(triad_h5 *file, const triad_query *q, const triad_query_path *path, const char *shown)
{
  const int64_t dims[3] = {path->steps + 1, q->points.n, 3};
  static const char *const scales[3] = {"t", NULL, NULL};
  TRIAD_TRY(triad_h5_text(file, "/", "about", "triad query: " ABOUT));
  TRIAD_TRY(triad_h5_text(file, "/", "writer", triad_version_text()));
  TRIAD_TRY(triad_h5_text(file, "/", "source", shown));
  TRIAD_TRY(triad_h5_put_doubles(file, "t", 1, dims, path->t));
  TRIAD_TRY(triad_h5_make_scale(file, "t"));
  TRIAD_TRY(triad_h5_put_doubles(file, "position", 3, dims, path->x));
  TRIAD_TRY(triad_h5_put_doubles(file, "velocity", 3, dims, path->u));
  TRIAD_TRY(triad_h5_use_scales(file, "position", 3, scales));
  return triad_h5_use_scales(file, "velocity", 3, scales);
}

int triad_query_path_h5(const triad_query *q, const triad_query_path *path, const char *shown, const char *name)
{
  triad_h5 *file;
  TRIAD_TRY(triad_h5_create(&file, name));
  return triad_h5_close(&file, fill_file(file, q, path, shown));
}
