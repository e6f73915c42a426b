/* Write the partition of a grid for a number of ranks as a table. One process computes what a run on these ranks
 * would. */
#include "blocks/write/partsfile.h"
#include "blocks/write/gridwrite.h"

#include <stdio.h>

static int put_parts(FILE *out, const triad_zones *z, int ranks)
{
  (void)fprintf(out,
                "# cells of blocks that each of %d ranks has; blocks and cells from 1, ranks from 0\n"
                "block,i_first,i_last,j_first,j_last,k_first,k_last,rank\n",
                ranks);
  for (int p = 0; p < z->n_parts; p++) {
    const triad_zone_part *part = &z->part[p];
    (void)fprintf(out, "%d", part->zone + 1);
    for (int a = 0; a < 3; a++)
      (void)fprintf(out, ",%lld,%lld", (long long)part->low[a] + 1, (long long)(part->low[a] + part->n[a]));
    (void)fprintf(out, ",%d\n", part->rank);
  }
  return ferror(out);
}

int triad_blocks_parts_write(const char *path, const triad_zones *z, int ranks)
{
  FILE *out = fopen(path, "w");
  int failed = !out || put_parts(out, z, ranks);
  int64_t least = z->all, most = 0;
  if (out && fclose(out) != 0) failed = 1;
  if (failed) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: writing failed", path);
  for (int r = 0; r < ranks; r++) {
    const int64_t cells = triad_zones_cells(z, r);
    if (cells < least) least = cells;
    if (cells > most) most = cells;
  }
  (void)printf("%s: %d part%s on %d rank%s, of %lld to %lld cells\n", path, z->n_parts, z->n_parts > 1 ? "s" : "",
               ranks, ranks > 1 ? "s" : "", (long long)least, (long long)most);
  return TRIAD_OK;
}
