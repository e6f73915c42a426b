/* Steps: stages of the Runge-Kutta scheme, each made free of divergence (docs/methods/staggered.md eq. 46, 47). */
#include "solvers/staggered/gpu/gpu.h"
#include "solvers/staggered/case/solids.h"

#include <string.h>

/* ---- the look at a state ---- */

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

int triad_staggered_look_at(triad_staggered_flow *f)
{
  double results[4];
  TRIAD_TRY(f->gpu ? triad_staggered_gpu_steps->look(f, results)
                   : triad_staggered_rows(f->mesh, look_row, f, 3, 1, results));
  if (!isfinite(results[3]))
    return triad_agree(&f->context->comm, TRIAD_FAIL(TRIAD_ERR_BLOWUP, "step %lld: the velocity is no longer finite",
                                                     (long long)f->at.step));
  for (int i = 0; i < 3; i++) f->look.mean[i] = results[i] / f->fluid;
  f->look.rate = results[3];
  return TRIAD_OK;
}

/* ---- stages ---- */

static double lap(double *since)
{
  double now = triad_now(), took = now - *since;
  *since = now;
  return took;
}

int triad_staggered_make_solenoidal(triad_staggered_flow *f, triad_real *const u[3], double dt)
{
  double since = triad_now(), rounding;
  triad_real *p = f->implicit ? f->change : f->p;
  triad_staggered_solved solved;
  if (f->gpu) return triad_staggered_gpu_steps->solenoidal(f, dt); /* a start's: u is the state */
  if (f->implicit) memset(p, 0, (size_t)f->blocks.volume * sizeof *p);
  TRIAD_TRY(triad_staggered_source(f->mesh, u, dt, f->b, &rounding));
  f->phases.s[TRIAD_PHASE_POINTWISE] += lap(&since);
  TRIAD_TRY(triad_staggered_solve(f->solver, f->b, f->setup.tolerance, rounding, p, &solved));
  double took = lap(&since);
  f->phases.s[f->setup.pressure == TRIAD_STAGGERED_TRANSFORM ? TRIAD_PHASE_FFT : TRIAD_PHASE_REST] += took;
  f->solves += 1;
  f->all_iterations += solved.iterations;
  f->solve_s += took;
  TRIAD_TRY(triad_staggered_project(f->mesh, p, dt, u));
  for (int64_t i = 0; f->implicit && i < f->blocks.volume; i++) f->p[i] += p[i];
  f->phases.s[TRIAD_PHASE_POINTWISE] += lap(&since);
  f->iterations += solved.iterations;
  f->residual = fmax(f->residual, solved.residual);
  return TRIAD_OK;
}

typedef struct flow_rate {
  const triad_staggered_flow *f;
  triad_real *const *u;
  double add[3];
} flow_rate;

static void flow_rate_row(void *self, int64_t y, int64_t z, double *results)
{
  const flow_rate *r = self;
  const triad_staggered_mesh *m = r->f->mesh;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < m->blocks.local[0]; x++) {
      const int64_t c[3] = {x, y, z}, at = triad_partition_at(&m->blocks, x, y, z);
      double open = (double)triad_staggered_passes(a, &m->sizes, at) * triad_staggered_volume(&m->sizes, a, c);
      results[a] += open * (double)r->u[a][at];
      results[3 + a] += open;
    }
}

static void add_row(void *self, int64_t y, int64_t z, double *results)
{
  const flow_rate *r = self;
  const triad_staggered_mesh *m = r->f->mesh;
  (void)results;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < m->blocks.local[0]; x++) {
      int64_t at = triad_partition_at(&m->blocks, x, y, z);
      r->u[a][at] += triad_staggered_passes(a, &m->sizes, at) * (triad_real)r->add[a];
    }
}

void triad_staggered_push_of_flow_rate(triad_staggered_flow *f, const double sums[6], double dt, double add[3])
{
  double along = 0, gain = 0;
  const double *d = f->forcing.direction;
  for (int i = 0; i < 3; i++) {
    along += d[i] * sums[i] / f->fluid;
    gain += d[i] * d[i] * sums[3 + i] / f->fluid;
  }
  for (int i = 0; i < 3; i++) {
    add[i] = gain > 0 ? d[i] * (f->forcing.amplitude - along) / gain : 0;
    f->force[i] = add[i] / dt;
  }
}

/* The same acceleration everywhere for as long as dt, such that the mean velocity along the direction is the one asked
 * for. */
static int keep_flow_rate(triad_staggered_flow *f, triad_real *const u[3], double dt)
{
  flow_rate r = {f, u, {0}};
  double sums[6];
  TRIAD_TRY(triad_staggered_rows(f->mesh, flow_rate_row, &r, 6, 0, sums));
  triad_staggered_push_of_flow_rate(f, sums, dt, r.add);
  return triad_staggered_rows(f->mesh, add_row, &r, 0, 0, NULL);
}

int triad_staggered_target(const triad_staggered_flow *f, const triad_scheme_update *p)
{
  int other = 1;
  if (!f->setup.implicit || p->out != p->x) return p->out;
  while (other == p->in || other == p->x) other++;
  return other;
}

/* The velocity at t + dt from that without its diffusion; boundaries are those of the guess, which is given them. */
static int diffuse(triad_staggered_flow *f, int in, int to, int out, double dt)
{
  const triad_real *const guess[3] = {f->u[in][0], f->u[in][1], f->u[in][2]};
  int moves = f->setup.wall_frequency > 0;
  if (moves) {
    TRIAD_TRY(triad_staggered_set_time(f, f->at.t + dt, 0));
    triad_staggered_fill(f->mesh, f->u[in]);
  }
  TRIAD_TRY(
    triad_staggered_implicit_solve(f->implicit, dt * f->setup.viscosity / 2, f->setup.tolerance, guess, f->u[to]));
  if (moves && in == 0) { /* the step's beginning, whose diffusion the next stages want */
    TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 0));
    triad_staggered_fill(f->mesh, f->u[in]);
  }
  for (int a = 0; a < 3 && to != out; a++)
    memcpy(f->u[out][a], f->u[to][a], (size_t)f->blocks.volume * sizeof(triad_real));
  return TRIAD_OK;
}

static int stage(void *self, const triad_scheme_update *p)
{
  triad_staggered_flow *f = self;
  if (f->gpu) return triad_staggered_gpu_steps->stage(f, p);
  double since = triad_now(), dt = p->rate * p->rate_dt;
  int rate_kept = f->forcing.kind == TRIAD_STAGGERED_FLOW_RATE, to = triad_staggered_target(f, p);
  triad_staggered_update update = {.in = f->u[p->in],
                                   .diffused = f->u[f->implicit ? p->x : p->in],
                                   .x = f->u[p->x],
                                   .out = f->u[to],
                                   .x_part = p->x_part,
                                   .rate = dt,
                                   .viscosity = f->setup.viscosity * (f->implicit ? 0.5 : 1)};
  for (int i = 0; i < 3; i++) update.force[i] = rate_kept ? 0 : f->force[i];
  if (p->stage > 0) triad_staggered_fill_closed(f->mesh, f->u[p->in]); /* projected last; the state's are filled */
  f->phases.s[TRIAD_PHASE_EXCHANGE] += lap(&since);
  triad_staggered_outflow_carry(f->outflow, f->u[p->x], f->u[p->in], dt); /* before `out`, which may be x */
  TRIAD_TRY(triad_staggered_momentum(f->mesh, &update));
  if (f->formulas)
    TRIAD_TRY(triad_staggered_formulas_add(f->formulas, f->mesh, f->at.t + f->scheme->stage[p->stage].c * p->rate_dt,
                                           dt, f->u[p->in], f->u[to]));
  if (f->implicit) TRIAD_TRY(triad_staggered_project(f->mesh, f->p, dt, f->u[to]));
  if (f->implicit) TRIAD_TRY(diffuse(f, p->in, to, p->out, dt));
  if (rate_kept) TRIAD_TRY(keep_flow_rate(f, f->u[p->out], dt));
  TRIAD_TRY(triad_staggered_outflow_put(f->outflow, f->u[p->out]));
  TRIAD_TRY(triad_staggered_set_time(f, f->at.t + dt, 0)); /* each stage starts from the step's beginning */
  f->phases.s[TRIAD_PHASE_POINTWISE] += lap(&since);
  if (f->implicit || rate_kept || f->outflow) triad_staggered_fill(f->mesh, f->u[p->out]);
  else triad_staggered_fill_closed(f->mesh, f->u[p->out]);
  f->phases.s[TRIAD_PHASE_EXCHANGE] += lap(&since);
  return triad_staggered_make_solenoidal(f, f->u[p->out], dt);
}

/* ---- steps ---- */

/* Eigenvalues of advection lie on the imaginary axis, those of diffusion, 4 nu sum_i 1/h_i^2 at most, on the real one:
 * their rates add up (docs/methods/staggered.md eq. 47). */
static double stable(const triad_staggered_flow *f, double cfl)
{
  double diffusion = f->setup.implicit ? 0 : triad_staggered_diffusion_rate(&f->setup);
  return 1 / (f->look.rate / cfl + diffusion / (f->scheme->real_axis * fmin(cfl, 1)));
}

/* A flow at rest is limited by what the force makes of it: it crosses cfl of a cell in a step at most. */
static double until_moved(const triad_staggered_flow *f, const double force[3], double cfl)
{
  double rate2 = 0;
  for (int i = 0; i < 3; i++)
    if (f->setup.n[i] > 1) rate2 += fabs(force[i]) / f->thinnest[i];
  return sqrt(cfl / rate2);
}

static void set_force(triad_staggered_flow *f, double dt, double *until)
{
  double force[3];
  triad_staggered_acceleration(&f->forcing, f->at.t, dt, f->look.mean, f->moved, force, until);
  if (f->forcing.kind != TRIAD_STAGGERED_FLOW_RATE)
    for (int i = 0; i < 3; i++) f->force[i] = force[i];
}

/* The length of the step, and its force. */
static double begin_step(triad_staggered_flow *f, triad_step *step)
{
  triad_step_limits limits = {0};
  double until;
  set_force(f, 0, &until);
  double release = triad_case_real(f->given, "solids.release");
  triad_step_limit(&limits, "advection and diffusion", stable(f, step->cfl));
  triad_step_limit(&limits, "forcing", until_moved(f, f->formulas ? f->pushed : f->force, step->cfl));
  triad_step_limit(&limits, "a change of forcing", until - f->at.t);
  if (f->setup.solids && !f->released && release > 0) triad_step_limit(&limits, "the release", release - f->at.t);
  triad_step_limit(&limits, "a change of strain", triad_staggered_strain_until(&f->strain, f->at.t) - f->at.t);
  double dt = triad_step_length(step, f->at.t, &limits);
  step->bound = stable(f, triad_scheme_reach(f->scheme)); /* eq. 47 with C where waves are no longer stable */
  set_force(f, dt, &until);
  return dt;
}

/* The solids are fluid from now on: means are over more of it, and boundaries that they touched are open. */
static int release(triad_staggered_flow *f)
{
  TRIAD_TRY(triad_staggered_place_solids(f, f->at.t * (1 + 1e-12)));
  if (!f->gpu) triad_staggered_fill_state(f); /* there the look does */
  return triad_staggered_look_at(f);
}

double triad_staggered_work_of_formulas(const triad_staggered_flow *f, double power)
{
  return !f->formulas || isnan(f->power) ? f->work : f->work + f->at.dt * (f->power + power / f->fluid) / 2;
}

int triad_staggered_advance(void *flow, triad_step *step)
{
  triad_staggered_flow *f = flow;
  double before[3], power = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, f->context->comm.mpi)));
  if (f->setup.solids && !f->released && !triad_staggered_has_solids(f->given, f->at.t * (1 + 1e-12)))
    TRIAD_TRY(release(f));
  if (f->formulas)
    TRIAD_TRY(triad_staggered_formulas_measure(f->formulas, f->mesh, f->at.t, f->u[0], f->pushed, &power));
  f->work = triad_staggered_work_of_formulas(f, power);
  if (f->formulas) f->power = power / f->fluid;
  double dt = begin_step(f, step);
  step->advection_rate = f->look.rate;
  for (int i = 0; i < 3; i++) before[i] = f->look.mean[i];
  f->iterations = 0;
  f->residual = 0;
  TRIAD_TRY(triad_state_write_all(f->state, f->gpu ? TRIAD_DEVICE : TRIAD_HOST));
  TRIAD_TRY(triad_scheme_advance(f->scheme, dt, stage, f));
  triad_step_done(&f->at, step, dt);
  TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 1)); /* a step clipped to a time ends exactly there */
  if (!f->gpu) triad_staggered_fill_state(f);         /* there the look does */
  TRIAD_TRY(triad_staggered_look_at(f));
  for (int i = 0; i < 3; i++) {
    const double way = dt * (before[i] + f->look.mean[i]) / 2;
    f->moved[i] += way;
    f->work += f->force[i] * way; /* of the same acceleration everywhere */
  }
  const double *planes = NULL;
  if (f->gpu && triad_staggered_profiles_due(f->profiles, f->at.step, f->at.t))
    TRIAD_TRY(triad_staggered_gpu_steps->planes(f, triad_staggered_profiles_axis(f->profiles), &planes));
  return triad_staggered_profiles_add(f->profiles, f->at.step, f->at.t, dt, f->u[0], f->p, planes);
}
