/* The large file of a checkpoint as bytes: its header's checksum, and its lines (columns of modes.h5, rows of points.h5),
 * read and verified. */
#ifndef TRIAD_STORE_MODEFILE_H
#define TRIAD_STORE_MODEFILE_H

#include "parallel/comm.h"
#include "store/manifest.h"

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

#endif
