/* The time that steps spend on each kind of output, and a warning for a kind that costs more than 2 % of a run. */
#ifndef TRIAD_RUN_OUTPUT_COSTS_H
#define TRIAD_RUN_OUTPUT_COSTS_H

#include "base/log.h"
#include "run/output_kinds.h"

/* A kind may cost this fraction of the time since the first step; a younger run is not judged, since its first files
 * are a large part of it. */
#define TRIAD_OUTPUT_COST 0.02
enum { TRIAD_OUTPUT_COST_AFTER = 60 /* s */ };

typedef struct triad_output_costs {
  double begin;                 /* of the first step [s, triad_now]; 0: none yet */
  double spent[TRIAD_OUTPUT_N]; /* s */
  unsigned warned;              /* kinds, a bit each */
} triad_output_costs;

/* A write of a kind took so many seconds. The files of the start, before the first step, are not counted. Not
 * collective, as everything here. */
void triad_output_costs_add(triad_output_costs *costs, int kind, double seconds);

/* Warn of each kind that costs too much at time `now`, once in a run; names and keys of the kinds are from
 * output_kinds.h, interval[kind] from the case. */
void triad_output_costs_judge(triad_output_costs *costs, triad_log *log, double now, const double *interval);

/* At the end: one line with the share of each kind above 0.1 %; none for a run younger than a minute. */
void triad_output_costs_report(const triad_output_costs *costs, triad_log *log, double now);

#endif
