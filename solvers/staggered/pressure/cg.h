/* The pressure: A p = b with A = -V div grad of the open faces, by conjugate gradients, or at once by the transform.
 *
 * A is symmetric and has one null vector, the constant, in each region of fluid; b sums to 0 there. The answer has
 * no mean over the fluid. docs/methods/staggered.md. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_CG_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_CG_H

#include "solvers/solver.h"
#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_solver triad_staggered_solver;

/* What became of a solve; residuals are relative to |b|. */
typedef struct triad_staggered_solved {
  int iterations;
  double residual; /* |b - A p|/|b|, recomputed from p */
} triad_staggered_solved;

/* As mesh->setup says, which outlives it. wisdom: where plans are kept (fft/lines/lines.h). TRIAD_ERR_MEMORY.
 * Collective. */
int triad_staggered_solver_create(triad_staggered_solver **out, triad_staggered_mesh *mesh, const char *wisdom);
void triad_staggered_solver_destroy(triad_staggered_solver **solver);

/* Cells have other sizes. Collective. */
void triad_staggered_solver_renew(triad_staggered_solver *solver);

/* p: a guess, and then the answer, its halo filled, |b - A p| <= tolerance |b| or <= rounding. b is changed: its
 * mean is taken away. TRIAD_ERR_BLOWUP where that is not reached, with the history of residuals in the message.
 * Collective. */
int triad_staggered_solve(triad_staggered_solver *solver, triad_real *b, double tolerance, double rounding,
                          triad_real *p, triad_staggered_solved *solved);

/* Time of sweeps, sums, halos and transforms of solves since the last call, by phase (state/phases.h) [s]. Not
 * collective. */
triad_phases triad_staggered_solver_phases(triad_staggered_solver *solver);

/* For `triad bench`: apart: iterations of conjugate gradients run their parts one after the other, or overlap them
 * again; parts: time of the parts since the last call; overlaps: 1 if inner cells are computed while others are
 * communicated. Not collective. */
void triad_staggered_solver_apart(triad_staggered_solver *solver, int apart);
void triad_staggered_solver_parts(triad_staggered_solver *solver, double part_s[TRIAD_SOLVE_PARTS]);
int triad_staggered_solver_overlaps(const triad_staggered_solver *solver);

#endif
