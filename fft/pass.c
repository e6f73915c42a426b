#include "fft/pass_own.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_AT_ONCE = 1024 }; /* pairs of rows of about so many points go through x together: they stay in cache */

static int maximum(int a, int b) { return a > b ? a : b; }

static int take_space(triad_pass *p)
{
  triad_memory *m = p->context->memory;
  int most = maximum(p->most_in, p->most_left);
  TRIAD_TRY(TRIAD_ALLOC(m, "threads", p->context->threads, &p->space));
  for (int t = 0; t < p->context->threads; t++) {
    triad_thread_space *s = &p->space[t];
    TRIAD_TRY(TRIAD_ALLOC(m, "column blocks", most * p->block_size, &s->blocks));
    TRIAD_TRY(TRIAD_ALLOC(m, "planes", p->most_in * p->plane_size, &s->planes_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "planes", p->most_out * p->plane_size, &s->planes_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_in * p->batch * p->pair_room, &s->rows_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_out * p->batch * p->pair_room, &s->rows_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_in * p->row_room, &s->row_in));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->most_out * p->row_room, &s->row_out));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->layout->grid.n[0], &s->line));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", p->layout->grid.n[0], &s->beyond));
  }
  if (!p->layout->grid.shifted) return TRIAD_OK;
  TRIAD_TRY(triad_shift_create(&p->shift, m, p->layout));
  return TRIAD_ALLOC(m, "shifts", p->most_in > 0 ? p->most_left * p->layout->modes : 0, &p->first);
}

static void set_sizes(triad_pass *p)
{
  const triad_grid *g = &p->layout->grid;
  int64_t aligned = 64 / (int64_t)sizeof(triad_real);
  p->plane_size = g->n[1] * triad_columns_stride(p->columns);
  p->block_size = g->n[2] * TRIAD_LANES;
  p->row_room = (g->n[0] + aligned - 1) / aligned * aligned;
  p->pair_room = 2 * p->row_room;
  p->batch = POINTS_AT_ONCE / (2 * g->n[0]);
  if (p->batch < 1) p->batch = 1;
  if (p->batch > (g->n[1] + 1) / 2) p->batch = (g->n[1] + 1) / 2;
  p->scale = (triad_real)(1.0 / (double)triad_grid_points(g));
}

int triad_pass_create(triad_pass **out, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                      const triad_pass_options *options)
{
  *out = NULL;
  triad_pass *p = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pass");
  if (p) {
    p->context = context;
    p->layout = layout;
    p->most_in = most_in;
    p->most_out = most_out;
    p->most_left = options->most_left > 0 ? options->most_left : most_out;
    p->within.mpi = p->across.comm.mpi = MPI_COMM_NULL;
    st = triad_columns_create(&p->columns, layout->split ? layout->split->part : layout);
    if (st == TRIAD_OK) st = triad_chain_waves_create(&p->waves, layout);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) {
    set_sizes(p);
    st = layout->split
           ? triad_pass_split_create(p, options)
           : triad_exchange_create(&p->exchange, context, p->columns, layout, most_in, p->most_left, options->nstreams);
  }
  if (st == TRIAD_OK) st = triad_agree(&context->comm, take_space(p));
  if (st == TRIAD_OK) {
    triad_lines_shape shape = {.n = {layout->grid.n[0], layout->grid.n[1], layout->grid.n[2]},
                               .stride = triad_columns_stride(p->columns),
                               .width = triad_columns_width(p->columns),
                               .kept = layout->grid.kmax[0] + 1,
                               .lanes = TRIAD_LANES};
    st = triad_lines_create(&p->lines, context, &shape, options->planning, options->wisdom);
  }
  if (st != TRIAD_OK) triad_pass_destroy(&p);
  *out = p;
  return st;
}

void triad_pass_destroy(triad_pass **pass)
{
  if (!pass || !*pass) return;
  triad_pass *p = *pass;
  triad_memory *m = p->context->memory;
  for (int t = 0; p->space && t < p->context->threads; t++) {
    triad_thread_space *s = &p->space[t];
    TRIAD_FREE(m, &s->blocks);
    TRIAD_FREE(m, &s->planes_in);
    TRIAD_FREE(m, &s->planes_out);
    TRIAD_FREE(m, &s->rows_in);
    TRIAD_FREE(m, &s->rows_out);
    TRIAD_FREE(m, &s->row_in);
    TRIAD_FREE(m, &s->row_out);
    TRIAD_FREE(m, &s->line);
    TRIAD_FREE(m, &s->beyond);
  }
  TRIAD_FREE(m, &p->space);
  triad_shift_destroy(&p->shift, m);
  TRIAD_FREE(m, &p->first);
  triad_lines_destroy(&p->lines);
  triad_exchange_destroy(&p->exchange);
  triad_pass_split_destroy(p);
  triad_columns_destroy(&p->columns);
  triad_chain_waves_destroy(&p->waves);
  free(p);
  *pass = NULL;
}

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
  triad_batch block = {l, b, l->grid.n[2] - l->nkz};
  for (int f = 0; f < work->n_in; f++) {
    in[f] = s->blocks + f * p->block_size;
    memset(in[f] + l->kz_positive * TRIAD_LANES, 0, (size_t)(block.gap * TRIAD_LANES) * sizeof(triad_cplx));
  }
  work->source(work->self, &block, in);
  triad_shift_block(p->shift, &block, 1, work->n_in, in);
  triad_pass_lap(s, TRIAD_PHASE_POINTWISE, last);
  for (int f = 0; f < work->n_in; f++) triad_lines_z_backward(p->lines, in[f]);
  triad_pass_lap(s, TRIAD_PHASE_FFT, last);
}

static void columns_to_work(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t b)
{
  triad_cplx *in[work->n_in];
  double last = triad_now();
  columns_along_z(p, work, s, b, in, &last);
  for (int f = 0; f < work->n_in; f++) triad_exchange_store(p->exchange, b, f, in[f]);
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

/* of: whether this is the only grid (0), the first of two (1) or the second (2) */
static void work_to_columns(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t b, int of)
{
  const triad_layout *l = p->layout;
  triad_batch block = {l, b, l->grid.n[2] - l->nkz};
  const int n = triad_chains_left(&work->chains, work->n_out);
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

/* A pair of rows, field by field, as it lies among those of the batch. Of an odd number of rows the last makes a pair
 * with itself. */
typedef struct pair {
  int64_t y, z;
  int rows; /* 2, or 1 */
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

void triad_pass_rows(triad_pass *p, const triad_work *work, triad_thread_space *s, const triad_pass_place *rows)
{
  int64_t stride = triad_columns_stride(p->columns), count = rows->count, pairs = (count + 1) / 2;
  double last = triad_now();
  for (int f = 0; f < work->n_in; f++)
    for (int64_t i = 0; i < pairs; i++) {
      const triad_cplx *a = rows->in + f * rows->in_apart + 2 * i * stride;
      triad_lines_x_backward(p->lines, a, 2 * i + 1 < count ? a + stride : a, s->line,
                             s->rows_in + (f * p->batch + i) * p->pair_room);
    }
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  for (int64_t i = 0; work->points && i < pairs; i++) {
    pair at = {rows->y + 2 * i, rows->z, 2 * i + 1 < count ? 2 : 1, i};
    if (work->any_order && at.rows == 2) {
      visit_pair(p, work, s, &at);
      continue;
    }
    for (int row = 0; row < at.rows; row++) visit_row(p, work, s, &at, row);
  }
  triad_pass_lap(s, TRIAD_PHASE_POINTWISE, &last);
  for (int f = 0; f < work->n_out; f++)
    for (int64_t i = 0; i < pairs; i++) {
      triad_cplx *a = rows->out + f * rows->out_apart + 2 * i * stride;
      triad_lines_x_forward(p->lines, s->rows_out + (f * p->batch + i) * p->pair_room, s->line, a,
                            2 * i + 1 < count ? a + stride : s->beyond);
    }
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
}

/* A plane's results into the exchange, chains joined. */
static void plane_to_work(triad_pass *p, const triad_work *work, const triad_thread_space *s, int64_t chunk, int64_t z)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  const int n = triad_chains_runs(&work->chains, work->n_out, runs), members = p->layout->size;
  for (const triad_chain_run *c = runs; c < runs + n; c++)
    for (int i = 0; i < c->count * members; i++) {
      const int number = i / members, r = i % members;
      const triad_cplx *first = s->planes_out + (c->first + number * c->step) * p->plane_size;
      for (int part = 0; part < (c->length > 1 ? c->length - 1 : 1); part++) {
        const triad_cplx *const two[2] = {first + part * p->plane_size, first + (part + 1) * p->plane_size};
        triad_cplx *to = triad_exchange_plane_out(p->exchange, chunk, z, c->joined + number * c->joined_step + part, r);
        if (c->length == 1) triad_columns_gather(p->columns, r, first, p->scale, to);
        else triad_columns_gather_chain(p->columns, r, two, 0, triad_columns_stride(p->columns), &p->waves, p->scale, to);
      }
    }
}

static void visit_plane(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t chunk, int64_t z)
{
  const triad_layout *l = p->layout;
  double last = triad_now();
  for (int f = 0; f < work->n_in; f++) {
    triad_cplx *plane = s->planes_in + f * p->plane_size;
    for (int r = 0; r < l->size; r++)
      triad_columns_scatter(p->columns, r, triad_exchange_plane_in(p->exchange, chunk, z, f, r), plane);
    triad_columns_complete(p->columns, plane);
  }
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  for (int f = 0; f < work->n_in; f++) triad_lines_y_backward(p->lines, s->planes_in + f * p->plane_size);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);

  int64_t ny = l->grid.n[1];
  for (int64_t y = 0; y < ny; y += 2 * p->batch) {
    const int64_t before = y * triad_columns_stride(p->columns);
    const triad_pass_place rows = {l->first_plane + z, y, ny - y < 2 * p->batch ? ny - y : 2 * p->batch, s->planes_in + before,
                                   s->planes_out + before, p->plane_size, p->plane_size};
    triad_pass_rows(p, work, s, &rows);
  }

  last = triad_now();
  for (int f = 0; f < work->n_out; f++) triad_lines_y_forward(p->lines, s->planes_out + f * p->plane_size);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  plane_to_work(p, work, s, chunk, z);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
}

static void visit_planes(triad_pass *p, const triad_work *work, int64_t chunk, int64_t begin, int64_t end)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->context->threads)
  for (int64_t z = begin; z < end; z++) {
    visit_plane(p, work, &p->space[omp_get_thread_num()], chunk, z);
    if (omp_get_thread_num() == 0) triad_exchange_progress(p->exchange);
  }
}

static void visit_physical_space(triad_pass *p, const triad_work *work)
{
  double last = triad_now(), now;
  triad_exchange_begin(p->exchange);
  for (int64_t chunk = 0; chunk < triad_exchange_chunks(p->exchange); chunk++) {
    int64_t begin, end;
    triad_exchange_wait(p->exchange, chunk);
    now = triad_now();
    p->exchange_s += now - last;
    triad_exchange_planes(p->exchange, chunk, &begin, &end);
    for (int64_t some = work->planes ? work->together : end - begin; begin < end; begin += some) {
      const int64_t until = end - begin < some ? end : begin + some;
      visit_planes(p, work, chunk, begin, until);
      if (work->planes) work->planes(work->self, begin, until);
    }
    last = triad_now();
    triad_exchange_send(p->exchange, chunk);
  }
  triad_exchange_end(p->exchange);
  now = triad_now();
  p->exchange_s += now - last;
}

static void collect_peaks(triad_pass *p, double *peaks)
{
  for (int i = 0; i < TRIAD_PEAKS; i++) {
    peaks[i] = -INFINITY;
    for (int t = 0; t < p->context->threads; t++) {
      double peak = p->space[t].peaks[i];
      if (peak > peaks[i] || isnan(peak)) peaks[i] = peak;
    }
  }
}

/* On one grid, as `of` of work_to_columns. */
static int run_on(triad_pass *p, const triad_work *work, const double *shift, int of)
{
  const int threads = p->context->threads;
  const int64_t n_blocks = p->layout->n_blocks;
  triad_shift_set(p->shift, shift);
  if (work->n_in > 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t b = 0; b < n_blocks; b++) columns_to_work(p, work, &p->space[omp_get_thread_num()], b);
  }
  if (p->layout->split) triad_pass_split_visit(p, work);
  else visit_physical_space(p, work);
  if (work->settle && of != 1) {
    double peaks[TRIAD_PEAKS];
    collect_peaks(p, peaks);
    TRIAD_TRY(work->settle(work->self, peaks));
  }
  if (work->n_out > 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t b = 0; b < n_blocks; b++) work_to_columns(p, work, &p->space[omp_get_thread_num()], b, of);
  }
  return TRIAD_OK;
}

int triad_pass_run(triad_pass *p, const triad_work *work)
{
  static const double half_a_cell[3] = {0.5, 0.5, 0.5};
  const int both = p->layout->grid.shifted && !work->shift && work->n_in > 0 && work->n_out > 0;
  triad_exchange_fields(p->exchange, work->n_in, triad_chains_left(&work->chains, work->n_out));
  for (int t = 0; t < p->context->threads; t++)
    for (int i = 0; i < TRIAD_PEAKS; i++) p->space[t].peaks[i] = -INFINITY;
  if (!both) return run_on(p, work, work->shift, 0);
  TRIAD_TRY(run_on(p, work, NULL, 1));
  return run_on(p, work, half_a_cell, 2);
}

triad_exchange *triad_pass_exchange(const triad_pass *p) { return p->exchange; }

triad_cplx *triad_pass_first(const triad_pass *p) { return p->first; }

triad_phases triad_pass_phases(triad_pass *p)
{
  triad_phases sum = {{0}};
  for (int t = 0; t < p->context->threads; t++)
    for (int i = 0; i < TRIAD_PHASES; i++) {
      sum.s[i] += p->space[t].phases.s[i] / p->context->threads;
      p->space[t].phases.s[i] = 0;
    }
  sum.s[TRIAD_PHASE_EXCHANGE] += p->exchange_s;
  p->exchange_s = 0;
  return sum;
}

/* The usual count for n complex points, 5 n log2 n; half of it for real ones. */
static double line_flops(int64_t n) { return 5 * (double)n * log2((double)n); }

triad_pass_costs triad_layout_cost(const triad_layout *l, int n_in, int n_out, int n_left)
{
  const triad_grid *g = &l->grid;
  const int64_t lines = l->split ? triad_split_lines(l->split, l->member) : g->kmax[0] + 1;
  double plane = (double)l->n_y * line_flops(g->n[0]) / 2 + (double)lines * line_flops(g->n[1]);
  int64_t fields = n_in + n_left, work = g->n[2] * l->n_columns;
  return (triad_pass_costs){
      .flops = (double)fields * (double)l->n_columns * line_flops(g->n[2]) + (double)(n_in + n_out) * (double)l->n_planes * plane,
      .memory_bytes = fields * (l->n_columns * l->nkz + 2 * work) * (int64_t)sizeof(triad_cplx)};
}

triad_pass_costs triad_pass_cost(triad_pass *p, int n_in, int n_out, int n_left)
{
  triad_pass_costs cost = triad_layout_cost(p->layout, n_in, n_out, n_left);
  triad_exchange_fields(p->exchange, n_in, n_left);
  cost.sent_bytes = triad_exchange_bytes(p->exchange);
  if (p->layout->split) cost.sent_bytes += triad_rows_bytes(p->layout, n_in, n_out);
  cost.nstreams = triad_exchange_depth(p->exchange);
  cost.chunks = triad_exchange_chunks(p->exchange);
  return cost;
}
