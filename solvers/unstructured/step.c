/* Steps: half a step, then the step by the fluxes of its middle, each with the correction. */
#include "solvers/unstructured/flow.h"
#include "solvers/unstructured/probes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- the look at a state ---- */

/* Half of what passes a cell's faces with the fastest waves, over its volume: Rusanov's flux keeps density and pressure
 * positive where dt times this is at most 1. */
static double rate_of(const triad_fct_flow *f, int64_t c)
{
  const triad_fct_domain *d = f->domain;
  const triad_real *own = f->q[c];
  triad_real sum = 0;
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    const int64_t face = d->side[i] >> 1;
    const triad_real *n = d->face[face].n;
    triad_real room[TRIAD_FCT_VALUES], speed = TRIAD_ABS(triad_fct_dot(own + 1, n)) + own[5];
    const triad_real *other = room;
    if (face < d->n_inner) {
      other = f->q[d->cell[face][!(d->side[i] & 1)]];
    } else {
      triad_fct_beyond(&f->gas, &f->rule[d->patch[face - d->n_inner]], own, n, room);
      room[5] = triad_fct_sound(&f->gas, room);
    }
    speed = triad_fct_larger(speed, TRIAD_ABS(triad_fct_dot(other + 1, n)) + other[5]);
    if (f->setup.viscosity > 0) speed += (triad_real)triad_fct_viscous_speed(f, c, face);
    sum += d->face[face].area * speed;
  }
  return 0.5 * (double)(sum * d->per_volume[c]);
}

int triad_fct_look(triad_fct_flow *f)
{
  const int64_t n = f->domain->n_cells;
  double rate = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < n; c++)
    for (int k = 0; k < 5; k++) f->td[c][k] = f->u[k][c];
  triad_fct_set_values(f);
  if (f->bad < 0) {
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(max : rate)
    for (int64_t c = 0; c < n; c++) rate = fmax(rate, rate_of(f, c));
  }
  f->rate = rate;
  return TRIAD_OK;
}

int triad_fct_locate(void *flow, char *text, size_t size)
{
  triad_fct_flow *f = flow;
  const triad_comm *comm = &f->context->comm;
  int64_t mine = f->bad >= 0 ? f->domain->global[f->bad] : INT64_MAX, first = 0;
  double q[TRIAD_FCT_VALUES] = {0}, sum[TRIAD_FCT_VALUES];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &first, 1, MPI_INT64_T, MPI_MIN, comm->mpi)));
  if (size > 0) text[0] = '\0';
  if (first == INT64_MAX) return TRIAD_OK;
  if (first == mine)
    for (int k = 0; k < 5; k++) q[k] = (double)f->q[f->bad][k];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(q, sum, TRIAD_FCT_VALUES, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  const double *x = f->mesh->centre[first];
  (void)snprintf(text, size, "step %" PRId64 ": cell %" PRId64 " about (%.6g, %.6g, %.6g) holds density %.6g and pressure "
                             "%.6g", f->at.step, first, x[0], x[1], x[2], sum[0], sum[4]);
  return TRIAD_OK;
}

/* ---- steps ---- */

static void take_end(triad_fct_flow *f)
{
  const int64_t n = f->domain->n_cells;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < n; c++)
    for (int k = 0; k < 5; k++) f->u[k][c] = f->td[c][k];
}

/* What left through the patches in a step, besides `mine`, which sponges took; the antidiffusive fluxes being those that were allowed. */
static int count_crossed(triad_fct_flow *f, double dt, double mine[TRIAD_FCT_PATCHES][5])
{
  const triad_fct_domain *d = f->domain;
  double all[TRIAD_FCT_PATCHES][5];
  int patches = f->mesh->n_patches, high = f->setup.transport != TRIAD_FCT_LOW;
  for (int64_t i = d->n_inner; i < d->n_faces; i++)
    for (int k = 0; k < 5; k++)
      mine[d->patch[i - d->n_inner]][k] += dt * (double)(f->low[i][k] + (high ? f->anti[i][k] : 0));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 5 * patches, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  f->thrust = 0;
  for (int p = 0; p < patches; p++)
    if (triad_fct_pushes(f->rule[p].kind)) f->thrust += f->ambient * f->area_x[p] - all[p][1] / dt;
  for (int p = 0; p < patches; p++)
    for (int k = 0; k < 5; k++) f->crossed[p][k] += all[p][k];
  return TRIAD_OK;
}

/* Rate, bad cells and requests of all ranks. */
static int agree_on(triad_fct_flow *f, triad_step *step, double *rate, int *bad)
{
  const double mine[3] = {f->rate, f->bad >= 0, step->request};
  double all[3];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  *rate = step->advection_rate = all[0];
  *bad = all[1] > 0;
  step->requested = (int)all[2];
  return TRIAD_OK;
}

int triad_fct_advance(void *flow, triad_step *step)
{
  triad_fct_flow *f = flow;
  triad_step_limits limits = {0};
  double rate;
  int bad;
  TRIAD_TRY(agree_on(f, step, &rate, &bad));
  if (bad) return TRIAD_ERR_BLOWUP;
  triad_step_limit(&limits, "advection", step->cfl / rate);
  double dt = triad_step_length(step, f->at.t, &limits);
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_write_all(f->state, TRIAD_HOST)));
  if (f->setup.transport != TRIAD_FCT_LOW) {
    triad_fct_stage(f, dt / 2, 1);
    triad_fct_set_values(f);
  }
  triad_fct_stage(f, dt, f->setup.transport == TRIAD_FCT_LOW);
  double sponged[TRIAD_FCT_PATCHES][5] = {{0}};
  triad_fct_sponges_apply(f, dt, sponged);
  take_end(f);
  TRIAD_TRY(count_crossed(f, dt, sponged));
  triad_step_done(&f->at, step, dt);
  double since = triad_now();
  TRIAD_TRY(triad_fct_look(f));
  triad_fct_means_add(f, dt);
  TRIAD_TRY(triad_fct_probes_take(f));
  f->phases.s[TRIAD_PHASE_REST] += triad_now() - since;
  return TRIAD_OK;
}
