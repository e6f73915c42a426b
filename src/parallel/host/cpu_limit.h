/* The CPU quota of this process, as a number of cores. */
#ifndef TRIAD_PARALLEL_HOST_CPU_LIMIT_H
#define TRIAD_PARALLEL_HOST_CPU_LIMIT_H

#include "parallel/host/bind.h"

/* triad_cpu_limit with other files instead of /proc/self/cgroup and /sys/fs/cgroup. */
double triad_cpu_limit_of(const char *membership, const char *root);

#endif
