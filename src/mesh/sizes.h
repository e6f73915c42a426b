/* Areas of faces, centres and volumes of cells, with faults of cells. */
#ifndef TRIAD_MESH_SIZES_H
#define TRIAD_MESH_SIZES_H

#include "mesh/mesh.h"

/* Compute the volume and the bounding box of the cells that `rank` owns, or of all cells of a whole mesh. */
void triad_mesh_span(triad_mesh *mesh, int rank);

/* Compute the cells' centres and volumes and check them. The area vector of a face is 1/2 sum (x_i - x_0) x (x_(i+1) -
 * x_0), which is exact for any loop of points, so the areas of a cell sum to round-off. TRIAD_ERR_CASE for cells that
 * are not closed or have no positive volume; the message gives their number and the first cell with its centre. */
int triad_mesh_measure(triad_mesh *mesh);

/* triad_mesh_measure in two steps, for the own cells of a part. find_sizes counts bad cells of this rank and returns
 * the lowest global numbers (INT64_MAX: none). note_sizes takes the sums and minima over all ranks and adds faults on
 * the rank that owns the cell. */
typedef struct triad_mesh_size_faults {
  int64_t leaky, flat, first_leaky, first_flat;
} triad_mesh_size_faults;
int triad_mesh_find_sizes(triad_mesh *mesh, int rank, triad_mesh_size_faults *found);
void triad_mesh_note_sizes(const triad_mesh *mesh, int rank, const triad_mesh_size_faults *found, triad_faults *faults);

/* Compute the area vector of a face, pointing out of cell[f][0], and its centre. They are not stored. Not valid for
 * faces within structured zones once the solver has released them. */
void triad_mesh_face_size(const triad_mesh *mesh, int64_t face, double area[3], double centre[3]);

/* Compute a cell's centre from its own sides, before faces exist. Returns its volume. */
double triad_mesh_middle(const triad_mesh *mesh, int64_t cell, double centre[3]);

#endif
