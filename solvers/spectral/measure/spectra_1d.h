/* 1-D spectra along an axis a (docs/methods/statistics.md eq. 22): of a variable f, for each plane m of wavenumber
 * 2 pi m/L_a, E_f(m) = sum over modes with |k_a| = m of w_k |f_k|^2,    sum over m = mean f^2.
 * For a vector's component along a it is the longitudinal one, E_11(k_1); for the others transverse, E_22(k_1). Also
 * fields whose lines along z are whole on one rank. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_1D_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_1D_H

#include "parallel/comm.h"
#include "solvers/spectral/flow.h"

/* What statistics along lines are taken of: each field, and the complex wave function, f = psi, as one. */
typedef struct triad_variable {
  const char *name, *unit;
  int first, n; /* its fields: one, or real and imaginary part */
  int along;    /* the axis that a vector's component has; -1 for a scalar */
} triad_variable;

/* The variables of an equation set, at most one for each field, to list[n_fields]; returns their number. Not
 * collective. */
int triad_variables(const triad_shape *shape, triad_variable *list);

/* Planes 0 .. count - 1 take in every mode; a Nyquist mode is in the last one. Not collective. */
int64_t triad_spectra_1d_planes(const triad_grid *grid, int axis);

/* values[v * planes + m] of variable v. The sums are exact, the same on any number of ranks and threads. Collective;
 * failures have been agreed on. */
int triad_spectra_1d(triad_flow *flow, int axis, double *values);

/* Physical fields distributed by y instead of z: real [z][y_local][x], for operations on whole lines along z. */

/* How many y this rank holds of such a field. */
int64_t triad_by_y_rows(const triad_layout *layout);

/* planes [z_local][y][x] -> out [z][y_local][x]. Needs no other memory: a plane of each rank is communicated at a
 * time. Collective; failures have been agreed on. */
int triad_by_y(const triad_comm *comm, const triad_layout *layout, const triad_real *planes, triad_real *out);

#endif
