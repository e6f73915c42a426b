/* Cells as lists of numbers, which are sent from rank to rank. */
#include "solvers/unstructured/partition_own.h"

#include <string.h>

int64_t triad_fct_pack_cell(const triad_fct_mesh *m, int64_t c, int32_t number, int32_t *out)
{
  const int64_t n = m->first[c + 1] - m->first[c];
  out[0] = number;
  out[1] = m->shape[c];
  memcpy(out + 2, m->corner + m->first[c], (size_t)n * sizeof *out);
  return 2 + n;
}

/* How many cells numbers begin .. end - 1 are, and their corners. */
static void count(const int32_t *list, int64_t begin, int64_t end, int64_t *cells, int64_t *corners)
{
  *cells = 0;
  while (begin < end) {
    const int n = triad_fct_shapes[list[begin + 1]].corners;
    begin += 2 + n;
    *corners += n;
    (*cells)++;
  }
}

int triad_fct_unpack_cells(triad_fct_mesh **out, const triad_context *context, const triad_fct_delivery *d, int64_t *cells)
{
  const int32_t *list = d->received;
  int64_t begin = 0, n = 0, corners = 0;
  for (int r = 0; r < context->comm.size; r++) {
    count(list, begin, begin + d->got[r], &cells[r], &corners);
    begin += d->got[r];
    n += cells[r];
  }
  TRIAD_TRY(triad_fct_mesh_create(out, context->memory, 0, n, corners));
  triad_fct_mesh *m = *out;
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "mesh being cut", n, &m->number));
  for (int64_t c = 0, at = 0; c < n; c++) {
    const int size = triad_fct_shapes[list[at + 1]].corners;
    m->number[c] = list[at];
    m->shape[c] = (uint8_t)list[at + 1];
    m->first[c + 1] = m->first[c] + size;
    memcpy(m->corner + m->first[c], list + at + 2, (size_t)size * sizeof *list);
    at += 2 + size;
  }
  return TRIAD_OK;
}
