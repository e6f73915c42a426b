/* A flow on blocks, data alone: grid, gas, boundary conditions, and the fields of this rank's parts of the blocks.
 * create.h creates it. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_FLOW_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_FLOW_H

#include "grid/fields/halo.h"
#include "solvers/gas/kinds.h"
#include "solvers/multiblock/points/kinds.h"
#include "blocks/geometry.h"
#include "solvers/bodies.h"
#include "solvers/multiblock/plain/patches.h"
#include "solvers/multiblock/state/phases.h"
#include "solvers/gas/force.h"
#include "solvers/schemes.h"
#include "solvers/solver.h"

/* A face at the boundary of this rank's parts: the own cell next to it, the next one inwards (itself where there is
 * none), the halo beyond it, and where its area vector stands. */
typedef struct triad_multiblock_face_of {
  int64_t cell, inner, halo, metric;
  int axis, upper, patch, part;
  double centre[3], area[3]; /* area: along the axis */
} triad_multiblock_face_of;

/* A box of cells that one thread works at: rows along i. */
typedef struct triad_multiblock_tile {
  int part;
  int64_t low[3], high[3]; /* from the part's own first cell */
} triad_multiblock_tile;

enum { TRIAD_MULTIBLOCK_ROW = 128, TRIAD_MULTIBLOCK_ROWS = 16 /* of a tile along j and k */ };

/* What the case asks for. */
typedef struct triad_multiblock_setup {
  triad_multiblock_gas gas;
  triad_multiblock_exact exact; /* its kind may be NULL */
  triad_gas_riemann riemann;
  triad_multiblock_limiter limiter;
  double kappa, order; /* order: 0 without slopes */
  int steady, local, implicit, sweeps;
  double residual, first_order, freeze; /* without slopes until this residual, limiters frozen from this on; 0: never */
  triad_body_reference reference;       /* of coefficients; density or velocity 0: of the first stream */
  double centre[3];                     /* of moments */
  triad_scheme scheme;
} triad_multiblock_setup;

typedef struct triad_multiblock_flow {
  triad_context *context;
  const triad_case *given;
  triad_multiblock_setup setup;
  triad_blocks_grid *grid;
  triad_zones *zones;
  triad_multiblock_patches patches;
  triad_space space;
  int n_parts;
  const triad_zone_part **part; /* this rank's */
  triad_halo *halo;
  int64_t (*left)[4], n_left; /* edges of halos that nothing fills */
  uint8_t *late;              /* by place: does a message fill it? NULL: there are none */
  int64_t *late_at, n_late;   /* those places, and edges that may follow from them */
  /* volumes; area vectors of the lower faces of cells across i, j, k, NULL where no block has faces across that
   * axis; or nodes instead, that at the lower corner of a cell at its place, NULL where areas are kept (metrics.c) */
  triad_real *volume, *s[3][3], *node[3];
  /* state, conserved; at the start of the step, or primitives of the stage to come; primitive, with halos; rates, or
   * of implicit steps 1/(V/dt + rate); sources of a manufactured solution, or of formulas, times V (NULL: none) */
  triad_real *u[TRIAD_MULTIBLOCK_FIELDS], *u0[TRIAD_MULTIBLOCK_FIELDS], *q[TRIAD_MULTIBLOCK_FIELDS], *step,
    *source[TRIAD_MULTIBLOCK_FIELDS];
  triad_real *change[3][TRIAD_MULTIBLOCK_FIELDS]; /* of an implicit step; NULL: explicit */
  /* step/freeze.c; NULL: limiters are never frozen, or not there */
  triad_real *frozen_u[TRIAD_MULTIBLOCK_FIELDS], *kept[3][TRIAD_MULTIBLOCK_FIELDS];
  triad_gas_formulas *formulas;        /* acceleration and heating; NULL: none */
  double *centre[3];                   /* of cells, for the formulas; else NULL */
  triad_real *temperature, *viscosity; /* with halos; NULL: inviscid */
  /* boundary faces, their fluxes out of the flow's own cells along the axis, and by part and side which is where */
  int64_t n_faces;
  triad_multiblock_face_of *face;
  triad_real *face_flux[TRIAD_MULTIBLOCK_FIELDS];
  int32_t **map; /* [6 parts], [second tangential][first], -1: none; NULL: no face of this side is */
  struct triad_multiblock_side *side; /* [patches] */
  /* at the face and beyond it, of exact patches; NULL: there are none */
  double (*face_exact)[2][TRIAD_MULTIBLOCK_EXACT_FIELDS];
  int n_tiles, n_inner; /* the first n_inner tiles need no halo that a message fills */
  triad_multiblock_tile *tile;
  triad_real *work; /* [threads][work_size] */
  int64_t work_size;
  triad_state *state;
  triad_field_info fields[2 * TRIAD_MULTIBLOCK_FIELDS]; /* of it: u, and frozen_u where limiters will be frozen */
  triad_instant at;
  double volume_all, rate; /* of all ranks; largest wave rate over volume at the last step */
  double first[TRIAD_MULTIBLOCK_FIELDS],
    norm[TRIAD_MULTIBLOCK_FIELDS]; /* of residuals: of the first step, of the last */
  double
    squares[TRIAD_MULTIBLOCK_FIELDS]; /* sums of R^2/V over this rank's cells, of the first stage of the last step */
  double most;                        /* largest rate over volume of this rank */
  int rated;                          /* CPU: is `most` known of the state as it is? */
  int rates_first;                    /* is `most` of the state at the start of the last step, not at its end? */
  const struct triad_multiblock_loops *loops; /* step/loops.h: of the device that takes the steps */
  triad_device *device;                       /* NULL: the CPU */
  struct triad_multiblock_on_gpu *gpu;        /* gpu_internal.h: memory of the loops on a GPU; NULL: the CPU */
  triad_real *face_drag[3]; /* friction at boundary faces as a GPU has found it; NULL: none has, or inviscid */
  int64_t bad, bad_place;   /* cells of this rank without positive density or pressure; one of them */
  int converged, grid_written, frozen, sloped; /* sloped: cells have slopes, of a flow that began without */
  double order;                                /* of the step: setup.order, or 0 */
  triad_column_info *columns;
  char (*column_names)[64];
  triad_body_reference reference; /* density and velocity filled in */
  triad_strouhal strouhal;
  int n_columns;
  double charged; /* when the last phase was charged [s] */
  triad_phases phases;
  triad_laps laps; /* parts of a stage, of a sample of the tiles */
} triad_multiblock_flow;

#endif
