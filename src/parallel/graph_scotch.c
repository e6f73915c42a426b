/* PT-Scotch: the graph stays where it is. */
#include "parallel/graph.h"
#include "parallel/graph_count.h"

#ifdef TRIAD_SCOTCH
/* in this order */
#include <scotch.h>
#include <ptscotch.h>

#ifndef SCOTCH_OPTIONNUMDETERMINISTIC
#error "PT-Scotch 7.0 or newer is required for repeatable partitions: build with SCOTCH_LIBS= without it"
#endif

#define UNBALANCED 0.01 /* of its cost that a rank may have above the mean */

static const int64_t most = sizeof(SCOTCH_Num) < sizeof(int64_t) ? INT32_MAX : INT64_MAX;

typedef struct asked {
  SCOTCH_Num *begin, *next, *weight, *rank_of;
} asked;

static int allocate_arrays(const triad_context *context, const triad_graph *g, asked *a)
{
  triad_memory *memory = context->memory;
  const int64_t n_next = g->begin[g->n];
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n + 1, &a->begin));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", n_next, &a->next));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n, &a->weight));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n, &a->rank_of));
  for (int64_t v = 0; v < g->n; v++) {
    a->begin[v] = (SCOTCH_Num)g->begin[v];
    a->weight[v] = g->weight[v];
  }
  a->begin[g->n] = (SCOTCH_Num)n_next;
  for (int64_t i = 0; i < n_next; i++) a->next[i] = g->next[i];
  return TRIAD_OK;
}

/* Every call is made by all ranks, so that none waits for one that failed. */
static int failed(const triad_comm *comm, int said, const char *call)
{
  return triad_agree(comm, said == 0
                             ? TRIAD_OK
                             : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "PT-Scotch failed in %s on %d ranks", call, comm->size));
}

/* By one thread and a random series of its own: in no other way does it give the same answer twice. */
static int set_options(SCOTCH_Context *how)
{
  SCOTCH_contextRandomReset(how);
  return SCOTCH_contextOptionSetNum(how, SCOTCH_OPTIONNUMDETERMINISTIC, 1) ||
         SCOTCH_contextOptionSetNum(how, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1) || SCOTCH_contextThreadSpawn(how, 1, NULL);
}

static int ask(const triad_comm *comm, const triad_graph *g, const asked *a, SCOTCH_Dgraph *plain, SCOTCH_Dgraph *bound,
               SCOTCH_Context *how, SCOTCH_Strat *strat)
{
  const SCOTCH_Num n = (SCOTCH_Num)g->n, n_next = a->begin[g->n], parts = comm->size;
  TRIAD_TRY(failed(
    comm, SCOTCH_dgraphBuild(plain, 0, n, n, a->begin, NULL, a->weight, NULL, n_next, n_next, a->next, NULL, NULL),
    "SCOTCH_dgraphBuild"));
  TRIAD_TRY(failed(comm, set_options(how), "SCOTCH_contextOptionSetNum"));
  TRIAD_TRY(failed(comm, SCOTCH_contextBindDgraph(how, plain, bound), "SCOTCH_contextBindDgraph"));
  TRIAD_TRY(failed(comm, SCOTCH_stratDgraphMapBuild(strat, SCOTCH_STRATDEFAULT, parts, parts, UNBALANCED),
                   "SCOTCH_stratDgraphMapBuild"));
  return failed(comm, SCOTCH_dgraphPart(bound, parts, strat, a->rank_of), "SCOTCH_dgraphPart");
}

static int deal_by(const triad_comm *comm, const triad_graph *g, const asked *a)
{
  SCOTCH_Dgraph plain, bound;
  SCOTCH_Context how;
  SCOTCH_Strat strat;
  int made[4] = {SCOTCH_dgraphInit(&plain, comm->mpi), SCOTCH_dgraphInit(&bound, comm->mpi), SCOTCH_contextInit(&how),
                 SCOTCH_stratInit(&strat)};
  int st = failed(comm, made[0] || made[1] || made[2] || made[3], "SCOTCH_dgraphInit");
  if (st == TRIAD_OK) st = ask(comm, g, a, &plain, &bound, &how, &strat);
  if (made[3] == 0) SCOTCH_stratExit(&strat);
  if (made[1] == 0) SCOTCH_dgraphExit(&bound);
  if (made[2] == 0) SCOTCH_contextExit(&how);
  if (made[0] == 0) SCOTCH_dgraphExit(&plain);
  return st;
}

static int deal(const triad_context *context, const triad_graph *g, int32_t *rank_of)
{
  triad_memory *memory = context->memory;
  asked a = {NULL};
  int64_t n_next = 0;
  TRIAD_TRY(triad_graph_count(&context->comm, g, &triad_graph_scotch, most, &n_next));
  int st = triad_agree(&context->comm, allocate_arrays(context, g, &a));
  if (st == TRIAD_OK) st = deal_by(&context->comm, g, &a);
  for (int64_t v = 0; v < g->n && st == TRIAD_OK; v++) rank_of[v] = (int32_t)a.rank_of[v];
  TRIAD_FREE(memory, &a.begin);
  TRIAD_FREE(memory, &a.next);
  TRIAD_FREE(memory, &a.weight);
  TRIAD_FREE(memory, &a.rank_of);
  return st;
}
#else
#define deal NULL
#endif

const triad_graph_library triad_graph_scotch = {"scotch", "PT-Scotch", "libptscotch-dev", "SCOTCH", deal};
