/* The decomposition of a line of n points into small transforms: Stockham's autosort (Van Loan 1992, Computational
 * Frameworks for the FFT, section 1.7), n = r_1 r_2 .. . Before stage i, s = r_1 .. r_{i-1} transforms of n/s points
 * remain; it reads m = n/(s r) groups of r elements at q + s (p + j m) and writes them to q + s (r p + k), times exp(-2
 * pi i p k s/n), q < s, p < m. The same n has the same stages on every machine. For lines.c, lane_lines.c and
 * lane_rows.c. */
#ifndef TRIAD_FFT_LINES_LANE_PLAN_H
#define TRIAD_FFT_LINES_LANE_PLAN_H

#include "base/memory.h"
#include "base/precision.h"

enum { TRIAD_LANE_STAGES = 12, TRIAD_LANE_RADICES = 17 /* the largest and one */ };

typedef struct triad_lane_stage {
  int radix;
  int64_t m, s;
  triad_real *factors; /* [m][radix - 1][re, im]; the first of rows: [m/lanes][radix - 1][re, im][lane] */
} triad_lane_stage;

typedef struct triad_lane_plan {
  int64_t n;
  int n_stages;
  triad_lane_stage stage[TRIAD_LANE_STAGES];
} triad_lane_plan;

/* Find a plan for n points, n > 1 with no prime factor above 7. first > 0: radix of the first stage, a divisor of n,
 * which processes `lanes` groups at once. Returns 0 if there is no plan. create: TRIAD_ERR_MEMORY for its factors;
 * destroy accepts a plan that was not created. */
int triad_lane_plan_find(triad_lane_plan *plan, int64_t n, int first);
int triad_lane_plan_create(triad_lane_plan *plan, triad_memory *memory, int lanes);
void triad_lane_plan_destroy(triad_lane_plan *plan, triad_memory *memory);

#endif
