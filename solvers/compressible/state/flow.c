/* Create a compressible flow from its case, advance it by a step, and measure its columns. */
#include "solvers/compressible/state/flow.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/compressible/particles/files.h"
#include "solvers/box/box.h"
#include "solvers/compressible/plain/devices.h"
#include "solvers/compressible/points/budget_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_gas_blocks(const triad_case *given, int rank, int size, triad_compressible_setup *setup,
                     triad_partition *blocks)
{
  int periodic[3];
  triad_space space;
  TRIAD_TRY(triad_compressible_setup_read(setup, given));
  triad_compressible_periodic(setup, periodic);
  TRIAD_TRY(triad_box_of_case(&space, given, periodic, triad_compressible_halo(setup), rank, size));
  *blocks = space.blocks;
  return TRIAD_OK;
}

triad_space triad_gas_bare_space(const triad_gas_flow *f)
{
  const triad_partition bare = triad_partition_bare(&f->blocks);
  triad_space space;
  triad_space_box(&space, &bare, f->setup.length);
  return space;
}

int triad_gas_create(triad_gas_flow **out, triad_context *context, const triad_case *given, const char *run_dir)
{
  int offload; /* the solver has no code for it */
  triad_gas_flow *f = *out = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow");
  if (f) {
    f->context = context;
    f->given = given;
    f->run_dir = run_dir;
    st = triad_gas_blocks(given, context->comm.rank, context->comm.size, &f->setup, &f->blocks);
    f->columns = triad_compressible_columns_of(&f->setup, &f->n_budget);
    f->n_columns = f->n_budget + TRIAD_COMPRESSIBLE_DRIFTS;
    if (!triad_case_is(given, "forcing.kind", "none")) f->n_columns += TRIAD_COMPRESSIBLE_POWERS;
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_device_choose(&f->device, &offload, &triad_gas_devices, context, given);
  if (st == TRIAD_OK)
    st = triad_compressible_create(&f->weno, context, &f->blocks, &f->setup, f->device,
                                   triad_case_word(given, "parallel.transport"));
  if (st == TRIAD_OK) st = triad_compressible_walls_create(&f->walls, f->weno, given);
  if (st == TRIAD_OK) st = triad_compressible_set_time(f->weno, f->walls, 0);
  if (st == TRIAD_OK) st = triad_gas_force_create(&f->force, f->weno, given);
  if (st == TRIAD_OK) {
    const triad_space space = triad_gas_bare_space(f);
    st = triad_gas_sponge_create(&f->sponge, f->weno, given, &space);
    if (st == TRIAD_OK) st = triad_box_probes_create(&f->probes, context, given, &space);
  }
  if (st == TRIAD_OK)
    st = triad_gas_particles_create(&f->particles, context, given, &f->setup, &f->blocks, f->weno, f->device);
  if (st == TRIAD_OK) triad_compressible_carries(f->weno, f->particles);
  if (st != TRIAD_OK) triad_gas_destroy(out);
  return st;
}

void triad_gas_destroy(triad_gas_flow **flow)
{
  if (!flow || !*flow) return;
  triad_gas_force_destroy(&(*flow)->force);
  triad_gas_sponge_destroy(&(*flow)->sponge);
  triad_gas_particles_destroy(&(*flow)->particles);
  triad_box_probes_destroy(&(*flow)->probes);
  triad_compressible_walls_destroy(&(*flow)->walls);
  triad_compressible_destroy(&(*flow)->weno);
  triad_device_destroy(&(*flow)->device);
  free(*flow);
  *flow = NULL;
}

int triad_gas_advance(void *flow, triad_step *step)
{
  triad_gas_flow *f = flow;
  triad_step_limits limits = {0};
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, f->context->comm.mpi)));
  /* both limit the same stages: their rates add up (docs/methods/compressible.md eq. 40) */
  triad_step_limit(&limits, "sound and viscosity", triad_compressible_stable(f->weno, step->cfl));
  triad_step_limit(&limits, "forcing", triad_gas_force_longest(f->force, step->cfl));
  double longest;
  TRIAD_TRY(triad_gas_particles_longest(f->particles, step->cfl, &longest));
  triad_step_limit(&limits, "particles", longest);
  double dt = triad_step_length(step, f->at.t, &limits);
  step->bound = triad_compressible_bound(f->weno);
  step->advection_rate = triad_compressible_courant_rate(f->weno);
  TRIAD_TRY(triad_compressible_advance(f->weno, f->at.step + 1, dt));
  TRIAD_TRY(triad_gas_particles_settle(f->particles));
  triad_step_done(&f->at, step, dt);
  return triad_compressible_set_time(f->weno, f->walls, f->at.t);
}

/* ---- how far mass, momentum and energy have drifted since a run began; what they started from goes through
 * checkpoints, as notes ---- */

/* Columns of what a run started from, in the order of triad_gas_flow.start. */
static const int kept[TRIAD_GAS_KEPT] = {TRIAD_COMPRESSIBLE_MASS, TRIAD_COMPRESSIBLE_MOMENTUM,
                                         TRIAD_COMPRESSIBLE_MOMENTUM + 1, TRIAD_COMPRESSIBLE_MOMENTUM + 2,
                                         TRIAD_COMPRESSIBLE_ENERGY};

int triad_gas_measure(void *flow, double *values)
{
  triad_gas_flow *f = flow;
  TRIAD_TRY(triad_compressible_budget(f->weno, values));
  double now[TRIAD_GAS_KEPT], moved = 0, *drift = values + f->n_budget;
  for (int i = 0; i < TRIAD_GAS_KEPT; i++) now[i] = values[kept[i]];
  if (!f->has_start) memcpy(f->start, now, sizeof now);
  f->has_start = 1;
  for (int i = 1; i < 4; i++) moved += (now[i] - f->start[i]) * (now[i] - f->start[i]);
  drift[0] = now[0] / f->start[0] - 1;
  drift[1] = sqrt(moved);
  drift[2] = now[4] / f->start[4] - 1;
  triad_gas_force_powers(f->force, drift + TRIAD_COMPRESSIBLE_DRIFTS);
  return TRIAD_OK;
}

/* Through a wall goes no mass, and, if it neither moves nor is kept at a temperature, no energy; momentum is kept
 * without boundaries. Fluxes are the same for both points beside a face, so that errors are of rounding; those of
 * walls are made of mirrored points. */
int triad_gas_conserved_columns(const void *flow, const double *first, triad_conserved *list)
{
  static const char remedy[] = "a smaller time.cfl or time.dt, or equations.positivity = true";
  const triad_gas_flow *f = flow;
  int n = 0, periodic = 1, still = 1;
  if (f->sponge) return 0;
  for (int i = 0; i < 6; i++) {
    const triad_compressible_side *side = &f->setup.side[i / 2][i % 2];
    if (side->kind == TRIAD_COMPRESSIBLE_PERIODIC) continue;
    periodic = 0;
    if (side->kind != TRIAD_COMPRESSIBLE_REFLECTING && side->kind != TRIAD_COMPRESSIBLE_ADIABATIC &&
        side->kind != TRIAD_COMPRESSIBLE_ISOTHERMAL)
      return 0;
    still &= side->kind != TRIAD_COMPRESSIBLE_ISOTHERMAL;
    for (int a = 0; a < 3; a++) still &= !(side->velocity[a] < 0 || side->velocity[a] > 0);
  }
  const double mass = first[TRIAD_COMPRESSIBLE_MASS], energy = first[TRIAD_COMPRESSIBLE_ENERGY],
               error = periodic ? 0 : TRIAD_CONSERVED_IN_TIME;
  list[n++] = (triad_conserved){TRIAD_COMPRESSIBLE_MASS, mass, error, remedy};
  if (f->force) return n;
  if (still && !f->walls) list[n++] = (triad_conserved){TRIAD_COMPRESSIBLE_ENERGY, energy, error, remedy};
  for (int i = 0; i < 3 && periodic; i++) /* |mean(rho u)| at most */
    list[n++] = (triad_conserved){TRIAD_COMPRESSIBLE_MOMENTUM + i, sqrt(2 * mass * energy), error, remedy};
  return n;
}

int triad_gas_keep_start(const void *flow, triad_notes *to)
{
  const triad_gas_flow *f = flow;
  char name[64];
  for (int i = 0; f->has_start && i < TRIAD_GAS_KEPT; i++) {
    (void)snprintf(name, sizeof name, "start_%s", f->columns[kept[i]].name);
    TRIAD_TRY(triad_notes_set_real(to, name, f->start[i]));
  }
  TRIAD_TRY(triad_gas_particles_notes(f->particles, to));
  return triad_gas_force_keep(f->force, to);
}

void triad_gas_take_start(triad_gas_flow *f, const triad_notes *notes)
{
  char name[64];
  f->has_start = notes != NULL;
  for (int i = 0; f->has_start && i < TRIAD_GAS_KEPT; i++) {
    (void)snprintf(name, sizeof name, "start_%s", f->columns[kept[i]].name);
    f->has_start = triad_notes_has(notes, name) && triad_notes_real(notes, name, &f->start[i]) == TRIAD_OK;
  }
}
