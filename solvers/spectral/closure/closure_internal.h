/* The data of a closure, for the sources of this room. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CLOSURE_CLOSURE_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_CLOSURE_CLOSURE_INTERNAL_H

#include "solvers/closure/models.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/closure/gradients.h"

struct triad_closure {
  const triad_closure_model *model;
  triad_closure_constants constants; /* factor of a dynamic model: that of the latest coefficient */
  double width;                      /* Delta [L] */
  double per_prandtl;                /* 1/Pr_t */
  int n_fields, n_scalars;           /* fields of the flow; those behind the velocity */
  int *slope_of;                     /* [2 n_fields] the fields of slopes along y, then along x */
  triad_real *mean_gradient; /* [n_scalars][3] of each in the undisturbed fluid, which the fields do not contain */
  int first_column;          /* its first column of the series */
  double k2_max;             /* largest k^2 of kept modes */
  double nu_max;             /* largest nu_t of all ranks at the start of the step [L^2/T] */
  /* dynamic */
  int64_t interval, at_step; /* steps between coefficients; the step of the latest, -1: none */
  double coefficient;        /* C_s^2, before it is clipped at 0 */
  triad_cplx **products;     /* [TRIAD_DYNAMIC_PRODUCTS] modes */
  /* spectral */
  double amplitude, k_c; /* sqrt(E(k_c)/k_c) [L^2/T] */
  double shell[2];       /* squared wavenumbers that bound the last whole shell */
  double shell_part;     /* E(k_c) over the energy of that shell [L] */
  triad_real *shape;     /* [modes] nu_t k^2 over the amplitude */
};

/* Products of a dynamic model: five of u_i u_j, five of |S| S_ij, as in velocity_points.h and dynamic.c. */
enum { TRIAD_DYNAMIC_PRODUCTS = 10, TRIAD_DYNAMIC_INPUTS = 3 + TRIAD_CLOSURE_GRADIENTS + TRIAD_DYNAMIC_PRODUCTS };

/* C = <L:M>/<M:M> of the state (dynamic.c). Collective. */
int triad_closure_dynamic(triad_flow *flow, double *coefficient);

/* by_wavenumber.c: the parts of model spectral. create: not collective. amplitude: collective. drains: of |u|^2/2 and
 * of each further field, from the amplitude; drains[1 + n_scalars]. */
int triad_closure_wavenumber_create(triad_closure *closure, const triad_flow *flow);
int triad_closure_wavenumber_amplitude(triad_closure *closure, const triad_flow *flow);
int triad_closure_wavenumber_drains(const triad_closure *closure, const triad_flow *flow, double *drains);

#endif
