/* Exchange CUDA IPC handles with the other ranks of a node and map their GPU memory. */
#include "parallel/transports/windows.h"
#include "parallel/cuda.h"

#include <stdlib.h>

static int map(char **window, const cudaIpcMemHandle_t *all, int me, const int *rank, int n)
{
  for (int i = 0; i < n; i++) {
    if (rank[i] == me) continue;
    cudaError_t error = cudaIpcOpenMemHandle((void **)&window[i], all[rank[i]], cudaIpcMemLazyEnablePeerAccess);
    if (error == cudaSuccess) continue;
    window[i] = NULL;
    (void)cudaGetLastError();
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.transport: the GPU memory of rank %d cannot be mapped (%s): use \"nccl\" or \"staged\"",
                      rank[i], cudaGetErrorString(error));
  }
  return TRIAD_OK;
}

int triad_gpu_windows_open(char **window, const triad_comm *comm, void *mine, const int *rank, int n)
{
  cudaIpcMemHandle_t handle, *all = calloc((size_t)comm->size, sizeof *all);
  for (int i = 0; i < n; i++) window[i] = NULL;
  int st = all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "IPC handles of %d ranks", comm->size);
  if (st == TRIAD_OK) st = TRIAD_CU(cudaIpcGetMemHandle(&handle, mine));
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allgather(&handle, (int)sizeof handle, MPI_BYTE, all, (int)sizeof handle,
                                                   MPI_BYTE, comm->mpi)));
  if (st == TRIAD_OK) st = triad_agree(comm, map(window, all, comm->rank, rank, n));
  free(all);
  return st;
}

void triad_gpu_windows_close(char **window, int n)
{
  for (int i = 0; i < n; i++) {
    if (window[i]) (void)cudaIpcCloseMemHandle(window[i]);
    window[i] = NULL;
  }
}
