/* Compute a stage's velocities before the pressure, their divergence, and the projection. */
#include "solvers/staggered/host/momentum.h"
#include "solvers/staggered/plain/rows.h"
#include "solvers/staggered/points/staggered_points.h"

typedef struct work {
  const triad_staggered_mesh *m;
  const triad_staggered_update *update;
  triad_real *const *u, *b;
  const triad_real *p;
  double dt;
} work;

/* Loops have no arrays of their own and read no bytes where they need not: with either, few vectors come of them.
 * `same`: what is diffused is what is carried. */

TRIAD_POINT_INLINE void momentum_row(const int a, const int solids, const int same, const triad_staggered_mesh *m,
                                     const triad_staggered_update *p, int64_t y, int64_t z)
{
  const triad_staggered_sizes s = m->sizes;
  const triad_real *const in[3] = {p->in[0], p->in[1], p->in[2]}, *x_old = p->x[a],
                          *diffused = same ? in[a] : p->diffused[a];
  const triad_real x_part = (triad_real)p->x_part, rate = (triad_real)p->rate, nu = (triad_real)p->viscosity,
                   force = (triad_real)p->force[a];
  triad_real *out = p->out[a];
  int64_t first = triad_partition_at(&m->blocks, 0, y, z), n = m->blocks.local[0];
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    triad_real change = force - triad_staggered_advection(a, &s, in, at, c) +
                        nu * triad_staggered_diffusion(a, solids, &s, diffused, at, c);
    out[at] = x_part * x_old[at] + rate * change;
  }
  if (!m->closed) return;
#pragma GCC ivdep
  for (int64_t at = first; at < first + n; at++) out[at] *= triad_staggered_passes(a, &s, at);
}

TRIAD_POINT_INLINE void momentum_rows(const int solids, const int same, const work *w, int64_t y, int64_t z)
{
  momentum_row(0, solids, same, w->m, w->update, y, z);
  momentum_row(1, solids, same, w->m, w->update, y, z);
  momentum_row(2, solids, same, w->m, w->update, y, z);
}

static void momentum_job(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const int same = w->update->diffused[0] == w->update->in[0];
  (void)results;
  if (triad_staggered_near_solids(w->m, y, z)) momentum_rows(1, 0, w, y, z);
  else if (same) momentum_rows(0, 1, w, y, z);
  else momentum_rows(0, 0, w, y, z);
  if (triad_staggered_closes_rows(w->m)) triad_staggered_close_row(w->m, w->update->out, y, z);
}

int triad_staggered_momentum(const triad_staggered_mesh *m, const triad_staggered_update *update)
{
  work w = {.m = m, .update = update};
  return triad_staggered_rows(m, momentum_job, &w, 0, 0, NULL);
}

/* The divergence as triad_staggered_divergence has it, and how large its terms are. */
static void source_job(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_sizes s = w->m->sizes;
  const int64_t first = triad_partition_at(&w->m->blocks, 0, y, z), n = w->m->blocks.local[0];
  const triad_real *u = w->u[0] + first, *v = w->u[1] + first, *c = w->u[2] + first, *h = s.h[0], *per_x = s.per_h[0];
  const triad_real per_y = s.per_h[1][y], per_z = s.per_h[2][z];
  const double area = (double)s.h[1][y] * (double)s.h[2][z] / w->dt;
  triad_real *b = w->b + first;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < n; x++) {
    const double volume = area * (double)h[x];
    const triad_real divergence =
      (u[x + s.step[0]] - u[x]) * per_x[x] + (v[x + s.step[1]] - v[x]) * per_y + (c[x + s.step[2]] - c[x]) * per_z;
    const double terms = fabs((double)(u[x] * per_x[x])) + fabs((double)(v[x] * per_y)) + fabs((double)(c[x] * per_z));
    b[x] = (triad_real)(-volume * (double)divergence);
    sum += volume * volume * terms * terms;
  }
  results[0] = sum;
}

int triad_staggered_source(const triad_staggered_mesh *m, triad_real *const u[3], double dt, triad_real *b,
                           double *rounding)
{
  work w = {.m = m, .u = u, .b = b, .dt = dt};
  double sum = 0;
  TRIAD_TRY(triad_staggered_rows(m, source_job, &w, 1, 0, &sum));
  *rounding = TRIAD_EPSILON * sqrt(sum);
  return TRIAD_OK;
}

/* Without solids what is closed is the lower boundary of the box, along the whole row or at its first face. */
TRIAD_POINT_INLINE void project_row(const int a, const int solids, const work *w, int64_t y, int64_t z)
{
  const triad_staggered_sizes s = w->m->sizes;
  const triad_real *p = w->p, dt = (triad_real)w->dt;
  triad_real *u = w->u[a];
  int64_t first = triad_partition_at(&w->m->blocks, 0, y, z), n = w->m->blocks.local[0];
  const triad_real at_first = u[first];
  const int closed = !solids && !(s.open[first] & TRIAD_STAGGERED_LOWER(a));
  if (a > 0 && closed) return;
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    const triad_real change = dt * triad_staggered_gradient(a, &s, p, at, c);
    u[at] -= solids ? triad_staggered_passes(a, &s, at) * change : change;
  }
  if (closed) u[first] = at_first;
}

static void project_job(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  (void)results;
  if (triad_staggered_near_solids(w->m, y, z)) {
    project_row(0, 1, w, y, z);
    project_row(1, 1, w, y, z);
    project_row(2, 1, w, y, z);
  } else {
    project_row(0, 0, w, y, z);
    project_row(1, 0, w, y, z);
    project_row(2, 0, w, y, z);
  }
  if (triad_staggered_closes_rows(w->m)) triad_staggered_close_row(w->m, w->u, y, z);
}

int triad_staggered_project(const triad_staggered_mesh *m, const triad_real *p, double dt, triad_real *const u[3])
{
  work w = {.m = m, .u = u, .p = p, .dt = dt};
  return triad_staggered_rows(m, project_job, &w, 0, 0, NULL);
}
