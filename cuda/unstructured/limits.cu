/* Flux-corrected transport on a GPU, a thread a cell: limits, and the correction, of lists, zones and bricks
 * (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "solvers/unstructured/gpu/device_places.h"
#include "solvers/unstructured/gpu/device_tiles.h"

/* Is the cell across a side of a brick no brick of its zone? zone and box NULL or not are known when these are
 * compiled. */
static __device__ __forceinline__ int is_on_side(const triad_mesh_zone *zone, const triad_unstructured_box *box,
                                                 const place &p, int s)
{
  const int axis = s >> 1, up = s & 1;
  if (!box) return 0;
  return up ? of_axis(axis, p.x) + 1 == of_axis(axis, zone->n) : of_axis(axis, p.x) == 0;
}

/* Index of the bounds across a side: of the cell, or of the entry beyond an outer face. */
static __device__ __forceinline__ int64_t bounds_across(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                                        const triad_unstructured_box *box, const place &p, int s)
{
  if (!is_on_side(zone, box, p, s)) return triad_unstructured_near(&v, zone, p.at, s);
  return triad_unstructured_box_across(&v, triad_unstructured_box_outer(zone, box, s >> 1, s & 1, p.x)) + box->behind;
}

/* The face of a side; *sign: 1 where what passes it leaves, -1 where it comes in. */
static __device__ __forceinline__ int64_t face_of(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                                  const triad_unstructured_box *box, const place &p, int s,
                                                  triad_real *sign)
{
  if (!is_on_side(zone, box, p, s)) return triad_unstructured_face_at(&v, zone, p.at, s, sign);
  *sign = 1;
  return triad_unstructured_box_outer(zone, box, s >> 1, s & 1, p.x);
}

/* Cells of bricks, in tiles; *within: none of the warp's is on a side of the zone. */
static __device__ __forceinline__ place in_tile(const triad_mesh_zone &z, const triad_unstructured_box &b,
                                                const tiles &all, int *within)
{
  const tile_cell t = tile_cell_of(z, b, all);
  place p;
  *within = is_warp_within(z, t, 1);
  for (int a = 0; a < 3; a++) p.x[a] = t.x[a];
  p.there = t.there;
  p.n = p.sides = TRIAD_MESH_ZONE_SIDES;
  p.at = p.cell = z.cell + t.i;
  return p;
}

#define PLACE_IN_TILE \
  int within; \
  const place p = in_tile(z, b, t, &within)

/* ---- limits ---- */

/* What changes at a cell's sides want: four bits each, of as many sides as there are bits for. */
enum { SIDES_NOTED = 16 };

static __device__ __forceinline__ unsigned long long noted(triad_unstructured_wants w, int s)
{
  const unsigned bits = (unsigned)(w.rise[0] | w.fall[0] << 1 | w.rise[1] << 2 | w.fall[1] << 3);
  return s < SIDES_NOTED ? (unsigned long long)bits << 4 * s : 0;
}

static __device__ __forceinline__ triad_unstructured_wants wants_of(unsigned long long notes, int s)
{
  const unsigned bits = (unsigned)(notes >> 4 * s);
  return {{(int)(bits & 1), (int)(bits >> 2 & 1)}, {(int)(bits >> 1 & 1), (int)(bits >> 3 & 1)}};
}

/* What a cell can take of each face's antidiffusive flux goes to the face: the cell across then asks for one number
 * there, not for this cell's limits. */
static __device__ __forceinline__ void limit(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                             const triad_unstructured_box *box, const place &p, triad_real dt)
{
  if (!p.there) return;
  triad_real b[TRIAD_UNSTRUCTURED_BOUNDS], own[5], gas[2], room[4], sum[4] = {0, 0, 0, 0}, sign;
  unsigned long long notes = 0;
  triad_unstructured_load(&v.bound, p.cell, TRIAD_UNSTRUCTURED_BOUNDS, b);
  for (int s = 0; s < p.sides; s++) triad_unstructured_widen_by(&v, bounds_across(v, zone, box, p, s), b, 1);
  triad_unstructured_before_limits(&v, p.cell, (triad_real)p.sides, dt, b, own, 1);
  triad_unstructured_transported_gas(&v, p.cell, own, 1, gas);
  const triad_real still = triad_unstructured_still(gas[1], (triad_real)p.sides);
  for (int s = 0; s < p.sides; s++) {
    const int64_t face = face_of(v, zone, box, p, s, &sign);
    notes |=
      noted(triad_unstructured_wanted(triad_unstructured_add_change(&v, face, sign, own, sum, 1), own[3], still), s);
  }
  triad_unstructured_rooms(gas, b, sum, 1, room);
  const triad_real rise[2] = {room[0], room[2]}, fall[2] = {room[1], room[3]};
  for (int s = 0; s < p.sides; s++) {
    const int64_t face = face_of(v, zone, box, p, s, &sign);
    triad_unstructured_wants w = wants_of(notes, s < SIDES_NOTED ? s : 0);
    if (s >= SIDES_NOTED)
      w = triad_unstructured_wanted(triad_unstructured_add_change(&v, face, sign, own, sum, 1), own[3], still);
    *triad_unstructured_part_place(&v, face, sign < 0) = triad_unstructured_granted(w, rise, fall, v.limited);
  }
  if (p.cell >= v.limits_from) triad_unstructured_keep_limits(&v, p.cell, room, own, still, 1);
}

static __global__ void __launch_bounds__(THREADS, 7)
  limits_of_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c, triad_real dt)
{
  PLACE_OF_ROW;
  limit(v, zone, NULL, p, dt);
}

static __global__ void __launch_bounds__(THREADS)
  limits_of_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_real dt)
{
  PLACE_IN_ZONE;
  limit(v, zone, NULL, p, dt);
}

static __global__ void __launch_bounds__(THREADS, 8)
  limits_in_tiles(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b,
                  const tiles t, triad_real dt)
{
  PLACE_IN_TILE;
  if (within) limit(v, &z, NULL, p, dt);
  else limit(v, &z, &b, p, dt);
}

extern "C" int triad_unstructured_gpu_limits(const triad_unstructured_view *v,
                                             const triad_unstructured_gpu_cells *cells, double dt, void *stream)
{
  const triad_real step = (triad_real)dt;
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->box) {
    const tiles t = tiles_of(cells->zone, cells->box);
    TRIAD_LAUNCH(blocks_of_tiles(t), dim3(THREADS), stream, limits_in_tiles)(*v, *cells->zone, *cells->box, t, step);
  } else if (cells->zone) TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, limits_of_zone)(*v, *cells->zone, step);
  else TRIAD_LAUNCH(blocks_of(cells), dim3(THREADS), stream, limits_of_rows)(*v, *cells, step);
  return launched("limits");
}

/* ---- the correction ---- */

/* Add the limited antidiffusive fluxes out of a cell. Faces between cells are counted by the cell on their left. */
template <int COUNTS>
static __device__ __forceinline__ void add_parts(const triad_unstructured_view &v, const triad_mesh_zone *zone,
                                                 const triad_unstructured_box *box, const place &p, triad_real *sum,
                                                 double *counts)
{
  for (int s = 0; s < p.sides; s++) {
    triad_real sign;
    const int64_t face = face_of(v, zone, box, p, s, &sign);
    const triad_real part = v.bounded ? triad_unstructured_kept_part(&v, face) : TRIAD_R(1);
    triad_unstructured_add_anti_at(&v, face, sign * part, sum, 1);
    if (COUNTS && v.bounded) {
      const int mine = sign > 0 && (face < v.n_inner || face >= v.n_faces);
      counts[0] += mine && part < TRIAD_R(0.999999);
      counts[1] += mine ? (double)(int64_t)(part * (1 << 20)) : 0;
    }
  }
}

/* The block's threads meet here. */
template <int COUNTS>
static __device__ __forceinline__ void correct(const triad_unstructured_view &v, const place &p, triad_real dt,
                                               const triad_real *sum, double *counts,
                                               triad_unstructured_gpu_found *found)
{
  if (p.there) {
    triad_unstructured_corrected(&v, p.cell, dt, COUNTS, sum, 1);
    if (!triad_unstructured_holds_gas(&v, p.cell)) counts[2] = (double)(p.cell + 1);
  }
  of_block<2, 1>(counts);
  if (threadIdx.x > 0) return;
  if (COUNTS && counts[0] > 0) found_more(&found->limited, (unsigned long long)counts[0]);
  if (COUNTS && counts[1] > 0) found_more(&found->parts, (unsigned long long)counts[1]);
  if (counts[2] > 0) found_larger(&found->bad, (unsigned long long)counts[2]);
}

#define NOTHING_YET \
  triad_real sum[TRIAD_UNSTRUCTURED_FIELDS] = {0}; \
  double counts[3] = {0, 0, 0}

template <int COUNTS>
static __global__ void __launch_bounds__(THREADS)
  correct_rows(const triad_unstructured_view v, const triad_unstructured_gpu_cells c, triad_real dt, int high,
               triad_unstructured_gpu_found *found)
{
  PLACE_OF_ROW;
  NOTHING_YET;
  if (p.there && high) add_parts<COUNTS>(v, zone, NULL, p, sum, counts);
  correct<COUNTS>(v, p, dt, sum, counts, found);
}

template <int COUNTS>
static __global__ void __launch_bounds__(THREADS)
  correct_zone(const triad_unstructured_view v, const triad_mesh_zone z, triad_real dt, int high,
               triad_unstructured_gpu_found *found)
{
  PLACE_IN_ZONE;
  NOTHING_YET;
  if (p.there && high) add_parts<COUNTS>(v, zone, NULL, p, sum, counts);
  correct<COUNTS>(v, p, dt, sum, counts, found);
}

template <int COUNTS>
static __global__ void __launch_bounds__(THREADS)
  correct_in_tiles(const triad_unstructured_view v, const triad_mesh_zone z, const triad_unstructured_box b,
                   const tiles t, triad_real dt, int high, triad_unstructured_gpu_found *found)
{
  PLACE_IN_TILE;
  NOTHING_YET;
  if (within && high) add_parts<COUNTS>(v, &z, NULL, p, sum, counts);
  else if (p.there && high) add_parts<COUNTS>(v, &z, &b, p, sum, counts);
  correct<COUNTS>(v, p, dt, sum, counts, found);
}

extern "C" int triad_unstructured_gpu_corrected(const triad_unstructured_view *v,
                                                const triad_unstructured_gpu_cells *cells, double dt, int last,
                                                int high, triad_unstructured_gpu_found *found, void *stream)
{
  const triad_real step = (triad_real)dt;
  const tiles t = cells->box ? tiles_of(cells->zone, cells->box) : tiles{};
  const dim3 blocks = cells->box ? blocks_of_tiles(t) : blocks_of(cells), threads(THREADS);
  if (is_nothing(cells)) return TRIAD_OK;
  if (cells->box && last)
    TRIAD_LAUNCH(blocks, threads, stream, correct_in_tiles<1>)(*v, *cells->zone, *cells->box, t, step, high, found);
  else if (cells->box)
    TRIAD_LAUNCH(blocks, threads, stream, correct_in_tiles<0>)(*v, *cells->zone, *cells->box, t, step, high, found);
  else if (cells->zone && last)
    TRIAD_LAUNCH(blocks, threads, stream, correct_zone<1>)(*v, *cells->zone, step, high, found);
  else if (cells->zone) TRIAD_LAUNCH(blocks, threads, stream, correct_zone<0>)(*v, *cells->zone, step, high, found);
  else if (last) TRIAD_LAUNCH(blocks, threads, stream, correct_rows<1>)(*v, *cells, step, high, found);
  else TRIAD_LAUNCH(blocks, threads, stream, correct_rows<0>)(*v, *cells, step, high, found);
  return launched("the correction");
}
