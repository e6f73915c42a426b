/* Sums over the cells of a flow on the CPU: rows of the mesh, added exactly over threads and ranks. */
#include "solvers/staggered/host/sums.h"
#include "solvers/staggered/plain/rows.h"

#include "solvers/staggered/points/budget_points.h"
#include "solvers/staggered/plain/sight.h"
#include "solvers/staggered/points/forces_points.h"

/* ---- the mean velocity, and the fastest ---- */

/* |u|/h of one component, the faster of a cell's two faces; not finite where it is not. */
static inline double rate_of(triad_real here, triad_real next, triad_real per_h)
{
  double lower = fabs((double)here), upper = fabs((double)next);
  return (double)per_h * (lower > upper ? lower : upper) + ((double)here - (double)here);
}

static void look_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  const triad_staggered_sizes s = f->mesh->sizes;
  const int64_t first = triad_partition_at(&f->blocks, 0, y, z), n = f->blocks.local[0];
  const triad_real *u = f->u[0][0] + first, *v = f->u[0][1] + first, *w = f->u[0][2] + first;
  const triad_real *h = s.h[0], *d = s.d[0];
  /* of an axis of one cell there is nothing that its velocity could carry */
  const triad_real still = 0, *per_x = s.per_h[0], per_y = s.step[1] ? s.per_h[1][y] : still,
                   per_z = s.step[2] ? s.per_h[2][z] : still, moves = s.step[0] ? 1 : still;
  double sums[3] = {0, 0, 0}, su = 0, sv = 0, sw = 0, most = 0, bad = 0;
#pragma omp simd reduction(+ : su, sv, sw, bad) reduction(max : most)
  for (int64_t x = 0; x < n; x++) {
    const double rate = rate_of(u[x], u[x + s.step[0]], moves * per_x[x]) + rate_of(v[x], v[x + s.step[1]], per_y) +
                        rate_of(w[x], w[x + s.step[2]], per_z);
    su += (double)d[x] * (double)u[x];
    sv += (double)h[x] * (double)v[x];
    sw += (double)h[x] * (double)w[x];
    bad += rate - rate;
    most = rate > most ? rate : most;
  }
  sums[0] = su * (double)s.h[1][y] * (double)s.h[2][z];
  sums[1] = sv * (double)s.d[1][y] * (double)s.h[2][z];
  sums[2] = sw * (double)s.h[1][y] * (double)s.d[2][z];
  for (int a = 0; a < 3; a++) results[a] = sums[a];
  results[3] = isfinite(bad) ? most : INFINITY;
}

int triad_staggered_host_look(triad_staggered_flow *f, double results[4])
{
  return triad_staggered_rows(f->mesh, look_row, f, 3, 1, results);
}

/* ---- flow rates ---- */

typedef struct flow_rate {
  const triad_staggered_mesh *m;
  triad_real *const *u;
  const double *add;
} flow_rate;

static void flow_rate_row(void *self, int64_t y, int64_t z, double *results)
{
  const flow_rate *r = self;
  const triad_staggered_mesh *m = r->m;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < m->blocks.local[0]; x++) {
      const int64_t c[3] = {x, y, z}, at = triad_partition_at(&m->blocks, x, y, z);
      double open = (double)triad_staggered_passes(a, &m->sizes, at) * triad_staggered_volume(&m->sizes, a, c);
      results[a] += open * (double)r->u[a][at];
      results[3 + a] += open;
    }
}

int triad_staggered_host_sum_flow_rate(triad_staggered_flow *f, int vector, double sums[6])
{
  flow_rate r = {.m = f->mesh, .u = f->u[vector]};
  return triad_staggered_rows(f->mesh, flow_rate_row, &r, 6, 0, sums);
}

static void push_row(void *self, int64_t y, int64_t z, double *results)
{
  const flow_rate *r = self;
  const triad_staggered_mesh *m = r->m;
  (void)results;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < m->blocks.local[0]; x++) {
      int64_t at = triad_partition_at(&m->blocks, x, y, z);
      r->u[a][at] += triad_staggered_passes(a, &m->sizes, at) * (triad_real)r->add[a];
    }
}

int triad_staggered_host_push(triad_staggered_flow *f, int vector, const double add[3])
{
  flow_rate r = {.m = f->mesh, .u = f->u[vector], .add = add};
  return triad_staggered_rows(f->mesh, push_row, &r, 0, 0, NULL);
}

/* ---- budgets and forces ---- */

static void budget_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  const triad_real *const u[3] = {f->u[0][0], f->u[0][1], f->u[0][2]};
  for (int64_t x = 0; x < f->blocks.local[0]; x++)
    triad_staggered_budget(&f->mesh->sizes, u, triad_partition_at(&f->blocks, x, y, z), (const int64_t[3]){x, y, z},
                           results);
}

typedef struct force_job {
  const triad_staggered_mesh *m;
  const triad_real *u[3], *p;
  triad_staggered_sight sight;
} force_job;

static void force_row(void *self, int64_t y, int64_t z, double *results)
{
  const force_job *w = self;
  double *walls = results + TRIAD_STAGGERED_FORCE_WALLS, *drag = results + TRIAD_STAGGERED_FORCE_DRAG,
         *moment = results + TRIAD_STAGGERED_FORCE_MOMENT;
  for (int64_t x = 0; x < w->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&w->m->blocks, x, y, z);
    triad_staggered_drag(&w->sight, 0, w->u, w->p, at, c, drag, moment);
    triad_staggered_drag(&w->sight, 1, w->u, w->p, at, c, drag + 1, moment);
    triad_staggered_drag(&w->sight, 2, w->u, w->p, at, c, drag + 2, moment);
    triad_staggered_push_walls(&w->sight, 0, w->u, at, c, walls);
    triad_staggered_push_walls(&w->sight, 1, w->u, at, c, walls + 4);
    triad_staggered_push_walls(&w->sight, 2, w->u, at, c, walls + 8);
  }
}

int triad_staggered_host_sum_budget(triad_staggered_flow *f, double *budget, double *forces)
{
  force_job w = {.m = f->mesh,
                 .u = {f->u[0][0], f->u[0][1], f->u[0][2]},
                 .p = f->p,
                 .sight = triad_staggered_sight_of(f->mesh, f->setup.viscosity, f->reference.centre)};
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_HOST)));
  if (f->mesh->closed) TRIAD_TRY(triad_staggered_rows(f->mesh, force_row, &w, TRIAD_STAGGERED_FORCE_SUMS, 0, forces));
  return triad_staggered_rows(f->mesh, budget_row, f, TRIAD_STAGGERED_BUDGET_SUMS, 1, budget);
}
