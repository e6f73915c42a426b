/* How solvers name the numbers they tell of their fields, as files have it; fields: grid/field.h. */
#ifndef TRIAD_SOLVERS_INFO_H
#define TRIAD_SOLVERS_INFO_H

#include "grid/field.h"

/* A column of series.csv, or a spectrum, and the formula that stands in its comment lines. A column that tells whether a
 * flow is resolved ends its formula with "; resolved: at least X" or "; resolved: at most X", for people and programs that
 * read the series; a run heeds it too (src/run/limits.h). */
typedef struct triad_column_info {
  const char *name, *unit, *formula;
} triad_column_info;

/* 1 where the formula ends so: X, and whether it is the least or the most; else 0. */
int triad_column_limit(const triad_column_info *column, int *is_least, double *bound);

/* A column that a case conserves, and how well its scheme does so (src/run/conserved.h). */
enum { TRIAD_MOST_CONSERVED = 8 };
typedef struct triad_conserved {
  int column;
  double scale;       /* what a drift is compared with, in the column's unit: the size that a quantity of any sign can have */
  double error;       /* part of the scale that the scheme itself may lose or gain; 0: it makes rounding errors only */
  const char *remedy; /* what to change if it drifts, for a sentence that begins with "try" */
} triad_conserved;

/* A scheme whose error falls with the step has lost its accuracy if a conserved quantity changes by this part. */
#define TRIAD_CONSERVED_IN_TIME 0.01

#endif
