/* Assign a GPU to each rank of a node before any rank uses one. */
#ifndef TRIAD_PARALLEL_HOST_GPUS_H
#define TRIAD_PARALLEL_HOST_GPUS_H

#include "parallel/host/bind.h"
#include "parallel/device.h"

enum { TRIAD_GPUS_MAX = 32 }; /* maximum number of GPUs per process */

/* A GPU as one rank sees it. Sent between ranks as bytes. */
typedef struct triad_gpu_offer {
  char bus[TRIAD_DEVICE_BUS]; /* PCI address: the same GPU has the same one for every rank of the node */
  int32_t near;               /* 1: the rank may run on cores close to it */
} triad_gpu_offer;

/* Assign GPUs. offers[r][i], i < count[r]: GPUs that rank r of the node sees; choice[r]: the index chosen for it, -1
 * if it sees none. In the order of ranks each takes a GPU used by the fewest ranks; among these one close to its
 * cores; among these the lowest number. The result is the same on every rank. Not collective. */
void triad_gpus_deal(int ranks, const int32_t *count, const triad_gpu_offer (*offers)[TRIAD_GPUS_MAX], int *choice);

/* Choose this rank's GPU: its number for triad_device_create, -1 if it sees none; *sharers: number of ranks that use
 * it. binding (may be NULL) says which GPUs are close. Creates no context on any GPU. Collective; agreed. */
int triad_gpus_choose(int *number, int *sharers, const triad_comm *comm, const triad_binding *binding);

/* GPU memory that each run started by this process may use [bytes], when several runs share a GPU in this or other
 * processes; 0 (the initial value): what is free when it starts. A setting of the process; not collective. */
void triad_gpus_set_share(int64_t bytes);
int64_t triad_gpus_share(void);

#endif
