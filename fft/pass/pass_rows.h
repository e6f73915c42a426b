/* The innermost part of a pass: all rows of a plane along x, with the caller's function of points. */
#ifndef TRIAD_FFT_PASS_PASS_ROWS_H
#define TRIAD_FFT_PASS_PASS_ROWS_H

#include "fft/pass/pass_internal.h"

/* pass_rows.c: pair by pair x backward, points, x forward. At most 2 batch rows. */
void triad_pass_rows(triad_pass *p, const triad_work *work, triad_thread_space *s, const triad_pass_place *rows);

#endif
