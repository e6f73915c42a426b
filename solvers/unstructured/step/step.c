/* Steps: half a step, then the step by the fluxes of its middle, each with the correction. */
#include "solvers/gas/keys.h"
#include "solvers/unstructured/step/transport.h"
#include "solvers/unstructured/measure/means.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/state/domain_rows.h"
#include "solvers/unstructured/measure/probes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the look at a state ---- */

int triad_unstructured_look(triad_unstructured_flow *f)
{
  const triad_unstructured_loops *on = f->loops;
  f->stale = f->device != NULL;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, f->device ? TRIAD_DEVICE : TRIAD_HOST)));
  on->values(f);
  on->begin(f, &f->view.value, TRIAD_UNSTRUCTURED_VALUES);
  on->end(f);
  on->beyond(f);
  return triad_agree(&f->context->comm, on->settle(f));
}

int triad_unstructured_refresh(triad_unstructured_flow *f)
{
  if (!f->stale) return TRIAD_OK;
  int st = triad_state_read_all(f->state, TRIAD_HOST);
  if (st == TRIAD_OK) st = triad_unstructured_gpu_steps->values(f);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  f->stale = 0;
  return TRIAD_OK;
}

void triad_unstructured_gradient(const triad_unstructured_flow *f, int64_t c, triad_real gradient[5][3])
{
  const triad_mesh_zone *zone;
  int n;
  const int64_t at = triad_unstructured_domain_place(f->domain, c, &zone, &n);
  double squares[TRIAD_UNSTRUCTURED_SQUARES] = {0};
  memset(gradient, 0, 5 * sizeof *gradient);
  const triad_real distance = triad_unstructured_begin_slope(&f->view, c, f->view.softening.at != NULL, squares, 1);
  for (int s = 0; s < n; s++) {
    triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY], sign;
    const int64_t face = triad_unstructured_face_at(&f->view, zone, at, s, &sign);
    triad_unstructured_domain_geometry(f->domain, face, numbers);
    triad_unstructured_add_slope_across(&f->view, triad_unstructured_near(&f->view, zone, at, s), sign, numbers + 6, 1,
                                        c, distance, &gradient[0][0], squares, 1);
  }
  triad_unstructured_solve_slope(squares, &gradient[0][0], 1);
}

int triad_unstructured_locate(void *flow, char *text, size_t size)
{
  triad_unstructured_flow *f = flow;
  const triad_comm *comm = &f->context->comm;
  int64_t mine = f->bad >= 0 ? f->domain->global[f->bad] : INT64_MAX, first = 0;
  double q[TRIAD_UNSTRUCTURED_VALUES + 3] = {0}, sum[TRIAD_UNSTRUCTURED_VALUES + 3]; /* values, centre */
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &first, 1, MPI_INT64_T, MPI_MIN, comm->mpi)));
  if (size > 0) text[0] = '\0';
  if (first == INT64_MAX) return TRIAD_OK;
  TRIAD_TRY(triad_unstructured_refresh(f));
  for (int k = 0; k < TRIAD_UNSTRUCTURED_VALUES && first == mine; k++)
    q[k] = (double)f->view.value.at[k * f->view.value.pitch + f->bad];
  if (first == mine) triad_unstructured_domain_centre(f->domain, f->bad, q + TRIAD_UNSTRUCTURED_VALUES);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(q, sum, TRIAD_UNSTRUCTURED_VALUES + 3, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  const double *x = sum + TRIAD_UNSTRUCTURED_VALUES;
  (void)snprintf(text, size,
                 "step %" PRId64 ": invalid state in cell %" PRId64
                 " near (%.6g, %.6g, %.6g): density %.6g, pressure %.6g",
                 f->at.step, first, x[0], x[1], x[2], sum[0], sum[4]);
  return TRIAD_OK;
}

/* ---- steps ---- */

/* Sum the fluxes through patches in a step of length dt, and compute the thrust. Collective. */
static int sum_crossed(triad_unstructured_flow *f, double dt)
{
  double all[TRIAD_MESH_PATCHES][TRIAD_UNSTRUCTURED_PASSED];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(f->passed, all, TRIAD_UNSTRUCTURED_PASSED * f->mesh->n_patches, MPI_DOUBLE, MPI_SUM,
                                    f->context->comm.mpi)));
  memset(f->passed, 0, sizeof f->passed);
  f->thrust = 0;
  f->pushed = 1;
  for (int p = 0; p < f->mesh->n_patches; p++)
    for (int a = 0; a < 6; a++) f->push[p][a] = all[p][a < 3 ? 1 + a : 2 + a] / dt - f->ambient * f->area[p][a];
  for (int p = 0; p < f->mesh->n_patches; p++)
    if (triad_unstructured_pushes(f->rule[p].kind)) f->thrust -= f->push[p][0];
  for (int p = 0; p < f->mesh->n_patches; p++)
    for (int k = 0; k < 5; k++) f->crossed[p][k] += all[p][k];
  return TRIAD_OK;
}

/* Rate, bad cells and requests of all ranks. */
static int agree_on(triad_unstructured_flow *f, triad_step *step, double *rate, int *bad)
{
  TRIAD_TRY(triad_agree(&f->context->comm, f->loops->settle(f)));
  const double mine[3] = {f->rate, f->bad >= 0, step->request};
  double all[3];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  *rate = step->advection_rate = all[0];
  *bad = all[1] > 0;
  step->requested = (int)all[2];
  return TRIAD_OK;
}

/* Values of own cells have changed: bring ghosts and entries beyond faces. */
static void bring_values(triad_unstructured_flow *f)
{
  const triad_unstructured_loops *on = f->loops;
  on->begin(f, &f->view.value, TRIAD_UNSTRUCTURED_VALUES);
  on->end(f);
  on->beyond(f);
}

/* Apply sponges to state and values, including ghosts and entries beyond faces. */
static void draw_to_far_fields(triad_unstructured_flow *f, double dt)
{
  f->loops->draw(f, dt);
  bring_values(f);
}

/* Sources by formula over dt at time t, to state and values: the midpoint rule, which changes kinetic energy by the
 * work of a constant acceleration exactly. Half of a step before the fluxes and half after them (Strang 1968, SIAM J.
 * Numer. Anal. 5, 506): limiters see fluxes of one velocity. Collective. */
static int kick(triad_unstructured_flow *f, double t, double dt)
{
  const triad_unstructured_loops *on = f->loops;
  triad_sum sums[5];
  double all[5];
  for (int k = 0; k < 5; k++) triad_sum_clear(&sums[k]);
  on->sources(f, t);
  on->push(f, dt / 2, 0, sums);
  on->sources(f, t);
  on->push(f, dt, 1, sums);
  bring_values(f);
  TRIAD_TRY(triad_sum_all(&f->context->comm, sums, 5, all));
  for (int k = 0; k < 5; k++) f->added[k] += all[k];
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_SOURCES);
  return triad_gas_formulas_check(f->formulas, &f->context->comm);
}

/* The low-order fluxes and their wave speeds determine the time step. */
int triad_unstructured_advance(void *flow, triad_step *step)
{
  triad_unstructured_flow *f = flow;
  triad_step_limits limits = {0};
  double rate;
  int bad;
  const double began = f->charged = triad_now();
  triad_unstructured_find_fluxes(f, 1);
  f->loops->rates(f);
  TRIAD_TRY(agree_on(f, step, &rate, &bad));
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_CHECKS);
  if (bad) return TRIAD_ERR_BLOWUP;
  triad_step_limit(&limits, "advection", step->cfl / rate);
  double dt = triad_step_length(step, f->at.t, &limits);
  step->bound = triad_gas_positive_courant(f->setup.riemann) / rate; /* up to which the low-order flux keeps a gas */
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_write_all(f->state, f->device ? TRIAD_DEVICE : TRIAD_HOST)));
  if (f->formulas) {
    TRIAD_TRY(kick(f, f->at.t, dt / 2));
    triad_unstructured_find_fluxes(f, 1);
  }
  if (f->high != TRIAD_UNSTRUCTURED_NO_HIGH) {
    triad_unstructured_move(f, dt / 2, 0);
    triad_unstructured_find_fluxes(f, 0);
  }
  triad_unstructured_move(f, dt, 1);
  if (f->formulas) TRIAD_TRY(kick(f, f->at.t + dt, dt / 2));
  if (f->setup.sponges) draw_to_far_fields(f, dt);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_SOURCES);
  f->stale = f->device != NULL;
  TRIAD_TRY(triad_agree(&f->context->comm, f->loops->settle(f)));
  TRIAD_TRY(sum_crossed(f, dt));
  triad_step_done(&f->at, step, dt);
  if (f->device && !f->apart) f->charged = began; /* the GPU has just been waited for */
  triad_phases_charge(&f->phases,
                      f->device && !f->apart ? TRIAD_UNSTRUCTURED_PHASE_LAYERS : TRIAD_UNSTRUCTURED_PHASE_CHECKS,
                      &f->charged);
  triad_unstructured_means_add(f, dt);
  TRIAD_TRY(triad_unstructured_probes_take(f));
  triad_phases_charge(&f->phases, TRIAD_UNSTRUCTURED_PHASE_SAMPLES, &f->charged);
  return TRIAD_OK;
}
