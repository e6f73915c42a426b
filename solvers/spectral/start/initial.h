/* The field a run starts from: the table of starts is in initial.c, a row each. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H

#include "base/log.h"
#include "case/part.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/start/initial_waves.h"

/* A start is a row: the word of initial.kind, and what sets the state. */
typedef struct triad_spectral_start {
  triad_word word;
  int (*set)(triad_flow *flow, triad_log *log); /* adds to zero fields, collective; NULL: nothing except waves */
  triad_waves *waves;                           /* added after; NULL: none */
  int scalars;                                  /* theta and passive scalars are random, before */
  int (*check)(const triad_case *given, const triad_grid *grid); /* of what `set` needs; NULL: anything fits */
} triad_spectral_start;

/* Set flow->u at t = 0 from its case. From a file or a checkpoint of another grid, modes that both grids keep are
 * copied; the loss of energy or divergence is logged. TRIAD_ERR_CASE, TRIAD_ERR_INPUT, TRIAD_ERR_IO. Collective. */
int triad_initial_set(void *flow, triad_log *log);

/* Does what the case asks for fit its grid? TRIAD_ERR_CASE. Not collective. */
int triad_initial_check(const triad_case *given, const triad_grid *grid);

#endif
