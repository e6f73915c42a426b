/* Forces given by formulas, for a state on a GPU: modes that are computed once stay on the GPU; fields times functions
 * of time are computed from the fields' modes; other formulas are evaluated at the points, in the pass of a stage.
 * NVRTC compiles that kernel (parallel/gpu_program.h); without NVRTC rows are copied to the host, evaluated there and
 * copied back. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_H

#include "solvers/spectral/equations/gpu_set.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_FORCE_PARTS = 32 };

/* Modes of parts (force_internal.h), few of all there are, of which the force is the sum, now[k] times each. */
typedef struct triad_gpu_force_parts {
  int n, components;
  int64_t count;
  const int64_t *index;                   /* [count] places in a field */
  const double *lambda;                   /* [count][components]       */
  const double *f[TRIAD_GPU_FORCE_PARTS]; /* [count][components][re, im] */
  double now[TRIAD_GPU_FORCE_PARTS];
} triad_gpu_force_parts;

/* cuda/spectral/force.cu. target[] += weight exp(-decay tau) f of field `component` by parts; out[0] <- sum over modes
 * of weight Re conj(u).f, of the first n fields of a state and what a stage's update adds to their N (gpu_set.h), but
 * for whole fields of modes. */
int triad_gpu_force_add_parts(const triad_gpu_force_parts *parts, int component, triad_cplx *target, double tau,
                              double weight, void *stream);
int triad_gpu_force_power(const triad_gpu_measure *measure, int n, const triad_gpu_force *force);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus /* not for kernels */
#include "solvers/spectral/flow.h"

typedef struct triad_gpu_formulas triad_gpu_formulas;

/* Real fields of a chunk's points that a pass with n results for formulas has room for where it must; and where
 * these formulas are. */
int triad_gpu_formulas_rows(const triad_shape *shape, int n, int row_fields);
int triad_gpu_formulas_rows_of(const triad_gpu_formulas *formulas, int row_fields);

/* Create it; *out is NULL if no formula depends on fields, is evaluated at points, or is a product of functions of
 * position and time with enough modes to fill whole fields; every function accepts NULL. visit, law: the set's first
 * pass; layout: of the GPU's fields. TRIAD_ERR_MEMORY; an error if NVRTC rejects the source. Not collective. */
int triad_gpu_formulas_create(triad_gpu_formulas **out, triad_device *device, triad_flow *flow,
                              const triad_layout *layout, triad_gpu_visit *visit, const void *law);
void triad_gpu_formulas_destroy(triad_gpu_formulas **formulas);

/* How those at points are worked out, in words; 0: there are none. */
int triad_gpu_formulas_tell(const triad_gpu_formulas *formulas, char *text, size_t size);

/* Let a pass, whose inputs begin with the fields, have their results too, behind its own; it is to run next. */
int triad_gpu_formulas_join(triad_gpu_formulas *formulas, triad_gpu_job *job);

/* After it: the largest rate that the host found, where it looked for one; was each value a number (collective)? */
double triad_gpu_formulas_rate(const triad_gpu_formulas *formulas);
int triad_gpu_formulas_good(triad_gpu_formulas *formulas);

/* What the update of a stage after that pass adds to N, at the stage's time; NULL: nothing. */
const triad_gpu_force *triad_gpu_formulas_force(triad_gpu_formulas *formulas);

/* measure->out[0] <- this rank's part of the power input, from the results of such a pass, without products of
 * functions of position and time, whose modes the host has too. */
int triad_gpu_formulas_power(triad_gpu_formulas *formulas, const triad_gpu_measure *measure);
#endif

#endif
