/* What the files of the Gross-Pitaevskii set share. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_H

#include "parallel/sum.h"
#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/equations/gpe_law.h"

/* dpsi/dt = i (mu psi - beta |psi|^2 psi + alpha lap psi) from sound speed c, healing length xi, mean density rho0:
 *   alpha = c xi/sqrt 2, beta = c/(xi sqrt 2 rho0), mu = beta rho0 = c/(xi sqrt 2)      (docs/numerics.md eq. 20)
 * The velocity is 2 alpha grad(arg psi), and circulation comes in quanta of 4 pi alpha. */
typedef struct triad_gpe_constants {
  double alpha, beta, mu, sound_speed, healing_length, density;
} triad_gpe_constants;

triad_gpe_constants triad_gpe_from_case(const triad_case *given);

enum { TRIAD_GPE_RE, TRIAD_GPE_IM };

/* Numbers that sums over the modes of psi cannot give: gpe_observe.c. */
enum triad_gpe_observed {
  TRIAD_GPE_INTERACTION,    /* alpha beta sum |P[|psi|^2]_k|^2                                                    */
  TRIAD_GPE_QUANTUM,        /* mean 2 alpha^2 |grad sqrt(rho)|^2 over the points                                  */
  TRIAD_GPE_HYDRODYNAMIC,   /* mean rho |u|^2/2 over the points                                                   */
  TRIAD_GPE_INCOMPRESSIBLE, /* sum |w_k|^2/2 over kept modes, w the solenoidal part of sqrt(rho) u                */
  TRIAD_GPE_ENSTROPHY,      /* sum k^2 |w_k|^2/2                                                                  */
  TRIAD_GPE_OBSERVED
};

typedef struct triad_gpe {
  triad_gpe_constants constant;
  int imaginary_time;
  triad_gpe_law law;
  double k_max, k_max2; /* every direction is kept up to k_max; k_max2: the largest k^2 there is */
  triad_context *context;
  const triad_layout *layout;
  triad_cplx *density;               /* P[|psi|^2 - rho0] of the stage at hand; P[|psi|^2] when observed   */
  triad_real *points_re, *points_im; /* psi at this rank's points, [z_local][y][x]                         */
  triad_cplx *flux;                  /* of the state last observed: k.w_k, w = sqrt(rho) u, and            */
  triad_real *square;                /* |w_k|^2                                                            */
  triad_sum *sums;                   /* [thread][TRIAD_GPE_OBSERVED]                                       */
} triad_gpe;

/* The callbacks of equations.h that belong to budgets and spectra. */
int triad_gpe_shape_budget(triad_shape *shape);
int triad_gpe_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed);
void triad_gpe_sums(const void *self, const triad_layout *layout, int64_t column, const triad_cplx *const *u,
                    double *sums);
void triad_gpe_series(const void *self, const double *sums, const triad_series_inputs *moment, double *columns);
void triad_gpe_densities(const void *self, const triad_layout *layout, int64_t column, int64_t j,
                         const triad_cplx *const *u, double *densities);

#endif
