/* The families of solvers. A family F defines `const triad_solver triad_solver_F` in both precisions. */
#ifndef TRIAD_SOLVERS_LIST_H
#define TRIAD_SOLVERS_LIST_H

#define TRIAD_SOLVERS(X) X(spectral) X(compressible) X(staggered) X(multiblock) X(unstructured)

/* Makes the families known to the case (case/part.h). Every program calls it before it reads its first case; again it
 * does nothing. */
void triad_solvers_register(void);

#endif
