/* Kernels before and after the stages of flow on curvilinear blocks (solvers/multiblock/gpu/gpu_multiblock.h): halos
 * beyond boundaries and fluxes through them, edges of halos, temperatures, friction. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "solvers/multiblock/gpu/device_cells.h"

static __global__ void __launch_bounds__(THREADS) boundaries(const mesh g, const five f)
{
  const int i = number();
  if (i >= g.n_faces) return;
  const triad_multiblock_gpu_face face = g.face[i];
  triad_multiblock_side side = g.side[face.patch];
  const triad_gas_state near = state_at(f, face.cell), inner = state_at(f, face.inner),
                        next = g.order > 0 ? inner : near;
  const triad_gas_vector lower = area_at<EITHER>(g, face.step, face.axis, face.metric);
  const triad_real area[3] = {lower.x, lower.y, lower.z};
  const triad_real sign = face.upper ? TRIAD_R(1) : TRIAD_R(-1);
  triad_real s[3], n[3];
  if (side.kind == TRIAD_MULTIBLOCK_EXACT) {
    side.given = g.exact[2 * (int64_t)i];
    side.beyond = g.exact[2 * (int64_t)i + 1];
  }
  triad_multiblock_outwards(area, face.upper, s, n);
  const triad_gas_state at = triad_multiblock_state_at(&side, near, next, n, g.gamma);
  const triad_gas_state halo = triad_multiblock_halo_of(&side, near, inner, at, n);
  put_state(f, face.halo, halo);
  put_state(f, face.halo + face.out, halo);
  const triad_gas_flux flux = triad_multiblock_boundary_flux(&side, g.riemann, near, next, at, s, g.gamma);
  g.face_flux[0][i] = sign * flux.mass;
  g.face_flux[1][i] = sign * flux.x;
  g.face_flux[2][i] = sign * flux.y;
  g.face_flux[3][i] = sign * flux.z;
  g.face_flux[4][i] = sign * flux.energy;
}

extern "C" int triad_multiblock_gpu_boundaries(const mesh *g, triad_real *const q[FIELDS], void *stream)
{
  if (g->n_faces == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(g->n_faces, THREADS)), dim3(THREADS), stream, boundaries)(*g, five_of(q));
  return launched("boundaries of blocks");
}

static __global__ void __launch_bounds__(THREADS) edges(const int (*left)[4], int n, const five f)
{
  const int i = number();
  if (i >= n) return;
  const int *at = left[i];
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    triad_real *q = f.q[m], edge = q[at[1]] + q[at[2]] - q[at[3]];
    q[at[0]] = m == 0 || m == 4 ? triad_max(edge, TRIAD_R(0.1) * q[at[3]]) : edge;
  }
}

extern "C" int triad_multiblock_gpu_edges(const int (*left)[4], int n, triad_real *const q[FIELDS], void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, edges)(left, n, five_of(q));
  return launched("edges of blocks");
}

static __global__ void __launch_bounds__(THREADS)
  temperatures(const mesh g, const triad_real *rho, const triad_real *p, const int *list, int n)
{
  const int i = number();
  if (i >= n) return;
  const int at = list ? list[i] : i;
  const triad_real t = p[at] * triad_gas_per(rho[at]) * g.per_r;
  g.temperature[at] = t;
  g.viscosity[at] = triad_multiblock_viscosity(t, g.mu, g.reference, g.power, g.sutherland);
}

extern "C" int triad_multiblock_gpu_temperatures(const mesh *g, triad_real *const q[FIELDS], const int *list, int n,
                                                 void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, temperatures)(*g, q[0], q[4], list, n);
  return launched("temperatures");
}

static __global__ void __launch_bounds__(THREADS) drags(const mesh g, const five f)
{
  const int i = number();
  if (i >= g.n_faces) return;
  const triad_multiblock_gpu_face face = g.face[i];
  const triad_multiblock_sight sight = sight_of(g, f.q);
  const int64_t step[3] = {face.step[0], face.step[1], face.step[2]};
  const triad_gas_flux d = triad_multiblock_diffused(&sight, face.axis, face.flat, step, face.metric);
  g.face_drag[0][i] = d.x;
  g.face_drag[1][i] = d.y;
  g.face_drag[2][i] = d.z;
}

extern "C" int triad_multiblock_gpu_drags(const mesh *g, triad_real *const q[FIELDS], void *stream)
{
  if (g->n_faces == 0 || !g->viscosity) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(g->n_faces, THREADS)), dim3(THREADS), stream, drags)(*g, five_of(q));
  return launched("friction of blocks");
}
