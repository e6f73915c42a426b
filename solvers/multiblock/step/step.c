/* Steps: how long they may be, stages, residuals. */
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/host/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

triad_mb_leaves triad_mb_leaves_of(const triad_mb_setup *setup, int stage)
{
  const triad_scheme *s = &setup->scheme;
  if (setup->implicit) return TRIAD_MB_STATE;
  for (int k = 0; k < s->n_stages; k++)
    if (s->stage[k].last > 0 || s->stage[k].last < 0) return TRIAD_MB_STATE;
  return stage < s->n_stages - 1 ? TRIAD_MB_PRIMITIVES : TRIAD_MB_BOTH;
}

/* ---- after a stage ---- */

/* Cells that are bad, and where one of them is: looked for only where there are any. */
static void note_bad(triad_mb_flow *f, int64_t bad)
{
  f->bad += bad;
  for (int64_t i = 0; bad > 0 && i < f->space.n_runs && f->bad_place < 0; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t l = 0; l < run.count; l++) {
      const triad_real rho = f->q[0][run.at + l], p = f->q[4][run.at + l];
      if (!(rho > 0) || !(p > 0) || !(p < TRIAD_R(1e30))) f->bad_place = run.global + l;
    }
  }
}

static void primitives(triad_mb_flow *f)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
  int64_t bad = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : bad)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    triad_real *u[TRIAD_MB_FIELDS], *q[TRIAD_MB_FIELDS];
    f->space.kind->run(&f->space, i, &run);
    for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
      u[m] = f->u[m] + run.at;
      q[m] = f->q[m] + run.at;
    }
    bad += triad_mb_primitive_row(u, q, gamma, run.count);
  }
  note_bad(f, bad);
}

static inline void temperature_at(const triad_mb_flow *f, int64_t i)
{
  const triad_mb_gas *g = &f->setup.gas;
  const triad_real per_r = (triad_real)(1 / g->constant), mu = (triad_real)g->viscosity,
                   reference = (triad_real)g->reference;
  const triad_real power = (triad_real)g->power, sutherland = (triad_real)g->sutherland;
  triad_real t = f->q[4][i] / f->q[0][i] * per_r;
  f->temperature[i] = t;
  f->viscosity[i] = triad_mb_viscosity(t, mu, reference, power, sutherland);
}

/* The edges of halos that nothing else fills; then temperature and viscosity everywhere, or where messages have come.
 */
static void follow(triad_mb_flow *f, int late)
{
  for (int64_t i = 0; i < f->n_left; i++)
    for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
      const int64_t *at = f->left[i];
      triad_real *q = f->q[m], edge = q[at[1]] + q[at[2]] - q[at[3]];
      q[at[0]] = m == 0 || m == 4 ? triad_mb_most(edge, TRIAD_R(0.1) * q[at[3]]) : edge;
    }
  if (!f->viscosity) return;
  if (late)
    for (int64_t i = 0; i < f->n_late; i++) temperature_at(f, f->late_at[i]);
  else
#pragma omp parallel for simd schedule(static) num_threads(f->context->threads)
    for (int64_t i = 0; i < f->space.memory; i++) temperature_at(f, i);
}

/* Primitives of the state, where they are not there yet; boundaries; messages leave. What sees no cell of other
 * ranks may go on until end_refresh. */
static void begin_refresh(triad_mb_flow *f, int primitives_too)
{
  double since = triad_now(), then;
  if (primitives_too) primitives(f);
  triad_mb_boundary_set(f);
  f->phases.s[TRIAD_PHASE_POINTWISE] += (then = triad_now()) - since;
  triad_halo_begin(f->halo, f->q, TRIAD_MB_FIELDS);
  f->phases.s[TRIAD_PHASE_EXCHANGE] += (since = triad_now()) - then;
  follow(f, 0);
  f->phases.s[TRIAD_PHASE_POINTWISE] += triad_now() - since;
}

static void end_refresh(triad_mb_flow *f)
{
  double since = triad_now(), then;
  triad_halo_end(f->halo);
  f->phases.s[TRIAD_PHASE_EXCHANGE] += (then = triad_now()) - since;
  if (f->late) follow(f, 1);
  f->phases.s[TRIAD_PHASE_POINTWISE] += triad_now() - then;
}

static void refresh_host(triad_mb_flow *f)
{
  begin_refresh(f, 1);
  end_refresh(f);
  f->rated = 0;
}

/* Places that nothing fills are in the memory that q will have next as they are in that of now. */
int triad_mb_refresh(triad_mb_flow *f)
{
  if (f->gpu) return triad_mb_gpu_steps->refresh(f);
  refresh_host(f);
  for (int m = 0; m < TRIAD_MB_FIELDS && triad_mb_leaves_of(&f->setup, 0) != TRIAD_MB_STATE; m++)
    memcpy(f->u0[m], f->q[m], (size_t)f->space.memory * sizeof(triad_real));
  return TRIAD_OK;
}

int triad_mb_bring(triad_mb_flow *f)
{
  if (!f->gpu) return TRIAD_OK;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_HOST)));
  f->bad = 0;
  refresh_host(f);
  return TRIAD_OK;
}

/* ---- a step ---- */

/* Of an implicit step: 1/(V/dt + rate) with dt = cfl V/rate. */
static void set_steps(triad_mb_flow *f, double cfl)
{
  const triad_real c = (triad_real)(cfl / (1 + cfl));
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t l = run.at; l < run.at + run.count; l++) f->step[l] = c / f->step[l];
  }
}

/* What the stage has left is the flow now. */
static void turn(triad_mb_flow *f)
{
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    triad_real *const was = f->q[m];
    f->q[m] = f->u0[m];
    f->u0[m] = was;
  }
}

static void timed_sweep(triad_mb_flow *f, triad_mb_stage *stage, int first, int n)
{
  double since = triad_now();
  triad_mb_sweep(f, stage, first, n);
  f->phases.s[TRIAD_PHASE_POINTWISE] += triad_now() - since;
}

static int stages(triad_mb_flow *f, double cfl, double dt, double squares[TRIAD_MB_FIELDS])
{
  const triad_scheme *s = &f->setup.scheme;
  if (f->setup.implicit) {
    double since = triad_now();
    set_steps(f, cfl);
    triad_mb_implicit_step(f, squares);
    f->phases.s[TRIAD_PHASE_POINTWISE] += triad_now() - since;
    refresh_host(f);
    return TRIAD_OK;
  }
  for (int k = 0; k < s->n_stages; k++) {
    triad_mb_stage stage = {.start = (triad_real)s->stage[k].start,
                            .last = (triad_real)s->stage[k].last,
                            .rate = (triad_real)s->stage[k].rate,
                            .cfl = (triad_real)cfl,
                            .dt = (triad_real)dt,
                            .first = k == 0,
                            .leaves = triad_mb_leaves_of(&f->setup, k)};
    if (k > 0) { /* while messages travel */
      timed_sweep(f, &stage, 0, f->n_inner);
      end_refresh(f);
    }
    timed_sweep(f, &stage, k > 0 ? f->n_inner : 0, f->n_tiles - (k > 0 ? f->n_inner : 0));
    if (k == 0) memcpy(squares, stage.squares, sizeof stage.squares);
    if (stage.leaves != TRIAD_MB_STATE) {
      turn(f);
      note_bad(f, stage.bad);
    }
    f->rated = stage.leaves == TRIAD_MB_BOTH && !f->viscosity;
    f->most = stage.most;
    begin_refresh(f, stage.leaves == TRIAD_MB_STATE);
  }
  end_refresh(f);
  return TRIAD_OK;
}

/* Components of the momentum are measured together: one of them may have none at first, or none at all. */
double triad_mb_residual(const triad_mb_flow *f, int equation)
{
  double scale = f->first[equation];
  for (int m = 1; m < 4 && equation > 0 && equation < 4; m++) scale = fmax(scale, f->first[m]);
  return scale > 0 ? f->norm[equation] / scale : 0;
}

int triad_mb_is_steady(const triad_mb_flow *f)
{
  int steady = f->setup.steady && f->setup.residual > 0;
  for (int m = 0; m < TRIAD_MB_FIELDS; m++)
    steady &= f->first[m] > 0 ? triad_mb_residual(f, m) <= f->setup.residual : 1;
  return steady && f->first[0] + f->first[4] > 0;
}

double triad_mb_settled(const void *self)
{
  const triad_mb_flow *f = self;
  double largest = 0;
  if (f->converged) return 1;
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) largest = fmax(largest, triad_mb_residual(f, m));
  if (!f->setup.steady || !(f->setup.residual > 0) || !(largest > 0)) return 0;
  return fmin(fmax(log(largest) / log(f->setup.residual), 0), 0.999);
}

int triad_mb_goal(const triad_case *given, const void *self, char *text, size_t size)
{
  const triad_mb_flow *f = self;
  const double asked = triad_case_real(given, "time.residual");
  double largest = 0;
  if (!triad_case_flag(given, "time.steady") || !(asked > 0)) return 0;
  for (int m = 0; f && m < TRIAD_MB_FIELDS; m++) largest = fmax(largest, triad_mb_residual(f, m));
  if (f) (void)snprintf(text, size, "the largest residual is %.3g, time.residual = %g", largest, asked);
  else (void)snprintf(text, size, "time.residual = %g", asked);
  return 1;
}

/* The residuals' norms, and whether every one has fallen far enough. */
static int look(triad_mb_flow *f, const double squares[TRIAD_MB_FIELDS])
{
  double all[TRIAD_MB_FIELDS];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(squares, all, TRIAD_MB_FIELDS, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    f->norm[m] = sqrt(all[m] / f->volume_all);
    /* the first step of a start that is a stream everywhere may have next to nothing */
    if (!(f->first[m] > 0) || (f->at.step < 5 && f->norm[m] > 100 * f->first[m])) f->first[m] = f->norm[m];
  }
  int sloped = f->sloped;
  f->sloped = sloped || triad_mb_residual(f, 0) <= f->setup.first_order;
  f->converged = sloped && triad_mb_is_steady(f);
  if (f->frozen_u[0] && !f->frozen && sloped && triad_mb_residual(f, 0) <= f->setup.freeze) triad_mb_freeze(f);
  return TRIAD_OK;
}

/* The largest rate of the state that a step began with, where the step has found it. */
static int rate_at_start(triad_mb_flow *f, triad_step *step)
{
  if (!f->gpu || !f->rates_first) return TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&f->most, &f->rate, 1, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  step->advection_rate = f->rate;
  return TRIAD_OK;
}

int triad_mb_advance(void *self, triad_step *step)
{
  triad_mb_flow *f = self;
  const triad_mb_setup *s = &f->setup;
  triad_step_limits limits = {0};
  double squares[TRIAD_MB_FIELDS];
  double mine[3] = {step->request, f->bad > 0, f->gpu || f->rated ? f->most : triad_mb_rates(f)}, all[3], dt = 1,
         own = 0, same = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  step->requested = (int)all[0];
  f->order = f->sloped ? s->order : 0;
  step->advection_rate = f->rate = all[2];
  if (all[1] > 0) {
    TRIAD_TRY(triad_mb_bring(f)); /* where it is */
    return TRIAD_ERR_BLOWUP;
  }
  if (s->steady) {
    step->limit = "time.steady";
    own = step->cfl;
    same = s->local || s->implicit ? 0 : step->cfl / all[2];
  } else {
    triad_step_limit(&limits, "waves", step->cfl / all[2]);
    same = dt = triad_step_length(step, f->at.t, &limits);
  }
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_write_all(f->state, f->gpu ? TRIAD_DEVICE : TRIAD_HOST)));
  if (f->gpu) TRIAD_TRY(triad_mb_gpu_steps->stages(f, own, same, squares));
  else TRIAD_TRY(stages(f, own, same, squares));
  TRIAD_TRY(rate_at_start(f, step));
  TRIAD_TRY(look(f, squares));
  if (!s->steady) triad_step_done(&f->at, step, dt);
  else {
    f->at = (triad_instant){f->at.step + 1, (double)(f->at.step + 1), 1}; /* t counts steps */
    step->advection_rate = step->cfl;                                     /* dt is 1, and not that of any cell */
  }
  return TRIAD_OK;
}
