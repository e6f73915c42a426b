/* Transforms of lines, the CPU's all of them: by FFTW, or of our own (fft/lane_plan.h), which the length, the build
 * and the planning decide, so that it is the same for every rank and after a restart.
 *
 * Three shapes are planned once: two real rows along x, a plane's lines along y, a block of columns along z.
 *
 * Two rows a, b of reals are one complex row a + i b, whose line along x costs less than two real ones: the
 * library's complex lines use the vector registers better (docs/notebook/lines-along-x.md has the times). Of the
 * spectrum Z of a + i b,
 *   Z_k = a_k + i b_k,   Z_{n-k} = conj(a_k) + i conj(b_k),   k = 0 .. K.
 * Every rank and thread uses the same plans on the same shapes, so an answer does not depend on who computed it.
 * Signs: forward exp(-i k x), backward exp(+i k x); neither is scaled. */
#ifndef TRIAD_FFT_LINES_H
#define TRIAD_FFT_LINES_H

#include "base/precision.h"
#include "parallel/context.h"

#include <stdint.h>

typedef struct triad_lines triad_lines;

typedef struct triad_lines_shape {
  int64_t n[3];          /* points along x, y, z                                                 */
  int64_t stride, width; /* planes are complex [y][stride]; y-transforms visit kx < width        */
  int64_t kept;          /* kx < kept <= width is all that is in them                            */
  int64_t lanes;         /* z-blocks are complex [z][lanes]                                      */
} triad_lines_shape;

typedef enum triad_planning {
  TRIAD_PLAN_MEASURED, /* timed once on rank 0 and remembered in the wisdom file        */
  TRIAD_PLAN_ESTIMATED /* by rule: the same on every machine with this FFTW and these instructions */
} triad_planning;

/* Plan on rank 0 and give every rank the same plans. Measured plans are remembered (fft/wisdom.h): in the folder
 * `wisdom`, a run directory, so that a resumed run repeats its own bit for bit; and those that are made anew in the
 * user's own file, also with wisdom = NULL. TRIAD_ERR_CASE where FFTW has no plan. Collective. */
int triad_lines_create(triad_lines **out, triad_context *context, const triad_lines_shape *shape,
                       triad_planning planning, const char *wisdom);
void triad_lines_destroy(triad_lines **lines);

/* Two rows along x: the spectra a and b, complex [kept], -> their values, real [nx][2], and back; `line`, complex [nx],
 * is for work. 64-byte aligned, not overlapping. The imaginary parts of k = 0 and of k = nx/2 count as 0. Forward
 * overwrites the values, and leaves zeros in kept <= kx < width. */
void triad_lines_x_backward(const triad_lines *lines, const triad_cplx *a, const triad_cplx *b, triad_cplx *line,
                            triad_real *values);
void triad_lines_x_forward(const triad_lines *lines, triad_real *values, triad_cplx *line, triad_cplx *a,
                           triad_cplx *b);

/* Every kx < width of a plane along y, in place. */
void triad_lines_y_backward(const triad_lines *lines, triad_cplx *plane);
void triad_lines_y_forward(const triad_lines *lines, triad_cplx *plane);

/* A block of columns along z, complex [nz][lanes], in place. */
void triad_lines_z_backward(const triad_lines *lines, triad_cplx *block);
void triad_lines_z_forward(const triad_lines *lines, triad_cplx *block);

#endif
