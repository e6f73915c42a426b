/* The compressible solver's sweeps with central fluxes and viscous fluxes at faces, along each axis. */
#include "solvers/compressible/gpu/device_threads.h"

enum { LANES = TRIAD_COMPRESSIBLE_MARCHING, MARGIN = 2 /* threads that lend their stresses only */ };

/* Along y or z, as march_kernel of cuda/compressible/march.cu. */
static __global__ void __launch_bounds__(LANES) central_march_kernel(sweep_args a, int lanes, int64_t segment)
{
  march_range m;
  if (!march_of(a, lanes, segment, &m)) return;
  int64_t i = m.place;
  triad_compressible_five lower = {0, 0, 0, 0, 0}, upper;
  triad_compressible_stress s0, s1, s2;
  if (a.g.viscous) {
    s1 = stress_at_face(a, i - a.step);
    s2 = stress_at_face(a, i);
  }
#pragma unroll 1
  for (int64_t j = m.first; j <= m.end; j++, i += a.step) {
    upper = at_wall(a, j, false, i, central_face(a, i));
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = stress_at_face(a, i + a.step);
      upper = at_wall(a, j, true, i, triad_compressible_less_face_stress(upper, s0, s1, s2));
    }
    if (j > m.first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
  }
}

/* Along x, as x_kernel of cuda/compressible/sweep_x.cu. */
static __global__ void __launch_bounds__(TRIAD_COMPRESSIBLE_ROW) central_x_kernel(sweep_args a, int margin)
{
  __shared__ x_rows rows;
  int t = threadIdx.x;
  int64_t i, c = x_cell(a, margin, &i), n = a.box.high[0] - a.box.low[0];
  if (a.g.viscous && c >= -1 && c <= n + 1) lend_stress(rows, t, stress_at_face(a, i));
  __syncthreads();
  if (has_face(t, margin, c, n)) {
    triad_compressible_five f = at_wall(a, a.box.low[0] + c, false, i, central_face(a, i));
    if (a.g.viscous) {
      f = triad_compressible_less_face_stress(f, lent_stress(rows, t - 1), lent_stress(rows, t),
                                              lent_stress(rows, t + 1));
      f = at_wall(a, a.box.low[0] + c, true, i, f);
    }
    lend_flux(rows, t, f);
  }
  __syncthreads();
  if (!has_cell(t, margin, c, n)) return;
  add_face_difference(a, i, lent_flux(rows, t), lent_flux(rows, t + 1));
}

int triad_compressible_sweep_central(const sweep_args *a, cudaStream_t stream)
{
  if (a->axis == 0) {
    TRIAD_LAUNCH(x_blocks(a, MARGIN), dim3(TRIAD_COMPRESSIBLE_ROW), stream, central_x_kernel)(*a, MARGIN);
  } else {
    int lanes;
    int64_t segment;
    dim3 blocks = march_blocks(a, &lanes, &segment);
    TRIAD_LAUNCH(blocks, dim3(LANES), stream, central_march_kernel)(*a, lanes, segment);
  }
  return launched("a central sweep");
}
