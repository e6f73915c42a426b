/* The loops of a step on one device. step/ puts them in order; host/host_loops.c runs them on the CPU, gpu/gpu_loops.c
 * on a GPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_LOOPS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_LOOPS_H

#include "parallel/sum.h"
#include "solvers/multiblock/state/flow.h"

/* What a stage leaves. A state: in flow->u, that at the start of the step being kept in flow->u0. If all stages begin
 * with the start, that need not be kept: it stays in flow->u until the last of them, and each leaves its primitives in
 * the memory of flow->u0, which then changes places with that of flow->q. */
typedef enum triad_multiblock_leaves {
  TRIAD_MULTIBLOCK_STATE,
  TRIAD_MULTIBLOCK_PRIMITIVES,
  TRIAD_MULTIBLOCK_BOTH
} triad_multiblock_leaves;

/* stage: from 0 */
static inline triad_multiblock_leaves triad_multiblock_leaves_of(const triad_multiblock_setup *setup, int stage)
{
  const triad_scheme *s = &setup->scheme;
  if (setup->implicit) return TRIAD_MULTIBLOCK_STATE;
  for (int k = 0; k < s->n_stages; k++)
    if (s->stage[k].last > 0 || s->stage[k].last < 0) return TRIAD_MULTIBLOCK_STATE;
  return stage < s->n_stages - 1 ? TRIAD_MULTIBLOCK_PRIMITIVES : TRIAD_MULTIBLOCK_BOTH;
}

/* A stage: with R the sum of fluxes out of a cell less its source, u = start u0 + last u - rate dt/V R. dt/V is that
 * if dt > 0; else cfl over the cell's rate; if cfl is 0 too, flow->step itself. */
typedef struct triad_multiblock_stage {
  int number; /* from 0; sums of R^2/V are found in the first one */
  triad_real start, last, rate, cfl, dt;
  triad_multiblock_leaves leaves;
  /* found by the CPU's loops: sums of R^2/V; of a last stage of inviscid flow, the largest rate over volume; cells of
   * primitives without positive density or pressure */
  double squares[TRIAD_MULTIBLOCK_FIELDS], most;
  int64_t bad;
} triad_multiblock_stage;

/* Tiles: all of them; those that need no halo that a message fills; the others. */
typedef enum triad_multiblock_tiles {
  TRIAD_MULTIBLOCK_ALL_TILES,
  TRIAD_MULTIBLOCK_EARLY_TILES,
  TRIAD_MULTIBLOCK_LATE_TILES
} triad_multiblock_tiles;

/* Places: all of them; those that messages fill, with the edges that follow from them. */
typedef enum triad_multiblock_places {
  TRIAD_MULTIBLOCK_ALL_PLACES,
  TRIAD_MULTIBLOCK_LATE_PLACES
} triad_multiblock_places;

/* Integrals of what may be conserved, added exactly: their rounding is not to look like a drift. */
enum { TRIAD_MULTIBLOCK_ENERGY, TRIAD_MULTIBLOCK_MASS, TRIAD_MULTIBLOCK_TOTALS };

/* A failure of a kernel is kept until settle, and nothing is launched after it. */
typedef struct triad_multiblock_loops {
  triad_where where; /* which copy of the state they read and write */

  /* primitives of the state */
  void (*primitives)(triad_multiblock_flow *flow);
  /* halos beyond boundary faces of the primitives, fluxes through these faces */
  void (*boundaries)(triad_multiblock_flow *flow);
  /* the exchange of halos of the primitives; collective */
  void (*begin)(triad_multiblock_flow *flow);
  void (*end)(triad_multiblock_flow *flow);
  /* edges of halos that nothing else fills, then temperature and viscosity of these places */
  void (*derived)(triad_multiblock_flow *flow, triad_multiblock_places places);

  /* a stage of these tiles; then its results are the flow */
  void (*sweep)(triad_multiblock_flow *flow, triad_multiblock_stage *stage, triad_multiblock_tiles tiles);
  void (*finish_stage)(triad_multiblock_flow *flow, const triad_multiblock_stage *stage);

  /* implicit steps (implicit.h): 1/(V/dt + rate) of all cells, which is c over their rates; change 0, by that and the
   * residual alone; its halos; a sweep of Jacobi's from change `from` to `to`; the state after a change */
  void (*implicit_steps)(triad_multiblock_flow *flow, double c);
  void (*first_change)(triad_multiblock_flow *flow);
  void (*exchange_change)(triad_multiblock_flow *flow, int change);
  void (*relax)(triad_multiblock_flow *flow, int from, int to);
  void (*apply_change)(triad_multiblock_flow *flow, int change);

  /* parts that limiters leave, from the flow as it is (freeze.h). NULL: the device's refusal says so */
  void (*freeze)(triad_multiblock_flow *flow);

  double (*largest_rate)(triad_multiblock_flow *flow); /* over volume, of this rank's cells */

  /* Charge the time since flow->charged to a phase. A GPU does so only in steps that are timed apart (triad bench). */
  void (*charge)(triad_multiblock_flow *flow, enum triad_phase phase);
  void (*time_apart)(triad_multiblock_flow *flow, int on);

  /* flow->squares, most, bad are on the host from here on. Collective if it fails. */
  int (*settle)(triad_multiblock_flow *flow);

  /* adds this rank's energy and mass to sums; cells whose slope of pressure a limiter cuts to less than half. Fluxes
   * and friction at boundary faces are on the host from here on. Collective; agreed. */
  int (*totals)(triad_multiblock_flow *flow, triad_sum sums[TRIAD_MULTIBLOCK_TOTALS], double *limited);

  /* of a step, for triad bench: numbers that a rank reads and writes; bytes that it sends in a stage, and by what */
  double (*moved)(const triad_multiblock_flow *flow);
  int64_t (*sent_bytes)(const triad_multiblock_flow *flow);
  const char *(*transport)(const triad_multiblock_flow *flow);

  void (*free)(triad_multiblock_flow *flow); /* their own memory */
} triad_multiblock_loops;

#endif
