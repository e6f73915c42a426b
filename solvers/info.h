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

#endif
