/* What the files of the solver on a GPU share. */
#ifndef TRIAD_SOLVERS_WENO_GPU_OWN_H
#define TRIAD_SOLVERS_WENO_GPU_OWN_H

#include "grid/gpu_halo.h"
#include "solvers/weno/gpu_weno.h"
#include "solvers/weno/own.h"

enum { TRIAD_WENO_GPU_NUMBERS = TRIAD_WENO_SUMS + TRIAD_WENO_EXTREMES };

struct triad_weno_on_gpu {
  triad_device *device;
  triad_real *memory;
  double *worst;                        /* [3] */
  double *rows;                         /* [own rows along x][TRIAD_WENO_GPU_NUMBERS], for budgets */
  unsigned long long *count;
  triad_real *set[TRIAD_SCHEME_VECTORS][TRIAD_WENO_FIELDS]; /* the scheme's vectors */
  triad_weno_gpu kernel;                /* u is set anew for each stage */
  triad_gpu_halo *halo;
  triad_box own, near, padded; /* own points; with halos that are filled here; with all halos   */
  triad_box inner;             /* points whose rates can be had before halos come; may be empty */
  int apart;                            /* halos, then arithmetic, each waited for     */
};

/* What the table of own.h has, each as there. */
int triad_weno_gpu_make(triad_weno *w, triad_device *device, const char *transport);
void triad_weno_gpu_drop(triad_weno *w);
triad_real *const *triad_weno_gpu_set(const triad_weno *w, int number);
int triad_weno_gpu_put(triad_weno *w);
int triad_weno_gpu_get(triad_weno *w);
int triad_weno_gpu_copy(const triad_weno *w, int number, triad_real *const *to);
int triad_weno_gpu_stage(triad_weno *w, triad_real *const *u, const triad_weno_update *update);
int triad_weno_gpu_state_check_at(triad_weno *w, triad_weno_state_check *look);
int triad_weno_gpu_sum(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES]);
int triad_weno_gpu_count(triad_weno *w, double bound, int64_t *count);
void triad_weno_gpu_apart(triad_weno *w, int apart);
int64_t triad_weno_gpu_sent_bytes(const triad_weno *w);
const char *triad_weno_gpu_transport(const triad_weno *w);
int64_t triad_weno_gpu_bytes(const triad_partition *blocks, const triad_weno_setup *setup);

/* Kernels work at the state u from now on. */
void triad_weno_gpu_use(triad_weno_gpu *k, triad_real *const *u);

/* Halos, boundaries and primitives of u, and, with `update`, its rates put to use: the interior while halos travel.
 * Collective; where it fails on several ranks it aborts them all. */
int triad_weno_gpu_sweep(triad_weno *w, triad_real *const *u, const triad_weno_gpu_update *update);

#endif
