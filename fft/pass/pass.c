/* Run the pass on CPUs: columns to planes, the pointwise kernel, planes to columns, for one or two shifted grids. */
#include "fft/pass/pass_internal.h"
#include "fft/pass/pass_columns.h"
#include "fft/pass/pass_rows.h"
#include "fft/pass/pass_split.h"

#include <math.h>
#include <omp.h>

/* Subtracts the columns of each force, the last of the results, from those of the result that it acts on. */
static void subtract_forces(triad_pass *p, const triad_work *work, const triad_thread_space *s, int64_t chunk,
                            int64_t z)
{
  for (int i = 0; i < work->n_forces; i++) {
    const int f = work->n_out - work->n_forces + i;
    if (p->divided[f] >= 0 || (f >= work->n_out - work->sparse && !s->filled)) continue;
    for (int r = 0; r < p->layout->size; r++)
      triad_columns_subtract(p->columns, r, s->planes_out + f * p->plane_size, 0, triad_columns_stride(p->columns),
                             p->scale, triad_exchange_plane_out(p->exchange, chunk, z, work->force_of[i], r));
  }
}

/* A plane's results into the exchange, chains joined. */
static void plane_to_work(triad_pass *p, const triad_work *work, const triad_thread_space *s, int64_t chunk, int64_t z)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  const int n = triad_chains_runs(&work->chains, work->n_out - work->n_forces, runs), members = p->layout->size;
  for (const triad_chain_run *c = runs; c < runs + n; c++)
    for (int i = 0; i < c->count * members; i++) {
      const int number = i / members, r = i % members;
      const triad_cplx *first = s->planes_out + (c->first + number * c->step) * p->plane_size;
      for (int part = 0; part < (c->length > 1 ? c->length - 1 : 1); part++) {
        const triad_chain_waves waves = triad_pass_waves(p, work, c->first + number * c->step, part);
        const triad_cplx *const two[2] = {first + part * p->plane_size, first + (part + 1) * p->plane_size};
        triad_cplx *to = triad_exchange_plane_out(p->exchange, chunk, z, c->joined + number * c->joined_step + part, r);
        if (c->length == 1) triad_columns_gather(p->columns, r, first, p->scale, to);
        else
          triad_columns_gather_chain(p->columns, r, two, 0, triad_columns_stride(p->columns), &waves,
                                     (triad_real)p->layout->skew, p->scale, to);
      }
    }
  subtract_forces(p, work, s, chunk, z);
}

static void visit_plane(triad_pass *p, const triad_work *work, triad_thread_space *s, int64_t chunk, int64_t z)
{
  const triad_layout *l = p->layout;
  double last = triad_now();
  const int sent = triad_pass_sent(work), along_y = triad_pass_along_y(work);
  for (int f = 0; f < sent; f++) {
    triad_cplx *plane = s->planes_in + f * p->plane_size;
    for (int r = 0; r < l->size; r++)
      triad_columns_scatter(p->columns, r, triad_exchange_plane_in(p->exchange, chunk, z, f, r), plane);
    triad_columns_complete(p->columns, plane);
  }
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  for (int f = sent; f < along_y; f++)
    triad_pass_slope_y(p, triad_columns_stride(p->columns), triad_columns_stride(p->columns),
                       s->planes_in + work->slope_of[f - sent] * p->plane_size, s->planes_in + f * p->plane_size);
  for (int f = 0; f < along_y; f++) triad_lines_y_backward(p->lines, s->planes_in + f * p->plane_size);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);

  int64_t ny = l->grid.n[1];
  s->filled = 0;
  for (int64_t y = 0; y < ny; y += 2 * p->batch) {
    const int64_t before = y * triad_columns_stride(p->columns);
    const triad_pass_place rows = {l->first_plane + z,
                                   y,
                                   ny - y < 2 * p->batch ? ny - y : 2 * p->batch,
                                   s->planes_in + before,
                                   s->planes_out + before,
                                   p->plane_size,
                                   p->plane_size};
    triad_pass_rows(p, work, s, &rows);
  }

  last = triad_now();
  for (int f = 0; f < work->n_out; f++)
    if (p->divided[f] < 0 && (f < work->n_out - work->sparse || s->filled))
      triad_lines_y_forward(p->lines, s->planes_out + f * p->plane_size);
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

/* On one grid, as `of` of triad_pass_from_work. */
static int run_on(triad_pass *p, const triad_work *work, const double *shift, int of)
{
  const int threads = p->context->threads;
  const int64_t n_blocks = p->layout->n_blocks;
  triad_shift_set(p->shift, shift);
  if (work->n_in > 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t b = 0; b < n_blocks; b++) triad_pass_to_work(p, work, &p->space[omp_get_thread_num()], b);
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
    for (int64_t b = 0; b < n_blocks; b++) triad_pass_from_work(p, work, &p->space[omp_get_thread_num()], b, of);
  }
  return TRIAD_OK;
}

int triad_pass_run(triad_pass *p, const triad_work *work)
{
  static const double half_a_cell[3] = {0.5, 0.5, 0.5};
  const int both = p->layout->grid.shifted && !work->shift && work->n_in > 0 && work->n_out > 0;
  if (work->n_slopes[1] > 0 && p->layout->skew != 0)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "derivatives along y are not computed between lines if modes lean");
  triad_exchange_fields(p->exchange, triad_pass_sent(work), triad_pass_left(work));
  triad_pass_divide(p, work);
  for (int t = 0; t < p->context->threads; t++)
    for (int i = 0; i < TRIAD_PEAKS; i++) p->space[t].peaks[i] = -INFINITY;
  if (!both) return run_on(p, work, work->shift, 0);
  TRIAD_TRY(run_on(p, work, NULL, 1));
  return run_on(p, work, half_a_cell, 2);
}

triad_exchange *triad_pass_exchange(const triad_pass *p) { return p->exchange; }

triad_cplx *triad_pass_first(const triad_pass *p) { return p->first; }

int triad_pass_has_own(const triad_pass *p, int axis) { return triad_lines_are_own(p->lines, axis); }

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
  return (triad_pass_costs){.flops = (double)fields * (double)l->n_columns * line_flops(g->n[2]) +
                                     (double)(n_in + n_out) * (double)l->n_planes * plane,
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
