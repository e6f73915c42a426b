/* Internal to flux-corrected transport on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_INTERNAL_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_INTERNAL_H

#include "grid/fields/gpu_gather.h"
#include "grid/fields/gpu_halo.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/gpu/gpu_bricks.h"
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

#endif
