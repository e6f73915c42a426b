/* Rows of bricks on the CPU (host_bricks.c): the buffers of some layers of a zone, and the loops over one row. For
 * host_brick*.c. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICKS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICKS_H

#include "solvers/unstructured/state/flow.h"
#include "solvers/unstructured/host/host_lanes.h"

/* A ring buffer of the last `depth` layers, n numbers per cell; rows have one more cell and layers one more row at
 * both ends. */
typedef struct triad_unstructured_ring {
  triad_real *at;
  int n, depth;
} triad_unstructured_ring;

/* value, before: primitive values, current and at the start of the step; low, anti: fluxes through the upper faces
 * across the three axes, 5 numbers each. */
/* begin: offset in `memory` of the rings of each zone; joined zones, which are processed in two parts, have rings of
 * their own. */
struct triad_unstructured_bricks {
  triad_unstructured_ring value, before, low, anti, td, bound, limit;
  int64_t row, layer; /* entries per row, and per number of a layer */
  int first;          /* 1: first stage of a step; current values are those at its start */
  triad_real *memory, *room;
  int64_t *begin;
};
typedef struct triad_unstructured_bricks triad_unstructured_bricks;

/* Number k of cell x of row y of layer z is at[k pitch + x]. */
static inline triad_unstructured_numbers triad_unstructured_ring_row(const triad_unstructured_bricks *b,
                                                                     const triad_unstructured_ring *ring, int y, int z)
{
  const int slot = (z + ring->depth) % ring->depth;
  return (triad_unstructured_numbers){ring->at + (int64_t)slot * ring->n * b->layer + (y + 1) * b->row + 1, b->layer};
}

/* The numbers across one axis of a ring of faces. */
static inline triad_unstructured_numbers triad_unstructured_row_across(triad_unstructured_numbers faces, int axis)
{
  return (triad_unstructured_numbers){faces.at + axis * TRIAD_UNSTRUCTURED_FIELDS * faces.pitch, faces.pitch};
}

/* Input of a row of faces: values at the start of the step on both sides; current values of the two cells below each
 * face and the two above; layer numbers (box_points.h) along x, or of the two layers adjacent to faces across
 * another axis; part: fractions of the differences between cells that give the values on both sides of the face, if
 * they are the same along the row. The area is `area`, times the lengths along x for faces across another axis. */
typedef struct triad_unstructured_face_row {
  triad_unstructured_numbers before[2], value[4], low, anti;
  const triad_real *along[TRIAD_UNSTRUCTURED_BOX_NUMBERS];
  triad_real part[4], area, sign;
  triad_gas_riemann riemann;
  int n, coordinate, x;
} triad_unstructured_face_row;

/* A row of cells: v addresses them as 0 .. n - 1. side: fluxes across lower and upper x, y, z along the zone's axes;
 * near: bounds, or values, across these sides; parts: buffer for the limiter factors of a row of fluxes. */
typedef struct triad_unstructured_cell_row {
  triad_unstructured_view v;
  triad_unstructured_numbers side[TRIAD_MESH_ZONE_SIDES], near[TRIAD_MESH_ZONE_SIDES], before;
  triad_real dt, *parts;
  int64_t first; /* number of the first cell */
  int n, last;
} triad_unstructured_cell_row;

/* A zone and the state of a thread: its rows begin to end - 1; the current row; buffers for layer numbers along x,
 * array by array, and for limiter factors. */
typedef struct triad_unstructured_going {
  triad_unstructured_flow *flow;
  triad_unstructured_bricks *b;
  const triad_mesh_zone *zone;
  const triad_unstructured_box *box;
  triad_real *along[TRIAD_UNSTRUCTURED_BOX_NUMBERS], *parts;
  triad_unstructured_cell_row *row;
  tally *t;
  triad_laps *laps; /* of this thread */
  double dt;
  int last, begin, end;
} triad_unstructured_going;

static inline int64_t triad_unstructured_cell_at(const triad_unstructured_going *w, int y, int z)
{
  return w->zone->cell + w->zone->n[0] * (y + w->zone->n[1] * (int64_t)z);
}

/* host_brick_edges.c, for row y of layer z. values: current values, including those across the zone's sides; bounds:
 * bounds across these sides; outer: fluxes of faces on them; cut_outer: their limitation, once the limits of the cells
 * are known; tell_twins: copy these limits to the ghost copies of joined sides. */
void triad_unstructured_bricks_values(const triad_unstructured_going *w, int y, int z);
void triad_unstructured_bricks_bounds(const triad_unstructured_going *w, int y, int z);
void triad_unstructured_bricks_outer(const triad_unstructured_going *w, int y, int z);
void triad_unstructured_bricks_cut_outer(const triad_unstructured_going *w, int y, int z);
void triad_unstructured_bricks_tell_twins(const triad_unstructured_going *w, int y, int z);

/* Copy bounds of the first layer to the ghost copies of the joined side. */
enum { TRIAD_UNSTRUCTURED_JOINED_SIDE = 4 };
void triad_unstructured_bricks_tell_bounds(const triad_unstructured_going *w, int y);

/* host_twins.c: gradients and bounds of ghost copies, except those of joined sides; gradients of the latter; values of
 * all. */
void triad_unstructured_twin_gradients(triad_unstructured_flow *flow);
void triad_unstructured_joined_gradients(triad_unstructured_flow *flow);
void triad_unstructured_twin_bounds(triad_unstructured_flow *flow, double dt);
void triad_unstructured_twin_values(triad_unstructured_flow *flow);

/* Loops of a domain with bricks (loops.h), including those of listed cells. */
extern const triad_unstructured_loops triad_unstructured_brick_loops;

#endif
