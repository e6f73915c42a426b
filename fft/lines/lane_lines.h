/* Transforms of strided lines by built-in kernels: whether they support a length, their work space, and the
 * transform. */
#ifndef TRIAD_FFT_LINES_LANE_LINES_H
#define TRIAD_FFT_LINES_LANE_LINES_H

#include "fft/lines/lane_plan.h"

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

#endif
