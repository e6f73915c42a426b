/* Forces that are formulas, of a state on a GPU: modes that are made once stay there; fields times what is of time are taken from the fields'
 * modes; the others are worked out at the points, in the pass of a stage. The kernel that does so is compiled by NVRTC
 * (parallel/gpu_program.h); where it is not there, rows go to the host, whose evaluator works them out, and come back. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_H

#include "solvers/spectral/equations/gpu_set.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_FORCE_FROM = 12, TRIAD_GPU_FORCE_PARTS = 32 };

/* Fields that are one vector or a number: what drives them is worked out together. Plain data, pointers are the GPU's. */
typedef struct triad_gpu_force_group {
  int first, components, solenoidal; /* of the state; 3 or 1; no divergence and no mean */
  int result[3];                     /* of the pass, -1: none  */
  int n_from;
  double now[3][TRIAD_GPU_FORCE_FROM]; /* what fields are multiplied with */
  const triad_cplx *from[TRIAD_GPU_FORCE_FROM];
  triad_cplx *f[3]; /* the force of a stage */
} triad_gpu_force_group;

/* Modes of parts (own.h), of which the force is the sum, now[k] times each. */
typedef struct triad_gpu_force_parts {
  int n, components;
  int64_t count;
  const int64_t *index;  /* [count] places in a field */
  const double *lambda;  /* [count][components]       */
  const double *f[TRIAD_GPU_FORCE_PARTS]; /* [count][components][re, im] */
  double now[TRIAD_GPU_FORCE_PARTS];
} triad_gpu_force_parts;

/* cuda/force.cu. f of a group, from the results of a pass and from fields; target[] += weight exp(-decay tau) f, target[] and
 * decay[] from its first field on; the same of field `component` by parts; out[0] <- sum over modes of weight Re conj(u).f, of n
 * fields. */
int triad_gpu_force_rates(const triad_gpu_modes *modes, const triad_gpu_results *results, const triad_gpu_force_group *group,
                          void *stream);
int triad_gpu_force_add(const triad_gpu_modes *modes, const triad_gpu_force_group *group, triad_cplx *const *target,
                        const triad_decay *decay, double tau, double weight, void *stream);
int triad_gpu_force_add_parts(const triad_gpu_force_parts *parts, int component, triad_cplx *target, double tau, double weight,
                              void *stream);
int triad_gpu_force_power(const triad_gpu_measure *measure, int n, const triad_cplx *const *u, const triad_cplx *const *f);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus /* not for kernels */
#include "solvers/spectral/flow.h"

typedef struct triad_gpu_formulas triad_gpu_formulas;

/* Real fields of a chunk's points that a pass with n results for formulas has room for; fields of modes that they take. Not
 * collective. */
int triad_gpu_formulas_rows(const triad_shape *shape, int n, int row_fields);
int triad_gpu_formulas_fields(const triad_case *given, const triad_shape *shape);

/* *out stays NULL where no formula is of fields or worked out at points; every function accepts NULL. Of a state u[] of `modes`
 * modes a field. TRIAD_ERR_MEMORY; NVRTC's refusal of a source. Not collective. */
int triad_gpu_formulas_create(triad_gpu_formulas **out, triad_device *device, triad_flow *flow, triad_cplx *const *u, int64_t modes);
void triad_gpu_formulas_destroy(triad_gpu_formulas **formulas);

/* How those at points are worked out, in words; 0: there are none. */
int triad_gpu_formulas_tell(const triad_gpu_formulas *formulas, char *text, size_t size);

/* Let a pass, whose inputs begin with the fields, have their results too, behind its own. */
void triad_gpu_formulas_join(triad_gpu_formulas *formulas, triad_gpu_job *job);

/* After it: the largest rate that the host found, where it looked for one; was each value a number (collective)? */
double triad_gpu_formulas_rate(const triad_gpu_formulas *formulas);
int triad_gpu_formulas_good(triad_gpu_formulas *formulas);

/* The force of the stage from that pass' results; as triad_gpu_forced_add. */
int triad_gpu_formulas_rates(triad_gpu_formulas *formulas, const triad_gpu_modes *modes, const triad_gpu_results *results);
int triad_gpu_formulas_add(triad_gpu_formulas *formulas, const triad_gpu_modes *modes, triad_cplx *const *target,
                           const triad_decay *decay, double tau, double weight);

/* After triad_gpu_formulas_rates: measure->out[0] <- this rank's part of what they put in. */
int triad_gpu_formulas_power(triad_gpu_formulas *formulas, const triad_gpu_measure *measure);
#endif

#endif
