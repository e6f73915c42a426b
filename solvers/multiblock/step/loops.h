/* The loops of a step on one device. step/ puts them in order; host/host_loops.c runs them on the CPU, gpu/gpu_loops.c
 * on a GPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_LOOPS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_LOOPS_H

#include "parallel/sum.h"
#include "solvers/multiblock/state/flow.h"

/* The result of a stage. A state: in flow->u, while flow->u0 stores that at the start of the step. If all stages begin
 * with the state at the start, no copy is needed: it stays in flow->u until the last stage, and each stage writes its
 * primitives to the memory of flow->u0, which is then exchanged with that of flow->q. */
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

/* The flow's own fields of the state (those in which limiters were frozen are on the host only): for reading, writing,
 * or to be set as a whole (grid/state.h). Not collective. */
static inline int triad_multiblock_read_flow(triad_multiblock_flow *flow, triad_where where)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) TRIAD_TRY(triad_state_read(flow->state, m, where, NULL));
  return TRIAD_OK;
}

static inline int triad_multiblock_write_flow(triad_multiblock_flow *flow, triad_where where)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) TRIAD_TRY(triad_state_write(flow->state, m, where, NULL));
  return TRIAD_OK;
}

/* A stage: with R the sum of fluxes out of a cell less its source, u = start u0 + last u - rate dt/V R. dt/V is that
 * if dt > 0; else cfl over the cell's rate; if cfl is 0 too, flow->step itself. */
typedef struct triad_multiblock_stage {
  int number; /* from 0; sums of R^2/V are computed in the first one */
  triad_real start, last, rate, cfl, dt;
  triad_multiblock_leaves leaves;
  /* results of the CPU's loops: sums of R^2/V; in the last stage of inviscid flow, the largest rate over volume; cells
   * without positive density or pressure */
  double squares[TRIAD_MULTIBLOCK_FIELDS], most;
  int64_t bad;
} triad_multiblock_stage;

/* Tiles: all of them; those that need no halo from a message; the others. */
typedef enum triad_multiblock_tiles {
  TRIAD_MULTIBLOCK_ALL_TILES,
  TRIAD_MULTIBLOCK_EARLY_TILES,
  TRIAD_MULTIBLOCK_LATE_TILES
} triad_multiblock_tiles;

/* Halo cells: all of them; those that messages fill, with the edges that depend on them. */
typedef enum triad_multiblock_places {
  TRIAD_MULTIBLOCK_ALL_PLACES,
  TRIAD_MULTIBLOCK_LATE_PLACES
} triad_multiblock_places;

/* Integrals of quantities that may be conserved, added exactly, so that rounding does not look like a drift. */
enum { TRIAD_MULTIBLOCK_ENERGY, TRIAD_MULTIBLOCK_MASS, TRIAD_MULTIBLOCK_TOTALS };

/* A failure of a kernel is stored until settle, and nothing is launched after it. */
typedef struct triad_multiblock_loops {
  triad_where where; /* which copy of the state they read and write */

  /* primitives of the state */
  void (*primitives)(triad_multiblock_flow *flow);
  /* halos beyond boundary faces of the primitives, fluxes through these faces */
  void (*boundaries)(triad_multiblock_flow *flow);
  /* the exchange of halos of the primitives; collective */
  void (*begin)(triad_multiblock_flow *flow);
  void (*end)(triad_multiblock_flow *flow);
  /* edges of halos that nothing else fills, then temperature and viscosity of these cells */
  void (*derived)(triad_multiblock_flow *flow, triad_multiblock_places places);

  /* set flow->source from the formulas at time t and the current primitives. NULL: not supported, and the device
   * refuses such cases */
  void (*sources)(triad_multiblock_flow *flow, double t);

  /* compute a stage of these tiles; make its results the flow */
  void (*sweep)(triad_multiblock_flow *flow, triad_multiblock_stage *stage, triad_multiblock_tiles tiles);
  void (*finish_stage)(triad_multiblock_flow *flow, const triad_multiblock_stage *stage);

  /* implicit steps (implicit.h): 1/(V/dt + rate) of all cells, which is c over their rates; change 0, from it and the
   * residual alone; the halos of a change; a Jacobi sweep from change `from` to `to`; the state after a change */
  void (*implicit_steps)(triad_multiblock_flow *flow, double c);
  void (*first_change)(triad_multiblock_flow *flow);
  void (*exchange_change)(triad_multiblock_flow *flow, int change);
  void (*relax)(triad_multiblock_flow *flow, int from, int to);
  void (*apply_change)(triad_multiblock_flow *flow, int change);

  /* limiter factors of the current flow (freeze.h) */
  void (*freeze)(triad_multiblock_flow *flow);

  double (*largest_rate)(triad_multiblock_flow *flow); /* over volume, of this rank's cells */

  /* Charge the time since flow->charged to a phase (state/phases.h). A GPU does so only if phases are timed separately
   * (triad bench). */
  void (*charge)(triad_multiblock_flow *flow, int phase);
  void (*time_apart)(triad_multiblock_flow *flow, int on);

  /* copy flow->squares, most, bad to the host. Collective if it fails. */
  int (*settle)(triad_multiblock_flow *flow);

  /* add this rank's energy and mass to sums; limited: cells whose pressure slope a limiter reduces to less than half.
   * Fluxes and friction at boundary faces are on the host afterwards. Collective; agreed. */
  int (*totals)(triad_multiblock_flow *flow, triad_sum sums[TRIAD_MULTIBLOCK_TOTALS], double *limited);

  /* for triad bench: numbers that a rank reads and writes in a step; bytes that it sends in a stage; the transport */
  double (*moved)(const triad_multiblock_flow *flow);
  int64_t (*sent_bytes)(const triad_multiblock_flow *flow);
  const char *(*transport)(const triad_multiblock_flow *flow);

  void (*free)(triad_multiblock_flow *flow); /* memory of the loops */
} triad_multiblock_loops;

#endif
