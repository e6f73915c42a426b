/* What the files of flux-corrected transport on a GPU share. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_OWN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_OWN_H

#include "grid/fields/gpu_gather.h"
#include "grid/fields/gpu_halo.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/gpu/gpu_fct.h"

struct triad_fct_on_gpu {
  triad_device *device;
  triad_fct_view view;       /* as flow->view, with places on the GPU; td, bounds: of other places than bricks */
  triad_real *stages, *work; /* where td of the window begins; its bounds, and behind all bounds parts of faces */
  triad_real *limits;        /* of view.limits_from on, on several ranks */
  /* those in use and, where there are bricks, those of the stage before, where the next one's go */
  triad_real *values[2];
  int by_corners;       /* of faces between tetrahedra there are corners alone    */
  triad_real *geometry; /* where view.geometry begins, of faces that have numbers */
  int32_t (*corner)[4]; /* and view.corner, of listed cells                       */
  triad_fct_gpu_outer outer;
  int32_t *rim;
  triad_fct_gpu_found *found;
  triad_fct_box *box;          /* of each zone of bricks; NULL: there are none */
  triad_real *layers;          /* of all boxes                          */
  int32_t *sides;              /* of all boxes, faces                   */
  triad_fct_seam *seam;        /* of all boxes                          */
  int64_t window;              /* bricks of which stages are kept (gpu_boxes.c); other places stand behind them */
  int first;                   /* in the first stage of a step?         */
  triad_gpu_halo *halo;        /* NULL on one rank                      */
  int status;                  /* of launches since settle              */
  triad_fct_numbers mean;      /* as flow->mean                         */
  triad_fct_gpu_sponge sponge; /* as flow->sponge                     */
  triad_fct_gpu_row *rows;     /* [n_rows] what blocks find for the series */
  int n_rows;
  triad_gpu_gather watched; /* values of cells that probes want      */
};

/* gpu_boxes.c: zones of bricks, and the window. Not collective. The seams of zone z whose bricks are in layers begin
 * to end - 1. */
int triad_fct_gpu_boxes_make(triad_fct_flow *flow);
triad_fct_gpu_seams triad_fct_gpu_seams_of(const triad_fct_flow *flow, int z, int begin, int end);
void triad_fct_gpu_boxes_drop(struct triad_fct_on_gpu *gpu);

/* gpu_faces.c: geometry of all faces, or corners of tetrahedra, as the case has it or there is room when all else
 * has been taken. Collective; agrees. */
int triad_fct_gpu_faces_make(triad_fct_flow *flow);

/* gpu_tets.c: corners of listed cells, and where these are. Not collective. */
int triad_fct_gpu_tets_make(triad_fct_flow *flow);

/* gpu_windows.c: transport, limits and the correction over dt of all bricks, window by window. */
int triad_fct_gpu_windows(triad_fct_flow *flow, double dt, int last);

/* gpu_after.c: memory of what follows a step; these, as the loops' table has them (loops.h). */
int triad_fct_gpu_after_take(triad_fct_flow *flow); /* not collective */
void triad_fct_gpu_after_drop(struct triad_fct_on_gpu *gpu);
void triad_fct_gpu_draw_cells(triad_fct_flow *flow, double dt);
void triad_fct_gpu_add_mean(triad_fct_flow *flow, double w);
int triad_fct_gpu_look(triad_fct_flow *flow, triad_sum sums[TRIAD_FCT_SUMS], double most[TRIAD_FCT_MOST]);
int triad_fct_gpu_watch(triad_fct_flow *flow, const int32_t *cell, int64_t n);
int triad_fct_gpu_picked(triad_fct_flow *flow, triad_real *out);

/* gpu_terms.c: stress and conduction, prelimiting; bounds, parts, cuts of components. Not collective. */
int triad_fct_gpu_add_viscous(triad_fct_flow *flow, int low);
int triad_fct_gpu_prelimit_all(triad_fct_flow *flow);
int triad_fct_gpu_bound_components(triad_fct_flow *flow);
int triad_fct_gpu_part_components(triad_fct_flow *flow, double dt);
int triad_fct_gpu_cut_components(triad_fct_flow *flow);

/* gpu_loops.c: the table; a launch that failed is told by settle; values of bricks to their twins; call number i of
 * a share: parts of rows, then zones that are no bricks; 0: there are no more. Loops that faces do for listed cells
 * leave out their rows: listed is 0. */
extern const triad_fct_loops triad_fct_gpu_loops;
void triad_fct_gpu_note(triad_fct_flow *flow, int status);
void triad_fct_gpu_copy_twins(triad_fct_flow *flow);
int triad_fct_gpu_part_of(const triad_fct_flow *flow, triad_fct_share share, int listed, int i,
                          triad_fct_gpu_cells *out);

#endif
