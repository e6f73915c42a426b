/* The context of a run: its ranks, their threads, their memory, their GPU. */
#ifndef TRIAD_PARALLEL_CONTEXT_H
#define TRIAD_PARALLEL_CONTEXT_H

#include "base/memory.h"
#include "parallel/comm.h"
#include "parallel/host/watchdog.h"

typedef struct triad_context {
  triad_comm comm;
  int threads;           /* OpenMP threads of this rank */
  triad_memory *memory;  /* this rank's account */
  int gpu;               /* number of this rank's GPU; -1: none, or not chosen yet (parallel/host/gpus.h) */
  triad_watchdog *watch; /* monitors activities that may hang; NULL until the time loop sets one */
} triad_context;

/* Collective over `parent`; threads <= 0: as many as OpenMP would use. */
int triad_context_create(triad_context **out, MPI_Comm parent, int threads);
void triad_context_destroy(triad_context **context); /* collective */

#endif
