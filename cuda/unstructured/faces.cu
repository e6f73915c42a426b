/* Flux-corrected transport on a GPU, a thread a face: fluxes, outer faces, faces that add to both their cells
 * (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "solvers/gas/riemann.h"
#include "solvers/unstructured/gpu/device_places.h"
#include "solvers/unstructured/points/outer_points.h"
#include "solvers/unstructured/points/tets.h"

/* ---- fluxes between cells ---- */

template <int LOW, int RIEMANN, int HIGH>
static __global__ void __launch_bounds__(THREADS)
  fluxes_of_list(const triad_unstructured_view v, int64_t begin, int64_t end, triad_gas_riemann riemann)
{
  const int64_t face = begin + item();
  if (face >= end) return;
  triad_unstructured_face_fluxes(&v, face, v.cell[face][0], v.cell[face][1], LOW,
                                 triad_gas_riemann_of(RIEMANN, riemann), HIGH);
}

/* Where some faces have corners alone; as many blocks at a time as where all have geometry. */
template <int LOW, int RIEMANN, int HIGH>
static __global__ void __launch_bounds__(THREADS, LOW ? 5 : 7)
  fluxes_by_corners(const triad_unstructured_view v, int64_t begin, int64_t end, triad_gas_riemann riemann)
{
  const int64_t face = begin + item();
  if (face >= end) return;
  triad_unstructured_tet_fluxes(&v, face, v.cell[face][0], v.cell[face][1], LOW, triad_gas_riemann_of(RIEMANN, riemann),
                                HIGH);
}

/* A thread a cell, whose three upper faces come one after the other: what is read of the cell is then near. */
template <int LOW, int RIEMANN, int HIGH>
static __global__ void __launch_bounds__(THREADS)
  fluxes_of_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_gas_riemann riemann)
{
  const int64_t i = item();
  if (i >= z.cells) return;
#pragma unroll 1
  for (int axis = 0; axis < 3; axis++) {
    const upper_face f = upper_face_of(z, i, axis);
    if (f.there)
      triad_unstructured_face_fluxes(&v, f.face, f.l, f.r, LOW, triad_gas_riemann_of(RIEMANN, riemann), HIGH);
  }
}

template <int LOW, int RIEMANN, int HIGH>
static int launch_fluxes(const triad_unstructured_view *v, int64_t begin, int64_t end, const triad_mesh_zone *zone,
                         triad_gas_riemann riemann, void *stream)
{
  const dim3 threads(THREADS), blocks(blocks_for(zone ? zone->cells : end - begin, THREADS));
  if (zone) TRIAD_LAUNCH(blocks, threads, stream, fluxes_of_zone<LOW, RIEMANN, HIGH>)(*v, *zone, riemann);
  else if (v->corner)
    TRIAD_LAUNCH(blocks, threads, stream, fluxes_by_corners<LOW, RIEMANN, HIGH>)(*v, begin, end, riemann);
  else TRIAD_LAUNCH(blocks, threads, stream, fluxes_of_list<LOW, RIEMANN, HIGH>)(*v, begin, end, riemann);
  return launched("fluxes");
}

template <int HIGH>
static int launch_low(const triad_unstructured_view *v, int64_t begin, int64_t end, const triad_mesh_zone *zone,
                      triad_gas_riemann riemann, void *stream)
{
#define LAUNCH(RIEMANN) return launch_fluxes<1, RIEMANN, HIGH>(v, begin, end, zone, riemann, stream)
  TRIAD_GAS_BY_KIND(riemann, LAUNCH);
#undef LAUNCH
}

extern "C" int triad_unstructured_gpu_fluxes(const triad_unstructured_view *v, int64_t begin, int64_t end,
                                             const triad_mesh_zone *zone, int low, triad_gas_riemann riemann, int high,
                                             void *stream)
{
  if (!zone && end <= begin) return TRIAD_OK;
  if (!low && high == TRIAD_UNSTRUCTURED_LINEAR)
    return launch_fluxes<0, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_LINEAR>(v, begin, end, zone, riemann, stream);
  if (!low)
    return launch_fluxes<0, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_CENTRAL>(v, begin, end, zone, riemann, stream);
  if (high == TRIAD_UNSTRUCTURED_LINEAR)
    return launch_low<TRIAD_UNSTRUCTURED_LINEAR>(v, begin, end, zone, riemann, stream);
  if (high == TRIAD_UNSTRUCTURED_CENTRAL)
    return launch_low<TRIAD_UNSTRUCTURED_CENTRAL>(v, begin, end, zone, riemann, stream);
  return launch_low<TRIAD_UNSTRUCTURED_NO_HIGH>(v, begin, end, zone, riemann, stream);
}

/* The face without fluxes has none, and no wave. */
static __global__ void no_flux(const triad_unstructured_view v, int64_t face, int low)
{
  if (v.anti.at) v.anti.at[threadIdx.x * v.anti.pitch + face] = 0;
  if (low && threadIdx.x == 0) v.speed[face] = 0;
}

extern "C" int triad_unstructured_gpu_no_flux(const triad_unstructured_view *v, int64_t face, int low, void *stream)
{
  TRIAD_LAUNCH(dim3(1), dim3(TRIAD_UNSTRUCTURED_FIELDS), stream, no_flux)(*v, face, low);
  return launched("fluxes");
}

/* ---- outer faces ---- */

static dim3 outer_blocks(const triad_unstructured_view *v)
{
  return dim3(blocks_for(v->n_faces - v->n_inner, THREADS));
}

static __global__ void __launch_bounds__(THREADS)
  outer_fluxes(const triad_unstructured_view v, const triad_unstructured_gpu_outer outer, int low,
               triad_gas_riemann riemann, int high)
{
  const int64_t face = v.n_inner + item();
  if (face >= v.n_faces) return;
  const triad_unstructured_rule rule = outer.rule[outer.patch[face - v.n_inner]];
  const int64_t opposite = outer.opposite ? outer.opposite[face - v.n_inner] : -1;
  triad_unstructured_outer_fluxes(&v, &rule, face, low, riemann, high, opposite,
                                  opposite >= 0 ? outer.part[face - v.n_inner] : 0);
}

extern "C" int triad_unstructured_gpu_outer_fluxes(const triad_unstructured_view *v,
                                                   const triad_unstructured_gpu_outer *outer, int low,
                                                   triad_gas_riemann riemann, int high, void *stream)
{
  if (v->n_faces == v->n_inner) return TRIAD_OK;
  TRIAD_LAUNCH(outer_blocks(v), dim3(THREADS), stream, outer_fluxes)(*v, *outer, low, riemann, high);
  return launched("fluxes of outer faces");
}

static __global__ void __launch_bounds__(THREADS)
  beyond(const triad_unstructured_view v, const triad_unstructured_gpu_outer outer)
{
  const int64_t face = v.n_inner + item();
  if (face >= v.n_faces) return;
  const triad_unstructured_rule rule = outer.rule[outer.patch[face - v.n_inner]];
  triad_unstructured_set_beyond(&v, &rule, face);
}

extern "C" int triad_unstructured_gpu_beyond(const triad_unstructured_view *v,
                                             const triad_unstructured_gpu_outer *outer, void *stream)
{
  if (v->n_faces == v->n_inner) return TRIAD_OK;
  TRIAD_LAUNCH(outer_blocks(v), dim3(THREADS), stream, beyond)(*v, *outer);
  return launched("boundaries");
}

static __global__ void __launch_bounds__(THREADS) room_beyond(const triad_unstructured_view v, int parts)
{
  const int64_t face = v.n_inner + item();
  if (face >= v.n_faces) return;
  if (parts) triad_unstructured_set_part_beyond(&v, face);
  else triad_unstructured_set_room_beyond(&v, face);
}

extern "C" int triad_unstructured_gpu_room_beyond(const triad_unstructured_view *v, int parts, void *stream)
{
  if (v->n_faces == v->n_inner) return TRIAD_OK;
  TRIAD_LAUNCH(outer_blocks(v), dim3(THREADS), stream, room_beyond)(*v, parts);
  return launched("bounds of outer faces");
}

static __global__ void __launch_bounds__(THREADS)
  ghost_parts(const triad_unstructured_view v, int64_t begin, int64_t end, triad_real dt)
{
  const int64_t face = begin + item();
  if (face >= end) return;
  for (int side = 0; side < 2; side++) triad_unstructured_set_part(&v, face, side, v.cell[face][side], dt);
}

extern "C" int triad_unstructured_gpu_ghost_parts(const triad_unstructured_view *v, int64_t begin, int64_t end,
                                                  double dt, void *stream)
{
  if (end <= begin) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(end - begin, THREADS)), dim3(THREADS), stream, ghost_parts)
  (*v, begin, end, (triad_real)dt);
  return launched("parts between ranks");
}

/* Some blocks a patch, whose threads go through the faces always in the same order; then a block a patch adds their
 * sums. */
static __global__ void __launch_bounds__(THREADS)
  crossed(const triad_unstructured_view v, const triad_unstructured_gpu_outer outer, double dt, int high)
{
  const int patch = (int)blockIdx.x / outer.shares, share = (int)blockIdx.x % outer.shares,
            step = outer.shares * THREADS;
  double sum[TRIAD_UNSTRUCTURED_PASSED] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int64_t i = outer.begin[patch] + share * THREADS + threadIdx.x; i < outer.begin[patch + 1]; i += step) {
    triad_real passed[TRIAD_UNSTRUCTURED_FIELDS];
    triad_unstructured_passed(&v, outer.faces[i], high, passed);
    triad_unstructured_add_passed(passed, outer.arm ? outer.arm[outer.faces[i] - v.n_inner] : NULL, dt, sum);
  }
  of_block<TRIAD_UNSTRUCTURED_PASSED, 0>(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_PASSED; k++)
      outer.sums[(int64_t)blockIdx.x * TRIAD_UNSTRUCTURED_PASSED + k] = sum[k];
}

static __global__ void __launch_bounds__(THREADS)
  crossed_in_all(const triad_unstructured_gpu_outer outer, triad_unstructured_gpu_found *found)
{
  const int share = (int)threadIdx.x;
  double sum[TRIAD_UNSTRUCTURED_PASSED];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_PASSED; k++)
    sum[k] = share < outer.shares
               ? outer.sums[((int64_t)blockIdx.x * outer.shares + share) * TRIAD_UNSTRUCTURED_PASSED + k]
               : 0;
  of_block<TRIAD_UNSTRUCTURED_PASSED, 0>(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_PASSED; k++) found->passed[blockIdx.x][k] = sum[k];
}

extern "C" int triad_unstructured_gpu_crossed(const triad_unstructured_view *v,
                                              const triad_unstructured_gpu_outer *outer, double dt, int high,
                                              triad_unstructured_gpu_found *found, void *stream)
{
  const unsigned patches = (unsigned)outer->n_patches;
  if (patches == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(patches * (unsigned)outer->shares), dim3(THREADS), stream, crossed)(*v, *outer, dt, high);
  TRIAD_LAUNCH(dim3(patches), dim3(THREADS), stream, crossed_in_all)(*outer, found);
  return launched("what crosses the patches");
}

/* ---- faces that add to both their cells ---- */

/* Is it a cell to which faces add? */
static __device__ __forceinline__ int is_listed(const triad_unstructured_view &v, int64_t cell, int64_t first)
{
  return cell >= first && cell < v.n_cells;
}

static __device__ __forceinline__ void add(const triad_unstructured_view &v, int64_t cell, int64_t first, triad_real by,
                                           const triad_real flux[5], int atomic)
{
  if (!is_listed(v, cell, first)) return;
  const triad_real scale = by * v.per_volume[cell];
#pragma unroll
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    triad_real *td = &v.td.at[k * v.td.pitch + cell];
    if (atomic) add_atomically(td, -(scale * flux[k]));
    else *td -= scale * flux[k];
  }
}

static __global__ void __launch_bounds__(THREADS) scatter(const triad_unstructured_view v, int64_t begin, int64_t end,
                                                          int64_t first, triad_real dt, int anti, int atomic)
{
  const int64_t face = begin + item();
  if (face >= end) return;
  const int64_t l = v.cell[face][0], r = face < v.n_inner ? v.cell[face][1] : v.n_seen + face - v.n_inner;
  triad_real flux[TRIAD_UNSTRUCTURED_FIELDS];
  if (!is_listed(v, l, first) && !is_listed(v, r, first)) return; /* of bricks not all is kept */
  triad_unstructured_load(anti ? &v.anti : &v.low, face, TRIAD_UNSTRUCTURED_FIELDS, flux);
  if (anti && v.bounded) {
    const triad_real part = triad_unstructured_kept_part(&v, face);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) flux[k] *= part;
  }
  add(v, l, first, dt, flux, atomic);
  add(v, r, first, -dt, flux, atomic);
}

extern "C" int triad_unstructured_gpu_scatter(const triad_unstructured_view *v, int64_t begin, int64_t end,
                                              int64_t first, double dt, int anti, int atomic, void *stream)
{
  if (end <= begin) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(end - begin, THREADS)), dim3(THREADS), stream, scatter)
  (*v, begin, end, first, (triad_real)dt, anti, atomic);
  return launched("faces that add");
}

static __global__ void __launch_bounds__(THREADS) restart(const triad_unstructured_view v, int64_t first, int bounds)
{
  const int64_t c = first + item();
  triad_real u[TRIAD_UNSTRUCTURED_FIELDS], t[TRIAD_UNSTRUCTURED_FIELDS];
  if (c >= v.n_cells) return;
  triad_unstructured_load(&v.u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
  if (!bounds) {
    triad_unstructured_store(&v.td, c, TRIAD_UNSTRUCTURED_FIELDS, u);
    return;
  }
  triad_unstructured_load(&v.td, c, TRIAD_UNSTRUCTURED_FIELDS, t);
  triad_unstructured_own_bounds(&v, c, u, t);
}

static int launch_restart(const triad_unstructured_view *v, int64_t first, int bounds, void *stream)
{
  if (v->n_cells <= first) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(v->n_cells - first, THREADS)), dim3(THREADS), stream, restart)(*v, first, bounds);
  return launched("a stage's start");
}

extern "C" int triad_unstructured_gpu_restart(const triad_unstructured_view *v, int64_t first, void *stream)
{
  return launch_restart(v, first, 0, stream);
}

extern "C" int triad_unstructured_gpu_bounds(const triad_unstructured_view *v, int64_t first, void *stream)
{
  return launch_restart(v, first, 1, stream);
}

static __global__ void __launch_bounds__(THREADS)
  count(const triad_unstructured_view v, int64_t first, triad_unstructured_gpu_found *found)
{
  const int64_t face = item();
  double counts[2] = {0, 0};
  const int64_t l = face < v.n_inner ? v.cell[face][0] : -1;
  if (is_listed(v, l, first)) {
    const triad_real part = triad_unstructured_kept_part(&v, face);
    counts[0] = part < TRIAD_R(0.999999);
    counts[1] = (double)(int64_t)(part * (1 << 20));
  }
  of_block<2, 0>(counts);
  if (threadIdx.x > 0) return;
  found_more(&found->limited, (unsigned long long)counts[0]);
  found_more(&found->parts, (unsigned long long)counts[1]);
}

extern "C" int triad_unstructured_gpu_count(const triad_unstructured_view *v, int64_t first,
                                            triad_unstructured_gpu_found *found, void *stream)
{
  if (v->n_inner == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(v->n_inner, THREADS)), dim3(THREADS), stream, count)(*v, first, found);
  return launched("counts of limited faces");
}
