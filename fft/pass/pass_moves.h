/* Exchange between lines along y and rows along x within a group of ranks that share planes. */
#ifndef TRIAD_FFT_PASS_PASS_MOVES_H
#define TRIAD_FFT_PASS_PASS_MOVES_H

#include "fft/pass/pass_internal.h"

/* pass_moves.c: a part of a piece, between a batch of lines, `plane`, and the rows of all members; row number `row`
 * of this rank, of plane `at` and field f, between the members' messages and a whole row (in shared memory rows are
 * whole). */
void triad_pass_lines_to(const triad_pass *p, int64_t piece, const triad_pass_part *t, const triad_cplx *plane);
void triad_pass_lines_from(const triad_pass *p, int64_t piece, const triad_pass_part *t, triad_cplx *plane);
void triad_pass_row_from(const triad_pass *p, int64_t piece, int64_t at, int f, int64_t row, triad_cplx *to);
void triad_pass_row_to(const triad_pass *p, int64_t piece, int64_t at, int f, int64_t row, const triad_cplx *from);

#endif
