/* States at the two sides of a face and the flux through it, as a thread of a stage's kernels finds them. For cuda/
 * only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_FACES_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_FACES_H

#include "solvers/multiblock/gpu/device_desk.h"

enum { ANY_LIMITER = TRIAD_MULTIBLOCK_LIMITERS };

/* Values of the cell `at` at its lower and upper faces across an axis, from three values in a row: as rows.c. */
template <int LIMITER>
static __device__ __forceinline__ void reach(const mesh &g, int axis, int at, const triad_real below[FIELDS],
                                             const triad_real here[FIELDS], const triad_real above[FIELDS],
                                             triad_real down[FIELDS], triad_real up[FIELDS])
{
  const triad_real least = TRIAD_R(0.05);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    if (LIMITER == ANY_LIMITER && g.frozen)
      triad_multiblock_reach_frozen(g.kept[axis][m][at], below[m], here[m], above[m], down + m, up + m);
    else
      triad_multiblock_reach(LIMITER == ANY_LIMITER ? g.limiter : (triad_multiblock_limiter)LIMITER, g.kappa, g.order,
                             below[m], here[m], above[m], down + m, up + m);
    if (m == 0 || m == 4) {
      down[m] = triad_max(down[m], least * here[m]);
      up[m] = triad_max(up[m], least * here[m]);
    }
  }
}

static __device__ __forceinline__ void read_at(const triad_real *const q[FIELDS], int at, triad_real out[FIELDS])
{
#pragma unroll
  for (int m = 0; m < FIELDS; m++) out[m] = q[m][at];
}

/* The same from memory; stride: from a cell to the next along the axis. */
template <int LIMITER>
static __device__ __forceinline__ void reach_at(const mesh &g, const job &p, int axis, int at, int stride,
                                                triad_real down[FIELDS], triad_real up[FIELDS])
{
  triad_real below[FIELDS], here[FIELDS], above[FIELDS];
  read_at(p.q, at - stride, below);
  read_at(p.q, at, here);
  read_at(p.q, at + stride, above);
  reach<LIMITER>(g, axis, at, below, here, above, down, up);
}

/* The flux of a boundary face below the cell, across an axis; -1: it is none. */
static __device__ __forceinline__ int boundary_at(const triad_multiblock_gpu_block &b, int axis, const place &c)
{
  const int along = axis == 0 ? c.i : axis == 1 ? c.j : c.k;
  if (along > 0 && along < b.n[axis]) return -1;
  const int32_t *map = b.map[2 * axis + (along > 0)];
  return map ? map[axis == 0 ? c.j + b.n[1] * c.k : c.i + b.n[0] * (axis == 1 ? c.k : c.j)] : -1;
}

/* Do lanes find what diffuses together (device_gradients.h), or each for itself? Columns have no lane for what lies
 * beside a row. */
enum { BOXES_TOGETHER = 0, PLANES_TOGETHER = 1 };
template <int FLOW, int KIND> struct diffuses {
  enum {
    TOGETHER = KIND == TRIAD_MULTIBLOCK_GPU_ROWS      ? (int)BOXES_TOGETHER
               : KIND == TRIAD_MULTIBLOCK_GPU_COLUMNS ? 0
                                                      : (int)PLANES_TOGETHER,
    BY_LANES = FLOW == LAMINAR && TOGETHER,
    ALONE = FLOW == LAMINAR && !TOGETHER
  };
};

static __device__ __forceinline__ void take_diffused(triad_gas_flux d, triad_real flux[FIELDS])
{
  flux[1] -= d.x;
  flux[2] -= d.y;
  flux[3] -= d.z;
  flux[4] -= d.energy;
}

/* After diffusion: no heat goes through a boundary face that conducts none; face: below 0 within. */
static __device__ __forceinline__ void insulate(const mesh &g, int face, triad_real flux[FIELDS])
{
  if (face < 0) return;
  const triad_multiblock_side *side = g.side + g.face[face].patch;
  if (!triad_multiblock_insulates(side)) return;
  const triad_real without[3] = {g.face_flux[1][face], g.face_flux[2][face], g.face_flux[3][face]};
  flux[4] = triad_multiblock_insulated(side, flux + 1, without);
}

/* Through the lower face, across an axis, of the cell at a place: this area. DIFFUSES: with what diffuses. Returns the
 * boundary face that it is, below 0: none. */
template <int RIEMANN, int DIFFUSES>
static __device__ __forceinline__ int through(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                              int flat, int axis, int at, const place &c, triad_gas_vector area,
                                              const triad_real left[FIELDS], const triad_real right[FIELDS],
                                              triad_real flux[FIELDS])
{
  const triad_gas_flux f =
    triad_gas_between((triad_gas_riemann)RIEMANN, state_of(left), state_of(right), area, g.gamma);
  flux[0] = f.mass;
  flux[1] = f.x;
  flux[2] = f.y;
  flux[3] = f.z;
  flux[4] = f.energy;
  const int face = boundary_at(b, axis, c); /* such have fluxes of their own */
  if (face >= 0) {
#pragma unroll
    for (int m = 0; m < FIELDS; m++) flux[m] = g.face_flux[m][face];
  }
  if (DIFFUSES) {
    const triad_multiblock_sight sight = sight_of(g, p.q);
    const int64_t step[3] = {1, b.stride[1], b.stride[2]};
    take_diffused(triad_multiblock_diffused(&sight, axis, flat, step, at), flux);
    insulate(g, face, flux);
  }
  return face;
}

#endif
