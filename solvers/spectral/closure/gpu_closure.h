/* Subgrid models of one point, for a state on a GPU: the x pass of a stage transforms the fields and their slopes to
 * rows, where the products and the stress are computed together. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CLOSURE_GPU_CLOSURE_H
#define TRIAD_SOLVERS_SPECTRAL_CLOSURE_GPU_CLOSURE_H

#include "solvers/closure/eddy_viscosity_points.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/velocity_points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum triad_gpu_eddy { TRIAD_GPU_SMAGORINSKY, TRIAD_GPU_VREMAN, TRIAD_GPU_WALE, TRIAD_GPU_SIGMA };

/* Plain data; mean_gradient is the GPU's. stress_only: the products of the fields are left out. */
typedef struct triad_gpu_closure_law {
  triad_velocity_constants velocity;
  triad_closure_constants constants;
  int model, n_scalars, stress_only;
  triad_real per_prandtl;
  const triad_real *mean_gradient; /* [n_scalars][3] */
} triad_gpu_closure_law;

/* cuda/spectral/closure.cu. out = i k_axis u; a visit whose inputs are u, v, w, scalars, then slopes as closure.c has
 * them. peaks: the advection rate, nu_t. */
int triad_gpu_closure_slope(const triad_gpu_modes *modes, int axis, const triad_cplx *u, triad_cplx *out, void *stream);
triad_gpu_visit triad_gpu_closure_visit;

#ifdef __cplusplus
}
#else /* not for kernels */
#include "solvers/spectral/flow.h"

typedef struct triad_gpu_closure triad_gpu_closure;

/* Why the model of a case cannot run on a GPU; NULL: it can. Not collective. */
const char *triad_gpu_closure_refusal(const triad_case *given);

/* *out NULL: the flow has no closure; every function accepts NULL. velocity: the constants of the set. Not
 * collective. */
int triad_gpu_closure_create(triad_gpu_closure **out, triad_device *device, const triad_flow *flow, int64_t modes,
                             const triad_velocity_constants *velocity);
void triad_gpu_closure_destroy(triad_gpu_closure **closure);

/* Let a pass have the stress, of the fields that are its inputs. stress_only: without the products of the set. */
int triad_gpu_closure_join(triad_gpu_closure *closure, const triad_gpu_modes *modes, int stress_only,
                           triad_gpu_job *job);
#endif

#endif
