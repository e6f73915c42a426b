#include "solvers/weno/flow.h"
#include "solvers/box.h"
#include "solvers/device_choice.h"

#include <stdlib.h>

int triad_gas_blocks(const triad_case *given, int rank, int size, triad_weno_setup *setup, triad_partition *blocks)
{
  int periodic[3];
  triad_space space;
  TRIAD_TRY(triad_weno_setup_read(setup, given));
  triad_weno_periodic(setup, periodic);
  TRIAD_TRY(triad_box_of_case(&space, given, periodic, triad_weno_halo(setup), rank, size));
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
    if (st == TRIAD_OK) st = triad_gas_columns_make(f);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_device_choose(&f->device, &offload, &triad_solver_compressible, context, given);
  if (st == TRIAD_OK) st = triad_weno_create(&f->weno, context, &f->blocks, &f->setup, f->device,
                                             triad_case_word(given, "parallel.transport"));
  if (st != TRIAD_OK) triad_gas_destroy(out);
  return st;
}

void triad_gas_destroy(triad_gas_flow **flow)
{
  if (!flow || !*flow) return;
  triad_weno_destroy(&(*flow)->weno);
  triad_device_destroy(&(*flow)->device);
  free((*flow)->columns);
  free(*flow);
  *flow = NULL;
}

int triad_gas_advance(void *flow, triad_step *step)
{
  triad_gas_flow *f = flow;
  triad_step_limits limits = {0};
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, f->context->comm.mpi)));
  /* both limit the same stages: their rates add up (docs/numerics.md eq. 40) */
  triad_step_limit(&limits, "sound and viscosity", triad_weno_stable(f->weno, step->cfl));
  double dt = triad_step_length(step, f->at.t, &limits);
  step->advection_rate = 1 / triad_weno_stable(f->weno, 1);
  TRIAD_TRY(triad_weno_advance(f->weno, f->at.step + 1, dt));
  triad_step_done(&f->at, step, dt);
  return TRIAD_OK;
}
