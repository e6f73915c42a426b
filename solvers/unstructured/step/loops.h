/* The loops of a stage, on one device: transport.c puts them in order, host_loops.c runs them on the CPU,
 * gpu_loops.c on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_LOOPS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_LOOPS_H

#include "parallel/sum.h"
#include "solvers/unstructured/points/fct_after_points.h"
#include "solvers/unstructured/points/fct_component_points.h"

struct triad_fct_flow;

/* Cells whose values other ranks see, with the surfaces of zones; and the others. */
typedef enum triad_fct_share { TRIAD_FCT_EARLY, TRIAD_FCT_LATE } triad_fct_share;

/* Faces between own cells, to ghosts, outer ones. */
typedef enum triad_fct_faces { TRIAD_FCT_OWN_FACES, TRIAD_FCT_GHOST_FACES, TRIAD_FCT_OUTER_FACES } triad_fct_faces;

/* Zones of bricks go through the whole of transport, limits and the correction once the limits of listed cells are
 * known, while these are on their way; without a limiter, at the time of the correction. Those that are joined to
 * other ranks take part in the limits that are exchanged, and go on by `joined`, when these have come. begin, end:
 * the exchange of the ghosts of n numbers of each cell; collective. A failure of a kernel is told by settle. */
typedef struct triad_fct_loops {
  void (*beyond)(struct triad_fct_flow *flow);
  void (*gradients)(struct triad_fct_flow *flow, triad_fct_share share);
  void (*widen)(struct triad_fct_flow *flow, triad_fct_share share); /* where slope is not gradient */
  void (*fluxes)(struct triad_fct_flow *flow, triad_fct_faces faces, int low);
  /* added to the fluxes of all faces; low: to the low-order ones, and their waves, too (fct_viscous.h) */
  void (*viscous)(struct triad_fct_flow *flow, int low);
  void (*rates)(struct triad_fct_flow *flow); /* flow->rate, with what settle brings */
  void (*transported)(struct triad_fct_flow *flow, triad_fct_share share, double dt);
  /* fct_component_points.h, of all faces and cells: these are no bricks */
  void (*prelimit)(struct triad_fct_flow *flow);
  void (*component_bounds)(struct triad_fct_flow *flow);
  void (*component_parts)(struct triad_fct_flow *flow, double dt);
  void (*component_limits)(struct triad_fct_flow *flow); /* fluxes are cut, and counted */
  /* with parts of their faces */
  void (*limits)(struct triad_fct_flow *flow, triad_fct_share share, double dt, int last);
  void (*ghost_parts)(struct triad_fct_flow *flow, double dt);
  void (*joined)(struct triad_fct_flow *flow, double dt, int last); /* NULL: no zone is joined (domain.h) */
  void (*corrected)(struct triad_fct_flow *flow, triad_fct_share share, double dt, int last);
  void (*values)(struct triad_fct_flow *flow); /* of the state as it is */
  void (*crossed)(struct triad_fct_flow *flow, double dt);
  /* sponges: state and values of own cells and twins; flow->passed, with what settle brings */
  void (*draw)(struct triad_fct_flow *flow, double dt);
  void (*mean)(struct triad_fct_flow *flow, double w); /* the values as they are, with the share w, to means */
  /* of own cells, to which is added (fct_after_points.h). Not collective */
  int (*look_over)(struct triad_fct_flow *flow, triad_sum sums[TRIAD_FCT_SUMS], double most[TRIAD_FCT_MOST]);
  /* From here on pick brings values of these n cells, which stay the caller's: out[5][n]. Not collective */
  int (*watch)(struct triad_fct_flow *flow, const int32_t *cell, int64_t n);
  int (*pick)(struct triad_fct_flow *flow, triad_real *out);
  void (*begin)(struct triad_fct_flow *flow, const triad_fct_numbers *numbers, int n);
  void (*end)(struct triad_fct_flow *flow);
  /* rate, bad cells, counts of limited faces: on the host from here on */
  int (*settle)(struct triad_fct_flow *flow);
} triad_fct_loops;

/* Gradients, and later bounds, with parts of faces behind them, or what components have: these lie where those were.
 * Numbers that all of it takes, of so many places and faces; and where they are. Limits have a place of their own. */
static inline int64_t triad_fct_work_size(int64_t places, int64_t faces, int gradients, int components)
{
  const int64_t then =
    components ? 2 * TRIAD_FCT_COMPONENTS * places : TRIAD_FCT_BOUNDS * places + TRIAD_FCT_PARTS * faces;
  return gradients && TRIAD_FCT_GRADIENT * places > then ? TRIAD_FCT_GRADIENT * places : then;
}

/* work: where it begins; gradient is placed. */
static inline void triad_fct_share_work(triad_fct_view *v, triad_real *work, int64_t faces, int wide, int components)
{
  if (!wide) v->slope = v->gradient;
  v->bound = v->gradient;
  if (components)
    v->limit = (triad_fct_numbers){v->gradient.at + TRIAD_FCT_COMPONENTS * v->gradient.pitch, v->gradient.pitch};
  else v->part = (triad_fct_numbers){work + TRIAD_FCT_BOUNDS * v->gradient.pitch, faces};
}

/* Room for td, or for the waves of faces, which are asked for before there is td. */
static inline int64_t triad_fct_td_size(const triad_fct_view *v, int64_t slots)
{
  return TRIAD_FCT_FIELDS * v->td.pitch > slots ? TRIAD_FCT_FIELDS * v->td.pitch : slots;
}

/* Memory of td and anti, one behind the other: before there are these, slopes lie there, and when these have been
 * used, waves. td, slope: pitches, of 0 where there are none; slots: that of faces; high: are there antidiffusive
 * fluxes? Returns how many numbers that is. `triad_fct_place_stages`: it is at `at`; first, slope: the cells whose
 * td and slopes are the first ones there. */
static inline int64_t triad_fct_size_stages(triad_fct_view *v, int64_t td, int64_t slope, int64_t slots, int high)
{
  v->td.pitch = td;
  v->anti.pitch = high ? slots : 0;
  v->slope.pitch = slope;
  const int64_t stages = triad_fct_td_size(v, slots) + TRIAD_FCT_FIELDS * v->anti.pitch,
                slopes = TRIAD_FCT_GRADIENT * slope;
  return stages > slopes ? stages : slopes;
}

static inline void triad_fct_place_stages(triad_fct_view *v, triad_real *at, int64_t first, int64_t slope,
                                          int64_t slots)
{
  v->speed = at;
  v->td.at = at - first;
  v->anti.at = v->anti.pitch > 0 ? at + triad_fct_td_size(v, slots) : NULL;
  v->slope.at = v->slope.pitch > 0 ? at - slope : NULL;
}

extern const triad_fct_loops triad_fct_host_loops;

#endif
