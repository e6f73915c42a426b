/* Declarations shared by the files of the Gross-Pitaevskii set. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_H

#include "parallel/sum.h"
#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/equations/gpe_points.h"

/* dpsi/dt = i (mu psi - beta |psi|^2 psi + alpha lap psi): the constants that a case comes to
 * (docs/methods/spectral-sets.md eq. 20). */
triad_gpe_constants triad_gpe_from_case(const triad_case *given);

typedef struct triad_gpe {
  triad_gpe_constants constants; /* first: loops.h */
  double k_max, k_max2;          /* every direction is kept up to k_max; k_max2: the largest k^2 there is */
  triad_context *context;
  const triad_layout *layout;
  triad_cplx *density;               /* P[|psi|^2 - rho0] of the stage at hand; P[|psi|^2] when observed   */
  triad_real *points_re, *points_im; /* psi at this rank's points, [z_local][y][x]                         */
  triad_cplx *flux;                  /* of the state last observed: k.w_k, w = sqrt(rho) u, and            */
  triad_real *square;                /* |w_k|^2                                                            */
  triad_sum *sums;                   /* [thread][TRIAD_GPE_OBSERVED]                                       */
} triad_gpe;

/* The callbacks of equations.h that belong to budgets and spectra; observe() also on a GPU, where there is one. */
int triad_gpe_shape_budget(triad_shape *shape);
int triad_gpe_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed);
int triad_gpu_observe_gpe(const void *constants, const triad_gpu_state *state, double *observed);
int triad_gpe_conserved(const void *self, const double *first, triad_conserved *list);
void triad_gpe_series(const void *self, const double *sums, const triad_series_inputs *inputs, double *columns);
void triad_gpe_densities(const void *self, const triad_layout *layout, int64_t column, int64_t j,
                         const triad_cplx *const *u, double *densities);

#endif
