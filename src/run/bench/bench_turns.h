/* Timing of several concurrent flows in one process, for `triad bench --at-once`. */
#ifndef TRIAD_RUN_BENCH_BENCH_TURNS_H
#define TRIAD_RUN_BENCH_BENCH_TURNS_H

#include "run/bench/bench.h"

/* bench_turns.c: run options->at_once flows of the case concurrently for options->steps steps each, after a warm-up,
 * in this thread (parallel/fibers.h), like runs of a sweep, without output. Returns the wall-clock time per step of
 * one of them [s], from the end of all warm-ups to the end of the last flow. On one rank. */
int triad_bench_turns(triad_context *context, const triad_case *given, const triad_bench_options *options,
                      double *seconds);

#endif
