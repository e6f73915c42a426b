/* A flow on blocks: grid, gas, what is at the boundaries, and the fields of this rank's parts of the blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_FLOW_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_FLOW_H

#include "grid/fields/halo.h"
#include "solvers/multiblock/points/boundary_points.h"
#include "blocks/geometry.h"
#include "solvers/multiblock/case/patches.h"
#include "solvers/schemes.h"
#include "solvers/solver.h"

/* A face at the boundary of this rank's parts: the own cell next to it, the next one inwards (itself where there is
 * none), the halo beyond it, and where its area vector stands. */
typedef struct triad_mb_face_of {
  int64_t cell, inner, halo, metric;
  int axis, upper, patch, part;
  double centre[3], area[3]; /* area: along the axis */
} triad_mb_face_of;

/* A box of cells that one thread works at: rows along i. */
typedef struct triad_mb_tile {
  int part;
  int64_t low[3], high[3]; /* from the part's own first cell */
} triad_mb_tile;

enum { TRIAD_MB_ROW = 128, TRIAD_MB_ROWS = 16 /* of a tile along j and k */ };

/* What the case asks for. */
typedef struct triad_mb_setup {
  triad_mb_gas gas;
  triad_mb_exact exact; /* its kind may be NULL */
  triad_mb_riemann riemann;
  triad_mb_limiter limiter;
  double kappa, order; /* order: 0 without slopes */
  int steady, local, implicit, sweeps;
  double residual, first_order, freeze; /* without slopes until this residual, limiters frozen from this on; 0: never */
  double area, length, centre[3];       /* of coefficients */
  triad_scheme scheme;
} triad_mb_setup;

typedef struct triad_mb_flow {
  triad_context *context;
  const triad_case *given;
  triad_mb_setup setup;
  triad_blocks_grid *grid;
  triad_zones *zones;
  triad_mb_patches patches;
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
   * of implicit steps 1/(V/dt + rate); sources of a manufactured solution times V */
  triad_real *u[TRIAD_MB_FIELDS], *u0[TRIAD_MB_FIELDS], *q[TRIAD_MB_FIELDS], *step, *source[TRIAD_MB_FIELDS];
  triad_real *change[3][TRIAD_MB_FIELDS]; /* of an implicit step; NULL: explicit */
  /* freeze.c; NULL: limiters are never frozen, or not there */
  triad_real *frozen_u[TRIAD_MB_FIELDS], *kept[3][TRIAD_MB_FIELDS];
  triad_real *temperature, *viscosity; /* with halos; NULL: inviscid */
  /* boundary faces, their fluxes out of the flow's own cells along the axis, and by part and side which is where */
  int64_t n_faces;
  triad_mb_face_of *face;
  triad_real *face_flux[TRIAD_MB_FIELDS];
  int32_t **map;       /* [6 parts], [second tangential][first], -1: none; NULL: no face of this side is */
  triad_mb_side *side; /* [patches] */
  /* at the face and beyond it, of exact patches; NULL: there are none */
  double (*face_exact)[2][TRIAD_MB_EXACT_FIELDS];
  int n_tiles, n_inner; /* the first n_inner tiles need no halo that a message fills */
  triad_mb_tile *tile;
  triad_real *work; /* [threads][work_size] */
  int64_t work_size;
  triad_state *state;
  triad_field_info fields[2 * TRIAD_MB_FIELDS]; /* of it: u, and frozen_u where limiters will be frozen */
  triad_instant at;
  double volume_all, rate; /* of all ranks; largest wave rate over volume at the last step */
  double first[TRIAD_MB_FIELDS], norm[TRIAD_MB_FIELDS]; /* of residuals: of the first step, of the last */
  double most;                 /* rate over volume, the largest of this rank, as a GPU has found it or a last stage */
  int rated;                   /* has a last stage on the CPU? */
  int rates_first;             /* of the state at the start of the last step, not at its end? */
  triad_device *device;        /* NULL: the CPU */
  struct triad_mb_on_gpu *gpu; /* gpu.h; NULL: steps are taken on the CPU */
  triad_real *face_drag[3];    /* friction at boundary faces, of a GPU; NULL: inviscid */
  int64_t bad, bad_place;      /* cells of this rank without positive density or pressure; one of them */
  int converged, grid_written, frozen, sloped; /* sloped: cells have slopes, of a flow that began without */
  double order;                                /* of the step: setup.order, or 0 */
  triad_column_info *columns;
  char (*column_names)[64];
  int n_columns;
  triad_phases phases;
} triad_mb_flow;

extern const triad_solver triad_solver_multiblock;
extern const triad_field_info triad_mb_fields[TRIAD_MB_FIELDS];

/* ---- setup.c ---- */

/* The setup of a case, and its grid with zones dealt to `size` ranks. TRIAD_ERR_CASE and others. Not collective. */
int triad_mb_setup_read(triad_mb_setup *setup, const triad_case *given);
/* solver.h: grid_write; triad_blocks_write_grid of the case's grid */
int triad_mb_grid_write(const triad_case *given, const char *path, int ranks);
int triad_mb_zones_of(triad_blocks_grid **grid, triad_zones **zones, const triad_case *given, int size);
int triad_mb_up(const triad_case *given, const triad_blocks_grid *grid); /* the axis that alpha turns to: 1 y, 2 z */

/* The scheme of a word (schemes.c). */
triad_scheme triad_mb_scheme_of(const char *name);

/* ---- metrics.c: memory; area vectors and volumes of this rank's cells, halos of one layer included, or nodes and
 * volumes of its own cells. A cell without volume is TRIAD_ERR_CASE with block, cell and volume. Not collective. */
int triad_mb_metrics_create(triad_mb_flow *f);
void triad_mb_metrics_free(triad_mb_flow *f);
int triad_mb_metrics(triad_mb_flow *f);

/* Are area vectors kept across an axis, or nodes instead: three numbers a cell and not nine, and an area vector is
 * found from four of them when it is wanted? Gradients, implicit steps and single precision want areas; a block of
 * one layer has no place for the nodes above it. How many numbers a cell metrics are. */
int triad_mb_has_faces(const triad_zones *zones, int axis); /* is some block not flat along it? */
int triad_mb_keeps_areas(const triad_mb_setup *setup, const triad_zones *zones, int axis);
int triad_mb_keeps_nodes(const triad_mb_setup *setup, const triad_zones *zones);
int triad_mb_metric_words(const triad_mb_setup *setup, const triad_zones *zones);

/* The area vector of the lower face of the cell at a place of a part across an axis. */
triad_mb_vector triad_mb_area_at(const triad_mb_flow *f, const triad_zone_part *part, int axis, int64_t at);

/* ---- boundary.c ---- */

/* How many boundary faces a rank will have; lists of them need so many bytes for each. */
int64_t triad_mb_open_faces(const triad_zones *zones, int rank);
enum { TRIAD_MB_FACE_BYTES = sizeof(triad_mb_face_of) + TRIAD_MB_FIELDS * sizeof(triad_real) + sizeof(int32_t) };

/* Lists of faces, exact values on them. All of them are named (faults.h). */
int triad_mb_faces_create(triad_mb_flow *f);
void triad_mb_faces_free(triad_mb_flow *f);

/* Fill the halos beyond boundaries from the flow inside, and set the fluxes through boundary faces. Not collective. */
void triad_mb_boundary_set(triad_mb_flow *f);

/* ---- sweep.c ---- */

int64_t triad_mb_work_size(void);

/* What a stage leaves. A state: in flow->u, that at the start of the step being kept in flow->u0. Where all stages
 * begin with the start, that need not be kept: it stays in flow->u until the last of them, and each leaves its
 * primitives in the memory of flow->u0, which then changes places with that of flow->q. */
typedef enum triad_mb_leaves { TRIAD_MB_STATE, TRIAD_MB_PRIMITIVES, TRIAD_MB_BOTH } triad_mb_leaves;
triad_mb_leaves triad_mb_leaves_of(const triad_mb_setup *setup, int stage); /* stage: from 0 */

/* A stage: with R the sum of fluxes out of a cell less its source, u = start u0 + last u - rate dt/V R. In the first
 * one sums of R^2/V of each equation go to squares. dt/V is that, where dt > 0; else cfl over the cell's rate, which
 * flow->step has, and where cfl is 0 too flow->step itself. Where primitives are left, cells without positive
 * density or pressure are counted; where the state is too, inviscid flow finds the rates of it, of which `most` is
 * the largest over volume. */
typedef struct triad_mb_stage {
  triad_real start, last, rate, cfl, dt;
  int first;
  triad_mb_leaves leaves;
  double squares[TRIAD_MB_FIELDS], most;
  int64_t bad;
} triad_mb_stage;
/* Tiles first .. first + n - 1; squares, bad and most grow. */
void triad_mb_sweep(triad_mb_flow *f, triad_mb_stage *stage, int first, int n);

/* ---- step.c ---- */

/* Primitives of the state, halos filled by boundaries and others; counts cells that are bad. Where steps are taken.
 * Collective. */
int triad_mb_refresh(triad_mb_flow *f);

/* With steps on a GPU: the state, and all that follows from it, to the host. Else nothing. Collective. */
int triad_mb_bring(triad_mb_flow *f);
int triad_mb_advance(void *flow, triad_step *step);

/* The residual of an equation at the last step, over that of the first. */
double triad_mb_residual(const triad_mb_flow *f, int equation);

/* Every residual is below time.residual; how near to that the largest has come, 0 to 1, by its order of magnitude. */
int triad_mb_is_steady(const triad_mb_flow *f);
double triad_mb_settled(const void *flow);

/* triad_solver.goal: the residual that a steady flow must reach. */
int triad_mb_goal(const triad_case *given, const void *flow, char *text, size_t size);

/* rates.c: rates of cells into flow->step, volume a time; returns the largest over volume. On the CPU. Not
 * collective. Of n cells in a row, whose primitives are q. */
double triad_mb_rates(triad_mb_flow *f);
double triad_mb_rate_row(triad_mb_flow *f, const triad_zone_part *part, triad_real *const q[TRIAD_MB_FIELDS],
                         int64_t at, int64_t n);

/* The factor of mu S^2/(rho V) in the rate of a cell: 4 of the faster of stress and conduction keeps explicit steps
 * stable; 2 is what an implicit step has of it. */
double triad_mb_diffusion(const triad_mb_setup *setup);

/* ---- freeze.c: limiters are frozen with the flow as it is; as they were, the state then being in frozen_u, after a
 * restart. The last is collective. */
extern const triad_field_info triad_mb_frozen_fields[TRIAD_MB_FIELDS];
int triad_mb_freezes(const triad_mb_setup *setup); /* will they be? */
int triad_mb_freeze_create(triad_mb_flow *f);
void triad_mb_freeze_free(triad_mb_flow *f);
void triad_mb_freeze(triad_mb_flow *f);
int triad_mb_freeze_again(triad_mb_flow *f);

/* ---- implicit.c: u goes on by a step, f->step being 1/(V/dt + rate). Collective. */
int triad_mb_implicit_create(triad_mb_flow *f);
void triad_mb_implicit_free(triad_mb_flow *f);
void triad_mb_implicit_step(triad_mb_flow *f, double squares[TRIAD_MB_FIELDS]);

/* ---- forces.c: sums over the faces of a wall, and lift, drag, moment, lift and drag by friction, of the first
 * stream (0 without one). of[0], all walls, and mass out of all boundaries; of[1 + i], wall i. All are 0 before.
 * away: a GPU has found the friction. Collective. ---- */
enum { TRIAD_MB_COEFFICIENTS = 5 };
typedef struct triad_mb_forces {
  double force[3], friction[3], moment[3], out, through, coefficient[TRIAD_MB_COEFFICIENTS];
} triad_mb_forces;
int triad_mb_find_forces(triad_mb_flow *f, int away, triad_mb_forces *of);

/* ---- measure.c ---- */
int triad_mb_columns_of(const triad_mb_setup *setup, const triad_mb_patches *patches); /* how many */
int triad_mb_columns_create(triad_mb_flow *f);
int triad_mb_measure(void *flow, double *columns);
int triad_mb_conserved_columns(const void *flow, const double *first, triad_conserved *list); /* solver.h */

/* ---- output.c: blocks and fields as HDF5 and XDMF ---- */
/* Walls as HDF5 (surface.c). Collective. */
int triad_mb_surface_write(const triad_mb_flow *f, const char *run_dir, const triad_notes *notes);
/* cgnswrite.c: RUN/fields/blocks-<step>.cgns of the .h5 beside it, which is written already. On one rank. */
int triad_mb_cgns_fields(const triad_mb_flow *f, const char *folder);
/* Value number `which` of those (part.h) at a place of this rank's memory. */
triad_real triad_mb_value(const triad_mb_flow *f, int which, int64_t at);
int triad_mb_fields_write(void *flow, const char *run_dir, const triad_notes *notes);

/* slices.c: layers of cells as HDF5 and PNG; those of a case for its grid (TRIAD_ERR_CASE where it has no such
 * layer), and what one time of them takes on the disk, at most. */
int triad_mb_slices(void *flow, const char *run_dir, const triad_notes *notes);
int triad_mb_slices_check(const triad_case *given, const triad_blocks_grid *grid, int64_t *bytes);

int triad_mb_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_mb_destroy(void **flow);
int triad_mb_check(const triad_case *given, int size, int threads, triad_needs *needs);
int triad_mb_initial(void *flow, triad_log *log);
/* coarser.c: the state from a file of fields of another grid. TRIAD_ERR_CASE, TRIAD_ERR_INPUT. Collective. */
int triad_mb_start_coarser(triad_mb_flow *f);
int triad_mb_keep(const void *flow, triad_notes *notes);
int triad_mb_settle(void *flow, const triad_manifest *resumed, triad_log *log);

/* The state at a place of a rank's memory. */
static inline triad_mb_state triad_mb_at(triad_real *const q[TRIAD_MB_FIELDS], int64_t at)
{
  return (triad_mb_state){q[0][at], q[1][at], q[2][at], q[3][at], q[4][at]};
}

static inline void triad_mb_put(triad_real *const q[TRIAD_MB_FIELDS], int64_t at, triad_mb_state s)
{
  q[0][at] = s.rho;
  q[1][at] = s.u;
  q[2][at] = s.v;
  q[3][at] = s.w;
  q[4][at] = s.p;
}

#endif
