/* Compute a stage of the temperature, its buoyancy, and the sums that the series has of it. */
#include "solvers/staggered/host/heat.h"
#include "solvers/staggered/plain/rows.h"

#include "solvers/staggered/state/thermal.h"

typedef struct work {
  const triad_staggered_flow *f;
  const triad_staggered_heat_stage *stage;
  triad_staggered_heat_sight sight;
  int in, out;
  double dt;
} work;

/* ---- a stage ---- */

/* Loops have no arrays of their own and few variables that change: with others few vectors come of them. */
TRIAD_POINT_INLINE void heat_row(const int solids, const work *w, int64_t y, int64_t z)
{
  const triad_staggered_flow *f = w->f;
  const triad_staggered_thermal *t = &f->setup.thermal;
  const triad_staggered_heat_stage *p = w->stage;
  const triad_staggered_sizes s = f->mesh->sizes;
  const triad_real *const u[3] = {f->u[p->in][0], f->u[p->in][1], f->u[p->in][2]};
  const triad_real *in = f->heat[p->in], *diffused = f->heat[p->diffused], *x_old = f->heat[p->x];
  const triad_real x_part = (triad_real)p->x_part, rate = (triad_real)p->rate, kappa = (triad_real)p->diffusivity;
  const triad_real gradient[3] = {(triad_real)t->gradient[0], (triad_real)t->gradient[1], (triad_real)t->gradient[2]};
  const triad_real source = (triad_real)t->source;
  const int held = t->solids_held;
  const int64_t first = triad_partition_at(&f->blocks, 0, y, z), n = f->blocks.local[0];
  triad_real *out = f->heat[p->out];
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    const triad_real change =
      triad_staggered_heat_change(solids, held, &s, u, in, diffused, kappa, source, gradient, at, c);
    out[at] = x_part * x_old[at] + rate * change;
  }
}

static void heat_job(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  (void)results;
  if (w->f->mesh->solids && triad_staggered_is_masked(w->f->mesh, y, z)) heat_row(1, w, y, z);
  else heat_row(0, w, y, z);
}

int triad_staggered_host_heat(triad_staggered_flow *f, const triad_staggered_heat_stage *stage)
{
  work w = {.f = f, .stage = stage};
  return triad_staggered_rows(f->mesh, heat_job, &w, 0, 0, NULL);
}

/* ---- buoyancy ---- */

TRIAD_POINT_INLINE void buoyancy_row(const int a, const work *w, int64_t y, int64_t z)
{
  const triad_staggered_flow *f = w->f;
  const triad_staggered_thermal *t = &f->setup.thermal;
  const triad_staggered_sizes s = f->mesh->sizes;
  const triad_real factor = (triad_real)(-w->dt * t->expansion * t->gravity[a]), reference = (triad_real)t->reference;
  const triad_real *heat = f->heat[w->in];
  const int64_t first = triad_partition_at(&f->blocks, 0, y, z), n = f->blocks.local[0];
  triad_real *u = f->u[w->out][a];
  if (!(t->gravity[a] > 0) && !(t->gravity[a] < 0)) return;
#pragma GCC ivdep
  for (int64_t at = first; at < first + n; at++) u[at] += triad_staggered_buoyancy(a, &s, heat, reference, factor, at);
}

static void buoyancy_job(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  (void)results;
  buoyancy_row(0, w, y, z);
  buoyancy_row(1, w, y, z);
  buoyancy_row(2, w, y, z);
  if (triad_staggered_closes_rows(w->f->mesh)) triad_staggered_close_row(w->f->mesh, w->f->u[w->out], y, z);
}

int triad_staggered_host_add_buoyancy(triad_staggered_flow *f, double dt, int in, int out)
{
  work w = {.f = f, .dt = dt, .in = in, .out = out};
  return triad_staggered_rows(f->mesh, buoyancy_job, &w, 0, 0, NULL);
}

/* ---- sums ---- */

/* The power of buoyancy and the fluid's theta; how far T is above and below the middle that was known last. */
static void look_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_flow *f = w->f;
  const triad_real *const u[3] = {f->u[0][0], f->u[0][1], f->u[0][2]};
  for (int64_t x = 0; x < f->blocks.local[0]; x++)
    triad_staggered_heat_look(&w->sight, u, f->heat[0], f->look.heat.middle, triad_partition_at(&f->blocks, x, y, z),
                              (const int64_t[3]){x, y, z}, results);
}

int triad_staggered_host_look_heat(triad_staggered_flow *f, double results[4])
{
  work w = {.f = f, .sight = triad_staggered_heat_sight_of(f->mesh)};
  return triad_staggered_rows(f->mesh, look_row, &w, 2, 2, results);
}

static void sum_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_flow *f = w->f;
  const triad_real *const u[3] = {f->u[0][0], f->u[0][1], f->u[0][2]};
  for (int64_t x = 0; x < f->blocks.local[0]; x++)
    triad_staggered_heat_sums(&w->sight, u, f->heat[0], triad_partition_at(&f->blocks, x, y, z),
                              (const int64_t[3]){x, y, z}, results);
}

int triad_staggered_host_sum_heat(triad_staggered_flow *f, double *sums)
{
  work w = {.f = f, .sight = triad_staggered_heat_sight_of(f->mesh)};
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_HOST)));
  return triad_staggered_rows(f->mesh, sum_row, &w, TRIAD_STAGGERED_HEAT_SUMS, 0, sums);
}
