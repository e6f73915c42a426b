/* Points of slices, by their global numbers (slice_points.h). */
#include "mesh/parts/slice_points.h"
#include "mesh/parts/deliver.h"

#include <string.h>

/* Rising in both, without products that overflow. */
int triad_mesh_share_owner(int64_t n, int64_t thing, int size)
{
  int rank = (int)((double)thing / (double)n * size);
  while (rank > 0 && triad_mesh_share_begin(n, rank, size) > thing) rank--;
  while (rank < size - 1 && triad_mesh_share_begin(n, rank + 1, size) <= thing) rank++;
  return rank;
}

/* Get points of a file: request them from the ranks that hold them; they arrive in the order of the requests. */
static int fetch(const triad_mesh_slices *s, const int32_t *number, int64_t n, int64_t *count, double (*x)[3])
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_mesh_delivery asked = {.items = number, .bytes = sizeof *number, .count = count, .got = count + comm->size};
  triad_mesh_delivery back = {.bytes = sizeof *x, .count = count + comm->size, .got = count + 2 * (int64_t)comm->size};
  const int64_t mine = triad_mesh_share_begin(s->n_points, comm->rank, comm->size);
  double(*found)[3] = NULL;
  for (int64_t i = 0; i < n; i++) count[triad_mesh_share_owner(s->n_points, number[i], comm->size)]++;
  TRIAD_TRY(triad_mesh_exchange_items(s->context, &asked, TRIAD_OK));
  int st = TRIAD_ALLOC(memory, "the mesh partition", asked.n, &found);
  for (int64_t i = 0; i < asked.n && st == TRIAD_OK; i++)
    memcpy(found[i], s->x[((const int32_t *)asked.received)[i] - mine], sizeof *found);
  triad_memory_free(memory, &asked.received);
  back.items = found;
  st = triad_mesh_exchange_items(s->context, &back, st);
  if (st == TRIAD_OK && n > 0) memcpy(x, back.received, (size_t)n * sizeof *x);
  triad_memory_free(memory, &back.received);
  TRIAD_FREE(memory, &found);
  return st;
}

int triad_mesh_slices_points(const triad_mesh_slices *s, const int32_t *number, int64_t n, double (*x)[3])
{
  int64_t *count = NULL;
  if (s->made) {
    for (int64_t i = 0; i < n; i++) triad_mesh_generate_point(&s->lattice, number[i], x[i]);
    return TRIAD_OK;
  }
  int st = triad_agree(&s->context->comm, TRIAD_ALLOC(s->context->memory, "the mesh partition",
                                                      3 * (int64_t)s->context->comm.size, &count));
  if (st == TRIAD_OK) st = fetch(s, number, n, count, x);
  TRIAD_FREE(s->context->memory, &count);
  return st;
}
