/* Flux-corrected transport on a GPU in zones of bricks (solvers/unstructured/fct_box_points.h): rates, and low-order transport with
 * the antidiffusive fluxes, a thread a cell; of zones with sides that are not all of outer faces, gradients and fluxes that cells on
 * those sides see. */
#include "solvers/unstructured/device_tiles.h"
#include "solvers/unstructured/fct_box_points.h"

/* The outer face across side s of a cell that is on this side of the zone. */
static __device__ __forceinline__ int32_t outer_face(const triad_fct_zone &z, const triad_fct_box &b, const tile_cell &p, int axis, int up)
{
  const int32_t *const of = axis == 0 ? b.outer[up] : axis == 1 ? b.outer[2 + up] : b.outer[4 + up];
  return of[triad_fct_box_on_side(&z, axis, p.x)];
}

static __device__ __forceinline__ triad_fct_box_way way_of(const triad_fct_view &v, const triad_fct_zone &z, const triad_fct_box &b,
                                                           const tile_cell &p, int c)
{
  triad_fct_box_way w;
  const int axis = c == 0 ? b.axis[0] : c == 1 ? b.axis[1] : b.axis[2];
  const int x = of_axis(axis, p.x), n = of_axis(axis, z.n), high = of_axis(axis, b.high);
  const int32_t cell = (int32_t)(z.cell + p.i), stride = (int32_t)of_axis(axis, z.stride);
  w.coordinate = c;
  w.area = 0;
  w.sign = c == 0 ? b.sign[0] : c == 1 ? b.sign[1] : b.sign[2];
  w.inside = x + 1 < high;
  w.near[0] = cell - stride;
  w.near[1] = cell + stride;
  w.near[2] = cell + 2 * stride;
  w.outer[0] = w.outer[1] = -1;
  if (x == 0) {
    w.outer[0] = outer_face(z, b, p, axis, 0);
    w.near[0] = (int32_t)triad_fct_beyond_face(&v, w.outer[0]);
  }
  if (x + 2 >= n && high == n) {
    const int32_t face = outer_face(z, b, p, axis, 1), beyond = (int32_t)triad_fct_beyond_face(&v, face);
    if (x + 1 == n) w.outer[1] = face;
    w.near[1] = x + 1 == n ? beyond : w.near[1];
    w.near[2] = beyond;
  }
  w.face = (int32_t)(z.slot + axis * z.cells + p.i);
  w.layer = (c == 0 ? b.layer[0] : c == 1 ? b.layer[1] : b.layer[2]) + x * TRIAD_FCT_BOX_NUMBERS;
  return w;
}

/* What is across coordinate c. */
static __device__ __forceinline__ triad_real area_of(const triad_fct_box &b, const tile_cell &p, int c)
{
  const int next = c == 0 ? b.axis[1] : c == 1 ? b.axis[2] : b.axis[0];
  const int last = c == 0 ? b.axis[2] : c == 1 ? b.axis[0] : b.axis[1];
  const triad_real *const across = c == 0 ? b.layer[1] : c == 1 ? b.layer[2] : b.layer[0];
  const triad_real *const beside = c == 0 ? b.layer[2] : c == 1 ? b.layer[0] : b.layer[1];
  return across[of_axis(next, p.x) * TRIAD_FCT_BOX_NUMBERS + TRIAD_FCT_BOX_LENGTH] *
         beside[of_axis(last, p.x) * TRIAD_FCT_BOX_NUMBERS + TRIAD_FCT_BOX_LENGTH];
}

/* ---- rates ---- */

static __global__ void __launch_bounds__(THREADS)
    rates(const triad_fct_view v, const triad_fct_zone z, const triad_fct_box b, triad_fct_gpu_found *found)
{
  const tile_cell p = tile_cell_of(z, b);
  triad_real sum = 0;
#pragma unroll
  for (int c = 0; c < 3; c++)
    if (p.there) {
      const triad_fct_box_way way = way_of(v, z, b, p, c);
      triad_fct_box_add_speeds(&v, z.cell + p.i, &way, &sum);
    }
  double most[1] = {(double)sum};
  of_block<0, 1>(most);
  if (threadIdx.x == 0) found_larger(&found->rate, bits_of(most[0] > 0 ? most[0] : 0));
}

extern "C" int triad_fct_gpu_box_rates(const triad_fct_view *v, const triad_fct_gpu_cells *cells, triad_fct_gpu_found *found,
                                       void *stream)
{
  TRIAD_LAUNCH(blocks_of_tiles(cells->box), dim3(THREADS), stream, rates)(*v, *cells->zone, *cells->box, found);
  return launched("rates of bricks");
}

/* ---- low-order transport, antidiffusive fluxes ---- */

template <int FIRST, int HLLC>
static __global__ void __launch_bounds__(THREADS, HLLC ? 4 : 5)
    transport(const triad_fct_view v, const triad_fct_zone z, const triad_fct_box b, triad_real dt)
{
  const tile_cell p = tile_cell_of(z, b);
  if (!p.there) return;
  triad_real sum[TRIAD_FCT_FIELDS] = {0, 0, 0, 0, 0};
#pragma unroll 1
  for (int c = 0; c < 3; c++) {
    triad_real above[TRIAD_FCT_FIELDS];
    triad_fct_box_way way = way_of(v, z, b, p, c);
    triad_fct_box_sides(&v, z.cell + p.i, &way, FIRST, HLLC, sum, above);
    if (way.inside) {
      way.area = area_of(b, p, c);
      triad_fct_box_antidiffusive(&v, z.cell + p.i, &way, above);
    }
    triad_fct_box_next(sum);
  }
  triad_fct_transported_by(&v, z.cell + p.i, dt, v.bounded, sum, 1);
}

extern "C" int triad_fct_gpu_box_transported(const triad_fct_view *v, const triad_fct_gpu_cells *cells, double dt, int first,
                                             int hllc, void *stream)
{
  const dim3 blocks = blocks_of_tiles(cells->box), threads(THREADS);
  const triad_real step = (triad_real)dt;
  if (first && hllc) TRIAD_LAUNCH(blocks, threads, stream, transport<1, 1>)(*v, *cells->zone, *cells->box, step);
  else if (first) TRIAD_LAUNCH(blocks, threads, stream, transport<1, 0>)(*v, *cells->zone, *cells->box, step);
  else if (hllc) TRIAD_LAUNCH(blocks, threads, stream, transport<0, 1>)(*v, *cells->zone, *cells->box, step);
  else TRIAD_LAUNCH(blocks, threads, stream, transport<0, 0>)(*v, *cells->zone, *cells->box, step);
  return launched("transport of bricks");
}

/* ---- windows ---- */

static __device__ __forceinline__ void move_numbers(const triad_fct_numbers &numbers, int n, int64_t from, int64_t by)
{
  for (int k = 0; k < n; k++) numbers.at[k * numbers.pitch + from - by] = numbers.at[k * numbers.pitch + from];
}

static __global__ void __launch_bounds__(THREADS)
    move(const triad_fct_view v, const triad_fct_zone z, int64_t first, int64_t n, int64_t by)
{
  const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x, cell = z.cell + first + i;
  if (i >= n) return;
  move_numbers(v.td, TRIAD_FCT_FIELDS, cell, by);
  for (int axis = 0; axis < 3; axis++) move_numbers(v.anti, TRIAD_FCT_FIELDS, z.slot + axis * z.cells + first + i, by);
  if (!v.bounded) return;
  move_numbers(v.bound, TRIAD_FCT_BOUNDS, cell, by);
  move_numbers(v.limit, TRIAD_FCT_LIMITS, cell, by);
}

extern "C" int triad_fct_gpu_box_move(const triad_fct_view *v, const triad_fct_gpu_cells *cells, int64_t first, int64_t n, int64_t by,
                                      void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, move)(*v, *cells->zone, first, n, by);
  return launched("bricks that are kept");
}

/* ---- what cells on the surface that go by lists see ---- */

static int all_tiled(const triad_fct_gpu_cells *c)
{
  int all = 1;
  for (int a = 0; a < 3; a++) all = all && c->box->high[a] - c->box->low[a] == c->zone->n[a];
  return all;
}

/* A cell of a zone, and how far it is along each axis. */
struct place {
  int64_t i;
  int x[3];
};

static __device__ __forceinline__ place place_of(const triad_fct_zone &z, int64_t i)
{
  const int at = (int)i;
  return {i, {at % z.n[0], at / z.n[0] % z.n[1], at / z.n[0] / z.n[1]}};
}

/* Is the cell across side s within the zone; and not on its surface? */
static __device__ __forceinline__ int goes_on(const triad_fct_zone &z, const place &p, int s)
{
  const int axis = s >> 1, x = of_axis(axis, p.x);
  return s & 1 ? x + 1 < of_axis(axis, z.n) : x > 0;
}

static __device__ __forceinline__ int is_inside(const triad_fct_zone &z, const place &p)
{
  return p.x[0] > 0 && p.x[0] + 1 < z.n[0] && p.x[1] > 0 && p.x[1] + 1 < z.n[1] && p.x[2] > 0 && p.x[2] + 1 < z.n[2];
}

static __device__ __forceinline__ place across(const triad_fct_zone &z, const place &p, int s)
{
  const int by = s & 1 ? 1 : -1, axis = s >> 1;
  return {p.i + by * of_axis(axis, z.stride),
          {p.x[0] + (axis == 0 ? by : 0), p.x[1] + (axis == 1 ? by : 0), p.x[2] + (axis == 2 ? by : 0)}};
}

/* Gradients of cells that are not on the surface, but beside cells there that go by lists: each by the first of them. Those on the
 * surface have theirs by their rows. */
static __global__ void __launch_bounds__(THREADS)
    gradients(const triad_fct_view v, const triad_fct_zone z, const triad_fct_box b, const int32_t *rim)
{
  const int64_t at = blockIdx.x * (int64_t)THREADS + threadIdx.x;
  if (at >= b.n_rim) return;
  const place mine = place_of(z, rim[b.rim + at] - z.cell);
  if (triad_fct_is_tiled(&b, mine.x)) return;
  for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) {
    if (!goes_on(z, mine, s)) continue;
    const place p = across(z, mine, s);
    int first = 0;
    if (!is_inside(z, p)) continue;
    while (first < (s ^ 1) && triad_fct_is_tiled(&b, across(z, p, first).x)) first++;
    if (first < (s ^ 1)) continue;
    triad_real sum[TRIAD_FCT_GRADIENT] = {0};
    double squares[TRIAD_FCT_SQUARES] = {0};
    for (int k = 0; k < TRIAD_FCT_ZONE_SIDES; k++) triad_fct_add_slope(&v, &z, z.cell + p.i, k, z.cell + p.i, sum, squares, 1);
    triad_fct_solve_slope(squares, sum, 1);
    triad_fct_store(&v.gradient, z.cell + p.i, TRIAD_FCT_GRADIENT, sum);
  }
}

extern "C" int triad_fct_gpu_box_gradients(const triad_fct_view *v, const triad_fct_gpu_cells *cells, void *stream)
{
  if (all_tiled(cells)) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(cells->box->n_rim, THREADS)), dim3(THREADS), stream, gradients)
  (*v, *cells->zone, *cells->box, cells->list);
  return launched("gradients of bricks");
}

/* Faces within the zone of cells that go by lists: those with each other by the lower cell. */
template <int LOW, int HLLC>
static __global__ void __launch_bounds__(THREADS)
    fluxes(const triad_fct_view v, const triad_fct_zone z, const triad_fct_box b, const int32_t *rim)
{
  const int64_t at = blockIdx.x * (int64_t)THREADS + threadIdx.x;
  if (at >= b.n_rim) return;
  const place mine = place_of(z, rim[b.rim + at] - z.cell);
  if (triad_fct_is_tiled(&b, mine.x)) return;
#pragma unroll 1
  for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) {
    if (!goes_on(z, mine, s)) continue;
    const place other = across(z, mine, s);
    const int64_t lower = s & 1 ? mine.i : other.i, upper = s & 1 ? other.i : mine.i;
    if (s & 1 || triad_fct_is_tiled(&b, other.x))
      triad_fct_face_fluxes(&v, z.slot + (s >> 1) * z.cells + lower, z.cell + lower, z.cell + upper, LOW, HLLC, TRIAD_FCT_LINEAR);
  }
}

extern "C" int triad_fct_gpu_box_fluxes(const triad_fct_view *v, const triad_fct_gpu_cells *cells, int low, int hllc,
                                        void *stream)
{
  const dim3 blocks(blocks_for(cells->box->n_rim, THREADS)), threads(THREADS);
  if (all_tiled(cells)) return TRIAD_OK;
  if (!low) TRIAD_LAUNCH(blocks, threads, stream, fluxes<0, 0>)(*v, *cells->zone, *cells->box, cells->list);
  else if (hllc) TRIAD_LAUNCH(blocks, threads, stream, fluxes<1, 1>)(*v, *cells->zone, *cells->box, cells->list);
  else TRIAD_LAUNCH(blocks, threads, stream, fluxes<1, 0>)(*v, *cells->zone, *cells->box, cells->list);
  return launched("fluxes of bricks");
}
