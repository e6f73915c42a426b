/* Where each rank of a run sits, and what to say about it: a compact table, warnings, JSON for the provenance file. */
#ifndef TRIAD_PARALLEL_HOST_CORES_H
#define TRIAD_PARALLEL_HOST_CORES_H

#include <stdint.h>

/* One rank. Sent between ranks as bytes. */
typedef struct triad_place {
  char host[64];
  char cpus[128]; /* hardware threads it may run on, "0-3,8" as the operating system numbers them; ends in ... if cut */
  char numa[32];  /* memory nodes of those CPUs                                                                       */
  char gpu[64];   /* name of the GPU it takes; "" for none                                                          */
  char gpu_bus[32]; /* its PCI address                                                                                */
  int32_t gpu_ranks; /* ranks of the node that take it                */
  int32_t rank;
  int32_t node;             /* lowest rank on the same node: tells nodes apart                       */
  int32_t local_rank;       /* among the ranks of its node                                           */
  int32_t threads;          /* that it runs                                                          */
  int32_t cores;            /* that it may run on                                                    */
  int32_t hardware_threads; /* of those cores                                                        */
  int32_t same_core;        /* ranks of its node confined to the very core it is confined to, or 0   */
  int32_t node_cores;       /* of the node, as far as the job is allowed on it                       */
  int32_t ranks_cores;      /* cores that at least one rank of the node may run on                   */
  double quota;             /* CPUs' worth of time for the node's ranks together; 0: no limit        */
} triad_place;

/* Order by node, then local rank: what the functions below expect. */
void triad_cores_sort(triad_place *place, int n);

/* Text to be freed by the caller, NULL if there is no memory. Equal nodes are folded into one, and so are ranks that
 * follow each other on a node and sit alike. No line end after the last line; "" if there is nothing to warn of.
 * The warnings: more threads than cores; a rank bound to fewer cores than it has threads; ranks bound to one core;
 * ranks that share a GPU. */
char *triad_cores_text(const triad_place *place, int n);
char *triad_cores_warnings(const triad_place *place, int n);

/* {"ranks":N,"nodes":[{"host":"a","cores":8,"quota":null,"ranks":[{"rank":0,"threads":4,"cores":4,
 *  "hardware_threads":8,"cpus":"0-7","numa":"0"},...]},...]}, and "gpu" and "gpu_bus" of a rank that has one. */
char *triad_cores_json(const triad_place *place, int n);

#endif
