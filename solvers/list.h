/* The families of solvers. A family F defines `const triad_solver triad_solver_F` in both precisions. */
#ifndef TRIAD_SOLVERS_LIST_H
#define TRIAD_SOLVERS_LIST_H

#define TRIAD_SOLVERS(X) X(spectral) X(compressible) X(staggered) X(multiblock) X(unstructured)

#endif
