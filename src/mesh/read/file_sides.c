/* Sides of patches: in the order in which they are looked for, by the lowest of their points. */
#include "mesh/read/meshfile.h"

#include <stdlib.h>
#include <string.h>

static int side_order(const void *a, const void *b)
{
  const triad_mesh_file_side *x = a, *y = b;
  for (int i = 0; i < TRIAD_MESH_SIDE_POINTS; i++)
    if (x->point[i] != y->point[i]) return x->point[i] < y->point[i] ? -1 : 1;
  return 0;
}

void triad_mesh_sides_sort(triad_mesh_file_side *side, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t point[TRIAD_MESH_SIDE_POINTS];
    memcpy(point, side[i].point, sizeof point);
    triad_mesh_side_key(point, side[i].n, side[i].point);
  }
  if (n > 0) qsort(side, (size_t)n, sizeof *side, side_order);
}

int32_t triad_mesh_side_patch(const triad_mesh_file_side *side, int64_t n, const triad_mesh *m, int64_t f)
{
  triad_mesh_file_side wanted;
  if (n == 0) return -1;
  triad_mesh_side_key(triad_mesh_face(m, f), m->points[f], wanted.point);
  const triad_mesh_file_side *found = bsearch(&wanted, side, (size_t)n, sizeof *side, side_order);
  return found ? found->patch : -1;
}

void triad_mesh_file_face_sides(const triad_mesh_contents *c, triad_mesh_file_side *side, int64_t *n)
{
  for (int64_t f = 0; f < c->n.faces; f++) {
    const int points = (int)(c->first_point[f + 1] - c->first_point[f]);
    if (c->face_patch[f] < 0) continue;
    side[*n] = (triad_mesh_file_side){.patch = c->face_patch[f], .n = points < TRIAD_MESH_SIDE_POINTS ? points : TRIAD_MESH_SIDE_POINTS};
    triad_mesh_side_key(c->face_point + c->first_point[f], points, side[(*n)++].point);
  }
}

void triad_mesh_sides_of_file(triad_mesh_contents *c, triad_faults *faults)
{
  int64_t twice = 0, first = 0;
  triad_mesh_sides_sort(c->side, c->n.sides);
  for (int64_t i = 1; i < c->n.sides; i++)
    if (side_order(&c->side[i - 1], &c->side[i]) == 0 && c->side[i - 1].patch != c->side[i].patch && twice++ == 0) first = i;
  if (twice == 0) return;
  const triad_mesh_file_side *side = &c->side[first];
  const double *x = c->x[side->point[0]];
  triad_fault(faults, "%lld sides are in two patches, the first of them in %s and %s, at (%.6g, %.6g, %.6g)", (long long)twice,
              c->name[side[-1].patch], c->name[side->patch], x[0], x[1], x[2]);
}
