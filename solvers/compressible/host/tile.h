/* A tile: some rows of a block that a thread processes in the sweeps along all axes while they are in its cache. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_HOST_TILE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_HOST_TILE_H

#include "solvers/compressible/state/internal.h"

/* Room for the lanes, the halo of a sweep along x, and a margin that keeps rows on cache lines. */
enum { TRIAD_COMPRESSIBLE_ROW = TRIAD_COMPRESSIBLE_LANES + 16, TRIAD_COMPRESSIBLE_WAVES_ROW = 32 };

typedef triad_real triad_compressible_row[TRIAD_COMPRESSIBLE_ROW];

struct triad_compressible_scratch {
  triad_laps laps;
  triad_compressible_row flux[6][5];              /* point fluxes of six rows in turn; along x, of one             */
  triad_compressible_row below[10], above[2][10]; /* edges of U, then of the flux; this row's and the last one's   */
  triad_compressible_row face[2][5];              /* fluxes through the faces below this row and the last one      */
  triad_compressible_row stress[5][4];            /* viscous fluxes of five rows in turn                           */
  triad_compressible_row shocked[6], upwind[5];   /* of hybrid fluxes: cells of six rows in turn; WENO's faces     */
  /* Of faces, WAVES_ROW at a time: U and flux of six cells as waves; what these are made with; their sizes; epsilon of
   * entropy and of sound in U, then in the flux; twice the flux of each wave, or for fluxes of the list twice the
   * values of U and flux below the face, then above it. */
  triad_real waves[2][6][5][TRIAD_COMPRESSIBLE_WAVES_ROW];
  triad_real frame[12][TRIAD_COMPRESSIBLE_WAVES_ROW];
  triad_real size[3][TRIAD_COMPRESSIBLE_WAVES_ROW];
  triad_real epsilon[4][TRIAD_COMPRESSIBLE_WAVES_ROW];
  triad_real edge[4][5][TRIAD_COMPRESSIBLE_WAVES_ROW];
  triad_real rate[5][TRIAD_COMPRESSIBLE_TILE_Z * TRIAD_COMPRESSIBLE_TILE_Y * TRIAD_COMPRESSIBLE_LANES];
};

typedef struct triad_compressible_tile {
  const triad_compressible *w;
  triad_real *const *u;
  triad_compressible_scratch *s;
  int64_t low[3], n[3];
  triad_real dt;
} triad_compressible_tile;

/* Rates of point (0, y, z) of the tile, field f, x fastest. */
static inline triad_real *triad_compressible_rate(const triad_compressible_tile *t, int f, int64_t y, int64_t z)
{
  return t->s->rate[f] + (z * t->n[1] + y) * TRIAD_COMPRESSIBLE_LANES;
}

/* Place in a field of point (0, y, z) of the tile. */
static inline int64_t triad_compressible_place(const triad_compressible_tile *t, int64_t y, int64_t z)
{
  return triad_partition_at(&t->w->blocks, t->low[0], t->low[1] + y, t->low[2] + z);
}

/* Vectors of five in the order of flux_points.h for faces across `axis`: fields, and velocities among the
 * primitives. */
static inline void triad_compressible_order(int axis, int field[5], int velocity[3])
{
  for (int i = 0; i < 3; i++) velocity[i] = (axis + i) % 3;
  field[0] = 0;
  for (int i = 0; i < 3; i++) field[1 + i] = 1 + velocity[i];
  field[4] = 4;
}

/* Add the inviscid rates across `axis` (`first`: set them), by WENO, by central fluxes or by either, and the viscous
 * ones, from fluxes at points or at faces. */
void triad_compressible_sweep(const triad_compressible_tile *t, int axis, int first);
void triad_compressible_central_sweep(const triad_compressible_tile *t, int axis, int first);
void triad_compressible_hybrid_sweep(const triad_compressible_tile *t, int axis, int first);
void triad_compressible_viscous_sweep(const triad_compressible_tile *t, int axis);
void triad_compressible_viscous_faces_sweep(const triad_compressible_tile *t, int axis);

/* Rows of faces: lanes side by side, each a face of its own. */
typedef struct triad_compressible_faces {
  triad_compressible_gas gas;
  triad_compressible_weights weights;
  triad_compressible_variables variables;
  triad_compressible_riemann riemann;
  triad_gas_riemann listed;
  int limits, positivity; /* limit upwind fluxes; and all others */
  triad_real ratio;       /* 2 (number of axes) dt/h */
} triad_compressible_faces;

/* What a sweep of a tile across an axis works with. */
typedef struct triad_compressible_march {
  const triad_compressible_tile *t;
  triad_compressible_faces faces;
  int axis, field[5], velocity[3], first; /* the order of flux_points.h; is it the tile's first sweep? */
  triad_compressible_wall_kind wall[2];   /* of the tile's faces below and above along the axis        */
  int64_t step;                           /* from point to point along the axis                        */
  triad_real per_spacing;
} triad_compressible_march;

/* What the tile's faces at its lower or upper end along an axis are. */
static inline triad_compressible_wall_kind triad_compressible_tile_wall(const triad_compressible_tile *t, int axis,
                                                                        int upper)
{
  const int at_end = upper ? t->low[axis] + t->n[axis] == t->w->blocks.local[axis] : t->low[axis] == 0;
  return at_end ? triad_compressible_wall_at(t->w, axis, upper) : TRIAD_COMPRESSIBLE_OPEN;
}

/* The six cells around a face as (rho, u_n, u_s, u_t, T), lowest first, and their U, in the order of flux_points.h; by
 * components also their point fluxes; the two that touch the face. Pointers to lane 0. */
typedef struct triad_compressible_stencil {
  const triad_real *q[6][5], *u[6][5], *f[6][5], *a[5], *b[5];
} triad_compressible_stencil;

/* A march along y or z at row `other` of the remaining axis: place of its row 0; what the tile's scratch holds of
 * it, so that nothing is made twice: point fluxes of six rows up to, not with, `fluxes`, row r's in slot (r + 6) %
 * 6; in above[r & 1] upper edges of row r = `edges`. */
typedef struct triad_compressible_rows {
  int64_t start, fluxes, edges;
} triad_compressible_rows;

#endif
