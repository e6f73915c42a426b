/* Shared by sets with an incompressible velocity (u, v, w): rates, sums over modes, scales, shell densities. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_H

#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/equations/velocity_points.h"

enum triad_velocity_column {
  TRIAD_COLUMN_ENERGY,
  TRIAD_COLUMN_ENSTROPHY,
  TRIAD_COLUMN_DISSIPATION,
  TRIAD_COLUMN_INJECTION,
  TRIAD_COLUMN_HELICITY,
  TRIAD_COLUMN_U_MAX,
  TRIAD_COLUMN_DIVERGENCE,
  TRIAD_COLUMN_INTEGRAL_SCALE,
  TRIAD_COLUMN_TAYLOR_SCALE,
  TRIAD_COLUMN_KOLMOGOROV_SCALE,
  TRIAD_COLUMN_RE_LAMBDA,
  TRIAD_COLUMN_KMAX_ETA,
  TRIAD_COLUMN_CFL,
  TRIAD_COLUMN_TAIL,
  TRIAD_VELOCITY_COLUMNS
};

enum { TRIAD_VELOCITY_SPECTRA = 2 }; /* E, H */

/* Begin a shape: fields u, v, w, their sums, columns and spectra. Not the transfers, of which a set may have others. */
int triad_velocity_shape(triad_shape *shape, const triad_velocity_constants *constants);

/* The transfer of |u|^2/2 by advection. */
extern const triad_transfer_info triad_velocity_transfer_info;

/* The constants that a case comes to. */
triad_velocity_constants triad_velocity_of_case(const triad_grid *grid, const triad_case *given);

/* The series columns from the sums of all modes. */
void triad_velocity_series(const triad_grid *grid, double viscosity, const double *sums,
                           const triad_series_inputs *inputs, double *columns);

/* What to try where a flow of modes does not keep what it conserves. */
#define TRIAD_CONSERVED_REMEDY "a smaller time.dt or time.cfl, time.scheme = \"rk4\", or a finer grid"

/* Does no term take or give energy at any mode? */
int triad_decay_is_none(const triad_decay *decay);

/* The quantity of a column and its size, to the end of a list of n; returns n + 1. */
int triad_conserved_add(triad_conserved *list, int n, int column, double scale);

/* k_max eta of a diffusivity in a flow (or field) of this enstrophy, eta = (diffusivity^2/(2 enstrophy))^(1/4):
 * Kolmogorov's scale of a viscosity, Batchelor's of another diffusivity. The part of a sum of squared gradients that
 * lies at the edge of the grid's modes. NAN, an empty place in the series, where they mean nothing. */
double triad_velocity_resolution(const triad_grid *grid, double diffusivity, double enstrophy);
double triad_velocity_tail(double edge, double all);

/* The limit of a column of the latter. A spectrum that falls as k^(-5/3) all the way to the cut-off has the
 * part 1 - 0.8^(4/3) of its enstrophy in the outermost fifth. */
#define TRIAD_LIMIT_TAIL \
  { \
    TRIAD_LIMIT_MAX, 0.257 \
  }

/* Callbacks of equations.h for sets whose `self` begins with triad_velocity_constants: the frequency of inertial waves,
 * 2 |Omega|, or 0; the largest sum_i |u_i|/dx_i and |u|^2 of a row. */
double triad_velocity_frequency(const void *self);
void triad_velocity_extremes(void *self, const triad_patch *at, triad_real *const *u, triad_real *const *out,
                             double *peaks);

/* The five products of u, v, w at n points (velocity_points.h), and the largest advection rate into peaks[]. `self` as
 * above. */
void triad_velocity_points(const void *self, int64_t n, triad_real *const *u, triad_real *const *products,
                           double *peaks);

/* stress and forces of equations.h for sets on whose velocity nothing else acts. `self` as above. */
void triad_velocity_stress(const void *self, int part, int64_t n, triad_real *const *u, triad_real *const *out);
void triad_velocity_forces(const void *self, const triad_real k[3], triad_real inverse_k2, const triad_cplx *u,
                           triad_cplx s[3]);

/* flux[i] = u[i] s at n points, i < 3. */
void triad_scalar_fluxes(int64_t n, triad_real *const *u, const triad_real *s, triad_real *const *flux);

#endif
