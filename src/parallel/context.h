/* What every part of a run works with: the ranks, the threads of each, and the memory they take. */
#ifndef TRIAD_PARALLEL_CONTEXT_H
#define TRIAD_PARALLEL_CONTEXT_H

#include "base/memory.h"
#include "parallel/comm.h"
#include "parallel/host/watchdog.h"

typedef struct triad_context {
  triad_comm comm;
  int threads;           /* OpenMP threads of this rank */
  triad_memory *memory;  /* this rank's ledger          */
  int gpu;               /* number of the GPU that it takes; -1: none, or not chosen yet (parallel/host/gpus.h) */
  triad_watchdog *watch; /* over what may hang; NULL: none, as until the time loop has set one */
} triad_context;

/* Collective over `parent`; threads <= 0 takes what OpenMP would. */
int triad_context_create(triad_context **out, MPI_Comm parent, int threads);
void triad_context_destroy(triad_context **context); /* collective */

#endif
