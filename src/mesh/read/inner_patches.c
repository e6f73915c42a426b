/* Patches of a file whose faces lie between cells: interfaces of volumes, and embedded surfaces. */
#include "mesh/read/inner_patches.h"
#include "mesh/read/meshfile.h"

#include <string.h>

static void note_inside(triad_mesh *m, int patch, int64_t faces, int skipped)
{
  triad_mesh_inside *to = &m->inside[m->n_inside++];
  memcpy(to->name, m->patch_name[patch], sizeof to->name);
  to->faces = faces;
  to->skipped = skipped;
}

void triad_mesh_skip_inner(triad_mesh *m, int64_t outer[TRIAD_MESH_PATCHES], const int64_t inner[TRIAD_MESH_PATCHES])
{
  int16_t to[TRIAD_MESH_PATCHES];
  int n = 0;
  m->n_inside = 0;
  for (int p = 0; p < m->n_patches; p++) {
    const int skipped = inner[p] > 0 && outer[p] == 0;
    if (inner[p] > 0) note_inside(m, p, inner[p], skipped);
    to[p] = (int16_t)n;
    if (skipped) continue;
    memmove(m->patch_name[n], m->patch_name[p], sizeof *m->patch_name);
    outer[n++] = outer[p];
  }
  m->n_patches = n;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->patch[f] >= 0) m->patch[f] = to[m->patch[f]];
}
