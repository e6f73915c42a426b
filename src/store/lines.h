/* Checksums of a dataset by its lines (grid/slab.h). Nothing here is collective. */
#ifndef TRIAD_STORE_LINES_H
#define TRIAD_STORE_LINES_H

#include <stdint.h>

/* Block checksums. Lines are grouped into blocks of `block`; the checksum of a block is
 *   sum over its lines c of XXH3_64(bytes of line c, seed c)  mod 2^64,
 * so that ranks that share a block, on however many ranks, add up what each has. sums[c / block] is
 * increased for `count` lines of `line_bytes` that begin with number `first`. */
void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block,
                       uint64_t *sums);

/* Lines per block, such that a field has at most 256 blocks. */
int64_t triad_lines_per_block(int64_t lines);

#endif
