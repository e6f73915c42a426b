/* Declarations shared by the files gpu_formula*.c. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_INTERNAL_H

#include "fft/gpu/gpu_compiled.h"
#include "parallel/gpu_program.h"
#include "solvers/spectral/force/formula_kernel.h"
#include "solvers/spectral/force/gpu_formula.h"
#include "solvers/spectral/force/force_internal.h"

struct triad_gpu_formulas {
  triad_flow *flow;
  triad_forcing *force;
  triad_device *device;
  triad_gpu_force *of;                   /* [n_fields] */
  int (*part_of)[TRIAD_GPU_FORCE_WHOLE]; /* [n_fields] which part each of its whole modes is of */
  /* at points */
  triad_gpu_visit *visit; /* the set's own x pass, and what it has */
  const void *law;
  int own_in, own_out;
  unsigned reads; /* fields that formulas have */
  /* of tables, and of values in a pass of their own; NULL with `within` NULL: on the host */
  triad_gpu_program *program;
  triad_gpu_program *within; /* the set's own x pass with the values; NULL: none */
  triad_gpu_beside beside;   /* its source */
  char *text;
  double *table;             /* the GPU's: parts of formulas of x and t, then of y, z and t */
  int of_x, of_row, is_made; /* how many; made once where they have no t */
  char why[128];             /* there is none */
  uint64_t *bad;             /* the GPU's */
  triad_real *rows, *none;   /* the host's: fields and results of so many points; a row of zeros */
  int64_t room;
  double rate;
};

#endif
