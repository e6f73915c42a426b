/* Memory of a node's GPUs as this rank sees it, by CUDA IPC: what copies and kernels of this rank read and write
 * there. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_WINDOWS_H
#define TRIAD_PARALLEL_TRANSPORTS_WINDOWS_H

#include "parallel/comm.h"

/* A window is whole pieces of so many bytes: CUDA packs smaller ones together, and who maps one would map its
 * neighbours. */
enum { TRIAD_GPU_WINDOW_PIECE = 2 << 20 };

/* window[i]: where the window of rank[i] begins, for i < n, NULL for this rank's own. mine: a window of device memory
 * (triad_device_alloc). After a failure, too, they are to be closed. TRIAD_ERR_FEATURE where one cannot be mapped,
 * TRIAD_ERR_MEMORY. Collective; agreed. */
int triad_gpu_windows_open(char **window, const triad_comm *comm, void *mine, const int *rank, int n);

/* Not collective; nothing may use them any more, here or, before their owner gives the memory back, elsewhere. */
void triad_gpu_windows_close(char **window, int n);

#endif
