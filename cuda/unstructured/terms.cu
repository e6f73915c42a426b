/* Flux-corrected transport on a GPU: stress and conduction, prelimiting, a factor for each component
 * (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "solvers/unstructured/gpu/device_places.h"
#include "solvers/unstructured/points/tets.h"

static dim3 blocks_of_faces(const triad_mesh_zone *zone, int64_t faces)
{
  return dim3(blocks_for(zone ? zone->cells : faces, THREADS));
}

/* ---- stress and conduction ---- */

/* TETS: some faces have corners alone. */
template <int LOW, int TETS>
static __global__ void __launch_bounds__(THREADS)
  viscous_of_list(const triad_unstructured_view v, const triad_unstructured_fluid fluid)
{
  const int64_t face = item();
  if (face >= v.n_inner) return;
  const int64_t l = v.cell[face][0], r = v.cell[face][1];
  triad_unstructured_face is;
  if (TETS) triad_unstructured_face_between(&v, face, l, r, &is);
  else triad_unstructured_load_face(&v, face, &is);
  triad_unstructured_viscous_between(&v, &fluid, face, &is, l, r, LOW);
}

template <int LOW>
static __global__ void __launch_bounds__(THREADS, 4)
  viscous_of_zone(const triad_unstructured_view v, const triad_unstructured_fluid fluid, const triad_mesh_zone z)
{
  const int64_t i = item();
  if (i >= z.cells) return;
#pragma unroll 1
  for (int axis = 0; axis < 3; axis++) {
    const upper_face f = upper_face_of(z, i, axis);
    triad_unstructured_face is;
    if (!f.there) continue;
    triad_unstructured_load_face(&v, f.face, &is);
    triad_unstructured_viscous_between(&v, &fluid, f.face, &is, f.l, f.r, LOW);
  }
}

template <int LOW>
static int launch_viscous(const triad_unstructured_view *v, const triad_unstructured_fluid *fluid,
                          const triad_mesh_zone *zone, void *stream)
{
  const dim3 blocks = blocks_of_faces(zone, v->n_inner), threads(THREADS);
  if (zone) TRIAD_LAUNCH(blocks, threads, stream, viscous_of_zone<LOW>)(*v, *fluid, *zone);
  else if (v->corner) TRIAD_LAUNCH(blocks, threads, stream, viscous_of_list<LOW, 1>)(*v, *fluid);
  else TRIAD_LAUNCH(blocks, threads, stream, viscous_of_list<LOW, 0>)(*v, *fluid);
  return launched("stress and conduction");
}

extern "C" int triad_unstructured_gpu_viscous(const triad_unstructured_view *v, const triad_unstructured_fluid *fluid,
                                              const triad_mesh_zone *zone, int low, void *stream)
{
  if (!zone && v->n_inner == 0) return TRIAD_OK;
  return low ? launch_viscous<1>(v, fluid, zone, stream) : launch_viscous<0>(v, fluid, zone, stream);
}

static __global__ void __launch_bounds__(THREADS)
  outer_viscous(const triad_unstructured_view v, const triad_unstructured_fluid fluid,
                const triad_unstructured_gpu_outer outer, int low)
{
  const int64_t face = v.n_inner + item();
  if (face >= v.n_faces) return;
  const triad_unstructured_rule rule = outer.rule[outer.patch[face - v.n_inner]];
  triad_unstructured_viscous_outside(&v, &fluid, &rule, face, low);
}

extern "C" int triad_unstructured_gpu_outer_viscous(const triad_unstructured_view *v,
                                                    const triad_unstructured_fluid *fluid,
                                                    const triad_unstructured_gpu_outer *outer, int low, void *stream)
{
  if (v->n_faces == v->n_inner) return TRIAD_OK;
  TRIAD_LAUNCH(blocks_of_faces(NULL, v->n_faces - v->n_inner), dim3(THREADS), stream, outer_viscous)
  (*v, *fluid, *outer, low);
  return launched("stress and conduction of outer faces");
}

/* ---- prelimiting ---- */

static __global__ void __launch_bounds__(THREADS) prelimit_list(const triad_unstructured_view v)
{
  const int64_t face = item();
  if (face < v.n_inner) triad_unstructured_cancel(&v, face, v.cell[face][0], v.cell[face][1]);
}

static __global__ void __launch_bounds__(THREADS)
  prelimit_zone(const triad_unstructured_view v, const triad_mesh_zone z)
{
  const int64_t i = item();
  for (int axis = 0; axis < 3 && i < z.cells; axis++) {
    const upper_face f = upper_face_of(z, i, axis);
    if (f.there) triad_unstructured_cancel(&v, f.face, f.l, f.r);
  }
}

extern "C" int triad_unstructured_gpu_prelimit(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                               void *stream)
{
  if (!zone && v->n_inner == 0) return TRIAD_OK;
  const dim3 blocks = blocks_of_faces(zone, v->n_inner);
  if (zone) TRIAD_LAUNCH(blocks, dim3(THREADS), stream, prelimit_zone)(*v, *zone);
  else TRIAD_LAUNCH(blocks, dim3(THREADS), stream, prelimit_list)(*v);
  return launched("prelimiting");
}

/* ---- a factor for each component ---- */

/* Own cells; entries beyond outer faces follow all cells and ghosts. */
static __global__ void __launch_bounds__(THREADS) component_bounds(const triad_unstructured_view v)
{
  const int64_t i = item(), place = i < v.n_cells ? i : triad_unstructured_beyond_face(&v, v.n_inner + i - v.n_cells);
  if (i < v.n_cells + v.n_faces - v.n_inner) triad_unstructured_bound_components(&v, place);
}

extern "C" int triad_unstructured_gpu_component_bounds(const triad_unstructured_view *v, void *stream)
{
  TRIAD_LAUNCH(blocks_of_faces(NULL, v->n_cells + v->n_faces - v->n_inner), dim3(THREADS), stream, component_bounds)
  (*v);
  return launched("bounds of components");
}

static __global__ void __launch_bounds__(THREADS)
  component_parts_of_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c, triad_real dt)
{
  PLACE_OF_ROW;
  if (p.there) triad_unstructured_part_components(&v, zone, p.at, p.n, p.cell, dt);
}

static __global__ void __launch_bounds__(THREADS)
  component_parts_of_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_real dt)
{
  PLACE_IN_ZONE;
  if (p.there) triad_unstructured_part_components(&v, zone, p.at, p.n, p.cell, dt);
}

extern "C" int triad_unstructured_gpu_component_parts(const triad_unstructured_view *v,
                                                      const triad_unstructured_gpu_cells *cells, double dt,
                                                      void *stream)
{
  const triad_real step = (triad_real)dt;
  if (is_nothing(cells)) return TRIAD_OK;
  const dim3 blocks = blocks_of_faces(cells->zone, cells->n);
  if (cells->zone) TRIAD_LAUNCH(blocks, dim3(THREADS), stream, component_parts_of_zone)(*v, *cells->zone, step);
  else TRIAD_LAUNCH(blocks, dim3(THREADS), stream, component_parts_of_rows)(*v, *cells, step);
  return launched("limits of components");
}

/* What the threads of a block have counted: faces that were cut, parts that were left. */
static __device__ __forceinline__ void add_counts(double counts[2], triad_unstructured_gpu_found *found)
{
  of_block<2, 0>(counts);
  if (threadIdx.x > 0) return;
  found_more(&found->limited, (unsigned long long)counts[0]);
  found_more(&found->parts, (unsigned long long)counts[1]);
}

static __device__ __forceinline__ void cut(const triad_unstructured_view &v, int64_t face, int64_t l, int64_t r,
                                           double counts[2])
{
  const triad_real least = triad_unstructured_cut_components(&v, face, l, r);
  if (r < 0 || l >= v.n_cells) return;
  counts[0] += least < TRIAD_R(0.999999);
  counts[1] += (double)(int64_t)((double)least * (1 << 20));
}

static __global__ void __launch_bounds__(THREADS)
  cut_list(const triad_unstructured_view v, triad_unstructured_gpu_found *found)
{
  const int64_t face = item();
  double counts[2] = {0, 0};
  if (face < v.n_faces) cut(v, face, v.cell[face][0], face < v.n_inner ? v.cell[face][1] : -1, counts);
  add_counts(counts, found);
}

static __global__ void __launch_bounds__(THREADS)
  cut_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_unstructured_gpu_found *found)
{
  const int64_t i = item();
  double counts[2] = {0, 0};
  for (int axis = 0; axis < 3 && i < z.cells; axis++) {
    const upper_face f = upper_face_of(z, i, axis);
    if (f.there) cut(v, f.face, f.l, f.r, counts);
  }
  add_counts(counts, found);
}

extern "C" int triad_unstructured_gpu_component_limits(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                       triad_unstructured_gpu_found *found, void *stream)
{
  if (!zone && v->n_faces == 0) return TRIAD_OK;
  const dim3 blocks = blocks_of_faces(zone, v->n_faces);
  if (zone) TRIAD_LAUNCH(blocks, dim3(THREADS), stream, cut_zone)(*v, *zone, found);
  else TRIAD_LAUNCH(blocks, dim3(THREADS), stream, cut_list)(*v, found);
  return launched("cuts of components");
}
