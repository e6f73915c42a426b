/* Internal to flux-corrected transport on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_INTERNAL_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_INTERNAL_H

#include "grid/fields/gpu_gather.h"
#include "grid/fields/gpu_halo.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/gpu/gpu_unstructured.h"

struct triad_unstructured_on_gpu {
  triad_device *device;
  triad_unstructured_view view; /* like flow->view, with GPU addresses; td and bounds: for cells that are no bricks */
  /* start of td of the window; of its bounds, followed by all bounds and limiter factors of faces */
  triad_real *stages, *work;
  triad_real *limits; /* from view.limits_from on, with several ranks */
  /* current values and, if there are bricks, those of the previous stage, where the next ones are written */
  triad_real *values[2];
  int by_corners;       /* 1: faces between tetrahedra have corners only */
  triad_real *geometry; /* start of view.geometry, for faces with stored geometry */
  int32_t (*corner)[4]; /* start of view.corner, for listed cells */
  triad_unstructured_gpu_outer outer;
  int32_t *rim;
  triad_unstructured_gpu_found *found;
  triad_unstructured_box *box;     /* for each zone of bricks; NULL: there are none */
  triad_real *layers;              /* for all boxes */
  int32_t *sides;                  /* faces of all boxes */
  triad_unstructured_seam *seam;   /* interface faces of all boxes */
  int64_t window;                  /* number of bricks whose stages are stored (gpu_boxes.c); other cells follow them */
  int first;                       /* 1: first stage of a step */
  triad_gpu_halo *halo;            /* NULL on one rank                      */
  int status;                      /* worst status of launches since settle */
  triad_unstructured_numbers mean; /* as flow->mean                         */
  triad_unstructured_gpu_sponge sponge; /* as flow->sponge                     */
  triad_unstructured_gpu_row *rows;     /* [n_rows] results of blocks for the series */
  int n_rows;
  triad_gpu_gather watched; /* values of cells for probes */
};

/* gpu_boxes.c: create zones of bricks and the window. Not collective. The second function: the interface faces of zone
 * z whose bricks are in layers begin to end - 1. */
int triad_unstructured_gpu_boxes_make(triad_unstructured_flow *flow);
triad_unstructured_gpu_seams triad_unstructured_gpu_seams_of(const triad_unstructured_flow *flow, int z, int begin,
                                                             int end);
void triad_unstructured_gpu_boxes_drop(struct triad_unstructured_on_gpu *gpu);

/* gpu_faces.c: store the geometry of all faces, or the corners of tetrahedra, according to the case or to the memory
 * left. Collective; agreed. */
int triad_unstructured_gpu_faces_make(triad_unstructured_flow *flow);

/* gpu_tets.c: corners of listed cells and their positions. Not collective. */
int triad_unstructured_gpu_tets_make(triad_unstructured_flow *flow);

/* gpu_windows.c: transport, limits and correction over dt for all bricks, window by window. */
int triad_unstructured_gpu_windows(triad_unstructured_flow *flow, double dt, int last);

/* gpu_after.c: memory for operations after a step, and these operations (loops.h). */
int triad_unstructured_gpu_after_take(triad_unstructured_flow *flow); /* not collective */
void triad_unstructured_gpu_after_drop(struct triad_unstructured_on_gpu *gpu);
void triad_unstructured_gpu_draw_cells(triad_unstructured_flow *flow, double dt);
void triad_unstructured_gpu_add_mean(triad_unstructured_flow *flow, double w);
int triad_unstructured_gpu_look(triad_unstructured_flow *flow, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                                double most[TRIAD_UNSTRUCTURED_MAX]);
int triad_unstructured_gpu_watch(triad_unstructured_flow *flow, const int32_t *cell, int64_t n);
int triad_unstructured_gpu_picked(triad_unstructured_flow *flow, triad_real *out);

/* gpu_terms.c: viscous fluxes, prelimiting; bounds, factors and limiting by components. Not collective. */
int triad_unstructured_gpu_add_viscous(triad_unstructured_flow *flow, int low);
int triad_unstructured_gpu_prelimit_all(triad_unstructured_flow *flow);
int triad_unstructured_gpu_bound_components(triad_unstructured_flow *flow);
int triad_unstructured_gpu_part_components(triad_unstructured_flow *flow, double dt);
int triad_unstructured_gpu_cut_components(triad_unstructured_flow *flow);

/* gpu_loops.c: the table. note: record the status of a launch, which settle returns. copy_twins: copy values of bricks
 * to their ghost copies. part_of: part number i of a share of the cells: rows, then zones without bricks; 0: there are
 * no more. listed = 0 leaves out the rows, for loops in which faces do the work of listed cells. */
extern const triad_unstructured_loops triad_unstructured_gpu_loops;
void triad_unstructured_gpu_note(triad_unstructured_flow *flow, int status);
void triad_unstructured_gpu_copy_twins(triad_unstructured_flow *flow);
int triad_unstructured_gpu_part_of(const triad_unstructured_flow *flow, triad_unstructured_share share, int listed,
                                   int i, triad_unstructured_gpu_cells *out);

#endif
