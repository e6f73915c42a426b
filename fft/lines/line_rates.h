/* The speed of the CPU's line transforms alone, for `triad bench --machine`: with the shapes and plans of a pass
 * (fft/pass/pass.h), in the buffers of one thread, which stay in the same caches as in a pass. */
#ifndef TRIAD_FFT_LINES_LINE_RATES_H
#define TRIAD_FFT_LINES_LINE_RATES_H

#include "parallel/context.h"

#include <stdint.h>

/* Nanoseconds on this rank, alone on its thread, of lines of n points, backward and forward, truncated as a sphere is:
 * ns[0] a real point along x, ns[1], ns[2] a complex one along y and z. The best of a few. TRIAD_ERR_MEMORY,
 * TRIAD_ERR_CASE. Collective. */
int triad_line_rates(triad_context *context, int64_t n, double ns[3]);

/* The same in the other precision, for src/run/bench/machine.c, which serves both. */
int triadf_line_rates(triad_context *context, int64_t n, double ns[3]);

#endif
