/* All particles of a group to their owners. */
#include "solvers/particles/deal.h"
#include "grid/layout.h"
#include "solvers/particles/group.h"
#include "solvers/particles/exchange.h"

#include <string.h>

static int deal_some(const triad_comm *comm, const triad_group *g, triad_group_source *source, void *from,
                     const triad_group_keeper *keeper, int64_t begin, int64_t end, triad_row_buffers *some)
{
  double *arrived = NULL;
  int64_t n_arrived = 0;
  memset(some->away, 0, (size_t)((end - begin) * g->width) * sizeof *some->away);
  TRIAD_TRY(triad_agree(comm, source(from, g, begin, end, some->away)));
  for (int64_t i = 0; i < end - begin; i++) {
    double *row = some->away + i * g->width;
    row[TRIAD_PARTICLE_ID] = (double)(begin + i);
    some->to[i] = keeper->owner(keeper->self, row);
  }
  TRIAD_TRY(triad_rows_exchange(comm, some, g->width, end - begin, some->away, some->to, &arrived, &n_arrived));
  return triad_agree(comm, keeper->append(keeper->self, n_arrived, arrived));
}

int triad_group_deal(const triad_group *g, const triad_comm *comm, triad_group_source *source, void *from,
                     const triad_group_keeper *keeper)
{
  const int64_t begin = triad_deal(g->count, comm->rank, comm->size),
                end = triad_deal(g->count, comm->rank + 1, comm->size);
  const int64_t most = (g->count + comm->size - 1) / comm->size; /* of any rank */
  triad_row_buffers some = {0};
  int st =
    triad_agree(comm, triad_row_buffers_fit(&some, most < TRIAD_ROWS_AT_ONCE ? most : TRIAD_ROWS_AT_ONCE, g->width));
  for (int64_t i = 0; st == TRIAD_OK && i < most; i += TRIAD_ROWS_AT_ONCE) {
    const int64_t first = begin + i < end ? begin + i : end,
                  last = first + TRIAD_ROWS_AT_ONCE < end ? first + TRIAD_ROWS_AT_ONCE : end;
    st = deal_some(comm, g, source, from, keeper, first, last, &some);
  }
  triad_row_buffers_free(&some);
  return st;
}
