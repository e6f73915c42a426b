/* Line transforms on the CPU: by FFTW or by built-in kernels (fft/lines/lane_plan.h). The choice depends only on the
 * length, the build, the planning mode and the caller's choice, so it is the same on every rank and after a restart.
 *
 * Three shapes are planned once: two real rows along x, a plane's lines along y, a block of columns along z.
 *
 * Two rows a, b of reals form one complex row a + i b, whose transform along x costs less than two real ones, because
 * complex lines use the vector registers better (docs/notebook/lines-along-x.md has the times). The spectrum Z of a +
 * i b satisfies
 *   Z_k = a_k + i b_k,   Z_{n-k} = conj(a_k) + i conj(b_k),   k = 0 .. K.
 * Every rank and thread uses the same plans on the same shapes, so results do not depend on who computed them. Signs:
 * forward exp(-i k x), backward exp(+i k x); neither is scaled. */
#ifndef TRIAD_FFT_LINES_LINES_H
#define TRIAD_FFT_LINES_LINES_H

#include "base/precision.h"
#include "grid/grid.h"
#include "parallel/context.h"

#include <stdint.h>

typedef struct triad_lines triad_lines;

typedef struct triad_lines_shape {
  int64_t n[3];             /* points along x, y, z                                                 */
  int64_t stride, width;    /* planes are complex [y][stride]; y-transforms process kx < width */
  int64_t kept;             /* planes contain only kx < kept <= width */
  int64_t lanes;            /* z-blocks are complex [z][lanes]                                      */
  triad_line_choice choice; /* TRIAD_LINES_OWN: built-in kernels wherever there is one for a length */
} triad_lines_shape;

typedef enum triad_planning {
  TRIAD_PLAN_MEASURED, /* timed once on rank 0 and stored in the wisdom file */
  TRIAD_PLAN_ESTIMATED /* by rule: the same on every machine with this FFTW and these instructions */
} triad_planning;

/* Plan on rank 0 and give every rank the same plans. Measured plans are saved (fft/lines/wisdom.h): in the folder
 * `wisdom`, a run directory, so that a resumed run repeats its own bit for bit; newly measured ones also in the user's
 * file, even with wisdom = NULL. TRIAD_ERR_CASE if FFTW has no plan. Collective. */
int triad_lines_create(triad_lines **out, triad_context *context, const triad_lines_shape *shape,
                       triad_planning planning, const char *wisdom);
void triad_lines_destroy(triad_lines **lines);

/* Has the build a kernel for lines of n points along an axis (0, 1, 2)? Lines of one point count as having one. */
int triad_lines_own_serve(int axis, int64_t n);

/* Does a built-in kernel transform the lines along an axis? */
int triad_lines_are_own(const triad_lines *lines, int axis);

/* Two rows along x: the spectra a and b, complex [kept] in memory for nx/2 + 1, -> their values, real [nx][2], and
 * back; `line`, complex [nx], is for work. 64-byte aligned, not overlapping. The imaginary parts of k = 0 and of k =
 * nx/2 count as 0. Forward overwrites the values, and leaves zeros in kept <= kx < width. */
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
