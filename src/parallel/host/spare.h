/* Cores that no step keeps busy. */
#ifndef TRIAD_PARALLEL_HOST_SPARE_H
#define TRIAD_PARALLEL_HOST_SPARE_H

#include "parallel/comm.h"

#include <sched.h>

/* *spare <- how many of the cores in this rank's set the threads of the ranks of its node leave free, 0 or less if
 * none. A rank that may run on more cores than it has threads is taken to use them evenly; a quota of processor time
 * counts as fewer cores. cpus, threads: of this rank. TRIAD_ERR_MEMORY. Collective. */
int triad_spare_cores(const triad_comm *comm, const cpu_set_t *cpus, int threads, double *spare);

#endif
