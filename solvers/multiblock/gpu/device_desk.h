/* Shared-memory staging buffer of a thread: values that it will need are loaded asynchronously, without registers,
 * while it computes; the areas of its cell's faces, from this buffer. For cuda/ only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_DESK_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_DESK_H

#include "solvers/multiblock/gpu/device_gradients.h"

enum { FIELDS = TRIAD_MULTIBLOCK_FIELDS, THREADS = TRIAD_MULTIBLOCK_GPU_THREADS };

/* Flows that a kernel is for: inviscid with area vectors kept, laminar, which keeps them too, inviscid with nodes
 * kept. */
enum { INVISCID, LAMINAR, ON_NODES };

typedef triad_multiblock_gpu mesh;
typedef triad_multiblock_gpu_stage job;

/* ---- a desk ---- */

/* Of a march: primitives of cell i in q[i % 4]; areas, or what they follow from; what its change takes in own: the
 * state at the start, volume, rate, and the sums of fluxes so far. A thread reads what it has brought itself, and
 * nothing else. */
enum { RING = 4, U0 = 0, VOLUME = FIELDS, RATE, REST };

/* Of cell i: the area of its upper face along the march in along[i % 2], of its lower face across the lanes in
 * lanes[i % 2]. */
template <int KIND, int FLOW, int FIRST> struct area_desk {
  triad_real along[2][3][THREADS], lanes[2][3][THREADS];
};
template <int FLOW, int FIRST> struct area_desk<TRIAD_MULTIBLOCK_GPU_COLUMNS, FLOW, FIRST> {
  triad_real along[2][3][THREADS];
};

/* Row n of nodes of the march, those at the lower corners of its cell n and of the cell beyond that across the third
 * axis, in node[n % DEEP]. In a first stage, low: the area of the lower face along the march. */
template <int DEPTH, int FIRST> struct node_desk {
  enum { DEEP = DEPTH };
  triad_real node[DEEP][2][3][THREADS];
};
template <int DEPTH> struct node_desk<DEPTH, 1> {
  enum { DEEP = DEPTH };
  triad_real node[DEEP][2][3][THREADS], low[3][THREADS];
};
template <int FIRST> struct area_desk<TRIAD_MULTIBLOCK_GPU_ROWS, ON_NODES, FIRST> : node_desk<2, FIRST> {
};
template <int FIRST> struct area_desk<TRIAD_MULTIBLOCK_GPU_COLUMNS, ON_NODES, FIRST> : node_desk<1, FIRST> {
};

template <int KIND> struct own_desk {
  triad_real own[KIND == TRIAD_MULTIBLOCK_GPU_COLUMNS ? REST + FIELDS : REST][THREADS];
};
template <> struct own_desk<TRIAD_MULTIBLOCK_GPU_ROWS> {
};

template <int KIND, int FLOW, int FIRST> struct desk : area_desk<KIND, FLOW, FIRST>, own_desk<KIND> {
  triad_real q[RING][FIELDS][THREADS];
};

static __device__ __forceinline__ void bring(triad_real &to, const triad_real *from)
{
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(&to)), "l"(from),
               "n"(sizeof(triad_real))
               : "memory");
#else
  to = *from;
#endif
}

/* What has been asked for since the last time is one order. */
static __device__ __forceinline__ void close_order(void)
{
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* All orders but the last have come. */
static __device__ __forceinline__ void wait_for_last_but_one(void)
{
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
}

template <class DESK> static __device__ __forceinline__ void bring_state(const job &p, const march &w, int i, DESK &d)
{
#pragma unroll
  for (int m = 0; m < FIELDS; m++) bring(d.q[i % RING][m][threadIdx.x], p.q[m] + w.at + i * w.step);
}

/* Row n of nodes; the third axis is neither that of the lanes, which is i, nor of the march. */
template <int KIND, class DESK>
static __device__ __forceinline__ void bring_nodes(const mesh &g, const triad_multiblock_gpu_block &b, const march &w,
                                                   int n, DESK &d)
{
  const int at = w.at + n * w.step, beside = at + b.stride[KIND == TRIAD_MULTIBLOCK_GPU_ROWS ? 2 : 1];
#pragma unroll
  for (int a = 0; a < 3; a++) {
    bring(d.node[n % d.DEEP][0][a][threadIdx.x], g.node[a] + at);
    bring(d.node[n % d.DEEP][1][a][threadIdx.x], g.node[a] + beside);
  }
}

/* For the fluxes of cell i. */
template <int KIND, int FLOW, class DESK>
static __device__ __forceinline__ void bring_for_fluxes(const mesh &g, const job &p,
                                                        const triad_multiblock_gpu_block &b, const march &w, int i,
                                                        DESK &d)
{
  const int at = w.at + i * w.step;
  bring_state(p, w, i + 2, d);
  if constexpr (FLOW == ON_NODES) {
    bring_nodes<KIND>(g, b, w, i + 1, d);
  } else {
#pragma unroll
    for (int a = 0; a < 3; a++) {
      bring(d.along[i % 2][a][threadIdx.x], g.s[w.along][a] + at + w.step);
      if constexpr (KIND != TRIAD_MULTIBLOCK_GPU_COLUMNS) bring(d.lanes[i % 2][a][threadIdx.x], g.s[w.lanes][a] + at);
    }
  }
}

/* Is the state at the start that of the primitives at hand, from which it follows? In a first stage; where the
 * stage's own state is kept, as by the last of a step, the state itself is taken, lest roundings add up. */
template <int FIRST> static __device__ __forceinline__ int starts_from_primitives(const job &p)
{
  return FIRST && !p.u[0];
}

/* For the change of the cell at a place. */
template <int KIND, int FIRST, class DESK>
static __device__ __forceinline__ void bring_for_change(const mesh &g, const job &p, int at, DESK &d)
{
  if constexpr (KIND != TRIAD_MULTIBLOCK_GPU_ROWS) {
#pragma unroll
    for (int m = 0; m < FIELDS; m++) {
      if (!starts_from_primitives<FIRST>(p)) bring(d.own[U0 + m][threadIdx.x], p.u0[m] + at);
      if constexpr (KIND == TRIAD_MULTIBLOCK_GPU_COLUMNS) bring(d.own[REST + m][threadIdx.x], p.rest[m] + at);
    }
    bring(d.own[VOLUME][threadIdx.x], g.volume + at);
    bring(d.own[RATE][threadIdx.x], g.rate + at);
  }
}

static __device__ __forceinline__ triad_gas_vector vector_on(const triad_real (*s)[THREADS])
{
  return (triad_gas_vector){s[0][threadIdx.x], s[1][threadIdx.x], s[2][threadIdx.x]};
}

static __device__ __forceinline__ void put_vector(triad_real (*s)[THREADS], triad_gas_vector v)
{
  s[0][threadIdx.x] = v.x;
  s[1][threadIdx.x] = v.y;
  s[2][threadIdx.x] = v.z;
}

template <class DESK> static __device__ __forceinline__ void state_on(const DESK &d, int i, triad_real out[FIELDS])
{
#pragma unroll
  for (int m = 0; m < FIELDS; m++) out[m] = d.q[i % RING][m][threadIdx.x];
}

static __device__ __forceinline__ triad_gas_state state_of(const triad_real q[FIELDS])
{
  return (triad_gas_state){q[0], q[1], q[2], q[3], q[4]};
}

/* ---- areas of a cell ---- */

/* Of cell i of the march: the lower face across the lanes, and the upper one along the march. */
struct faces {
  triad_gas_vector lanes, along;
};

template <int KIND, class DESK> static __device__ __forceinline__ faces faces_kept(int i, const DESK &d)
{
  faces f;
  f.along = vector_on(d.along[i % 2]);
  if constexpr (KIND != TRIAD_MULTIBLOCK_GPU_COLUMNS) f.lanes = vector_on(d.lanes[i % 2]);
  return f;
}

/* All lanes of a warp call it, and have brought their nodes: a lane above has those of the next cell along i. */
template <int KIND, class DESK> static __device__ __forceinline__ faces faces_between(int i, const DESK &d)
{
  const triad_gas_vector b0 = vector_on(d.node[(i + 1) % d.DEEP][0]), b1 = vector_on(d.node[(i + 1) % d.DEEP][1]),
                         c0 = vector_above(b0), c1 = vector_above(b1);
  faces f;
  if constexpr (KIND == TRIAD_MULTIBLOCK_GPU_ROWS) {
    f.lanes = triad_multiblock_quad_of(vector_on(d.node[i % d.DEEP][0]), b0, b1, vector_on(d.node[i % d.DEEP][1]));
    f.along = triad_multiblock_quad_of(b0, b1, c1, c0);
  } else {
    f.along = triad_multiblock_quad_of(b0, c0, c1, b1);
  }
  return f;
}

#endif
