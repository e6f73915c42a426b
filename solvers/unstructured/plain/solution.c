/* Read cell centres, density, velocity and pressure from a file of fields of another mesh, in a separate process. */
#include "solvers/unstructured/plain/solution.h"

#include "base/guard.h"
#include "store/hdf5/h5read.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 8 };

typedef struct job {
  const char *path;
  int64_t n;
} job;

static int length_of(triad_h5 *file, const char *name, int n_dims, int64_t *n)
{
  int64_t dims[TRIAD_H5_DIMS];
  int found = 0;
  TRIAD_TRY(triad_h5_dims(file, name, &found, dims, NULL));
  if (found != n_dims || (n_dims == 2 && dims[1] != 3))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has an unexpected shape: use a file of fields that this solver wrote", name);
  *n = dims[0];
  return TRIAD_OK;
}

static int count_there(void *self, triad_guard *guard)
{
  job *j = self;
  triad_h5 *file = NULL;
  int st = triad_h5_open(&file, j->path);
  if (st == TRIAD_OK) st = length_of(file, "VTKHDF/CellData/rho", 1, &j->n);
  st = triad_h5_close(&file, st);
  return st == TRIAD_OK ? triad_guard_give(guard, &j->n, sizeof j->n) : st;
}

/* Whole numbers come as doubles, which hold them exactly up to 2^53. */
static int read_array(triad_h5 *file, const char *name, int n_dims, int64_t wanted, double **out, int64_t *n)
{
  const int64_t first[2] = {0, 0};
  int64_t count[2] = {0, 3};
  TRIAD_TRY(length_of(file, name, n_dims, n));
  if (wanted >= 0 && *n != wanted)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has %lld values, but %lld are required", name, (long long)*n,
                      (long long)wanted);
  count[0] = *n;
  *out = calloc((size_t)(*n * (n_dims == 2 ? 3 : 1)) + 1, sizeof **out);
  return *out ? triad_h5_read(file, name, n_dims, first, count, sizeof **out, *out)
              : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
}

typedef struct arrays {
  double *points, *corners, *offsets, *value[5];
} arrays;

static int read_arrays(triad_h5 *file, int64_t n, arrays *a, int64_t *n_points, int64_t *n_corners)
{
  static const char *const names[5] = {"rho", "u", "v", "w", "p"};
  char name[64];
  int64_t unused;
  TRIAD_TRY(read_array(file, "VTKHDF/Points", 2, -1, &a->points, n_points));
  TRIAD_TRY(read_array(file, "VTKHDF/Connectivity", 1, -1, &a->corners, n_corners));
  TRIAD_TRY(read_array(file, "VTKHDF/Offsets", 1, n + 1, &a->offsets, &unused));
  for (int k = 0; k < 5; k++) {
    (void)snprintf(name, sizeof name, "VTKHDF/CellData/%s", names[k]);
    TRIAD_TRY(read_array(file, name, 1, n, &a->value[k], &unused));
  }
  return TRIAD_OK;
}

/* The mean of a cell's corners. */
static int centre_of(const arrays *a, int64_t c, int64_t n_points, int64_t n_corners, double x[3])
{
  const double begin = a->offsets[c], end = a->offsets[c + 1];
  if (!(begin >= 0 && end > begin && end <= (double)n_corners))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "VTKHDF/Offsets is not valid at cell %lld", (long long)c);
  for (int k = 0; k < 3; k++) x[k] = 0;
  for (int64_t i = (int64_t)begin; i < (int64_t)end; i++) {
    if (!(a->corners[i] >= 0 && a->corners[i] < (double)n_points))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "VTKHDF/Connectivity: a point of cell %lld is outside the file", (long long)c);
    for (int k = 0; k < 3; k++) x[k] += a->points[3 * (int64_t)a->corners[i] + k] / (end - begin);
  }
  return TRIAD_OK;
}

static int give_all(const job *j, const arrays *a, int64_t n_points, int64_t n_corners, triad_guard *guard)
{
  for (int64_t c = 0; c < j->n; c++) {
    double numbers[NUMBERS];
    TRIAD_TRY(centre_of(a, c, n_points, n_corners, numbers));
    for (int k = 0; k < 5; k++) numbers[3 + k] = a->value[k][c];
    TRIAD_TRY(triad_guard_give(guard, numbers, sizeof numbers));
  }
  return TRIAD_OK;
}

static int read_there(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_h5 *file = NULL;
  arrays a = {NULL};
  int64_t n_points = 0, n_corners = 0;
  int st = triad_h5_open(&file, j->path);
  if (st == TRIAD_OK) st = read_arrays(file, j->n, &a, &n_points, &n_corners);
  st = triad_h5_close(&file, st);
  if (st == TRIAD_OK) st = give_all(j, &a, n_points, n_corners, guard);
  free(a.points);
  free(a.corners);
  free(a.offsets);
  for (int k = 0; k < 5; k++) free(a.value[k]);
  return st;
}

int triad_unstructured_solution_read(triad_unstructured_solution *s, triad_memory *memory, const char *path)
{
  job j = {.path = path};
  double(*numbers)[NUMBERS] = NULL;
  *s = (triad_unstructured_solution){0};
  TRIAD_TRY(triad_guard_run(path, count_there, &j, &j.n, sizeof j.n));
  if (j.n < 1) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no cells", path);
  s->n = j.n;
  TRIAD_TRY(TRIAD_ALLOC(memory, "initial field", j.n, &numbers));
  int st = triad_guard_run(path, read_there, &j, numbers, j.n * (int64_t)sizeof *numbers);
  if (st == TRIAD_OK) st = triad_memory_alloc(memory, "initial field", j.n * NUMBERS, sizeof(double), &s->block);
  s->x = s->block;
  s->q = s->block ? (double(*)[5])(void *)(s->x + j.n) : NULL;
  for (int64_t c = 0; c < j.n && st == TRIAD_OK; c++) {
    for (int a = 0; a < 3; a++) s->x[c][a] = numbers[c][a];
    for (int k = 0; k < 5; k++) s->q[c][k] = numbers[c][3 + k];
  }
  TRIAD_FREE(memory, &numbers);
  return st;
}

void triad_unstructured_solution_free(triad_unstructured_solution *s, triad_memory *memory)
{
  triad_memory_free(memory, &s->block);
}
