/* The cost of a step of a case, counted without creating a flow, for `triad plan`: work by kind on the busiest rank,
 * and messages by size. src/run/bench/plan.h converts it to seconds with the rates of a machine (store/machine.h). */
#ifndef TRIAD_SOLVERS_PLAN_H
#define TRIAD_SOLVERS_PLAN_H

#include "case/case.h"
#include "solvers/needs.h"

#include <stdint.h>

/* On what. split: groups of ranks that share planes, and ranks of a group; {ranks, 1} are slabs. */
typedef struct triad_plan_ranks {
  int ranks, threads; /* threads: of a rank; 1 where it has a GPU */
  int gpu;            /* each rank has one */
  int64_t split[2];
} triad_plan_ranks;

/* Messages that a rank sends in a step. */
typedef struct triad_plan_messages {
  int64_t peers; /* whom it sends to      */
  double number; /* all                   */
  double bytes;  /* of all of them        */
} triad_plan_messages;

typedef struct triad_plan {
  int single, stages, transforms;
  int64_t length[3];                   /* of lines along x, y, z                                             */
  double line_points[3];               /* that go through lines: real ones along x, complex ones along y, z  */
  double moved;                        /* complex numbers that are gathered or scattered                     */
  double values;                       /* at points, read or made                                            */
  double mode_bytes;                   /* that the update of the modes reads and writes                      */
  double kept_bytes;                   /* that passes leave at points for later ones and these read          */
  double set_bytes;                    /* of the work columns                                                */
  int64_t chunks;                      /* of planes, in a pass                                               */
  triad_plan_messages between, within; /* groups that share planes; one of them                */
  triad_needs needs;                   /* as check fills them in (solvers/solver.h)                          */
} triad_plan;

typedef struct triad_plan_part {
  /* TRIAD_ERR_CASE: the ranks cannot be split so; TRIAD_ERR_FEATURE: the case has something that is not counted.
   * Nothing of the size of the grid is allocated. Not collective. */
  int (*count)(const triad_case *given, const triad_plan_ranks *ranks, triad_plan *plan);

  /* a case whose steps give the rates of moved and values; the caller sets grid.n */
  const char *probe;
} triad_plan_part;

#endif
