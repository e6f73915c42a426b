/* Map the memory windows of the GPUs of the node with CUDA IPC, for copies and kernels of this rank. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_WINDOWS_H
#define TRIAD_PARALLEL_TRANSPORTS_WINDOWS_H

#include "parallel/comm.h"

/* A window is a multiple of this many bytes: CUDA packs smaller allocations together, and mapping one would map its
 * neighbours. */
enum { TRIAD_GPU_WINDOW_PIECE = 2 << 20 };

/* Open the windows of rank[i], i < n: window[i] is the start, NULL for this rank's own. mine: this rank's window of
 * device memory (triad_device_alloc). Close them also after a failure. TRIAD_ERR_FEATURE if one cannot be mapped,
 * TRIAD_ERR_MEMORY. Collective; agreed. */
int triad_gpu_windows_open(char **window, const triad_comm *comm, void *mine, const int *rank, int n);

/* Not collective. Nothing may use the windows any more, here or, before their owner frees the memory, elsewhere. */
void triad_gpu_windows_close(char **window, int n);

#endif
