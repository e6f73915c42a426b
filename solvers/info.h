/* How solvers name the numbers they tell of their fields, as files have it; fields: grid/field.h. */
#ifndef TRIAD_SOLVERS_INFO_H
#define TRIAD_SOLVERS_INFO_H

#include "grid/field.h"

/* A column of series.csv, or a spectrum, and the formula that stands in its comment lines. */
typedef struct triad_column_info {
  const char *name, *unit, *formula;
} triad_column_info;

#endif
