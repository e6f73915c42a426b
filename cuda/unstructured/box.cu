/* Flux-corrected transport on a GPU in zones of bricks (solvers/unstructured/points/box_points.h): rates, and
 * low-order transport with the antidiffusive fluxes, a thread a cell. */
#include "solvers/gas/riemann.h"
#include "solvers/unstructured/gpu/gpu_bricks.h"
#include "solvers/unstructured/gpu/device_tiles.h"
#include "solvers/unstructured/points/box_points.h"

static __device__ __forceinline__ triad_unstructured_box_way way_of(const triad_unstructured_view &v,
                                                                    const triad_mesh_zone &z,
                                                                    const triad_unstructured_box &b, const tile_cell &p,
                                                                    int c)
{
  return triad_unstructured_box_way_of(&v, &z, &b, p.i, p.x, c);
}

/* What is across coordinate c. */
static __device__ __forceinline__ triad_real area_of(const triad_unstructured_box &b, const tile_cell &p, int c)
{
  const int next = c == 0 ? b.axis[1] : c == 1 ? b.axis[2] : b.axis[0];
  const int last = c == 0 ? b.axis[2] : c == 1 ? b.axis[0] : b.axis[1];
  const triad_real *const across = c == 0 ? b.layer[1] : c == 1 ? b.layer[2] : b.layer[0];
  const triad_real *const neighbour = c == 0 ? b.layer[2] : c == 1 ? b.layer[0] : b.layer[1];
  return across[of_axis(next, p.x) * TRIAD_UNSTRUCTURED_BOX_NUMBERS + TRIAD_UNSTRUCTURED_BOX_LENGTH] *
         neighbour[of_axis(last, p.x) * TRIAD_UNSTRUCTURED_BOX_NUMBERS + TRIAD_UNSTRUCTURED_BOX_LENGTH];
}

/* ---- rates ---- */

/* WITHIN, here and below: along each axis two bricks of the zone lie above the cell, and one below. */
template <int WITHIN>
static __device__ __forceinline__ triad_real rate_of(const triad_unstructured_view &v, const triad_mesh_zone &z,
                                                     const triad_unstructured_box &b, const tile_cell &p)
{
  triad_real sum = 0;
#pragma unroll
  for (int c = 0; c < 3; c++) {
    const triad_unstructured_box_way way =
      WITHIN ? triad_unstructured_box_way_within(&z, &b, p.i, p.x, c) : way_of(v, z, b, p, c);
    triad_unstructured_box_add_speeds(&v, z.cell + p.i, &way, &sum);
  }
  return sum;
}

static __global__ void __launch_bounds__(THREADS)
  rates(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b, const tiles t,
        triad_unstructured_gpu_found *found)
{
  const tile_cell p = tile_cell_of(z, b, t);
  double most[1] = {0};
  if (is_warp_within(z, p, 2)) most[0] = (double)rate_of<1>(v, z, b, p);
  else if (p.there) most[0] = (double)rate_of<0>(v, z, b, p);
  of_block<0, 1>(most);
  if (threadIdx.x == 0) found_larger(&found->rate, bits_of(most[0] > 0 ? most[0] : 0));
}

extern "C" int triad_unstructured_gpu_box_rates(const triad_unstructured_view *v,
                                                const triad_unstructured_gpu_cells *cells,
                                                triad_unstructured_gpu_found *found, void *stream)
{
  const tiles t = tiles_of(cells->zone, cells->box);
  TRIAD_LAUNCH(blocks_of_tiles(t), dim3(THREADS), stream, rates)(*v, *cells->zone, *cells->box, t, found);
  return launched("rates of bricks");
}

/* ---- low-order transport, antidiffusive fluxes ---- */

template <int FIRST, int RIEMANN, int WITHIN>
static __device__ __forceinline__ void transport_of(const triad_unstructured_view &v, const triad_mesh_zone &z,
                                                    const triad_unstructured_box &b, const tile_cell &p, triad_real dt,
                                                    triad_gas_riemann riemann)
{
  const triad_unstructured_numbers &start = FIRST ? v.value : v.before;
  triad_real sum[TRIAD_UNSTRUCTURED_FIELDS] = {0, 0, 0, 0, 0};
#pragma unroll(WITHIN ? 3 : 1)
  for (int c = 0; c < 3; c++) {
    triad_real above[TRIAD_UNSTRUCTURED_FIELDS];
    triad_unstructured_box_way way =
      WITHIN ? triad_unstructured_box_way_within(&z, &b, p.i, p.x, c) : way_of(v, z, b, p, c);
    triad_unstructured_box_sides(&v, z.cell + p.i, &way,
                                 FIRST ? TRIAD_UNSTRUCTURED_OF_VALUES : TRIAD_UNSTRUCTURED_OF_KEPT,
                                 triad_gas_riemann_of(RIEMANN, riemann), sum, above);
    if (way.inside) {
      way.area = area_of(b, p, c);
      triad_unstructured_box_antidiffusive(&v, z.cell + p.i, &way, above);
    }
    triad_unstructured_box_next(sum);
  }
  triad_unstructured_transported_from(&v, z.cell + p.i, dt, v.bounded, start.at[z.cell + p.i],
                                      start.at[4 * start.pitch + z.cell + p.i], sum);
}

/* Within the zone three sevenths of the instructions are not needed, which are about its sides and about which axis
 * is at work. */
template <int FIRST, int RIEMANN>
static __global__ void __launch_bounds__(THREADS, RIEMANN == TRIAD_GAS_RUSANOV ? 5 : 4)
  transport(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b, const tiles t,
            triad_real dt, triad_gas_riemann riemann)
{
  const tile_cell p = tile_cell_of(z, b, t);
  if (is_warp_within(z, p, 2)) transport_of<FIRST, RIEMANN, 1>(v, z, b, p, dt, riemann);
  else if (p.there) transport_of<FIRST, RIEMANN, 0>(v, z, b, p, dt, riemann);
}

extern "C" int triad_unstructured_gpu_box_transported(const triad_unstructured_view *v,
                                                      const triad_unstructured_gpu_cells *cells, double dt, int first,
                                                      triad_gas_riemann riemann, void *stream)
{
  const tiles t = tiles_of(cells->zone, cells->box);
  const dim3 blocks = blocks_of_tiles(t), threads(THREADS);
  const triad_real step = (triad_real)dt;
#define LAUNCH_FROM(FIRST, RIEMANN) \
  TRIAD_LAUNCH(blocks, threads, stream, transport<FIRST, RIEMANN>)(*v, *cells->zone, *cells->box, t, step, riemann)
#define LAUNCH(RIEMANN) \
  if (first) LAUNCH_FROM(1, RIEMANN); \
  else LAUNCH_FROM(0, RIEMANN)
  TRIAD_GAS_BY_KIND(riemann, LAUNCH);
#undef LAUNCH
#undef LAUNCH_FROM
  return launched("transport of bricks");
}

/* ---- windows ---- */

/* What is moved of a brick: its own numbers, and those of its upper faces, across the last axis first. */
enum {
  OWN = TRIAD_UNSTRUCTURED_FIELDS + TRIAD_UNSTRUCTURED_BOUNDS,
  OF_FACE = TRIAD_UNSTRUCTURED_FIELDS + TRIAD_UNSTRUCTURED_PARTS,
  MOVED = 3 * OF_FACE + OWN
};

static __device__ __forceinline__ triad_real *moved(const triad_unstructured_view &v, const triad_mesh_zone &z, int k,
                                                    int64_t i)
{
  const int axis = 2 - k / OF_FACE, n = k % OF_FACE, own = k - 3 * OF_FACE;
  if (own >= TRIAD_UNSTRUCTURED_FIELDS)
    return v.bounded ? v.bound.at + (own - TRIAD_UNSTRUCTURED_FIELDS) * v.bound.pitch + z.cell + i : NULL;
  if (own >= 0) return v.td.at + own * v.td.pitch + z.cell + i;
  if (n >= TRIAD_UNSTRUCTURED_FIELDS)
    return v.bounded ? triad_unstructured_part_place(&v, z.slot + axis * z.cells + i, n - TRIAD_UNSTRUCTURED_FIELDS)
                     : NULL;
  return v.anti.at + n * v.anti.pitch + z.slot + axis * z.cells + i;
}

/* A thread a number. Of the first layer, which has been corrected, the next one asks for faces between them alone. */
static __global__ void __launch_bounds__(THREADS)
  move(const triad_unstructured_view v, const triad_mesh_zone z, int64_t first, int64_t n, int64_t by)
{
  const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
  const int k = (int)blockIdx.y;
  if (i >= n || (i < z.stride[2] && k >= OF_FACE)) return;
  const triad_real *from = moved(v, z, k, first + i);
  if (from) *moved(v, z, k, first + i - by) = *from;
}

extern "C" int triad_unstructured_gpu_box_move(const triad_unstructured_view *v,
                                               const triad_unstructured_gpu_cells *cells, int64_t first, int64_t n,
                                               int64_t by, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS), MOVED), dim3(THREADS), stream, move)(*v, *cells->zone, first, n, by);
  return launched("stored bricks");
}
