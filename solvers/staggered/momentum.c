#include "solvers/staggered/momentum.h"

typedef struct work {
  const triad_staggered_mesh *m;
  const triad_staggered_update *update;
  triad_real *const *u, *b;
  const triad_real *p;
  double dt;
} work;

/* Loops have no arrays of their own and read no bytes where they need not: with either, few vectors come of them. */

TRIAD_POINT_INLINE void momentum_row(const int a, const int solids, const triad_staggered_mesh *m,
                                     const triad_staggered_update *p, int64_t y, int64_t z)
{
  const triad_staggered_sizes s = m->sizes;
  const triad_real *const in[3] = {p->in[0], p->in[1], p->in[2]}, *x_old = p->x[a], *diffused = p->diffused[a];
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

static void momentum(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  (void)results;
  if (triad_staggered_near_solids(w->m, y, z)) {
    momentum_row(0, 1, w->m, w->update, y, z);
    momentum_row(1, 1, w->m, w->update, y, z);
    momentum_row(2, 1, w->m, w->update, y, z);
  } else {
    momentum_row(0, 0, w->m, w->update, y, z);
    momentum_row(1, 0, w->m, w->update, y, z);
    momentum_row(2, 0, w->m, w->update, y, z);
  }
}

int triad_staggered_momentum(const triad_staggered_mesh *m, const triad_staggered_update *update)
{
  work w = {.m = m, .update = update};
  return triad_staggered_rows(m, momentum, &w, 0, 0, NULL);
}

static void source(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_sizes *s = &w->m->sizes;
  const triad_real *const u[3] = {w->u[0], w->u[1], w->u[2]};
  int64_t first = triad_partition_at(&w->m->blocks, 0, y, z);
  double area = (double)s->h[1][y] * (double)s->h[2][z], sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < w->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    double volume = area * (double)s->h[0][x] / w->dt, terms = 0;
    w->b[at] = (triad_real)(-volume * (double)triad_staggered_divergence(s, u, at, c));
    for (int i = 0; i < 3; i++) terms += fabs((double)(u[i][at] * s->per_h[i][c[i]]));
    sum += volume * volume * terms * terms;
  }
  results[0] = sum;
}

int triad_staggered_source(const triad_staggered_mesh *m, triad_real *const u[3], double dt, triad_real *b,
                           double *rounding)
{
  work w = {.m = m, .u = u, .b = b, .dt = dt};
  double sum = 0;
  TRIAD_TRY(triad_staggered_rows(m, source, &w, 1, 0, &sum));
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

static void project(void *self, int64_t y, int64_t z, double *results)
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
}

int triad_staggered_project(const triad_staggered_mesh *m, const triad_real *p, double dt, triad_real *const u[3])
{
  work w = {.m = m, .u = u, .p = p, .dt = dt};
  return triad_staggered_rows(m, project, &w, 0, 0, NULL);
}
