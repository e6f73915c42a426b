/* Stages, boundaries, and who has which. */
#include "solvers/weno/particles/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place and velocity of vector `number`, as one run of six numbers: of vector 0 they stand in the record. */
static double *moving(triad_gas_group *g, int64_t i, int number)
{
  return number == 0 ? g->record + i * TRIAD_GAS_WIDTH + TRIAD_GAS_X
                     : g->vector + (i * TRIAD_GAS_VECTORS + number - 1) * TRIAD_GAS_MOVING;
}

static void stage_of(triad_gas_particles *p, triad_gas_group *g, int64_t i, const triad_scheme_update *s)
{
  const int inertial = g->about.kind == TRIAD_INERTIAL;
  const double mass = g->about.mass;
  double u[3], acceleration[3] = {0, 0, 0}, rate[TRIAD_GAS_MOVING], next[TRIAD_GAS_MOVING], sum[TRIAD_GAS_MOVING];
  const double *in = moving(g, i, s->in), *x = moving(g, i, s->x), *y = s->y < 0 ? NULL : moving(g, i, s->y);
  const double *from = s->from < 0 ? NULL : moving(g, i, s->from);
  if (!triad_gas_velocity_at(p, g->points, in, u) || (mass > 0 && !triad_gas_acceleration_at(p, g->points, in, u, acceleration))) {
    g->lost = 1;
    return;
  }
  if (s->in == 0) memcpy(g->record + i * TRIAD_GAS_WIDTH + TRIAD_GAS_U, u, sizeof u); /* for the length of the next step */
  for (int a = 0; a < 3; a++) {
    rate[a] = inertial ? in[3 + a] : u[a];
    rate[3 + a] = inertial ? (u[a] - in[3 + a]) * g->about.rate + g->about.pull[a] + mass * acceleration[a] : 0;
  }
  for (int a = 0; a < TRIAD_GAS_MOVING; a++) {
    next[a] = s->x_part * x[a] + (y ? s->y_part * y[a] : 0) + s->rate * s->rate_dt * rate[a];
    sum[a] = (from ? s->from_part * from[a] : 0) + s->weight * s->weight_dt * rate[a];
  }
  if (s->sum >= 0) memcpy(moving(g, i, s->sum), sum, sizeof sum);
  memcpy(moving(g, i, s->out), next, sizeof next);
}

int triad_gas_particles_stage(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *s)
{
  if (!p) return TRIAD_OK;
  triad_gas_velocity_bring(p, u);
  if (p->rate[0]) triad_gas_acceleration_bring(p, u);
  for (int k = 0; k < p->n; k++) {
    triad_gas_group *g = &p->group[k];
#pragma omp parallel for schedule(static) num_threads(p->context->threads)
    for (int64_t i = 0; i < g->n; i++)
      if (!(g->record[i * TRIAD_GAS_WIDTH + TRIAD_GAS_TAKEN] > 0)) stage_of(p, g, i, s);
  }
  return TRIAD_OK;
}

/* One that has crossed the boundary of an axis from 0 to length: mirrored, taken there, or in at the other side. */
static void meet(const triad_gas_group *g, int axis, double length, double *r)
{
  double *x = &r[TRIAD_GAS_X + axis];
  const int upper = *x > length;
  if (*x >= 0 && *x <= length) return;
  const double edge = upper ? length : 0;
  switch (g->meets[axis][upper]) {
  case TRIAD_MEETS_REENTER: *x -= upper ? length : -length; return;
  case TRIAD_MEETS_ABSORB:
    *x = edge;
    r[TRIAD_GAS_TAKEN] = 1;
    memset(&r[TRIAD_GAS_V], 0, 3 * sizeof *r);
    return;
  default:
    *x = 2 * edge - *x;
    r[TRIAD_GAS_V + axis] = -r[TRIAD_GAS_V + axis];
  }
}

int triad_gas_particles_settle(triad_gas_particles *p)
{
  if (!p) return TRIAD_OK;
  int st = TRIAD_OK;
  for (int k = 0; k < p->n; k++) {
    triad_gas_group *g = &p->group[k];
    if (g->lost)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "particles %s: one has moved by more than a point in a step: take a smaller time.cfl or time.dt",
                      g->about.name);
    for (int64_t i = 0; i < g->n; i++)
      for (int a = 0; a < 3; a++)
        if (p->setup->side[a][0].kind != TRIAD_WENO_PERIODIC) meet(g, a, p->setup->length[a], g->record + i * TRIAD_GAS_WIDTH);
  }
  TRIAD_TRY(triad_agree(&p->context->comm, st));
  for (int k = 0; k < p->n && p->context->comm.size > 1; k++)
    TRIAD_TRY(triad_gas_group_take(p, &p->group[k], p->group[k].n, p->group[k].record));
  return TRIAD_OK;
}

int triad_gas_particles_longest(triad_gas_particles *p, double cfl, double *dt)
{
  double rate = 0, all = 0;
  *dt = INFINITY;
  if (!p) return TRIAD_OK;
  for (int k = 0; k < p->n; k++) {
    const triad_gas_group *g = &p->group[k];
    rate = fmax(rate, g->about.rate / (2 * cfl));
    for (int64_t i = 0; i < g->n; i++)
      for (int a = 0; a < 3; a++)
        if (p->setup->n[a] > 1)
          rate = fmax(rate, fabs(g->record[i * TRIAD_GAS_WIDTH + (g->about.kind == TRIAD_INERTIAL ? TRIAD_GAS_V : TRIAD_GAS_U) + a]) *
                              (double)p->setup->n[a] / (0.9 * p->setup->length[a]));
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&rate, &all, 1, MPI_DOUBLE, MPI_MAX, p->context->comm.mpi)));
  if (all > 0) *dt = 1 / all;
  return TRIAD_OK;
}

static int make_room(triad_gas_group *g, triad_memory *m, int64_t n)
{
  const int64_t room = n + n / 10 + 64;
  if (n <= g->room) return TRIAD_OK;
  TRIAD_FREE(m, &g->vector);
  TRIAD_FREE(m, &g->record);
  g->room = 0;
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", room * TRIAD_GAS_WIDTH, &g->record));
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", room * TRIAD_GAS_VECTORS * TRIAD_GAS_MOVING, &g->vector));
  g->room = room;
  return TRIAD_OK;
}

int triad_gas_group_take(triad_gas_particles *p, triad_gas_group *g, int64_t n, const double *rows)
{
  const triad_comm *comm = &p->context->comm;
  triad_row_buffers *buffers = &g->about.buffers;
  double *arrived = NULL;
  int64_t n_arrived = 0;
  TRIAD_TRY(triad_agree(comm, triad_row_buffers_fit(buffers, n, TRIAD_GAS_WIDTH)));
  for (int64_t i = 0; i < n; i++) buffers->to[i] = triad_gas_owner(p, rows + i * TRIAD_GAS_WIDTH + TRIAD_GAS_X);
  TRIAD_TRY(triad_rows_exchange(comm, buffers, TRIAD_GAS_WIDTH, n, rows, buffers->to, &arrived, &n_arrived));
  TRIAD_TRY(triad_agree(comm, make_room(g, p->context->memory, n_arrived)));
  g->n = n_arrived;
  memcpy(g->record, arrived, (size_t)(g->n * TRIAD_GAS_WIDTH) * sizeof *arrived);
  return TRIAD_OK;
}
