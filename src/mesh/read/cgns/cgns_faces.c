/* Boundary conditions of CGNS zones, and connections between zones. */
#include "mesh/read/cgns/cgns_reader.h"
#include "store/formats/cgns_patches.h"
#include "store/formats/cgns_joins.h"
#include "mesh/read/cgns/cgnsfile.h"
#include "mesh/read/cgns/cgns_lists.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- faces by range, by list, by points ---- */

/* Lines of cells low .. high - 1 at a side of a structured zone of a plane. */
static int add_row(triad_mesh_cgns *c, int zone, const triad_cgns_face *f, int64_t patch)
{
  const int64_t *n = c->zone[zone].n, stride[2] = {1, n[0]};
  const int t = 1 - f->axis;
  if (f->axis > 1) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s: no side of a plane", c->path, c->zone[zone].name);
  for (int64_t at = f->low[t]; at < f->high[t]; at++) {
    const int64_t p = c->points[zone] + at * stride[t] + (f->upper ? (n[f->axis] - 1) * stride[f->axis] : 0);
    const int64_t point[2] = {p, p + stride[t]};
    TRIAD_TRY(triad_mesh_cgns_add_face(c, 2, point, patch));
  }
  return TRIAD_OK;
}

/* Quadrilaterals of cells low .. high - 1 at a face of a structured zone. */
static int add_rectangle(triad_mesh_cgns *c, int zone, const triad_cgns_face *f, int64_t patch)
{
  if (c->plane) return add_row(c, zone, f, patch);
  const int64_t *n = c->zone[zone].n, stride[3] = {1, n[0], n[0] * n[1]};
  const int t[2] = {f->axis == 0 ? 1 : 0, f->axis == 2 ? 1 : 2};
  int64_t at[3];
  for (at[t[1]] = f->low[t[1]]; at[t[1]] < f->high[t[1]]; at[t[1]]++)
    for (at[t[0]] = f->low[t[0]]; at[t[0]] < f->high[t[0]]; at[t[0]]++) {
      at[f->axis] = f->upper ? n[f->axis] - 1 : 0;
      const int64_t p = c->points[zone] + at[0] + at[1] * stride[1] + at[2] * stride[2];
      const int64_t point[4] = {p, p + stride[t[0]], p + stride[t[0]] + stride[t[1]], p + stride[t[1]]};
      TRIAD_TRY(triad_mesh_cgns_add_face(c, 4, point, patch));
    }
  return TRIAD_OK;
}

static int no_face(const triad_mesh_cgns *c, int zone, const char *what, int64_t number)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, %s: there is no face number %" PRId64, c->path, c->zone[zone].name,
                    what, number);
}

/* The face of an element of a zone; -1: there is none. */
static int64_t face_at(const triad_mesh_cgns *c, int zone, int64_t number)
{
  const triad_mesh_list *of = &c->of_number[zone];
  return number > 0 && number < of->n ? of->at[number] - 1 : -1;
}

static int all_marked(const uint8_t *marked, const triad_mesh_cgns *c, int zone, const int64_t *point, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    if (!marked[point[i] - c->points[zone]]) return 0;
  return 1;
}

/* Lines and sides of cells of a plane. */
static int add_lines(triad_mesh_cgns *c, int zone, const uint8_t *marked, int64_t patch)
{
  const int64_t end = c->faces[zone + 1];
  for (int64_t f = c->faces[zone]; f < end; f++) {
    const int64_t n = triad_mesh_list_length(&c->first_face, f);
    for (int64_t k = 0; k < n; k++) {
      const int64_t *at = c->face.at + c->first_face.at[f], point[2] = {at[k], at[(k + 1) % n]};
      if (!all_marked(marked, c, zone, point, 2)) continue;
      if (n > 2) TRIAD_TRY(triad_mesh_cgns_add_face(c, 2, point, patch));
      else if (c->patch.at[f] < 0) c->patch.at[f] = patch;
    }
  }
  return TRIAD_OK;
}

/* Faces and sides of cells of a zone all of whose points are marked. */
static int add_between(triad_mesh_cgns *c, int zone, const uint8_t *marked, int64_t patch)
{
  if (c->plane) return add_lines(c, zone, marked, patch);
  for (int64_t f = c->faces[zone]; f < c->faces[zone + 1]; f++)
    if (c->patch.at[f] < 0 &&
        all_marked(marked, c, zone, c->face.at + c->first_face.at[f], triad_mesh_list_length(&c->first_face, f)))
      c->patch.at[f] = patch;
  for (int64_t i = c->cells[zone]; i < c->cells[zone + 1]; i++) {
    if (c->shape.at[i] < 0) continue;
    const triad_mesh_shape_info *shape = &triad_mesh_shapes[c->shape.at[i]];
    for (int s = 0; s < shape->sides; s++) {
      int64_t point[TRIAD_MESH_SIDE_POINTS];
      for (int k = 0; k < shape->points[s]; k++) point[k] = c->cell.at[c->first_cell.at[i] + shape->side[s][k]];
      if (all_marked(marked, c, zone, point, shape->points[s]))
        TRIAD_TRY(triad_mesh_cgns_add_face(c, shape->points[s], point, patch));
    }
  }
  return TRIAD_OK;
}

static int add_by_points(triad_mesh_cgns *c, int zone, const char *what, const int64_t *at, int64_t n, int is_range,
                         int64_t patch)
{
  const int64_t points = c->points[zone + 1] - c->points[zone];
  uint8_t *marked = calloc((size_t)points + 1, 1);
  int st = marked ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", c->path, points);
  for (int64_t i = 0; i < (is_range ? at[1] - at[0] + 1 : n) && st == TRIAD_OK; i++) {
    const int64_t p = is_range ? at[0] + i : at[i];
    if (p < 1 || p > points)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, %s: there is no point number %" PRId64, c->path, c->zone[zone].name,
                      what, p);
    else marked[p - 1] = 1;
  }
  if (st == TRIAD_OK) st = add_between(c, zone, marked, patch);
  free(marked);
  return st;
}

static int add_by_faces(triad_mesh_cgns *c, int zone, const char *what, const int64_t *at, int64_t n, int is_range,
                        int64_t patch)
{
  for (int64_t i = 0; i < (is_range ? at[1] - at[0] + 1 : n); i++) {
    const int64_t number = is_range ? at[0] + i : at[i], f = face_at(c, zone, number);
    if (f < 0) return no_face(c, zone, what, number);
    c->patch.at[f] = patch;
  }
  return TRIAD_OK;
}

static int take_condition(triad_mesh_cgns *c, int zone, int number)
{
  triad_cgns_patch p;
  triad_cgns_face face;
  int64_t patch;
  if (c->zone[zone].structured) {
    TRIAD_TRY(triad_cgns_patch_face(c->file, zone, number, &p, &face));
    if (p.degenerate) return TRIAD_OK;
    TRIAD_TRY(triad_mesh_cgns_patch(c, p.name, &patch));
    return add_rectangle(c, zone, &face, patch);
  }
  TRIAD_TRY(triad_cgns_patch_at(c->file, zone, number, &p, NULL));
  TRIAD_TRY(triad_mesh_cgns_patch(c, p.name, &patch));
  int64_t *at = calloc((size_t)p.n, sizeof *at);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", c->path, p.n);
  int st = triad_cgns_patch_at(c->file, zone, number, &p, at);
  if (st == TRIAD_OK)
    st = (p.place == TRIAD_CGNS_AT_FACES ? add_by_faces : add_by_points)(c, zone, p.own, at, p.n, p.is_range, patch);
  free(at);
  return st;
}

int triad_mesh_cgns_bounds(triad_mesh_cgns *c, int zone)
{
  int n;
  TRIAD_TRY(triad_cgns_patches(c->file, zone, &n));
  for (int i = 0; i < n; i++) {
    TRIAD_TRY(triad_faults_take(c->faults, take_condition(c, zone, i)));
    triad_guard_alive(c->guard);
  }
  return TRIAD_OK;
}

/* ---- points that are one ---- */

static int64_t root_of(int64_t *same, int64_t p)
{
  while (same[p] != p) p = same[p] = same[same[p]];
  return p;
}

static double apart(const triad_mesh_cgns *c, int64_t a, int64_t b)
{
  return hypot(hypot(c->x[a][0] - c->x[b][0], c->x[a][1] - c->x[b][1]), c->x[a][2] - c->x[b][2]);
}

/* `close` is how far they may be apart. */
static int unite(triad_mesh_cgns *c, int zone, const triad_cgns_join *j, int64_t a, int64_t b, double close)
{
  if (!(apart(c, a, b) <= close))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: connection %s: point %" PRId64 " of zone %s and point %" PRId64
                      " of zone %s are connected, but %.3g apart",
                      c->path, j->name, a - c->points[zone] + 1, c->zone[zone].name, b - c->points[j->other] + 1,
                      c->zone[j->other].name, apart(c, a, b));
  a = root_of(c->same, a);
  b = root_of(c->same, b);
  c->same[a > b ? a : b] = a > b ? b : a;
  return TRIAD_OK;
}

/* A tolerance: a millionth of the zone's size. */
static double close_in(const triad_mesh_cgns *c, int zone)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int64_t i = c->points[zone]; i < c->points[zone + 1]; i++)
    for (int a = 0; a < 3; a++) {
      low[a] = fmin(low[a], c->x[i][a]);
      high[a] = fmax(high[a], c->x[i][a]);
    }
  return 1e-6 * hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

static int64_t point_at(const triad_mesh_cgns *c, int zone, const int64_t node[3])
{
  const int64_t *n = c->zone[zone].n;
  return c->points[zone] + node[0] + n[0] * (node[1] + n[1] * node[2]);
}

static int join_boxes(triad_mesh_cgns *c, int zone, const triad_cgns_join *j, int periodic)
{
  triad_cgns_face face[2];
  const double close = close_in(c, zone);
  int64_t patch, here[3], there[3];
  for (int b = 0; b < 2; b++)
    if (!c->zone[b ? j->other : zone].structured ||
        !triad_cgns_join_face(j, b, c->zone[b ? j->other : zone].n, &face[b]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: a range is not part of a face", c->path,
                        c->zone[zone].name, j->name);
  if (periodic) {
    TRIAD_TRY(triad_mesh_cgns_patch(c, j->name, &patch));
    return add_rectangle(c, zone, &face[0], patch);
  }
  for (int64_t i = 0; i < triad_cgns_join_points(j); i++) {
    triad_cgns_join_point(j, i, here, there);
    TRIAD_TRY(unite(c, zone, j, point_at(c, zone, here), point_at(c, j->other, there), close));
  }
  return TRIAD_OK;
}

/* Each point of a face with the nearest one of the other. */
static int join_faces(triad_mesh_cgns *c, int zone, const triad_cgns_join *j, int64_t own, int64_t other, double close)
{
  const int64_t a = face_at(c, zone, own), b = face_at(c, j->other, other);
  if (a < 0 || b < 0) return no_face(c, a < 0 ? zone : j->other, j->name, a < 0 ? own : other);
  for (int64_t i = c->first_face.at[a]; i < c->first_face.at[a + 1]; i++) {
    int64_t best = c->face.at[c->first_face.at[b]];
    for (int64_t k = c->first_face.at[b]; k < c->first_face.at[b + 1]; k++)
      if (apart(c, c->face.at[i], c->face.at[k]) < apart(c, c->face.at[i], best)) best = c->face.at[k];
    TRIAD_TRY(unite(c, zone, j, c->face.at[i], best, close));
  }
  return TRIAD_OK;
}

static int join_lists(triad_mesh_cgns *c, int zone, const triad_cgns_join *j, const int64_t *own, const int64_t *other,
                      int periodic)
{
  const double close = close_in(c, zone);
  const int64_t n = c->points[zone + 1] - c->points[zone], m = c->points[j->other + 1] - c->points[j->other];
  int64_t patch;
  if (periodic) {
    TRIAD_TRY(triad_mesh_cgns_patch(c, j->name, &patch));
    return (j->place == TRIAD_CGNS_AT_FACES ? add_by_faces : add_by_points)(c, zone, j->name, own, j->n, 0, patch);
  }
  for (int64_t i = 0; i < j->n; i++) {
    if (j->place == TRIAD_CGNS_AT_POINTS && (own[i] < 1 || own[i] > n || other[i] < 1 || other[i] > m))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: one of its points does not exist", c->path,
                        c->zone[zone].name, j->name);
    TRIAD_TRY(j->place == TRIAD_CGNS_AT_POINTS
                ? unite(c, zone, j, c->points[zone] + own[i] - 1, c->points[j->other] + other[i] - 1, close)
                : join_faces(c, zone, j, own[i], other[i], close));
  }
  return TRIAD_OK;
}

static int take_join(triad_mesh_cgns *c, int zone, int number)
{
  triad_cgns_join j;
  TRIAD_TRY(triad_cgns_join_at(c->file, zone, number, &j, NULL, NULL));
  const int periodic = fabs(j.shift[0]) + fabs(j.shift[1]) + fabs(j.shift[2]) > 0;
  if (j.is_box) return join_boxes(c, zone, &j, periodic);
  if (c->zone[zone].structured || c->zone[j.other].structured)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: zone %s, connection %s: structured zones must be connected by ranges, not by lists", c->path,
                      c->zone[zone].name, j.name);
  int64_t *own = calloc((size_t)(2 * j.n), sizeof *own);
  if (!own) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", c->path, j.n);
  int st = triad_cgns_join_at(c->file, zone, number, &j, own, own + j.n);
  if (st == TRIAD_OK) st = join_lists(c, zone, &j, own, own + j.n, periodic);
  free(own);
  return st;
}

int triad_mesh_cgns_joins(triad_mesh_cgns *c, int zone)
{
  int n;
  TRIAD_TRY(triad_cgns_joins(c->file, zone, &n));
  for (int i = 0; i < n; i++) {
    TRIAD_TRY(triad_faults_take(c->faults, take_join(c, zone, i)));
    triad_guard_alive(c->guard);
  }
  return TRIAD_OK;
}
