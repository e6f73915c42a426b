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
  triad_gpu_halo *halo;      /* NULL on one rank                      */
  int status;                /* of launches since settle              */
};

/* gpu_loops.c */
extern const triad_fct_loops triad_fct_gpu_loops;

#endif
