/* A graph of items to be distributed over ranks, and the libraries that partition it: all ranks get about the same
 * total cost, with few neighbours on other ranks. METIS (Karypis & Kumar 1998, SIAM J. Sci. Comput. 20, 359) and
 * PT-Scotch (Chevalier & Pellegrini 2008, Parallel Comput. 34, 318) are available if they were built in. The same
 * graph on the same number of ranks gives the same partition, bit for bit. */
#ifndef TRIAD_PARALLEL_GRAPH_H
#define TRIAD_PARALLEL_GRAPH_H

#include "parallel/context.h"

/* Rank r has vertices first .. first + n - 1, which follow those of rank r - 1. */
typedef struct triad_graph {
  int64_t n_all, first, n;
  int64_t *begin;  /* [n + 1] into next                                                                      */
  int32_t *next;   /* [begin[n]] numbers of neighbours, rising, without duplicates or the vertex itself; symmetric */
  int32_t *weight; /* [n] cost, positive                                                                     */
} triad_graph;

void triad_graph_free(triad_graph *graph, triad_memory *memory);

typedef struct triad_graph_library {
  const char *word, *name;         /* word in a case; name of the library */
  const char *package, *variables; /* package in Debian; prefix of variables in Makefile.inc: <variables>_LIBS */
  /* partition on several ranks; NULL: not built in */
  int (*deal)(const triad_context *context, const triad_graph *graph, int32_t *rank_of);
} triad_graph_library;

extern const triad_graph_library triad_graph_metis, triad_graph_scotch;

/* Bytes on rank 0 for METIS to partition n vertices, at most, with n_next neighbours in all: its arrays and 48 bytes a
 * vertex and 15 a neighbour in which it works (measured with a million cubes). */
static inline int64_t triad_graph_metis_bytes(int64_t n, int64_t n_next) { return 60 * n + 19 * n_next; }

/* The library with this word; NULL: there is none. Not collective, nor is the next function. */
const triad_graph_library *triad_graph_library_of(const char *word);

/* TRIAD_ERR_FEATURE if the library is not built in; `key` of the case is named in the message. */
int triad_graph_need(const triad_graph_library *library, const char *key);

/* Assign each vertex of this rank to a rank, rank_of[n], with a library that is built in. On all ranks:
 * TRIAD_ERR_MEMORY; TRIAD_ERR_CASE if the graph is too large for the library's integers; TRIAD_ERR_INTERNAL if the
 * library fails. Collective. */
int triad_graph_deal(const triad_graph_library *library, const triad_context *context, const triad_graph *graph,
                     int32_t *rank_of);

#endif
