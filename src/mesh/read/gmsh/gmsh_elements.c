/* Read elements block by block, in the formats 2.2 and 4.1: volumes become cells, surfaces become sides of patches,
 * others are skipped. */
#include "mesh/read/gmsh/gmsh_reader.h"
#include "mesh/read/gmsh/gmsh_numbers.h"
#include "mesh/read/gmsh/gmsh_groups.h"
#include "mesh/read/gmsh/gmsh_faults.h"
#include "mesh/read/gmsh/gmsh_elements.h"
#include "mesh/read/gmsh/gmsh_nodes.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

/* By Gmsh's number of the type: nodes, the kind of element, and 1 if it is of a higher order. Its corners come first.
 * kind -1: a point; -2: cannot be read, but skipped. */
static const struct {
  int8_t nodes, kind, curved;
} types[] = {[1] = {2, TRIAD_MESH_LINE, 0},
             [2] = {3, TRIAD_MESH_TRIANGLE, 0},
             [3] = {4, TRIAD_MESH_QUAD, 0},
             [4] = {4, TRIAD_MESH_TET, 0},
             [5] = {8, TRIAD_MESH_HEX, 0},
             [6] = {6, TRIAD_MESH_PRISM, 0},
             [7] = {5, TRIAD_MESH_PYRAMID, 0},
             [8] = {3, TRIAD_MESH_LINE, 1},
             [9] = {6, TRIAD_MESH_TRIANGLE, 1},
             [10] = {9, TRIAD_MESH_QUAD, 1},
             [11] = {10, TRIAD_MESH_TET, 1},
             [12] = {27, TRIAD_MESH_HEX, 1},
             [13] = {18, TRIAD_MESH_PRISM, 1},
             [14] = {14, TRIAD_MESH_PYRAMID, 1},
             [15] = {1, -1, 0},
             [16] = {8, TRIAD_MESH_QUAD, 1},
             [17] = {20, TRIAD_MESH_HEX, 1},
             [18] = {15, TRIAD_MESH_PRISM, 1},
             [19] = {13, TRIAD_MESH_PYRAMID, 1},
             [20] = {9, TRIAD_MESH_TRIANGLE, 1},
             [21] = {10, TRIAD_MESH_TRIANGLE, 1},
             [22] = {12, TRIAD_MESH_TRIANGLE, 1},
             [23] = {15, TRIAD_MESH_TRIANGLE, 1},
             [24] = {15, TRIAD_MESH_TRIANGLE, 1},
             [25] = {21, TRIAD_MESH_TRIANGLE, 1},
             [26] = {4, TRIAD_MESH_LINE, 1},
             [27] = {5, TRIAD_MESH_LINE, 1},
             [28] = {6, TRIAD_MESH_LINE, 1},
             [29] = {20, TRIAD_MESH_TET, 1},
             [30] = {35, TRIAD_MESH_TET, 1},
             [31] = {56, TRIAD_MESH_TET, 1},
             [32] = {22, -2, 1},
             [36] = {16, TRIAD_MESH_QUAD, 1},
             [37] = {25, TRIAD_MESH_QUAD, 1},
             [92] = {64, TRIAD_MESH_HEX, 1},
             [93] = {125, TRIAD_MESH_HEX, 1}};
enum { TYPES = sizeof types / sizeof *types, MOST_NODES = 125 };

static int is_listed(int64_t type) { return type >= 1 && type < TYPES && types[type].nodes > 0; }
static int is_known(int64_t type) { return is_listed(type) && types[type].kind > -2; }

/* Skip n elements of an unknown type, which each have `before` numbers of `bytes` bytes before their nodes: in an ASCII
 * file an element is a line; in a binary one its size follows from the type if that is in the table. */
static int skip_elements(triad_gmsh_reader *r, int64_t type, int64_t n, int64_t before, int64_t bytes)
{
  triad_gmsh_note(r, TRIAD_GMSH_UNKNOWN, n, type);
  for (int64_t i = 0; i < n && !r->s.binary && r->s.at < r->s.size; i++) triad_mesh_scan_skip_line(&r->s);
  if (!r->s.binary) return TRIAD_OK;
  if (!is_listed(type))
    return triad_gmsh_bad(r, "the size of elements of this type is unknown: write the file as ASCII");
  const int64_t one = (before + types[type].nodes) * bytes;
  if (n > (r->s.size - r->s.at) / one) return triad_gmsh_bad(r, "the file ends here");
  r->s.at += n * one;
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

static int add_flat(triad_gmsh_reader *r, int kind, const owner *of, const int64_t *point)
{
  const int dim = triad_mesh_draft_dimension(kind);
  if (of->n_groups == 0) return triad_mesh_draft_element(&r->d, kind, point, -1, of->surface);
  for (int64_t i = 0; i < of->n_groups; i++) {
    const int32_t number = of->group[i].group;
    int32_t group;
    TRIAD_TRY(triad_gmsh_group_of(r, dim, number, &group));
    TRIAD_TRY(triad_mesh_draft_element(&r->d, kind, point, group, number > 0 ? of->surface : -(int64_t)number));
  }
  return TRIAD_OK;
}

static int take_element(triad_gmsh_reader *r, int64_t type, const owner *of)
{
  int64_t point[MOST_NODES], tag;
  int whole = 1;
  const int kind = types[type].kind;
  for (int i = 0; i < types[type].nodes; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    point[i] = triad_gmsh_place_of(r, tag);
    if (point[i] < 0 && whole) {
      triad_gmsh_note(r, TRIAD_GMSH_NO_NODE, 1, tag);
      whole = 0;
    }
  }
  if (!whole || kind < 0 || of->is_ghost) return TRIAD_OK;
  r->d.curved[triad_mesh_draft_dimension(kind)] += types[type].curved;
  if (triad_mesh_draft_dimension(kind) < 3) return add_flat(r, kind, of, point);
  return triad_mesh_draft_element(&r->d, kind, point, -1, 0);
}

/* ---- 4.0 and 4.1 ---- */

static int take_block(triad_gmsh_reader *r, int64_t *n_elements)
{
  int64_t head[2], type, n, tag;
  for (int i = 0; i < 2; i++) TRIAD_TRY(triad_gmsh_take_int(r, &head[i]));
  TRIAD_TRY(triad_gmsh_take_int(r, &type));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  const int64_t dim = head[r->version == 40], entity = head[r->version != 40];
  *n_elements += n;
  if (!is_known(type)) {
    if (!r->s.binary) triad_mesh_scan_skip_line(&r->s);
    return skip_elements(r, type, n, 1, 8);
  }
  owner of = {.surface = (int32_t)entity, .is_ghost = dim == 3 && triad_gmsh_is_ghost(r, entity)};
  if (dim == 1 || dim == 2) of.group = triad_gmsh_groups_of(r, (int)dim, entity, &of.n_groups);
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(take_element(r, type, &of));
  }
  return TRIAD_OK;
}

static int take_blocks(triad_gmsh_reader *r)
{
  int64_t blocks, n, unused, found = 0;
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &blocks));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  for (int i = 0; i < 2 && r->version == 41; i++) TRIAD_TRY(triad_gmsh_take_size(r, &unused));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block(r, &found));
  if (found != n)
    triad_fault(r->d.faults, "the blocks of $Elements contain %" PRId64 " elements, but %" PRId64 " are declared",
                found, n);
  return TRIAD_OK;
}

/* ---- 1 and 2 ---- */

/* The numbers before the nodes of an element of version 2: `tags` of them, first its group and its entity. */
static int take_tags(triad_gmsh_reader *r, int64_t tags, triad_gmsh_entity *one)
{
  int64_t tag;
  for (int64_t t = 0; t < tags; t++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &tag));
    if (t == 0) one->group = (int32_t)llabs(tag);
    if (t == 1) one->tag = (int32_t)tag;
  }
  return TRIAD_OK;
}

static int take_tagged(triad_gmsh_reader *r, int64_t type, int64_t tags)
{
  triad_gmsh_entity one = {0, 0, 0};
  TRIAD_TRY(take_tags(r, tags, &one));
  const owner of = {.group = &one, .n_groups = one.group > 0, .surface = one.tag};
  return take_element(r, type, &of);
}

static int take_list(triad_gmsh_reader *r, int64_t n)
{
  int64_t type, follow = 1, tags = 2, number;
  for (int64_t i = 0; i < n; i += follow) {
    if (!r->s.binary) TRIAD_TRY(triad_gmsh_take_size(r, &number));
    TRIAD_TRY(triad_gmsh_take_int(r, &type));
    if (!r->s.binary && !is_known(type)) {
      TRIAD_TRY(skip_elements(r, type, 1, 0, 0));
      continue;
    }
    if (r->s.binary) TRIAD_TRY(triad_gmsh_take_int(r, &follow));
    TRIAD_TRY(triad_gmsh_take_int(r, &tags));
    if (follow < 1 || follow > n - i || tags < 0 || tags > 1024)
      return triad_gmsh_bad(r, "the header of the elements is invalid");
    if (!is_known(type)) TRIAD_TRY(skip_elements(r, type, follow, 1 + tags, 4));
    for (int64_t k = 0; k < follow && is_known(type); k++) {
      if (r->s.binary) TRIAD_TRY(triad_gmsh_take_int(r, &number));
      TRIAD_TRY(take_tagged(r, type, tags));
    }
  }
  return TRIAD_OK;
}

/* Version 1: number, type, group, entity, number of nodes, nodes. */
static int take_first_list(triad_gmsh_reader *r, int64_t n)
{
  int64_t type, number, nodes;
  for (int64_t i = 0; i < n; i++) {
    triad_gmsh_entity one = {0, 0, 0};
    TRIAD_TRY(triad_gmsh_take_size(r, &number));
    TRIAD_TRY(triad_gmsh_take_int(r, &type));
    if (!is_known(type)) {
      TRIAD_TRY(skip_elements(r, type, 1, 0, 0));
      continue;
    }
    TRIAD_TRY(take_tags(r, 2, &one));
    TRIAD_TRY(triad_gmsh_take_int(r, &nodes));
    if (nodes != types[type].nodes) return triad_gmsh_bad(r, "the element has another number of nodes than its type");
    const owner of = {.group = &one, .n_groups = one.group > 0, .surface = one.tag};
    TRIAD_TRY(take_element(r, type, &of));
  }
  return TRIAD_OK;
}

static int take_all(triad_gmsh_reader *r)
{
  int64_t n;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n));
  if (n < 0 || n > r->s.size / 4) return triad_gmsh_bad(r, "the file contains fewer elements than it declares");
  if (r->s.binary) triad_mesh_scan_skip_line(&r->s);
  return r->version == 10 ? take_first_list(r, n) : take_list(r, n);
}

int triad_gmsh_take_elements(triad_gmsh_reader *r)
{
  if (!triad_gmsh_find_section(r, r->version == 10 ? "ELM" : "Elements"))
    return triad_gmsh_bad(r, "$Elements is missing");
  TRIAD_TRY(r->version >= 40 ? take_blocks(r) : take_all(r));
  return triad_gmsh_end_section(r);
}
