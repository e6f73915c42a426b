/* Read all zones of a CGNS file: points, sections of elements, and their conversion to mesh contents. */
#include "mesh/read/cgns/cgnsfile.h"
#include "mesh/read/cgns/cgns_lists.h"
#include "store/formats/cgns_patches.h"
#include "store/formats/cgns_elements.h"
#include "mesh/read/cgns/cgns_reader.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OFTEN = 65536 };

static int add_cell(triad_mesh_cgns *c, int64_t shape, int64_t n, const int64_t *at, int64_t more)
{
  if (c->shape.n % OFTEN == 0) triad_guard_alive(c->guard);
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_mesh_list_add(&c->cell, at[i] + more));
  TRIAD_TRY(triad_mesh_list_add(&c->first_cell, c->cell.n));
  c->polyhedra |= shape < 0;
  return triad_mesh_list_add(&c->shape, shape);
}

/* ---- structured zones: hexahedra ---- */

/* Quadrilaterals of a structured zone of a plane. */
static int take_squares(triad_mesh_cgns *c, int zone)
{
  const int64_t *n = c->zone[zone].n;
  for (int64_t j = 0; j + 1 < n[1]; j++)
    for (int64_t i = 0; i + 1 < n[0]; i++) {
      const int64_t p = c->points[zone] + i + j * n[0], corner[4] = {p, p + 1, p + 1 + n[0], p + n[0]};
      TRIAD_TRY(triad_mesh_cgns_add_face(c, 4, corner, -1));
    }
  return TRIAD_OK;
}

static int take_boxes(triad_mesh_cgns *c, int zone)
{
  const int64_t *n = c->zone[zone].n, plane = n[0] * n[1];
  if (c->plane) return take_squares(c, zone);
  if (c->zone[zone].dims != 3)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s is a surface, but cells are required", c->path, c->zone[zone].name);
  for (int64_t k = 0; k + 1 < n[2]; k++)
    for (int64_t j = 0; j + 1 < n[1]; j++)
      for (int64_t i = 0; i + 1 < n[0]; i++) {
        const int64_t p = c->points[zone] + i + j * n[0] + k * plane;
        const int64_t corner[8] = {p,         p + 1,         p + 1 + n[0],         p + n[0],
                                   p + plane, p + 1 + plane, p + 1 + n[0] + plane, p + n[0] + plane};
        TRIAD_TRY(add_cell(c, TRIAD_MESH_HEX, 8, corner, 0));
      }
  return TRIAD_OK;
}

/* ---- unstructured zones ---- */

typedef struct taker {
  triad_mesh_cgns *c;
  int zone;
  int64_t section; /* the patch that faces of the section are by its name, -1: none */
} taker;

static const int shape_of[] = {[TRIAD_CGNS_TET] = TRIAD_MESH_TET,
                               [TRIAD_CGNS_PYRAMID] = TRIAD_MESH_PYRAMID,
                               [TRIAD_CGNS_PRISM] = TRIAD_MESH_PRISM,
                               [TRIAD_CGNS_HEX] = TRIAD_MESH_HEX,
                               [TRIAD_CGNS_POLYHEDRON] = -1};

static int note_number(const taker *t, int64_t number)
{
  triad_mesh_list *of = &t->c->of_number[t->zone];
  if (number > 64 * (of->n + t->c->patch.n + t->c->shape.n) + 1048576)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s: element %" PRId64 ": the element numbers are too far apart",
                      t->c->path, t->c->zone[t->zone].name, number);
  while (of->n <= number) TRIAD_TRY(triad_mesh_list_add(of, 0));
  if (of->at[number] != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s: two elements have number %" PRId64, t->c->path,
                      t->c->zone[t->zone].name, number);
  of->at[number] = t->c->patch.n + 1;
  return TRIAD_OK;
}

static int take_element(void *self, const triad_cgns_element *e)
{
  const taker *t = self;
  triad_mesh_cgns *c = t->c;
  int64_t point[TRIAD_MESH_MAX_FACE_POINTS];
  if (e->kind == TRIAD_CGNS_OTHER) return TRIAD_OK;
  if (e->kind == TRIAD_CGNS_POLYHEDRON) return add_cell(c, -1, e->n, e->at, 0);
  if (e->kind == TRIAD_CGNS_LINE && !c->plane) return TRIAD_OK;
  c->curved += e->curved && e->kind >= (c->plane ? TRIAD_CGNS_TRIANGLE : TRIAD_CGNS_TET);
  if (e->kind >= TRIAD_CGNS_TET && e->kind <= TRIAD_CGNS_HEX)
    return add_cell(c, shape_of[e->kind], e->n, e->at, c->points[t->zone]);
  if (e->n < (c->plane ? 2 : 3) || e->n > TRIAD_MESH_MAX_FACE_POINTS)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: zone %s: element %" PRId64 ": a face of %" PRId64 " points, must have 3 to %d", c->path,
                      c->zone[t->zone].name, e->number, e->n, TRIAD_MESH_MAX_FACE_POINTS);
  if (c->patch.n % OFTEN == 0) triad_guard_alive(c->guard);
  TRIAD_TRY(note_number(t, e->number));
  for (int64_t i = 0; i < e->n; i++) point[i] = e->at[i] + c->points[t->zone];
  return triad_mesh_cgns_add_face(c, e->n, point, e->kind == TRIAD_CGNS_POLYGON ? -1 : t->section);
}

/* Polyhedra name their faces by the numbers of elements: now by the faces' own, from 1. */
static int find_faces(triad_mesh_cgns *c, int zone)
{
  const triad_mesh_list *of = &c->of_number[zone];
  for (int64_t i = c->cells[zone]; i < c->shape.n; i++)
    for (int64_t k = c->first_cell.at[i]; k < c->first_cell.at[i + 1] && c->shape.at[i] < 0; k++) {
      const int64_t number = llabs(c->cell.at[k]), face = number < of->n ? of->at[number] : 0;
      if (face == 0)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s: cell %" PRId64 " has face %" PRId64 ", which does not exist",
                          c->path, c->zone[zone].name, i - c->cells[zone] + 1, c->cell.at[k]);
      c->cell.at[k] = c->cell.at[k] < 0 ? -face : face;
    }
  return TRIAD_OK;
}

/* In a zone without boundary conditions the names of sections are those of patches. */
static int take_sections(triad_mesh_cgns *c, int zone)
{
  int n, conditions;
  TRIAD_TRY(triad_cgns_sections(c->file, zone, &n));
  TRIAD_TRY(triad_cgns_patches(c->file, zone, &conditions));
  for (int s = 0; s < n; s++) {
    taker t = {c, zone, -1};
    char name[TRIAD_CGNS_NAME];
    const int64_t before = c->patch.n;
    const int64_t faults = c->faults->n;
    TRIAD_TRY(triad_faults_take(c->faults, triad_cgns_elements(c->file, zone, s, name, take_element, &t)));
    c->left_out += c->faults->n > faults;
    if (conditions > 0 || c->patch.n == before) continue;
    int64_t patch = -1;
    for (int64_t f = before; f < c->patch.n; f++) {
      if (triad_mesh_list_length(&c->first_face, f) > (c->plane ? 2 : TRIAD_MESH_SIDE_POINTS) || c->polyhedra) continue;
      if (patch < 0) TRIAD_TRY(triad_mesh_cgns_patch(c, name, &patch));
      c->patch.at[f] = patch;
    }
  }
  return c->left_out && c->polyhedra ? TRIAD_OK : find_faces(c, zone);
}

/* ---- a file ---- */

static int take_points(triad_mesh_cgns *c)
{
  for (int z = 0; z < c->n_zones; z++) {
    TRIAD_TRY(triad_cgns_zone_at(c->file, z, &c->zone[z]));
    const int64_t *n = c->zone[z].n;
    c->points[z + 1] = c->points[z] + (c->zone[z].structured ? n[0] * n[1] * n[2] : n[0]);
  }
  const int64_t all = c->points[c->n_zones];
  if (all > INT32_MAX) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %" PRId64 " points: too many", c->path, all);
  c->x = malloc((size_t)all * sizeof *c->x);
  c->same = malloc((size_t)all * sizeof *c->same);
  if (!c->x || !c->same) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", c->path, all);
  for (int64_t i = 0; i < all; i++) c->same[i] = i;
  for (int z = 0; z < c->n_zones; z++) {
    const int64_t n = c->points[z + 1] - c->points[z];
    double *x = malloc((size_t)(3 * n) * sizeof *x), *const axes[3] = {x, x + n, x + 2 * n};
    int st =
      x ? triad_cgns_coordinates(c->file, z, axes) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", c->path, n);
    for (int64_t i = 0; i < 3 * n && st == TRIAD_OK; i++) {
      if (!isfinite(x[i]))
        st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s: a coordinate is not finite", c->path, c->zone[z].name);
      c->x[c->points[z] + i % n][i / n] = x[i];
    }
    free(x);
    TRIAD_TRY(triad_faults_take(c->faults, st));
    triad_guard_alive(c->guard);
  }
  return TRIAD_OK;
}

static int take_all(triad_mesh_cgns *c)
{
  const size_t n = (size_t)c->n_zones + 1;
  c->zone = calloc(n, sizeof *c->zone);
  c->points = calloc(n, sizeof *c->points);
  c->cells = calloc(n, sizeof *c->cells);
  c->faces = calloc(n, sizeof *c->faces);
  c->of_number = calloc(n, sizeof *c->of_number);
  if (!c->zone || !c->points || !c->cells || !c->faces || !c->of_number)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %d zones", c->path, c->n_zones);
  TRIAD_TRY(triad_mesh_list_add(&c->first_cell, 0));
  TRIAD_TRY(triad_mesh_list_add(&c->first_face, 0));
  TRIAD_TRY(take_points(c));
  for (int z = 0; z < c->n_zones; z++) {
    c->cells[z] = c->shape.n;
    c->faces[z] = c->patch.n;
    TRIAD_TRY(c->zone[z].structured ? take_boxes(c, z) : take_sections(c, z));
    c->cells[z + 1] = c->shape.n;
    c->faces[z + 1] = c->patch.n;
  }
  if (c->shape.n == 0 && c->patch.n > 0 && !c->left_out && !c->plane)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a plane or surface mesh without cells: extrude it by one layer", c->path);
  for (int z = 0; z < c->n_zones; z++) TRIAD_TRY(triad_mesh_cgns_bounds(c, z));
  for (int z = 0; z < c->n_zones; z++) TRIAD_TRY(triad_mesh_cgns_joins(c, z));
  /* faces of cells may be missing: what is wrong has been noted */
  if (c->left_out && (c->polyhedra || c->shape.n == 0)) return TRIAD_ERR_CASE;
  if (c->plane && c->shape.n == 0) return triad_mesh_cgns_give_plane(c);
  if (c->shape.n == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file contains no cells", c->path);
  return triad_mesh_cgns_give(c);
}

int triad_mesh_cgns_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_cgns c = {.path = path, .guard = guard, .out = out, .faults = faults};
  TRIAD_TRY(triad_cgns_open(&c.file, path));
  c.n_zones = triad_cgns_zones(c.file);
  c.plane = triad_cgns_dimensions(c.file) == 2;
  int st = triad_cgns_close(&c.file, take_all(&c));
  for (int z = 0; c.of_number && z < c.n_zones; z++) free(c.of_number[z].at);
  void *const all[] = {c.zone,     c.points,        c.cells,   c.faces,         c.of_number, c.x,       c.same,
                       c.shape.at, c.first_cell.at, c.cell.at, c.first_face.at, c.face.at,   c.patch.at};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  return st;
}
