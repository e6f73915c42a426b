/* What every set with an incompressible velocity (u, v, w) measures: sums over modes, scales, shell densities. */
#ifndef TRIAD_SOLVERS_SPECTRAL_VELOCITY_H
#define TRIAD_SOLVERS_SPECTRAL_VELOCITY_H

#include "solvers/spectral/equations.h"

enum triad_velocity_sum {
  TRIAD_SUM_ENERGY,      /* sum |u|^2 / 2                                          */
  TRIAD_SUM_ENSTROPHY,   /* sum k^2 |u|^2 / 2: mean |curl u|^2 / 2 where k.u = 0   */
  TRIAD_SUM_DISSIPATION, /* sum lambda(k) |u|^2                                    */
  TRIAD_SUM_HELICITY,    /* sum Re conj(u).(i k x u) = mean u.curl u               */
  TRIAD_SUM_DIVERGENCE,  /* sum |k.u|^2                                            */
  TRIAD_SUM_INTEGRAL,    /* sum |u|^2 / (2 |k|), k != 0                            */
  TRIAD_VELOCITY_SUMS
};

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

#define triad_velocity_shape TRIAD_NAME(velocity_shape)
#define triad_velocity_sums TRIAD_NAME(velocity_sums)
#define triad_velocity_series TRIAD_NAME(velocity_series)
#define triad_velocity_densities TRIAD_NAME(velocity_densities)
#define triad_velocity_extremes TRIAD_NAME(velocity_extremes)
#define triad_velocity_decay TRIAD_NAME(velocity_decay)

enum { TRIAD_VELOCITY_SPECTRA = 2 }; /* E, H */

/* Begin a shape: fields u, v, w, their sums, columns and spectra. */
void triad_velocity_shape(triad_shape *shape);

/* One column's share of the sums, weight included; fields u, v, w in the layout's storage. */
void triad_velocity_sums(const triad_layout *layout, const triad_decay *decay, int64_t column,
                         const triad_cplx *const *u, double *sums);

/* The series columns from the sums of all modes. */
void triad_velocity_series(const triad_grid *grid, double viscosity, const double *sums, const triad_moment *moment,
                           double *columns);

/* Energy and helicity of one mode, weight included. */
void triad_velocity_densities(const triad_layout *layout, int64_t column, int64_t j, const triad_cplx *const *u,
                              double *densities);

/* Largest sum_i |u_i| per_spacing[i] and |u|^2 of a row. */
void triad_velocity_extremes(const triad_real per_spacing[3], const triad_patch *at, triad_real *const *u,
                             double *peaks);

/* viscosity, hyperviscosity and drag as a case gives them. */
triad_decay triad_velocity_decay(const triad_case *given);

#endif
