/* Bodies and sponges at rest, for a state on a GPU: their terms are computed at the points of a stage's pass, in rows
 * after those of the set, and added to N with other results of a pass (equations/gpu_set.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_GPU_RELAX_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_GPU_RELAX_H

#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/relax/term_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is relaxed: target[point of the mask], NULL: a number. Pointers are the GPU's. */
typedef struct triad_gpu_relax_field {
  int result;
  double factor;
  const double *target;
} triad_gpu_relax_field;

/* rows: those of the rank; fields: n_fields of them from number first_field on. */
typedef struct triad_gpu_relax_item {
  const triad_relax_row *rows;
  const double *mask;
  int first_field, n_fields;
} triad_gpu_relax_item;

/* `rows` rows of the rank from number `first` on: in[result][row][nx] are the fields of the results, out likewise their
 * terms. number: of each field. partial: [row of the rank][field][TRIAD_RELAX_SUMS]. Plain data, pointers are the
 * GPU's. */
typedef struct triad_gpu_relax_rows {
  int n_items, n_fields, n_results;
  const triad_gpu_relax_item *items;
  const triad_gpu_relax_field *fields;
  const double *number;
  int64_t nx, first, rows;
  const triad_real *in;
  triad_real *out;
  double *partial;
} triad_gpu_relax_rows;

/* cuda/spectral/relax.cu. The terms of rows; sums[i] of n numbers of each row, in a fixed order. */
int triad_gpu_relax_terms(const triad_gpu_relax_rows *rows, void *stream);
int triad_gpu_relax_sum(int64_t rows, int n, const double *partial, double *sums, void *stream);

#ifdef __cplusplus
}
#else /* not for kernels */
#include "solvers/spectral/flow.h"

typedef struct triad_gpu_relaxation triad_gpu_relaxation;

/* Why bodies and sponges of a case cannot run on a GPU; NULL: they can. Not collective. */
const char *triad_gpu_relaxation_refusal(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* *out NULL: the flow has none; every function accepts NULL. layout: of the GPU's fields. Not collective. */
int triad_gpu_relaxation_create(triad_gpu_relaxation **out, triad_device *device, triad_flow *flow,
                                const triad_layout *layout);
void triad_gpu_relaxation_destroy(triad_gpu_relaxation **relaxation);

/* In a stage at time t, of fields u on the GPU: prepare it; let its pass have the results too, behind its own. `force`:
 * what other formulas add to N, NULL: nothing; returns that with bodies and sponges. sum: after the pass. prepare is
 * collective. */
int triad_gpu_relaxation_prepare(triad_gpu_relaxation *relaxation, double t, int stage, triad_cplx *const *u);
void triad_gpu_relaxation_join(triad_gpu_relaxation *relaxation, triad_gpu_job *job);
int triad_gpu_relaxation_sum(triad_gpu_relaxation *relaxation, int stage);
const triad_gpu_force *triad_gpu_relaxation_force(triad_gpu_relaxation *relaxation, const triad_gpu_force *force);

/* After the stages of a step of length dt: its work. Collective. */
int triad_gpu_relaxation_finish(triad_gpu_relaxation *relaxation, const triad_scheme *scheme, double dt);
#endif

#endif
