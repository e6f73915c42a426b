/* Implicit steps towards a steady flow: Euler backwards, linearised with first-order fluxes split by their largest
 * wave,
 *   (V/dt + rate) D_i = -R_i - 1/2 sum over faces of (F(U_j + D_j) - F(U_j)).s - lambda_j D_j,
 * lambda being |u.s| + c S and, of diffusion, 2 nu S^2/V, solved by a few sweeps of Jacobi's, which have no order
 * among cells and so are alike on any parts (data-parallel lower-upper relaxation: Wright, Candler and Prampolini
 * 1996, AIAA J. 34, 1371). Beyond boundaries the change is 0. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_IMPLICIT_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_IMPLICIT_H

#include "solvers/multiblock/step/loops.h"

/* The state after a step of dt = cfl V/rate in each cell, with primitives and halos. Collective. */
void triad_multiblock_implicit_step(triad_multiblock_flow *f, double cfl);

#endif
