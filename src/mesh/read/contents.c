/* The contents of a mesh file in one block of memory, and cells of known shapes made from them (meshfile.h). */
#include "mesh/read/meshfile.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int64_t triad_mesh_contents_place(triad_mesh_contents *c, const triad_mesh_file_counts *n, char *block)
{
  const int faces = n->faces > 0;
  int64_t at = 0;
#define PLACE(array, count) \
  do { \
    if (block) c->array = (void *)(block + at); \
    at += (int64_t)sizeof *c->array * (count); \
  } while (0)
  PLACE(x, n->points);
  if (faces) PLACE(first_point, n->faces + 1);
  if (faces) PLACE(first_face, n->cells + 1);
  PLACE(side, n->sides);
  PLACE(corner, n->corners);
  if (faces) PLACE(face_point, n->face_points);
  if (faces) PLACE(face, n->cell_faces);
  if (faces) PLACE(face_patch, n->faces);
  PLACE(name, n->patches);
  PLACE(shape, n->cells);
#undef PLACE
  return at;
}

int triad_mesh_contents_make(triad_mesh_contents *c, const triad_mesh_file_counts *n, const char *path, int *filled)
{
  c->n = *n;
  *filled = !c->counted;
  if (c->counted) return TRIAD_OK;
  const int64_t bytes = triad_mesh_contents_place(c, n, NULL);
  c->block = calloc((size_t)bytes + 1, 1);
  if (!c->block) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " bytes of its mesh", path, bytes);
  (void)triad_mesh_contents_place(c, n, c->block);
  return TRIAD_OK;
}

int triad_mesh_file_shapes(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *c)
{
  TRIAD_TRY(triad_mesh_create(out, memory, c->n.points, c->n.cells, c->n.corners));
  triad_mesh *m = *out;
  memcpy(m->x, c->x, (size_t)m->n_points * sizeof *m->x);
  memcpy(m->shape, c->shape, (size_t)m->n_cells);
  memcpy(m->corner, c->corner, (size_t)c->n.corners * sizeof *m->corner);
  for (int64_t i = 0; i < m->n_cells; i++) m->first[i + 1] = m->first[i] + triad_mesh_shapes[m->shape[i]].corners;
  return TRIAD_OK;
}
