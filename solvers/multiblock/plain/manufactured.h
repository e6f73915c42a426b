/* Manufactured solutions, sums of sines and cosines, and their source terms. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_MANUFACTURED_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_MANUFACTURED_H

#include "solvers/multiblock/plain/exact.h"

/* manufactured.c: the solutions of Roy, Nelson, Smith and Ober 2004 (Int. J. Numer. Meth. Fluids 44, 599): supersonic
 * inviscid, laminar; and one in three dimensions. */
void triad_multiblock_supersonic(const triad_multiblock_exact *e, const double x[3], double t,
                                 double q[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
void triad_multiblock_laminar(const triad_multiblock_exact *e, const double x[3], double t,
                              double q[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
void triad_multiblock_spatial(const triad_multiblock_exact *e, const double x[3], double t,
                              double q[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
void triad_multiblock_supersonic_source(const triad_multiblock_exact *e, const double x[3],
                                        double s[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
void triad_multiblock_laminar_source(const triad_multiblock_exact *e, const double x[3],
                                     double s[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
void triad_multiblock_spatial_source(const triad_multiblock_exact *e, const double x[3],
                                     double s[TRIAD_MULTIBLOCK_EXACT_FIELDS]);

#endif
