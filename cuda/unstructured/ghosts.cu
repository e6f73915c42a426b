/* Flux-corrected transport on a GPU: twins of bricks, a thread a seam (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "solvers/gas/riemann.h"
#include "solvers/unstructured/gpu/gpu_bricks.h"
#include "solvers/unstructured/gpu/device_found.h"
#include "solvers/unstructured/points/box_points.h"

static __device__ __forceinline__ int64_t item(void) { return blockIdx.x * (int64_t)THREADS + threadIdx.x; }

static __global__ void __launch_bounds__(THREADS)
  gradients(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b,
            const triad_unstructured_gpu_seams s)
{
  const int64_t i = item();
  if (i < s.n) triad_unstructured_set_twin_gradient(&v, &z, &b, s.list[i].cell, s.list[i].side, s.twin + i);
}

extern "C" int triad_unstructured_gpu_twin_gradients(const triad_unstructured_view *v,
                                                     const triad_unstructured_gpu_cells *cells,
                                                     const triad_unstructured_gpu_seams *seams, void *stream)
{
  if (seams->n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(seams->n, THREADS)), dim3(THREADS), stream, gradients)
  (*v, *cells->zone, *cells->box, *seams);
  return launched("gradients of bricks");
}

template <int FIRST, int RIEMANN>
static __global__ void __launch_bounds__(THREADS)
  bounds(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b,
         const triad_unstructured_gpu_seams s, triad_real dt, triad_gas_riemann riemann)
{
  const int64_t i = item();
  if (i < s.n)
    triad_unstructured_set_twin_bounds(&v, &z, &b, s.list[i].cell, s.twin + i, dt,
                                       FIRST ? TRIAD_UNSTRUCTURED_OF_VALUES : TRIAD_UNSTRUCTURED_OF_KEPT,
                                       triad_gas_riemann_of(RIEMANN, riemann));
}

extern "C" int triad_unstructured_gpu_twin_bounds(const triad_unstructured_view *v,
                                                  const triad_unstructured_gpu_cells *cells,
                                                  const triad_unstructured_gpu_seams *seams, double dt, int first,
                                                  triad_gas_riemann riemann, void *stream)
{
  const dim3 blocks(blocks_for(seams->n, THREADS)), threads(THREADS);
  const triad_real step = (triad_real)dt;
  if (seams->n == 0) return TRIAD_OK;
#define LAUNCH_FROM(FIRST, RIEMANN) \
  TRIAD_LAUNCH(blocks, threads, stream, bounds<FIRST, RIEMANN>)(*v, *cells->zone, *cells->box, *seams, step, riemann)
#define LAUNCH(RIEMANN) \
  if (first) LAUNCH_FROM(1, RIEMANN); \
  else LAUNCH_FROM(0, RIEMANN)
  TRIAD_GAS_BY_KIND(riemann, LAUNCH);
#undef LAUNCH
#undef LAUNCH_FROM
  return launched("bounds of bricks");
}

/* From the brick's place to the twin's. */
static __global__ void __launch_bounds__(THREADS)
  copy_values(const triad_unstructured_numbers values, const triad_unstructured_gpu_seams s)
{
  const int64_t i = item();
  triad_real q[TRIAD_UNSTRUCTURED_VALUES];
  if (i >= s.n) return;
  triad_unstructured_load(&values, s.list[i].cell, TRIAD_UNSTRUCTURED_VALUES, q);
  triad_unstructured_store(&values, s.twin + i, TRIAD_UNSTRUCTURED_VALUES, q);
}

extern "C" int triad_unstructured_gpu_twin_values(const triad_unstructured_view *v,
                                                  const triad_unstructured_gpu_seams *seams, void *stream)
{
  if (seams->n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(seams->n, THREADS)), dim3(THREADS), stream, copy_values)(v->value, *seams);
  return launched("values of bricks");
}
