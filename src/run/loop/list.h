/* The families of solvers. A family F defines `const triad_driver TRIAD_NAME(driver_F)` in both precisions. */
#ifndef TRIAD_RUN_LOOP_LIST_H
#define TRIAD_RUN_LOOP_LIST_H

#define TRIAD_DRIVERS(X) X(spectral) X(compressible)

#endif
