/* How a line of n points is made of small ones: Stockham's autosort (Van Loan 1992, Computational Frameworks for the
 * FFT, section 1.7), n = r_1 r_2 .. . Before stage i, s = r_1 .. r_{i-1} transforms of n/s points remain; it takes m
 * = n/(s r) groups of r elements at q + s (p + j m) to q + s (r p + k), times exp(-2 pi i p k s/n), q < s, p < m.
 * Numbers only: the same n has the same stages everywhere. For lines.c, lane_lines.c and lane_rows.c. */
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

/* ---- lane_lines.c ---- */

/* Does the build have them, for this n? Then the plan is set; else it is left without stages. */
int triad_lane_lines_find(triad_lane_plan *plan, int64_t n);

/* Has the build registers of 512 bits, 32 of them? With 16 of 256 bits large radices do not fit. */
int triad_lane_lines_wide(void);

/* Real numbers that one thread works in, for lines of n points. */
int64_t triad_lane_room(int64_t n);

/* `count` lines, neighbours, points `stride` apart, stride >= count, in place; backward: exp(+i k x). Lines up to
 * the next full vector are transformed too where the stride has room for them. */
void triad_lane_lines(const triad_lane_plan *plan, triad_cplx *data, int64_t count, int64_t stride, int backward,
                      triad_real *room);

/* ---- lane_rows.c ---- */

/* As triad_lines_x_backward and _forward (fft/lines/lines.h), for n that the square of `lanes` divides. */
int triad_lane_rows_find(triad_lane_plan *plan, int64_t n, int *lanes);
void triad_lane_rows_backward(const triad_lane_plan *plan, int64_t kept, const triad_cplx *a, const triad_cplx *b,
                              triad_real *room, triad_real *values);
void triad_lane_rows_forward(const triad_lane_plan *plan, int64_t kept, const triad_real *values, triad_real *room,
                             triad_cplx *a, triad_cplx *b);

#endif
