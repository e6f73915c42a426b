/* Cells of CGNS files. Polyhedra with the sides of a tetrahedron, pyramid, prism or hexahedron become cells of that
 * shape if all cells of the file have known shapes; otherwise all cells are given by their faces. */
#include "mesh/read/cgns/cgns_reader.h"
#include "mesh/read/cgns/cgnsfile.h"
#include "mesh/read/cgns/cgns_lists.h"
#include "mesh/read/face_shapes.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* ---- shapes ---- */

static int find_shape(const triad_mesh_cgns *c, int64_t cell, int64_t corner[TRIAD_MESH_CORNERS])
{
  const triad_mesh_face_view view = {c->first_cell.at, c->cell.at, c->first_face.at, c->face.at};
  return triad_mesh_face_shape(&view, cell, corner);
}

/* Are all cells of known shapes? */
static int all_known(const triad_mesh_cgns *c)
{
  int64_t corner[TRIAD_MESH_CORNERS];
  for (int64_t i = 0; i < c->shape.n && c->polyhedra; i++) {
    if (c->shape.at[i] < 0 && find_shape(c, i, corner) < 0) return 0;
    if (i % 65536 == 0) triad_guard_alive(c->guard);
  }
  return 1;
}

/* ---- what was read ---- */

/* Points that are no other one, by their new numbers, in place of `same`. */
static int64_t number_points(triad_mesh_cgns *c)
{
  const int64_t all = c->points[c->n_zones];
  int64_t n = 0;
  for (int64_t i = 0; i < all; i++)
    c->same[i] = c->same[i] == i ? n++ : c->same[c->same[i]]; /* the other one is before it */
  return n;
}

static void put_points(const triad_mesh_cgns *c)
{
  int64_t n = 0;
  for (int64_t i = 0; i < c->points[c->n_zones]; i++)
    if (c->same[i] == n) memcpy(c->out->x[n++], c->x[i], sizeof *c->x);
}

static void put_cells(const triad_mesh_cgns *c)
{
  triad_mesh_contents *out = c->out;
  int64_t at = 0;
  for (int64_t i = 0; i < c->shape.n; i++) {
    int64_t corner[TRIAD_MESH_CORNERS];
    const int shape = c->shape.at[i] < 0 ? find_shape(c, i, corner) : (int)c->shape.at[i];
    if (c->shape.at[i] >= 0)
      memcpy(corner, c->cell.at + c->first_cell.at[i], (size_t)triad_mesh_shapes[shape].corners * sizeof *corner);
    out->shape[i] = (uint8_t)shape;
    for (int k = 0; k < triad_mesh_shapes[shape].corners; k++) out->corner[at++] = (int32_t)c->same[corner[k]];
    if (i % 65536 == 0) triad_guard_alive(c->guard);
  }
}

static void count_cells(const triad_mesh_cgns *c, triad_mesh_file_counts *n)
{
  for (int64_t i = 0; i < c->shape.n; i++) {
    int64_t corner[TRIAD_MESH_CORNERS];
    n->corners += triad_mesh_shapes[c->shape.at[i] < 0 ? find_shape(c, i, corner) : c->shape.at[i]].corners;
  }
}

/* Give cells of known shapes in a mesh with polyhedra faces of their own. */
static int as_faces(triad_mesh_cgns *c)
{
  triad_mesh_list first = {0}, cell = {0};
  int st = triad_mesh_list_add(&first, 0);
  for (int64_t i = 0; i < c->shape.n && st == TRIAD_OK; i++) {
    const int64_t *at = c->cell.at + c->first_cell.at[i];
    for (int64_t k = 0; c->shape.at[i] < 0 && k < triad_mesh_list_length(&c->first_cell, i) && st == TRIAD_OK; k++)
      st = triad_mesh_list_add(&cell, at[k]);
    for (int s = 0; c->shape.at[i] >= 0 && s < triad_mesh_shapes[c->shape.at[i]].sides && st == TRIAD_OK; s++) {
      const triad_mesh_shape_info *shape = &triad_mesh_shapes[c->shape.at[i]];
      int64_t point[TRIAD_MESH_SIDE_POINTS];
      for (int k = 0; k < shape->points[s]; k++) point[k] = at[shape->side[s][k]];
      st = triad_mesh_cgns_add_face(c, shape->points[s], point, -1);
      if (st == TRIAD_OK) st = triad_mesh_list_add(&cell, c->patch.n);
    }
    if (st == TRIAD_OK) st = triad_mesh_list_add(&first, cell.n);
  }
  free(c->first_cell.at);
  free(c->cell.at);
  c->first_cell = first;
  c->cell = cell;
  return st;
}

static void put_faces(const triad_mesh_cgns *c)
{
  triad_mesh_contents *out = c->out;
  memcpy(out->first_point, c->first_face.at, (size_t)c->first_face.n * sizeof *out->first_point);
  memcpy(out->first_face, c->first_cell.at, (size_t)c->first_cell.n * sizeof *out->first_face);
  for (int64_t i = 0; i < c->face.n; i++) out->face_point[i] = (int32_t)c->same[c->face.at[i]];
  for (int64_t i = 0; i < c->cell.n; i++) out->face[i] = (int32_t)c->cell.at[i];
  for (int64_t i = 0; i < c->patch.n; i++) out->face_patch[i] = (int32_t)c->patch.at[i];
  for (int64_t i = 0; i < c->shape.n; i++) out->shape[i] = TRIAD_MESH_POLYHEDRON;
}

/* Faces of three or four points that are in a patch. */
static void put_sides(const triad_mesh_cgns *c, triad_mesh_file_side *to)
{
  for (int64_t f = 0; f < c->patch.n; f++) {
    const int64_t n = triad_mesh_list_length(&c->first_face, f);
    if (c->patch.at[f] < 0 || n > TRIAD_MESH_SIDE_POINTS) continue;
    *to = (triad_mesh_file_side){.patch = (int32_t)c->patch.at[f], .n = (int32_t)n};
    for (int64_t i = 0; i < n; i++) to->point[i] = (int32_t)c->same[c->face.at[c->first_face.at[f] + i]];
    to++;
  }
}

int triad_mesh_cgns_give(triad_mesh_cgns *c)
{
  triad_mesh_contents *out = c->out;
  int filled;
  triad_mesh_file_counts n = {
    .cells = c->shape.n, .patches = c->n_patches, .changes = {.curved = c->curved}, .left_out = c->left_out};
  const int known = all_known(c);
  if (!known) TRIAD_TRY(as_faces(c));
  if (c->patch.n > INT32_MAX || c->cell.n > INT32_MAX) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: too many faces", c->path);
  n.points = number_points(c);
  if (known) {
    count_cells(c, &n);
  } else {
    n.faces = c->patch.n;
    n.face_points = c->face.n;
    n.cell_faces = c->cell.n;
  }
  for (int64_t f = 0; f < c->patch.n; f++)
    n.sides += c->patch.at[f] >= 0 && triad_mesh_list_length(&c->first_face, f) <= TRIAD_MESH_SIDE_POINTS;
  TRIAD_TRY(triad_mesh_contents_make(out, &n, c->path, &filled));
  if (!filled) return TRIAD_OK;
  put_points(c);
  if (known) put_cells(c);
  else put_faces(c);
  put_sides(c, out->side);
  memcpy(out->name, c->name, (size_t)c->n_patches * sizeof *out->name);
  return TRIAD_OK;
}
