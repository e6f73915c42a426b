/* Descriptions of the quantities that solvers write to files; for fields see grid/field.h. */
#ifndef TRIAD_SOLVERS_INFO_H
#define TRIAD_SOLVERS_INFO_H

#include "base/precision.h"
#include "grid/field.h"

#include <math.h>
#include <stdint.h>

/* The values of a column in a resolved flow: at least or at most `bound`. A run monitors them (src/run/limits.h). */
typedef enum triad_limit_kind { TRIAD_LIMIT_NONE, TRIAD_LIMIT_MIN, TRIAD_LIMIT_MAX } triad_limit_kind;
typedef struct triad_column_limit {
  triad_limit_kind kind;
  double bound;
} triad_column_limit;

/* A column of series.csv, or a spectrum. */
typedef struct triad_column_info {
  const char *name, *unit, *formula;
  triad_column_limit limit;
} triad_column_info;

/* The end of a column's formula in files, for people and programs that read them: "; resolved: at least X",
 * "; resolved: at most X", or "" if there is no limit. Returns text. */
enum { TRIAD_LIMIT_TEXT = 64 };
const char *triad_column_limit_text(const triad_column_info *column, char text[TRIAD_LIMIT_TEXT]);

/* "at least" or "at most". */
const char *triad_limit_words(triad_limit_kind kind);

/* The limit of a column of k_max eta. */
#define TRIAD_LIMIT_ETA \
  { \
    TRIAD_LIMIT_MIN, 1 \
  }

/* A column that a case conserves, and how well its scheme does so (src/run/conserved.h). */
enum { TRIAD_MOST_CONSERVED = 8 };
typedef struct triad_conserved {
  int column;
  /* what a drift is compared with, in the column's unit: the size that a quantity of any sign can have */
  double scale;
  double error;       /* part of the scale that the scheme itself may lose or gain; 0: it makes rounding errors only */
  const char *remedy; /* what to change if it drifts, for a sentence that begins with "try" */
} triad_conserved;

/* A scheme whose error falls with the step has lost its accuracy if a conserved quantity changes by this part. */
#define TRIAD_CONSERVED_IN_TIME 0.01

/* k_max eta of n points in a box: k_max = pi (points/volume)^(1/3), eta = (nu^3/dissipation)^(1/4), the dissipation
 * per mass. NAN, an empty place in the series, for a flow of fewer than three dimensions, or without viscosity or
 * motion. */
static inline double triad_kmax_eta(const int64_t n[3], const double length[3], double nu, double dissipation)
{
  double k = 1;
  for (int i = 0; i < 3; i++) k *= n[i] > 1 ? (double)n[i] / length[i] : 0;
  return k > 0 && nu > 0 && dissipation > 0 ? TRIAD_PI * cbrt(k) * pow(nu * nu * nu / dissipation, 0.25) : NAN;
}

#endif
