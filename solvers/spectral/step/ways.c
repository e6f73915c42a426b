/* The tables of a stepper for each device: functions of the GPU part of the build, and of the CPU for `triad bench`. */
#include "solvers/spectral/step/ways.h"
#include "solvers/device_choice.h"
#include "solvers/spectral/step/stepper_internal.h"

/* ---- the state is on a GPU ---- */

int triad_way_gpu_create(triad_stepper *s, triad_flow *flow)
{
  return triad_spectral_gpu->stepper->create(&s->gpu, flow, s->scheme);
}

void triad_way_gpu_destroy(triad_stepper *s)
{
  if (s->gpu) triad_spectral_gpu->stepper->destroy(&s->gpu);
}

int triad_way_gpu_advance(triad_stepper *s, triad_flow *flow)
{
  (void)flow;
  return triad_spectral_gpu->stepper->advance(s->gpu, s->step, &s->dt);
}

void triad_way_gpu_traffic(const triad_stepper *s, double passes, triad_costs *costs)
{
  const triad_gpu_traffic traffic = triad_spectral_gpu->stepper->traffic(s->gpu);
  costs->transport = traffic.transport;
  costs->nstreams = traffic.nstreams;
  costs->chunks = traffic.chunks;
  costs->sent_bytes = passes * (double)traffic.sent_bytes;
}

triad_phases triad_way_gpu_phases(const triad_stepper *s) { return triad_spectral_gpu->stepper->phases(s->gpu); }

void triad_way_gpu_apart(const triad_stepper *s, int apart) { triad_spectral_gpu->stepper->apart(s->gpu, apart); }

static void describe_library(const triad_flow *flow, triad_log *log)
{
  char lines[512];
  if (triad_spectral_gpu->library(flow, lines, sizeof lines)) triad_log_info(log, "%s", lines);
}

void triad_way_gpu_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log)
{
  (void)devices;
  const triad_flow *flow = s->now.flow;
  const triad_gpu_traffic traffic = triad_spectral_gpu->stepper->traffic(s->gpu);
  char lines[512];
  triad_log_info(log, "time steps run on a GPU: %s", triad_device_name(flow->device));
  if (flow->context->comm.size > 1)
    triad_log_info(log, "transport between GPUs: %s%s%s%s", traffic.transport,
                   *traffic.times ? ", the fastest here (" : "", traffic.times, *traffic.times ? ")" : "");
  describe_library(flow, log);
  if (triad_spectral_gpu->formulas(flow, lines, sizeof lines)) triad_log_info(log, "%s", lines);
}

/* ---- a state on the host passes through a GPU ---- */

int triad_way_offload_create(triad_stepper *s, triad_flow *flow)
{
  return triad_spectral_gpu->offload->create(&s->offload, flow, s->scheme, s->q);
}

void triad_way_offload_destroy(triad_stepper *s)
{
  if (s->offload) triad_spectral_gpu->offload->destroy(&s->offload);
}

void triad_way_offload_traffic(const triad_stepper *s, double passes, triad_costs *costs)
{
  const triad_gpu_offload_bus moved = triad_spectral_gpu->offload->traffic(s->offload);
  (void)passes;
  costs->nstreams = moved.nstreams;
  costs->chunks = moved.pieces;
  costs->bus_in = (double)moved.in;
  costs->bus_out = (double)moved.out;
}

triad_phases triad_way_offload_phases(const triad_stepper *s)
{
  return triad_spectral_gpu->offload->phases(s->offload);
}

void triad_way_offload_apart(const triad_stepper *s, int apart)
{
  triad_spectral_gpu->offload->apart(s->offload, apart);
}

void triad_way_offload_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log)
{
  (void)devices;
  const triad_flow *flow = s->now.flow;
  triad_log_info(log, "the state is on the host and is processed by a GPU in pieces: %s",
                 triad_device_name(flow->offload));
  describe_library(flow, log);
}

/* ---- the CPU ---- */

void triad_way_host_destroy(triad_stepper *s) { (void)s; }

/* The exchange of the pass is what there is. */
void triad_way_host_traffic(const triad_stepper *s, double passes, triad_costs *costs)
{
  (void)s;
  (void)passes;
  (void)costs;
}

triad_phases triad_way_host_phases(const triad_stepper *s) { return triad_pass_phases(s->now.flow->pass); }

/* Loops on the CPU follow each other at all times. */
void triad_way_host_apart(const triad_stepper *s, int apart)
{
  (void)s;
  (void)apart;
}

void triad_way_host_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log)
{
  const triad_case *given = s->now.flow->given;
  if (triad_device_count() > 0 && triad_case_is(given, "parallel.device", "auto"))
    triad_log_info(log, "time steps run on the CPU, not on a GPU: %s", triad_device_refusal(devices, given));
}
