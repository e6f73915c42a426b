/* Steps: halos, boundaries and stages of the Runge-Kutta schemes (docs/methods/compressible.md eq. 38, 39). */
#include "solvers/compressible/step/loops.h"
#include "solvers/compressible/closure/closure.h"
#include "solvers/compressible/particles/particles.h"
#include "solvers/compressible/case/walls.h"

#include <math.h>

/* ---- a state's halo ---- */

typedef void (*box_task)(triad_compressible *w, triad_real *const *u, const triad_box *box,
                         const triad_compressible_update *update);

static void find_primitives(triad_compressible *w, triad_real *const *u, const triad_box *box,
                            const triad_compressible_update *update)
{
  (void)update;
  w->loops->primitives(w, u, box);
}

/* Do for a task the points that `all` has and `done` has not. */
static void do_shell(triad_compressible *w, triad_real *const *u, triad_box all, triad_box done, box_task task,
                     const triad_compressible_update *update)
{
  triad_box part[TRIAD_BOX_SHELL];
  const int n = triad_box_shell(&all, &done, part);
  for (int i = 0; i < n; i++) task(w, u, &part[i], update);
}

/* With a closure: nu_t of own points needs halos, and fluxes need that of halos, so that nothing overlaps. known: the
 * last look has left primitives with halos, nu_t included. */
static int find_rates_with_closure(triad_compressible *w, triad_real *const *u, int known,
                                   const triad_compressible_update *update)
{
  const triad_compressible_loops *loops = w->loops;
  const triad_box own = triad_box_own(&w->blocks), padded = triad_box_padded(&w->blocks);
  if (!known) {
    loops->begin(w, u);
    loops->end(w);
    loops->charge(w, TRIAD_PHASE_EXCHANGE);
    loops->fill(w, u, 1);
    loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_BOUNDARIES);
    loops->primitives(w, u, &padded);
    loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_PRIMITIVES);
    TRIAD_TRY(triad_compressible_closure_apply(w, u));
    loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_CLOSURE);
  }
  if (update) loops->rates(w, u, &own, update);
  loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_RATES);
  return loops->settle(w);
}

/* Halos, boundaries and primitives of u, and with `update` its rates put to use: the interior while halos travel.
 * known: primitives of own points are there. Collective. */
static int find_rates(triad_compressible *w, triad_real *const *u, int known, const triad_compressible_update *update)
{
  const triad_compressible_loops *on = w->loops;
  if (triad_compressible_has_closure(w)) return find_rates_with_closure(w, u, known, update);
  const triad_box own = triad_box_own(&w->blocks), near = triad_box_near(&w->blocks), none = {{0}, {0}},
                  inner = on->inner(w);
  on->begin(w, u);
  on->charge(w, TRIAD_PHASE_EXCHANGE);
  on->fill(w, u, 0);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_BOUNDARIES);
  do_shell(w, u, near, known && on->keeps_primitives ? own : none, find_primitives, NULL);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_PRIMITIVES);
  if (update) on->rates(w, u, &inner, update);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_RATES);
  on->end(w);
  on->charge(w, TRIAD_PHASE_EXCHANGE);
  on->fill(w, u, 1);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_BOUNDARIES);
  do_shell(w, u, triad_box_padded(&w->blocks), near, find_primitives, NULL);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_PRIMITIVES);
  if (update) do_shell(w, u, own, inner, on->rates, update);
  on->charge(w, TRIAD_COMPRESSIBLE_PHASE_RATES);
  return on->settle(w);
}

int triad_compressible_bring(triad_compressible *w)
{
  w->charged = triad_now();
  return find_rates(w, w->loops->vector(w, 0), 0, NULL);
}

int triad_compressible_bring_velocity(triad_compressible *w)
{
  TRIAD_TRY(triad_state_read_all(w->state, w->loops->where));
  return triad_compressible_bring(w);
}

triad_real *const *triad_compressible_velocity(const triad_compressible *w) { return w->loops->velocity(w); }

/* ---- stages ---- */

/* A vector of the scheme's, by number, where steps are taken; NULL for none. */
static triad_real *const *vector_of(const triad_compressible *w, int number)
{
  return number < 0 ? NULL : w->loops->vector(w, number);
}

/* A stage of the scheme's. The look that ended the last step has left primitives of the state. */
static int scheme_stage(void *self, const triad_scheme_update *p)
{
  triad_compressible *w = self;
  const triad_compressible_update update = {.out = vector_of(w, p->out),
                                            .x = vector_of(w, p->x),
                                            .y = vector_of(w, p->y),
                                            .sum = vector_of(w, p->sum),
                                            .from = vector_of(w, p->from),
                                            .x_part = (triad_real)p->x_part,
                                            .y_part = (triad_real)p->y_part,
                                            .rate_part = (triad_real)p->rate * (triad_real)p->rate_dt,
                                            .sum_part = (triad_real)p->weight * (triad_real)p->weight_dt,
                                            .dt = (triad_real)p->dt};
  const int known = p->stage == 0 && !w->changed;
  triad_real *const *wanted = triad_gas_particles_rates(w->particles);
  const triad_compressible_update rates_only = {
    .out = wanted, .x = vector_of(w, p->in), .rate_part = 1, .dt = (triad_real)p->dt};
  TRIAD_TRY(triad_compressible_walls_at(w->walls, w->t + p->c * p->dt, 0));
  /* particles go by what the first of these leaves: velocities with halos, and rates where some want them */
  TRIAD_TRY(find_rates(w, vector_of(w, p->in), known, wanted ? &rates_only : &update));
  TRIAD_TRY(triad_gas_particles_stage(w->particles, vector_of(w, p->in), p));
  w->loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_SOURCES);
  return wanted ? find_rates(w, vector_of(w, p->in), known, &update) : TRIAD_OK;
}

void triad_compressible_carries(triad_compressible *w, struct triad_gas_particles *particles)
{
  w->particles = particles;
}

/* Rates go to vector 1, which is free between steps. */
int triad_compressible_rhs(triad_compressible *w, triad_real *const *out)
{
  const triad_compressible_update only = {.out = vector_of(w, 1), .x = vector_of(w, 0), .rate_part = 1};
  w->charged = triad_now();
  int st = find_rates(w, vector_of(w, 0), 0, &only);
  if (st == TRIAD_OK) st = w->loops->copy(w, 1, out);
  return triad_agree(&w->context->comm, st);
}

/* ---- the look at a state ---- */

/* Report the first invalid point of this rank: its indices in the grid and its values. bad: their status. */
static int report_bad(const triad_compressible *w, int64_t step, int bad)
{
  const triad_partition *b = &w->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        int64_t i = triad_partition_at(b, x, y, z);
        triad_compressible_primitive q =
          triad_compressible_primitives(&w->gas, w->u[0][i], w->u[1][i], w->u[2][i], w->u[3][i], w->u[4][i]);
        if (triad_compressible_is_gas(w->u[0][i], q)) continue;
        int64_t at[3] = {b->begin[0] + x, b->begin[1] + y, b->begin[2] + z};
        return TRIAD_FAIL(bad,
                          "step %lld: invalid state at point (%lld, %lld, %lld), (%.6g, %.6g, %.6g)%s: density %.6g, "
                          "velocity (%.6g, %.6g, %.6g), pressure %.6g",
                          (long long)step, (long long)at[0], (long long)at[1], (long long)at[2],
                          triad_compressible_position(&w->setup, 0, at[0]),
                          triad_compressible_position(&w->setup, 1, at[1]),
                          triad_compressible_position(&w->setup, 2, at[2]),
                          bad == TRIAD_ERR_BLOWUP ? "" : ", so that no flow can start from it", (double)w->u[0][i],
                          (double)q.u, (double)q.v, (double)q.w, (double)(w->u[0][i] * q.T * w->gas.per_gamma));
      }
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the invalid point cannot be found");
}

/* All ranks' look, what became of this rank's work so far, and the end of the run, with status `bad`, where a point
 * is bad. */
static int look_together(triad_compressible *w, int64_t step, int st, int bad)
{
  triad_compressible_state_check mine = {0};
  if (triad_compressible_has_closure(w)) { /* all ranks exchange halos, or none */
    st = triad_agree(&w->context->comm, st);
    if (st == TRIAD_OK) st = triad_compressible_bring(w);
  }
  if (st == TRIAD_OK) st = w->loops->check_state(w, &mine);
  double values[5] = {mine.advective, mine.wave, mine.sum, mine.viscous, st != TRIAD_OK || mine.bad > 0};
  double most[5] = {0, 0, 0, 0, 1};
  w->loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_CHECKS);
  int told = TRIAD_MPI(MPI_Allreduce(values, most, 5, MPI_DOUBLE, MPI_MAX, w->context->comm.mpi));
  triad_phases_charge(&w->phases, TRIAD_PHASE_EXCHANGE, &w->charged);
  if (told == TRIAD_OK && !(most[4] > 0)) {
    w->look = (triad_compressible_state_check){most[0], most[1], most[2], most[3], 0};
    return TRIAD_OK;
  }
  if (st == TRIAD_OK) st = told;
  if (st == TRIAD_OK && mine.bad > 0) {
    st = triad_state_read_all(w->state, TRIAD_HOST);
    if (st == TRIAD_OK) st = report_bad(w, step, bad);
  }
  return triad_agree(&w->context->comm, st);
}

int triad_compressible_begin(triad_compressible *w, int64_t step)
{
  w->charged = triad_now();
  return look_together(w, step, triad_state_read_all(w->state, w->loops->where), TRIAD_ERR_CASE);
}

int triad_compressible_set_time(triad_compressible *w, triad_compressible_walls *walls, double t)
{
  const int first = walls != w->walls;
  w->walls = walls;
  w->t = t;
  return triad_compressible_walls_at(walls, t, first);
}

/* ---- the longest stable step ---- */

/* Largest eigenvalues of the differences, by their symbols at angles k h (docs/methods/compressible.md). */
static const double first_4 = 1.3722;      /* times h: max of (8 sin kh - sin 2kh)/6 */
static const double first_8 = 1.8684;      /* likewise of the central fluxes' difference, over nine points */
static const double second_faces = 6.3406; /* times h^2: that of viscous_points.h at k h = pi */

static const double shortest = 16.0 / 15; /* what the upwind difference takes of the wave k h = pi, times h/speed */

/* The rate at which the inviscid part is just stable, all axes together: sound that the flow carries along any
 * direction, and the shortest wave of all axes, which upwind differences of each axis damp. */
static double inviscid_rate(const triad_compressible *w)
{
  const triad_scheme *scheme = w->setup.scheme;
  double rate = 0;
  if (w->setup.form != TRIAD_COMPRESSIBLE_UPWIND) rate = w->look.wave * first_8 / scheme->imaginary_axis;
  if (w->setup.form != TRIAD_COMPRESSIBLE_CENTRAL)
    rate = fmax(rate, fmax(w->look.wave / (0.98 * scheme->upwind), w->look.sum * shortest / scheme->real_axis));
  return rate;
}

static double viscous_rate(const triad_compressible *w)
{
  /* of points: the difference of order four, taken twice */
  const double second = w->setup.form != TRIAD_COMPRESSIBLE_UPWIND ? second_faces : first_4 * first_4;
  return w->look.viscous * second / w->setup.scheme->real_axis;
}

/* The spectra of both terms lie within stability (docs/methods/compressible.md eq. 40). */
double triad_compressible_stable(const triad_compressible *w, double cfl)
{
  int axes = 0;
  double rate = fmax(w->look.advective / cfl, inviscid_rate(w));
  for (int i = 0; i < 3; i++) axes += w->setup.n[i] > 1;
  if (w->setup.positivity) /* r (|u| + c) <= 1 with the limiter's r = 2 n dt/h for n axes */
    rate = fmax(rate, w->look.advective * 2 * axes);
  return 1 / (rate + viscous_rate(w) / fmin(cfl, 1));
}

double triad_compressible_courant_rate(const triad_compressible *w) { return w->look.advective + viscous_rate(w); }

double triad_compressible_bound(const triad_compressible *w) { return 1 / (inviscid_rate(w) + viscous_rate(w)); }

int triad_compressible_advance(triad_compressible *w, int64_t step, double dt)
{
  w->charged = triad_now();
  int st = triad_state_write_all(w->state, w->loops->where);
  w->changed = 0;
  if (st == TRIAD_OK && w->between) st = w->between(w->between_self, 0, step, dt, &w->changed);
  w->loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_SOURCES);
  if (st == TRIAD_OK) st = triad_scheme_advance(w->setup.scheme, dt, scheme_stage, w);
  if (st == TRIAD_OK && w->between) st = w->between(w->between_self, 1, step, dt, &w->changed);
  w->loops->charge(w, TRIAD_COMPRESSIBLE_PHASE_SOURCES);
  return look_together(w, step, st, TRIAD_ERR_BLOWUP);
}
