/* Declarations of the kernels of the multi-block solver (cuda/multiblock/), and their tables. One launch processes
 * all blocks of a rank: each block of threads reads its tile from a table. Indices are those of grid/zones.h, in 32
 * bits. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_MULTIBLOCK_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_MULTIBLOCK_H

#include "solvers/multiblock/points/boundary_points.h"
#include "solvers/multiblock/points/viscous_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels go through tiles: a warp has one cell a lane, and marches with them along an axis of their block. All are
 * of own cells, once each:
 *   rows     boxes across their first two axes: lanes along i, marches along j. Lanes take places of rows that have
 *            one more
 *            at both ends, row after row, k being the slower; tiles overlap by two lanes, which only serve their
 *            neighbours
 *   columns  boxes across their third axis: lanes along i, then j, marches along k; where nodes are kept, rows have
 *            one more place
 *            at their upper end, and tiles overlap by the last lane, which brings nodes only
 *   planes   blocks that are flat along k, across both other axes: lanes as of rows, marches along j
 *   sides    blocks that are flat along i or j: likewise, marches along k */
typedef enum triad_multiblock_gpu_kind {
  TRIAD_MULTIBLOCK_GPU_ROWS,
  TRIAD_MULTIBLOCK_GPU_COLUMNS,
  TRIAD_MULTIBLOCK_GPU_PLANES,
  TRIAD_MULTIBLOCK_GPU_SIDES,
  TRIAD_MULTIBLOCK_GPU_KINDS
} triad_multiblock_gpu_kind;

enum {
  TRIAD_MULTIBLOCK_GPU_LANES = 32,
  TRIAD_MULTIBLOCK_GPU_WARPS = 4, /* of a block of threads */
  TRIAD_MULTIBLOCK_GPU_THREADS = TRIAD_MULTIBLOCK_GPU_WARPS * TRIAD_MULTIBLOCK_GPU_LANES
};

/* A part of a zone; map: as triad_multiblock_flow's, on the GPU. */
typedef struct triad_multiblock_gpu_block {
  int origin, n[3], stride[3], flat;
  const int32_t *map[6];
} triad_multiblock_gpu_block;

/* Lanes from place `from` on, `length` cells from `begin` on along the march. */
typedef struct triad_multiblock_gpu_tile {
  int block, from, begin, length;
} triad_multiblock_gpu_tile;

/* A boundary face. out: from one layer of halos to the next. */
typedef struct triad_multiblock_gpu_face {
  int cell, inner, halo, out, metric;
  int16_t axis, upper, patch, flat;
  int step[3]; /* strides of its block */
} triad_multiblock_gpu_face;

/* What all kernels know, by value; all pointers are the GPU's. */
typedef struct triad_multiblock_gpu {
  const triad_multiblock_gpu_block *block;
  const triad_multiblock_gpu_tile *tile;
  const triad_multiblock_gpu_face *face;
  const triad_multiblock_side *side;
  const triad_gas_state *exact; /* [faces][2]; NULL: no patch is exact */
  const triad_real *s[3][3], *node[3], *volume,
    *source[TRIAD_MULTIBLOCK_FIELDS]; /* s or node: NULL, as triad_multiblock_flow's */
  triad_real *face_flux[TRIAD_MULTIBLOCK_FIELDS], *face_drag[3];
  triad_real *kept[3][TRIAD_MULTIBLOCK_FIELDS]; /* parts that frozen limiters leave, by axis; NULL: they never freeze */
  triad_real *temperature, *viscosity;          /* NULL: inviscid */
  triad_real *rate;                             /* of waves and diffusion, as volume a time */
  double *partial, *sum;                        /* of all tiles but rows; of all */
  int *bad;                                     /* set where a cell has no positive density or pressure */
  int begin[TRIAD_MULTIBLOCK_GPU_KINDS + 1];    /* tiles of a kind: those from begin[kind] on */
  int early[TRIAD_MULTIBLOCK_GPU_KINDS];        /* so many of them, the first, need no halo that a message fills */
  int n_faces, memory;
  int frozen; /* slopes are those parts of the mean difference that `kept` has, and not the limiter's */
  triad_gas_riemann riemann;
  triad_multiblock_limiter limiter;
  triad_real gamma, kappa, order, diffusion, conduction;
  triad_real per_r, mu, reference, power, sutherland; /* of the temperature and the viscosity */
} triad_multiblock_gpu;

/* Numbers that kernels add up over cells, or the largest of: where they stand in `sum`. */
enum {
  TRIAD_MULTIBLOCK_GPU_SQUARES, /* of residuals, over volumes: one an equation */
  TRIAD_MULTIBLOCK_GPU_ENERGY = TRIAD_MULTIBLOCK_FIELDS,
  TRIAD_MULTIBLOCK_GPU_MASS,
  TRIAD_MULTIBLOCK_GPU_LIMITED, /* cells */
  TRIAD_MULTIBLOCK_GPU_RATE,    /* the largest of rate/volume */
  TRIAD_MULTIBLOCK_GPU_SUMS
};

/* A stage (triad_multiblock_stage of step/loops.h): reads the primitives q with their halos and the state at the start
 * u0, writes q of the stage to next, and its state to u, which may be u0, or is not kept (NULL); then, with squares, q
 * is that of u0, and is read in its place. Without next, which is NULL, the state is tried only, and may be bad.
 * rest: what fluxes across the first two axes of boxes leave, on the way; next will do, or u that is not u0. dt/V is
 * cfl/rate, or dt/V where dt > 0. squares: those are added up; look: rates of the stage's state are found; find:
 * those of q, before they are used, from areas that the fluxes want anyway. */
typedef enum triad_multiblock_gpu_when {
  TRIAD_MULTIBLOCK_GPU_ALL,
  TRIAD_MULTIBLOCK_GPU_EARLY,
  TRIAD_MULTIBLOCK_GPU_LATE
} triad_multiblock_gpu_when;
typedef struct triad_multiblock_gpu_stage {
  const triad_real *q[TRIAD_MULTIBLOCK_FIELDS], *u0[TRIAD_MULTIBLOCK_FIELDS], *was[TRIAD_MULTIBLOCK_FIELDS];
  triad_real *next[TRIAD_MULTIBLOCK_FIELDS], *u[TRIAD_MULTIBLOCK_FIELDS], *rest[TRIAD_MULTIBLOCK_FIELDS];
  triad_real start, last, rate, cfl, dt;
  int squares, look, find;
  triad_multiblock_gpu_when when; /* of the tiles: all; those that need no message; the others */
} triad_multiblock_gpu_stage;
int triad_multiblock_gpu_sweep(const triad_multiblock_gpu *g, const triad_multiblock_gpu_stage *stage, void *stream);
/* The same with one Riemann solver, a source for each (cuda/multiblock/sweep.cu). */
#define TRIAD_MULTIBLOCK_GPU_SWEEP(kind, ...) \
  int triad_multiblock_gpu_sweep_##kind(const triad_multiblock_gpu *g, const triad_multiblock_gpu_stage *stage, \
                                        void *stream);
TRIAD_GAS_FLUXES(TRIAD_MULTIBLOCK_GPU_SWEEP)
#undef TRIAD_MULTIBLOCK_GPU_SWEEP

/* q of u, rates, and the largest of them. */
int triad_multiblock_gpu_look(const triad_multiblock_gpu *g, triad_real *const u[TRIAD_MULTIBLOCK_FIELDS],
                              triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], void *stream);

/* Halos beyond boundary faces, and the fluxes through them. */
int triad_multiblock_gpu_boundaries(const triad_multiblock_gpu *g, triad_real *const q[TRIAD_MULTIBLOCK_FIELDS],
                                    void *stream);

/* Edges of halos that nothing else fills: rows {edge, one, other, own} as zones.h has them. */
int triad_multiblock_gpu_edges(const int (*left)[4], int n, triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], void *stream);

/* Temperature and viscosity of all places, or of a list. */
int triad_multiblock_gpu_temperatures(const triad_multiblock_gpu *g, triad_real *const q[TRIAD_MULTIBLOCK_FIELDS],
                                      const int *list, int n, void *stream);

/* Friction at boundary faces, along their axes. */
int triad_multiblock_gpu_drags(const triad_multiblock_gpu *g, triad_real *const q[TRIAD_MULTIBLOCK_FIELDS],
                               void *stream);

/* Implicit steps (step/implicit.h): d = b - a; a sweep, to = first - cfl/rate of what d does, whose halos are
 * filled; u += as much of d as cells with primitives q take. */
typedef struct triad_multiblock_gpu_change {
  const triad_real *q[TRIAD_MULTIBLOCK_FIELDS], *first[TRIAD_MULTIBLOCK_FIELDS], *d[TRIAD_MULTIBLOCK_FIELDS];
  triad_real *to[TRIAD_MULTIBLOCK_FIELDS], cfl;
} triad_multiblock_gpu_change;
int triad_multiblock_gpu_difference(const triad_multiblock_gpu *g, triad_real *const a[TRIAD_MULTIBLOCK_FIELDS],
                                    triad_real *const b[TRIAD_MULTIBLOCK_FIELDS],
                                    triad_real *const d[TRIAD_MULTIBLOCK_FIELDS], void *stream);
int triad_multiblock_gpu_relax(const triad_multiblock_gpu *g, const triad_multiblock_gpu_change *change, void *stream);
int triad_multiblock_gpu_apply(const triad_multiblock_gpu *g, const triad_multiblock_gpu_change *change,
                               void *stream); /* to: the state */

/* Parts that limiters leave of the slopes of primitives q along an axis, into g->kept: of the cells of a block, and of
 * one layer around it along the axis, whose slopes count at the block's faces too. */
int triad_multiblock_gpu_freeze(const triad_multiblock_gpu *g, const triad_multiblock_gpu_block *block, int axis,
                                triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], void *stream);

/* Energy and mass. */
int triad_multiblock_gpu_totals(const triad_multiblock_gpu *g, triad_real *const u[TRIAD_MULTIBLOCK_FIELDS],
                                const triad_real *pressure, void *stream);

/* What tiles have left: numbers first .. first + n - 1 into sum, always in the same order. */
int triad_multiblock_gpu_finish(const triad_multiblock_gpu *g, int first, int n, void *stream);

#ifdef __cplusplus
}
#endif
#endif
