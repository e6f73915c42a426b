/* Callbacks that read the fields at points during a stage, and the products there, so that no further transforms are
 * needed. Available for stages of one pass whose inputs are the fields themselves, on a grid that is not shifted, on
 * the CPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_OBSERVER_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_OBSERVER_H

#include "fft/pass/pass.h"

enum { TRIAD_OBSERVERS = 2 /* at a time */, TRIAD_OBSERVER_PEAKS = 2 /* of the pass's peaks: the last ones */ };

/* Any function may be NULL. points, planes: as of triad_work, before the products; in is not to be changed. peaks:
 * two, whose largest of this rank settle gets. row: rows of the stage's fields, before they are advanced, and of its
 * results. */
typedef struct triad_observer {
  void (*points)(void *self, const triad_patch *at, triad_real *const *in, double *peaks);
  void (*planes)(void *self, int64_t begin, int64_t end);
  int64_t together;
  void (*settle)(void *self, const double *peaks);
  void (*row)(void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
              const triad_cplx *const *results);
  void *self;
} triad_observer;

#endif
