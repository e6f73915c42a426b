/* Local transposes between packed columns and an x-y plane of half-spectrum rows.
 *
 * A plane is complex [y][stride], kx fastest, y = 0..ny-1; only kx <= Kx is ever nonzero. The columns of rank r at one
 * z lie packed as complex [n_columns(r)] in global order, so each ky row of the truncation is one run of both. */
#ifndef TRIAD_TRANSPOSE_COLUMNS_H
#define TRIAD_TRANSPOSE_COLUMNS_H

#include "base/precision.h"
#include "transpose/chain_waves.h"
#include "grid/layout.h"
#include "transpose/plain/chains.h"

typedef struct triad_row_run {
  int64_t y, kx, count, offset; /* plane[y][kx ..] <-> packed[offset ..], count numbers */
} triad_row_run;

typedef struct triad_columns triad_columns;

/* TRIAD_ERR_MEMORY. Not collective. */
int triad_columns_create(triad_columns **out, const triad_layout *layout);
void triad_columns_destroy(triad_columns **columns);

int64_t triad_columns_stride(const triad_columns *columns); /* complex numbers in a plane's row: >= nx/2 + 1      */
int64_t triad_columns_width(const triad_columns *columns);  /* those that y-transforms visit: >= Kx + 1           */
int64_t triad_columns_padded(const triad_columns *columns, int rank); /* packed columns of a rank, with its padding */

/* Copy the packed columns of `rank` into the plane. */
void triad_columns_scatter(const triad_columns *columns, int rank, const triad_cplx *packed, triad_cplx *plane);

/* After every rank's scatter: conjugate columns made from those held, everything else of the plane set to zero. */
void triad_columns_complete(const triad_columns *columns, triad_cplx *plane);

/* Copy the columns of `rank` out of the plane, times `scale`. */
void triad_columns_gather(const triad_columns *columns, int rank, const triad_cplx *plane, triad_real scale,
                          triad_cplx *packed);

/* The same of lines begin .. end - 1 (kx, or what a row's kx_first counts) alone; `plane` is where line `begin` of
 * row 0 lies. */
void triad_columns_scatter_lines(const triad_columns *columns, int rank, const triad_cplx *packed, int64_t begin,
                                 int64_t end, triad_cplx *plane);
void triad_columns_gather_lines(const triad_columns *columns, int rank, const triad_cplx *plane, int64_t begin,
                                int64_t end, triad_real scale, triad_cplx *packed);

/* The same for two consecutive results of a chain, pair[0] and [1]: gather their sum, with k_y - skew k_x for k_y. */
void triad_columns_gather_chain(const triad_columns *columns, int rank, const triad_cplx *const pair[2], int64_t begin,
                                int64_t end, const triad_chain_waves *waves, triad_real skew, triad_real scale,
                                triad_cplx *packed);

/* packed -= scale times these lines. */
void triad_columns_subtract(const triad_columns *columns, int rank, const triad_cplx *plane, int64_t begin, int64_t end,
                            triad_real scale, triad_cplx *packed);

/* Conjugates and zeros of these lines; lines `zero` and `nyquist` are those of kx = 0 and of kx = nx/2, -1: neither. */
void triad_columns_complete_lines(const triad_columns *columns, int64_t begin, int64_t end, int64_t zero,
                                  int64_t nyquist, triad_cplx *plane);

#endif
