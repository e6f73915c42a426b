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

/* Lines of so many bytes that a staging buffer of some MiB holds: one at least, at most as many as are wanted. */
int64_t triad_modefile_lines(int64_t line_bytes, int64_t wanted);

/* Make the file, which must not exist, for the fields that the manifest names, which live in spaces[n_fields]: for each
 * a dataset of reals with the dimensions of its space, complex numbers as real and imaginary part last; of modes the
 * integer tables kx[column], ky[column], kz[kz] too; and attributes that tell what it is, `about` in words (NULL: by
 * the space). Nothing is in the fields yet, but their place on the disk is taken. Sets the manifest's offsets,
 * file_bytes and header. Not collective. TRIAD_ERR_IO. */
int triad_modefile_create(const char *path, const triad_space *const *spaces, triad_manifest *manifest,
                          const char *about);

#endif
