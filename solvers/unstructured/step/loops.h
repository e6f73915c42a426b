/* The table of loops of a stage, for one device: transport.c calls them in order, host_loops.c implements them for the
 * CPU, gpu_loops.c for a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_LOOPS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_LOOPS_H

#include "parallel/sum.h"
#include "solvers/unstructured/points/after_points.h"
#include "solvers/unstructured/points/component_points.h"

struct triad_unstructured_flow;

/* Early: cells whose values other ranks see, and surfaces of zones. Late: the others. */
typedef enum triad_unstructured_share { TRIAD_UNSTRUCTURED_EARLY, TRIAD_UNSTRUCTURED_LATE } triad_unstructured_share;

/* Faces between own cells, to ghosts, outer ones. */
typedef enum triad_unstructured_faces {
  TRIAD_UNSTRUCTURED_OWN_FACES,
  TRIAD_UNSTRUCTURED_GHOST_FACES,
  TRIAD_UNSTRUCTURED_OUTER_FACES
} triad_unstructured_faces;

/* Zones of bricks run transport, limits and correction as a whole once the limits of listed cells are known, while
 * these are communicated; without a limiter, during the correction. Joined zones take part in the exchange of limits
 * and continue in `joined` once these have arrived. begin, end: exchange n numbers of each cell with the ghosts;
 * collective. settle returns the failure of a kernel. */
typedef struct triad_unstructured_loops {
  void (*beyond)(struct triad_unstructured_flow *flow);
  void (*gradients)(struct triad_unstructured_flow *flow, triad_unstructured_share share);
  void (*widen)(struct triad_unstructured_flow *flow,
                triad_unstructured_share share); /* if slope and gradient differ */
  void (*fluxes)(struct triad_unstructured_flow *flow, triad_unstructured_faces faces, int low);
  /* add viscous fluxes to all faces; low: to the low-order ones and their waves too (viscous.h) */
  void (*viscous)(struct triad_unstructured_flow *flow, int low);
  void (*rates)(struct triad_unstructured_flow *flow); /* flow->rate, available after settle */
  void (*transported)(struct triad_unstructured_flow *flow, triad_unstructured_share share, double dt);
  /* component_points.h, for all faces and cells; there are no bricks then */
  void (*prelimit)(struct triad_unstructured_flow *flow);
  void (*component_bounds)(struct triad_unstructured_flow *flow);
  void (*component_parts)(struct triad_unstructured_flow *flow, double dt);
  void (*component_limits)(struct triad_unstructured_flow *flow); /* limit and count fluxes */
  /* including limiter factors of their faces */
  void (*limits)(struct triad_unstructured_flow *flow, triad_unstructured_share share, double dt, int last);
  void (*ghost_parts)(struct triad_unstructured_flow *flow, double dt);
  void (*joined)(struct triad_unstructured_flow *flow, double dt, int last); /* NULL: no zone is joined (domain.h) */
  void (*corrected)(struct triad_unstructured_flow *flow, triad_unstructured_share share, double dt, int last);
  void (*values)(struct triad_unstructured_flow *flow); /* from the current state */
  void (*crossed)(struct triad_unstructured_flow *flow, double dt);
  /* acceleration and heating by formula: find flow->source from the current values at time t; add dt times it to the
   * values of own cells and twins, and with `last` to the state too, adding volume times it to sums[1 .. 4]. NULL: not
   * supported, and the device refuses such cases */
  void (*sources)(struct triad_unstructured_flow *flow, double t);
  void (*push)(struct triad_unstructured_flow *flow, double dt, int last, triad_sum sums[5]);
  /* sponges: state and values of own cells and twins; flow->passed after settle */
  void (*draw)(struct triad_unstructured_flow *flow, double dt);
  void (*mean)(struct triad_unstructured_flow *flow,
               double w); /* add the current values, weighted with w, to the averages */
  /* sums over own cells, added to the arguments (after_points.h). Not collective */
  int (*look_over)(struct triad_unstructured_flow *flow, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                   double most[TRIAD_UNSTRUCTURED_MAX]);
  /* watch: set the n cells, owned by the caller, whose values pick copies to out[5][n]. Not collective */
  int (*watch)(struct triad_unstructured_flow *flow, const int32_t *cell, int64_t n);
  int (*pick)(struct triad_unstructured_flow *flow, triad_real *out);
  void (*begin)(struct triad_unstructured_flow *flow, const triad_unstructured_numbers *numbers, int n);
  void (*end)(struct triad_unstructured_flow *flow);
  /* copy rate, bad cells and counts of limited faces to the host */
  int (*settle)(struct triad_unstructured_flow *flow);
} triad_unstructured_loops;

/* Gradients share memory with bounds and limiter factors (or the arrays of the component limiter), which replace them
 * later. Returns the numbers needed for these entries and faces. Limits have memory of their own. */
static inline int64_t triad_unstructured_work_size(int64_t places, int64_t faces, int gradients, int components)
{
  const int64_t then = components ? 2 * TRIAD_UNSTRUCTURED_COMPONENTS * places
                                  : TRIAD_UNSTRUCTURED_BOUNDS * places + TRIAD_UNSTRUCTURED_PARTS * faces;
  return gradients && TRIAD_UNSTRUCTURED_GRADIENT * places > then ? TRIAD_UNSTRUCTURED_GRADIENT * places : then;
}

/* Set the pointers into `work`, after `gradient` has been set. */
static inline void triad_unstructured_share_work(triad_unstructured_view *v, triad_real *work, int64_t faces, int wide,
                                                 int components)
{
  if (!wide) v->slope = v->gradient;
  v->bound = v->gradient;
  if (components)
    v->limit = (triad_unstructured_numbers){v->gradient.at + TRIAD_UNSTRUCTURED_COMPONENTS * v->gradient.pitch,
                                            v->gradient.pitch};
  else v->part = (triad_unstructured_numbers){work + TRIAD_UNSTRUCTURED_BOUNDS * v->gradient.pitch, faces};
}

/* Size of td, or of the waves of faces, which use its memory before td exists. */
static inline int64_t triad_unstructured_td_size(const triad_unstructured_view *v, int64_t slots)
{
  return TRIAD_UNSTRUCTURED_FIELDS * v->td.pitch > slots ? TRIAD_UNSTRUCTURED_FIELDS * v->td.pitch : slots;
}

/* td and anti share one block of memory: earlier it holds slopes, later the waves of faces. td, slope: pitches, 0 if
 * not needed; slots: pitch of faces; high: 1 if there are antidiffusive fluxes. Returns the numbers needed.
 * `triad_unstructured_place_stages` sets the pointers into `at`; first, slope: the first cells whose td and
 * slopes are stored. */
static inline int64_t triad_unstructured_size_stages(triad_unstructured_view *v, int64_t td, int64_t slope,
                                                     int64_t slots, int high)
{
  v->td.pitch = td;
  v->anti.pitch = high ? slots : 0;
  v->slope.pitch = slope;
  const int64_t stages = triad_unstructured_td_size(v, slots) + TRIAD_UNSTRUCTURED_FIELDS * v->anti.pitch,
                slopes = TRIAD_UNSTRUCTURED_GRADIENT * slope;
  return stages > slopes ? stages : slopes;
}

static inline void triad_unstructured_place_stages(triad_unstructured_view *v, triad_real *at, int64_t first,
                                                   int64_t slope, int64_t slots)
{
  v->speed = at;
  v->td.at = at - first;
  v->anti.at = v->anti.pitch > 0 ? at + triad_unstructured_td_size(v, slots) : NULL;
  v->slope.at = v->slope.pitch > 0 ? at - slope : NULL;
}

extern const triad_unstructured_loops triad_unstructured_host_loops;

#endif
