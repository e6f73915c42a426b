/* Measurements that do not depend on the solver: copy bandwidth, memory, the median of a list of times. */
#ifndef TRIAD_RUN_BENCH_BENCH_MEASURE_H
#define TRIAD_RUN_BENCH_BENCH_MEASURE_H

#include "run/bench/bench.h"

/* Advance a flow of the case by one step that is not clipped to an output time; a solution that is no longer finite is
 * an error with a message. Collective. */
int triad_bench_advance(const triad_solver *solver, void *flow, const triad_case *given);

/* Copy bandwidth of all ranks and threads at once, read + write [bytes/s]: the best of some copies of 32 MiB a thread.
 * Collective. */
int triad_bench_copies(triad_context *context, double *bandwidth);

/* Resident memory at its highest, of all ranks and of the rank that has most [bytes]. Collective. */
int triad_bench_memory(const triad_comm *comm, double *all, double *largest);

/* Seconds per step that `triad run` needs in addition to computing, averaged over many steps on this rank: stop
 * requests, the watchdog, output times, progress. The test for finite values and the agreement on requests are part of
 * the reduction for dt and cost nothing more. TRIAD_ERR_MEMORY. Not collective. */
int triad_bench_checks(const triad_comm *comm, const triad_case *given, double *seconds);

/* The middle of a list, which it sorts. Not collective. */
double triad_bench_median(double *list, int n);

/* Compute median and quartiles of times[options->steps], the median of references (with options->reference), and the
 * bandwidth limit from r->bytes and r->copy_bandwidth. Sorts both lists. Not collective. */
void triad_bench_summarise(const triad_bench_options *options, double *times, double *references,
                           triad_bench_result *r);

#endif
