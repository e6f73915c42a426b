/* The arithmetic of the sweeps of conjugate gradients for a row of cells along x. sums: the contribution of the row. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_SWEEP_ROWS_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_SWEEP_ROWS_H

#include "solvers/staggered/pressure/sweeps.h"

/* The a of q(x) = a - x, 2 and more: x q(x) > 0 on (0, 2], where the eigenvalues of A/diag are. With 2 itself the
 * checkerboard would have none. */
#define TRIAD_STAGGERED_POLYNOMIAL 2.1

/* d = M r + beta d; d = z + beta d. */
void triad_staggered_direction_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);
void triad_staggered_given_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);

/* p = p + alpha d, r = r - alpha A d; r = b - A p. Both: r . r, and r . r/diag where cells have diagonals of their
 * own. */
void triad_staggered_descent_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);
void triad_staggered_residual_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);

/* The residual's r . r alone; r stays as it is. */
void triad_staggered_squares_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);

/* The sum of side (v_i - v_j)^2 over the lower faces of a row's cells, v = f or, scaled, f/diag. */
double triad_staggered_faces(const triad_staggered_sweeps *s, const triad_real *f, int scaled, int64_t y, int64_t z);

#endif
