/* Sort the faces of a rank by counting, assign colours and the slots of zones, and copy their geometry. */
#include "solvers/unstructured/state/domain_faces.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/domain_cells.h"
#include "solvers/unstructured/state/domain_tets.h"
#include "solvers/unstructured/state/box_sides.h"
#include "mesh/sizes.h"

#include <math.h>
#include <string.h>

static void set_entry(const triad_unstructured_making *k, triad_unstructured_entry *e)
{
  int32_t a = k->m->cell[e->face][0], b = k->m->cell[e->face][1];
  e->left = k->local[a];
  e->right = b < 0 ? -1 : k->local[b];
  e->group = b < 0 ? 2 : triad_unstructured_is_own(k, a) && triad_unstructured_is_own(k, b) ? 0 : 1;
  e->flipped = e->group == 0 && e->left > e->right; /* both ranks of a face to a ghost see it alike */
  if (!e->flipped) return;
  int32_t swapped = e->left;
  e->left = e->right;
  e->right = swapped;
}

/* The order of two faces with the same left cell. */
static int is_behind(const triad_unstructured_entry *a, const triad_unstructured_entry *b)
{
  return a->right != b->right ? a->right > b->right : a->face > b->face;
}

/* Where each of n keys begins, from how many it has. */
static void add_up(int64_t *bucket, int64_t n)
{
  int64_t begin = 0;
  for (int64_t i = 0; i <= n; i++) {
    const int64_t count = bucket[i];
    bucket[i] = begin;
    begin += count;
  }
}

/* By left cell, right cell and number. */
static void sort_by_cells(triad_unstructured_making *k)
{
  const int64_t cells = k->n + k->d->n_ghosts;
  memset(k->bucket, 0, (size_t)(cells + 1) * sizeof *k->bucket);
  for (int64_t i = 0; i < k->n_faces; i++) k->bucket[k->faces[i].left]++;
  add_up(k->bucket, cells);
  for (int64_t i = 0; i < k->n_faces; i++) {
    int64_t at = k->bucket[k->faces[i].left]++;
    k->sorted[at] = k->faces[i];
  }
  for (int64_t i = 1; i < k->n_faces; i++) {
    const triad_unstructured_entry e = k->sorted[i];
    int64_t at = i;
    for (; at > 0 && k->sorted[at - 1].left == e.left && is_behind(&k->sorted[at - 1], &e); at--)
      k->sorted[at] = k->sorted[at - 1];
    k->sorted[at] = e;
  }
}

/* By group and, where asked for, colour; those of one in the order that they have. */
static void sort_by_groups(triad_unstructured_making *k, int coloured)
{
  int64_t begin[3 * TRIAD_MESH_COLOURS + 1] = {0};
  for (int64_t i = 0; i < k->n_faces; i++)
    begin[k->sorted[i].group * TRIAD_MESH_COLOURS + (coloured ? k->sorted[i].colour : 0)]++;
  add_up(begin, 3 * TRIAD_MESH_COLOURS);
  for (int64_t i = 0; i < k->n_faces; i++)
    k->faces[begin[k->sorted[i].group * TRIAD_MESH_COLOURS + (coloured ? k->sorted[i].colour : 0)]++] = k->sorted[i];
}

static void sort_faces(triad_unstructured_making *k, int coloured)
{
  for (int64_t i = 0; i < k->n_faces; i++) set_entry(k, &k->faces[i]);
  sort_by_cells(k);
  sort_by_groups(k, coloured);
}

static int list_faces(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  const triad_mesh *m = k->m;
  int64_t cells = k->n + k->d->n_ghosts;
  for (int64_t f = 0; f < m->n_faces; f++)
    k->n_faces +=
      !k->within[f] && (triad_unstructured_is_own(k, m->cell[f][0]) || triad_unstructured_is_own(k, m->cell[f][1]));
  if (k->n_faces + 3 * k->d->n_zoned >= INT32_MAX / 2) /* a cell's side is 2 face + 1 at most */
    return TRIAD_FAIL(TRIAD_ERR_CASE, "rank %d has %lld faces, but at most %d can be numbered: use more ranks",
                      k->d->context->comm.rank, (long long)(k->n_faces + 3 * k->d->n_zoned), INT32_MAX / 2);
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n_faces, &k->faces));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n_faces, &k->sorted));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", cells + 1, &k->bucket));
  int64_t n = 0;
  for (int64_t f = 0; f < m->n_faces; f++)
    if (!k->within[f] && (triad_unstructured_is_own(k, m->cell[f][0]) || triad_unstructured_is_own(k, m->cell[f][1])))
      k->faces[n++] = (triad_unstructured_entry){.face = (int32_t)f};
  sort_faces(k, 0);
  return TRIAD_OK;
}

/* Group by group, from 0 each. */
static int colour_faces(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  int64_t cells = k->n + k->d->n_ghosts;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n_faces, &k->colour));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n_faces, &k->pairs));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", cells, &k->taken));
  for (int64_t begin = 0, end; begin < k->n_faces; begin = end) {
    for (end = begin; end < k->n_faces && k->faces[end].group == k->faces[begin].group; end++) {
      k->pairs[end][0] = k->faces[end].left;
      k->pairs[end][1] = k->faces[end].right;
    }
    memset(k->taken, 0, (size_t)cells * sizeof *k->taken);
    int n = triad_mesh_colour_faces((const int32_t(*)[2])k->pairs + begin, end - begin, k->taken, k->colour + begin);
    if (n > TRIAD_MESH_COLOURS && k->layout.coloured)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "cells of the mesh have so many faces that %d colours are not enough for grid.loops = "
                        "\"colours\": use \"gather\"",
                        TRIAD_MESH_COLOURS);
    if (n > k->d->n_colours) k->d->n_colours = n;
    for (int64_t i = begin; i < end; i++) k->faces[i].colour = k->colour[i];
  }
  TRIAD_FREE(memory, &k->colour);
  TRIAD_FREE(memory, &k->pairs);
  TRIAD_FREE(memory, &k->taken);
  return TRIAD_OK;
}

/* Colours stay with their faces whatever the cells' numbers. Without loops by colours faces go by their left cells. */
static int order_faces(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  const int coloured = k->layout.coloured, coalesced = k->layout.numbering == TRIAD_MESH_COALESCED;
  TRIAD_TRY(colour_faces(k));
  if (coalesced) {
    sort_faces(k, 1);
    triad_unstructured_coalesce(k);
  }
  if (coalesced || coloured) sort_faces(k, coloured);
  for (int64_t i = 0; i < k->n_faces && coloured; i++)
    if (i == 0 || k->faces[i].colour != k->faces[i - 1].colour || k->faces[i].group != k->faces[i - 1].group)
      d->group[d->n_groups++] = i;
  d->group[d->n_groups] = k->n_faces;
  return TRIAD_OK;
}

/* ---- what was measured ---- */

static void set_geometry(triad_unstructured_domain *d, int64_t from_mesh, int flipped, int64_t f)
{
  const triad_mesh *m = d->mesh;
  const int64_t slot = triad_unstructured_domain_slot(d, f);
  if (slot < 0) return;
  const int outer = m->cell[from_mesh][1] < 0;
  const double *shift = !outer && m->patch[from_mesh] >= 0 ? m->shift[m->patch[from_mesh]] : NULL;
  double from[2][3] = {{0}}, s[3], at[3];
  triad_mesh_face_size(m, from_mesh, s, at);
  for (int a = 0; a < 3; a++) {
    from[0][a] = at[a] - m->centre[m->cell[from_mesh][0]][a];
    if (!outer) from[1][a] = at[a] + (shift ? shift[a] : 0) - m->centre[m->cell[from_mesh][1]][a];
  }
  const double depth =
    2 * (from[0][0] * s[0] + from[0][1] * s[1] + from[0][2] * s[2]) / (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  triad_real *out = d->geometry.at + slot;
  const int64_t pitch = d->geometry.pitch;
  for (int a = 0; a < 3; a++) {
    out[a * pitch] = (triad_real)(flipped ? -s[a] : s[a]);
    out[(3 + a) * pitch] = (triad_real)from[flipped][a];
    out[(6 + a) * pitch] = (triad_real)(outer ? depth * s[a] : from[flipped][a] - from[!flipped][a]);
  }
}

triad_unstructured_face triad_unstructured_domain_face(const triad_unstructured_domain *d, int64_t f)
{
  triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
  triad_unstructured_face face;
  triad_unstructured_domain_geometry(d, f, numbers);
  triad_unstructured_face_of(numbers, &face);
  return face;
}

/* Faces within zones, from the lower to the upper cell; nothing is kept of those of bricks, whose numbers no slot
 * has. */
static void set_zone_faces(const triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  const triad_mesh_zones *zones = &k->zones;
  for (int z = 0; z < d->n_zones; z++) {
    triad_mesh_zone *zone = &d->zone[z];
    zone->slot = z < d->n_boxes ? d->n_slots + 1 + 3 * zone->cell : d->n_faces + zone->slot;
    triad_unstructured_zone_sides(zone);
    if (z < d->n_boxes) continue;
#pragma omp parallel for schedule(static) num_threads(d->context->threads)
    for (int64_t i = 0; i < zone->cells; i++)
      for (int a = 0; a < 3; a++) {
        const int32_t face = zones->face[zone->cell + i][a];
        if (face >= 0)
          set_geometry(d, face, k->m->cell[face][0] != zones->cell[zone->cell + i], zone->slot + a * zone->cells + i);
      }
  }
}

static void list_in_mesh(const triad_unstructured_making *k)
{
  for (int64_t i = 0; i < k->n; i++) k->d->in_mesh[i] = k->list[i];
  for (int64_t i = 0; i < k->n && k->m->number; i++) k->d->global[i] = k->m->number[k->list[i]];
}

static int make_faces(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  list_in_mesh(k);
  d->n_faces = k->n_faces;
  for (int64_t i = 0; i < k->n_faces; i++) {
    d->n_own += k->faces[i].group == 0;
    d->n_inner += k->faces[i].group <= 1;
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_zones, &d->zone));
  if (d->n_zones > 0) memcpy(d->zone, k->zones.zone, (size_t)d->n_zones * sizeof *d->zone);
  d->n_slots = d->n_faces + 3 * (d->n_zoned - d->n_bricks);
  d->n_between = d->n_inner;
  for (int64_t i = 0; i < d->n_zoned; i++)
    for (int a = 0; a < 3; a++) d->n_between += k->zones.face[i][a] >= 0;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces, &d->cell));
  if (k->layout.pointed) TRIAD_TRY(triad_unstructured_find_pointed(k));
  TRIAD_TRY(triad_unstructured_take_numbers(memory, "domain", d->n_slots + 1 - d->n_pointed,
                                            TRIAD_UNSTRUCTURED_GEOMETRY, &d->geometry));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces - d->n_inner, &d->patch));
  if (k->layout.traced) TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces, &d->face_in_mesh));
  for (int64_t i = 0; i < d->n_faces && k->layout.traced; i++) d->face_in_mesh[i] = k->faces[i].face;
#pragma omp parallel for schedule(static) num_threads(d->context->threads)
  for (int64_t i = 0; i < k->n_faces; i++) {
    d->cell[i][0] = k->faces[i].left;
    d->cell[i][1] = k->faces[i].right;
    set_geometry(d, k->faces[i].face, k->faces[i].flipped, i);
    if (i >= d->n_inner) d->patch[i - d->n_inner] = k->m->patch[k->faces[i].face];
  }
  set_zone_faces(k);
  TRIAD_TRY(triad_unstructured_find_seams(d));
  d->n_places = triad_unstructured_domain_seen(d) + d->n_faces - d->n_inner;
  return triad_unstructured_find_sides(d);
}

int triad_unstructured_place_faces(triad_unstructured_making *k)
{
  TRIAD_TRY(list_faces(k));
  TRIAD_TRY(order_faces(k));
  return make_faces(k);
}
