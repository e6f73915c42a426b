/* The stability limit of steps by the flow. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_PLAIN_COURANT_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_PLAIN_COURANT_H

#include "grid/grid.h"
#include "solvers/schemes.h"

/* The angle by which a mode turns from one point to the next, at most: that of the largest sphere, or of the given one.
 * Not collective. */
double triad_stepper_angle(const triad_grid *grid);

/* The largest Courant number dt max sum_i |u_i|/dx_i at which a scheme is stable: its stability limit on the imaginary
 * axis over the largest k dx of the kept modes, 2 pi/3, sqrt(2) times that with phase shifts, or pi without
 * truncation. 0: not known. Not collective. */
double triad_stepper_bound(const triad_scheme *scheme, const triad_grid *grid);

#endif
