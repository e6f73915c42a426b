/* Make the boundary of a mesh whose file lists none (enclose.h). */
#include "mesh/read/enclose.h"
#include "mesh/read/file_sides.h"
#include "mesh/read/open_sides.h"
#include "mesh/join.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* The faces that belong to no patch yet have patch -1. */
static int64_t count_open(triad_mesh *m, const triad_mesh_contents *c)
{
  int64_t n = 0, unused[TRIAD_MESH_PATCHES] = {0};
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    m->patch[f] = (int16_t)triad_mesh_side_patch(c->side, c->n.sides, m, f, unused);
    n += m->patch[f] < 0;
  }
  return n;
}

static void copy_all(triad_mesh_contents *to, const triad_mesh_contents *from)
{
  memcpy(to->x, from->x, (size_t)from->n.points * sizeof *to->x);
  memcpy(to->shape, from->shape, (size_t)from->n.cells);
  memcpy(to->corner, from->corner, (size_t)from->n.corners * sizeof *to->corner);
  if (from->n.sides > 0) memcpy(to->side, from->side, (size_t)from->n.sides * sizeof *to->side);
  if (from->n.patches > 0) memcpy(to->name, from->name, (size_t)from->n.patches * sizeof *to->name);
}

static int add_outside(triad_mesh_contents *c, void **block, triad_memory *memory, const triad_mesh *m, int64_t open)
{
  triad_mesh_contents more = {.n = c->n};
  void *bigger = NULL;
  more.n.sides += open;
  more.n.patches++;
  TRIAD_TRY(triad_memory_alloc(memory, "mesh file", triad_mesh_contents_place(&more, &more.n, NULL), 1, &bigger));
  (void)triad_mesh_contents_place(&more, &more.n, bigger);
  copy_all(&more, c);
  int64_t at = c->n.sides;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (m->patch[f] >= 0) continue;
    triad_mesh_file_side *s = &more.side[at++];
    *s = (triad_mesh_file_side){.patch = (int32_t)c->n.patches, .n = m->points[f]};
    for (int k = 0; k < s->n; k++) s->point[k] = triad_mesh_face(m, f)[k];
  }
  (void)snprintf(more.name[c->n.patches], TRIAD_MESH_NAME, "outside");
  if (c->n.changes.plane) { /* `back` and `front` stay the last ones */
    memmove(more.name[1], more.name[0], (size_t)c->n.patches * sizeof *more.name);
    (void)snprintf(more.name[0], TRIAD_MESH_NAME, "outside");
    for (int64_t i = 0; i < more.n.sides; i++) more.side[i].patch = (more.side[i].patch + 1) % (int32_t)more.n.patches;
  }
  triad_mesh_sides_sort(more.side, more.n.sides);
  triad_memory_free(memory, block);
  *block = bigger;
  *c = more;
  return TRIAD_OK;
}

int triad_mesh_file_enclose(triad_mesh_contents *c, void **block, triad_memory *memory, const char *path,
                            triad_faults *faults)
{
  triad_mesh *m = NULL;
  if (c->n.faces > 0) return TRIAD_OK;
  triad_faults_of(faults, path);
  int st = triad_mesh_file_shapes(&m, memory, c);
  if (st == TRIAD_OK) st = triad_mesh_join_with_faults(m, faults);
  if (st == TRIAD_OK) {
    const int64_t open = count_open(m, c);
    st = triad_mesh_note_split(m, faults);
    if (st == TRIAD_OK && open > 0) st = add_outside(c, block, memory, m, open);
  }
  triad_mesh_destroy(&m);
  return st;
}
