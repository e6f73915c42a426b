#include "solvers/bench.h"

#include "base/precision.h"
#include "solvers/spectral/step/gpu_offload.h"
#include "solvers/spectral/step/gpu_pair.h"
#include "solvers/spectral/step/gpu_stepper.h"
#include "solvers/bench_measure.h"
#include "solvers/spectral/start/initial.h"
#include "fft/reference.h"
#include "solvers/spectral/step/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARM_UP = 2, APART = 3 /* steps on a GPU that phases are timed in */, PAIRS = 10 };

static int timed_step(triad_flow *flow, double *slowest)
{
  const triad_comm *comm = &flow->context->comm;
  triad_step step = {.dt = triad_case_real(flow->given, "time.dt"),
                     .cfl = triad_case_real(flow->given, "time.cfl"),
                     .dt_max = triad_case_real(flow->given, "time.dt_max"),
                     .land_on = INFINITY};
  if (step.dt <= 0 && step.dt_max <= 0) step.dt_max = 1; /* a flow at rest has no rate of its own */
  TRIAD_TRY(TRIAD_MPI(MPI_Barrier(comm->mpi)));
  double begin = triad_now();
  int st = triad_stepper_advance(flow->stepper, flow, &step);
  double took = triad_now() - begin;
  if (st == TRIAD_ERR_BLOWUP)
    return TRIAD_FAIL(st, "step %lld: the solution is not finite any more; take a smaller time.dt or time.cfl",
                      (long long)flow->step + 1);
  TRIAD_TRY(st);
  return TRIAD_MPI(MPI_Allreduce(&took, slowest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi));
}

/* Every input, work column, result and register of a stage, read once and written once. */
static int count_costs(triad_flow *flow, triad_bench_result *r)
{
  const triad_shape *shape = &flow->shape;
  int stages = triad_stepper_stages(flow->stepper);
  double updates = 4.0 * shape->n_fields * (double)flow->layout->modes * (double)sizeof(triad_cplx);
  double mine[3] = {stages * updates}, all[3];
  for (int p = 0; p < shape->n_passes; p++) {
    int n_in = shape->pass[p].n_in, n_out = shape->pass[p].n_out;
    triad_pass_costs cost = flow->pass ? triad_pass_cost(flow->pass, n_in, n_out) : triad_layout_cost(flow->layout, n_in, n_out);
    mine[0] += stages * (double)cost.memory_bytes;
    mine[1] += stages * (double)cost.sent_bytes;
    mine[2] += stages * cost.flops;
    r->transforms += stages * (n_in + n_out);
    if (r->over_bus) continue;
    r->nstreams = cost.nstreams;
    r->chunks = cost.chunks;
  }
  triad_gpu_stepper *gpu = triad_stepper_gpu(flow->stepper);
  (void)snprintf(r->transport, sizeof r->transport, "mpi");
  if (gpu) {
    triad_gpu_traffic traffic = triad_gpu_stepper_traffic(gpu);
    (void)snprintf(r->transport, sizeof r->transport, "%s", traffic.transport);
    r->nstreams = traffic.nstreams;
    r->chunks = traffic.chunks;
    mine[1] = stages * (double)traffic.sent_bytes;
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi)));
  if (!r->over_bus) r->bytes = all[0];
  r->sent_bytes = all[1];
  r->flops = all[2];
  return TRIAD_OK;
}

/* Of a state that passes through a GPU: what the bus carries in a step, and how fast it is. */
static int count_bus(triad_flow *flow, const triad_gpu_offload_bus *moved, int steps, triad_bench_result *r)
{
  const triad_comm *comm = &flow->context->comm;
  double mine[3] = {(double)moved->in / steps, (double)moved->out / steps, 0}, all[3];
  TRIAD_TRY(triad_agree(comm, triad_device_bus_bandwidth(flow->offload, &mine[2])));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  r->over_bus = 1;
  r->bytes = fmax(all[0], all[1]);
  r->copy_bandwidth = all[2];
  r->nstreams = moved->nstreams;
  r->chunks = moved->pieces;
  return TRIAD_OK;
}

static triad_phases phases_of(triad_flow *flow)
{
  if (flow->device) return triad_gpu_stepper_phases(triad_stepper_gpu(flow->stepper));
  if (flow->offload) return triad_gpu_offload_phases(triad_stepper_offload(flow->stepper));
  return triad_pass_phases(flow->pass);
}

static void set_apart(triad_flow *flow, int apart)
{
  if (flow->device) triad_gpu_stepper_apart(triad_stepper_gpu(flow->stepper), apart);
  if (flow->offload) triad_gpu_offload_apart(triad_stepper_offload(flow->stepper), apart);
}

static int share_phases(triad_flow *flow, int steps, triad_bench_result *r)
{
  triad_phases mine = phases_of(flow), all;
  const triad_comm *comm = &flow->context->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine.s, all.s, TRIAD_PHASES, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  double accounted = 0;
  for (int i = 0; i < TRIAD_PHASES; i++) {
    r->phases.s[i] = all.s[i] / comm->size / steps;
    accounted += r->phases.s[i];
  }
  r->phases.s[TRIAD_PHASE_REST] = fmax(0, r->median_s - accounted);
  return TRIAD_OK;
}

/* Steps on a GPU overlap what they do: phases are timed in a few more steps that do one thing after the other. */
static int time_phases(triad_flow *flow)
{
  double took;
  set_apart(flow, 1);
  TRIAD_TRY(timed_step(flow, &took));
  (void)phases_of(flow);
  for (int i = 0; i < APART; i++) TRIAD_TRY(timed_step(flow, &took));
  set_apart(flow, 0);
  return TRIAD_OK;
}

static triad_device *gpu_of(const triad_flow *flow) { return flow->device ? flow->device : flow->offload; }

/* The transform by itself, in turn with cuFFT's. */
static int time_pair(triad_flow *flow, triad_bench_result *r)
{
  double ours[PAIRS], library[PAIRS];
  triad_gpu_pair *pair = NULL;
  TRIAD_TRY(triad_gpu_pair_create(&pair, triad_stepper_gpu(flow->stepper), &flow->grid));
  int st = triad_gpu_pair_check(pair);
  if (st == TRIAD_OK) st = triad_gpu_pair_time(pair, &ours[0], &library[0]); /* warm-up */
  for (int i = 0; st == TRIAD_OK && i < PAIRS; i++) st = triad_gpu_pair_time(pair, &ours[i], &library[i]);
  if (st == TRIAD_OK) {
    r->pair_s = triad_bench_median(ours, PAIRS);
    r->pair_reference_s = triad_bench_median(library, PAIRS);
  }
  triad_gpu_pair_destroy(&pair);
  return st;
}

/* Before the reference takes memory of its own; copies to and from where it was have read a tenth slower. */
static int measure_device(triad_flow *flow, double *largest, double *bandwidth)
{
  double peak = (double)triad_device_peak(gpu_of(flow)), mine = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&peak, largest, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  if (flow->offload) return TRIAD_OK;
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_device_copy_bandwidth(flow->device, &mine)));
  return TRIAD_MPI(MPI_Allreduce(&mine, bandwidth, 1, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi));
}

static int run_steps(triad_flow *flow, const triad_bench_options *o, double *times, double *references,
                     triad_bench_result *r)
{
  triad_reference *reference = NULL;
  char text[80];
  for (int i = 0; i < WARM_UP; i++) TRIAD_TRY(timed_step(flow, &times[0]));
  TRIAD_TRY(triad_bench_memory(&flow->context->comm, &r->peak_bytes, &r->largest_rank_bytes));
  if (gpu_of(flow)) TRIAD_TRY(measure_device(flow, &r->device_peak_bytes, &r->copy_bandwidth));
  if (o->reference) TRIAD_TRY(triad_reference_create(&reference, flow->context, gpu_of(flow), &flow->grid));
  (void)phases_of(flow);
  if (flow->offload) (void)triad_gpu_offload_traffic(triad_stepper_offload(flow->stepper));
  int st = TRIAD_OK;
  for (int i = 0; st == TRIAD_OK && i < o->steps; i++) {
    st = timed_step(flow, &times[i]);
    /* in turn, so that a change of the machine's mood falls on both */
    if (st == TRIAD_OK && o->reference) st = triad_reference_time(reference, flow->context, &references[i]);
    (void)snprintf(text, sizeof text, "bench: step %d/%d  %.4g ms", i + 1, o->steps, 1e3 * times[i]);
    triad_log_progress(o->log, text, i + 1 == o->steps);
  }
  triad_reference_destroy(&reference, flow->context);
  if (st == TRIAD_OK && flow->offload) {
    triad_gpu_offload_bus moved = triad_gpu_offload_traffic(triad_stepper_offload(flow->stepper));
    st = count_bus(flow, &moved, o->steps, r);
  }
  return st;
}

static int measure(triad_context *context, const triad_case *given, const triad_bench_options *o, double *times,
                   double *references, triad_bench_result *r)
{
  triad_flow *flow = NULL;
  TRIAD_TRY(triad_flow_create(&flow, context, given, NULL));
  int st = triad_initial_set(flow, o->log);
  if (st == TRIAD_OK) st = run_steps(flow, o, times, references, r);
  (void)snprintf(r->device, sizeof r->device, "%s%s", flow->offload ? "offload to " : "",
                 gpu_of(flow) ? triad_device_name(gpu_of(flow)) : "cpu");
  if (st == TRIAD_OK && !gpu_of(flow)) st = triad_bench_copies(context, &r->copy_bandwidth);
  if (st == TRIAD_OK) st = count_costs(flow, r);
  if (st == TRIAD_OK && gpu_of(flow)) st = time_phases(flow);
  if (st == TRIAD_OK && flow->device && o->reference && context->comm.size == 1) st = time_pair(flow, r);
  if (st == TRIAD_OK) {
    triad_bench_summarise(o, times, references, r);
    st = share_phases(flow, gpu_of(flow) ? APART : o->steps, r);
  }
  triad_flow_destroy(&flow);
  return st;
}

int triad_bench(triad_context *context, const triad_case *given, const triad_bench_options *options,
                      triad_bench_result *result)
{
  memset(result, 0, sizeof *result);
  double *times = NULL, *references = NULL;
  int st = TRIAD_TAKE(context->memory, "bench", options->steps, &times);
  if (st == TRIAD_OK) st = TRIAD_TAKE(context->memory, "bench", options->steps, &references);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = measure(context, given, options, times, references, result);
  TRIAD_GIVE(context->memory, &times);
  TRIAD_GIVE(context->memory, &references);
  return st;
}
