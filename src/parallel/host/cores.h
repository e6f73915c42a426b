/* Bindings of all ranks of a run: a compact table, warnings, and JSON for the provenance file. */
#ifndef TRIAD_PARALLEL_HOST_CORES_H
#define TRIAD_PARALLEL_HOST_CORES_H

#include <stdint.h>

/* The binding of one rank. Sent between ranks as bytes. */
typedef struct triad_place {
  char host[64];
  char cpus[128]; /* hardware threads it may run on, "0-3,8" as the operating system numbers them; ends in ... if cut */
  char numa[32];  /* memory nodes of those CPUs                                                                       */
  char gpu[64];   /* name of its GPU; "" for none */
  char gpu_bus[32]; /* its PCI address                                                                                */
  int32_t gpu_ranks; /* ranks of the node that use this GPU */
  int32_t rank;
  int32_t node;             /* lowest rank on the same node; identifies the node */
  int32_t local_rank;       /* index among the ranks of its node */
  int32_t threads;          /* number of threads */
  int32_t cores;            /* cores that it may run on */
  int32_t hardware_threads; /* of those cores                                                        */
  int32_t same_core;        /* ranks of its node bound to the same single core; 0 if it may use more cores */
  int32_t node_cores;       /* cores of the node that the job may use */
  int32_t ranks_cores;      /* cores that at least one rank of the node may run on                   */
  double quota;             /* CPUs' worth of time for the node's ranks together; 0: no limit        */
} triad_place;

/* Sort by node, then local rank, as the functions below require. */
void triad_cores_sort(triad_place *place, int n);

/* Text that the caller frees; NULL if memory is not sufficient. Equal nodes are shown once, and so are consecutive
 * ranks of a node with equal bindings. No line break after the last line; "" if there are no warnings. Warnings: more
 * threads than cores; a rank bound to fewer cores than threads; ranks bound to one core; ranks that share a GPU. */
char *triad_cores_text(const triad_place *place, int n);
char *triad_cores_warnings(const triad_place *place, int n);

/* {"ranks":N,"nodes":[{"host":"a","cores":8,"quota":null,"ranks":[{"rank":0,"threads":4,"cores":4,
 * "hardware_threads":8,"cpus":"0-7","numa":"0"},...]},...]}, with "gpu" and "gpu_bus" for a rank that has a GPU. */
char *triad_cores_json(const triad_place *place, int n);

#endif
