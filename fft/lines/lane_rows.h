/* Transforms of pairs of real rows by built-in kernels, backward and forward. */
#ifndef TRIAD_FFT_LINES_LANE_ROWS_H
#define TRIAD_FFT_LINES_LANE_ROWS_H

#include "fft/lines/lane_plan.h"

/* As triad_lines_x_backward and _forward (fft/lines/lines.h), for n that the square of `lanes` divides. */
int triad_lane_rows_find(triad_lane_plan *plan, int64_t n, int *lanes);
void triad_lane_rows_backward(const triad_lane_plan *plan, int64_t kept, const triad_cplx *a, const triad_cplx *b,
                              triad_real *room, triad_real *values);
void triad_lane_rows_forward(const triad_lane_plan *plan, int64_t kept, const triad_real *values, triad_real *room,
                             triad_cplx *a, triad_cplx *b);

#endif
