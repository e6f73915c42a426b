/* Known shapes of cells that are given by their faces (face_shapes.h). */
#include "mesh/read/face_shapes.h"

#include <stdlib.h>
#include <string.h>

/* Points of face number s of a cell, so that the normal points out of it. */
static int64_t points_of(const triad_mesh_face_view *c, int64_t cell, int64_t s, int64_t point[TRIAD_MESH_SIDE_POINTS])
{
  const int64_t signed_face = c->cell[c->first_cell[cell] + s], f = llabs(signed_face) - 1,
                n = c->first_face[f + 1] - c->first_face[f];
  const int64_t *from = c->face + c->first_face[f];
  for (int64_t i = 0; i < n && n <= TRIAD_MESH_SIDE_POINTS; i++) point[i] = from[signed_face > 0 ? i : n - 1 - i];
  return n;
}

static int is_among(const int64_t *list, int64_t n, int64_t value)
{
  for (int64_t i = 0; i < n; i++)
    if (list[i] == value) return 1;
  return 0;
}

/* The one point that an edge from `base` number i leads to, and that is not of the base; -1: none, or several. */
static int64_t above(const triad_mesh_face_view *c, int64_t cell, int64_t sides, const int64_t *base, int64_t n,
                     int64_t i)
{
  int64_t found = -1;
  for (int64_t s = 0; s < sides; s++) {
    int64_t point[TRIAD_MESH_SIDE_POINTS];
    const int64_t m = points_of(c, cell, s, point);
    for (int64_t k = 0; k < m; k++) {
      if (point[k] != base[i]) continue;
      for (int way = 1; way < m; way += (int)m - 2) { /* the next one and the last one round the face */
        const int64_t next = point[(k + way) % m];
        if (is_among(base, n, next) || next == found) continue;
        if (found >= 0) return -1;
        found = next;
      }
    }
  }
  return found;
}

int triad_mesh_face_shape(const triad_mesh_face_view *c, int64_t cell, int64_t corner[TRIAD_MESH_CORNERS])
{
  const int64_t sides = c->first_cell[cell + 1] - c->first_cell[cell];
  int64_t point[TRIAD_MESH_SIDE_POINTS], base = 0, triangles = 0;
  if (sides < 4 || sides > TRIAD_MESH_SIDES) return -1;
  for (int64_t s = 0; s < sides; s++) {
    const int64_t n = points_of(c, cell, s, point);
    if (n > TRIAD_MESH_SIDE_POINTS) return -1;
    triangles += n == 3;
  }
  const int shape = sides == 4 && triangles == 4   ? TRIAD_MESH_TET
                    : sides == 5 && triangles == 4 ? TRIAD_MESH_PYRAMID
                    : sides == 5 && triangles == 2 ? TRIAD_MESH_PRISM
                    : sides == 6 && triangles == 0 ? TRIAD_MESH_HEX
                                                   : -1;
  if (shape < 0) return -1;
  const int64_t wanted = shape == TRIAD_MESH_TET || shape == TRIAD_MESH_PRISM ? 3 : 4;
  for (base = 0; points_of(c, cell, base, point) != wanted;) base++;
  int64_t bottom[TRIAD_MESH_SIDE_POINTS];
  for (int64_t i = 0; i < wanted; i++) bottom[i] = point[wanted - 1 - i]; /* from inside */
  memcpy(corner, bottom, (size_t)wanted * sizeof *corner);
  const int64_t tops = shape == TRIAD_MESH_TET || shape == TRIAD_MESH_PYRAMID ? 1 : wanted;
  for (int64_t i = 0; i < tops; i++) {
    corner[wanted + i] = above(c, cell, sides, bottom, wanted, i);
    if (corner[wanted + i] < 0 || is_among(corner, wanted + i, corner[wanted + i])) return -1;
  }
  return shape;
}
