#include "solvers/weno/flow.h"

#include "parallel/host/gpus.h"

#include <math.h>
#include <stdlib.h>

int triad_gas_blocks(const triad_case *given, int rank, int size, triad_weno_setup *setup, triad_partition *blocks)
{
  int periodic[3], wanted[3];
  int64_t asked[3];
  TRIAD_TRY(triad_weno_setup_read(setup, given));
  triad_weno_periodic(setup, periodic);
  triad_case_integers(given, "parallel.blocks", asked, 3);
  for (int i = 0; i < 3; i++) wanted[i] = (int)asked[i];
  return triad_partition_init(blocks, setup->n, periodic, triad_weno_halo(setup), rank, size, wanted);
}

triad_space triad_gas_bare_space(const triad_gas_flow *f)
{
  const triad_partition bare = triad_partition_bare(&f->blocks);
  triad_space space;
  triad_space_box(&space, &bare, f->setup.length);
  return space;
}

const char *triad_gas_gpu_refusal(void)
{
  if (!triad_device_built()) return "this build has no CUDA part (make CUDA=1 makes one)";
  return triad_device_count() == 0 ? "no GPU is there" : NULL;
}

/* The GPU, where the case asks for it; with "auto", where every rank has one. */
static int choose_device(triad_gas_flow *f)
{
  const triad_comm *comm = &f->context->comm;
  const char *refusal = triad_gas_gpu_refusal();
  int wanted = triad_case_is(f->given, "parallel.device", "gpu"), can = !refusal, all_can = 0, sharers, st = TRIAD_OK;
  if (wanted && refusal) st = TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"gpu\": %s; take \"cpu\"", refusal);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, comm->mpi)));
  if (triad_case_is(f->given, "parallel.device", "auto")) wanted = all_can;
  if (!wanted) return TRIAD_OK;
  if (f->context->gpu < 0) TRIAD_TRY(triad_gpus_choose(&f->context->gpu, &sharers, comm, NULL));
  return triad_agree(comm, triad_device_create(&f->device, f->context->gpu));
}

int triad_gas_create(triad_gas_flow **out, triad_context *context, const triad_case *given, const char *run_dir)
{
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
  if (st == TRIAD_OK) st = choose_device(f);
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

/* The next step's length, cut so as to land on the given time without a sliver before it. */
static double choose_dt(const triad_gas_flow *f, const triad_step *step)
{
  double dt = step->dt, left = step->land_on - f->at.t;
  if (dt <= 0) {
    dt = triad_weno_stable(f->weno, step->cfl);
    if (step->dt_max > 0) dt = fmin(dt, step->dt_max);
    if (dt < left && 2 * dt > left) return left / 2;
  }
  return dt * (1 + 1e-9) >= left ? left : dt;
}

int triad_gas_advance(triad_gas_flow *f, triad_step *step)
{
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, f->context->comm.mpi)));
  double dt = choose_dt(f, step);
  step->advection_rate = 1 / triad_weno_stable(f->weno, 1);
  TRIAD_TRY(triad_weno_advance(f->weno, f->at.step + 1, dt));
  int landed = dt >= step->land_on - f->at.t;
  f->at.t = landed ? step->land_on : f->at.t + dt;
  f->at.dt = dt;
  f->at.step++;
  return TRIAD_OK;
}
