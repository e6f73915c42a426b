#include "parallel/context.h"

#include <omp.h>
#include <stdlib.h>

int triad_context_create(triad_context **out, MPI_Comm parent, int threads)
{
  *out = NULL;
  triad_context *c = calloc(1, sizeof *c);
  if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the context");
  int st = triad_comm_create(&c->comm, parent);
  if (st == TRIAD_OK) st = triad_agree(&c->comm, triad_memory_create(&c->memory));
  if (st != TRIAD_OK) {
    triad_context_destroy(&c);
    return st;
  }
  c->gpu = -1;
  c->threads = threads > 0 ? threads : omp_get_max_threads();
  *out = c;
  return TRIAD_OK;
}

void triad_context_destroy(triad_context **context)
{
  if (!context || !*context) return;
  triad_watchdog_destroy(&(*context)->watch);
  triad_memory_destroy(&(*context)->memory);
  triad_comm_destroy(&(*context)->comm);
  free(*context);
  *context = NULL;
}
