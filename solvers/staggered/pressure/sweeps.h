/* The two sweeps of an iteration of conjugate gradients for the pressure's matrix A.
 *
 *   direction   d = z + beta d                              d . A d      reads z, d     writes d
 *   descent     p = p + alpha d,  r = r - alpha A d         r . r, r . z reads d, p, r  writes p, r
 *
 * A d is computed again where it is needed instead of being stored, and so is z = M r with the polynomial M = (2.1 -
 * A/diag)/diag. For any v,
 *
 *   v . A v = sum over faces of side (v_i - v_j)^2
 *
 * needs a row and the three rows below it, which are in cache. A sweep computes its products on the way, and moves 64
 * bytes per cell and iteration in double precision. A wall's ghosts mirror the cell at it, so that only rows next to
 * solids test for open faces. Sums are exact: they do not depend on the number of threads, nor of ranks if rows are
 * not divided. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_SWEEPS_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_SWEEPS_H

#include "solvers/solver.h"
#include "solvers/staggered/state/mesh.h"
#include "solvers/staggered/state/phases.h"

typedef struct triad_staggered_sweeps {
  const triad_staggered_mesh *m;
  triad_halo *halo; /* of one field, along axes that are divided; NULL: none is */
  int uniform, polynomial, overlap;
  triad_real *r, *d; /* residual; direction (or NULL); ghosts filled by the sweeps that write them */
  /* of A without solids: one number; each cell's, if not uniform (else NULL) */
  triad_real per_diagonal, *per_diagonals;
  /* what rows are worked with */
  triad_real *p;
  const triad_real *z, *b;
  double alpha, beta;
  triad_phases phases; /* time of sweeps, halos and sums since they were last taken */
  double charged;      /* end of the last of them [s] */
  int apart;           /* 1: sweeps run their parts one after the other and measure them */
  double part_s[TRIAD_SOLVE_PARTS];
} triad_staggered_sweeps;

/* For a solver: with the polynomial z is the polynomial's, and descent finds r . z; where the transform alone is the
 * solve there is a residual only. TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_sweeps_create(triad_staggered_sweeps *sweeps, const triad_staggered_mesh *mesh,
                                  triad_staggered_pressure pressure);
void triad_staggered_sweeps_destroy(triad_staggered_sweeps *sweeps);

/* Cells have other sizes. Collective. */
void triad_staggered_sweeps_renew(triad_staggered_sweeps *sweeps);

/* z NULL: the polynomial's; else with or without ghosts. Collective. */
int triad_staggered_direction(triad_staggered_sweeps *sweeps, const triad_real *z, double beta, double *dq);

/* products: r . r and, of the polynomial, r . z. Collective. */
int triad_staggered_descent(triad_staggered_sweeps *sweeps, triad_real *p, double alpha, double products[2]);

/* r = b - A p, and its products; fills p's ghosts. Collective. */
int triad_staggered_residual(triad_staggered_sweeps *sweeps, const triad_real *b, triad_real *p, double products[2]);

/* The same without keeping it: the sum of its squares alone. Collective. */
int triad_staggered_squares(triad_staggered_sweeps *sweeps, const triad_real *b, triad_real *p, double *sum);

#endif
