/* Slices of a mesh file that no rank holds whole. Rank 0 reads it and passes on points and cells as they come
 * (read/file_stream.h). */
#ifndef TRIAD_MESH_PARTS_SLICE_STREAM_H
#define TRIAD_MESH_PARTS_SLICE_STREAM_H

#include "mesh/parts/slices.h"

/* Create the slices of a file. On rank 0 *contents has the sides and names, in a block that the caller frees, also
 * after an error; counts are those of the file on all ranks. *fit 0: the file must be read whole; nothing was made.
 * Collective. */
int triad_mesh_slices_stream(triad_mesh_slices *slices, triad_mesh_contents *contents, void **block, int *fit);

#endif
