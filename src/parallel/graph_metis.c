/* METIS is not parallel: rank 0 has the whole graph for as long as it deals it. */
#include "parallel/graph.h"
#include "parallel/graph_count.h"

#ifdef TRIAD_METIS
#include <limits.h>
#include <metis.h>
#include <string.h>

enum { SEED = 1, UNBALANCED = 10 /* thousandths of cost that a rank may have above the mean */ };

typedef struct whole {
  idx_t *begin, *next, *weight, *rank_of; /* NULL but on rank 0 */
  int *n, *at;                            /* [ranks] of what is gathered */
} whole;

/* n numbers of 32 bits, which begin where those of METIS will. */
static void widen(idx_t *list, int64_t n)
{
  const char *from = (const char *)list;
  for (int64_t i = n; sizeof *list > sizeof(int32_t) && i-- > 0;) {
    int32_t number;
    memcpy(&number, from + i * (int64_t)sizeof number, sizeof number);
    list[i] = number;
  }
}

static void narrow(idx_t *list, int64_t n)
{
  char *to = (char *)list;
  for (int64_t i = 0; sizeof *list > sizeof(int32_t) && i < n; i++) {
    const int32_t number = (int32_t)list[i];
    memcpy(to + i * (int64_t)sizeof number, &number, sizeof number);
  }
}

/* How many each rank has, and where they begin, on all ranks. */
static int count(const triad_comm *comm, whole *w, int64_t n)
{
  const int mine = (int)n;
  TRIAD_TRY(TRIAD_MPI(MPI_Allgather(&mine, 1, MPI_INT, w->n, 1, MPI_INT, comm->mpi)));
  for (int r = 1; r < comm->size; r++) w->at[r] = w->at[r - 1] + w->n[r - 1];
  return TRIAD_OK;
}

static int gather(const triad_comm *comm, const whole *w, const int32_t *from, idx_t *to, int64_t n)
{
  TRIAD_TRY(TRIAD_MPI(MPI_Gatherv(from, w->n[comm->rank], MPI_INT32_T, to, w->n, w->at, MPI_INT32_T, 0, comm->mpi)));
  if (comm->rank == 0) widen(to, n);
  return TRIAD_OK;
}

static int gather_graph(const triad_context *context, const triad_graph *g, int64_t n_next, whole *w, int32_t **degree)
{
  triad_memory *memory = context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", context->comm.size, &w->n));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", context->comm.size, &w->at));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n, degree));
  if (context->comm.rank > 0) return TRIAD_OK;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n_all + 1, &w->begin));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", n_next, &w->next));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n_all, &w->weight));
  return TRIAD_ALLOC(memory, "the mesh partition", g->n_all, &w->rank_of);
}

static int ask(const whole *w, int64_t n_all, int ranks)
{
  idx_t n = (idx_t)n_all, constraints = 1, parts = ranks, cut = 0, options[METIS_NOPTIONS];
  (void)METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = SEED;
  options[METIS_OPTION_UFACTOR] = UNBALANCED;
  const int said = METIS_PartGraphKway(&n, &constraints, w->begin, w->next, w->weight, NULL, NULL, &parts, NULL, NULL,
                                       options, &cut, w->rank_of);
  if (said == METIS_OK) return TRIAD_OK;
  if (said == METIS_ERROR_MEMORY)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "METIS, for a graph of %lld cells on rank 0", (long long)n_all);
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "METIS failed with code %d for %lld cells on %d ranks", said, (long long)n_all,
                    ranks);
}

static int bring(const triad_comm *comm, const triad_graph *g, int64_t n_next, whole *w, int32_t *degree)
{
  for (int64_t v = 0; v < g->n; v++) degree[v] = (int32_t)(g->begin[v + 1] - g->begin[v]);
  TRIAD_TRY(count(comm, w, g->begin[g->n]));
  TRIAD_TRY(gather(comm, w, g->next, w->next, n_next));
  TRIAD_TRY(count(comm, w, g->n));
  TRIAD_TRY(gather(comm, w, g->weight, w->weight, g->n_all));
  TRIAD_TRY(gather(comm, w, degree, comm->rank == 0 ? w->begin + 1 : NULL, g->n_all));
  for (int64_t v = 0; comm->rank == 0 && v < g->n_all; v++) w->begin[v + 1] += w->begin[v];
  return TRIAD_OK;
}

static int deal_whole(const triad_context *context, const triad_graph *g, whole *w, int32_t **degree, int32_t *rank_of)
{
  const triad_comm *comm = &context->comm;
  int64_t n_next = 0;
  /* MPI gathers no more, whatever METIS counts by */
  TRIAD_TRY(triad_graph_count(comm, g, &triad_graph_metis, INT_MAX, &n_next));
  TRIAD_TRY(triad_agree(comm, gather_graph(context, g, n_next, w, degree)));
  TRIAD_TRY(bring(comm, g, n_next, w, *degree));
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? ask(w, g->n_all, comm->size) : TRIAD_OK));
  if (comm->rank == 0) narrow(w->rank_of, g->n_all);
  return TRIAD_MPI(
    MPI_Scatterv(w->rank_of, w->n, w->at, MPI_INT32_T, rank_of, w->n[comm->rank], MPI_INT32_T, 0, comm->mpi));
}

static int deal(const triad_context *context, const triad_graph *g, int32_t *rank_of)
{
  triad_memory *memory = context->memory;
  whole w = {NULL};
  int32_t *degree = NULL;
  const int st = deal_whole(context, g, &w, &degree, rank_of);
  TRIAD_FREE(memory, &w.begin);
  TRIAD_FREE(memory, &w.next);
  TRIAD_FREE(memory, &w.weight);
  TRIAD_FREE(memory, &w.rank_of);
  TRIAD_FREE(memory, &w.n);
  TRIAD_FREE(memory, &w.at);
  TRIAD_FREE(memory, &degree);
  return st;
}
#else
#define deal NULL
#endif

const triad_graph_library triad_graph_metis = {"metis", "METIS", "libmetis-dev", "METIS", deal};
