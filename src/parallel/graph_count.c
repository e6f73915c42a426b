/* Count the neighbours of a graph on all ranks, and refuse more than a library can number. */
#include "parallel/graph_count.h"
#include "parallel/graph.h"

#include <inttypes.h>

int triad_graph_count(const triad_comm *comm, const triad_graph *g, const triad_graph_library *l, int64_t most,
                      int64_t *n_next)
{
  int64_t all[2] = {g->begin[g->n], 0};
  for (int64_t v = 0; v < g->n; v++) all[1] += g->weight[v];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT64_T, MPI_SUM, comm->mpi)));
  *n_next = all[0];
  if (all[0] <= most && all[1] <= most) return TRIAD_OK;
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                      "%" PRId64 " neighbours of cells with a total cost of %" PRId64
                                      " exceed the integer range of %s, %" PRId64,
                                      all[0], all[1], l->name, most));
}
