/* The middle of the pass if ranks share planes. Lines along y belong to one member of a group, and so do rows along x;
 * between the two, values are exchanged within the group. A piece of a chunk of planes passes three steps,
 *   lines in    columns of all groups -> lines along y, backward -> messages to the members
 *   rows        messages -> rows, x backward, points, x forward -> messages
 *   lines out   messages -> lines along y, forward -> columns of all groups
 * and while the messages of one piece are under way, another is worked on.
 *
 * Lines along y go through the plan of a whole plane, as many at once as that has, whatever fields and planes they
 * are of: so a line is rounded as on one rank. */
#include "fft/pass/pass_split.h"
#include "fft/pass/pass_internal.h"
#include "fft/pass/pass_rows.h"
#include "fft/pass/pass_moves.h"

#include <omp.h>
#include <string.h>

static int split_comm(triad_comm *out, const triad_comm *all, int color, int key)
{
  MPI_Comm part = MPI_COMM_NULL;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split(all->mpi, color, key, &part)));
  int st = triad_comm_create(out, part);
  (void)MPI_Comm_free(&part);
  return st;
}

int triad_pass_split_create(triad_pass *p, const triad_pass_options *options)
{
  const triad_comm *all = &p->context->comm;
  const triad_layout *l = p->layout;
  p->across = *p->context;
  p->across.comm.mpi = MPI_COMM_NULL;
  int st = split_comm(&p->across.comm, all, l->member, l->split->place);
  if (st == TRIAD_OK) st = split_comm(&p->within, all, l->split->place, l->member);
  /* all cut their planes alike, whatever threads each has */
  if (st == TRIAD_OK)
    st = TRIAD_MPI(MPI_Allreduce(&p->context->threads, &p->across.threads, 1, MPI_INT, MPI_MAX, all->mpi));
  st = triad_agree(all, st);
  if (st == TRIAD_OK)
    st = triad_agree(all, triad_exchange_create(&p->exchange, &p->across, p->columns, l->split->part, p->most_in,
                                                p->most_left, options->nstreams));
  if (st != TRIAD_OK) return st;
  const int64_t chunk = triad_exchange_chunk_planes(p->exchange);
  const int64_t planes = p->piece_planes = triad_rows_at_once(l, p->across.threads, chunk, p->most_in, p->most_out);
  p->pieces = (chunk + planes - 1) / planes;
  if (!options->by_messages)
    st = triad_agree(all, triad_shared_rows_create(&p->shared, p->context, &p->within, l,
                                                   triad_columns_stride(p->columns), planes, p->most_in, p->most_out));
  if (st == TRIAD_OK && !p->shared)
    st = triad_rows_create(&p->rows, p->context, &p->within, l, planes, p->most_in, p->most_out);
  return triad_agree(all, st);
}

void triad_pass_split_destroy(triad_pass *p)
{
  triad_rows_destroy(&p->rows);
  triad_shared_rows_destroy(&p->shared);
  triad_comm_destroy(&p->within);
  triad_comm_destroy(&p->across.comm);
}

/* ---- lines along y ---- */

/* Number i of the parts of a batch; 0: there are no more. Lines of all planes and fields follow one another. */
static int part_of(const triad_pass *p, int n, int64_t all, int64_t batch, int64_t i, triad_pass_part *out)
{
  const int64_t width = triad_columns_width(p->columns), lines = triad_split_lines(p->layout->split, p->layout->member);
  const int64_t low = batch * width, high = low + width < all ? low + width : all, number = low / lines + i;
  const int64_t begin = number * lines, end = begin + lines;
  if (begin >= high) return 0;
  const int64_t first = begin > low ? begin : low, last = end < high ? end : high;
  *out = (triad_pass_part){
    .at = number / n, .field = (int)(number % n), .begin = first - begin, .end = last - begin, .column = first - low};
  return 1;
}

/* Pieces are numbered through all chunks; those at the end of a chunk may be empty. */
typedef struct piece {
  int64_t number, chunk, first, planes; /* first: local number */
} piece;

static piece piece_of(const triad_pass *p, int64_t number)
{
  int64_t begin, end;
  triad_exchange_planes(p->exchange, number / p->pieces, &begin, &end);
  const int64_t first = begin + number % p->pieces * p->piece_planes, left = end - first;
  return (piece){number, number / p->pieces, first, left < 0 ? 0 : left < p->piece_planes ? left : p->piece_planes};
}

static int64_t line_count(const triad_pass *p, const piece *c, int n)
{
  return c->planes * n * triad_split_lines(p->layout->split, p->layout->member);
}

static int64_t batches(const triad_pass *p, int64_t lines)
{
  return (lines + triad_columns_width(p->columns) - 1) / triad_columns_width(p->columns);
}

/* A batch is not full: the rest is zeros. */
static void clear_rest(const triad_pass *p, int64_t lines, int64_t batch, triad_cplx *plane)
{
  const int64_t width = triad_columns_width(p->columns), stride = triad_columns_stride(p->columns),
                full = lines - batch * width;
  for (int64_t y = 0; full < width && y < p->layout->grid.n[1]; y++)
    memset(plane + y * stride + full, 0, (size_t)(width - full) * sizeof *plane);
}

/* The lines of kx = 0 and of kx = nx/2 that this member has; -1: neither. */
static int64_t own_line(const triad_layout *l, int64_t kx)
{
  return l->split->member_of[kx] == l->member ? l->split->line_of[kx] : -1;
}

static void backward_batch(triad_pass *p, triad_thread_space *s, const piece *c, const triad_work *work, int64_t batch)
{
  const int n = triad_pass_along_y(work), sent = triad_pass_sent(work);
  const triad_layout *l = p->layout;
  const int64_t all = line_count(p, c, n), kmax = l->grid.kmax[0];
  const int64_t zero = own_line(l, 0), nyquist = kmax > 0 && 2 * kmax == l->grid.n[0] ? own_line(l, kmax) : -1;
  triad_cplx *plane = s->planes_in;
  double last = triad_now();
  triad_pass_part t;
  for (int64_t i = 0; part_of(p, n, all, batch, i, &t); i++) {
    const int from = t.field < sent ? t.field : work->slope_of[t.field - sent];
    for (int r = 0; r < l->split->groups; r++)
      triad_columns_scatter_lines(p->columns, r,
                                  triad_exchange_plane_in(p->exchange, c->chunk, c->first + t.at, from, r), t.begin,
                                  t.end, plane + t.column);
    triad_columns_complete_lines(p->columns, t.begin, t.end, zero, nyquist, plane + t.column);
    if (t.field >= sent)
      triad_pass_slope_y(p, triad_columns_stride(p->columns), t.end - t.begin, plane + t.column, plane + t.column);
  }
  clear_rest(p, all, batch, plane);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  triad_lines_y_backward(p->lines, plane);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  for (int64_t i = 0; part_of(p, n, all, batch, i, &t); i++) triad_pass_lines_to(p, c->number, &t, plane);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
}

/* A part of transformed lines into the exchange between groups, chains joined; part->field: number of the chain. force:
 * subtract it from what is there. */
static void batch_to_work(const triad_pass *p, const triad_work *work, const triad_thread_space *s, const piece *c,
                          const triad_chain_run *run, int force, const triad_pass_part *t)
{
  const triad_cplx *first = s->planes_out + t->column;
  const int groups = p->layout->split->groups, left = run->length > 1 ? run->length - 1 : 1;
  for (int i = 0; i < left * groups; i++) {
    const int k = i / groups, r = i % groups;
    const triad_cplx *const pair[2] = {first + k * p->plane_size, first + (k + 1) * p->plane_size};
    const triad_chain_waves waves = triad_pass_waves(p, work, run->first + t->field * run->step, k);
    triad_cplx *to = triad_exchange_plane_out(p->exchange, c->chunk, c->first + t->at,
                                              run->joined + t->field * run->joined_step + k, r);
    if (force) triad_columns_subtract(p->columns, r, first, t->begin, t->end, p->scale, to);
    else if (run->length == 1) triad_columns_gather_lines(p->columns, r, first, t->begin, t->end, p->scale, to);
    else
      triad_columns_gather_chain(p->columns, r, pair, t->begin, t->end, &waves, (triad_real)p->layout->skew, p->scale,
                                 to);
  }
}

/* Lines of chains go through together, a plane of the thread's for each result. */
static void forward_batch(triad_pass *p, const triad_work *work, triad_thread_space *s, const piece *c,
                          const triad_chain_run *run, int force, int64_t batch)
{
  const int64_t all = line_count(p, c, run->count);
  double last = triad_now();
  triad_pass_part t;
  for (int k = 0; k < run->length; k++) {
    triad_cplx *plane = s->planes_out + k * p->plane_size;
    for (int64_t i = 0; part_of(p, run->count, all, batch, i, &t); i++) {
      t.field = run->first + t.field * run->step + k;
      triad_pass_lines_from(p, c->number, &t, plane);
    }
    clear_rest(p, all, batch, plane);
  }
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  for (int k = 0; k < run->length; k++) triad_lines_y_forward(p->lines, s->planes_out + k * p->plane_size);
  triad_pass_lap(s, TRIAD_PHASE_FFT, &last);
  for (int64_t i = 0; part_of(p, run->count, all, batch, i, &t); i++) batch_to_work(p, work, s, c, run, force, &t);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
}

static void progress(triad_pass *p)
{
  int flag;
  if (omp_get_thread_num() > 0) return;
  triad_must(&p->context->comm,
             TRIAD_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, p->within.mpi, &flag, MPI_STATUS_IGNORE)));
}

static void lines_in(triad_pass *p, const triad_work *work, const piece *c)
{
  const int64_t n = batches(p, line_count(p, c, triad_pass_along_y(work)));
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->context->threads)
  for (int64_t b = 0; b < n; b++) {
    backward_batch(p, &p->space[omp_get_thread_num()], c, work, b);
    progress(p);
  }
}

static void lines_out(triad_pass *p, const triad_work *work, const piece *c)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  const int n = triad_chains_runs(&work->chains, work->n_out - work->n_forces, runs);
  int64_t begin[TRIAD_CHAIN_RUNS + 1] = {0}; /* batches of each */
  for (int i = 0; i < n; i++) begin[i + 1] = begin[i] + batches(p, line_count(p, c, runs[i].count));
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->context->threads)
  for (int64_t b = 0; b < begin[n]; b++) {
    int i = 0;
    while (b >= begin[i + 1]) i++;
    forward_batch(p, work, &p->space[omp_get_thread_num()], c, &runs[i], 0, b - begin[i]);
    progress(p);
  }
  for (int f = 0; f < work->n_forces; f++) {
    if (p->divided[work->n_out - work->n_forces + f] >= 0) continue;
    const triad_chain_run force = {1, 1, work->n_out - work->n_forces + f, 1, work->force_of[f], 1};
    const int64_t all = batches(p, line_count(p, c, 1));
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->context->threads)
    for (int64_t b = 0; b < all; b++) forward_batch(p, work, &p->space[omp_get_thread_num()], c, &force, 1, b);
  }
}

/* ---- rows along x ---- */

/* Visit rows `row` .. + count - 1 of this rank in plane `at` of the piece. Rows in shared memory are
 * already in place. */
static void visit_some(triad_pass *p, const triad_work *work, triad_thread_space *s, const piece *c, int64_t at,
                       int64_t row, int64_t count)
{
  const triad_layout *l = p->layout;
  const int64_t stride = triad_columns_stride(p->columns), apart = p->shared ? l->n_y * stride : p->plane_size;
  triad_cplx *in = s->planes_in, *out = s->planes_out;
  if (p->shared && work->n_in > 0) in = triad_shared_rows_in(p->shared, c->number, at, 0, l->member) + row * stride;
  if (p->shared && work->n_out > 0) out = triad_shared_rows_out(p->shared, c->number, at, 0, l->member) + row * stride;
  const triad_pass_place rows = {l->first_plane + c->first + at, l->first_y + row, count, in, out, apart, apart};
  double last = triad_now();
  for (int f = 0; f < triad_pass_along_y(work) && !p->shared; f++)
    for (int64_t i = 0; i < count; i++) triad_pass_row_from(p, c->number, at, f, row + i, in + f * apart + i * stride);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
  triad_pass_rows(p, work, s, &rows);
  last = triad_now();
  for (int f = 0; f < work->n_out && !p->shared; f++)
    for (int64_t i = 0; i < count && p->divided[f] < 0; i++)
      triad_pass_row_to(p, c->number, at, f, row + i, out + f * apart + i * stride);
  triad_pass_lap(s, TRIAD_PHASE_TRANSPOSE, &last);
}

static void visit_rows(triad_pass *p, const triad_work *work, const piece *c)
{
  const int64_t rows = p->layout->n_y, some = 2 * p->batch, pieces = (rows + some - 1) / some;
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->context->threads)
  for (int64_t i = 0; i < c->planes * pieces; i++) {
    const int64_t row = i % pieces * some;
    visit_some(p, work, &p->space[omp_get_thread_num()], c, i / pieces, row, rows - row < some ? rows - row : some);
    if (row == 0) progress(p);
  }
}

/* ---- all pieces ---- */

/* Waiting is charged to the exchange phase; threads charge their own work. */
static void charge(triad_pass *p, double begin) { p->exchange_s += triad_now() - begin; }

static void step_lines_in(triad_pass *p, const triad_work *work, int64_t number)
{
  const piece c = piece_of(p, number);
  double begin = triad_now();
  if (number % p->pieces == 0) triad_exchange_wait(p->exchange, c.chunk);
  charge(p, begin);
  if (work->n_in > 0) lines_in(p, work, &c);
  begin = triad_now();
  if (p->shared) triad_shared_rows_done(p->shared, number, TRIAD_ROWS_IN);
  else triad_rows_start_in(p->rows, number, c.planes);
  charge(p, begin);
}

static void step_rows(triad_pass *p, const triad_work *work, int64_t number)
{
  const piece c = piece_of(p, number);
  double begin = triad_now();
  if (p->shared) triad_shared_rows_wait(p->shared, number, TRIAD_ROWS_IN);
  else triad_rows_wait_in(p->rows, number);
  charge(p, begin);
  visit_rows(p, work, &c);
  begin = triad_now();
  if (p->shared) triad_shared_rows_done(p->shared, number, TRIAD_ROWS_OUT);
  else triad_rows_start_out(p->rows, number, c.planes);
  charge(p, begin);
}

static void step_lines_out(triad_pass *p, const triad_work *work, int64_t number)
{
  const piece c = piece_of(p, number);
  double begin = triad_now();
  if (p->shared) triad_shared_rows_wait(p->shared, number, TRIAD_ROWS_OUT);
  else triad_rows_wait_out(p->rows, number);
  charge(p, begin);
  if (work->n_out > 0) lines_out(p, work, &c);
  begin = triad_now();
  if (number % p->pieces == p->pieces - 1) triad_exchange_send(p->exchange, c.chunk);
  charge(p, begin);
}

/* A piece's rows are worked on while those of the next one travel, and its lines out while those of the next but one
 * do: if a chunk is never waited for before the one has been sent whose place it takes. */
void triad_pass_split_visit(triad_pass *p, const triad_work *work)
{
  const int64_t chunks = triad_exchange_chunks(p->exchange), depth = triad_exchange_depth(p->exchange),
                n = chunks * p->pieces;
  const int64_t behind = chunks <= depth || depth >= 3 || (depth == 2 && p->pieces >= 2);
  if (p->rows) triad_rows_fields(p->rows, triad_pass_along_y(work), work->n_out);
  triad_exchange_begin(p->exchange);
  for (int64_t i = 0; i < n + 2 * behind; i++) {
    if (i < n) step_lines_in(p, work, i);
    if (i >= behind && i - behind < n) step_rows(p, work, i - behind);
    if (i >= 2 * behind) step_lines_out(p, work, i - 2 * behind);
  }
  triad_exchange_end(p->exchange);
}
