/* The compressible solver on a GPU, point by point: states beyond boundaries, primitives, the look at a state. */
#include "parallel/device_launch.h"
#include "solvers/compressible/gpu/gpu_compressible.h"

/* ---- boundaries ---- */

/* Point number i of a layer across `axis`: place of its coordinate 0 there, over the whole extent of the other axes. */
static __device__ __forceinline__ int64_t layer_place(const triad_compressible_gpu &g, int axis, int64_t i)
{
  int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  int64_t na = g.local[a] + 2 * g.halo[a];
  return g.origin + (i % na - g.halo[a]) * g.stride[a] + (i / na - g.halo[b]) * g.stride[b];
}

static int64_t layer_points(const triad_compressible_gpu *g, int axis)
{
  int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  return (g->local[a] + 2 * g->halo[a]) * (g->local[b] + 2 * g->halo[b]);
}

static __global__ void face_kernel(triad_compressible_gpu g, triad_compressible_rule r, int upper, int64_t points)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= points) return;
  int64_t s = g.stride[r.axis], last = layer_place(g, r.axis, i) + (upper ? (g.local[r.axis] - 1) * s : 0);
  if (upper) s = -s;
  for (int64_t depth = 1; depth <= g.halo[r.axis]; depth++) {
    triad_real mirror[5], end[5], out[5];
#pragma unroll
    for (int f = 0; f < 5; f++) {
      mirror[f] = g.u[f][last + (depth - 1) * s];
      end[f] = g.u[f][last];
    }
    triad_compressible_beyond(&g.gas, &r, mirror, end, out);
#pragma unroll
    for (int f = 0; f < 5; f++) g.u[f][last - depth * s] = out[f];
  }
}

extern "C" int triad_compressible_gpu_face(const triad_compressible_gpu *g, const triad_compressible_rule *rule,
                                           int upper, void *stream)
{
  int64_t points = layer_points(g, rule->axis);
  TRIAD_LAUNCH(dim3(blocks_for(points, 128)), dim3(128), stream, face_kernel)(*g, *rule, upper, points);
  return launched("a boundary");
}

/* ---- primitives and the look at them ---- */

/* nx, ny: points of the box along x and y, whose first lies at `first`. */
static __global__ void primitives_kernel(triad_compressible_gpu g, int64_t first, uint32_t nx, uint32_t ny,
                                         uint32_t points)
{
  uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= points) return;
  uint32_t x = n % nx, row = n / nx;
  int64_t i = first + x + row % ny * g.stride[1] + row / ny * g.stride[2];
  triad_compressible_primitive q =
    triad_compressible_primitives(&g.gas, g.u[0][i], g.u[1][i], g.u[2][i], g.u[3][i], g.u[4][i]);
  g.primitive[0][i] = q.u;
  g.primitive[1][i] = q.v;
  g.primitive[2][i] = q.w;
  g.primitive[3][i] = q.T;
  if (g.viscous) g.primitive[4][i] = triad_compressible_viscosity(&g.gas, q.T);
}

extern "C" int triad_compressible_gpu_primitives(const triad_compressible_gpu *g, const triad_box *b, void *stream)
{
  int64_t points = triad_box_points(b);
  if (points <= 0) return TRIAD_OK;
  int64_t first = g->origin + b->low[0] + b->low[1] * g->stride[1] + b->low[2] * g->stride[2];
  TRIAD_LAUNCH(dim3(blocks_for(points, 256)), dim3(256), stream, primitives_kernel)
  (*g, first, (uint32_t)(b->high[0] - b->low[0]), (uint32_t)(b->high[1] - b->low[1]), (uint32_t)points);
  return launched("primitives");
}

/* *worst = max(*worst, value) of the warp's values >= 0, whose bits order as integers do. */
static __device__ __forceinline__ void raise(double *worst, double value)
{
  for (int step = 16; step > 0; step /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, step));
  if (threadIdx.x % 32 == 0 && value > 0)
    atomicMax((unsigned long long *)worst, (unsigned long long)__double_as_longlong(value));
}

static __global__ void look_kernel(triad_compressible_gpu g, int64_t rows, double *worst)
{
  triad_real h[3];
  double fast = 0, wave = 0, sum = 0, thick = 0, bad = 0;
#pragma unroll
  for (int i = 0; i < 3; i++) h[i] = g.halo[i] > 0 ? g.per_spacing[i] : TRIAD_R(0);
  const triad_real all = TRIAD_SQRT(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    int64_t at = g.origin + row % g.local[1] * g.stride[1] + row / g.local[1] * g.stride[2];
    for (int64_t x = threadIdx.x; x < g.local[0]; x += blockDim.x) {
      triad_real rho = g.u[0][at + x];
      triad_compressible_primitive q = {g.primitive[0][at + x], g.primitive[1][at + x], g.primitive[2][at + x],
                                        g.primitive[3][at + x]};
      const triad_compressible_pace p = triad_compressible_pace_of(q, h[0], h[1], h[2], all);
      fast = fmax(fast, (double)p.axis);
      wave = fmax(wave, (double)p.wave);
      sum = fmax(sum, (double)p.sum);
      if (g.viscous) thick = fmax(thick, (double)(g.primitive[4][at + x] / rho));
      if (!triad_compressible_is_gas(rho, q)) bad = 1;
    }
  }
  raise(worst, fast);
  raise(worst + 1, thick);
  raise(worst + 2, bad);
  raise(worst + 3, wave);
  raise(worst + 4, sum);
}

extern "C" int triad_compressible_gpu_state_check(const triad_compressible_gpu *g, double *worst, void *stream)
{
  int64_t rows = g->local[1] * g->local[2];
  cudaError_t error = cudaMemsetAsync(worst, 0, 5 * sizeof *worst, (cudaStream_t)stream);
  if (error != cudaSuccess) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "GPU: %s", cudaGetErrorString(error));
  TRIAD_LAUNCH(dim3((unsigned)(rows < 4096 ? rows : 4096)), dim3(128), stream, look_kernel)(*g, rows, worst);
  return launched("the time step limits of a state");
}
