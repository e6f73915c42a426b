/* Making a compressed copy of an HDF5 file of Triad's, and proving that it holds the same. */
#ifndef TRIAD_STORE_HDF5_REPACK_H
#define TRIAD_STORE_HDF5_REPACK_H

#include "base/status.h"

#include <stdint.h>

typedef struct triad_repack {
  const char *from;
  const char *to;       /* must not exist                                                              */
  int level;            /* of deflate, 1 to 9                                                          */
  int single;           /* also reals of 4 bytes in place of 8 in what has three dimensions: (z, y, x) */
  const char *manifest; /* kept in the copy as the text dataset "manifest"; NULL: none                 */
} triad_repack;

typedef struct triad_repack_report {
  int already;           /* nothing to do, nothing was made: it is packed as asked */
  int64_t before, after; /* bytes of the files                                     */
} triad_repack_report;

/* Write the copy: each dataset of 4 KiB or more in chunks, shuffled and deflated; attributes, dimension scales and
 * groups as they are, and the attribute "packed" at the root says how. It is synced, read back, and compared with the
 * original, bit for bit or after rounding to 4 bytes. Runs in a process of its own (guard.h). TRIAD_ERR_CASE when
 * `from` is damaged or holds what Triad does not write (links, other types, filters): it is then left as it is;
 * TRIAD_ERR_IO when the copy cannot be written or differs. After a failure `to` is deleted. Not collective. */
int triad_repack_file(const triad_repack *job, triad_repack_report *report);

#endif
