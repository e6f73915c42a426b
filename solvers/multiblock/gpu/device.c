/* Choose the device of a flow on blocks. */
#include "solvers/multiblock/gpu/device.h"
#include "solvers/device_choice.h"
#include "solvers/multiblock/gpu/gpu.h"

#ifdef TRIAD_CUDA
extern const triad_multiblock_gpu_part triad_multiblock_gpu_table;
const triad_multiblock_gpu_part *const triad_multiblock_gpu_steps = &triad_multiblock_gpu_table;
#else
const triad_multiblock_gpu_part *const triad_multiblock_gpu_steps = NULL;
#endif

static const char *refusal(const triad_case *given)
{
  if (triad_case_is(given, "forcing.kind", "formula")) return "forcing.kind = \"formula\" is not available on GPUs";
  return NULL;
}

const triad_device_support triad_multiblock_devices = {.kinds = TRIAD_TAKES_GPU, .refusal = refusal};

int triad_multiblock_choose_device(triad_multiblock_flow *f)
{
  int offload; /* the solver has no code for it */
  return triad_device_choose(&f->device, &offload, &triad_multiblock_devices, f->context, f->given);
}

void triad_multiblock_describe_device(const triad_multiblock_flow *f, triad_log *log)
{
  if (f->device && f->context->comm.size > 1)
    triad_log_info(log, "  time steps run on GPUs: %s; halos by transport %s", triad_device_name(f->device),
                   f->loops->transport(f));
  else if (f->device) triad_log_info(log, "  time steps run on a GPU: %s", triad_device_name(f->device));
  else if (triad_device_count() > 0 && triad_case_is(f->given, "parallel.device", "auto")) {
    const char *why = triad_device_refusal(&triad_multiblock_devices, f->given);
    triad_log_info(log, "  time steps run on the CPU, not on a GPU: %s", why ? why : "not every rank has a GPU");
  }
}
