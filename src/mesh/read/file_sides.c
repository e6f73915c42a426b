/* Sort the sides of patches by their lowest points, and search them by bisection. */
#include "mesh/read/file_sides.h"
#include "mesh/read/meshfile.h"
#include "mesh/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int side_order(const void *a, const void *b)
{
  const triad_mesh_file_side *x = a, *y = b;
  for (int i = 0; i < TRIAD_MESH_SIDE_POINTS; i++)
    if (x->point[i] != y->point[i]) return x->point[i] < y->point[i] ? -1 : 1;
  return 0;
}

static int side_and_patch_order(const void *a, const void *b)
{
  const triad_mesh_file_side *x = a, *y = b;
  const int order = side_order(x, y);
  return order != 0 ? order : (x->patch > y->patch) - (x->patch < y->patch);
}

void triad_mesh_sides_sort(triad_mesh_file_side *side, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t point[TRIAD_MESH_SIDE_POINTS];
    memcpy(point, side[i].point, sizeof point);
    triad_mesh_side_key(point, side[i].n, side[i].point);
  }
  if (n > 0) qsort(side, (size_t)n, sizeof *side, side_and_patch_order);
}

int32_t triad_mesh_side_patch(const triad_mesh_file_side *side, int64_t n, const triad_mesh *m, int64_t f,
                              int64_t faces[TRIAD_MESH_PATCHES])
{
  triad_mesh_file_side wanted;
  if (n == 0) return -1;
  triad_mesh_side_key(triad_mesh_face(m, f), m->points[f], wanted.point);
  const triad_mesh_file_side *found = bsearch(&wanted, side, (size_t)n, sizeof *side, side_order);
  if (!found) return -1;
  while (found > side && side_order(found - 1, found) == 0) found--;
  for (const triad_mesh_file_side *s = found; s < side + n && side_order(s, found) == 0; s++)
    if (s == found || s->patch != s[-1].patch) faces[s->patch]++;
  return found->patch;
}

void triad_mesh_file_face_sides(const triad_mesh_contents *c, triad_mesh_file_side *side, int64_t *n)
{
  for (int64_t f = 0; f < c->n.faces; f++) {
    const int points = (int)(c->first_point[f + 1] - c->first_point[f]);
    if (c->face_patch[f] < 0) continue;
    side[*n] = (triad_mesh_file_side){.patch = c->face_patch[f],
                                      .n = points < TRIAD_MESH_SIDE_POINTS ? points : TRIAD_MESH_SIDE_POINTS};
    triad_mesh_side_key(c->face_point + c->first_point[f], points, side[(*n)++].point);
  }
}

int64_t triad_mesh_sides_twice(triad_mesh_contents *c, int64_t *first)
{
  int64_t twice = 0;
  triad_mesh_sides_sort(c->side, c->n.sides);
  for (int64_t i = 1; i < c->n.sides; i++)
    if (side_order(&c->side[i - 1], &c->side[i]) == 0 && c->side[i - 1].patch != c->side[i].patch && twice++ == 0)
      *first = i;
  return twice;
}

void triad_mesh_sides_of_file(triad_mesh_contents *c, triad_faults *faults)
{
  int64_t first = 0;
  const int64_t twice = triad_mesh_sides_twice(c, &first);
  if (twice == 0) return;
  const triad_mesh_file_side *side = &c->side[first];
  const double *x = c->x[side->point[0]];
  char surface[40] = "";
  if (side->surface > 0) (void)snprintf(surface, sizeof surface, ", of surface %" PRId32, side->surface);
  triad_fault(faults, "%lld sides are in two patches, the first of them in %s and %s%s, at (%.6g, %.6g, %.6g)",
              (long long)twice, c->name[side[-1].patch], c->name[side->patch], surface, x[0], x[1], x[2]);
}
