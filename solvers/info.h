/* How solvers name their fields and the numbers they tell of them, as files have it. */
#ifndef TRIAD_SOLVERS_INFO_H
#define TRIAD_SOLVERS_INFO_H

typedef struct triad_field_info {
  const char *name, *long_name, *unit;
} triad_field_info;

/* A column of series.csv, or a spectrum, and the formula that stands in its comment lines. */
typedef struct triad_column_info {
  const char *name, *unit, *formula;
} triad_column_info;

#endif
