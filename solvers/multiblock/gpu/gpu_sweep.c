/* Chooses the kernels of a stage by the Riemann solver of the case. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "base/status.h"

int triad_multiblock_gpu_sweep(const triad_multiblock_gpu *g, const triad_multiblock_gpu_stage *stage, void *stream)
{
  static int (*const sweeps[])(const triad_multiblock_gpu *, const triad_multiblock_gpu_stage *, void *) = {
#define SWEEP(kind, ...) [kind] = triad_multiblock_gpu_sweep_##kind,
    TRIAD_GAS_FLUXES(SWEEP)
#undef SWEEP
  };
  if (g->begin[TRIAD_MULTIBLOCK_GPU_KINDS] == 0) return TRIAD_OK;
  return sweeps[g->riemann](g, stage, stream);
}
