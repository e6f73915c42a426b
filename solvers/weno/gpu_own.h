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
  double *worst;                        /* [5] */
  double *rows;                         /* [own rows along x][TRIAD_WENO_GPU_NUMBERS], for budgets */
  unsigned long long *count;
  triad_real *set[TRIAD_SCHEME_VECTORS][TRIAD_WENO_FIELDS]; /* the scheme's vectors */
  triad_weno_gpu kernel;                /* u is set anew for each stage */
  triad_gpu_halo *halo;
  triad_box own, near, padded; /* own points; with halos that are filled here; with all halos   */
  triad_box inner;             /* points whose rates can be had before halos come; may be empty */
  int apart;                            /* halos, then arithmetic, each waited for     */
};

/* gpu_fields.c: as the table of own.h has them. */
int triad_weno_gpu_make(triad_weno *w, triad_device *device, const char *transport);
void triad_weno_gpu_drop(triad_weno *w);
int64_t triad_weno_gpu_bytes(const triad_partition *blocks, const triad_weno_setup *setup);

#endif
