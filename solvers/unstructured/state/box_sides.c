/* List the outer faces and seams on each side of a zone of bricks, in the order of the side, for the loops of
 * bricks. */
#include "solvers/unstructured/state/box_sides.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/box_peel.h"

#include <stdlib.h>

enum { SIDES = TRIAD_MESH_ZONE_SIDES };

/* ---- seams ---- */

static int seam_order(const void *a, const void *b)
{
  const triad_unstructured_seam *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return x->face < y->face ? -1 : x->face > y->face;
}

/* Listed faces of bricks between own cells have them on their left, as their numbers are the lowest. */
int triad_unstructured_find_seams(triad_unstructured_domain *d)
{
  for (int pass = 0; pass < 2; pass++) {
    if (pass) TRIAD_TRY(TRIAD_ALLOC(d->context->memory, "domain", d->n_seams, &d->seam));
    d->n_seams = 0;
    for (int64_t f = 0; f < d->n_inner; f++) {
      const int right = f >= d->n_own && d->cell[f][1] < d->n_bricks;
      if (d->cell[f][right] >= d->n_bricks) continue;
      if (pass) d->seam[d->n_seams] = (triad_unstructured_seam){.cell = d->cell[f][right], .face = (int32_t)f};
      d->n_seams++;
    }
  }
  qsort(d->seam, (size_t)d->n_seams, sizeof *d->seam, seam_order);
  for (int64_t i = 0; i < d->n_seams; i++) {
    int32_t *cell = d->cell[d->seam[i].face];
    cell[cell[0] != d->seam[i].cell] = (int32_t)(triad_unstructured_domain_twins(d) + i);
  }
  return TRIAD_OK;
}

/* ---- sides ---- */

/* Where the faces of a side of a zone begin, of all boxes side by side. */
static int64_t begin_of(const triad_unstructured_domain *d, int zone, int side)
{
  int64_t at = 0;
  for (int z = 0; z < zone; z++)
    for (int s = 0; s < SIDES; s++) at += triad_unstructured_cells_of_side(&d->zone[z], s);
  for (int s = 0; s < side; s++) at += triad_unstructured_cells_of_side(&d->zone[zone], s);
  return at;
}

static int side_of(const triad_unstructured_domain *d, int zone, int64_t face, int *coordinate)
{
  triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
  triad_unstructured_domain_geometry(d, face, numbers);
  const double out = triad_unstructured_domain_turned(d, face) ? -1 : 1;
  const double normal[3] = {out * (double)numbers[0], out * (double)numbers[1], out * (double)numbers[2]};
  return triad_unstructured_box_side_of(&d->box[zone], normal, coordinate);
}

/* A face of brick `cell`; its side and coordinate, and its cell's place in the zone along each axis. */
static int place_face(triad_unstructured_domain *d, int64_t cell, int64_t face, int *coordinate, int x[3])
{
  const int number = triad_unstructured_domain_zone(d, cell), side = side_of(d, number, face, coordinate);
  const triad_mesh_zone *zone = &d->zone[number];
  const int64_t i = cell - zone->cell;
  x[0] = (int)(i % zone->n[0]);
  x[1] = (int)(i / zone->n[0] % zone->n[1]);
  x[2] = (int)(i / zone->n[0] / zone->n[1]);
  const int64_t at = d->box[number].outer[side] - d->on_side + triad_unstructured_box_on_side(zone, side >> 1, x);
  const int turned = triad_unstructured_domain_turned(d, face);
  d->on_side[at] = (int32_t)face;
  d->across[at] =
    face < d->n_inner ? d->cell[face][!turned] : (int32_t)(triad_unstructured_domain_seen(d) + face - d->n_inner);
  d->twin[at] = face < d->n_inner ? d->cell[face][turned] : -1;
  return side;
}

static void place_outer(triad_unstructured_domain *d, int64_t face)
{
  const int64_t i = face - d->n_inner, cell = d->cell[face][0];
  int c, x[3];
  d->opposite[i] = -1;
  if (cell >= d->n_bricks) return;
  const int side = place_face(d, cell, face, &c, x), number = triad_unstructured_domain_zone(d, cell);
  const triad_real *layer = d->box[number].layer[c] + (int64_t)x[side >> 1] * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
  d->opposite[i] = (int32_t)(cell + d->zone[number].near[side ^ 1]);
  d->part[i] = side & 1 ? -layer[TRIAD_UNSTRUCTURED_BOX_BELOW] : layer[TRIAD_UNSTRUCTURED_BOX_ABOVE];
}

int triad_unstructured_find_sides(triad_unstructured_domain *d)
{
  triad_memory *memory = d->context->memory;
  const int64_t outer = d->n_faces - d->n_inner;
  if (d->n_boxes == 0) return TRIAD_OK;
  d->n_sides = begin_of(d, d->n_boxes - 1, SIDES);
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_sides, &d->on_side));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_sides, &d->across));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_sides, &d->twin));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", outer, &d->opposite));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", outer, &d->part));
  for (int z = 0; z < d->n_boxes; z++)
    for (int s = 0; s < SIDES; s++) d->box[z].outer[s] = d->on_side + begin_of(d, z, s);
  for (int64_t face = d->n_inner; face < d->n_faces; face++) place_outer(d, face);
  for (int64_t i = 0; i < d->n_seams; i++) {
    int c, x[3];
    d->seam[i].side = place_face(d, d->seam[i].cell, d->seam[i].face, &c, x);
  }
  for (int z = 0; z < d->n_boxes; z++) {
    triad_unstructured_box *box = &d->box[z];
    box->seam = z > 0 ? d->box[z - 1].seam + d->box[z - 1].n_seams : 0;
    while (box->seam + box->n_seams < d->n_seams &&
           d->seam[box->seam + box->n_seams].cell < d->zone[z].cell + d->zone[z].cells)
      box->n_seams++;
  }
  return TRIAD_OK;
}
