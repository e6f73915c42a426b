/* Which GPU each rank takes: dealt among the ranks of a node before any of them uses one. */
#ifndef TRIAD_PARALLEL_HOST_GPUS_H
#define TRIAD_PARALLEL_HOST_GPUS_H

#include "parallel/host/bind.h"
#include "parallel/device.h"

enum { TRIAD_GPUS_MOST = 32 }; /* that a process is asked about */

/* A GPU as one rank sees it. Sent between ranks as bytes. */
typedef struct triad_gpu_offer {
  char bus[TRIAD_DEVICE_BUS]; /* PCI address: the same GPU has the same one for every rank of the node */
  int32_t near;               /* the rank may run on cores beside it                                   */
} triad_gpu_offer;

/* offers[r][i], i < count[r]: what rank r of a node sees -> choice[r], its number i, -1 where it sees none. In the
 * order of ranks each takes a GPU that the fewest have taken; of these one near its cores; of these the one with the
 * lowest number. The same on every rank. Not collective. */
void triad_gpus_deal(int ranks, const int32_t *count, const triad_gpu_offer (*offers)[TRIAD_GPUS_MOST], int *choice);

/* This rank's GPU: its number for triad_device_create, -1 where it sees none; *sharers: ranks that have taken it.
 * binding: tells what is near, may be NULL. Makes no context on any GPU. Collective; agreed. */
int triad_gpus_choose(int *number, int *sharers, const triad_comm *comm, const triad_binding *binding);

/* What each run that this process begins may take of its GPU [bytes], as others take theirs there at the same time,
 * by turns or in other processes; 0, as it is at first: what is free when it begins. Of the process; not collective. */
void triad_gpus_set_share(int64_t bytes);
int64_t triad_gpus_share(void);

#endif
