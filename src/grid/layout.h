/* The distribution of the planes of physical space and the columns of spectral space over ranks, and the memory layout
 * of columns.
 *
 * Physical space: real [z_local][y][x], x fastest. Planes are distributed evenly; a rank may own none. Spectral space:
 * a *column* is one (kx, ky) inside the truncation with every kept kz. Because u(-k) = conj u(k), only kx >= 0 is
 * stored, and for kx = 0 (or kx = nx/2) only one of the columns (kx, ky), (kx, -ky): the other is its conjugate and is
 * computed where it is needed, so the two cannot drift apart. Columns are numbered by ky row (ky = 0, 1, .., Ky, -Ky,
 * .., -1) with kx fastest, and assigned to ranks in equal ranges.
 *
 * With a second split, the `group` neighbouring ranks p group .. p group + group - 1 share the planes with index p of
 * size/group. Each rank has a range of rows y (an even number) and some kx for lines along y. The kx are assigned a
 * few at a time, forward and back, so that numbers of lines and columns are even. The columns with its kx are
 * distributed in order over the ranks of all groups that have the same index within their group
 * (docs/methods/transform.md has a picture). group = 1: whole planes.
 *
 * Local storage: blocks of `lanes` columns, complex [block][j][lane], lane fastest, where j = 0 .. nkz - 1 numbers kz
 * = 0, 1, .., Kz, -Kz, .., -1. Lanes after the last column are zero, and so are modes outside the truncation.
 *
 * Modes may lean, as those of a sheared flow do: with a skew s the wavenumber along y of column (kx, ky) is
 * 2 pi ky/Ly - s 2 pi kx/Lx, and the points of a transform are at x + s y. Integer wavenumbers, and so the kept modes,
 * do not depend on it (docs/methods/shear.md). */
#ifndef TRIAD_GRID_LAYOUT_H
#define TRIAD_GRID_LAYOUT_H

#include "grid/grid.h"

/* Columns (kx_first .. kx_first + count - 1, ky) with global numbers column .. column + count - 1. */
typedef struct triad_row {
  int64_t ky, y; /* integer wavenumber, and its index 0..ny-1 in a transform of length ny */
  int64_t kx_first, count, column;
} triad_row;

typedef struct triad_layout {
  triad_grid grid;
  int rank, size;
  int group, member; /* ranks that share planes; index of this rank among them */

  int64_t *plane_begin;          /* [size + 1] planes z of rank r: plane_begin[r] .. plane_begin[r+1] - 1   */
  int64_t *column_begin;         /* [size + 1] first column of each rank; both NULL if group > 1 */
  int64_t first_plane, n_planes; /* this rank's                                                     */
  int64_t first_y, n_y;          /* rows of this rank in each of its planes */
  int64_t n_columns;             /* this rank's                                                     */
  int64_t all_columns;           /* all ranks'                                                      */
  int64_t even_columns;          /* largest number of columns of a rank: all_columns/size rounded up */
  struct triad_split *split;     /* distribution within a group; NULL if group = 1 */

  int64_t n_rows;
  triad_row *rows; /* [n_rows] all columns, row by row                                        */

  int64_t lanes, n_blocks;  /* columns in a block; blocks of this rank                               */
  int64_t nkz, kz_positive; /* kept kz; how many of them are >= 0                                   */
  int64_t modes;            /* complex numbers a field takes here: n_blocks * nkz * lanes            */

  /* per local column, padded to n_blocks * lanes */
  int32_t *kx, *ky;        /* integer wavenumbers (0 in padding) */
  int32_t *kz_extent;      /* |kz| <= kz_extent is kept; -1 in padding                                   */
  double *wx, *wy;         /* wavenumbers of first derivatives: 2 pi k / L, but 0 at n/2 (grid.h)        */
  double *size_x, *size_y; /* wavenumbers by size: 2 pi k / L; the same memory as wx, wy if no mode at n/2 is kept */
  double skew;             /* of wy and size_y; 0: modes do not lean */
  double *weight;          /* 2 if the column represents its conjugate too, 1 if it holds both, 0 in padding */
  int32_t *self;           /* 1 if the column is its own conjugate, u(-kz) = conj u(kz) */
  /* per j */
  int32_t *kz;
  double *wz;     /* of first derivatives                                                       */
  double *size_z; /* by size                                                                    */
} triad_layout;

/* Distribute `grid` over `size` ranks; the result is that of `rank`. Any size works; ranks without planes are idle in
 * physical space. lanes >= 1. TRIAD_ERR_MEMORY. Not collective: it does not communicate. */
int triad_layout_create(triad_layout **out, const triad_grid *grid, int rank, int size, int64_t lanes);

/* The same for groups of `group` ranks that share planes; group divides size. */
int triad_layout_create_split(triad_layout **out, const triad_grid *grid, int rank, int size, int group, int64_t lanes);
void triad_layout_destroy(triad_layout **layout);

/* A skew up to this is rounding: such fields are periodic along y. */
#define TRIAD_SKEW_OF_ROUNDING 1e-9

/* Set the skew, and with it wy and size_y of all columns. TRIAD_ERR_INTERNAL if the grid has Nyquist modes, which have
 * no derivative that could lean. Not collective. */
int triad_layout_set_skew(triad_layout *layout, double skew);

/* The skew, or 0 if it is rounding: of fields that are periodic along y. */
double triad_layout_skew(const triad_layout *layout);

/* The first of `count` items that rank r of `size` gets when they are distributed evenly in order. */
int64_t triad_deal(int64_t count, int rank, int size);

/* The rank that gets item i of them. */
int triad_dealt_to(int64_t count, int size, int64_t i);

/* Global number of column (kx, ky), kx >= 0, or -1 if it is not stored. *conjugate is 1 if (kx, -ky) is stored
 * instead, and its conjugate at -kz is required. */
int64_t triad_layout_find(const triad_layout *layout, int64_t kx, int64_t ky, int *conjugate);

/* number: global number of local column c. local: local number of a global column; -1: another rank has it. */
int64_t triad_layout_number(const triad_layout *layout, int64_t c);
int64_t triad_layout_local(const triad_layout *layout, int64_t column);

/* owner: the rank that has a global column; *local: its local number there. columns_of: number of columns of a rank. */
int triad_layout_owner(const triad_layout *layout, int64_t column, int64_t *local);
int64_t triad_layout_columns_of(const triad_layout *layout, int rank);

/* points: number of points of this rank, real [z_local][y_local][x]. row: the index of the first point of row y of
 * plane z, which this rank must own. */
static inline int64_t triad_layout_points(const triad_layout *l) { return l->n_planes * l->n_y * l->grid.n[0]; }

static inline int64_t triad_layout_row(const triad_layout *l, int64_t y, int64_t z)
{
  return ((z - l->first_plane) * l->n_y + y - l->first_y) * l->grid.n[0];
}

/* Index of (local column c, kz number j) in a field's storage. */
static inline int64_t triad_layout_place(const triad_layout *l, int64_t c, int64_t j)
{
  return ((c / l->lanes) * l->nkz + j) * l->lanes + c % l->lanes;
}

/* The wavenumber of a mode by size, for shells, bands, planes and the Laplacian; and its square. */
static inline void triad_layout_size(const triad_layout *l, int64_t c, int64_t j, double w[3])
{
  w[0] = l->size_x[c];
  w[1] = l->size_y[c];
  w[2] = l->size_z[j];
}

static inline double triad_layout_size2(const triad_layout *l, int64_t c, int64_t j)
{
  return l->size_x[c] * l->size_x[c] + l->size_y[c] * l->size_y[c] + l->size_z[j] * l->size_z[j];
}

/* The wavenumber of a mode for first derivatives: gradient, curl, divergence, projection. */
static inline void triad_layout_derivative(const triad_layout *l, int64_t c, int64_t j, double w[3])
{
  w[0] = l->wx[c];
  w[1] = l->wy[c];
  w[2] = l->wz[j];
}

/* Returns 1 if initial conditions and forces may give energy to the mode (triad_grid_excites). */
static inline int triad_layout_excites(const triad_layout *l, int64_t c, int64_t j)
{
  return l->kz_extent[c] >= 0 && triad_grid_excites(&l->grid, l->kx[c], l->ky[c], l->kz[j]);
}

/* Number j of wavenumber kz, |kz| <= Kz. */
static inline int64_t triad_layout_kz_number(const triad_layout *l, int64_t kz) { return kz >= 0 ? kz : kz + l->nkz; }

#endif
