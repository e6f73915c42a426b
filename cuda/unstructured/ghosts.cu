/* Flux-corrected transport on a GPU: twins of bricks, a thread a seam (solvers/unstructured/gpu/gpu_fct.h). */
#include "solvers/unstructured/gpu/device_found.h"
#include "solvers/unstructured/points/fct_box_points.h"

static __device__ __forceinline__ int64_t item(void) { return blockIdx.x * (int64_t)THREADS + threadIdx.x; }

static __global__ void __launch_bounds__(THREADS)
  gradients(const triad_fct_view v, const triad_mesh_zone z, const triad_fct_box b, const triad_fct_gpu_seams s)
{
  const int64_t i = item();
  if (i < s.n) triad_fct_set_twin_gradient(&v, &z, &b, s.list[i].cell, s.list[i].side, s.twin + i);
}

extern "C" int triad_fct_gpu_twin_gradients(const triad_fct_view *v, const triad_fct_gpu_cells *cells,
                                            const triad_fct_gpu_seams *seams, void *stream)
{
  if (seams->n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(seams->n, THREADS)), dim3(THREADS), stream, gradients)
  (*v, *cells->zone, *cells->box, *seams);
  return launched("gradients of bricks");
}

template <int FIRST, int HLLC>
static __global__ void __launch_bounds__(THREADS)
  bounds(const triad_fct_view v, const triad_mesh_zone z, const triad_fct_box b, const triad_fct_gpu_seams s,
         triad_real dt)
{
  const int64_t i = item();
  if (i < s.n)
    triad_fct_set_twin_bounds(&v, &z, &b, s.list[i].cell, s.twin + i, dt,
                              FIRST ? TRIAD_FCT_OF_VALUES : TRIAD_FCT_OF_KEPT, HLLC);
}

extern "C" int triad_fct_gpu_twin_bounds(const triad_fct_view *v, const triad_fct_gpu_cells *cells,
                                         const triad_fct_gpu_seams *seams, double dt, int first, int hllc, void *stream)
{
  const dim3 blocks(blocks_for(seams->n, THREADS)), threads(THREADS);
  const triad_real step = (triad_real)dt;
  if (seams->n == 0) return TRIAD_OK;
  if (first && hllc) TRIAD_LAUNCH(blocks, threads, stream, bounds<1, 1>)(*v, *cells->zone, *cells->box, *seams, step);
  else if (first) TRIAD_LAUNCH(blocks, threads, stream, bounds<1, 0>)(*v, *cells->zone, *cells->box, *seams, step);
  else if (hllc) TRIAD_LAUNCH(blocks, threads, stream, bounds<0, 1>)(*v, *cells->zone, *cells->box, *seams, step);
  else TRIAD_LAUNCH(blocks, threads, stream, bounds<0, 0>)(*v, *cells->zone, *cells->box, *seams, step);
  return launched("bounds of bricks");
}

/* From the brick's place to the twin's. */
static __global__ void __launch_bounds__(THREADS)
  copy_values(const triad_fct_numbers values, const triad_fct_gpu_seams s)
{
  const int64_t i = item();
  triad_real q[TRIAD_FCT_VALUES];
  if (i >= s.n) return;
  triad_fct_load(&values, s.list[i].cell, TRIAD_FCT_VALUES, q);
  triad_fct_store(&values, s.twin + i, TRIAD_FCT_VALUES, q);
}

extern "C" int triad_fct_gpu_twin_values(const triad_fct_view *v, const triad_fct_gpu_seams *seams, void *stream)
{
  if (seams->n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(seams->n, THREADS)), dim3(THREADS), stream, copy_values)(v->value, *seams);
  return launched("values of bricks");
}
