#include "solvers/unstructured/gmsh_reader.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* By Gmsh's number of the type: nodes, corners, dimension, shape, and is it of second order? */
static const struct {
  int8_t nodes, corners, dim, shape, curved;
} types[] = {[1] = {2, 2, 1, 0, 0},   [2] = {3, 3, 2, 0, 0},   [3] = {4, 4, 2, 0, 0},
             [4] = {4, 4, 3, TRIAD_FCT_TET, 0},   [5] = {8, 8, 3, TRIAD_FCT_HEX, 0},
             [6] = {6, 6, 3, TRIAD_FCT_PRISM, 0}, [7] = {5, 5, 3, TRIAD_FCT_PYRAMID, 0},
             [8] = {3, 2, 1, 0, 1},   [9] = {6, 3, 2, 0, 1},   [10] = {9, 4, 2, 0, 1},
             [11] = {10, 4, 3, TRIAD_FCT_TET, 1}, [12] = {27, 8, 3, TRIAD_FCT_HEX, 1},
             [13] = {18, 6, 3, TRIAD_FCT_PRISM, 1}, [14] = {14, 5, 3, TRIAD_FCT_PYRAMID, 1},
             [15] = {1, 1, 0, 0, 0},  [16] = {8, 4, 2, 0, 1},
             [17] = {20, 8, 3, TRIAD_FCT_HEX, 1}, [18] = {15, 6, 3, TRIAD_FCT_PRISM, 1},
             [19] = {13, 5, 3, TRIAD_FCT_PYRAMID, 1}};
enum { TYPES = sizeof types / sizeof *types, MOST_NODES = 27, LONGEST = 120 };

static int check_type(const triad_gmsh_reader *r, int64_t type)
{
  char text[LONGEST];
  if (type >= 1 && type < TYPES && types[type].nodes > 0) return TRIAD_OK;
  (void)snprintf(text, sizeof text, "elements of type %" PRId64 " are not known: those of first and second order are read", type);
  return triad_gmsh_bad(r, text);
}

static int add_cell(triad_gmsh_reader *r, int64_t type, const int32_t *point)
{
  triad_fct_contents *c = r->out;
  if (c->shape && (c->n.cells >= c->room.cells || c->n.corners + types[type].corners > c->room.corners))
    return triad_gmsh_bad(r, "the file has changed: more cells than a moment ago");
  if (c->shape) {
    c->shape[c->n.cells] = (uint8_t)types[type].shape;
    memcpy(c->corner + c->n.corners, point, (size_t)types[type].corners * sizeof *point);
  }
  c->n.cells++;
  c->n.corners += types[type].corners;
  c->n.curved += types[type].curved;
  return TRIAD_OK;
}

static int add_side(triad_gmsh_reader *r, int64_t type, int64_t group, const int32_t *point)
{
  triad_fct_contents *c = r->out;
  triad_fct_side s = {.n = types[type].corners};
  TRIAD_TRY(triad_gmsh_patch_of(r, group, &s.patch));
  if (s.patch < 0) return TRIAD_OK;
  for (int i = 0; i < s.n; i++) s.point[i] = point[i];
  if (c->side && c->n.sides >= c->room.sides) return triad_gmsh_bad(r, "the file has changed: more sides than a moment ago");
  if (c->side) c->side[c->n.sides] = s;
  c->n.sides++;
  return TRIAD_OK;
}

static int take_element(triad_gmsh_reader *r, int64_t type, int64_t group)
{
  int32_t point[MOST_NODES];
  int64_t tag;
  for (int i = 0; i < types[type].nodes; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    if (tag < 0 || tag > r->most_tag || r->place[tag] < 0) return triad_gmsh_bad(r, "an element has a node that there is not");
    point[i] = r->place[tag];
  }
  if (types[type].dim == 3) TRIAD_TRY(add_cell(r, type, point));
  return types[type].dim == 2 ? add_side(r, type, group, point) : TRIAD_OK;
}

static int take_block_of_elements(triad_gmsh_reader *r)
{
  int64_t dim, entity_tag, type, n, tag;
  TRIAD_TRY(triad_gmsh_take_int(r, &dim));
  TRIAD_TRY(triad_gmsh_take_int(r, &entity_tag));
  TRIAD_TRY(triad_gmsh_take_int(r, &type));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  TRIAD_TRY(check_type(r, type));
  int64_t group = dim == 2 ? triad_gmsh_group_of(r, entity_tag) : 0;
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(take_element(r, type, group));
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

/* 2.2: a head of type, elements with this head, tags; of ASCII files the element's own. */
static int take_elements_22(triad_gmsh_reader *r)
{
  int64_t n, type, follow = 1, tags, number, tag, group;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n));
  if (n < 0 || n > r->size / 4) return triad_gmsh_bad(r, "more elements are announced than the file has");
  if (r->binary) triad_gmsh_skip_line(r);
  for (int64_t i = 0; i < n; i += follow) {
    if (!r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &number));
    TRIAD_TRY(triad_gmsh_take_int(r, &type));
    TRIAD_TRY(check_type(r, type));
    if (r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &follow));
    TRIAD_TRY(triad_gmsh_take_int(r, &tags));
    if (follow < 1 || follow > n - i || tags < 0 || tags > 1024) return triad_gmsh_bad(r, "the head of elements makes no sense");
    for (int64_t k = 0; k < follow; k++) {
      if (r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &number));
      group = 0;
      for (int64_t t = 0; t < tags; t++) {
        TRIAD_TRY(triad_gmsh_take_int(r, &tag));
        if (t == 0) group = tag;
      }
      TRIAD_TRY(take_element(r, type, group));
    }
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

int triad_gmsh_take_elements(triad_gmsh_reader *r)
{
  int64_t blocks, n, unused;
  if (!triad_gmsh_find_section(r, "Elements")) return triad_gmsh_bad(r, "there is no $Elements");
  if (r->version == 2) return take_elements_22(r);
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &blocks));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &n));
  for (int i = 0; i < 2; i++) TRIAD_TRY(triad_gmsh_take_size(r, &unused));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block_of_elements(r));
  return TRIAD_OK;
}
