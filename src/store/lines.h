/* Columns between a field's storage (blocks of lanes, grid/layout.h) and a file (line by line), and their checksums.
 * Nothing here is collective. */
#ifndef TRIAD_STORE_LINES_H
#define TRIAD_STORE_LINES_H

#include "grid/layout.h"

#include <stdint.h>

/* Complex [column][j] of `count` local columns from `first`, gathered from a field with reals of `element` bytes
 * (4 or 8), bit for bit. first must begin a block. Returns how many of the reals are not finite. */
int64_t triad_lines_pack(const triad_layout *layout, int64_t first, int64_t count, int element, const void *field,
                           void *lines);

/* The reverse, with conversion between precisions: reals of `from` bytes in lines, of `to` bytes in the field. Returns
 * how many reals of the field are not finite, be it in the file or by overflow. */
int64_t triad_lines_unpack(const triad_layout *layout, int64_t first, int64_t count, int from, const void *lines,
                             int to, void *field);

/* Block checksums. Global columns are grouped into blocks of `block_columns`; the checksum of a block is
 *   sum over its columns c of XXH3_64(bytes of column c, seed c)  mod 2^64,
 * so that ranks that share a block, on however many ranks, add up what each has. sums[c / block_columns] is
 * increased for `count` lines of `line_bytes` that begin with global column `first`. */
void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block_columns,
                       uint64_t *sums);

/* Columns per block, such that a field has at most 256 blocks. */
int64_t triad_lines_per_block(int64_t all_columns);

#endif
