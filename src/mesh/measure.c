/* Compute the sizes of all faces and cells of a mesh, and report the cells that are not valid. */
#include "mesh/sizes.h"

int triad_mesh_measure(triad_mesh *m)
{
  triad_mesh_size_faults found;
  triad_faults faults = {0};
  m->all_faces = m->n_faces;
  m->all_inner = m->n_inner;
  TRIAD_TRY(triad_mesh_find_sizes(m, 0, &found));
  triad_mesh_span(m, 0);
  triad_mesh_note_sizes(m, 0, &found, &faults);
  return triad_faults_tell(&faults);
}
