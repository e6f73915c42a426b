/* Free memory of this rank's node, and the processes that use the rest. */
#ifndef TRIAD_PARALLEL_HOST_HOST_MEMORY_H
#define TRIAD_PARALLEL_HOST_HOST_MEMORY_H

#include "parallel/comm.h"

#include <stdint.h>

typedef struct triad_host_memory {
  char host[64];
  int ranks;           /* ranks of this job on the node */
  int64_t free, total; /* bytes: available to the node's processes, within the control group's limit */
  int limited;         /* 1 if the control group (a container, a batch job) sets the limit */
  char holders[256];   /* the largest processes: "paraview (pid 123) 4.1 GB, ..."; "" if none is visible */
} triad_host_memory;

/* free = total = 0 if the system does not provide them. Collective (ranks of a node are counted). */
int triad_host_memory_measure(triad_host_memory *room, const triad_comm *comm);

/* The two parts of the measurement, with other files instead of /proc and /sys/fs/cgroup; -1: no limit. Not
 * collective. */
int64_t triad_host_memory_available(const char *meminfo, int64_t *total);
int64_t triad_host_memory_group_left(const char *membership, const char *root);

#endif
