/* Stands in for gpu_stepper.c, gpu_offload.c, gpu_measure.c, gpu_pair.c and gpu_reference.c in a build without CUDA. */
#include "solvers/spectral/measure/gpu_measure.h"
#include "solvers/spectral/step/gpu_offload.h"
#include "solvers/spectral/step/gpu_pair.h"
#include "fft/gpu_reference.h"
#include "solvers/spectral/step/gpu_stepper.h"

static int none(void) { return TRIAD_FAIL(TRIAD_ERR_FEATURE, "this build has no CUDA part: make CUDA=1 builds it"); }

const char *triad_gpu_stepper_refusal(const triad_flow *flow)
{
  (void)flow;
  return "this build has no CUDA part (make CUDA=1 makes one)";
}

int triad_gpu_stepper_library(const triad_flow *flow, char *text, size_t size)
{
  (void)flow;
  (void)text;
  (void)size;
  return 0;
}

int triad_gpu_stepper_needs(const triad_case *given, int size, triad_rank_needs *needs)
{
  (void)given;
  (void)size;
  *needs = (triad_rank_needs){0};
  return TRIAD_OK;
}

int triad_gpu_stepper_create(triad_gpu_stepper **out, triad_flow *flow, const triad_scheme *scheme)
{
  (void)flow;
  (void)scheme;
  *out = NULL;
  return none();
}

void triad_gpu_stepper_destroy(triad_gpu_stepper **stepper) { (void)stepper; }

void triad_gpu_stepper_apart(triad_gpu_stepper *stepper, int apart)
{
  (void)stepper;
  (void)apart;
}

triad_phases triad_gpu_stepper_phases(triad_gpu_stepper *stepper)
{
  (void)stepper;
  return (triad_phases){{0}};
}

triad_gpu_traffic triad_gpu_stepper_traffic(const triad_gpu_stepper *stepper)
{
  (void)stepper;
  return (triad_gpu_traffic){.transport = "none", .times = ""};
}

int triad_gpu_stepper_transports(triad_context *context, const char **names, int *n)
{
  (void)context;
  (void)names;
  *n = 0;
  return TRIAD_OK;
}

int triad_gpu_stepper_advance(triad_gpu_stepper *stepper, triad_step *step, triad_choose_dt *choose, double *dt)
{
  (void)stepper;
  (void)step;
  (void)choose;
  (void)dt;
  return none();
}

int triad_gpu_offload_create(triad_gpu_offload **out, triad_flow *flow, const triad_scheme *scheme, triad_cplx *const *q)
{
  (void)flow;
  (void)scheme;
  (void)q;
  *out = NULL;
  return none();
}

void triad_gpu_offload_destroy(triad_gpu_offload **offload) { (void)offload; }

int triad_gpu_offload_pass(triad_gpu_offload *offload, const triad_gpu_offload_step *step)
{
  (void)offload;
  (void)step;
  return none();
}

int triad_gpu_offload_needs(const triad_case *given, int size, triad_rank_needs *gpu, triad_rank_needs *host)
{
  (void)given;
  (void)size;
  (void)gpu;
  (void)host;
  return TRIAD_OK;
}

void triad_gpu_offload_apart(triad_gpu_offload *offload, int apart)
{
  (void)offload;
  (void)apart;
}

triad_phases triad_gpu_offload_phases(triad_gpu_offload *offload)
{
  (void)offload;
  return (triad_phases){{0}};
}

triad_gpu_offload_bus triad_gpu_offload_traffic(triad_gpu_offload *offload)
{
  (void)offload;
  return (triad_gpu_offload_bus){0};
}

int triad_gpu_reference_create(triad_gpu_reference **out, triad_device *device, const triad_grid *grid)
{
  (void)device;
  (void)grid;
  *out = NULL;
  return none();
}

void triad_gpu_reference_destroy(triad_gpu_reference **reference) { (void)reference; }

int triad_gpu_reference_time(triad_gpu_reference *reference, double *seconds)
{
  (void)reference;
  *seconds = 0;
  return none();
}

int triad_gpu_measure_budget(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS])
{
  (void)flow;
  (void)sums;
  (void)peaks;
  return none();
}

int triad_gpu_measure_shells(triad_flow *flow, double *values)
{
  (void)flow;
  (void)values;
  return none();
}

int triad_gpu_measure_about(triad_flow *flow, const triad_bins *bins, double *both)
{
  (void)flow;
  (void)bins;
  (void)both;
  return none();
}

int triad_gpu_measure_transfer(triad_flow *flow, double *transfer, double *squares)
{
  (void)flow;
  (void)transfer;
  (void)squares;
  return none();
}

int triad_gpu_pair_create(triad_gpu_pair **out, triad_gpu_stepper *stepper, const triad_grid *grid)
{
  (void)stepper;
  (void)grid;
  *out = NULL;
  return none();
}

void triad_gpu_pair_destroy(triad_gpu_pair **pair) { (void)pair; }

int triad_gpu_pair_time(triad_gpu_pair *pair, double *ours, double *library)
{
  (void)pair;
  *ours = *library = 0;
  return none();
}

int triad_gpu_pair_check(triad_gpu_pair *pair)
{
  (void)pair;
  return none();
}
