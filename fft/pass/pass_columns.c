/* The ends of a pass: modes are padded with zeros, transformed along z, and stored in the work columns; on the way
 * back they are truncated and made symmetric. */
#include "fft/pass/pass_columns.h"
#include "fft/pass/pass_internal.h"

#include <omp.h>
#include <string.h>

static triad_cplx *first_row(const triad_pass *p, int64_t b, int f, int64_t j)
{
  const triad_layout *l = p->layout;
  return p->first + f * l->modes + (b * l->nkz + j) * TRIAD_LANES;
}

/* Put results aside; and take the mean with those. */
static void put_aside(const triad_pass *p, const triad_batch *block, int n, triad_cplx *const *out)
{
  for (int f = 0; f < n; f++)
    for (int64_t j = 0; j < p->layout->nkz; j++)
      memcpy(first_row(p, block->block, f, j), triad_batch_row(block, out[f], j), TRIAD_LANES * sizeof(triad_cplx));
}

static void take_mean(const triad_pass *p, const triad_batch *block, int n, triad_cplx *const *out)
{
  for (int f = 0; f < n; f++)
    for (int64_t j = 0; j < p->layout->nkz; j++) {
      const triad_cplx *a = first_row(p, block->block, f, j);
      triad_cplx *b = triad_batch_row(block, out[f], j);
      for (int i = 0; i < TRIAD_LANES; i++) b[i] = (triad_cplx){(a[i].re + b[i].re) / 2, (a[i].im + b[i].im) / 2};
    }
}

/* The inputs of a block of columns at all z. */
static void columns_along_z(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t b, triad_cplx **in,
                            double *last)
{
  const triad_layout *l = p->layout;
  const int sent = triad_pass_sent(work);
  triad_batch block = {l, b, l->grid.n[2] - l->nkz};
  for (int f = 0; f < sent; f++) {
    in[f] = s->blocks + f * p->block_size;
    memset(in[f] + l->kz_positive * TRIAD_LANES, 0, (size_t)(block.gap * TRIAD_LANES) * sizeof(triad_cplx));
  }
  work->source(work->self, &block, in);
  triad_shift_block(p->shift, &block, 1, sent, in);
  triad_pass_lap(s, TRIAD_PHASE_POINTWISE, last);
  for (int f = 0; f < sent; f++) triad_lines_z_backward(p->lines, in[f]);
  triad_pass_lap(s, TRIAD_PHASE_FFT, last);
}

void triad_pass_to_work(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t b)
{
  triad_cplx *in[work->n_in];
  double last = triad_now();
  columns_along_z(p, work, s, b, in, &last);
  for (int f = 0; f < triad_pass_sent(work); f++) triad_exchange_store(p->exchange, b, f, in[f]);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
}

void triad_pass_columns(triad_pass *p, const triad_work *work,
                        void (*visit)(void *self, int thread, int64_t block, triad_cplx *const *in))
{
  triad_shift_set(p->shift, work->shift);
#pragma omp parallel for schedule(static) num_threads(p->context->threads)
  for (int64_t b = 0; b < p->layout->n_blocks; b++) {
    triad_cplx *in[work->n_in];
    triad_thread_space *s = &p->space[omp_get_thread_num()];
    double last = triad_now();
    columns_along_z(p, work, s, b, in, &last);
    visit(work->self, omp_get_thread_num(), b, in);
    triad_pass_lap(s, TRIAD_PHASE_POINTWISE, &last);
  }
}

/* A column that is its own conjugate comes out so to round-off: make it exact, u(-kz) = conj u(kz). */
static void symmetrise(const triad_batch *block, triad_cplx *field)
{
  const triad_layout *l = block->layout;
  for (int64_t lane = 0; lane < TRIAD_LANES; lane++) {
    if (!l->self[block->block * TRIAD_LANES + lane]) continue;
    for (int64_t j = 0; j < l->kz_positive; j++) {
      int64_t mirror = j == 0 ? 0 : l->nkz - j;
      triad_cplx *a = triad_batch_row(block, field, j) + lane, *b = triad_batch_row(block, field, mirror) + lane;
      triad_cplx mean = {(a->re + b->re) / 2, (a->im - b->im) / 2};
      *a = mean;
      *b = (triad_cplx){mean.re, -mean.im};
      if (mirror == j) a->im = 0;
    }
  }
}

void triad_pass_from_work(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t b, int of)
{
  const triad_layout *l = p->layout;
  triad_batch block = {l, b, l->grid.n[2] - l->nkz};
  const int n = triad_pass_left(work);
  triad_cplx *out[n];
  double last = triad_now();
  for (int f = 0; f < n; f++) {
    out[f] = s->blocks + f * p->block_size;
    triad_exchange_load(p->exchange, b, f, out[f]);
  }
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  for (int f = 0; f < n; f++) triad_lines_z_forward(p->lines, out[f]);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  triad_shift_block(p->shift, &block, -1, n, out);
  for (int f = 0; f < n; f++) symmetrise(&block, out[f]);
  if (of == 1) put_aside(p, &block, n, out);
  else {
    if (of == 2) take_mean(p, &block, n, out);
    work->sink(work->self, &block, out);
  }
  triad_pass_lap(s, TRIAD_PHASE_POINTWISE, &last);
}
