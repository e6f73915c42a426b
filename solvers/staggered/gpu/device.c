/* Choose the device of a staggered flow. */
#include "solvers/device_choice.h"
#include "parallel/device_library.h"
#include "solvers/staggered/plain/waves.h"
#include "solvers/staggered/gpu/device.h"
#include "solvers/staggered/host/host_loops.h"

#ifdef TRIAD_CUDA
extern const triad_staggered_loops triad_staggered_gpu_loops; /* gpu_loops.c */

const triad_staggered_loops *triad_staggered_loops_of(bool on_gpu)
{
  return on_gpu ? &triad_staggered_gpu_loops : &triad_staggered_host_loops;
}
#else
const triad_staggered_loops *triad_staggered_loops_of(bool on_gpu)
{
  (void)on_gpu; /* such a case has been refused */
  return &triad_staggered_host_loops;
}
#endif

/* May the device decide how the pressure is found? */
static int leaves_pressure_to_gpu(const triad_case *given)
{
  return triad_case_is(given, "parallel.device", "gpu") && triad_case_is(given, "solver.pressure", "auto");
}

static const char *refusal(const triad_case *given)
{
  triad_staggered_setup setup;
  if (triad_staggered_setup_read(&setup, given) != TRIAD_OK) {
    triad_message_clear(); /* the check of the case reports it */
    return NULL;
  }
  if (triad_case_is(given, "forcing.kind", "formula")) return "a force by formula is evaluated on the CPU";
  if (!triad_device_transforms() && setup.pressure >= TRIAD_STAGGERED_CG_TRANSFORM && !leaves_pressure_to_gpu(given))
    return "GPUs of this build have no library of transforms: set solver.pressure = \"pcg-polynomial\"";
  if (setup.closure) return "subgrid models ([closure] model) are supported on CPUs only";
  if (setup.reproducible)
    return "parallel.reproducible is not available on GPUs: sums depend on the partition of cells";
  return NULL;
}

const triad_device_support triad_staggered_devices = {.kinds = TRIAD_TAKES_GPU, .refusal = refusal};

/* Of several ranks the transform has slabs across z, and columns of modes for each. */
static const char slabs[] = "on several GPUs the pressure transform uses slabs across z: remove parallel.blocks, use "
                            "at most as many ranks as cells along z or half of those along x, and walls along one axis "
                            "at most, not x; or use solver.pressure = \"pcg-polynomial\"";

/* Does the pressure want a transform that these blocks do not allow? */
static int is_without_slabs(const triad_staggered_setup *setup, const triad_partition *b)
{
  int line;
  if (b->size == 1 || setup->pressure < TRIAD_STAGGERED_CG_TRANSFORM) return 0;
  if (triad_staggered_waves_of(setup, &line) != TRIAD_STAGGERED_FOURIER_WAVES) return 1;
  return b->dims[0] > 1 || b->dims[1] > 1 || setup->n[0] / 2 + 1 < b->size;
}

void triad_staggered_choose_pressure(triad_staggered_setup *setup, const triad_case *given, int size)
{
  int line, cosines = triad_staggered_waves_of(setup, &line) == TRIAD_STAGGERED_COSINE_WAVES;
  if (((size > 1 && cosines) || !triad_device_transforms()) && leaves_pressure_to_gpu(given))
    setup->pressure = TRIAD_STAGGERED_CG_POLYNOMIAL;
}

int triad_staggered_expects_gpu(const triad_case *given, const triad_staggered_setup *setup,
                                const triad_partition *blocks, int *expected)
{
  *expected = triad_device_expected(&triad_staggered_devices, given);
  if (!*expected || !is_without_slabs(setup, blocks)) return TRIAD_OK;
  *expected = 0;
  if (triad_case_is(given, "parallel.device", "auto")) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"%s\" on %d ranks: %s; or use parallel.device = \"cpu\"",
                    triad_case_word(given, "parallel.device"), blocks->size, slabs);
}

int triad_staggered_choose_device(triad_staggered_flow *f)
{
  int expected, offload; /* the solver has no code for it */
  int st = triad_staggered_expects_gpu(f->given, &f->setup, &f->blocks, &expected);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  if (is_without_slabs(&f->setup, &f->blocks) && triad_case_is(f->given, "parallel.device", "auto")) return TRIAD_OK;
  TRIAD_TRY(triad_device_choose(&f->device, &offload, &triad_staggered_devices, f->context, f->given));
  f->loops = triad_staggered_loops_of(f->device != NULL);
  return TRIAD_OK;
}

void triad_staggered_describe_device(const triad_staggered_flow *f, triad_log *log)
{
  int ranks = f->context->comm.size;
  if (f->device && ranks > 1)
    triad_log_info(log, "  time steps run on GPUs: %s; halos by transport %s", triad_device_name(f->device),
                   f->loops->transport(f));
  else if (f->device) triad_log_info(log, "  time steps run on a GPU: %s", triad_device_name(f->device));
  else if (triad_device_count() > 0 && triad_case_is(f->given, "parallel.device", "auto")) {
    const char *why = triad_device_refusal(&triad_staggered_devices, f->given);
    triad_log_info(log, "  time steps run on the CPU, not on a GPU: %s",
                   why                                       ? why
                   : is_without_slabs(&f->setup, &f->blocks) ? slabs
                                                             : "not every rank has a GPU");
  }
}
