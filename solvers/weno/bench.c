/* `triad bench` of the compressible solver. */
#include "solvers/weno/flow.h"
#include "solvers/bench_measure.h"
#include "fft/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARM_UP = 2, APART = 3 /* steps that do one thing after the other */ };

static int timed_step(triad_gas_flow *f, double *slowest)
{
  const triad_comm *comm = &f->context->comm;
  triad_step step = {.dt = triad_case_real(f->given, "time.dt"),
                     .cfl = triad_case_real(f->given, "time.cfl"),
                     .dt_max = triad_case_real(f->given, "time.dt_max"),
                     .land_on = INFINITY};
  TRIAD_TRY(TRIAD_MPI(MPI_Barrier(comm->mpi)));
  double begin = triad_now();
  TRIAD_TRY(triad_gas_advance(f, &step));
  double took = triad_now() - begin;
  return TRIAD_MPI(MPI_Allreduce(&took, slowest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi));
}

static int count_costs(const triad_gas_flow *f, triad_bench_result *r)
{
  triad_weno_costs cost = triad_weno_cost(f->weno);
  double mine[3] = {cost.bytes, cost.sent_bytes, cost.flops}, all[3];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  r->bytes = all[0];
  r->sent_bytes = all[1];
  r->flops = all[2];
  r->stages = cost.stages;
  r->cells = f->setup.n[0] * f->setup.n[1] * f->setup.n[2];
  return TRIAD_OK;
}

static int share_phases(triad_gas_flow *f, int steps, triad_bench_result *r)
{
  const triad_comm *comm = &f->context->comm;
  triad_phases mine = triad_weno_phases(f->weno), all;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine.s, all.s, TRIAD_PHASES, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  double accounted = 0;
  for (int i = 0; i < TRIAD_PHASES; i++) {
    r->phases.s[i] = all.s[i] / comm->size / steps;
    accounted += r->phases.s[i];
  }
  r->phases.s[TRIAD_PHASE_REST] += fmax(0, r->median_s - accounted);
  return TRIAD_OK;
}

/* Steps on a GPU send halos while they compute: phases are timed in a few more steps that do one thing after the other. */
static int time_phases(triad_gas_flow *f)
{
  double took;
  triad_weno_apart(f->weno, 1);
  TRIAD_TRY(timed_step(f, &took));
  (void)triad_weno_phases(f->weno);
  for (int i = 0; i < APART; i++) TRIAD_TRY(timed_step(f, &took));
  triad_weno_apart(f->weno, 0);
  return TRIAD_OK;
}

/* The copies of all ranks at once, and the GPU memory of the one that takes most. */
static int measure_device(const triad_gas_flow *f, double *bandwidth, double *largest)
{
  const triad_comm *comm = &f->context->comm;
  double mine = 0, peak = (double)triad_device_peak(f->device);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&peak, largest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, triad_device_copy_bandwidth(f->device, &mine)));
  return TRIAD_MPI(MPI_Allreduce(&mine, bandwidth, 1, MPI_DOUBLE, MPI_SUM, comm->mpi));
}

static int run_steps(triad_gas_flow *f, const triad_bench_options *o, double *times, double *references,
                     triad_bench_result *r)
{
  triad_reference *reference = NULL;
  triad_grid grid;
  char text[80];
  for (int i = 0; i < WARM_UP; i++) TRIAD_TRY(timed_step(f, &times[0]));
  TRIAD_TRY(triad_bench_memory(&f->context->comm, &r->peak_bytes, &r->largest_rank_bytes));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_grid_init(&grid, f->setup.n, f->setup.length, TRIAD_NONE)));
  if (o->reference) TRIAD_TRY(triad_reference_create(&reference, f->context, NULL, &grid));
  (void)triad_weno_phases(f->weno);
  int st = TRIAD_OK;
  for (int i = 0; st == TRIAD_OK && i < o->steps; i++) {
    st = timed_step(f, &times[i]);
    /* in turn, so that a change of the machine's mood falls on both */
    if (st == TRIAD_OK && o->reference) st = triad_reference_time(reference, f->context, &references[i]);
    (void)snprintf(text, sizeof text, "bench: step %d/%d  %.4g ms", i + 1, o->steps, 1e3 * times[i]);
    triad_log_progress(o->log, text, i + 1 == o->steps);
  }
  triad_reference_destroy(&reference, f->context);
  return st;
}

static int measure(triad_context *context, const triad_case *given, const triad_bench_options *o, double *times,
                   double *references, triad_bench_result *r)
{
  triad_gas_flow *f = NULL;
  TRIAD_TRY(triad_gas_create(&f, context, given, NULL));
  int st = triad_gas_initial(f, o->log);
  if (st == TRIAD_OK && o->reference && f->device)
    st = TRIAD_FAIL(TRIAD_ERR_FEATURE, "--reference times FFTW on the CPU, and these steps are taken on a GPU: leave it "
                                       "out, or take parallel.device = \"cpu\"");
  if (st == TRIAD_OK) st = run_steps(f, o, times, references, r);
  (void)snprintf(r->device, sizeof r->device, "%s", f->device ? triad_device_name(f->device) : "cpu");
  (void)snprintf(r->transport, sizeof r->transport, "%s", triad_weno_transport(f->weno));
  if (st == TRIAD_OK)
    st = f->device ? measure_device(f, &r->copy_bandwidth, &r->device_peak_bytes)
                   : triad_bench_copies(context, &r->copy_bandwidth);
  if (st == TRIAD_OK) st = count_costs(f, r);
  if (st == TRIAD_OK && f->device) st = time_phases(f);
  if (st == TRIAD_OK) {
    triad_bench_summarise(o, times, references, r);
    st = share_phases(f, f->device ? APART : o->steps, r);
  }
  triad_gas_destroy(&f);
  return st;
}

int triad_gas_bench(triad_context *context, const triad_case *given, const triad_bench_options *options,
                    triad_bench_result *result)
{
  double *times = NULL, *references = NULL;
  memset(result, 0, sizeof *result);
  int st = TRIAD_TAKE(context->memory, "bench", options->steps, &times);
  if (st == TRIAD_OK) st = TRIAD_TAKE(context->memory, "bench", options->steps, &references);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = measure(context, given, options, times, references, result);
  TRIAD_GIVE(context->memory, &times);
  TRIAD_GIVE(context->memory, &references);
  return st;
}
