/* Create the tables of columns, rows, members and planes that the kernels of a pass read. */
#include "fft/gpu/gpu_tables.h"
#include "transpose/chain_waves.h"
#include "fft/gpu/gpu_lines.h"
#include "grid/layout_split.h"
#include "transpose/plain/chains.h"
#include "transpose/gpu_rows.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

struct triad_gpu_tables {
  triad_device *device;
  const triad_layout *layout, *columns; /* who has columns: of ranks that share planes, those of the same member */
  triad_gpu_shape shape;
  triad_gpu_row *rows;
  triad_gpu_part *parts;
  triad_gpu_member *members;
  int32_t *within, *extent;
  triad_cplx *twiddle[3];
  triad_real *wave[2];
};

int64_t triad_gpu_pitch(const triad_grid *g) { return (g->kmax[0] + 8) / 8 * 8; }

static int64_t padded(const triad_layout *l, int r, int64_t unit)
{
  return (l->column_begin[r + 1] - l->column_begin[r] + unit - 1) / unit * unit;
}

/* A table that kernels read, from its copy on the host. */
static int put_table(triad_gpu_tables *p, const char *owner, int64_t n, size_t size, void *host, void **out)
{
  if (!host) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", owner);
  int st = triad_device_table(p->device, owner, n, size, host, out);
  free(host);
  return st;
}

static int owner_of(const triad_layout *l, int64_t column)
{
  int r = 0;
  while (r + 1 < l->size && column >= l->column_begin[r + 1]) r++;
  return r;
}

static int make_rows(triad_gpu_tables *p)
{
  const triad_layout *l = p->columns;
  int64_t ny = l->grid.n[1];
  triad_gpu_row *host = calloc((size_t)ny, sizeof *host);
  for (int64_t r = 0; host && r < l->n_rows; r++)
    host[l->rows[r].y] = (triad_gpu_row){(int32_t)l->rows[r].kx_first, (int32_t)l->rows[r].count,
                                         (int32_t)l->rows[r].column, owner_of(l, l->rows[r].column)};
  TRIAD_TRY(put_table(p, "rows", ny, sizeof *host, host, (void **)&p->rows));
  p->shape.rows = p->rows;
  return TRIAD_OK;
}

/* If ranks share planes: set the lines along y of this rank, and how a plane of them is divided. The pass sets
 * `apart`. */
static int make_members(triad_gpu_tables *p)
{
  const triad_layout *l = p->layout;
  const triad_split *s = l->split;
  const int64_t last = l->grid.kmax[0], ny = l->grid.n[1];
  const int every = 2 * last == l->grid.n[0];
  p->shape.zero = 0;
  p->shape.nyquist = every ? (int)last : -1;
  if (!s) return TRIAD_OK;
  p->shape.zero = s->member_of[0] == l->member ? s->line_of[0] : -1;
  p->shape.nyquist = every && s->member_of[last] == l->member ? s->line_of[last] : -1;
  p->shape.kx_most = (int)triad_split_lines(s, l->member) - 1;
  p->shape.pitch = triad_gpu_rows_pitch(l);
  triad_gpu_member *host = calloc((size_t)ny, sizeof *host);
  for (int m = 0; host && m < s->group; m++)
    for (int64_t y = s->y_begin[m]; y < s->y_begin[m + 1]; y++)
      host[y] = (triad_gpu_member){(int32_t)s->y_begin[m], (int32_t)triad_split_rows(s, m)};
  TRIAD_TRY(put_table(p, "members of a group", ny, sizeof *host, host, (void **)&p->members));
  p->shape.members = p->members;
  return TRIAD_OK;
}

static int make_parts(triad_gpu_tables *p, int64_t unit)
{
  const triad_layout *l = p->columns;
  triad_gpu_part *host = calloc((size_t)l->size + 1, sizeof *host);
  int64_t before = 0;
  for (int r = 0; host && r <= l->size; r++) {
    host[r] = (triad_gpu_part){l->column_begin[r], r < l->size ? padded(l, r, unit) : 0, before};
    if (r != l->rank) before += host[r].columns;
  }
  TRIAD_TRY(put_table(p, "parts", l->size + 1, sizeof *host, host, (void **)&p->parts));
  p->shape.part = p->parts;
  return TRIAD_OK;
}

static int make_within(triad_gpu_tables *p, int64_t chunk)
{
  const triad_layout *l = p->columns;
  int32_t *host = calloc((size_t)l->grid.n[2], sizeof *host);
  for (int r = 0; host && r < l->size; r++)
    for (int64_t z = l->plane_begin[r]; z < l->plane_begin[r + 1]; z++)
      host[z] = r == l->rank ? 0 : (int32_t)((z - l->plane_begin[r]) % chunk);
  TRIAD_TRY(put_table(p, "planes of chunks", l->grid.n[2], sizeof *host, host, (void **)&p->within));
  p->shape.within = p->within;
  return TRIAD_OK;
}

static int make_extents(triad_gpu_tables *p)
{
  const triad_layout *l = p->layout;
  int64_t n = l->n_blocks * l->lanes, padded = p->shape.columns > n ? p->shape.columns : n;
  int32_t *host = malloc((size_t)(padded + 1) * sizeof *host);
  for (int64_t c = 0; host && c < padded; c++) host[c] = c < n ? l->kz_extent[c] : -1;
  TRIAD_TRY(put_table(p, "extents of columns", padded, sizeof *host, host, (void **)&p->extent));
  p->shape.extent = p->extent;
  return TRIAD_OK;
}

static int make_twiddles(triad_gpu_tables *p, int axis)
{
  int64_t n = p->layout->grid.n[axis];
  triad_cplx *host = calloc((size_t)n, sizeof *host);
  for (int64_t j = 0; host && j < n; j++) {
    double angle = 2 * TRIAD_PI * (double)j / (double)n;
    host[j] = (triad_cplx){(triad_real)cos(angle), (triad_real)-sin(angle)};
  }
  TRIAD_TRY(put_table(p, "twiddle factors", n, sizeof *host, host, (void **)&p->twiddle[axis]));
  p->shape.twiddle[axis] = p->twiddle[axis];
  return TRIAD_OK;
}

static int make_waves(triad_gpu_tables *p)
{
  triad_chain_waves w = {NULL, NULL, NULL};
  int st = triad_chain_waves_create(&w, p->layout);
  if (st == TRIAD_OK)
    st = triad_device_table(p->device, "wavenumbers", triad_chain_lines(p->layout), sizeof *w.x, w.x,
                            (void **)&p->wave[0]);
  if (st == TRIAD_OK)
    st = triad_device_table(p->device, "wavenumbers", p->layout->grid.n[1], sizeof *w.y, w.y, (void **)&p->wave[1]);
  triad_chain_waves_destroy(&w);
  for (int i = 0; i < 2; i++) p->shape.wave[i] = p->wave[i];
  return st;
}

static int make_tables(triad_gpu_tables *p, int64_t unit, int64_t chunk)
{
  const triad_layout *l = p->layout;
  const triad_grid *g = &l->grid;
  p->shape = (triad_gpu_shape){.n = {(int)g->n[0], (int)g->n[1], (int)g->n[2]},
                               .kx_most = (int)g->kmax[0],
                               .ky_most = (int)g->kmax[1],
                               .nkz = l->nkz,
                               .kz_positive = l->kz_positive,
                               .columns = padded(p->columns, p->columns->rank, unit),
                               .pitch = triad_gpu_pitch(g),
                               .wide = g->shifted,
                               .rank = p->columns->rank,
                               .size = p->columns->size,
                               .chunk = (int)chunk};
  TRIAD_TRY(make_rows(p));
  TRIAD_TRY(make_members(p));
  TRIAD_TRY(make_parts(p, unit));
  TRIAD_TRY(make_within(p, chunk));
  TRIAD_TRY(make_extents(p));
  for (int axis = 0; axis < 3; axis++) TRIAD_TRY(make_twiddles(p, axis));
  return make_waves(p);
}

int triad_gpu_tables_create(triad_gpu_tables **out, triad_device *device, const triad_layout *layout, int64_t unit,
                            int64_t chunk)
{
  triad_gpu_tables *p = *out = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of the GPU's lines");
  p->device = device;
  p->layout = layout;
  p->columns = layout->split ? layout->split->part : layout;
  int st = make_tables(p, unit, chunk);
  if (st != TRIAD_OK) triad_gpu_tables_destroy(out);
  return st;
}

void triad_gpu_tables_destroy(triad_gpu_tables **tables)
{
  if (!tables || !*tables) return;
  triad_gpu_tables *p = *tables;
  void **taken[] = {(void **)&p->rows,       (void **)&p->parts,      (void **)&p->within,     (void **)&p->extent,
                    (void **)&p->twiddle[0], (void **)&p->twiddle[1], (void **)&p->twiddle[2], (void **)&p->members,
                    (void **)&p->wave[0],    (void **)&p->wave[1]};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(p->device, taken[i]);
  free(p);
  *tables = NULL;
}

const triad_gpu_shape *triad_gpu_tables_shape(const triad_gpu_tables *p) { return &p->shape; }
