/* Declarations of the kernels of flux-corrected transport (cuda/unstructured/), apart from those of bricks
 * (gpu_bricks.h). Views, zones and lists of rows are in GPU memory. All kernels are launched on `stream`. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_UNSTRUCTURED_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_UNSTRUCTURED_H

#include "solvers/unstructured/points/after_points.h"
#include "solvers/unstructured/points/box_points.h"
#include "solvers/unstructured/points/component_points.h"
#include "solvers/unstructured/points/viscous.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_UNSTRUCTURED_GPU_PATCHES = 32, TRIAD_UNSTRUCTURED_GPU_THREADS = 128 /* of a block */ };

/* Results of kernels, in GPU memory. rate: the bits of the largest sum of area times wave speed over volume; bad:
 * number of a cell with an invalid state, plus one (0: none); passed: fluxes through the patches in the last step,
 * and their moments (outer_points.h). */
typedef struct triad_unstructured_gpu_found {
  unsigned long long rate, bad, limited, parts;
  double passed[TRIAD_UNSTRUCTURED_GPU_PATCHES][TRIAD_UNSTRUCTURED_PASSED];
} triad_unstructured_gpu_found;

/* Cells of a loop: rows first .. first + n - 1, which are cells cell + i or list[i]. zone: instead of these the cells
 * inside the zone; box: the zone consists of bricks, and all its cells are meant. */
typedef struct triad_unstructured_gpu_cells {
  int64_t first, n, cell;
  const int32_t *list;
  const triad_mesh_zone *zone;       /* on the host */
  const triad_unstructured_box *box; /* on the host; its layers on the GPU */
} triad_unstructured_gpu_cells;

/* Outer faces: the patch of each, and the conditions of the patches. Faces are sorted by patch: those of patch p are
 * faces[begin[p]] to faces[begin[p + 1] - 1]. Each patch is summed by `shares` blocks, at most
 * TRIAD_UNSTRUCTURED_GPU_THREADS. arm: flow->arm. opposite, part: arguments of triad_unstructured_on_line for outer
 * faces of bricks, -1 for other faces; NULL if there are no bricks. */
typedef struct triad_unstructured_gpu_outer {
  const int16_t *patch;
  const triad_unstructured_rule *rule;
  const int32_t *faces;
  const int64_t *begin;
  double *sums;
  const double (*arm)[3];
  const int32_t *opposite;
  const triad_real *part;
  int n_patches, shares;
} triad_unstructured_gpu_outer;

/* Sponges (flow.h): cells and their rates, those of patch p from begin[p] to begin[p + 1] - 1; each patch is summed by
 * `shares` blocks. */
typedef struct triad_unstructured_gpu_sponge {
  const int32_t *cell;
  const triad_real *rate;
  const int64_t *begin;
  double *sums;
  int n_patches, shares;
} triad_unstructured_gpu_sponge;

/* A block's results for the series: sums with their rounding errors, and extremes (after_points.h). */
typedef struct triad_unstructured_gpu_row {
  double sum[TRIAD_UNSTRUCTURED_SUMS], rest[TRIAD_UNSTRUCTURED_SUMS], most[TRIAD_UNSTRUCTURED_MAX];
} triad_unstructured_gpu_row;

/* ---- cells: cuda/unstructured/cells.cu ---- */
int triad_unstructured_gpu_gradients(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                     void *stream);
int triad_unstructured_gpu_widen(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                 void *stream);
int triad_unstructured_gpu_rates(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                 triad_unstructured_gpu_found *found, void *stream);
int triad_unstructured_gpu_transported(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                       double dt, void *stream);
/* of the state, of all own cells */
int triad_unstructured_gpu_values(const triad_unstructured_view *v, triad_unstructured_gpu_found *found, void *stream);

/* ---- these and cells of bricks: cuda/unstructured/limits.cu ---- */
/* parts of cells' faces; limits, from v->limits_from on */
int triad_unstructured_gpu_limits(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                  double dt, void *stream);
/* high: antidiffusive fluxes are added; counted in found where last */
int triad_unstructured_gpu_corrected(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                     double dt, int last, int high, triad_unstructured_gpu_found *found, void *stream);

/* ---- faces: cuda/unstructured/faces.cu ---- */
/* of the list, begin to end - 1, or, where zone is not NULL, within it */
int triad_unstructured_gpu_fluxes(const triad_unstructured_view *v, int64_t begin, int64_t end,
                                  const triad_mesh_zone *zone, int low, triad_gas_riemann riemann, int high,
                                  void *stream);
int triad_unstructured_gpu_no_flux(const triad_unstructured_view *v, int64_t face, int low, void *stream);
int triad_unstructured_gpu_outer_fluxes(const triad_unstructured_view *v, const triad_unstructured_gpu_outer *outer,
                                        int low, triad_gas_riemann riemann, int high, void *stream);
int triad_unstructured_gpu_beyond(const triad_unstructured_view *v, const triad_unstructured_gpu_outer *outer,
                                  void *stream);
/* bounds beyond outer faces, or parts there */
int triad_unstructured_gpu_room_beyond(const triad_unstructured_view *v, int parts, void *stream);
/* parts of both cells of faces begin to end - 1, by their limits */
int triad_unstructured_gpu_ghost_parts(const triad_unstructured_view *v, int64_t begin, int64_t end, double dt,
                                       void *stream);
int triad_unstructured_gpu_crossed(const triad_unstructured_view *v, const triad_unstructured_gpu_outer *outer,
                                   double dt, int high, triad_unstructured_gpu_found *found, void *stream);
/* td = u in cells from `first` on; faces begin to end - 1 add to both their cells from there on; bounds of td and u */
int triad_unstructured_gpu_restart(const triad_unstructured_view *v, int64_t first, void *stream);
int triad_unstructured_gpu_scatter(const triad_unstructured_view *v, int64_t begin, int64_t end, int64_t first,
                                   double dt, int anti, int atomic, void *stream);
int triad_unstructured_gpu_bounds(const triad_unstructured_view *v, int64_t first, void *stream);
/* limited faces of lists, counted by cells from `first` on */
int triad_unstructured_gpu_count(const triad_unstructured_view *v, int64_t first, triad_unstructured_gpu_found *found,
                                 void *stream);

/* ---- after a step: cuda/unstructured/after.cu ---- */
/* the amounts that sponges remove are added to found->passed */
int triad_unstructured_gpu_draw(const triad_unstructured_view *v, const triad_unstructured_gpu_sponge *sponge,
                                const triad_unstructured_rule *rule, double dt, triad_unstructured_gpu_found *found,
                                void *stream);
int triad_unstructured_gpu_mean(const triad_unstructured_view *v, const triad_unstructured_numbers *mean, double w,
                                void *stream);
/* of all own cells, by so many blocks, to rows[blocks] */
int triad_unstructured_gpu_look_over(const triad_unstructured_view *v, int blocks, triad_unstructured_gpu_row *rows,
                                     void *stream);

/* ---- viscosity, prelimiting, limits by components, where there are no bricks: cuda/unstructured/terms.cu ---- */
/* Stress and conduction added to the fluxes, and where low to the waves, of listed faces between cells, or of those
 * within a zone; of outer ones. */
int triad_unstructured_gpu_viscous(const triad_unstructured_view *v, const triad_unstructured_fluid *fluid,
                                   const triad_mesh_zone *zone, int low, void *stream);
int triad_unstructured_gpu_outer_viscous(const triad_unstructured_view *v, const triad_unstructured_fluid *fluid,
                                         const triad_unstructured_gpu_outer *outer, int low, void *stream);
/* of the same faces between cells */
int triad_unstructured_gpu_prelimit(const triad_unstructured_view *v, const triad_mesh_zone *zone, void *stream);
/* of own cells, and beyond outer faces */
int triad_unstructured_gpu_component_bounds(const triad_unstructured_view *v, void *stream);
int triad_unstructured_gpu_component_parts(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                           double dt, void *stream);
/* of all listed faces, or of those within a zone; counted in found by the cell on their left, outer ones not */
int triad_unstructured_gpu_component_limits(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                            triad_unstructured_gpu_found *found, void *stream);

#ifdef __cplusplus
}
#endif
#endif
