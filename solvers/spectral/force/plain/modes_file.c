/* Modes over time from an HDF5 file: t [times], k [modes, 3], f [times, modes, components, 2]. */
#include "solvers/spectral/force/plain/modes_file.h"

#include "base/guard.h"
#include "store/hdf5/h5read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { TIMES, MODES, COMPONENTS, SIZES };

typedef struct reading {
  const char *path;
  int components;
  int64_t size[SIZES];
} reading;

static int is_shape(const char *path, const char *name, int n, const int64_t *dims, int wanted, const int64_t *want,
                    const char *about)
{
  int good = n == wanted;
  for (int i = 0; good && i < n; i++) good = dims[i] == want[i];
  return good ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.file %s: dataset %s is not %s", path, name, about);
}

static int64_t numbers_of(const reading *r)
{
  return r->size[TIMES] + 3 * r->size[MODES] + 2 * r->size[TIMES] * r->size[MODES] * r->components;
}

static int check_shapes(void *self, triad_guard *guard)
{
  reading *r = self;
  triad_h5 *file = NULL;
  int64_t dims[TRIAD_H5_DIMS] = {0};
  int n = 0;
  TRIAD_TRY(triad_h5_open(&file, r->path));
  int st = triad_h5_dims(file, "t", &n, dims, NULL);
  r->size[TIMES] = dims[0];
  if (st == TRIAD_OK) st = is_shape(r->path, "t", n, dims, 1, dims, "[times]");
  if (st == TRIAD_OK) st = triad_h5_dims(file, "k", &n, dims, NULL);
  if (st == TRIAD_OK) {
    r->size[MODES] = dims[0];
    st = is_shape(r->path, "k", n, dims, 2, (int64_t[]){dims[0], 3}, "[modes, 3]");
  }
  if (st == TRIAD_OK) st = triad_h5_dims(file, "f", &n, dims, NULL);
  if (st == TRIAD_OK) {
    const int64_t want[] = {r->size[TIMES], r->size[MODES], r->components, 2};
    st = is_shape(r->path, "f", n, dims, 4, want,
                  r->components == 3 ? "[times, modes, 3, 2] of as many times and modes as t and k"
                                     : "[times, modes, 1, 2] of as many times and modes as t and k");
  }
  if (st == TRIAD_OK && (r->size[TIMES] < 1 || r->size[MODES] < 1 ||
                         r->size[TIMES] > INT32_MAX / r->size[MODES] / r->components / 2 || numbers_of(r) > INT32_MAX))
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.file %s: no times or modes, or too many", r->path);
  TRIAD_TRY(triad_h5_close(&file, st));
  return triad_guard_give(guard, r->size, (int64_t)sizeof r->size);
}

static int read_modes(void *self, triad_guard *guard)
{
  const reading *r = self;
  const int64_t none[4] = {0}, k[] = {r->size[MODES], 3}, f[] = {r->size[TIMES], r->size[MODES], r->components, 2};
  double *all = malloc((size_t)numbers_of(r) * sizeof *all);
  triad_h5 *file = NULL;
  int st = all ? triad_h5_open(&file, r->path) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing");
  if (st != TRIAD_OK) {
    free(all);
    return st;
  }
  st = triad_h5_read(file, "t", 1, none, r->size, 8, all);
  if (st == TRIAD_OK) st = triad_h5_read(file, "k", 2, none, k, 8, all + r->size[TIMES]);
  if (st == TRIAD_OK) st = triad_h5_read(file, "f", 4, none, f, 8, all + r->size[TIMES] + 3 * r->size[MODES]);
  st = triad_h5_close(&file, st);
  if (st == TRIAD_OK) st = triad_guard_give(guard, all, numbers_of(r) * (int64_t)sizeof *all);
  free(all);
  return st;
}

static int check_times(const triad_modes_file *m, const char *path, double end)
{
  for (int64_t i = 0; i < m->n_times; i++)
    if (!isfinite(m->t[i]) || (i > 0 && !(m->t[i] > m->t[i - 1])))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.file %s: t[%lld] = %g must be later than the previous time", path,
                        (long long)i, m->t[i]);
  if (m->n_times > 1 && (m->t[0] > 0 || m->t[m->n_times - 1] < end))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "forcing.file %s covers t = %g to %g, but the run is from 0 to time.end = %g: extend the file",
                      path, m->t[0], m->t[m->n_times - 1], end);
  return TRIAD_OK;
}

static triad_file_mode half_of(const int64_t k[3], int64_t number)
{
  const int64_t first = k[0] ? k[0] : k[1] ? k[1] : k[2], turn = first < 0 ? -1 : 1;
  return (triad_file_mode){{turn * k[0], turn * k[1], turn * k[2]}, number, (double)turn};
}

static int by_k(const void *left, const void *right)
{
  const triad_file_mode *a = left, *b = right;
  for (int i = 0; i < 3; i++)
    if (a->k[i] != b->k[i]) return a->k[i] < b->k[i] ? -1 : 1;
  return 0;
}

static int by_k_then_number(const void *left, const void *right)
{
  const triad_file_mode *a = left, *b = right;
  const int k = by_k(a, b);
  return k ? k : (a->number > b->number) - (a->number < b->number);
}

static int bad_mode(const triad_modes_file *m, const char *path, int64_t i, const char *why)
{
  const double *k = m->k + 3 * i;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.file %s: k[%lld] = (%g, %g, %g) %s", path, (long long)i, k[0], k[1], k[2],
                    why);
}

static int check_modes(const triad_modes_file *m, const char *path, const triad_grid *grid)
{
  for (int64_t i = 0; i < m->n_modes; i++) {
    const double *k = m->k + 3 * i;
    const char *why = NULL;
    for (int a = 0; a < 3; a++)
      if (!(fabs(k[a]) < 1e9) || k[a] > floor(k[a])) why = "is not an integer: give periods of the box";
    if (!why && !(fabs(k[0]) + fabs(k[1]) + fabs(k[2]) > 0)) why = "is the mean, which is not forced: remove it";
    if (!why && !triad_grid_keeps(grid, (int64_t)k[0], (int64_t)k[1], (int64_t)k[2]))
      why = "is not in this grid: remove it, or use a finer grid";
    if (!why && !triad_grid_excites(grid, (int64_t)k[0], (int64_t)k[1], (int64_t)k[2]))
      why = "has a component at half the number of points, where forces do not act: remove it, or use a finer grid";
    if (why) return bad_mode(m, path, i, why);
  }
  return TRIAD_OK;
}

/* Sort by k, for binary search; a duplicate is refused. */
static int sort_modes(triad_modes_file *m, const char *path)
{
  const triad_file_mode *again = NULL;
  m->sorted = malloc((size_t)m->n_modes * sizeof *m->sorted);
  if (!m->sorted) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the modes of forcing.file");
  for (int64_t i = 0; i < m->n_modes; i++)
    m->sorted[i] = half_of((int64_t[]){(int64_t)m->k[3 * i], (int64_t)m->k[3 * i + 1], (int64_t)m->k[3 * i + 2]}, i);
  qsort(m->sorted, (size_t)m->n_modes, sizeof *m->sorted, by_k_then_number);
  for (int64_t i = 1; i < m->n_modes; i++)
    if (by_k(m->sorted + i - 1, m->sorted + i) == 0 && (!again || m->sorted[i].number < again->number))
      again = m->sorted + i;
  if (!again) return TRIAD_OK;
  return bad_mode(m, path, again->number,
                  again->sign * again[-1].sign > 0 ? "is repeated" : "is repeated, as its conjugate");
}

int64_t triad_modes_file_find(const triad_modes_file *m, const int64_t k[3], double *sign)
{
  const triad_file_mode key = half_of(k, 0), *found = bsearch(&key, m->sorted, (size_t)m->n_modes, sizeof key, by_k);
  if (!found) return -1;
  *sign = key.sign * found->sign;
  return found->number;
}

static int check_values(const triad_modes_file *m, const char *path, int components)
{
  const int64_t row = 2 * m->n_modes * components;
  for (int64_t i = 0; i < m->n_times * row; i++)
    if (!isfinite(m->f[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.file %s: f[%lld, %lld, %lld, %lld] is not finite", path,
                        (long long)(i / row), (long long)(i % row / (2 * components)), (long long)(i / 2 % components),
                        (long long)(i % 2));
  return TRIAD_OK;
}

int triad_modes_file_read(triad_modes_file *m, const triad_comm *comm, const char *path, int components,
                          const triad_grid *grid, double end)
{
  reading r = {.path = path, .components = components};
  *m = (triad_modes_file){0};
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, check_shapes, &r, r.size, (int64_t)sizeof r.size)
                                              : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(r.size, SIZES, MPI_INT64_T, 0, comm->mpi))));
  const int64_t n = numbers_of(&r), bytes = n * (int64_t)sizeof(double);
  m->n_times = r.size[TIMES];
  m->n_modes = r.size[MODES];
  m->t = malloc((size_t)bytes);
  TRIAD_TRY(triad_agree(comm, m->t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the modes of forcing.file")));
  m->k = m->t + m->n_times;
  m->f = m->k + 3 * m->n_modes;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, read_modes, &r, m->t, bytes) : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(m->t, (int)n, MPI_DOUBLE, 0, comm->mpi))));
  m->checksum = XXH3_64bits(m->t, (size_t)bytes);
  int st = check_times(m, path, end);
  if (st == TRIAD_OK) st = check_modes(m, path, grid);
  if (st == TRIAD_OK) st = sort_modes(m, path);
  if (st == TRIAD_OK) st = check_values(m, path, components);
  return triad_agree(comm, st);
}

void triad_modes_file_free(triad_modes_file *m)
{
  free(m->t);
  free(m->sorted);
  *m = (triad_modes_file){0};
}
