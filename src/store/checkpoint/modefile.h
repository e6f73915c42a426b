/* The large file of a checkpoint: made empty, on rank 0; and as bytes: its header's checksum, and
 * its lines (columns of modes.h5, rows of points.h5), read and verified. */
#ifndef TRIAD_STORE_CHECKPOINT_MODEFILE_H
#define TRIAD_STORE_CHECKPOINT_MODEFILE_H

#include "grid/space.h"
#include "parallel/comm.h"
#include "store/checkpoint/manifest.h"

/* XXH3_64 of all bytes of the file outside the fields' arrays, in order. Not collective. */
int triad_modefile_header(int fd, const char *path, const triad_manifest *m, uint64_t *hash);

/* Read `count` lines of a field from its line `first`, a buffer of `lines` lines at a time; add their
 * checksums to sums[n_blocks]; hand each piece to `use` (NULL: none). Not collective. */
typedef int triad_modefile_use(void *who, int64_t offset, int64_t count, const void *lines);
int triad_modefile_read(int fd, const char *path, const triad_manifest *m, int field, int64_t first, int64_t count,
                        void *buffer, int64_t lines, uint64_t *sums, triad_modefile_use *use, void *who);

/* Add the sums of all ranks, in place: sums[n]. Collective. */
int triad_modefile_add_sums(const triad_comm *comm, uint64_t *sums, int64_t n);

/* The number of lines of this size that a staging buffer of some MiB holds: at least one, at most the
 * second argument. */
int64_t triad_modefile_lines(int64_t line_bytes, int64_t wanted);

/* Create the file, which must not exist, for the fields named in the manifest, which are in spaces[n_fields]: for each
 * a dataset of reals with the dimensions of its space, with real and imaginary part last for complex numbers; for
 * modes also the integer tables kx[column], ky[column], kz[kz]; and attributes that describe it, with the text `about`
 * (NULL: from the space). The fields are not written yet, but their space on the disk is reserved. Sets the manifest's
 * offsets, file_bytes and header. Not collective. TRIAD_ERR_IO. */
int triad_modefile_create(const char *path, const triad_space *const *spaces, triad_manifest *manifest,
                          const char *about);

#endif
