/* Copy packed columns into the rows of an x-y plane and back, run by run, and add the conjugate columns of kx = 0. */
#include "transpose/columns.h"

#include "transpose/chain_points.h"

#include <stdlib.h>
#include <string.h>

struct triad_columns {
  const triad_layout *layout;
  int64_t stride, width, half; /* half = nx/2 + 1 */
  triad_row_run *runs;         /* all ranks' runs, rank by rank */
  int64_t *run_begin;          /* [size + 1] */
  int64_t *row_end;            /* [ny] first kx of a plane's row that no column fills */
};

static int64_t round_up(int64_t count, int64_t to) { return (count + to - 1) / to * to; }

/* Rows whose byte length is a multiple of 512 fall on few cache sets when y-transforms stride over them. */
static int64_t choose_stride(int64_t half)
{
  int64_t stride = round_up(half, TRIAD_CPLX_ALIGN);
  while (stride * (int64_t)sizeof(triad_cplx) % 512 == 0) stride += TRIAD_CPLX_ALIGN;
  return stride;
}

static int make_runs(triad_columns *c)
{
  const triad_layout *l = c->layout;
  /* a rank's range cuts at most one row at each end */
  c->runs = calloc((size_t)(l->n_rows + 2 * l->size), sizeof *c->runs);
  c->run_begin = calloc((size_t)l->size + 1, sizeof *c->run_begin);
  c->row_end = calloc((size_t)l->grid.n[1], sizeof *c->row_end);
  if (!c->runs || !c->run_begin || !c->row_end) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the list of column runs");
  int64_t n = 0;
  for (int rank = 0; rank < l->size; rank++) {
    int64_t begin = l->column_begin[rank], end = l->column_begin[rank + 1];
    c->run_begin[rank] = n;
    for (int64_t r = 0; r < l->n_rows; r++) {
      const triad_row *row = &l->rows[r];
      int64_t first = row->column > begin ? row->column : begin;
      int64_t last = row->column + row->count < end ? row->column + row->count : end;
      if (first >= last) continue;
      c->runs[n++] = (triad_row_run){row->y, row->kx_first + first - row->column, last - first, first - begin};
    }
  }
  c->run_begin[l->size] = n;
  for (int64_t r = 0; r < l->n_rows; r++) c->row_end[l->rows[r].y] = l->rows[r].kx_first + l->rows[r].count;
  return TRIAD_OK;
}

int triad_columns_create(triad_columns **out, const triad_layout *layout)
{
  *out = NULL;
  triad_columns *c = calloc(1, sizeof *c);
  if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "column runs");
  c->layout = layout;
  c->half = layout->grid.n[0] / 2 + 1;
  c->stride = choose_stride(c->half);
  c->width = round_up(layout->grid.kmax[0] + 1, TRIAD_CPLX_ALIGN);
  if (c->width > c->stride) c->width = c->stride;
  int st = make_runs(c);
  if (st != TRIAD_OK) triad_columns_destroy(&c);
  *out = c;
  return st;
}

void triad_columns_destroy(triad_columns **columns)
{
  if (!columns || !*columns) return;
  free((*columns)->runs);
  free((*columns)->run_begin);
  free((*columns)->row_end);
  free(*columns);
  *columns = NULL;
}

int64_t triad_columns_stride(const triad_columns *c) { return c->stride; }

int64_t triad_columns_width(const triad_columns *c) { return c->width; }

int64_t triad_columns_padded(const triad_columns *c, int rank)
{
  const triad_layout *l = c->layout;
  return round_up(l->column_begin[rank + 1] - l->column_begin[rank], l->lanes);
}

void triad_columns_scatter(const triad_columns *c, int rank, const triad_cplx *packed, triad_cplx *plane)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run *run = &c->runs[i];
    memcpy(plane + run->y * c->stride + run->kx, packed + run->offset, (size_t)run->count * sizeof *plane);
  }
}

/* The part of a run that lies in lines begin .. end - 1. */
static triad_row_run part_of(const triad_row_run *run, int64_t begin, int64_t end)
{
  int64_t first = run->kx > begin ? run->kx : begin, last = run->kx + run->count < end ? run->kx + run->count : end;
  return (triad_row_run){run->y, first, last - first, run->offset + first - run->kx};
}

void triad_columns_scatter_lines(const triad_columns *c, int rank, const triad_cplx *packed, int64_t begin, int64_t end,
                                 triad_cplx *plane)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run run = part_of(&c->runs[i], begin, end);
    if (run.count > 0)
      memcpy(plane + run.y * c->stride + run.kx - begin, packed + run.offset, (size_t)run.count * sizeof *plane);
  }
}

/* plane[-ky][kx] = conj plane[ky][kx]; where both are the same place, its imaginary part is round-off: drop it. `line`:
 * of kx 0 in the plane. */
static void conjugate_column(const triad_columns *c, triad_cplx *line, int64_t kx)
{
  const triad_grid *g = &c->layout->grid;
  for (int64_t ky = 0; ky <= g->kmax[1]; ky++) {
    int64_t mirror = ky == 0 ? 0 : g->n[1] - ky;
    triad_cplx *from = &line[ky * c->stride], *to = &line[mirror * c->stride];
    if (kx >= c->row_end[ky]) continue;
    if (mirror == ky) from->im = 0;
    else *to = (triad_cplx){from->re, -from->im};
  }
}

void triad_columns_complete(const triad_columns *c, triad_cplx *plane)
{
  const triad_grid *g = &c->layout->grid;
  int nyquist = g->n[0] > 1 && 2 * g->kmax[0] == g->n[0];
  for (int64_t y = 0; y < g->n[1]; y++) {
    int64_t end = c->row_end[y];
    memset(plane + y * c->stride + end, 0, (size_t)(c->stride - end) * sizeof *plane);
  }
  conjugate_column(c, plane, 0);
  if (nyquist) conjugate_column(c, plane + g->kmax[0], g->kmax[0]);
}

void triad_columns_complete_lines(const triad_columns *c, int64_t begin, int64_t end, int64_t zero, int64_t nyquist,
                                  triad_cplx *plane)
{
  for (int64_t y = 0; y < c->layout->grid.n[1]; y++) {
    int64_t from = c->row_end[y] < begin ? begin : c->row_end[y];
    if (from < end) memset(plane + y * c->stride + from - begin, 0, (size_t)(end - from) * sizeof *plane);
  }
  if (zero >= begin && zero < end) conjugate_column(c, plane + zero - begin, zero);
  if (nyquist >= begin && nyquist < end) conjugate_column(c, plane + nyquist - begin, nyquist);
}

void triad_columns_gather(const triad_columns *c, int rank, const triad_cplx *plane, triad_real scale,
                          triad_cplx *packed)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run *run = &c->runs[i];
    const triad_cplx *from = plane + run->y * c->stride + run->kx;
    triad_cplx *to = packed + run->offset;
#pragma omp simd
    for (int64_t k = 0; k < run->count; k++) {
      to[k].re = from[k].re * scale;
      to[k].im = from[k].im * scale;
    }
  }
}

void triad_columns_gather_lines(const triad_columns *c, int rank, const triad_cplx *plane, int64_t begin, int64_t end,
                                triad_real scale, triad_cplx *packed)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run run = part_of(&c->runs[i], begin, end);
    const triad_cplx *from = plane + run.y * c->stride + run.kx - begin;
    triad_cplx *to = packed + run.offset;
#pragma omp simd
    for (int64_t k = 0; k < run.count; k++) {
      to[k].re = from[k].re * scale;
      to[k].im = from[k].im * scale;
    }
  }
}

void triad_columns_gather_chain(const triad_columns *c, int rank, const triad_cplx *const pair[2], int64_t begin,
                                int64_t end, const triad_chain_waves *waves, triad_real skew, triad_real scale,
                                triad_cplx *packed)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run run = part_of(&c->runs[i], begin, end);
    const int64_t at = run.y * c->stride + run.kx - begin;
    const triad_cplx *a = pair[0] + at, *b = pair[1] + at;
    const triad_real *kx = waves->x + run.kx, ky = waves->y[run.y];
    triad_cplx *to = packed + run.offset;
#pragma omp simd
    for (int64_t k = 0; k < run.count; k++) {
      const triad_real along = ky - skew * kx[k];
      to[k].re = -scale * triad_chain_end(triad_chain_begin(kx[k], a[k].im), along, b[k].im);
      to[k].im = scale * triad_chain_end(triad_chain_begin(kx[k], a[k].re), along, b[k].re);
    }
  }
}

void triad_columns_subtract(const triad_columns *c, int rank, const triad_cplx *plane, int64_t begin, int64_t end,
                            triad_real scale, triad_cplx *packed)
{
  for (int64_t i = c->run_begin[rank]; i < c->run_begin[rank + 1]; i++) {
    const triad_row_run run = part_of(&c->runs[i], begin, end);
    const triad_cplx *from = plane + run.y * c->stride + run.kx - begin;
    triad_cplx *to = packed + run.offset;
#pragma omp simd
    for (int64_t k = 0; k < run.count; k++) {
      to[k].re -= from[k].re * scale;
      to[k].im -= from[k].im * scale;
    }
  }
}
