/* What the sets with an incompressible velocity (u, v, w) share: its rates, sums over modes, scales, shell densities. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_H

#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/equations/hd_law.h"
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
  TRIAD_VELOCITY_COLUMNS
};


enum { TRIAD_VELOCITY_SPECTRA = 2 }; /* E, H */

/* Begin a shape: fields u, v, w, their sums, columns and spectra. Not the transfers, of which a set may have others. */
int triad_velocity_shape(triad_shape *shape);

/* The transfer of |u|^2/2 by advection. */
extern const triad_transfer_info triad_velocity_transfer_info;

/* What the sets keep of a case. */
typedef struct triad_velocity {
  triad_grid grid;
  triad_decay decay;
  triad_real per_spacing[3]; /* 1/dx_i */
  triad_real rotation[3];    /* Omega */
  int rotates;               /* is it not zero? */
} triad_velocity;
void triad_velocity_create(triad_velocity *velocity, const triad_grid *grid, const triad_case *given);

/* What its arithmetic at the points and of the modes needs of it. */
triad_hd_law triad_velocity_law(const triad_velocity *velocity);

/* The five products of a row of points (hd_points.h), and its advection rate into peaks[]. */
void triad_velocity_products(const triad_velocity *velocity, int64_t n, triad_real *const *u, triad_real *const *products,
                             double *peaks);

/* Row j of a block: rates of u, v, w from the five products and, before the projection, rotation and the accelerations
 * push[0..2] (NULL: none). */
void triad_velocity_rates(const triad_velocity *velocity, const triad_batch *block, int64_t j,
                          const triad_cplx *const *u, const triad_cplx *const *products, const triad_lane_row *push,
                          triad_lane_row *rates);

/* Row j of a block: times * Re conj(u).(-i k_j t_ij), projected, added to the transfer of each mode: what the five
 * products give |u|^2/2. Rotation and other accelerations are left out. */
void triad_velocity_transfer(const triad_velocity *velocity, const triad_batch *block, int64_t j,
                             const triad_cplx *const *u, const triad_cplx *const *products, double times,
                             double *transfer);

/* Likewise Re conj(s).(-i k.f), what the fluxes f = u s give |s|^2/2. */
void triad_velocity_scalar_transfer(const triad_batch *block, int64_t j, const triad_cplx *s,
                                    const triad_cplx *const *flux, double *transfer);

/* The frequency of inertial waves, 2 |Omega|, or 0. */
double triad_velocity_frequency(const triad_velocity *velocity);

/* One column's share, weight included, of a scalar's sums: [0] |s|^2/2, [1] lambda |s|^2, [2] Re conj(a) s for another
 * field a (NULL: none). */
void triad_velocity_scalar_sums(const triad_layout *layout, const triad_decay *decay, int64_t column,
                                const triad_cplx *s, const triad_cplx *a, double sums[3]);

/* One column's share of the sums, weight included; fields u, v, w in the layout's storage. */
void triad_velocity_sums(const triad_layout *layout, const triad_decay *decay, int64_t column,
                         const triad_cplx *const *u, double *sums);

/* The series columns from the sums of all modes. */
void triad_velocity_series(const triad_grid *grid, double viscosity, const double *sums, const triad_series_inputs *moment,
                           double *columns);

/* Energy and helicity of one mode, weight included. */
void triad_velocity_densities(const triad_layout *layout, int64_t column, int64_t j, const triad_cplx *const *u,
                              double *densities);

/* Largest sum_i |u_i| per_spacing[i] and |u|^2 of a row. */
void triad_velocity_extremes(const triad_real per_spacing[3], const triad_patch *at, triad_real *const *u,
                             double *peaks);

#endif
