/* A graph of things that ranks will work on, and libraries that deal it: every rank gets things of about equal cost
 * in all, with few neighbours on other ranks. METIS (Karypis & Kumar 1998, SIAM J. Sci. Comput. 20, 359) and
 * PT-Scotch (Chevalier & Pellegrini 2008, Parallel Comput. 34, 318) are there where they were built in. The same
 * graph on as many ranks is dealt the same, bit for bit. */
#ifndef TRIAD_PARALLEL_GRAPH_H
#define TRIAD_PARALLEL_GRAPH_H

#include "parallel/context.h"

/* Rank r has vertices first .. first + n - 1 of all, where those of rank r - 1 end. */
typedef struct triad_graph {
  int64_t n_all, first, n;
  int64_t *begin;  /* [n + 1] into next                                                                      */
  int32_t *next;   /* neighbours by their numbers, rising, none twice nor itself; of two each has the other */
  int32_t *weight; /* [n] cost, positive                                                                     */
} triad_graph;

void triad_graph_free(triad_graph *graph, triad_memory *memory);

typedef struct triad_graph_library {
  const char *word, *name;         /* of a case; its own                             */
  const char *package, *variables; /* of Debian; of Makefile.inc: <variables>_LIBS   */
  /* on several ranks; NULL: not built in */
  int (*deal)(const triad_context *context, const triad_graph *graph, int32_t *rank_of);
} triad_graph_library;

extern const triad_graph_library triad_graph_metis, triad_graph_scotch;

/* By its word; NULL: there is none of that name. Not collective, nor the next. */
const triad_graph_library *triad_graph_library_of(const char *word);

/* TRIAD_ERR_FEATURE where it is not built in: `key` of a case asks for it. */
int triad_graph_need(const triad_graph_library *library, const char *key);

/* Whose each vertex of this rank is to be: rank_of[n], below the number of ranks; by a library that is built in.
 * TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for a graph that is too large for the library's numbers; TRIAD_ERR_INTERNAL where
 * the library fails; on all ranks. Collective. */
int triad_graph_deal(const triad_graph_library *library, const triad_context *context, const triad_graph *graph,
                     int32_t *rank_of);

/* For libraries: how much there is in all, the same on all ranks: neighbours and weights. TRIAD_ERR_CASE where
 * either is above `most`, which numbers of `library` go up to. Collective. */
int triad_graph_count(const triad_comm *comm, const triad_graph *graph, const triad_graph_library *library,
                      int64_t most, int64_t *n_next);

#endif
