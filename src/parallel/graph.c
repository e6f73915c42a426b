/* Choose METIS or PT-Scotch by name, partition a graph with it, and report a library that is missing from the build. */
#include "parallel/graph.h"

#include <string.h>

static const triad_graph_library *const libraries[] = {&triad_graph_metis, &triad_graph_scotch};

void triad_graph_free(triad_graph *g, triad_memory *memory)
{
  TRIAD_FREE(memory, &g->begin);
  TRIAD_FREE(memory, &g->next);
  TRIAD_FREE(memory, &g->weight);
}

const triad_graph_library *triad_graph_library_of(const char *word)
{
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (strcmp(libraries[i]->word, word) == 0) return libraries[i];
  return NULL;
}

int triad_graph_need(const triad_graph_library *l, const char *key)
{
  if (l->deal) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "%s = \"%s\": this build has no %s: install its library (%s on Debian and Ubuntu, or set %s_CFLAGS "
                    "and %s_LIBS in Makefile.inc) and rebuild",
                    key, l->word, l->name, l->package, l->variables, l->variables);
}

int triad_graph_deal(const triad_graph_library *l, const triad_context *context, const triad_graph *g, int32_t *rank_of)
{
  if (context->comm.size > 1) return l->deal(context, g, rank_of);
  for (int64_t v = 0; v < g->n; v++) rank_of[v] = 0; /* what METIS 5.1 divides by 0 over */
  return TRIAD_OK;
}
