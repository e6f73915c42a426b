/* Remove the surface cells of zones of bricks on sides that are neither of outer faces only nor joined; these cells
 * are then listed. Zones of bricks are placed before all other zones. A joined zone gets new axes, so that the joined
 * side is the lower one across its last axis. */
#include "solvers/unstructured/state/box_peel.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/box_join.h"
#include "mesh/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = TRIAD_MESH_ZONE_SIDES };

/* at: index of each cell of the mesh among cells of zones, -1: in none. faces: number of outer faces of each cell on
 * each side of a zone, zone by zone and side by side. */
typedef struct peeling {
  triad_unstructured_making *k;
  int32_t *at;
  uint8_t *faces;
  int64_t *begin;                  /* [n_zones * SIDES] of a side in faces */
  triad_unstructured_joint *joint; /* [n_zones * SIDES] */
} peeling;

int triad_unstructured_box_side_of(const triad_unstructured_box *box, const double normal[3], int *coordinate)
{
  int c = 0;
  for (int a = 1; a < 3; a++)
    if (fabs(normal[a]) > fabs(normal[c])) c = a;
  *coordinate = c;
  return 2 * box->axis[c] + (normal[c] * (double)box->sign[c] > 0);
}

int triad_unstructured_zone_at(const triad_mesh_zones *zones, int64_t at)
{
  int low = 0, high = zones->n_zones;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (zones->zone[middle].cell <= at) low = middle;
    else high = middle;
  }
  return low;
}

static void count_faces(const peeling *p)
{
  const triad_unstructured_making *k = p->k;
  const triad_mesh *m = k->m;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    const int32_t at = p->at[m->cell[f][0]];
    if (at < 0) continue;
    const int z = triad_unstructured_zone_at(&k->zones, at);
    const triad_mesh_zone *zone = &k->zones.zone[z];
    const int64_t i = at - zone->cell;
    const int x[3] = {(int)(i % zone->n[0]), (int)(i / zone->n[0] % zone->n[1]), (int)(i / zone->n[0] / zone->n[1])};
    double area[3], centre[3];
    int c;
    if (!k->d->box[z].layer[0]) continue;
    triad_mesh_face_size(m, f, area, centre);
    const int side = triad_unstructured_box_side_of(&k->d->box[z], area, &c);
    p->faces[p->begin[z * SIDES + side] + triad_unstructured_box_on_side(zone, side >> 1, x)]++;
  }
}

/* Returns 1 if each cell on a side has one outer face there. */
static int is_outer(const peeling *p, int z, int side)
{
  const uint8_t *faces = p->faces + p->begin[z * SIDES + side];
  const int64_t n = triad_unstructured_cells_of_side(&p->k->zones.zone[z], side);
  for (int64_t i = 0; i < n; i++)
    if (faces[i] != 1) return 0;
  return 1;
}

/* The remaining part of a zone: n cells from `low` on along each old axis. axis: the old axes in their new order;
 * down: 1 if the last one is reversed; joined: the side that becomes the lower one across it, -1: none. */
typedef struct rest {
  int low[3], axis[3], down, joined;
  int32_t n[3];
} rest;

static rest rest_of(const peeling *p, int z)
{
  const triad_mesh_zone *zone = &p->k->zones.zone[z];
  const int box = p->k->d->box[z].layer[0] != NULL,
            joined = box ? triad_unstructured_joined_side(zone, &p->joint[z * SIDES]) : -1;
  rest r = {.axis = {0, 1, 2}, .joined = joined};
  for (int a = 0; a < 3; a++) {
    const int up = box && 2 * a + 1 != joined && !is_outer(p, z, 2 * a + 1);
    r.low[a] = box && 2 * a != joined && !is_outer(p, z, 2 * a);
    r.n[a] = zone->n[a] - r.low[a] - up;
  }
  if (joined < 0) return r;
  const int last = joined >> 1;
  r.down = joined & 1;
  r.axis[0] = last == 0;
  r.axis[1] = last == 2 ? 1 : 2;
  r.axis[2] = last;
  return r;
}

/* Append the remaining cells and faces of zone z to `to`. */
static void append(const triad_mesh_zones *from, int z, const rest *r, triad_mesh_zones *to)
{
  const triad_mesh_zone *old = &from->zone[z];
  const int32_t n[3] = {r->n[r->axis[0]], r->n[r->axis[1]], r->n[r->axis[2]]};
  triad_mesh_zone *zone = &to->zone[to->n_zones++];
  *zone = (triad_mesh_zone){.cell = to->n_cells,
                            .cells = (int64_t)n[0] * n[1] * n[2],
                            .n = {n[0], n[1], n[2]},
                            .stride = {1, n[0], (int64_t)n[0] * n[1]}};
  for (int64_t i = 0; i < zone->cells; i++) {
    const int64_t x[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    int64_t at = old->cell;
    for (int k = 0; k < 3; k++)
      at += old->stride[r->axis[k]] * (r->low[r->axis[k]] + (k == 2 && r->down ? n[2] - 1 - x[2] : x[k]));
    to->cell[zone->cell + i] = from->cell[at];
    for (int k = 0; k < 3; k++) {
      const int a = r->axis[k];
      to->face[zone->cell + i][k] = x[k] + 1 < n[k] ? from->face[k == 2 && r->down ? at - old->stride[a] : at][a] : -1;
    }
  }
  to->n_cells += zone->cells;
}

/* Adapt the box to its new axes. The cell across the joined side is at another distance than a mirror
 * image would be. */
static void turn_box(const peeling *p, int z, const rest *r, triad_unstructured_box *box)
{
  for (int c = 0; c < 3; c++) {
    int k = 0;
    box->layer[c] += (int64_t)r->low[box->axis[c]] * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
    while (r->axis[k] != box->axis[c]) k++;
    if (k == 2 && r->joined >= 0) {
      triad_real *layers = p->k->d->layers + (box->layer[c] - p->k->d->layers);
      if (r->down) {
        box->sign[c] = -box->sign[c];
        triad_unstructured_turn_layers(layers, r->n[r->axis[2]]);
      }
      layers[TRIAD_UNSTRUCTURED_BOX_BELOW] =
        -layers[TRIAD_UNSTRUCTURED_BOX_LENGTH] / (4 * (triad_real)p->joint[z * SIDES + r->joined].across);
    }
    box->axis[c] = k;
  }
  box->end = r->n[r->axis[2]];
}

/* Rebuild the zones: boxes first, then the other zones, whose faces have slots. */
static void rebuild(const peeling *p, triad_mesh_zones *to, triad_unstructured_box *boxes)
{
  triad_unstructured_domain *d = p->k->d;
  const triad_mesh_zones *from = &p->k->zones;
  for (int boxed = 1; boxed >= 0; boxed--) {
    for (int z = 0; z < from->n_zones; z++) {
      if ((d->box[z].layer[0] != NULL) != boxed) continue;
      const rest r = rest_of(p, z);
      append(from, z, &r, to);
      if (!boxed) {
        to->zone[to->n_zones - 1].slot = 3 * (to->zone[to->n_zones - 1].cell - d->n_bricks);
        continue;
      }
      triad_unstructured_box *box = &boxes[to->n_zones - 1];
      *box = d->box[z];
      turn_box(p, z, &r, box);
      d->joined[to->n_zones - 1] = r.joined >= 0;
    }
    if (boxed) {
      d->n_boxes = to->n_zones;
      d->n_bricks = to->n_cells;
    }
  }
  memcpy(d->box, boxes, (size_t)d->n_boxes * sizeof *boxes);
}

/* Are all zones of bricks, and stay as they are? */
static int are_whole(const peeling *p)
{
  for (int z = 0; z < p->k->zones.n_zones; z++) {
    if (!p->k->d->box[z].layer[0]) return 0;
    for (int s = 0; s < SIDES; s++)
      if (!is_outer(p, z, s)) return 0;
  }
  return 1;
}

static void keep_zones(const peeling *p)
{
  triad_unstructured_domain *d = p->k->d;
  d->n_boxes = p->k->zones.n_zones;
  d->n_bricks = p->k->zones.n_cells;
  for (int z = 0; z < d->n_boxes; z++) d->box[z].end = p->k->zones.zone[z].n[2];
}

/* In place of the zones as they were found. */
static int replace(const peeling *p)
{
  triad_unstructured_making *k = p->k;
  triad_memory *memory = k->d->context->memory;
  triad_mesh_zones to = {.zone = calloc((size_t)k->zones.n_zones, sizeof *to.zone)};
  triad_unstructured_box *boxes = NULL;
  int st = to.zone ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d structured zones", k->zones.n_zones);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the domain of a rank", k->zones.n_zones, &boxes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "zones", k->zones.n_cells, &to.cell);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "zones", k->zones.n_cells, &to.face);
  if (st == TRIAD_OK) {
    rebuild(p, &to, boxes);
    const triad_mesh_zones old = k->zones;
    k->zones = to;
    to = old;
  }
  TRIAD_FREE(memory, &boxes);
  triad_mesh_zones_free(&to, memory);
  return st;
}

static int peel(peeling *p)
{
  triad_unstructured_making *k = p->k;
  triad_memory *memory = k->d->context->memory;
  const triad_mesh_zones *zones = &k->zones;
  int64_t sides = 0;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", zones->n_zones, &k->d->joined));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", zones->n_zones * SIDES, &p->joint));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", zones->n_zones * SIDES, &p->begin));
  for (int z = 0; z < zones->n_zones; z++)
    for (int s = 0; s < SIDES; s++) {
      p->begin[z * SIDES + s] = sides;
      sides += triad_unstructured_cells_of_side(&zones->zone[z], s);
    }
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", sides, &p->faces));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->m->n_cells, &p->at));
  memset(p->at, -1, (size_t)k->m->n_cells * sizeof *p->at);
  for (int64_t i = 0; i < zones->n_cells; i++) p->at[zones->cell[i]] = (int32_t)i;
  count_faces(p);
  if (k->layout.joined) triad_unstructured_find_joints(k, p->at, p->joint);
  TRIAD_FREE(memory, &p->at);
  if (!are_whole(p)) return replace(p);
  keep_zones(p); /* a copy would be the most memory of the start */
  return TRIAD_OK;
}

int triad_unstructured_peel_boxes(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  peeling p = {.k = k};
  const int st = peel(&p);
  TRIAD_FREE(memory, &p.joint);
  TRIAD_FREE(memory, &p.begin);
  TRIAD_FREE(memory, &p.faces);
  TRIAD_FREE(memory, &p.at);
  return st;
}
