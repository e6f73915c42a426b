/* Run the pass on a GPU: allocate work arrays and chunks, launch kernels on the streams, and exchange chunks with
 * other GPUs. */
#include "fft/gpu/gpu_pass_internal.h"
#include "transpose/chain_waves.h"
#include "fft/gpu/gpu_tables.h"
#include "fft/gpu/gpu_shift.h"
#include "fft/gpu/gpu_pass_split.h"
#include "fft/gpu/gpu_compiled.h"
#include "fft/gpu/gpu_library.h"

#include <stdlib.h>
#include <string.h>

int triad_gpu_layout_create(triad_layout **out, const triad_grid *grid, int rank, int size, int group)
{
  triad_layout *l;
  TRIAD_TRY(triad_layout_create_split(&l, grid, rank, size, group, 16));
  int64_t lanes = l->n_blocks * l->lanes;
  triad_layout_destroy(&l);
  return triad_layout_create_split(out, grid, rank, size, group, lanes > 0 ? lanes : 16);
}

/* One chunk, which nothing can overlap with: all is launched on the device's own stream. */
static int is_alone(const triad_layout *l, const triad_gpu_chunks *chunks)
{
  return l->size == 1 && chunks->count == 1;
}

/* Who has the columns that are exchanged, and the planes: of ranks that share planes, those of the same place in
 * their groups. */
static const triad_layout *columns_of(const triad_layout *l) { return l->split ? l->split->part : l; }

/* Bytes that a plane takes while it is computed; of ranks that share planes, this one's rows where they do not stay
 * in their pieces. */
static int64_t plane_bytes(const triad_layout *l, int most_in, int most_out, int row_fields)
{
  int most = l->split ? 0 : most_in > most_out ? most_in : most_out;
  return (most * triad_gpu_pitch(&l->grid) * (int64_t)sizeof(triad_cplx) +
          row_fields * l->grid.n[0] * (int64_t)sizeof(triad_real)) *
         l->n_y;
}

static int most_left(const triad_gpu_pass_options *options, int most_out)
{
  return options->most_left > 0 ? options->most_left : most_out;
}

static int64_t batch_of(const triad_layout *l, const triad_gpu_chunks *chunks, int most_in, int most_out,
                        int row_fields)
{
  if (l->split) return chunks->planes; /* a piece of rows is of a whole chunk */
  const int64_t bytes = l->grid.shifted ? TRIAD_GPU_WIDE_BYTES : TRIAD_GPU_BATCH_BYTES;
  int64_t batch = bytes / (chunks->depth * plane_bytes(l, most_in, most_out, row_fields));
  return batch < 1 ? 1 : batch < chunks->planes ? batch : chunks->planes;
}

triad_gpu_pass_needs triad_gpu_pass_count(const triad_layout *l, int most_in, int most_out, int row_fields,
                                          const triad_gpu_pass_options *options)
{
  const triad_layout *c = columns_of(l);
  const int64_t columns = triad_gpu_columns_padded(c, c->rank);
  triad_gpu_pass_needs n = {0};
  triad_gpu_exchange_needs(c, most_in, most_left(options, most_out), options->nstreams, &n.chunks, &n.work,
                           &n.exchange);
  if (l->split) n.exchange += triad_gpu_rows_needs(l, &n.chunks, most_in, most_out);
  row_fields = triad_gpu_library_rows(&l->grid, most_in, most_out, row_fields);
  n.library = (n.chunks.depth + !is_alone(l, &n.chunks)) * triad_gpu_library_bytes(&l->grid);
  n.batch = batch_of(l, &n.chunks, most_in, most_out, row_fields);
  n.planes = n.chunks.depth * n.batch * plane_bytes(l, most_in, most_out, row_fields);
  n.tables = (columns + 1) * (int64_t)sizeof(int32_t) +
             (l->grid.n[0] + l->grid.n[1] + l->grid.n[2]) * (int64_t)(sizeof(triad_cplx) + sizeof(triad_gpu_row)) +
             (triad_chain_lines(l) + l->grid.n[1]) * (int64_t)sizeof(triad_real) +
             2 * triad_gpu_shifts_bytes(l, columns);
  n.first = options->both ? most_left(options, most_out) * l->nkz * columns * (int64_t)sizeof(triad_cplx) : 0;
  return n;
}

static int take_slot(triad_gpu_pass *p, triad_gpu_slot *s, int most_in, int most_out, int row_fields)
{
  const triad_layout *l = p->layout;
  const size_t cplx = sizeof(triad_cplx), real = sizeof(triad_real);
  int64_t plane = p->batch * l->n_y * triad_gpu_pitch(&l->grid), points = p->batch * l->grid.n[0] * l->n_y;
  if (p->alone) s->stream = triad_device_stream(p->device);
  else TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming)));
  if (!l->split)
    TRIAD_TRY(triad_device_alloc(p->device, "planes", (most_in > most_out ? most_in : most_out) * plane, cplx,
                                 (void **)&s->planes));
  return row_fields > 0 ? triad_device_alloc(p->device, "rows", row_fields * points, real, (void **)&s->values)
                        : TRIAD_OK;
}

/* Lines along z are transformed on the device's stream, those along x and y on the slots'. */
static int make_library(triad_gpu_pass *p)
{
  TRIAD_TRY(triad_gpu_library_create(&p->library, p->device, &p->layout->grid, p->shape.library));
  if (!p->library) return TRIAD_OK;
  TRIAD_TRY(triad_gpu_library_open(p->library, triad_device_stream(p->device)));
  for (int s = 0; s < p->chunks.depth && !p->alone; s++)
    TRIAD_TRY(triad_gpu_library_open(p->library, p->slots[s].stream));
  return TRIAD_OK;
}

/* Create what needs no other rank. */
static int create_own(triad_gpu_pass *p, int most_in, int most_out, int row_fields, int both)
{
  TRIAD_TRY(triad_gpu_tables_create(&p->tables, p->device, p->layout, TRIAD_GPU_COLUMNS, p->chunks.planes));
  p->shape = *triad_gpu_tables_shape(p->tables);
  for (int i = 0; i < 2; i++) TRIAD_TRY(triad_gpu_shifts_create(&p->shifts[i], p->device, p->layout, p->shape.columns));
  if (both)
    TRIAD_TRY(triad_device_alloc(p->device, "shifts", p->most_left * p->shape.nkz * p->shape.columns, sizeof *p->first,
                                 (void **)&p->first));
  p->slots = calloc((size_t)p->chunks.depth, sizeof *p->slots);
  if (!p->slots) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d slots", p->chunks.depth);
  for (int s = 0; s < p->chunks.depth; s++) TRIAD_TRY(take_slot(p, &p->slots[s], most_in, most_out, row_fields));
  TRIAD_TRY(
    triad_gpu_compiled_create(p->shape.compiled, &p->layout->grid, p->members != NULL, p->most_left < most_out));
  TRIAD_TRY(make_library(p));
  if (p->members) p->shape.apart = triad_gpu_rows_apart(p->members);
  p->rows = p->shape;
  if (p->members) {
    p->rows.n[1] = (int)p->layout->n_y;
    p->rows.kx_most = (int)p->layout->grid.kmax[0];
    p->rows.from = triad_gpu_rows_from(p->members);
    p->rows.to = triad_gpu_rows_to(p->members);
  }
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->begun, cudaEventDisableTiming)));
  return triad_device_alloc(p->device, "peaks", TRIAD_GPU_PEAKS, sizeof(double), (void **)&p->peaks);
}

/* Create the exchanges, in the same order on all ranks. */
static int create_exchanges(triad_gpu_pass *p, int most_in, int most_out, const triad_gpu_pass_options *options)
{
  const triad_layout *l = p->layout;
  const triad_gpu_exchange_options o = {options->nstreams, options->transport ? options->transport : "auto"};
  if (l->split) TRIAD_TRY(triad_gpu_pass_split_comms(p));
  int st = triad_gpu_exchange_create(&p->exchange, l->split ? &p->across : p->context, p->device, columns_of(l),
                                     most_in, p->most_left, &o);
  if (l->split) st = triad_agree(&p->context->comm, st);
  TRIAD_TRY(st);
  p->chunks = triad_gpu_exchange_chunks(p->exchange);
  p->work = triad_gpu_exchange_work(p->exchange);
  return l->split ? triad_gpu_pass_split_create(p, most_in, most_out, o.transport) : TRIAD_OK;
}

int triad_gpu_pass_create(triad_gpu_pass **out, triad_context *context, triad_device *device, const triad_layout *l,
                          int most_in, int most_out, int row_fields, const triad_gpu_pass_options *options)
{
  triad_gpu_pass *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPU pass");
  TRIAD_TRY(triad_agree(&context->comm, st));
  p->context = context;
  p->device = device;
  p->layout = l;
  p->most_left = most_left(options, most_out);
  row_fields = triad_gpu_library_rows(&l->grid, most_in, most_out, row_fields);
  p->across.comm.mpi = p->within.comm.mpi = MPI_COMM_NULL;
  st = create_exchanges(p, most_in, most_out, options);
  if (st == TRIAD_OK) {
    p->alone = is_alone(l, &p->chunks);
    p->batch = (int)batch_of(l, &p->chunks, most_in, most_out, row_fields);
    st = triad_agree(&context->comm, create_own(p, most_in, most_out, row_fields, options->both));
  }
  if (st != TRIAD_OK) triad_gpu_pass_destroy(out);
  return st;
}

void triad_gpu_pass_destroy(triad_gpu_pass **pass)
{
  if (!pass || !*pass) return;
  triad_gpu_pass *p = *pass;
  triad_gpu_exchange_destroy(&p->exchange);
  triad_gpu_pass_split_destroy(p);
  triad_gpu_compiled_destroy(p->shape.compiled);
  triad_gpu_library_destroy(&p->library);
  triad_gpu_tables_destroy(&p->tables);
  for (int i = 0; i < 2; i++) triad_gpu_shifts_destroy(&p->shifts[i]);
  triad_device_free(p->device, (void **)&p->first);
  triad_device_free(p->device, (void **)&p->peaks);
  for (int i = 0; p->slots && i < p->chunks.depth; i++) {
    triad_gpu_slot *s = &p->slots[i];
    triad_device_free(p->device, (void **)&s->planes);
    triad_device_free(p->device, (void **)&s->values);
    if (s->stream && !p->alone) (void)cudaStreamDestroy(s->stream);
    if (s->done) (void)cudaEventDestroy(s->done);
  }
  if (p->begun) (void)cudaEventDestroy(p->begun);
  free(p->slots);
  free(p);
  *pass = NULL;
}

int triad_gpu_pass_lap(triad_gpu_pass *p, enum triad_phase phase, double *last)
{
  if (!p->apart) return TRIAD_OK;
  TRIAD_TRY(TRIAD_CU(cudaDeviceSynchronize()));
  double now = triad_now();
  p->phases.s[phase] += now - *last;
  *last = now;
  return TRIAD_OK;
}

triad_gpu_chunk triad_gpu_pass_chunk(const triad_gpu_pass *p, const triad_gpu_job *job, const triad_gpu_slot *s,
                                     triad_cplx *planes, int64_t first, int count)
{
  const triad_gpu_shape *g = &p->rows;
  int64_t points = (int64_t)g->n[1] * g->n[0], field = count * g->n[1] * g->pitch;
  triad_cplx *in = planes + (job->n_out > job->n_in ? job->n_out - job->n_in : 0) * field;
  return (triad_gpu_chunk){.shape = g,
                           .n_in = job->n_in,
                           .n_out = job->n_out,
                           .count = count,
                           .slot = (int)(s - p->slots),
                           .first = first,
                           .in = in,
                           .out = planes,
                           .rows_in = s->values,
                           .rows_out = s->values ? s->values + job->n_in * count * points : NULL,
                           .kept = job->kept,
                           .kept_stride = points * p->layout->n_planes,
                           .dt = job->dt,
                           .peaks = p->peaks,
                           .stream = s->stream};
}

static int visit_planes(triad_gpu_pass *p, const triad_gpu_job *job, const triad_gpu_slot *s, int64_t chunk,
                        int64_t number, int first, int count, double *last)
{
  const triad_gpu_shape *g = &p->shape;
  const double scale = 1.0 / (double)triad_grid_points(&p->layout->grid);
  const triad_gpu_chunk work = triad_gpu_pass_chunk(p, job, s, s->planes, number + first, count);
  triad_gpu_side from = {triad_gpu_exchange_own(p->exchange, chunk), triad_gpu_exchange_arrived(p->exchange, chunk),
                         first, job->n_in};
  triad_gpu_side to = {from.own, triad_gpu_exchange_leaving(p->exchange, chunk), first, g->slots};
  TRIAD_TRY(triad_gpu_y_backward(g, job->n_in, &from, count, (triad_cplx *)(uintptr_t)work.in, s->stream));
  TRIAD_TRY(job->visit(job->law, &work));
  if (job->n_out > 0)
    TRIAD_TRY(triad_gpu_y_forward(g, &job->chains, job->n_out, s->planes, count, scale, &to, s->stream));
  return triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, last);
}

static int visit_chunk(triad_gpu_pass *p, const triad_gpu_job *job, int64_t chunk, double *last)
{
  const triad_gpu_slot *s = &p->slots[chunk % p->chunks.depth];
  int64_t begin, end;
  triad_gpu_exchange_planes(p->exchange, p->layout->rank, chunk, &begin, &end);
  triad_gpu_exchange_wait(p->exchange, chunk, s->stream);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last));
  for (int first = 0, planes = (int)(end - begin); first < planes; first += p->batch)
    TRIAD_TRY(
      visit_planes(p, job, s, chunk, begin, first, planes - first < p->batch ? planes - first : p->batch, last));
  triad_gpu_exchange_send(p->exchange, chunk, s->stream);
  return triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last);
}

static int slots_of(const triad_gpu_job *job)
{
  const int n_left = triad_chains_left(&job->chains, job->n_out);
  return job->n_in > n_left ? job->n_in : n_left;
}

void triad_gpu_pass_holds(triad_gpu_pass *p, int n_in, int n_left)
{
  p->rows.slots = p->shape.slots = n_in > n_left ? n_in : n_left;
}

triad_gpu_open triad_gpu_pass_open(const triad_gpu_pass *p) { return (triad_gpu_open){&p->shape, p->work}; }

void triad_gpu_pass_stale(triad_gpu_pass *p) { p->ahead.n_in = 0; }

static const double as_it_is[3] = {0, 0, 0}, half_a_cell[3] = {0.5, 0.5, 0.5};

void triad_gpu_pass_begun(triad_gpu_pass *p, const triad_gpu_job *job)
{
  p->ahead.n_in = job->n_in;
  p->ahead.slots = slots_of(job);
  for (int f = 0; f < job->n_in; f++) p->ahead.in.field[f] = job->in[f];
  memcpy(p->ahead.shift, job->shift ? job->shift : as_it_is, sizeof p->ahead.shift);
}

int triad_gpu_pass_has_begun(const triad_gpu_pass *p, const triad_gpu_job *job)
{
  int begun = p->ahead.n_in > 0 && p->ahead.n_in == job->n_in && p->ahead.slots == slots_of(job) &&
              memcmp(p->ahead.shift, job->shift ? job->shift : as_it_is, sizeof p->ahead.shift) == 0;
  for (int f = 0; begun && f < job->n_in; f++) begun = p->ahead.in.field[f] == job->in[f];
  return begun;
}

static int run_job(triad_gpu_pass *p, const triad_gpu_job *job)
{
  const int n_left = triad_chains_left(&job->chains, job->n_out), begun = triad_gpu_pass_has_begun(p, job);
  cudaStream_t stream = triad_device_stream(p->device);
  triad_gpu_fields fields = {{NULL}};
  double last = triad_now();
  for (int f = 0; f < job->n_in; f++) fields.field[f] = job->in[f];
  triad_gpu_pass_stale(p);
  triad_gpu_exchange_fields(p->exchange, job->n_in, n_left);
  triad_gpu_pass_holds(p, job->n_in, n_left);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_REST, &last));
  if (!begun) TRIAD_TRY(triad_gpu_z_backward(&p->shape, &fields, job->n_in, p->work, stream));
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, &last));
  if (!p->alone) TRIAD_TRY(TRIAD_CU(cudaEventRecord(p->begun, stream)));
  for (int s = 0; s < p->chunks.depth && !p->alone; s++)
    TRIAD_TRY(TRIAD_CU(cudaStreamWaitEvent(p->slots[s].stream, p->begun, 0)));
  triad_gpu_exchange_begin(p->exchange, stream);
  if (p->members) TRIAD_TRY(triad_gpu_pass_split_visit(p, job, &last));
  else
    for (int64_t c = 0; c < p->chunks.count; c++) TRIAD_TRY(visit_chunk(p, job, c, &last));
  for (int s = 0; s < p->chunks.depth && !p->alone; s++) {
    TRIAD_TRY(TRIAD_CU(cudaEventRecord(p->slots[s].done, p->slots[s].stream)));
    TRIAD_TRY(TRIAD_CU(cudaStreamWaitEvent(stream, p->slots[s].done, 0)));
  }
  triad_gpu_exchange_end(p->exchange, stream);
  if (p->members) triad_gpu_rows_end(p->members, stream);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, &last));
  if (n_left > 0 && !job->open) TRIAD_TRY(triad_gpu_z_forward(&p->shape, n_left, p->work, stream));
  return triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, &last);
}

int triad_gpu_pass_grids(const triad_gpu_pass *p, const double *grid[2])
{
  const int shifted = p->layout->grid.shifted;
  grid[0] = shifted ? as_it_is : NULL;
  grid[1] = half_a_cell;
  return shifted ? 2 : 1;
}

/* A run's factors, where they are or in place of the last run's; those of a run to come leave these. */
static int set_shift(triad_gpu_pass *p, const double *cells)
{
  if (triad_gpu_shifts_hold(p->shifts[!p->shift], cells)) p->shift = !p->shift;
  return triad_gpu_shifts_set(p->shifts[p->shift], cells, &p->shape.shift);
}

int triad_gpu_pass_next(triad_gpu_pass *p, const double *shift, triad_gpu_shift *next)
{
  const int same = triad_gpu_shifts_hold(p->shifts[p->shift], shift);
  return triad_gpu_shifts_set(p->shifts[same ? p->shift : !p->shift], shift, next);
}

static int run_on_both(triad_gpu_pass *p, const triad_gpu_job *job)
{
  triad_gpu_pass_stale(p);
  TRIAD_TRY(set_shift(p, NULL));
  p->shape.shift.first = p->first;
  TRIAD_TRY(run_job(p, job));
  TRIAD_TRY(set_shift(p, half_a_cell));
  p->shape.shift.first = p->first;
  p->shape.shift.second = 1;
  return run_job(p, job);
}

static int run_on_one(triad_gpu_pass *p, const triad_gpu_job *job)
{
  TRIAD_TRY(set_shift(p, job->shift));
  return run_job(p, job);
}

int triad_gpu_pass_prepare(triad_gpu_pass *p, triad_gpu_visit *visit, const void *law, int n_in, int none)
{
  const triad_gpu_chunk empty = {.shape = &p->rows, .n_in = n_in};
  return none || p->shape.compiled[0] ? visit(law, &empty) : TRIAD_OK;
}

int triad_gpu_pass_run(triad_gpu_pass *p, const triad_gpu_job *job)
{
  const int both = p->first && !job->shift && job->n_in > 0 && job->n_out > 0;
  int st = both ? run_on_both(p, job) : run_on_one(p, job);
  if (p->layout->size > 1) triad_must(&p->context->comm, st); /* others wait for this rank's messages */
  return st;
}

static double copied(triad_gpu_pass *p, int apart)
{
  return triad_gpu_exchange_apart(p->exchange, apart) + (p->members ? triad_gpu_rows_timed(p->members, apart) : 0);
}

void triad_gpu_pass_apart(triad_gpu_pass *p, int apart)
{
  p->apart = apart;
  double copies = copied(p, apart);
  p->phases.s[TRIAD_PHASE_COPIES] += copies;
  p->phases.s[TRIAD_PHASE_EXCHANGE] -= copies;
}

triad_phases triad_gpu_pass_phases(triad_gpu_pass *p)
{
  triad_phases phases = p->phases;
  double copies = copied(p, p->apart);
  phases.s[TRIAD_PHASE_COPIES] += copies;
  phases.s[TRIAD_PHASE_EXCHANGE] -= copies;
  p->phases = (triad_phases){{0}};
  return phases;
}

/* Between groups, else within the one. */
const char *triad_gpu_pass_transport(const triad_gpu_pass *p)
{
  return p->members && !triad_gpu_exchange_messages(p->exchange) ? triad_gpu_rows_name(p->members)
                                                                 : triad_gpu_exchange_name(p->exchange);
}

triad_gpu_chunks triad_gpu_pass_chunks(const triad_gpu_pass *p) { return p->chunks; }

int64_t triad_gpu_pass_sent(const triad_gpu_pass *p)
{
  return triad_gpu_exchange_bytes(p->exchange) + (p->members ? triad_gpu_rows_bytes(p->members) : 0);
}

int triad_gpu_pass_batch(const triad_gpu_pass *p) { return p->batch; }

const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *p, int64_t *stride)
{
  *stride = p->shape.slots * p->shape.columns;
  return p->work;
}

double triad_gpu_pass_points(const triad_gpu_pass *p) { return (double)triad_grid_points(&p->layout->grid); }

int triad_gpu_pass_forget(triad_gpu_pass *p)
{
  return triad_device_clear(p->device, p->peaks, TRIAD_GPU_PEAKS * (int64_t)sizeof *p->peaks); /* 0.0 is all zeros */
}

int triad_gpu_pass_peaks(triad_gpu_pass *p, double peaks[TRIAD_GPU_PEAKS])
{
  return triad_device_get(p->device, peaks, p->peaks, TRIAD_GPU_PEAKS * (int64_t)sizeof *peaks);
}

const double *triad_gpu_pass_peaks_there(const triad_gpu_pass *p) { return p->peaks; }
