/* List the boundary faces of a rank, and store the values that the case and exact solutions prescribe there. */
#include "solvers/multiblock/state/faces.h"

#include "solvers/multiblock/state/metrics.h"

#include <stdlib.h>
#include <string.h>

static void describe_face(triad_multiblock_flow *f, triad_multiblock_face_of *face, int part, const int64_t c[3],
                          int axis, int upper)
{
  const triad_zone_part *p = f->part[part];
  int64_t out[3] = {c[0], c[1], c[2]}, in[3] = {c[0], c[1], c[2]}, metric[3] = {c[0], c[1], c[2]};
  out[axis] += upper ? 1 : -1;
  if (f->zones->zone[p->zone].n[axis] > 1) in[axis] -= upper ? 1 : -1;
  metric[axis] += upper;
  *face = (triad_multiblock_face_of){.cell = triad_zone_part_at(p, c),
                                     .inner = triad_zone_part_at(p, in),
                                     .halo = triad_zone_part_at(p, out),
                                     .metric = triad_zone_part_at(p, metric),
                                     .axis = axis,
                                     .upper = upper,
                                     .part = part,
                                     .patch = triad_blocks_grid_patch(f->grid, p->zone, axis, upper, c)};
  double corner[4][3];
  triad_blocks_face_corners(f->grid, p->zone, c, axis, upper, corner, face->centre);
  const triad_gas_vector area = triad_multiblock_area_at(f, p, axis, face->metric);
  face->area[0] = (double)area.x;
  face->area[1] = (double)area.y;
  face->area[2] = (double)area.z;
}

/* Cells of a part that lie next to a side of its zone, less those that are joined there. */
static int64_t open_on_side(const triad_zones *zones, const triad_zone_part *p, int axis, int upper)
{
  const triad_zone *zone = &zones->zone[p->zone];
  int t[2];
  triad_blocks_tangents(axis, t);
  if (axis == zone->flat || (upper ? p->low[axis] + p->n[axis] < zone->n[axis] : p->low[axis] > 0)) return 0;
  int64_t open = p->n[t[0]] * p->n[t[1]];
  const int side = 6 * p->zone + 2 * axis + upper;
  for (int i = zones->first_join[side]; i < zones->first_join[side + 1]; i++) {
    const triad_zone_join *join = &zones->join[i];
    int64_t joined = 1;
    for (int k = 0; k < 2; k++) {
      const int64_t end = p->low[t[k]] + p->n[t[k]],
                    low = join->low[t[k]] > p->low[t[k]] ? join->low[t[k]] : p->low[t[k]],
                    high = join->high[t[k]] < end ? join->high[t[k]] : end;
      joined *= high > low ? high - low : 0;
    }
    open -= joined;
  }
  return open;
}

int64_t triad_multiblock_open_faces(const triad_zones *zones, int rank)
{
  int64_t open = 0;
  for (int i = 0; i < zones->n_parts; i++)
    for (int side = 0; side < 6 && zones->part[i].rank == rank; side++)
      open += open_on_side(zones, &zones->part[i], side / 2, side % 2);
  return open;
}

/* Visit the faces of all sides; with `list` put them there, else count. */
static int visit_faces(triad_multiblock_flow *f, int list)
{
  int64_t n = 0;
  for (int part = 0; part < f->n_parts; part++)
    for (int side = 0; side < 6; side++) {
      const triad_zone_part *p = f->part[part];
      int axis = side / 2, upper = side % 2, t[2];
      int64_t c[3], here = 0;
      triad_blocks_tangents(axis, t);
      if (axis == f->zones->zone[p->zone].flat) continue;
      c[axis] = upper ? p->low[axis] + p->n[axis] - 1 : p->low[axis];
      if (list && f->map[6 * part + side]) memset(f->map[6 * part + side], 0xff, (size_t)(p->n[t[0]] * p->n[t[1]]) * 4);
      for (int64_t j = 0; j < p->n[t[1]]; j++)
        for (int64_t i = 0; i < p->n[t[0]]; i++) {
          c[t[0]] = p->low[t[0]] + i;
          c[t[1]] = p->low[t[1]] + j;
          if (!triad_blocks_face_is_open(f->zones, p->zone, c, axis, upper)) continue;
          if (list) {
            f->map[6 * part + side][i + p->n[t[0]] * j] = (int32_t)n;
            describe_face(f, &f->face[n], part, c, axis, upper);
          }
          here++;
          n++;
        }
      if (!list && here > 0) {
        f->map[6 * part + side] = calloc((size_t)(p->n[t[0]] * p->n[t[1]]), sizeof **f->map);
        if (!f->map[6 * part + side]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "boundary faces");
      }
    }
  f->n_faces = n;
  return TRIAD_OK;
}

/* Where the middle of the halo's cell beyond a face would be: as far from the face as that of the cell before it. */
static void beyond_face(const triad_multiblock_flow *f, const triad_multiblock_face_of *face, double x[3])
{
  const triad_zone_part *p = f->part[face->part];
  const int64_t from = face->cell - p->origin, row = from % p->stride[2];
  const int64_t c[3] = {p->low[0] + row % p->stride[1], p->low[1] + row / p->stride[1],
                        p->low[2] + from / p->stride[2]};
  double middle[3];
  triad_blocks_cell_centre(f->grid, f->zones, p->zone, c, middle);
  for (int a = 0; a < 3; a++) x[a] = 2 * face->centre[a] - middle[a];
}

static int set_exact(triad_multiblock_flow *f)
{
  int any = 0;
  for (int i = 0; i < f->patches.n; i++) any |= f->patches.patch[i].kind == TRIAD_MULTIBLOCK_EXACT;
  if (!any) return TRIAD_OK;
  f->face_exact = calloc((size_t)f->n_faces + 1, sizeof *f->face_exact);
  if (!f->face_exact) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "exact values at %lld faces", (long long)f->n_faces);
  const triad_multiblock_exact *e = &f->setup.exact;
  for (int64_t i = 0; i < f->n_faces; i++) {
    double beyond[3];
    beyond_face(f, &f->face[i], beyond);
    e->kind->at(e, f->face[i].centre, 0, f->face_exact[i][0]);
    e->kind->at(e, beyond, 0, f->face_exact[i][1]);
  }
  return TRIAD_OK;
}

/* Beyond a wall that laminar flow slips along stands a mirror, so that nothing rubs on it. */
static triad_multiblock_side side_of(const triad_multiblock_flow *f, int patch)
{
  const triad_multiblock_patch *p = &f->patches.patch[patch];
  triad_multiblock_side s = {
    .kind = p->kind == TRIAD_MULTIBLOCK_SLIP && f->setup.gas.viscous ? TRIAD_MULTIBLOCK_SYMMETRY : p->kind,
    .given = triad_multiblock_state_of_doubles(p->given),
    .pressure = (triad_real)p->pressure,
    .rt = (triad_real)(f->setup.gas.constant * p->temperature)};
  for (int a = 0; a < 3; a++) {
    s.along[a] = (triad_real)p->along[a];
    s.velocity[a] = (triad_real)p->velocity[a];
  }
  return s;
}

int triad_multiblock_faces_create(triad_multiblock_flow *f)
{
  triad_memory *memory = f->context->memory;
  f->map = calloc(6 * (size_t)f->n_parts + 1, sizeof *f->map);
  if (!f->map) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "boundary faces");
  TRIAD_TRY(visit_faces(f, 0));
  TRIAD_TRY(TRIAD_ALLOC(memory, "boundary faces", f->n_faces, &f->face));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_TRY(TRIAD_ALLOC(memory, "boundary faces", f->n_faces, &f->face_flux[m]));
  TRIAD_TRY(visit_faces(f, 1));
  f->side = calloc((size_t)f->patches.n + 1, sizeof *f->side);
  if (!f->side) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d patches", f->patches.n);
  for (int i = 0; i < f->patches.n; i++) f->side[i] = side_of(f, i);
  return set_exact(f);
}

void triad_multiblock_faces_free(triad_multiblock_flow *f)
{
  for (int i = 0; f->map && i < 6 * f->n_parts; i++) free(f->map[i]);
  free(f->map);
  free(f->face_exact);
  free(f->side);
  TRIAD_FREE(f->context->memory, &f->face);
  for (int a = 0; a < 3; a++) TRIAD_FREE(f->context->memory, &f->face_drag[a]);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) TRIAD_FREE(f->context->memory, &f->face_flux[m]);
}
