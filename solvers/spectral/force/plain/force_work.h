/* Forces by formula: the work that a stage has with them, known from the case. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_WORK_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_WORK_H

#include "case/case.h"
#include "solvers/spectral/plain/shape.h"

/* Work of a force by formula, or'ed, 0 for other kinds: modes computed once; fields as modes; evaluation at points in
 * every stage, with transforms; the latter with more formulas than kernels support. Not collective. */
enum {
  TRIAD_FORCE_OF_POINTS = 1,
  TRIAD_FORCE_OF_FIELDS = 2,
  TRIAD_FORCE_AT_POINTS = 4,
  TRIAD_FORCE_BEYOND_KERNELS = 8
};
enum { TRIAD_FORCE_KERNELS_TAKE = 32 };
int triad_force_work(const triad_case *given, int *work);

/* The number of results that the last pass of a stage has for formulas at points, 0: none. Not collective. */
int triad_force_results(const triad_case *given, const triad_shape *shape, int *n);

#endif
