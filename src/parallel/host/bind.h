/* Which cores this rank may use, as the launcher and the batch system left them, and how many threads that suggests. */
#ifndef TRIAD_PARALLEL_HOST_BIND_H
#define TRIAD_PARALLEL_HOST_BIND_H

#include "base/log.h"
#include "parallel/comm.h"
#include "parallel/host/cores.h"

#include <stddef.h>

typedef struct triad_binding triad_binding;

/* Look at this rank's affinity mask (with the places of OpenMP, where it has bound its first thread already), at the
 * ranks beside it on the node, and at the CPU quota. Collective. Call before OpenMP threads are bound otherwise. */
int triad_binding_create(triad_binding **out, const triad_comm *comm);
void triad_binding_destroy(triad_binding **binding);

/* Threads to run: OMP_NUM_THREADS where it is set; else this rank's share of the cores, at least 1: its own cores where
 * ranks are bound apart, and an even part of those that ranks have in common, within the CPU quota. Not collective. */
int triad_binding_threads(const triad_binding *binding);

/* This rank's place; `threads` is 0 until triad_binding_gather. */
const triad_place *triad_binding_place(const triad_binding *binding);

/* Do this rank's cores lie beside the PCI device at an address such as "0000:3b:00.0"? 1 also where the system does not
 * say. Not collective. */
int triad_binding_near(const triad_binding *binding, const char *bus);

/* What kind of node this is: "AMD EPYC 9654, 32 cores". Not collective. */
void triad_binding_node(const triad_binding *binding, char *text, size_t size);

/* Before the gather: the GPU that this rank takes, and how many ranks take it. Not collective. */
void triad_binding_seat(triad_binding *binding, const char *name, const char *bus, int sharers);

/* Tell rank 0 where every rank sits, with the threads it runs. Collective; once. */
int triad_binding_gather(triad_binding *binding, const triad_comm *comm, int threads);

/* The places of all ranks in the order of cores.h, and how many: on rank 0 after the gather, else NULL and 0.
 * triad_cores_json of them is the binding table of the provenance file. */
const triad_place *triad_binding_places(const triad_binding *binding, int *n);

/* On rank 0: the table at level info, and each warning. Not collective; elsewhere nothing. */
void triad_binding_log(const triad_binding *binding, triad_log *log);

/* How much processor time a control group (a container, a batch job) allows (cpu_limit.c).
 *
 * CPUs' worth of time that this process may use, e.g. 2.5; 0 if nothing limits it. The least of its cgroup and all
 * above it, versions 1 and 2 (cpu.max; cpu.cfs_quota_us). A quota does not show in the affinity mask, so that a
 * container of 2 CPUs on a machine of 64 would else start 64 threads. Linux only; elsewhere 0. */
double triad_cpu_limit(void);

/* The same with other files in place of /proc/self/cgroup and /sys/fs/cgroup. */
double triad_cpu_limit_of(const char *membership, const char *root);

#endif
