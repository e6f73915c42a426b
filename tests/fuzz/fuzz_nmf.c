/* A neutral map file of two blocks: rows whose cells the blocks have, or an error. */
#include "fuzz.h"

#include "blocks/read/plot3d.h"
#include "blocks/read/mapfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const int64_t cells[2][3] = {{8, 8, 1}, {4, 8, 6}};
  char *text = copy_of(data, size);
  triad_blocks_map *map = calloc(1, sizeof *map);
  MUST(map);
  int st = triad_blocks_map_read("fuzz.nmf", text, 2, cells, map);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  for (int i = 0; st == TRIAD_OK && i < map->n; i++) {
    const triad_blocks_map_row *r = &map->row[i];
    MUST(r->zone >= 0 && r->zone < 2 && r->axis >= 0 && r->axis < 3);
    for (int a = 0; a < 3; a++) MUST(r->low[a] >= 0 && r->low[a] < r->high[a] && r->high[a] <= cells[r->zone][a]);
    MUST(!r->joined || (r->other >= 0 && r->other < map->n && map->row[r->other].other == i));
  }
  free(map);
  triad_message_clear();
  free(text);
  return 0;
}
