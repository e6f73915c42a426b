/* Flux-corrected transport on a GPU, a thread a cell: gradients, rates, transport, values
 * (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "solvers/unstructured/gpu/device_places.h"
#include "solvers/unstructured/points/tets.h"

/* Of a row, where there are any: cells on the surface of a zone, which a list has, are no tetrahedra. */
static __device__ __forceinline__ triad_unstructured_tet corners_of(const triad_unstructured_view &v,
                                                                    const triad_unstructured_gpu_cells &c,
                                                                    const place &p)
{
  const triad_unstructured_tet none = {{0, 0, 0, 0}};
  return c.list ? none : triad_unstructured_tet_of(&v, p.cell);
}

/* ---- gradients ---- */

static __device__ __forceinline__ void gradient(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                                const place &p)
{
  if (!p.there) return;
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT] = {0};
  double squares[TRIAD_UNSTRUCTURED_SQUARES] = {0};
  const triad_real distance = triad_unstructured_begin_slope(&v, p.cell, v.softening.at != NULL, squares, 1);
  for (int s = 0; s < p.n; s++) triad_unstructured_add_slope(&v, zone, p.at, s, p.cell, distance, sum, squares, 1);
  triad_unstructured_solve_slope(squares, sum, 1);
  triad_unstructured_store(&v.slope, p.cell, TRIAD_UNSTRUCTURED_GRADIENT, sum);
}

static __global__ void __launch_bounds__(THREADS)
  gradients_of_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c)
{
  PLACE_OF_ROW;
  gradient(v, zone, p);
}

/* Where some faces have corners alone. */
static __global__ void __launch_bounds__(THREADS, 5)
  gradients_by_corners(const triad_unstructured_view v, const triad_unstructured_gpu_cells c)
{
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT] = {0};
  double squares[TRIAD_UNSTRUCTURED_SQUARES] = {0};
  const place p = row_of(v, c);
  if (!p.there) return;
  const triad_unstructured_tet own = corners_of(v, c, p);
  const triad_real distance = triad_unstructured_begin_slope(&v, p.cell, v.softening.at != NULL, squares, 1);
#pragma unroll 1
  for (int s = 0; s < p.n; s++) triad_unstructured_add_tet_slope(&v, p.at, s, p.cell, own, distance, sum, squares, 1);
  triad_unstructured_solve_slope(squares, sum, 1);
  triad_unstructured_store(&v.slope, p.cell, TRIAD_UNSTRUCTURED_GRADIENT, sum);
}

static __global__ void __launch_bounds__(THREADS)
  gradients_of_zone(const triad_unstructured_view v, const triad_mesh_zone z)
{
  PLACE_IN_ZONE;
  gradient(v, zone, p);
}

extern "C" int triad_unstructured_gpu_gradients(const triad_unstructured_view *v,
                                                const triad_unstructured_gpu_cells *cells, void *stream)
{
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->zone) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, gradients_of_zone)(*v, *cells->zone);
  else if (v->corner) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, gradients_by_corners)(*v, *cells);
  else TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, gradients_of_rows)(*v, *cells);
  return launched("gradients");
}

/* TETS: some faces have corners alone. */
template <int TETS>
static __device__ __forceinline__ void widened(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                               const place &p, triad_unstructured_tet own)
{
  if (!p.there) return;
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT], n = 1;
  triad_unstructured_load(&v.slope, p.cell, TRIAD_UNSTRUCTURED_GRADIENT, sum);
  if (!zone && p.sides < TRIAD_UNSTRUCTURED_ENOUGH) {
    for (int s = 0; s < p.n; s++) triad_unstructured_add_neighbour(&v, p.at, s, p.cell, sum, 1, &n);
    for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) sum[j] /= n;
  }
  if (v.flat) {
    triad_real range[10], part = 1;
    triad_unstructured_start_range(&v, p.cell, range, 1);
    for (int s = 0; s < p.n; s++) triad_unstructured_add_range(&v, zone, p.at, s, range, 1);
    for (int s = 0; s < p.n; s++) {
      if (TETS) triad_unstructured_add_tet_reach(&v, p.at, s, p.cell, own, sum, range, &part, 1);
      else triad_unstructured_add_reach(&v, zone, p.at, s, p.cell, sum, range, &part, 1);
    }
    part = triad_unstructured_cut(range, part, 1);
    for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) sum[j] *= part;
  }
  triad_unstructured_store(&v.gradient, p.cell, TRIAD_UNSTRUCTURED_GRADIENT, sum);
}

template <int TETS>
static __global__ void __launch_bounds__(THREADS)
  widen_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c)
{
  PLACE_OF_ROW;
  triad_unstructured_tet own;
  if (TETS && p.there && v.flat) own = corners_of(v, c, p);
  widened<TETS>(v, zone, p, own);
}

static __global__ void __launch_bounds__(THREADS) widen_zone(const triad_unstructured_view v, const triad_mesh_zone z)
{
  PLACE_IN_ZONE;
  const triad_unstructured_tet own = {{0, 0, 0, 0}};
  widened<0>(v, zone, p, own);
}

extern "C" int triad_unstructured_gpu_widen(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                            void *stream)
{
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->zone) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, widen_zone)(*v, *cells->zone);
  else if (v->corner && v->flat) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, widen_rows<1>)(*v, *cells);
  else TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, widen_rows<0>)(*v, *cells);
  return launched("means of gradients");
}

/* ---- rates ---- */

static __device__ __forceinline__ void rate(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                            const place &p, triad_unstructured_gpu_found *found)
{
  triad_real sum = 0;
  for (int s = 0; p.there && s < p.n; s++) triad_unstructured_add_speed(&v, zone, p.at, s, &sum);
  double most[1] = {p.there ? (double)(sum * v.per_volume[p.cell]) : 0};
  of_block<0, 1>(most);
  if (threadIdx.x == 0) found_larger(&found->rate, bits_of(most[0] > 0 ? most[0] : 0));
}

static __global__ void __launch_bounds__(THREADS)
  rates_of_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c,
                triad_unstructured_gpu_found *found)
{
  PLACE_OF_ROW;
  rate(v, zone, p, found);
}

static __global__ void __launch_bounds__(THREADS)
  rates_of_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_unstructured_gpu_found *found)
{
  PLACE_IN_ZONE;
  rate(v, zone, p, found);
}

extern "C" int triad_unstructured_gpu_rates(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                            triad_unstructured_gpu_found *found, void *stream)
{
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->zone) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, rates_of_zone)(*v, *cells->zone, found);
  else TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, rates_of_rows)(*v, *cells, found);
  return launched("rates");
}

/* ---- low-order transport ---- */

static __device__ __forceinline__ void transport(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                                 const place &p, triad_real dt)
{
  if (!p.there) return;
  triad_real sum[TRIAD_UNSTRUCTURED_FIELDS] = {0};
  for (int s = 0; s < p.n; s++) triad_unstructured_add_low(&v, zone, p.at, s, sum, 1);
  triad_unstructured_transported(&v, p.cell, dt, v.bounded, sum, 1);
}

static __global__ void __launch_bounds__(THREADS)
  transport_of_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c, triad_real dt)
{
  PLACE_OF_ROW;
  transport(v, zone, p, dt);
}

static __global__ void __launch_bounds__(THREADS)
  transport_of_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_real dt)
{
  PLACE_IN_ZONE;
  transport(v, zone, p, dt);
}

extern "C" int triad_unstructured_gpu_transported(const triad_unstructured_view *v,
                                                  const triad_unstructured_gpu_cells *cells, double dt, void *stream)
{
  const triad_real step = (triad_real)dt;
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->zone) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, transport_of_zone)(*v, *cells->zone, step);
  else TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, transport_of_rows)(*v, *cells, step);
  return launched("low-order transport");
}

/* ---- the state as it is ---- */

static __global__ void __launch_bounds__(THREADS)
  values(const triad_unstructured_view v, triad_unstructured_gpu_found *found)
{
  const int64_t c = blockIdx.x * (int64_t)THREADS + threadIdx.x;
  double bad[1] = {0};
  if (c < v.n_cells) {
    triad_real u[TRIAD_UNSTRUCTURED_FIELDS];
    triad_unstructured_load(&v.u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
    triad_unstructured_set_value(&v, c, u);
    if (!triad_unstructured_holds_gas(&v, c)) bad[0] = (double)(c + 1);
  }
  of_block<0, 1>(bad);
  if (threadIdx.x == 0 && bad[0] > 0) found_larger(&found->bad, (unsigned long long)bad[0]);
}

extern "C" int triad_unstructured_gpu_values(const triad_unstructured_view *v, triad_unstructured_gpu_found *found,
                                             void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(v->n_cells, THREADS)), dim3(THREADS), stream, values)(*v, found);
  return launched("values");
}
