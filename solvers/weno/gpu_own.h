/* What the files of the solver on a GPU share. */
#ifndef TRIAD_SOLVERS_WENO_GPU_OWN_H
#define TRIAD_SOLVERS_WENO_GPU_OWN_H

#include "grid/gpu_halo.h"
#include "solvers/weno/gpu_weno.h"
#include "solvers/weno/own.h"

enum {
  TRIAD_WENO_GPU_SETS = 4, /* the state, two between stages, the sum of rk4 */
  TRIAD_WENO_GPU_NUMBERS = TRIAD_WENO_SUMS + TRIAD_WENO_EXTREMES
};

struct triad_weno_on_gpu {
  triad_device *device;
  triad_real *memory;
  double *worst;                        /* [3] */
  double *rows;                         /* [own rows along x][TRIAD_WENO_GPU_NUMBERS], for budgets */
  unsigned long long *count;
  triad_real *set[TRIAD_WENO_GPU_SETS][TRIAD_WENO_FIELDS];
  triad_weno_gpu kernel;                /* u is set anew for each stage */
  triad_gpu_halo *halo;
  triad_weno_box own, near, padded;     /* own points; with halos that are filled here; with all halos   */
  triad_weno_box inner;                 /* points whose rates can be had before halos come; may be empty */
  int apart;                            /* halos, then arithmetic, each waited for     */
};


/* Kernels work at the state u from now on. */
void triad_weno_gpu_use(triad_weno_gpu *k, triad_real *const *u);

/* Halos, boundaries and primitives of u, and, with `update`, its rates put to use: the interior while halos travel.
 * Collective; where it fails on several ranks it aborts them all. */
int triad_weno_gpu_sweep(triad_weno *w, triad_real *const *u, const triad_weno_gpu_update *update);

#endif
