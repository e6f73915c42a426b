#include "store/lines.h"

#include <xxhash.h>

enum { MOST_BLOCKS = 256 };

void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block,
                       uint64_t *sums)
{
  const char *bytes = lines;
  for (int64_t i = 0; i < count; i++) {
    int64_t line = first + i;
    sums[line / block] += XXH3_64bits_withSeed(bytes + i * line_bytes, (size_t)line_bytes, (uint64_t)line);
  }
}

int64_t triad_lines_per_block(int64_t lines) { return lines / MOST_BLOCKS + 1; }
