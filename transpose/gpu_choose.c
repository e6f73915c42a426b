/* Which transport between GPUs: the carriers of parallel/gpu_carrier.h, for the exchange of a transform. */
#include "parallel/gpu_carrier.h"
#include "transpose/gpu_transport.h"

#include <string.h>

_Static_assert((int)TRIAD_GPU_TRANSPORTS == (int)TRIAD_GPU_CARRIERS, "a transport for each carrier");

int triad_gpu_transport_choose(const triad_gpu_transport **out, const char *word, const triad_context *context,
                               const triad_device *device)
{
  static const triad_gpu_transport *const of[TRIAD_GPU_CARRIERS] = {[TRIAD_GPU_NCCL] = &triad_gpu_nccl,
                                                                    [TRIAD_GPU_IPC] = &triad_gpu_ipc,
                                                                    [TRIAD_GPU_PUT] = &triad_gpu_put,
                                                                    [TRIAD_GPU_STAGED] = &triad_gpu_staged,
                                                                    [TRIAD_GPU_CUDA_MPI] = &triad_gpu_cuda_mpi};
  triad_gpu_carrier carrier;
  TRIAD_TRY(triad_gpu_carrier_choose(&carrier, word, context, device));
  /* as they came out where they were timed (docs/performance.md); a flow times them itself (solvers/spectral/step/gpu_fastest.h) */
  if (carrier == TRIAD_GPU_IPC && strcmp(word, "auto") == 0) carrier = TRIAD_GPU_PUT;
  *out = of[carrier];
  return TRIAD_OK;
}

int triad_gpu_exchange_transports(triad_context *context, const triad_device *device, const char **names, int *n)
{
  return triad_gpu_carrier_list(context, device, names, n);
}
