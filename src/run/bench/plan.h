/* Predict the seconds of a step on a machine, from the counts of a solver (solvers/plan.h) and the rates of the machine
 * (store/machine.h). docs/scaling.md has the formulae. */
#ifndef TRIAD_RUN_BENCH_PLAN_H
#define TRIAD_RUN_BENCH_PLAN_H

#include "solvers/plan.h"
#include "store/formats/machine.h"

/* Parts of a step, in the order of the report. The last one is no part but the overlap of messages and transforms,
 * below 0. */
enum triad_plan_phase {
  TRIAD_PLAN_Z,
  TRIAD_PLAN_Y,
  TRIAD_PLAN_X,
  TRIAD_PLAN_TRANSPOSES,
  TRIAD_PLAN_POINTS,
  TRIAD_PLAN_UPDATE,
  TRIAD_PLAN_WITHIN,  /* messages between ranks of a node        */
  TRIAD_PLAN_BETWEEN, /* those to other nodes, by their bytes    */
  TRIAD_PLAN_STARTS,  /* cost of starting messages, independent of their size */
  TRIAD_PLAN_HIDDEN,
  TRIAD_PLAN_PHASES
};
extern const char *const triad_planned_phase_name[TRIAD_PLAN_PHASES];

typedef struct triad_plan_times {
  double s[TRIAD_PLAN_PHASES], step_s;
  int64_t nodes, node_ranks; /* of the job; ranks of a node                        */
  double sent, sent_out;     /* bytes of a rank in a step; out of its node         */
  /* mean bytes of a message between groups; times of files, 0 if the disk's speed is not given */
  double message, checkpoint_s, fields_s;
} triad_plan_times;

/* Estimate times. path: that of the machine file, for messages. node_ranks: ranks per node; 0: as many as it has cores
 * or GPUs. TRIAD_ERR_CASE: the machine file lacks values that this plan needs. Not collective. */
int triad_plan_times_of(const triad_plan *plan, const triad_plan_ranks *ranks, const triad_machine *machine,
                        const char *path, int node_ranks, triad_plan_times *out);

#endif
