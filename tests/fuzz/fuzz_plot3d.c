/* A PLOT3D file of nodes, formatted or not: a grid whose nodes are numbers, or an error. */
#include "fuzz.h"

#include "blocks/read/plot3d.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *bytes = copy_of(data, size);
  triad_blocks_layout *layout = calloc(1, sizeof *layout);
  MUST(layout);
  int st = triad_blocks_plot3d_layout("fuzz.x", bytes, (int64_t)size, layout);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  if (st == TRIAD_OK && layout->nodes < 1 << 20) {
    int64_t nodes = 0;
    for (int b = 0; b < layout->n; b++) nodes += layout->size[b][0] * layout->size[b][1] * layout->size[b][2];
    MUST(nodes == layout->nodes && (layout->dims == 2 || layout->dims == 3));
    double *x = calloc((size_t)(nodes * layout->dims) + 1, sizeof *x);
    MUST(x);
    st = triad_blocks_plot3d_nodes("fuzz.x", bytes, (int64_t)size, layout, x);
    MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
    for (int64_t i = 0; st == TRIAD_OK && i < nodes * layout->dims; i++) MUST(isfinite(x[i]));
    free(x);
  }
  free(layout);
  triad_message_clear();
  free(bytes);
  return 0;
}
