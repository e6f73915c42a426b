/* A tile: a few rows of the block that a thread takes through all sweeps while they are in its cache. */
#ifndef TRIAD_SOLVERS_WENO_TILE_H
#define TRIAD_SOLVERS_WENO_TILE_H

#include "solvers/weno/own.h"

/* Room for the lanes, the halo of a sweep along x, and a margin that keeps rows on cache lines. */
enum { TRIAD_WENO_ROW = TRIAD_WENO_LANES + 16, TRIAD_WENO_WAVES_ROW = 32 };

typedef triad_real triad_weno_row[TRIAD_WENO_ROW];

struct triad_weno_scratch {
  triad_weno_row flux[6][5];                      /* point fluxes of six rows in turn; along x, of one             */
  triad_weno_row below[10], above[2][10];         /* edges of U, then of the flux; this row's and the last one's   */
  triad_weno_row face[2][5];                      /* fluxes through the faces below this row and the last one      */
  triad_weno_row stress[5][4];                    /* viscous fluxes of five rows in turn                           */
  triad_real waves[2][6][5][TRIAD_WENO_WAVES_ROW]; /* U and flux of six cells as wave strengths                    */
  triad_real average[8][TRIAD_WENO_WAVES_ROW];
  triad_real edge[4][5][TRIAD_WENO_WAVES_ROW];
  triad_real rate[5][TRIAD_WENO_TILE_Z * TRIAD_WENO_TILE_Y * TRIAD_WENO_LANES];
};

typedef struct triad_weno_tile {
  const triad_weno *w;
  triad_real *const *u;
  triad_weno_scratch *s;
  int64_t low[3], n[3];
  triad_real dt;
} triad_weno_tile;

/* Rates of point (0, y, z) of the tile, field f, x fastest. */
static inline triad_real *triad_weno_rate(const triad_weno_tile *t, int f, int64_t y, int64_t z)
{
  return t->s->rate[f] + (z * t->n[1] + y) * TRIAD_WENO_LANES;
}

/* Place in a field of point (0, y, z) of the tile. */
static inline int64_t triad_weno_place(const triad_weno_tile *t, int64_t y, int64_t z)
{
  return triad_partition_at(&t->w->blocks, t->low[0], t->low[1] + y, t->low[2] + z);
}

/* Vectors of five in the order of flux_points.h for faces across `axis`: fields, and velocities among the primitives. */
static inline void triad_weno_order(int axis, int field[5], int velocity[3])
{
  for (int i = 0; i < 3; i++) velocity[i] = (axis + i) % 3;
  field[0] = 0;
  for (int i = 0; i < 3; i++) field[1 + i] = 1 + velocity[i];
  field[4] = 4;
}

/* Add the inviscid rates across `axis` (`first`: set them), by WENO or by central fluxes, and the viscous ones,
 * from fluxes at points or at faces. */
void triad_weno_sweep(const triad_weno_tile *t, int axis, int first);
void triad_weno_central_sweep(const triad_weno_tile *t, int axis, int first);
void triad_weno_viscous_sweep(const triad_weno_tile *t, int axis);
void triad_weno_viscous_faces_sweep(const triad_weno_tile *t, int axis);

#endif
