/* Steps: stages of the Runge-Kutta scheme, each made free of divergence (docs/methods/staggered.md eq. 46, 47). */
#include "solvers/staggered/step/step.h"

#include "solvers/staggered/plain/solids.h"
#include "solvers/staggered/points/budget_points.h"
#include "solvers/staggered/points/forces_points.h"
#include "solvers/staggered/step/loops.h"

/* ---- the look at a state ---- */

static int look_at_heat(triad_staggered_flow *f)
{
  double results[4];
  TRIAD_TRY(f->loops->look_heat(f, results));
  if (!isfinite(results[2]))
    return triad_agree(&f->context->comm, TRIAD_FAIL(TRIAD_ERR_BLOWUP, "step %lld: the temperature is no longer finite",
                                                     (long long)f->at.step));
  f->look.heat.power = results[0] / f->fluid;
  f->look.heat.mean = results[1] / f->fluid;
  f->look.heat.middle += (results[2] - results[3]) / 2;
  f->look.heat.range = results[2] + results[3];
  return TRIAD_OK;
}

int triad_staggered_look_at(triad_staggered_flow *f)
{
  double results[4];
  TRIAD_TRY(f->loops->look(f, results));
  if (!isfinite(results[3]))
    return triad_agree(&f->context->comm, TRIAD_FAIL(TRIAD_ERR_BLOWUP, "step %lld: the velocity is no longer finite",
                                                     (long long)f->at.step));
  for (int i = 0; i < 3; i++) f->look.mean[i] = results[i] / f->fluid;
  f->look.rate = results[3];
  TRIAD_TRY(triad_staggered_closure_look(f->closure, f->mesh, f->u[0]));
  return f->heat[0] ? look_at_heat(f) : TRIAD_OK;
}

/* ---- stages ---- */

/* A vector whose halos are filled, made free of divergence: u - dt grad p. With implicit diffusion u contains the
 * gradient of p already, and the change that is found is added to p. */
static int project_velocity(triad_staggered_flow *f, int vector, double dt)
{
  const triad_staggered_loops *loops = f->loops;
  const triad_staggered_scalar p = f->setup.implicit ? TRIAD_STAGGERED_CHANGE : TRIAD_STAGGERED_P;
  triad_staggered_solved solved;
  if (f->setup.implicit) TRIAD_TRY(loops->clear_change(f));
  TRIAD_TRY(loops->solve(f, vector, dt, p, &solved));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_PRESSURE));
  TRIAD_TRY(loops->project(f, p, dt, vector));
  if (f->setup.implicit) TRIAD_TRY(loops->add_change(f));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_PROJECTION));
  f->solves += 1;
  f->all_iterations += solved.iterations;
  f->iterations += solved.iterations;
  f->residual = fmax(f->residual, solved.residual);
  return TRIAD_OK;
}

int triad_staggered_make_solenoidal(triad_staggered_flow *f, double dt)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_write_all(f->state, f->loops->where)));
  f->charged = triad_now();
  TRIAD_TRY(f->loops->settle(f, project_velocity(f, 0, dt)));
  return triad_agree(&f->context->comm, triad_state_write_all(f->state, TRIAD_HOST));
}

/* The acceleration that keeps the flow rate, from sums of a velocity after a stage of dt. */
static void find_push(triad_staggered_flow *f, const double sums[6], double dt, double add[3])
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
static int keep_flow_rate(triad_staggered_flow *f, int vector, double dt)
{
  double sums[6], add[3];
  TRIAD_TRY(f->loops->sum_flow_rate(f, vector, sums));
  find_push(f, sums, dt, add);
  return f->loops->push(f, vector, add);
}

static bool is_buoyant(const triad_staggered_flow *f) { return fabs(f->setup.thermal.expansion) > 0; }

/* The vector that a stage without diffusion goes to: where that is implicit not the state, whose own diffusion is in
 * it. */
static int target_of(const triad_staggered_flow *f, const triad_scheme_update *p)
{
  int other = 1;
  if (!f->setup.implicit || p->out != p->x) return p->out;
  while (other == p->in || other == p->x) other++;
  return other;
}

/* The velocity at t + dt from that without its diffusion; boundaries are those of the guess, which is given them. */
static int diffuse_velocity(triad_staggered_flow *f, int in, int to, int out, double dt)
{
  const bool moves = f->setup.wall_frequency > 0;
  if (moves) {
    TRIAD_TRY(triad_staggered_set_time(f, f->at.t + dt, 0));
    TRIAD_TRY(f->loops->fill(f, in, false));
  }
  TRIAD_TRY(f->loops->diffuse(f, dt * f->setup.viscosity / 2, in, to));
  if (moves && in == 0) { /* the step's beginning, whose diffusion the next stages want */
    TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 0));
    TRIAD_TRY(f->loops->fill(f, in, false));
  }
  return to == out ? TRIAD_OK : f->loops->copy(f, to, out);
}

/* The temperature at the end of a stage, with halos; `to` as target_of has it. */
static int advance_heat(triad_staggered_flow *f, const triad_scheme_update *p, int to, double dt)
{
  const double kappa = f->setup.thermal.diffusivity;
  const bool implicit = f->setup.implicit;
  const triad_staggered_heat_stage stage = {.in = p->in,
                                            .diffused = implicit ? p->x : p->in,
                                            .x = p->x,
                                            .out = to,
                                            .x_part = p->x_part,
                                            .rate = dt,
                                            .diffusivity = kappa * (implicit ? 0.5 : 1)};
  TRIAD_TRY(f->loops->heat(f, &stage));
  if (implicit && kappa > 0) TRIAD_TRY(f->loops->diffuse_heat(f, dt * kappa / 2, p->in, to));
  return f->loops->fill_heat(f, to);
}

/* The velocity of a stage before its pressure, boundaries and lengths as they are at its end; halos are not filled. */
static int predict_velocity(triad_staggered_flow *f, const triad_scheme_update *p, double dt)
{
  const triad_staggered_loops *loops = f->loops;
  const bool implicit = f->setup.implicit, rate_kept = f->forcing.kind == TRIAD_STAGGERED_FLOW_RATE;
  const int to = target_of(f, p);
  triad_staggered_stage stage = {.in = p->in,
                                 .diffused = implicit ? p->x : p->in,
                                 .x = p->x,
                                 .out = to,
                                 .x_part = p->x_part,
                                 .rate = dt,
                                 .viscosity = f->setup.viscosity * (implicit ? 0.5 : 1)};
  for (int i = 0; i < 3; i++) stage.force[i] = rate_kept ? 0 : f->force[i];
  TRIAD_TRY(loops->carry_outflow(f, p->x, p->in, dt)); /* before `out`, which may be x */
  TRIAD_TRY(loops->charge(f, TRIAD_PHASE_EXCHANGE));
  TRIAD_TRY(loops->momentum(f, &stage));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_MOMENTUM));
  if (f->heat[0] && is_buoyant(f)) TRIAD_TRY(loops->add_buoyancy(f, dt, p->in, to));
  if (f->heat[0]) TRIAD_TRY(advance_heat(f, p, to, dt));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_HEAT));
  if (f->formulas) TRIAD_TRY(loops->add_force(f, f->at.t + f->scheme->stage[p->stage].c * p->rate_dt, dt, p->in, to));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_FORCING));
  if (f->closure) TRIAD_TRY(triad_staggered_closure_add(f->closure, f->mesh, p->stage == 0, dt, f->u[p->in], f->u[to]));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_CLOSURE));
  if (implicit) TRIAD_TRY(loops->project(f, TRIAD_STAGGERED_P, dt, to));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_PROJECTION));
  if (implicit) TRIAD_TRY(diffuse_velocity(f, p->in, to, p->out, dt));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_DIFFUSION));
  if (rate_kept) TRIAD_TRY(keep_flow_rate(f, p->out, dt));
  TRIAD_TRY(loops->charge(f, TRIAD_STAGGERED_PHASE_FORCING));
  TRIAD_TRY(loops->put_outflow(f, p->out));
  return triad_staggered_set_time(f, f->at.t + dt, 0); /* each stage starts from the step's beginning */
}

static int take_stage(triad_staggered_flow *f, const triad_scheme_update *p)
{
  const triad_staggered_loops *loops = f->loops;
  const double dt = p->rate * p->rate_dt;
  const bool closed = !f->setup.implicit && f->forcing.kind != TRIAD_STAGGERED_FLOW_RATE && !f->outflow;
  if (p->stage > 0) TRIAD_TRY(loops->fill(f, p->in, true)); /* projected last; the state's are filled */
  TRIAD_TRY(predict_velocity(f, p, dt));
  TRIAD_TRY(loops->fill(f, p->out, closed));
  TRIAD_TRY(loops->charge(f, TRIAD_PHASE_EXCHANGE));
  return project_velocity(f, p->out, dt);
}

static int run_stage(void *self, const triad_scheme_update *p)
{
  triad_staggered_flow *f = self;
  return f->loops->settle(f, take_stage(f, p));
}

/* ---- steps ---- */

/* Eigenvalues of advection lie on the imaginary axis, those of diffusion, 4 nu sum_i 1/h_i^2 at most, on the real one:
 * their rates add up (docs/methods/staggered.md eq. 47). */
static double stable_step(const triad_staggered_flow *f, double cfl)
{
  const double diffusion =
    (f->setup.implicit ? 0 : triad_staggered_diffusion_rate(&f->setup)) + triad_staggered_closure_rate(f->closure);
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

/* What buoyancy may accelerate by: pressure balances the part that is the same everywhere, except along axes without
 * ends. */
static void add_buoyancy(const triad_staggered_flow *f, double force[3])
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  for (int i = 0; i < 3; i++) {
    const int free = f->setup.side[i][0] == TRIAD_STAGGERED_PERIODIC;
    const double theta = f->look.heat.range + (free ? fabs(f->look.heat.mean) : 0);
    force[i] = fabs(force[i]) + fabs(t->expansion * t->gravity[i]) * theta;
  }
}

static void set_force(triad_staggered_flow *f, double dt, double *until)
{
  double force[3];
  triad_staggered_acceleration(&f->forcing, f->at.t, dt, f->look.mean, f->moved, force, until);
  if (f->forcing.kind != TRIAD_STAGGERED_FLOW_RATE)
    for (int i = 0; i < 3; i++) f->force[i] = force[i];
}

/* The step that this flow could take if diffusion were implicit; 0: it is, or the case does not leave it open. */
static double implicit_step(const triad_staggered_flow *f, const triad_step *step, double forced)
{
  if (f->setup.implicit || f->closure || f->strain.strains || step->dt > 0 || step->dt_max > 0 || !f->setup.chosen)
    return 0;
  return fmin(step->cfl / f->look.rate, forced);
}

/* The length of the step, and its force. */
static double begin_step(triad_staggered_flow *f, triad_step *step)
{
  triad_step_limits limits = {0};
  double until, force[3];
  set_force(f, 0, &until);
  for (int i = 0; i < 3; i++) force[i] = f->formulas ? f->pushed[i] : f->force[i];
  if (f->heat[0]) add_buoyancy(f, force);
  double release = triad_case_real(f->given, "solids.release");
  triad_step_limit(&limits, "advection and diffusion", stable_step(f, step->cfl));
  const double forced = until_moved(f, force, step->cfl);
  triad_step_limit(&limits, f->heat[0] && is_buoyant(f) ? "forcing and buoyancy" : "forcing", forced);
  step->dt_implicit = implicit_step(f, step, forced);
  triad_step_limit(&limits, "a change of forcing", until - f->at.t);
  if (f->setup.solids && !f->released && release > 0) triad_step_limit(&limits, "the release", release - f->at.t);
  triad_step_limit(&limits, "a change of strain", triad_staggered_strain_until(&f->strain, f->at.t) - f->at.t);
  double dt = triad_step_length(step, f->at.t, &limits);
  step->bound = stable_step(f, triad_scheme_reach(f->scheme)); /* eq. 47 with C where waves are no longer stable */
  set_force(f, dt, &until);
  return dt;
}

/* The solids are fluid from now on: means are over more of it, and boundaries that they touched are open. */
static int release_solids(triad_staggered_flow *f)
{
  TRIAD_TRY(triad_staggered_place_solids(f, f->at.t * (1 + 1e-12)));
  TRIAD_TRY(f->loops->fill_state(f));
  return triad_staggered_look_at(f);
}

double triad_staggered_work_of_formulas(const triad_staggered_flow *f, double power)
{
  return !f->formulas || isnan(f->power) ? f->work : f->work + f->at.dt * (f->power + power / f->fluid) / 2;
}

/* -sum_i S_i mean(u_i^2) of the state, with the strain that acts from time `since` on. The energies of a step's end are
 * those of the next one's start. Collective. */
static int find_production(triad_staggered_flow *f, double since, int at_end, double *production)
{
  double sums[TRIAD_STAGGERED_BUDGET_NUMBERS], force[TRIAD_STAGGERED_FORCE_SUMS] = {0}, strains = 0;
  *production = 0;
  for (int i = 0; i < 3; i++) strains += fabs(triad_staggered_strain_rate(&f->strain, i, since));
  if (at_end || !(strains > 0)) f->energies_known = false;
  if (!(strains > 0)) return TRIAD_OK;
  if (!f->energies_known) {
    TRIAD_TRY(f->loops->sum_budget(f, sums, force));
    for (int i = 0; i < 3; i++) f->energies[i] = sums[TRIAD_STAGGERED_BUDGET_ENERGY + i] / f->fluid;
    f->energies_known = true;
  }
  for (int i = 0; i < 3; i++) *production -= 2 * triad_staggered_strain_rate(&f->strain, i, since) * f->energies[i];
  return TRIAD_OK;
}

int triad_staggered_advance(void *flow, triad_step *step)
{
  triad_staggered_flow *f = flow;
  double before[3], power = 0, production[2];
  f->charged = triad_now();
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, f->context->comm.mpi)));
  if (f->setup.solids && !f->released && !triad_staggered_has_solids(f->given, f->at.t * (1 + 1e-12)))
    TRIAD_TRY(release_solids(f));
  if (f->formulas)
    TRIAD_TRY(triad_staggered_formulas_measure(f->formulas, f->mesh, f->at.t, f->u[0], f->pushed, &power));
  TRIAD_TRY(f->loops->charge(f, TRIAD_STAGGERED_PHASE_FORCING));
  f->work = triad_staggered_work_of_formulas(f, power);
  if (f->formulas) f->power = power / f->fluid;
  double dt = begin_step(f, step);
  step->advection_rate = f->look.rate;
  for (int i = 0; i < 3; i++) before[i] = f->look.mean[i];
  const double buoyancy = f->look.heat.power, since = f->at.t;
  TRIAD_TRY(find_production(f, since, 0, &production[0]));
  TRIAD_TRY(f->loops->charge(f, TRIAD_STAGGERED_PHASE_FORCING));
  f->iterations = 0;
  f->residual = 0;
  TRIAD_TRY(triad_state_write_all(f->state, f->loops->where));
  TRIAD_TRY(triad_scheme_advance(f->scheme, dt, run_stage, f));
  triad_step_done(&f->at, step, dt);
  TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 1)); /* a step clipped to a time ends exactly there */
  TRIAD_TRY(f->loops->fill_state(f));
  TRIAD_TRY(f->loops->charge(f, TRIAD_PHASE_EXCHANGE));
  TRIAD_TRY(triad_staggered_look_at(f));
  TRIAD_TRY(f->loops->charge(f, TRIAD_STAGGERED_PHASE_CHECKS));
  for (int i = 0; i < 3; i++) {
    const double way = dt * (before[i] + f->look.mean[i]) / 2;
    f->moved[i] += way;
    f->work += f->force[i] * way; /* of the same acceleration everywhere */
  }
  if (f->heat[0]) f->work += dt * (buoyancy + f->look.heat.power) / 2;
  TRIAD_TRY(find_production(f, since, 1, &production[1])); /* the strain does not change within a step */
  f->work += dt * (production[0] + production[1]) / 2;
  const double *planes = NULL;
  if (triad_staggered_profiles_due(f->profiles, f->at.step, f->at.t))
    TRIAD_TRY(f->loops->sum_planes(f, triad_staggered_profiles_axis(f->profiles), &planes));
  TRIAD_TRY(triad_staggered_profiles_add(f->profiles, f->at.step, f->at.t, dt, f->u[0], f->p, f->heat[0], planes));
  return f->loops->charge(f, TRIAD_STAGGERED_PHASE_SAMPLES);
}
