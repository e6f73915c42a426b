/* Who owns which planes of physical space and which columns of spectral space, and how columns lie in memory.
 *
 * Physical space: real [z_local][y][x], x fastest; planes are dealt evenly (a rank may own none).
 * Spectral space: a *column* is one (kx, ky) inside the truncation with every kept kz. Reality, u(-k) = conj u(k),
 * lets us hold kx >= 0 only, and of the columns with kx = 0 (or kx = nx/2) only one of (kx, ky), (kx, -ky): the
 * other one is its conjugate and is made where it is needed, so that the two cannot drift apart. Columns are numbered
 * by ky row (ky = 0, 1, .., Ky, -Ky, .., -1) with kx fastest, and dealt to ranks in equal runs.
 *
 * Local storage: blocks of `lanes` columns, complex [block][j][lane], lane fastest, j = 0..nkz-1 numbering
 * kz = 0, 1, .., Kz, -Kz, .., -1. Lanes past the last column hold zeros, as do modes outside the truncation. */
#ifndef TRIAD_GRID_LAYOUT_H
#define TRIAD_GRID_LAYOUT_H

#include "grid/grid.h"

/* Columns (kx_first .. kx_first + count - 1, ky) with global numbers column .. column + count - 1. */
typedef struct triad_row {
  int64_t ky, y; /* integer wavenumber, and its place 0..ny-1 in a transform of length ny */
  int64_t kx_first, count, column;
} triad_row;

typedef struct triad_layout {
  triad_grid grid;
  int rank, size;

  int64_t *plane_begin;  /* [size + 1] planes z of rank r: plane_begin[r] .. plane_begin[r+1] - 1   */
  int64_t *column_begin; /* [size + 1] columns of rank r, likewise                                  */
  int64_t n_planes, n_columns;  /* this rank's                                                      */
  int64_t all_columns;          /* all ranks'                                                       */

  int64_t n_rows;
  triad_row *rows;       /* [n_rows] all columns, row by row                                        */

  int64_t lanes, n_blocks; /* columns in a block; blocks of this rank                               */
  int64_t nkz, kz_positive; /* kept kz; how many of them are >= 0                                   */
  int64_t modes;           /* complex numbers a field takes here: n_blocks * nkz * lanes            */

  /* per local column, padded to n_blocks * lanes */
  int32_t *kx, *ky;   /* integer wavenumbers (0 in padding)                                         */
  int32_t *kz_extent; /* |kz| <= kz_extent is kept; -1 in padding                                   */
  double *wx, *wy;    /* wavenumbers 2 pi k / L                                                     */
  double *weight;     /* 2 where the column stands for its conjugate too, 1 where it holds both, 0 in padding */
  int32_t *self;      /* 1 where the column is its own conjugate, u(-kz) = conj u(kz)               */
  /* per j */
  int32_t *kz;
  double *wz;
} triad_layout;

/* Deal `grid` over `size` ranks as seen by `rank`. Every size works; ranks beyond the planes stay idle in physical
 * space. lanes >= 1. TRIAD_ERR_MEMORY. Not collective: it communicates nothing. */
int triad_layout_create(triad_layout **out, const triad_grid *grid, int rank, int size, int64_t lanes);
void triad_layout_destroy(triad_layout **layout);

/* First of `count` things that rank r of `size` gets when they are dealt evenly in order. */
int64_t triad_deal(int64_t count, int rank, int size);

/* Global number of column (kx, ky), kx >= 0, or -1 when it is not held; *conjugate tells that (kx, -ky) is held
 * instead and that its conjugate at -kz is meant. */
int64_t triad_layout_find(const triad_layout *layout, int64_t kx, int64_t ky, int *conjugate);

/* Place of (local column c, kz number j) in a field's storage. */
static inline int64_t triad_layout_place(const triad_layout *l, int64_t c, int64_t j)
{
  return ((c / l->lanes) * l->nkz + j) * l->lanes + c % l->lanes;
}

/* Number j of wavenumber kz, |kz| <= Kz. */
static inline int64_t triad_layout_kz_number(const triad_layout *l, int64_t kz) { return kz >= 0 ? kz : kz + l->nkz; }

#endif
