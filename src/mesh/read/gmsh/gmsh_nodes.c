/* Read nodes block by block, in the formats 2.2 and 4.1, and map their tags to points. */
#include "mesh/read/gmsh/gmsh_nodes.h"
#include "mesh/read/gmsh/gmsh_reader.h"
#include "mesh/read/gmsh/gmsh_numbers.h"
#include "mesh/read/gmsh/gmsh_faults.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int list_tag(triad_gmsh_reader *r, int64_t tag)
{
  TRIAD_TRY(triad_mesh_draft_grow((void **)&r->node, r->n_nodes, &r->room_nodes, sizeof *r->node, r->s.path));
  r->node[r->n_nodes] = (triad_gmsh_node){tag, (int32_t)r->n_nodes};
  r->n_nodes++;
  return TRIAD_OK;
}

/* Most files number their nodes 1, 2, ..: these need no list. */
static int add_tag(triad_gmsh_reader *r, int64_t tag)
{
  if (r->n_nodes == 0 && !r->node) r->first_tag = tag;
  if (!r->node && (uint64_t)tag - (uint64_t)r->first_tag == (uint64_t)r->n_nodes && r->n_nodes < INT32_MAX) {
    r->n_nodes++;
    return TRIAD_OK;
  }
  if (!r->node) {
    const int64_t n = r->n_nodes;
    r->n_nodes = 0;
    for (int64_t i = 0; i < n; i++) TRIAD_TRY(list_tag(r, r->first_tag + i));
  }
  return list_tag(r, tag);
}

static int take_point(triad_gmsh_reader *r, int64_t parameters)
{
  double x[3], unused;
  for (int a = 0; a < 3; a++) TRIAD_TRY(triad_gmsh_take_real(r, &x[a]));
  for (int64_t a = 0; a < parameters; a++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
    triad_gmsh_note(r, TRIAD_GMSH_NO_NUMBER, 1, r->d.n_points + 1);
  return triad_mesh_draft_point(&r->d, x);
}

/* ---- 4.0 and 4.1 ---- */

/* 4.1 lists the numbers of all nodes of a block, then their positions; 4.0 each number with its position. */
static int take_block(triad_gmsh_reader *r)
{
  int64_t dim, unused, parametric, n, tag;
  TRIAD_TRY(triad_gmsh_take_int(r, r->version == 40 ? &unused : &dim));
  TRIAD_TRY(triad_gmsh_take_int(r, r->version == 40 ? &dim : &unused));
  TRIAD_TRY(triad_gmsh_take_int(r, &parametric));
  TRIAD_TRY(triad_gmsh_take_count(r, 8, &n));
  if (dim < 0 || dim > 3) return triad_gmsh_bad(r, "a block of nodes must have a dimension of 0 to 3");
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(add_tag(r, tag));
    if (r->version == 40) TRIAD_TRY(take_point(r, parametric ? dim : 0));
  }
  for (int64_t i = 0; i < n && r->version == 41; i++) TRIAD_TRY(take_point(r, parametric ? dim : 0));
  return TRIAD_OK;
}

static int take_blocks(triad_gmsh_reader *r)
{
  int64_t blocks, n, unused;
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &blocks));
  TRIAD_TRY(triad_gmsh_take_count(r, 6, &n));
  for (int i = 0; i < 2 && r->version == 41; i++) TRIAD_TRY(triad_gmsh_take_size(r, &unused));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block(r));
  if (r->n_nodes != n)
    triad_fault(r->d.faults, "the blocks of $Nodes contain %" PRId64 " nodes, but %" PRId64 " are declared", r->n_nodes,
                n);
  return TRIAD_OK;
}

/* ---- 1 and 2 ---- */

static int take_list(triad_gmsh_reader *r, int parametric)
{
  int64_t n, tag, dim = 0, entity;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n)); /* as text in binary files too */
  if (n < 0 || n > r->s.size / 8) return triad_gmsh_bad(r, "the file contains fewer nodes than it declares");
  if (r->s.binary) triad_mesh_scan_skip_line(&r->s);
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(add_tag(r, tag));
    TRIAD_TRY(take_point(r, 0));
    if (!parametric) continue;
    double unused;
    TRIAD_TRY(triad_gmsh_take_int(r, &dim));
    TRIAD_TRY(triad_gmsh_take_int(r, &entity));
    for (int64_t k = 0; k < dim && dim < 3; k++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  }
  return TRIAD_OK;
}

/* ---- from numbers to indices ---- */

static int by_tag(const void *a, const void *b)
{
  const triad_gmsh_node *x = a, *y = b;
  return x->tag != y->tag ? (x->tag > y->tag) - (x->tag < y->tag) : (x->place > y->place) - (x->place < y->place);
}

/* If two nodes have the same number, elements use the first. */
static int make_places(triad_gmsh_reader *r)
{
  const int64_t n = r->n_nodes;
  r->most_tag = 0;
  if (!r->node && n > 0 && r->first_tag < 0) return triad_gmsh_bad(r, "the number of a node is below 0");
  if (!r->node) return TRIAD_OK;
  for (int64_t i = 0; i < n; i++) {
    if (r->node[i].tag < 0) return triad_gmsh_bad(r, "the number of a node is below 0");
    if (r->node[i].tag > r->most_tag) r->most_tag = r->node[i].tag;
  }
  if (r->most_tag > 64 * n + 1024) {
    qsort(r->node, (size_t)n, sizeof *r->node, by_tag);
    for (int64_t i = 1; i < n; i++)
      if (r->node[i].tag == r->node[i - 1].tag) triad_gmsh_note(r, TRIAD_GMSH_TWICE, 1, r->node[i].tag);
    return TRIAD_OK;
  }
  r->place = malloc((size_t)(r->most_tag + 1) * sizeof *r->place);
  if (!r->place) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " nodes", r->s.path, n);
  for (int64_t i = 0; i <= r->most_tag; i++) r->place[i] = -1;
  for (int64_t i = 0; i < n; i++) {
    int32_t *place = &r->place[r->node[i].tag];
    if (*place >= 0) triad_gmsh_note(r, TRIAD_GMSH_TWICE, 1, r->node[i].tag);
    else *place = r->node[i].place;
  }
  return TRIAD_OK;
}

int32_t triad_gmsh_place_of(const triad_gmsh_reader *r, int64_t tag)
{
  const uint64_t from_first = (uint64_t)tag - (uint64_t)r->first_tag;
  if (!r->node) return from_first < (uint64_t)r->n_nodes ? (int32_t)from_first : -1;
  if (r->place) return tag >= 0 && tag <= r->most_tag ? r->place[tag] : -1;
  int64_t low = 0;
  for (int64_t high = r->n_nodes; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (r->node[middle].tag < tag) low = middle + 1;
    else high = middle;
  }
  return low < r->n_nodes && r->node[low].tag == tag ? r->node[low].place : -1;
}

int triad_gmsh_take_nodes(triad_gmsh_reader *r)
{
  int parametric = 0;
  if (!triad_gmsh_find_section(r, r->version == 10 ? "NOD" : "Nodes")) {
    parametric = r->version < 40 && triad_gmsh_find_section(r, "ParametricNodes");
    if (!parametric) return triad_gmsh_bad(r, "$Nodes is missing");
  }
  TRIAD_TRY(r->version >= 40 ? take_blocks(r) : take_list(r, parametric));
  TRIAD_TRY(make_places(r));
  return triad_gmsh_end_section(r);
}
