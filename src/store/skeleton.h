/* The empty large file of a checkpoint, as rank 0 makes it. */
#ifndef TRIAD_STORE_SKELETON_H
#define TRIAD_STORE_SKELETON_H

#include "grid/layout.h"
#include "store/manifest.h"

/* Make the file, which must not exist, for the fields that the manifest names: for each a dataset of reals
 * [column][kz][2] (real and imaginary part; all columns in global order, kz in the order of the table), the integer
 * tables kx[column], ky[column], kz[kz], and attributes that tell what it is. Nothing is in the fields yet, but their
 * place on the disk is taken. Of values at points, layout NULL: a dataset [z][y][x] each, and attributes. Sets the manifest's offsets, file_bytes and header. Not collective. TRIAD_ERR_IO. */
int triad_skeleton_create(const char *path, const triad_layout *layout, triad_manifest *manifest);

#endif
