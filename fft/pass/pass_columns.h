/* Columns of a pass: transforms along z, and copies to and from the work columns of the exchange. */
#ifndef TRIAD_FFT_PASS_PASS_COLUMNS_H
#define TRIAD_FFT_PASS_PASS_COLUMNS_H

#include "fft/pass/pass.h"
#include "fft/pass/pass_internal.h"

/* Run only the first part: transform n_in inputs of each block of columns along z, in[f] complex [z][lane]. This
 * suffices for plane averages: the mean of a b over x and y is the sum over columns of weight Re(a conj b). visit is
 * called like the source. Not collective. */
void triad_pass_columns(triad_pass *pass, const triad_work *work,
                        void (*visit)(void *self, int thread, int64_t block, triad_cplx *const *in));

/* pass_columns.c: a block of columns, source and z backward into the work columns; and out of them, z forward and
 * sink. of: whether this is the only grid (0), the first of two (1) or the second (2). Callable by all threads at
 * once. */
void triad_pass_to_work(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t block);
void triad_pass_from_work(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t block, int of);

#endif
