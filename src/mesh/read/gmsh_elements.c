/* Read elements block by block, in the formats 2.2 and 4.1: volumes become cells, surfaces become sides of patches,
 * others are skipped. */
#include "mesh/read/gmsh_reader.h"
#include "mesh/read/gmsh_numbers.h"
#include "mesh/read/gmsh_groups.h"
#include "mesh/read/gmsh_faults.h"
#include "mesh/read/gmsh_elements.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* By Gmsh's number of the type: nodes, corners, dimension, shape, and is it of second order? */
static const struct {
  int8_t nodes, corners, dim, shape, curved;
} types[] = {[1] = {2, 2, 1, 0, 0},
             [2] = {3, 3, 2, 0, 0},
             [3] = {4, 4, 2, 0, 0},
             [4] = {4, 4, 3, TRIAD_MESH_TET, 0},
             [5] = {8, 8, 3, TRIAD_MESH_HEX, 0},
             [6] = {6, 6, 3, TRIAD_MESH_PRISM, 0},
             [7] = {5, 5, 3, TRIAD_MESH_PYRAMID, 0},
             [8] = {3, 2, 1, 0, 1},
             [9] = {6, 3, 2, 0, 1},
             [10] = {9, 4, 2, 0, 1},
             [11] = {10, 4, 3, TRIAD_MESH_TET, 1},
             [12] = {27, 8, 3, TRIAD_MESH_HEX, 1},
             [13] = {18, 6, 3, TRIAD_MESH_PRISM, 1},
             [14] = {14, 5, 3, TRIAD_MESH_PYRAMID, 1},
             [15] = {1, 1, 0, 0, 0},
             [16] = {8, 4, 2, 0, 1},
             [17] = {20, 8, 3, TRIAD_MESH_HEX, 1},
             [18] = {15, 6, 3, TRIAD_MESH_PRISM, 1},
             [19] = {13, 5, 3, TRIAD_MESH_PYRAMID, 1}};
enum { TYPES = sizeof types / sizeof *types, MOST_NODES = 27 };

/* Nodes of those of higher orders, which are not read. */
static const struct {
  int8_t type, nodes;
} others[] = {{20, 9}, {21, 10}, {22, 12}, {23, 15}, {24, 15}, {25, 21}, {26, 4},
              {27, 5}, {28, 6},  {29, 20}, {30, 35}, {31, 56}, {92, 64}, {93, 125}};

static int is_known(int64_t type) { return type >= 1 && type < TYPES && types[type].nodes > 0; }

/* Skip n elements of an unknown type, which each have `before` numbers of `bytes` bytes before their nodes. In an
 * ASCII file an element is a line; in a binary one its size follows from the type if Gmsh defines it. */
static int skip_elements(triad_gmsh_reader *r, int64_t type, int64_t n, int64_t before, int64_t bytes)
{
  triad_gmsh_note(r, TRIAD_GMSH_UNKNOWN, n, type);
  for (int64_t i = 0; i < n && !r->binary && r->at < r->size; i++) triad_gmsh_skip_line(r);
  if (!r->binary) return TRIAD_OK;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const int64_t one = (before + others[i].nodes) * bytes;
    if (others[i].type != type) continue;
    if (n > (r->size - r->at) / one) return triad_gmsh_bad(r, "the file ends here");
    r->at += n * one;
    return TRIAD_OK;
  }
  return triad_gmsh_bad(r, "the end of elements of this type is unknown too");
}

static int add_cell(triad_gmsh_reader *r, int64_t type, const int32_t *point)
{
  triad_mesh_contents *c = r->out;
  if (c->shape && (c->n.cells >= c->room.cells || c->n.corners + types[type].corners > c->room.corners))
    return triad_gmsh_bad(r, "the file changed: it now contains more cells");
  if (c->shape) {
    c->shape[c->n.cells] = (uint8_t)types[type].shape;
    memcpy(c->corner + c->n.corners, point, (size_t)types[type].corners * sizeof *point);
  }
  c->n.cells++;
  c->n.corners += types[type].corners;
  c->n.curved += types[type].curved;
  return TRIAD_OK;
}

/* The owner of a section of elements: a surface with its groups, or ghost cells. Each group gets the side, so that a
 * side in two patches is detected. */
typedef struct owner {
  const triad_gmsh_entity *group;
  int64_t n_groups;
  int32_t surface;
  int is_ghost;
} owner;

static int add_side(triad_gmsh_reader *r, int64_t type, int32_t surface, int32_t group, const int32_t *point)
{
  triad_mesh_contents *c = r->out;
  triad_mesh_file_side s = {.n = types[type].corners, .surface = surface};
  TRIAD_TRY(triad_gmsh_patch_of(r, group, &s.patch));
  if (s.patch < 0) return TRIAD_OK;
  for (int i = 0; i < s.n; i++) s.point[i] = point[i];
  if (c->side && c->n.sides >= c->room.sides) return triad_gmsh_bad(r, "the file changed: it now contains more sides");
  if (c->side) c->side[c->n.sides] = s;
  c->n.sides++;
  return TRIAD_OK;
}

static int take_element(triad_gmsh_reader *r, int64_t type, const owner *of)
{
  int32_t point[MOST_NODES];
  int64_t tag;
  int whole = 1;
  for (int i = 0; i < types[type].nodes; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    point[i] = tag >= 0 && tag <= r->most_tag ? r->place[tag] : -1;
    if (point[i] < 0 && whole) {
      triad_gmsh_note(r, TRIAD_GMSH_NO_NODE, 1, tag);
      whole = 0;
    }
  }
  if (!whole) return TRIAD_OK;
  r->n_plane += types[type].dim == 2;
  if (types[type].dim == 3 && !of->is_ghost) TRIAD_TRY(add_cell(r, type, point));
  for (int64_t i = 0; types[type].dim == 2 && i < of->n_groups; i++)
    TRIAD_TRY(add_side(r, type, of->surface, of->group[i].group, point));
  return TRIAD_OK;
}

static int take_block_of_elements(triad_gmsh_reader *r, int64_t *n_elements)
{
  int64_t dim, entity_tag, type, n, tag;
  TRIAD_TRY(triad_gmsh_take_int(r, &dim));
  TRIAD_TRY(triad_gmsh_take_int(r, &entity_tag));
  TRIAD_TRY(triad_gmsh_take_int(r, &type));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  *n_elements += n;
  if (!is_known(type)) {
    if (!r->binary) triad_gmsh_skip_line(r);
    return skip_elements(r, type, n, 1, 8);
  }
  owner of = {.surface = (int32_t)entity_tag, .is_ghost = dim == 3 && triad_gmsh_is_ghost(r, entity_tag)};
  if (dim == 2) of.group = triad_gmsh_groups_of(r, entity_tag, &of.n_groups);
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(take_element(r, type, &of));
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

/* 2.2: a head of type, elements with this head, tags; of ASCII files the element's own. */
static int take_elements_22(triad_gmsh_reader *r)
{
  int64_t n, type, follow = 1, tags, number, tag;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n));
  if (n < 0 || n > r->size / 4) return triad_gmsh_bad(r, "the file contains fewer elements than it declares");
  if (r->binary) triad_gmsh_skip_line(r);
  for (int64_t i = 0; i < n; i += follow) {
    if (!r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &number));
    TRIAD_TRY(triad_gmsh_take_int(r, &type));
    if (!r->binary && !is_known(type)) {
      TRIAD_TRY(skip_elements(r, type, 1, 0, 0));
      continue;
    }
    if (r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &follow));
    TRIAD_TRY(triad_gmsh_take_int(r, &tags));
    if (follow < 1 || follow > n - i || tags < 0 || tags > 1024)
      return triad_gmsh_bad(r, "the header of the elements is invalid");
    if (!is_known(type)) TRIAD_TRY(skip_elements(r, type, follow, 1 + tags, 4));
    for (int64_t k = 0; k < follow && is_known(type); k++) {
      if (r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &number));
      triad_gmsh_entity one = {0, 0};
      for (int64_t t = 0; t < tags; t++) {
        TRIAD_TRY(triad_gmsh_take_int(r, &tag));
        if (t == 0) one.group = (int32_t)tag;
        if (t == 1) one.tag = (int32_t)tag;
      }
      const owner of = {.group = &one, .n_groups = 1, .surface = one.tag};
      TRIAD_TRY(take_element(r, type, &of));
    }
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

static int take_elements_41(triad_gmsh_reader *r, triad_faults *faults)
{
  int64_t blocks, n, unused, found = 0;
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &blocks));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  for (int i = 0; i < 2; i++) TRIAD_TRY(triad_gmsh_take_size(r, &unused));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block_of_elements(r, &found));
  if (found != n)
    triad_fault(faults, "the blocks of $Elements contain %" PRId64 " elements, but %" PRId64 " are declared", found, n);
  return TRIAD_OK;
}

int triad_gmsh_take_elements(triad_gmsh_reader *r, triad_faults *faults)
{
  if (!triad_gmsh_find_section(r, "Elements")) return triad_gmsh_bad(r, "$Elements is missing");
  TRIAD_TRY(r->version == 4 ? take_elements_41(r, faults) : take_elements_22(r));
  return triad_gmsh_end_section(r);
}
