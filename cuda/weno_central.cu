/* The compressible solver's sweeps with central fluxes and viscous fluxes at faces, along each axis. */
#include "solvers/weno/device_sweep.h"
#include "solvers/weno/viscous_face_points.h"

enum { LANES = TRIAD_WENO_MARCHING, MOST = TRIAD_WENO_ROW, MARGIN = 2 /* threads that lend their stresses only */ };

/* The central flux through the face below place i. */
static __device__ __forceinline__ triad_weno_five central_face(const sweep_args &a, int64_t i)
{
  return triad_weno_central(&a.g.gas, cell_at(a, i - 4 * a.step), cell_at(a, i - 3 * a.step), cell_at(a, i - 2 * a.step),
                            cell_at(a, i - a.step), cell_at(a, i), cell_at(a, i + a.step), cell_at(a, i + 2 * a.step),
                            cell_at(a, i + 3 * a.step));
}

static __device__ __forceinline__ triad_weno_stress stress_at_face(const sweep_args &a, int64_t i)
{
  return triad_weno_stress_at_face(&a.g.gas, a.viscous, a.g.primitive[a.velocity[0]] + i,
                                   a.g.primitive[a.velocity[1]] + i, a.g.primitive[a.velocity[2]] + i,
                                   a.g.primitive[3] + i, a.g.primitive[4] + i);
}

/* f less (-s_{-1} + 26 s_0 - s_1)/24 of the faces below, at and above: differences of that are (27, -1)/24 of s. */
static __device__ __forceinline__ triad_weno_five less_face_stress(triad_weno_five f, triad_weno_stress below,
                                                                   triad_weno_stress at, triad_weno_stress above)
{
  const triad_real part = TRIAD_R(1.0 / 24);
  f.n -= part * (26 * at.n - (below.n + above.n));
  f.s -= part * (26 * at.s - (below.s + above.s));
  f.t -= part * (26 * at.t - (below.t + above.t));
  f.e -= part * (26 * at.e - (below.e + above.e));
  return f;
}

/* Along y or z, as march_kernel of weno_march.cu. */
static __global__ void __launch_bounds__(LANES) central_march_kernel(sweep_args a, int lanes, int64_t segment)
{
  int t = threadIdx.x;
  int64_t x = a.box.low[0] + blockIdx.x * (int64_t)lanes + t % lanes;
  int64_t row = a.box.low[3 - a.axis] + blockIdx.y * (int64_t)(LANES / lanes) + t / lanes;
  if (x >= a.box.high[0] || row >= a.box.high[3 - a.axis]) return;
  int64_t first = a.box.low[a.axis] + blockIdx.z * segment, n = a.box.high[a.axis];
  int64_t end = first + segment < n ? first + segment : n;
  int64_t i = a.g.origin + x + row * a.g.stride[3 - a.axis] + first * a.step;
  triad_weno_five lower = {0, 0, 0, 0, 0}, upper;
  triad_weno_stress s0, s1, s2;
  if (a.g.viscous) {
    s1 = stress_at_face(a, i - a.step);
    s2 = stress_at_face(a, i);
  }
#pragma unroll 1
  for (int64_t j = first; j <= end; j++, i += a.step) {
    upper = central_face(a, i);
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = stress_at_face(a, i + a.step);
      upper = less_face_stress(upper, s0, s1, s2);
    }
    if (j > first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
  }
}

/* Along x, as x_kernel of weno_x.cu. */
static __global__ void __launch_bounds__(MOST) central_x_kernel(sweep_args a, int margin)
{
  __shared__ triad_real flux[5][MOST], stress[4][MOST];
  int t = threadIdx.x, threads = blockDim.x;
  int64_t c = blockIdx.x * (int64_t)(threads - 2 * margin) + t - margin, n = a.box.high[0] - a.box.low[0];
  int64_t i = a.g.origin + a.box.low[0] + c + (a.box.low[1] + blockIdx.y) * a.g.stride[1] +
              (a.box.low[2] + blockIdx.z) * a.g.stride[2];
  if (a.g.viscous && c >= -1 && c <= n + 1) {
    triad_weno_stress s = stress_at_face(a, i);
    stress[0][t] = s.n;
    stress[1][t] = s.s;
    stress[2][t] = s.t;
    stress[3][t] = s.e;
  }
  __syncthreads();
  if (t >= margin && t <= threads - margin && c <= n) {
    triad_weno_five f = central_face(a, i);
    if (a.g.viscous) {
      triad_weno_stress s[3];
#pragma unroll
      for (int j = 0; j < 3; j++) {
        s[j].n = stress[0][t + j - 1];
        s[j].s = stress[1][t + j - 1];
        s[j].t = stress[2][t + j - 1];
        s[j].e = stress[3][t + j - 1];
      }
      f = less_face_stress(f, s[0], s[1], s[2]);
    }
    flux[0][t] = f.r;
    flux[1][t] = f.n;
    flux[2][t] = f.s;
    flux[3][t] = f.t;
    flux[4][t] = f.e;
  }
  __syncthreads();
  if (t < margin || t >= threads - margin || c >= n) return;
  triad_weno_five lower = {flux[0][t], flux[1][t], flux[2][t], flux[3][t], flux[4][t]};
  triad_weno_five upper = {flux[0][t + 1], flux[1][t + 1], flux[2][t + 1], flux[3][t + 1], flux[4][t + 1]};
  add_face_difference(a, i, lower, upper);
}

int triad_weno_sweep_central(const sweep_args *a, cudaStream_t stream)
{
  int64_t size[3];
  for (int i = 0; i < 3; i++) size[i] = a->box.high[i] - a->box.low[i];
  if (a->axis == 0) {
    int threads = x_threads(size[0], MARGIN);
    dim3 blocks(blocks_for(size[0], threads - 2 * MARGIN), (unsigned)size[1], (unsigned)size[2]);
    central_x_kernel<<<blocks, threads, 0, stream>>>(*a, MARGIN);
  } else {
    int64_t across = size[3 - a->axis], segment = segment_of(size[a->axis], size[0] * across);
    int lanes = lanes_for(size[0]);
    dim3 blocks(blocks_for(size[0], lanes), blocks_for(across, LANES / lanes), blocks_for(size[a->axis], segment));
    central_march_kernel<<<blocks, LANES, 0, stream>>>(*a, lanes, segment);
  }
  return launched("a central sweep");
}
