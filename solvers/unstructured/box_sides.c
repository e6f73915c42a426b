/* Sides of zones of bricks all of whose faces are outer ones: loops of bricks find those faces in the order of the side. */
#include "solvers/unstructured/domain_own.h"

#include <math.h>
#include <string.h>

enum { SIDES = TRIAD_FCT_ZONE_SIDES };

static int64_t cells_of_side(const triad_fct_zone *z, int side) { return z->cells / z->n[side >> 1]; }

/* Where the faces of a side of a zone begin, of all zones side by side. */
static int64_t begin_of(const triad_fct_domain *d, int zone, int side)
{
  int64_t at = 0;
  for (int z = 0; z < zone; z++)
    for (int s = 0; s < SIDES; s++) at += cells_of_side(&d->zone[z], s);
  for (int s = 0; s < side; s++) at += cells_of_side(&d->zone[zone], s);
  return at;
}

static void place_in(const triad_fct_zone *z, int64_t cell, int x[3])
{
  const int64_t i = cell - z->cell;
  x[0] = (int)(i % z->n[0]);
  x[1] = (int)(i / z->n[0] % z->n[1]);
  x[2] = (int)(i / z->n[0] / z->n[1]);
}

/* The side across which an outer face of a brick lies, by its normal; its coordinate. */
static int side_of(const triad_fct_domain *d, const triad_fct_box *box, int64_t face, int *coordinate)
{
  const triad_fct_numbers *g = &d->geometry;
  int c = 0;
  for (int a = 1; a < 3; a++)
    if (fabs((double)g->at[a * g->pitch + face]) > fabs((double)g->at[c * g->pitch + face])) c = a;
  *coordinate = c;
  return 2 * box->axis[c] + (g->at[c * g->pitch + face] * box->sign[c] > 0);
}

/* An outer face of a brick; 0: it is of none. */
static int find(const triad_fct_domain *d, int64_t face, int *zone, int *side, int *coordinate, int x[3])
{
  const int64_t cell = d->cell[face][0];
  if (cell >= d->n_zoned) return 0;
  *zone = triad_fct_domain_zone(d, cell);
  if (!d->box[*zone].layer[0]) return 0;
  place_in(&d->zone[*zone], cell, x);
  *side = side_of(d, &d->box[*zone], face, coordinate);
  return 1;
}

static void fill_sides(triad_fct_domain *d)
{
  int zone, side, coordinate, x[3];
  for (int64_t face = d->n_inner; face < d->n_faces; face++)
    if (find(d, face, &zone, &side, &coordinate, x))
      d->on_side[begin_of(d, zone, side) + triad_fct_box_on_side(&d->zone[zone], side >> 1, x)] = (int32_t)face;
}

static void take_sides(triad_fct_domain *d)
{
  for (int z = 0; z < d->n_zones; z++)
    for (int s = 0; s < SIDES && d->box[z].layer[0]; s++) {
      triad_fct_box *box = &d->box[z];
      const int64_t begin = begin_of(d, z, s), n = cells_of_side(&d->zone[z], s);
      int all = 1;
      for (int64_t i = 0; i < n; i++) all = all && d->on_side[begin + i] >= 0;
      if (!all) continue;
      box->outer[s] = d->on_side + begin;
      if (s & 1) box->high[s >> 1]++;
      else box->low[s >> 1]--;
      box->begin = box->low[2];
      box->end = box->high[2];
    }
}

static void fill_opposite(triad_fct_domain *d)
{
  int zone, side, c, x[3];
  for (int64_t face = d->n_inner; face < d->n_faces; face++) {
    const int64_t i = face - d->n_inner;
    d->opposite[i] = -1;
    if (!find(d, face, &zone, &side, &c, x) || !triad_fct_is_tiled(&d->box[zone], x)) continue;
    const triad_real *layer = d->box[zone].layer[c] + (int64_t)x[side >> 1] * TRIAD_FCT_BOX_NUMBERS;
    d->opposite[i] = (int32_t)(d->cell[face][0] + d->zone[zone].near[side ^ 1]);
    d->part[i] = side & 1 ? -layer[TRIAD_FCT_BOX_BELOW] : layer[TRIAD_FCT_BOX_ABOVE];
  }
}

int triad_fct_find_sides(triad_fct_domain *d)
{
  triad_memory *memory = d->context->memory;
  const int64_t outer = d->n_faces - d->n_inner;
  if (!d->box) return TRIAD_OK;
  d->n_sides = begin_of(d, d->n_zones - 1, SIDES);
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_sides, &d->on_side));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", outer, &d->opposite));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", outer, &d->part));
  memset(d->on_side, 0xff, (size_t)d->n_sides * sizeof *d->on_side);
  fill_sides(d);
  take_sides(d);
  fill_opposite(d);
  return TRIAD_OK;
}
