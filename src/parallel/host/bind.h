/* The cores that this rank may use, as set by the launcher and the batch system, and the number of threads for them. */
#ifndef TRIAD_PARALLEL_HOST_BIND_H
#define TRIAD_PARALLEL_HOST_BIND_H

#include "base/log.h"
#include "parallel/comm.h"
#include "parallel/host/cores.h"

#include <stddef.h>

typedef struct triad_binding triad_binding;

/* Read this rank's affinity mask (including OpenMP places if its first thread is already bound), those of the other
 * ranks on the node, and the CPU quota. Collective. Call it before OpenMP threads are bound differently. */
int triad_binding_create(triad_binding **out, const triad_comm *comm);
void triad_binding_destroy(triad_binding **binding);

/* Number of threads to run: OMP_NUM_THREADS if set; else this rank's share of the cores, at least 1: its own cores if
 * ranks are bound separately, an equal part of shared cores, within the CPU quota. Not collective. */
int triad_binding_threads(const triad_binding *binding);

/* This rank's binding; `threads` is 0 until triad_binding_gather. */
const triad_place *triad_binding_place(const triad_binding *binding);

/* Returns 1 if this rank's cores are close to the PCI device with an address such as "0000:3b:00.0", or if the system
 * does not provide this information. Not collective. */
int triad_binding_near(const triad_binding *binding, const char *bus);

/* A description of this node: "AMD EPYC 9654, 32 cores". Not collective. */
void triad_binding_node(const triad_binding *binding, char *text, size_t size);

/* Before the gather: set the GPU of this rank, and the number of ranks that use it. Not collective. */
void triad_binding_seat(triad_binding *binding, const char *name, const char *bus, int sharers);

/* Send the bindings and thread counts of all ranks to rank 0. Collective; once. */
int triad_binding_gather(triad_binding *binding, const triad_comm *comm, int threads);

/* The bindings of all ranks in the order of cores.h, and their number: on rank 0 after the gather, else NULL and 0.
 * triad_cores_json prints them as the binding table of the provenance file. */
const triad_place *triad_binding_places(const triad_binding *binding, int *n);

/* On rank 0: print the table at level info, and all warnings. Not collective; does nothing on other ranks. */
void triad_binding_log(const triad_binding *binding, triad_log *log);

/* The processor time that a control group (a container, a batch job) allows (cpu_limit.c).
 *
 * Returns the CPUs' worth of time that this process may use, for example 2.5; 0: no limit. It is the minimum over its
 * cgroup and all parents, versions 1 and 2 (cpu.max; cpu.cfs_quota_us). A quota is not part of the affinity mask, so
 * that without it a container of 2 CPUs on a machine of 64 would start 64 threads. Linux only; elsewhere 0. */
double triad_cpu_limit(void);

#endif
