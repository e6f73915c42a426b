/* What `triad bench` measures whatever the solver: copies, memory, and the middle of a list of times. */
#ifndef TRIAD_RUN_BENCH_MEASURE_H
#define TRIAD_RUN_BENCH_MEASURE_H

#include "run/bench.h"

/* Copy bandwidth of all ranks and threads at once, read + write [bytes/s]: the best of some copies of 32 MiB a thread.
 * Collective. */
int triad_bench_copies(triad_context *context, double *bandwidth);

/* Resident memory at its highest, of all ranks and of the rank that has most [bytes]. Collective. */
int triad_bench_memory(const triad_comm *comm, double *all, double *largest);

/* Seconds a step of what `triad run` does in it besides computing, mean of many, on this rank: stop requests, the
 * watchdog, what is due, progress. That values are finite and that all ranks heed a request is part of the reduction
 * which finds dt, and costs nothing more. TRIAD_ERR_MEMORY. Not collective. */
int triad_bench_checks(const triad_comm *comm, const triad_case *given, double *seconds);

/* The middle of a list, which it sorts. Not collective. */
double triad_bench_median(double *list, int n);

/* Median and quartiles of times[options->steps], the median of references (with options->reference), and the floor,
 * which follows from r->bytes and r->copy_bandwidth. Sorts both lists. Not collective. */
void triad_bench_summarise(const triad_bench_options *options, double *times, double *references,
                           triad_bench_result *r);

#endif
