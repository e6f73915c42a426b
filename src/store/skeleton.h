/* The empty large file of a checkpoint, as rank 0 makes it. */
#ifndef TRIAD_STORE_SKELETON_H
#define TRIAD_STORE_SKELETON_H

#include "grid/space.h"
#include "store/manifest.h"

/* Make the file, which must not exist, for the fields that the manifest names, which live in spaces[n_fields]: for each
 * a dataset of reals with the dimensions of its space, complex numbers as real and imaginary part last; of modes the
 * integer tables kx[column], ky[column], kz[kz] too; and attributes that tell what it is, `about` in words (NULL: by
 * the space). Nothing is in the fields yet, but their place on the disk is taken. Sets the manifest's offsets,
 * file_bytes and header. Not collective. TRIAD_ERR_IO. */
int triad_skeleton_create(const char *path, const triad_space *const *spaces, triad_manifest *manifest,
                          const char *about);

#endif
