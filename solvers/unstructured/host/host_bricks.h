/* Rows of bricks on the CPU (host_bricks.c): what is kept of some layers of a zone, and one row of them. For
 * host_brick*.c. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICKS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICKS_H

#include "solvers/unstructured/state/flow.h"
#include "solvers/unstructured/host/host_lanes.h"

/* Numbers of the last `depth` layers, n of each cell; layers and rows have a cell more at both ends, layers a row. */
typedef struct triad_fct_ring {
  triad_real *at;
  int n, depth;
} triad_fct_ring;

/* value, before: primitive values, and those at the start of the step; low, anti: what passes the upper faces across
 * the three axes, 5 numbers each. */
/* begin: of each zone, where in `memory` its rings are; joined ones, which are left and come back to in a stage,
 * have their own. */
struct triad_fct_bricks {
  triad_fct_ring value, before, low, anti, td, bound, limit;
  int64_t row, layer; /* places of a row, and of a number of a layer                    */
  int first;          /* in the first stage of a step? Then values are those at its start */
  triad_real *memory, *room;
  int64_t *begin;
};
typedef struct triad_fct_bricks triad_fct_bricks;

/* host_brick_rings.c: for the zones of bricks of a domain; how many numbers that is, for one with rows of nx and
 * layers of ny of them; and for a thread, behind these, where there are more rows of nx; the rings of a zone. */
int triad_fct_bricks_take(triad_fct_bricks **bricks, const triad_fct_domain *domain);
int64_t triad_fct_bricks_numbers(int64_t nx, int64_t ny);
int64_t triad_fct_bricks_room(int64_t nx);
void triad_fct_bricks_lay_out(triad_fct_bricks *bricks, const triad_fct_domain *domain, int zone);
void triad_fct_bricks_drop(triad_fct_bricks **bricks, triad_memory *memory);

/* Number k of cell x of row y of layer z is at[k pitch + x]. */
static inline triad_fct_numbers triad_fct_ring_row(const triad_fct_bricks *b, const triad_fct_ring *ring, int y, int z)
{
  const int slot = (z + ring->depth) % ring->depth;
  return (triad_fct_numbers){ring->at + (int64_t)slot * ring->n * b->layer + (y + 1) * b->row + 1, b->layer};
}

/* Of those of faces, the numbers across one axis. */
static inline triad_fct_numbers triad_fct_row_across(triad_fct_numbers faces, int axis)
{
  return (triad_fct_numbers){faces.at + axis * TRIAD_FCT_FIELDS * faces.pitch, faces.pitch};
}

/* What faces of a row are made of: values at the start of the step on both sides; values in use of the two cells
 * below each face and the two above; numbers of layers (fct_box_points.h) along x, and of the two layers beside
 * faces across other axes; by what part of differences values at the face differ from those in the cell below and
 * above it, where that is the same all along the row. Areas are area, times lengths along x where faces are across
 * another axis. */
typedef struct triad_fct_face_row {
  triad_fct_numbers before[2], value[4], low, anti;
  const triad_real *along[TRIAD_FCT_BOX_NUMBERS];
  triad_real part[4], area, sign;
  int n, coordinate, hllc, x;
} triad_fct_face_row;

/* Cells of a row: v has them as 0 .. n - 1. side: fluxes across lower and upper x, y, z, along the zone's axes;
 * near: bounds, or values, across them; parts: room for what is left of a row of fluxes. */
typedef struct triad_fct_cell_row {
  triad_fct_view v;
  triad_fct_numbers side[TRIAD_MESH_ZONE_SIDES], near[TRIAD_MESH_ZONE_SIDES], before;
  triad_real dt, *parts;
  int64_t first; /* number of the first cell */
  int n, last;
} triad_fct_cell_row;

/* A zone, and what a thread has: rows begin to end - 1; the row it is at; room for numbers of layers along x, array
 * by array, and parts. */
typedef struct triad_fct_going {
  triad_fct_flow *flow;
  triad_fct_bricks *b;
  const triad_mesh_zone *zone;
  const triad_fct_box *box;
  triad_real *along[TRIAD_FCT_BOX_NUMBERS], *parts;
  triad_fct_cell_row *row;
  tally *t;
  double dt;
  int last, begin, end;
} triad_fct_going;

static inline int64_t triad_fct_cell_at(const triad_fct_going *w, int y, int z)
{
  return w->zone->cell + w->zone->n[0] * (y + w->zone->n[1] * (int64_t)z);
}

/* host_brick_edges.c, for row y of layer z: values, in use, with those across the zone's sides beside it; bounds
 * there; fluxes of its faces there, and what is left of these when its cells' limits are known; these limits, as
 * twins of joined sides have them. */
void triad_fct_bricks_values(const triad_fct_going *w, int y, int z);
void triad_fct_bricks_bounds(const triad_fct_going *w, int y, int z);
void triad_fct_bricks_outer(const triad_fct_going *w, int y, int z);
void triad_fct_bricks_cut_outer(const triad_fct_going *w, int y, int z);
void triad_fct_bricks_tell_twins(const triad_fct_going *w, int y, int z);

/* Bounds of the first layer, for twins of the joined side. */
enum { TRIAD_FCT_JOINED_SIDE = 4 };
void triad_fct_bricks_tell_bounds(const triad_fct_going *w, int y);

/* host_twins.c: gradients and bounds of twins but those of joined sides; gradients of these; values of all. */
void triad_fct_twin_gradients(triad_fct_flow *flow);
void triad_fct_joined_gradients(triad_fct_flow *flow);
void triad_fct_twin_bounds(triad_fct_flow *flow, double dt);
void triad_fct_twin_values(triad_fct_flow *flow);

/* host_brick_rows.c: a row of faces, or of cells. */
void triad_fct_row_fluxes(const triad_fct_gas *gas, const triad_fct_face_row *row);
/* Area times the faster wave of a cell's sides, over its volume: the largest one of each lane. per_length:
 * of each coordinate, in layers (fct_box_points.h) of the row's first cell; axis: of each coordinate. */
void triad_fct_row_rates(const triad_fct_cell_row *row, const triad_real *const per_length[3], const int axis[3],
                         tally *t);
/* Values of n cells by their state; of the speed of sound one division serves both. */
void triad_fct_row_values(const triad_fct_view *v, int64_t first, int n, triad_fct_numbers to);
void triad_fct_row_transported(const triad_fct_cell_row *row);
void triad_fct_row_limits(const triad_fct_cell_row *row);
/* Of antidiffusive fluxes `anti` to the cells across, whose limits and 1/V are `near` and `per_volume`, only their
 * part is left. */
void triad_fct_row_cut(const triad_fct_cell_row *row, int n, triad_fct_numbers anti, triad_fct_numbers near,
                       const triad_real *per_volume, tally *t);
void triad_fct_row_corrected(const triad_fct_cell_row *row, tally *t);

/* Loops of bricks (loops.h), with those of lists beside them. */
extern const triad_fct_loops triad_fct_brick_loops;

#endif
