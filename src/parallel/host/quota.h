/* How much processor time a control group (a container, a batch job) allows. */
#ifndef TRIAD_PARALLEL_HOST_QUOTA_H
#define TRIAD_PARALLEL_HOST_QUOTA_H

/* CPUs' worth of time that this process may use, e.g. 2.5; 0 if nothing limits it. The least of its cgroup and all
 * above it, versions 1 and 2 (cpu.max; cpu.cfs_quota_us). A quota does not show in the affinity mask, so that a
 * container of 2 CPUs on a machine of 64 would else start 64 threads. Linux only; elsewhere 0. */
double triad_cpu_quota(void);

/* The same with other files in place of /proc/self/cgroup and /sys/fs/cgroup. */
double triad_cpu_quota_of(const char *membership, const char *root);

#endif
