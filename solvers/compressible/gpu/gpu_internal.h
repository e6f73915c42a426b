/* The GPU memory of the compressible solver, for files of this folder only. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_INTERNAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_INTERNAL_H

#include "grid/fields/gpu_gather.h"
#include "grid/fields/gpu_halo.h"
#include "solvers/compressible/gpu/gpu_compressible.h"
#include "solvers/compressible/step/loops.h"

enum { TRIAD_COMPRESSIBLE_GPU_NUMBERS = TRIAD_COMPRESSIBLE_SUMS + TRIAD_COMPRESSIBLE_EXTREMES };

struct triad_compressible_on_gpu {
  triad_device *device;
  triad_real *memory;
  double *worst;     /* [5] */
  double *rows;      /* [own rows along x][TRIAD_COMPRESSIBLE_GPU_NUMBERS], for budgets */
  double *rows_here; /* as many on the host, pinned */
  unsigned long long *count;
  triad_real *set[TRIAD_SCHEME_VECTORS][TRIAD_COMPRESSIBLE_FIELDS]; /* the scheme's vectors */
  triad_compressible_gpu kernel;                                    /* u is set anew for each stage */
  triad_gpu_halo *halo;
  triad_box own, near, padded; /* own points; with halos that are filled here; with all halos   */
  triad_box inner;             /* points whose rates can be had before halos come; may be empty */
  triad_gpu_gather points;     /* that probes want */
  int apart;                   /* halos, then arithmetic, each waited for     */
  int failure;                 /* status of the first kernel that has failed  */
};

/* Launch something if nothing has failed before; its failure is kept until triad_compressible_loops.settle. */
#define TRIAD_COMPRESSIBLE_LAUNCH(g, call) \
  do { \
    if ((g)->failure == TRIAD_OK) (g)->failure = (call); \
  } while (0)

extern const triad_compressible_loops triad_compressible_gpu_loops; /* gpu_loops.c */

/* gpu_force.c: forces and sponges (step/force.h, step/sponge.c) with the state on a GPU. */
int triad_gas_gpu_force_make(triad_compressible *w, const triad_gas_waves *waves, triad_gas_on_gpu **out);
int triad_gas_gpu_force_push(triad_gas_on_gpu *gpu, const triad_gas_waves *waves, double growth, double dt,
                             const double *mean, int n, triad_sum *sums);
int triad_gas_gpu_force_cool(triad_gas_on_gpu *gpu, double factor);
int triad_gas_gpu_sponge_make(triad_compressible *w, const triad_real *rate,
                              triad_real *const to[TRIAD_COMPRESSIBLE_FIELDS], triad_gas_on_gpu **out);
int triad_gas_gpu_sponge_draw(triad_gas_on_gpu *gpu, double dt);
void triad_gas_gpu_drop(triad_gas_on_gpu **gpu);

#endif
