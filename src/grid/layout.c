/* The layout of planes and columns over ranks without a second split (layout.h). */
#include "grid/layout_split.h"

#include <math.h>
#include <stdlib.h>

static int64_t absolute(int64_t k) { return k < 0 ? -k : k; }

/* A column whose conjugate has the same kx: kx = 0, or kx = nx/2. */
static int mirrors_itself_in_x(const triad_grid *g, int64_t kx) { return kx == 0 || 2 * kx == g->n[0]; }

/* ky and -ky are the same wavenumber on the grid. */
static int is_self_conjugate(const triad_grid *g, int64_t kx, int64_t ky)
{
  return mirrors_itself_in_x(g, kx) && (ky == 0 || 2 * absolute(ky) == g->n[1]);
}

/* The largest of 0..most that is kept, as those below it are; the kx axis at kz = 0, or the kz axis of a column. */
static int64_t largest_kept(const triad_grid *g, int64_t most, int along_z, int64_t kx, int64_t ky)
{
  int64_t kept = 0;
  while (kept < most) {
    int64_t middle = (kept + most + 1) / 2;
    if (along_z ? triad_grid_keeps(g, kx, ky, middle) : triad_grid_keeps(g, middle, ky, 0)) kept = middle;
    else most = middle - 1;
  }
  return kept;
}

/* Kept kx of a row form one run: the lower conjugate of a pair (ky < 0) is not held. */
static void row_extent(const triad_grid *g, int64_t ky, int64_t *first, int64_t *count)
{
  int64_t last = triad_grid_keeps(g, 0, ky, 0) ? largest_kept(g, g->kmax[0], 0, 0, ky) : -1;
  *first = 0;
  if (ky < 0) {
    *first = 1;
    if (last > 0 && mirrors_itself_in_x(g, last)) last--;
  }
  *count = last - *first + 1;
  if (*count < 0) *count = 0;
}

static int make_rows(triad_layout *l)
{
  const triad_grid *g = &l->grid;
  int64_t ky_max = g->kmax[1];
  /* with ny even and no truncation, ky = -ny/2 is the same mode as ny/2 */
  int64_t ky_min = 2 * ky_max == g->n[1] ? -ky_max + 1 : -ky_max;
  if (g->n[1] == 1) ky_min = 0;
  l->rows = calloc((size_t)(ky_max - ky_min + 1), sizeof *l->rows);
  if (!l->rows) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the list of ky rows");
  for (int pass = 0; pass < 2; pass++) /* ky >= 0, then ky < 0: the order of a transform */
    for (int64_t ky = pass ? ky_min : 0; ky <= (pass ? -1 : ky_max); ky++) {
      triad_row row = {.ky = ky, .y = ky < 0 ? ky + g->n[1] : ky, .column = l->all_columns};
      row_extent(g, ky, &row.kx_first, &row.count);
      if (row.count == 0) continue;
      l->rows[l->n_rows++] = row;
      l->all_columns += row.count;
    }
  return TRIAD_OK;
}

static int make_ownership(triad_layout *l)
{
  l->plane_begin = calloc((size_t)l->size + 1, sizeof *l->plane_begin);
  l->column_begin = calloc((size_t)l->size + 1, sizeof *l->column_begin);
  if (!l->plane_begin || !l->column_begin) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "ownership of %d ranks", l->size);
  for (int r = 0; r <= l->size; r++) {
    l->plane_begin[r] = triad_deal(l->grid.n[2], r, l->size);
    l->column_begin[r] = triad_deal(l->all_columns, r, l->size);
  }
  l->first_plane = l->plane_begin[l->rank];
  l->n_planes = l->plane_begin[l->rank + 1] - l->first_plane;
  l->n_y = l->grid.n[1];
  l->n_columns = l->column_begin[l->rank + 1] - l->column_begin[l->rank];
  return TRIAD_OK;
}

static void fill_column(triad_layout *l, int64_t c, int64_t kx, int64_t ky)
{
  const triad_grid *g = &l->grid;
  int64_t extent = largest_kept(g, g->kmax[2], 1, kx, ky);
  l->kx[c] = (int32_t)kx;
  l->ky[c] = (int32_t)ky;
  l->kz_extent[c] = (int32_t)extent;
  l->wx[c] = triad_grid_derivative_wavenumber(g, 0, kx);
  l->wy[c] = triad_grid_derivative_wavenumber(g, 1, ky);
  l->size_x[c] = triad_grid_size_wavenumber(g, 0, kx);
  l->size_y[c] = triad_grid_size_wavenumber(g, 1, ky);
  l->self[c] = is_self_conjugate(g, kx, ky);
  l->weight[c] = l->self[c] ? 1 : 2;
}

/* This rank's columns of row r: so many, from its first among those that it may have there. */
static void own_columns(const triad_layout *l, int64_t r, int64_t *first, int64_t *count)
{
  if (l->split) {
    triad_split_own(l, r, first, count);
    return;
  }
  const triad_row *row = &l->rows[r];
  const int64_t begin = l->column_begin[l->rank] - row->column, end = begin + l->n_columns;
  *first = begin > 0 ? begin : 0;
  *count = (end < row->count ? end : row->count) - *first;
}

static int make_columns(triad_layout *l)
{
  size_t padded = (size_t)(l->n_blocks * l->lanes) + 1, nkz = (size_t)l->nkz;
  l->kx = calloc(padded, sizeof *l->kx);
  l->ky = calloc(padded, sizeof *l->ky);
  l->kz_extent = calloc(padded, sizeof *l->kz_extent);
  l->wx = calloc(padded, sizeof *l->wx);
  l->wy = calloc(padded, sizeof *l->wy);
  l->weight = calloc(padded, sizeof *l->weight);
  l->self = calloc(padded, sizeof *l->self);
  l->kz = calloc(nkz, sizeof *l->kz);
  l->wz = calloc(nkz, sizeof *l->wz);
  const int apart = triad_grid_has_nyquist(&l->grid);
  l->size_x = apart ? calloc(padded, sizeof *l->size_x) : l->wx;
  l->size_y = apart ? calloc(padded, sizeof *l->size_y) : l->wy;
  l->size_z = apart ? calloc(nkz, sizeof *l->size_z) : l->wz;
  if (!l->kx || !l->ky || !l->kz_extent || !l->wx || !l->wy || !l->weight || !l->self || !l->kz || !l->wz ||
      !l->size_x || !l->size_y || !l->size_z)
    return TRIAD_FAIL_PLAIN(
      TRIAD_ERR_MEMORY, "no memory for tables of %lld columns: grid.n is too large for the host, or for so few ranks",
      (long long)l->n_columns);

  for (size_t c = 0; c < padded; c++) l->kz_extent[c] = -1;
  int64_t local = 0;
  for (int64_t r = 0; r < l->n_rows; r++) {
    const triad_row *row = &l->rows[r];
    int64_t first, count;
    own_columns(l, r, &first, &count);
    for (int64_t i = 0; i < count; i++, local++) {
      const int64_t kx = l->split ? triad_split_kx(l, r, first + i) : row->kx_first + first + i;
      if (l->split) l->split->number[local] = row->column + kx - row->kx_first;
      fill_column(l, local, kx, row->ky);
    }
  }
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t kz = j < l->kz_positive ? j : j - l->nkz;
    l->kz[j] = (int32_t)kz;
    l->wz[j] = triad_grid_derivative_wavenumber(&l->grid, 2, kz);
    l->size_z[j] = triad_grid_size_wavenumber(&l->grid, 2, kz);
  }
  return TRIAD_OK;
}

int triad_layout_create(triad_layout **out, const triad_grid *grid, int rank, int size, int64_t lanes)
{
  return triad_layout_create_split(out, grid, rank, size, 1, lanes);
}

int triad_layout_create_split(triad_layout **out, const triad_grid *grid, int rank, int size, int group, int64_t lanes)
{
  *out = NULL;
  if (group < 1 || size % group != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d ranks in groups of %d", size, group);
  triad_layout *l = calloc(1, sizeof *l);
  if (!l) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the layout");
  l->grid = *grid;
  l->rank = rank;
  l->size = size;
  l->group = group;
  l->lanes = lanes;
  l->kz_positive = grid->kmax[2] + 1;
  l->nkz = 2 * grid->kmax[2] == grid->n[2] ? grid->n[2] : 2 * grid->kmax[2] + 1;
  int st = make_rows(l);
  l->even_columns = l->all_columns / size + 1;
  if (st == TRIAD_OK) st = group > 1 ? triad_split_create(l) : make_ownership(l);
  if (st == TRIAD_OK) {
    l->n_blocks = (l->n_columns + lanes - 1) / lanes;
    l->modes = l->n_blocks * l->nkz * lanes;
    st = make_columns(l);
  }
  if (st != TRIAD_OK) triad_layout_destroy(&l);
  *out = l;
  return st;
}

void triad_layout_destroy(triad_layout **layout)
{
  if (!layout || !*layout) return;
  triad_layout *l = *layout;
  void *owned[] = {l->plane_begin,
                   l->column_begin,
                   l->rows,
                   l->kx,
                   l->ky,
                   l->kz_extent,
                   l->wx,
                   l->wy,
                   l->weight,
                   l->self,
                   l->kz,
                   l->wz,
                   l->size_x != l->wx ? l->size_x : NULL,
                   l->size_y != l->wy ? l->size_y : NULL,
                   l->size_z != l->wz ? l->size_z : NULL};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
  if (l->split) triad_layout_destroy(&l->split->part);
  triad_split_destroy(&l->split);
  free(l);
  *layout = NULL;
}

double triad_layout_skew(const triad_layout *l) { return fabs(l->skew) > TRIAD_SKEW_OF_ROUNDING ? l->skew : 0; }

int triad_layout_set_skew(triad_layout *l, double skew)
{
  if (triad_grid_has_nyquist(&l->grid)) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "modes at n/2 cannot lean");
  l->skew = skew;
  for (int64_t c = 0; c < l->n_columns; c++)
    l->wy[c] = triad_grid_derivative_wavenumber(&l->grid, 1, l->ky[c]) - skew * l->wx[c];
  return TRIAD_OK;
}

int64_t triad_layout_find(const triad_layout *l, int64_t kx, int64_t ky, int *conjugate)
{
  *conjugate = ky < 0 && mirrors_itself_in_x(&l->grid, kx);
  int64_t wanted = *conjugate ? -ky : ky;
  for (int64_t r = 0; r < l->n_rows; r++) {
    const triad_row *row = &l->rows[r];
    if (row->ky == wanted && kx >= row->kx_first && kx < row->kx_first + row->count)
      return row->column + kx - row->kx_first;
  }
  return -1;
}

int64_t triad_layout_number(const triad_layout *l, int64_t c)
{
  return l->split ? l->split->number[c] : l->column_begin[l->rank] + c;
}

int64_t triad_layout_local(const triad_layout *l, int64_t column)
{
  int64_t local = 0;
  return column >= 0 && triad_layout_owner(l, column, &local) == l->rank ? local : -1;
}

int64_t triad_layout_columns_of(const triad_layout *l, int rank)
{
  return l->split ? triad_split_columns(l, rank) : l->column_begin[rank + 1] - l->column_begin[rank];
}

int triad_layout_owner(const triad_layout *l, int64_t column, int64_t *local)
{
  if (l->split) return triad_split_owner(l, column, local);
  int r = triad_dealt_to(l->all_columns, l->size, column);
  *local = column - l->column_begin[r];
  return r;
}
