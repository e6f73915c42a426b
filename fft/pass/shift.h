/* Modes of a shifted grid: u_k exp(i k.s) are the coefficients of u at the points x + s
 * (docs/methods/phase-shifts.md eq. 66). A block of columns is multiplied by the factors while it is in cache, and
 * divided by them on the way back. */
#ifndef TRIAD_FFT_PASS_SHIFT_H
#define TRIAD_FFT_PASS_SHIFT_H

#include "fft/pass/pass.h"

typedef struct triad_shift triad_shift;

/* TRIAD_ERR_MEMORY. The layout outlives it. Every function accepts NULL: no grid is shifted. Not collective. */
int triad_shift_create(triad_shift **out, triad_memory *memory, const triad_layout *layout);
void triad_shift_destroy(triad_shift **shift, triad_memory *memory);

/* By so many cells along x, y, z; NULL, or none along any: not at all. */
void triad_shift_set(triad_shift *shift, const double *cells);

/* The rows of n fields of a block, times exp(i sign k.s). */
void triad_shift_block(const triad_shift *shift, const triad_batch *block, int sign, int n, triad_cplx *const *fields);

#endif
