/* Initial condition from a run on another grid of the same blocks, fields/blocks-<step>.h5: linear interpolation
 * between cell centres along i, j and k by their numbers, so that each block is stretched over the finer one. Every
 * rank reads the file. */
#include "solvers/multiblock/case/coarser.h"

#include "base/guard.h"
#include "solvers/multiblock/points/multiblock_points.h"
#include "store/hdf5/h5read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[TRIAD_MULTIBLOCK_FIELDS] = {"rho", "u", "v", "w", "p"};
static const int64_t most_cells = (int64_t)1 << 33;

typedef struct job {
  const char *path;
  int zone;
  int64_t n[3]; /* k, j, i; 0: wanted */
} job;

static int read_size(const job *j, triad_h5 *h5, triad_guard *guard)
{
  int64_t dims[TRIAD_MULTIBLOCK_FIELDS][TRIAD_H5_DIMS];
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    char name[64];
    int n;
    (void)snprintf(name, sizeof name, "%s.%d", names[m], j->zone + 1);
    TRIAD_TRY(triad_h5_dims(h5, name, &n, dims[m], NULL));
    int good = n == 3 && dims[m][0] > 0 && dims[m][1] > 0 && dims[m][2] > 0;
    for (int a = 0; a < 3 && good; a++) good = dims[m][a] == dims[0][a] && dims[m][a] <= most_cells;
    if (!good || dims[m][0] > most_cells / dims[m][1] / dims[m][2])
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: dataset %s must have three dimensions, the same as the other datasets of its block",
                        j->path, name);
  }
  return triad_guard_give(guard, dims[0], 3 * (int64_t)sizeof **dims);
}

static int read_values(const job *j, triad_h5 *h5, triad_guard *guard)
{
  const int64_t first[3] = {0, 0, 0}, all = j->n[0] * j->n[1] * j->n[2];
  double *values = calloc((size_t)all, sizeof *values);
  int st = values ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld cells", j->path, (long long)all);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS && st == TRIAD_OK; m++) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s.%d", names[m], j->zone + 1);
    st = triad_h5_read(h5, name, 3, first, j->n, (int)sizeof *values, values);
    if (st == TRIAD_OK) st = triad_guard_give(guard, values, all * (int64_t)sizeof *values);
  }
  free(values);
  return st;
}

static int read_guarded(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_h5 *h5;
  TRIAD_TRY(triad_h5_open(&h5, j->path));
  return triad_h5_close(&h5, j->n[0] > 0 ? read_values(j, h5, guard) : read_size(j, h5, guard));
}

/* Between which of n cells the middle of cell c of `of` lies, and how far it is from the lower one. */
static void between(int64_t c, int64_t of, int64_t n, int64_t at[2], double *part)
{
  double place = fmin(fmax(((double)c + 0.5) * (double)n / (double)of - 0.5, 0), (double)(n - 1));
  at[0] = (int64_t)place;
  at[1] = at[0] + 1 < n ? at[0] + 1 : at[0];
  *part = place - (double)at[0];
}

static void set_part(triad_multiblock_flow *f, const triad_zone_part *p, const int64_t n[3], const double *values)
{
  const int64_t *of = f->zones->zone[p->zone].n, all = n[0] * n[1] * n[2];
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
    const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1],
                          p->low[2] + l / p->n[0] / p->n[1]};
    int64_t at[3][2];
    double part[3], q[TRIAD_MULTIBLOCK_FIELDS] = {0};
    for (int a = 0; a < 3; a++) between(c[a], of[a], n[2 - a], at[a], &part[a]);
    for (int corner = 0; corner < 8; corner++) {
      const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      const double weight = (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (k ? part[2] : 1 - part[2]);
      const int64_t from = at[0][i] + n[2] * (at[1][j] + n[1] * at[2][k]);
      for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) q[m] += weight * values[m * all + from];
    }
    triad_gas_flux u = triad_gas_conserved(
      (triad_gas_state){(triad_real)q[0], (triad_real)q[1], (triad_real)q[2], (triad_real)q[3], (triad_real)q[4]},
      gamma);
    const int64_t here = triad_zone_part_at(p, c);
    f->u[0][here] = u.mass;
    f->u[1][here] = u.x;
    f->u[2][here] = u.y;
    f->u[3][here] = u.z;
    f->u[4][here] = u.energy;
  }
}

static int read_zone(triad_multiblock_flow *f, job *j)
{
  int mine = 0;
  for (int i = 0; i < f->n_parts; i++) mine |= f->part[i]->zone == j->zone;
  if (!mine) return TRIAD_OK;
  j->n[0] = 0;
  int64_t n[3];
  TRIAD_TRY(triad_guard_run(j->path, read_guarded, j, n, sizeof n));
  for (int a = 0; a < 3; a++) j->n[a] = n[a];
  const int64_t all = TRIAD_MULTIBLOCK_FIELDS * n[0] * n[1] * n[2];
  double *values = calloc((size_t)all, sizeof *values);
  int st = values ? triad_guard_run(j->path, read_guarded, j, values, all * (int64_t)sizeof *values)
                  : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld numbers", j->path, (long long)all);
  for (int64_t i = 0; i < all && st == TRIAD_OK; i++)
    if (!isfinite(values[i]))
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: block %d contains %g, but all values must be finite", j->path, j->zone + 1,
                      values[i]);
  for (int i = 0; i < f->n_parts && st == TRIAD_OK; i++)
    if (f->part[i]->zone == j->zone) set_part(f, f->part[i], n, values);
  free(values);
  return st;
}

int triad_multiblock_start_coarser(triad_multiblock_flow *f)
{
  char *path = triad_case_path(f->given, "initial.file");
  job j = {.path = path};
  int st = path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "initial.file");
  for (j.zone = 0; j.zone < f->zones->n && st == TRIAD_OK; j.zone++) st = read_zone(f, &j);
  free(path);
  return triad_agree(&f->context->comm, st);
}
