/* Meshes of polyhedra from numbered faces (polyhedra.h). */
#include "mesh/polyhedra.h"

#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- sides of any cell ---- */

int triad_mesh_sides(const triad_mesh *m, int64_t c)
{
  if (m->shape[c] != TRIAD_MESH_POLYHEDRON) return triad_mesh_shapes[m->shape[c]].sides;
  const int64_t n = m->first_side[c + 1] - m->first_side[c];
  return n < INT_MAX ? (int)n : INT_MAX;
}

const int32_t *triad_mesh_side(const triad_mesh *m, int64_t c, int s, int32_t room[TRIAD_MESH_SIDE_POINTS], int *n)
{
  const triad_mesh_shape_info *shape = &triad_mesh_shapes[m->shape[c]];
  if (m->shape[c] == TRIAD_MESH_POLYHEDRON) {
    const int64_t *first = m->first_loop + m->first_side[c] + s;
    *n = (int)(first[1] - first[0]);
    return m->loop + first[0];
  }
  *n = shape->points[s];
  for (int i = 0; i < *n; i++) room[i] = m->corner[m->first[c] + shape->side[s][i]];
  return room;
}

int triad_mesh_side_of(const triad_mesh *m, int64_t f)
{
  const int32_t *point = triad_mesh_face(m, f);
  for (int s = 0; s < triad_mesh_sides(m, m->cell[f][0]); s++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    int n, shared = 0;
    const int32_t *side = triad_mesh_side(m, m->cell[f][0], s, room, &n);
    for (int i = 0; i < m->points[f]; i++)
      for (int k = 0; k < n; k++) shared += side[k] == point[i];
    if (shared == m->points[f]) return s;
  }
  return -1;
}

/* ---- from faces ---- */

int triad_mesh_alloc_sides(triad_mesh *m, int64_t sides, int64_t points)
{
  if (points > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "a mesh whose polyhedra have %lld points on their sides: too large",
                      (long long)points);
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_cells + 1, &m->first_side));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", sides + 1, &m->first_loop));
  return TRIAD_ALLOC(m->memory, "mesh", points, &m->loop);
}

static int check_faces(const triad_mesh_faceted *g)
{
  for (int64_t f = 0; f < g->n_faces; f++) {
    const int64_t n = g->first_point[f + 1] - g->first_point[f];
    if (n < 3 || n > TRIAD_MESH_MAX_FACE_POINTS)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "face %lld of the mesh has %lld points, must have 3 to %d", (long long)f + 1,
                        (long long)n, TRIAD_MESH_MAX_FACE_POINTS);
    for (int64_t i = g->first_point[f]; i < g->first_point[f + 1]; i++)
      if (g->point[i] < 0 || g->point[i] >= g->n_points)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "face %lld of the mesh has point %lld, of %lld", (long long)f + 1,
                          (long long)g->point[i] + 1, (long long)g->n_points);
  }
  return TRIAD_OK;
}

static int check_cells(const triad_mesh_faceted *g)
{
  for (int64_t c = 0; c < g->n_cells; c++) {
    const int64_t n = g->first_face[c + 1] - g->first_face[c];
    if (n < 4)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "cell %lld of the mesh has %lld faces, must have at least 4", (long long)c,
                        (long long)n);
    for (int64_t i = g->first_face[c]; i < g->first_face[c + 1]; i++)
      if (g->face[i] == 0 || g->face[i] > g->n_faces || g->face[i] < -g->n_faces)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "cell %lld of the mesh has face %d, of %lld", (long long)c, g->face[i],
                          (long long)g->n_faces);
  }
  return TRIAD_OK;
}

/* Points of each cell once, in the order in which its faces have them: how many, and into the mesh where there is
 * one. last[p]: the cell, counted from 1, that had point p last. */
static int64_t list_corners(const triad_mesh_faceted *g, int64_t *last, triad_mesh *m)
{
  int64_t n = 0;
  memset(last, 0, (size_t)g->n_points * sizeof *last);
  for (int64_t c = 0; c < g->n_cells; c++) {
    for (int64_t i = g->first_face[c]; i < g->first_face[c + 1]; i++) {
      const int64_t f = labs(g->face[i]) - 1;
      for (int64_t k = g->first_point[f]; k < g->first_point[f + 1]; k++) {
        if (last[g->point[k]] == c + 1) continue;
        last[g->point[k]] = c + 1;
        if (m) m->corner[n] = g->point[k];
        n++;
      }
    }
    if (m) m->first[c + 1] = n;
  }
  return n;
}

static void list_sides(const triad_mesh_faceted *g, triad_mesh *m)
{
  int64_t side = 0, at = 0;
  for (int64_t c = 0; c < g->n_cells; c++) {
    m->shape[c] = TRIAD_MESH_POLYHEDRON;
    for (int64_t i = g->first_face[c]; i < g->first_face[c + 1]; i++) {
      const int64_t f = labs(g->face[i]) - 1, n = g->first_point[f + 1] - g->first_point[f];
      for (int64_t k = 0; k < n; k++) m->loop[at + k] = g->point[g->first_point[f] + (g->face[i] > 0 ? k : n - 1 - k)];
      m->first_loop[++side] = at += n;
    }
    m->first_side[c + 1] = side;
  }
}

int triad_mesh_of_faces(triad_mesh **out, triad_memory *memory, const triad_mesh_faceted *g)
{
  int64_t *last = NULL, points = 0;
  *out = NULL;
  TRIAD_TRY(check_faces(g));
  TRIAD_TRY(check_cells(g));
  for (int64_t i = 0; i < g->first_face[g->n_cells]; i++) {
    const int64_t f = labs(g->face[i]) - 1;
    points += g->first_point[f + 1] - g->first_point[f];
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh", g->n_points, &last));
  int st = triad_mesh_create(out, memory, g->n_points, g->n_cells, list_corners(g, last, NULL));
  if (st == TRIAD_OK) st = triad_mesh_alloc_sides(*out, g->first_face[g->n_cells], points);
  if (st == TRIAD_OK) {
    memcpy((*out)->x, g->x, (size_t)g->n_points * sizeof *g->x);
    (void)list_corners(g, last, *out);
    list_sides(g, *out);
  }
  TRIAD_FREE(memory, &last);
  return st;
}

int32_t triad_mesh_face_given(const triad_mesh_faceted *g, const triad_mesh *m, int64_t f)
{
  return g->face[g->first_face[m->cell[f][0]] + triad_mesh_side_of(m, f)];
}
