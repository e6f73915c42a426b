/* What the files of flux-corrected transport on a GPU share. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_OWN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_OWN_H

#include "grid/gpu_halo.h"
#include "solvers/unstructured/gpu.h"
#include "solvers/unstructured/gpu_fct.h"

struct triad_fct_on_gpu {
  triad_device *device;
  triad_fct_view view;       /* as flow->view, with places on the GPU */
  triad_fct_gpu_outer outer;
  int32_t *rim;
  triad_fct_gpu_found *found;
  triad_fct_box *box;        /* of each zone, of none of its coordinates where it has no bricks; NULL: all go by fluxes of faces */
  triad_real *layers;        /* of all boxes                          */
  int32_t *sides;            /* of all boxes, outer faces             */
  int64_t window;            /* cells of which stages are kept (gpu_boxes.c); 0: of all                 */
  triad_real *cut;           /* with a window, of outer faces: the part that was taken                  */
  int32_t *row[2];           /* of the rim: those that go by lists; those whose gradients are kept. NULL: all */
  int64_t n_rows[2];
  int first;                 /* in the first stage of a step?         */
  triad_gpu_halo *halo;      /* NULL on one rank                      */
  int status;                /* of launches since settle              */
};

enum { TRIAD_FCT_GPU_BY_LISTS, TRIAD_FCT_GPU_WITH_GRADIENTS };

/* gpu_sides.c: sides of bricks that are outer faces alone, and rows that are left. Not collective. */
int triad_fct_gpu_sides_make(triad_fct_flow *flow);

/* gpu_boxes.c: zones of bricks, and the window. Not collective. */
int triad_fct_gpu_boxes_make(triad_fct_flow *flow);
void triad_fct_gpu_boxes_drop(struct triad_fct_on_gpu *gpu);

/* gpu_windows.c: where the window is, in views of outer faces; transport, limits and the correction over dt, window by window. */
void triad_fct_gpu_window_place(struct triad_fct_on_gpu *gpu);
int triad_fct_gpu_windows(triad_fct_flow *flow, double dt, int last);

/* gpu_loops.c */
extern const triad_fct_loops triad_fct_gpu_loops;

#endif
