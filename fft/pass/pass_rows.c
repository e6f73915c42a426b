/* Transform pairs of rows along x, call the caller's function for their points, and transform the results. */
#include "fft/pass/pass_rows.h"
#include "fft/pass/pass_internal.h"

#include <math.h>
#include <string.h>

/* A pair of rows, field by field, as it lies among those of the batch. Of an odd number of rows the last makes a pair
 * with itself. */
typedef struct pair {
  int64_t y, z;
  int rows;       /* 2, or 1 */
  int64_t number; /* in the batch */
} pair;

/* Points that need no place see both rows at once. */
static void visit_pair(const triad_pass *p, const triad_work *work, triad_thread_space *s, const pair *at)
{
  triad_real *in[work->n_in + 1], *out[work->n_out + 1];
  triad_patch patch = {at->y, at->z, 2 * p->layout->grid.n[0]};
  for (int f = 0; f < work->n_in; f++) in[f] = s->rows_in + (f * p->batch + at->number) * p->pair_room;
  for (int f = 0; f < work->n_out; f++) out[f] = s->rows_out + (f * p->batch + at->number) * p->pair_room;
  work->points(work->self, &patch, in, out, s->peaks);
}

/* The others see a row after the other, taken out of the pair and put back into it. */
static void visit_row(const triad_pass *p, const triad_work *work, triad_thread_space *s, const pair *at, int row)
{
  triad_real *in[work->n_in + 1], *out[work->n_out + 1];
  int64_t nx = p->layout->grid.n[0];
  triad_patch patch = {at->y + row, at->z, nx};
  for (int f = 0; f < work->n_in; f++) {
    const triad_real *both = s->rows_in + (f * p->batch + at->number) * p->pair_room;
    in[f] = s->row_in + f * p->row_room;
    for (int64_t x = 0; x < nx; x++) in[f][x] = both[2 * x + row];
  }
  for (int f = 0; f < work->n_out; f++) out[f] = s->row_out + f * p->row_room;
  work->points(work->self, &patch, in, out, s->peaks);
  for (int f = 0; f < work->n_out; f++) {
    triad_real *both = s->rows_out + (f * p->batch + at->number) * p->pair_room;
    for (int64_t x = 0; x < nx; x++) both[2 * x + row] = out[f][x];
    for (int64_t x = 0; at->rows == 1 && x < nx; x++) both[2 * x + 1] = 0;
  }
}

/* Row a, or i k_x times it. */
static const triad_cplx *row_of(const triad_pass *p, int is_slope, const triad_cplx *a, triad_cplx *room)
{
  if (!is_slope) return a;
#pragma GCC ivdep
  for (int64_t i = 0; i <= p->layout->grid.kmax[0]; i++) {
    room[i].re = -p->wave_x[i] * a[i].im;
    room[i].im = p->wave_x[i] * a[i].re;
  }
  return room;
}

/* Multiply the modes along x of row y by exp(i k_x skew y): move its points by skew y. */
static void move_row(const triad_pass *p, double skew, int64_t y, triad_cplx *row)
{
  const triad_grid *g = &p->layout->grid;
  const double turns = skew * g->length[1] / g->length[0] * (double)y / (double)g->n[1];
  for (int64_t kx = 1; kx <= g->kmax[0]; kx++) {
    const double angle = 2 * TRIAD_PI * fmod((double)kx * turns, 1), c = cos(angle), s = sin(angle);
    const triad_cplx u = row[kx];
    row[kx] = (triad_cplx){(triad_real)(c * (double)u.re - s * (double)u.im),
                           (triad_real)(s * (double)u.re + c * (double)u.im)};
  }
}

static void move_rows(const triad_pass *p, double skew, const triad_pass_place *rows, int fields, int64_t apart,
                      triad_cplx *first)
{
  for (int f = 0; f < fields; f++)
    for (int64_t i = 0; i < rows->count; i++)
      move_row(p, skew, rows->y + i, first + f * apart + i * triad_columns_stride(p->columns));
}

void triad_pass_divide(triad_pass *p, const triad_work *work)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  const int forces = work->n_out - work->n_forces, n = triad_chains_runs(&work->chains, forces, runs);
  for (int f = 0; f < work->n_out; f++) p->divided[f] = -1;
  for (const triad_chain_run *c = runs; c < runs + n && work->n_forces > 0 && p->layout->skew == 0; c++)
    for (int i = 0; c->length > 1 && i < c->count; i++)
      for (int k = 0; k < work->n_forces; k++)
        if (work->force_of[k] == c->joined + i * c->joined_step) p->divided[forces + k] = c->first + i * c->step;
}

triad_chain_waves triad_pass_waves(const triad_pass *p, const triad_work *work, int first, int part)
{
  triad_chain_waves waves = p->waves;
  for (int f = work->n_out - work->n_forces; part == 0 && f < work->n_out; f++)
    if (p->divided[f] == first) waves.x = waves.divisor;
  return waves;
}

/* A pair of rows of a result: less force/(i k_x); where k_x = 0, less force/i alone. force NULL: it is 0. */
static void add_divided(const triad_pass *p, int rows, const triad_cplx *force, triad_cplx *out)
{
  const int64_t stride = triad_columns_stride(p->columns), n = p->layout->grid.kmax[0] + 1;
  for (int row = 0; row < rows; row++, out += stride) {
    for (int64_t k = 0; k < n; k++)
      if (p->wave_x[k] == 0) out[k] = (triad_cplx){0, 0};
    if (!force) continue;
#pragma GCC ivdep
    for (int64_t k = 0; k < n; k++) {
      const triad_real per = 1 / (p->wave_x[k] != 0 ? p->wave_x[k] : 1);
      out[k].re -= force[k].im * per;
      out[k].im += force[k].re * per;
    }
    force += stride;
  }
}

void triad_pass_rows(triad_pass *p, const triad_work *work, triad_thread_space *s, const triad_pass_place *rows)
{
  int64_t stride = triad_columns_stride(p->columns), count = rows->count, pairs = (count + 1) / 2;
  int filled[pairs]; /* are sparse results not 0? */
  double last = triad_now();
  if (work->skew != 0) move_rows(p, -work->skew, rows, work->n_in, rows->in_apart, rows->in);
  for (int f = 0; f < work->n_in; f++)
    for (int64_t i = 0; i < pairs; i++) {
      const int slope = f - triad_pass_along_y(work), from = slope < 0 ? f : work->slope_of[work->n_slopes[1] + slope];
      const triad_cplx *a = rows->in + from * rows->in_apart + 2 * i * stride, *b = 2 * i + 1 < count ? a + stride : a;
      triad_lines_x_backward(p->lines, row_of(p, slope >= 0, a, s->slopes),
                             row_of(p, slope >= 0, b, s->slopes + p->row_room), s->line,
                             s->rows_in + (f * p->batch + i) * p->pair_room);
    }
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  for (int64_t i = 0; work->points && i < pairs; i++) {
    pair at = {rows->y + 2 * i, rows->z, 2 * i + 1 < count ? 2 : 1, i};
    if (work->any_order && at.rows == 2) visit_pair(p, work, s, &at);
    else
      for (int row = 0; row < at.rows; row++) visit_row(p, work, s, &at, row);
    filled[i] = !work->empty || !work->empty(work->self);
    s->filled |= filled[i];
  }
  triad_pass_lap(s, TRIAD_PHASE_POINTWISE, &last);
  for (int f = 0; f < work->n_out; f++)
    for (int64_t i = 0; i < pairs; i++) {
      triad_cplx *a = rows->out + f * rows->out_apart + 2 * i * stride;
      triad_real *values = s->rows_out + (f * p->batch + i) * p->pair_room;
      const int both = 2 * i + 1 < count, zeros = f >= work->n_out - work->sparse && !filled[i];
      if (!zeros) triad_lines_x_forward(p->lines, values, s->line, a, both ? a + stride : s->beyond);
      else if (p->divided[f] < 0) memset(a, 0, (size_t)(both ? 2 * stride : stride) * sizeof *a);
      if (p->divided[f] >= 0)
        add_divided(p, both ? 2 : 1, zeros ? NULL : a, rows->out + p->divided[f] * rows->out_apart + 2 * i * stride);
    }
  if (work->skew != 0) move_rows(p, work->skew, rows, work->n_out, rows->out_apart, rows->out);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
}
