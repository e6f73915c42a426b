/* Cut columns and planes into pieces that fit into GPU memory, and create the streams and slots through which they
 * pass. */
#include "fft/gpu/gpu_offload_internal.h"
#include "transpose/chain_waves.h"
#include "fft/gpu/gpu_tables.h"
#include "fft/gpu/gpu_shift.h"
#include "fft/gpu/gpu_offload_columns.h"
#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>

/* Streams by default; pieces a stream, so that the first and the last, which overlap with nothing, are a small
 * share; and at most so much GPU memory for all. */
enum { DEFAULT_STREAMS = 4, PIECES_A_STREAM = 4, PIECES_LEAST = 16 };
#define ROOM ((int64_t)4 << 30)

static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

static int64_t padded(const triad_layout *l, int r)
{
  return round_up(l->column_begin[r + 1] - l->column_begin[r], l->lanes);
}

static int64_t padded_others(const triad_layout *l)
{
  int64_t sum = 0;
  for (int r = 0; r < l->size; r++)
    if (r != l->rank) sum += padded(l, r);
  return sum;
}

/* Bytes of a column in a slot: its fields as communicated and as kernels read them, with every z of
 * inputs or results. */
static int64_t column_bytes(const triad_layout *l, const triad_offload_sizes *s)
{
  return (2 * s->n_fields * l->nkz + triad_max_count(s->n_in, triad_offload_most_left(s)) * l->grid.n[2]) *
         (int64_t)sizeof(triad_cplx);
}

/* And a plane: all ranks' columns on the way in and out, rows of kx, points. */
static int64_t plane_bytes(const triad_layout *l, const triad_offload_sizes *s)
{
  const triad_grid *g = &l->grid;
  int64_t columns = padded(l, l->rank) + padded_others(l),
          row = triad_max_count(s->n_in, s->n_out) * triad_gpu_pitch(g);
  return ((s->n_in + triad_offload_most_left(s)) * columns + row * g->n[1]) * (int64_t)sizeof(triad_cplx) +
         (triad_gpu_library_rows(g, s->n_in, s->n_out, s->row_fields) + s->keeps) * g->n[0] * g->n[1] *
           (int64_t)sizeof(triad_real);
}

int triad_offload_count(const triad_layout *l, const triad_offload_sizes *s, triad_offload_cut *cut)
{
  int64_t column = column_bytes(l, s), plane = plane_bytes(l, s), gaps = 16 * TRIAD_OFFLOAD_ALIGN;
  int64_t columns = triad_max_count(padded(l, l->rank), l->lanes), planes = triad_max_count(l->n_planes, 1);
  cut->nstreams = s->nstreams > 0 ? s->nstreams : DEFAULT_STREAMS;
  int64_t pieces = triad_max_count(PIECES_LEAST, PIECES_A_STREAM * cut->nstreams);
  int64_t slot =
    (s->room > 0 ? triad_min_count(s->room, ROOM) : ROOM) / cut->nstreams - triad_gpu_library_bytes(&l->grid) - gaps;
  cut->planes = triad_min_count(slot / plane, (planes + pieces - 1) / pieces);
  cut->columns =
    triad_min_count(slot / column / l->lanes * l->lanes, round_up((columns + pieces - 1) / pieces, l->lanes));
  if (cut->planes < 1 || cut->columns < l->lanes)
    return TRIAD_FAIL_PLAIN(TRIAD_ERR_MEMORY,
                            "GPU memory: a plane of this grid requires %.2g GB for each of %d streams, but %.2g GB are "
                            "left in total: use a smaller parallel.nstreams or a larger parallel.gpu_memory",
                            1e-9 * (double)triad_max_count(plane, column * l->lanes), cut->nstreams,
                            1e-9 * (double)triad_max_count(0, slot * cut->nstreams));
  cut->slot = triad_max_count(cut->planes * plane, cut->columns * column) + gaps;
  const int64_t tables =
    columns * (int64_t)sizeof(int32_t) +
    (l->grid.n[0] + l->grid.n[1] + l->grid.n[2]) * (int64_t)(sizeof(triad_cplx) + sizeof(triad_gpu_row)) +
    (triad_chain_lines(l) + l->grid.n[1]) * (int64_t)sizeof(triad_real);
  cut->total =
    cut->nstreams * (cut->slot + triad_gpu_library_bytes(&l->grid)) + tables + triad_gpu_shifts_bytes(l, columns);
  return TRIAD_OK;
}

static int pin_exchange(triad_offload *p)
{
  triad_exchange_piece piece[TRIAD_EXCHANGE_PIECES];
  triad_exchange_pieces(p->exchange, piece);
  for (int i = 0; i < TRIAD_EXCHANGE_PIECES; i++)
    TRIAD_TRY(triad_device_pin(p->device, piece[i].pointer, piece[i].bytes));
  return TRIAD_OK;
}

static int64_t first_bytes(const triad_offload *p)
{
  return triad_offload_most_left(&p->sizes) * p->layout->modes * (int64_t)sizeof(triad_cplx);
}

/* Allocate what each rank creates by itself. */
static int create_parts(triad_offload *p)
{
  if (p->layout->grid.truncation == TRIAD_NONE)
    return TRIAD_FAIL(
      TRIAD_ERR_FEATURE,
      "grid.truncation = \"none\" is not available with offload: use parallel.device = \"gpu\" or \"cpu\"");
  TRIAD_TRY(triad_offload_count(p->layout, &p->sizes, &p->cut));
  TRIAD_TRY(triad_gpu_tables_create(&p->tables, p->device, p->layout, p->layout->lanes, p->cut.planes));
  p->shape = *triad_gpu_tables_shape(p->tables);
  p->row_fields = triad_gpu_library_rows(&p->layout->grid, p->sizes.n_in, p->sizes.n_out, p->sizes.row_fields);
  p->slots = calloc((size_t)p->cut.nstreams, sizeof *p->slots);
  p->fields = calloc((size_t)p->sizes.n_fields, sizeof *p->fields);
  p->both = calloc((size_t)p->sizes.n_fields, sizeof *p->both);
  if (!p->slots || !p->fields || !p->both) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d slots", p->cut.nstreams);
  for (int i = 0; i < p->cut.nstreams; i++) {
    triad_offload_slot *s = &p->slots[i];
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking)));
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming)));
    TRIAD_TRY(triad_device_alloc(p->device, "slots", p->cut.slot, 1, (void **)&s->room));
  }
  TRIAD_TRY(triad_gpu_compiled_create(p->shape.compiled, &p->layout->grid, 0,
                                      triad_offload_most_left(&p->sizes) < p->sizes.n_out));
  TRIAD_TRY(triad_gpu_library_create(&p->library, p->device, &p->layout->grid, p->shape.library));
  for (int i = 0; p->library && i < p->cut.nstreams; i++)
    TRIAD_TRY(triad_gpu_library_open(p->library, p->slots[i].stream));
  TRIAD_TRY(triad_device_alloc(p->device, "peaks", TRIAD_GPU_PEAKS, sizeof *p->peaks, (void **)&p->peaks));
  TRIAD_TRY(triad_gpu_shifts_create(&p->shifts, p->device, p->layout, p->shape.columns));
  if (p->sizes.both) TRIAD_TRY(triad_device_pin(p->device, p->first, first_bytes(p)));
  TRIAD_TRY(pin_exchange(p));
  return triad_device_wait(p->device); /* slots are zero before other streams use them */
}

int triad_offload_create(triad_offload **out, triad_context *context, triad_device *device, const triad_layout *layout,
                         triad_pass *pass, const triad_offload_sizes *sizes)
{
  triad_offload *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the offload pass");
  if (p) {
    p->context = context;
    p->device = device;
    p->layout = layout;
    p->exchange = triad_pass_exchange(pass);
    p->first = triad_pass_first(pass);
    p->sizes = *sizes;
    p->own = padded(layout, layout->rank);
    p->others = padded_others(layout);
    st = create_parts(p);
  }
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_offload_destroy(out);
  return st;
}

void triad_offload_destroy(triad_offload **offload)
{
  if (!offload || !*offload) return;
  triad_offload *p = *offload;
  triad_exchange_piece piece[TRIAD_EXCHANGE_PIECES];
  triad_exchange_pieces(p->exchange, piece);
  for (int i = 0; i < TRIAD_EXCHANGE_PIECES; i++) triad_device_unpin(p->device, piece[i].pointer, piece[i].bytes);
  if (p->sizes.both) triad_device_unpin(p->device, p->first, first_bytes(p));
  triad_gpu_shifts_destroy(&p->shifts);
  triad_gpu_compiled_destroy(p->shape.compiled);
  triad_gpu_library_destroy(&p->library);
  for (int i = 0; p->slots && i < p->cut.nstreams; i++) {
    if (p->slots[i].stream) (void)cudaStreamDestroy(p->slots[i].stream);
    if (p->slots[i].done) (void)cudaEventDestroy(p->slots[i].done);
    triad_device_free(p->device, (void **)&p->slots[i].room);
  }
  triad_device_free(p->device, (void **)&p->peaks);
  triad_gpu_tables_destroy(&p->tables);
  free(p->slots);
  free(p->fields);
  free(p->both);
  free(p);
  *offload = NULL;
}

/* ---- for the parts of a run ---- */

int triad_offload_lap(triad_offload *p, enum triad_phase phase)
{
  if (!p->apart) return TRIAD_OK;
  TRIAD_TRY(TRIAD_CU(cudaDeviceSynchronize()));
  double now = triad_now();
  p->phases.s[phase] += now - p->last;
  p->last = now;
  return TRIAD_OK;
}

void *triad_offload_part(triad_offload_slot *slot, int64_t bytes)
{
  void *part = slot->room + slot->used;
  slot->used += round_up(bytes, TRIAD_OFFLOAD_ALIGN);
  return part;
}

static void count(triad_offload *p, int in, int64_t bytes) { *(in ? &p->moved_in : &p->moved_out) += bytes; }

int triad_offload_copy(triad_offload *p, triad_offload_slot *slot, int in, void *gpu, void *host, int64_t bytes)
{
  if (bytes == 0) return TRIAD_OK;
  count(p, in, bytes);
  return TRIAD_CU(cudaMemcpyAsync(in ? gpu : host, in ? host : gpu, (size_t)bytes,
                                  in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, slot->stream));
}

static struct cudaPitchedPtr pitched(const triad_offload_rows *r, int64_t width)
{
  return (struct cudaPitchedPtr){
    .ptr = r->base, .pitch = (size_t)r->pitch, .xsize = (size_t)width, .ysize = (size_t)r->slice};
}

int triad_offload_copy_rows(triad_offload *p, triad_offload_slot *slot, int in, const triad_offload_rows *gpu,
                            const triad_offload_rows *host, int64_t width, int64_t rows, int64_t slices)
{
  if (width * rows * slices == 0) return TRIAD_OK;
  struct cudaMemcpy3DParms c = {.srcPtr = pitched(in ? host : gpu, width),
                                .dstPtr = pitched(in ? gpu : host, width),
                                .extent = {(size_t)width, (size_t)rows, (size_t)slices},
                                .kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost};
  count(p, in, width * rows * slices);
  return TRIAD_CU(cudaMemcpy3DAsync(&c, slot->stream));
}

/* ---- runs ---- */

/* Maxima over this rank's points, as pass.h has them. */
static int get_peaks(triad_offload *p, double peaks[TRIAD_PEAKS])
{
  double mine[TRIAD_GPU_PEAKS];
  TRIAD_TRY(triad_device_get(p->device, mine, p->peaks, sizeof mine));
  for (int i = 0; i < TRIAD_PEAKS; i++) peaks[i] = i < TRIAD_GPU_PEAKS && p->layout->n_planes > 0 ? mine[i] : -INFINITY;
  return TRIAD_OK;
}

/* Run the first of two grids; its results go to the host. */
static int run_first(triad_offload *p, const triad_offload_job *job)
{
  triad_offload_job first = *job;
  first.sink = triad_offload_aside(p, job, 0);
  first.next = (triad_offload_next){0};
  TRIAD_TRY(triad_gpu_shifts_set(p->shifts, NULL, &p->shape.shift));
  p->shape.shift.first = p->first;
  triad_exchange_fields(p->exchange, job->n_in, triad_offload_left(job));
  TRIAD_TRY(triad_offload_columns_in(p, &first));
  TRIAD_TRY(triad_offload_planes(p, &first));
  return triad_offload_columns_out(p, &first);
}

static int run_job(triad_offload *p, const triad_offload_job *job, int *settled)
{
  const double zero[TRIAD_GPU_PEAKS] = {0}, half_a_cell[3] = {0.5, 0.5, 0.5};
  const int both = p->sizes.both && !job->shift && job->n_in > 0 && job->n_out > 0;
  triad_offload_job last = *job;
  double peaks[TRIAD_PEAKS];
  p->last = triad_now();
  TRIAD_TRY(triad_device_put(p->device, p->peaks, zero, sizeof zero));
  if (both) {
    TRIAD_TRY(run_first(p, job));
    last.sink = triad_offload_aside(p, job, 1);
  }
  TRIAD_TRY(triad_gpu_shifts_set(p->shifts, both ? half_a_cell : job->shift, &p->shape.shift));
  p->shape.shift.first = both ? p->first : NULL;
  p->shape.shift.second = both;
  triad_exchange_fields(p->exchange, job->n_in, triad_offload_left(job));
  if (!job->ready) TRIAD_TRY(triad_offload_columns_in(p, job));
  TRIAD_TRY(triad_offload_planes(p, job));
  TRIAD_TRY(get_peaks(p, peaks));
  *settled = job->settle ? job->settle(job->self, peaks) : TRIAD_OK;
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_REST));
  if (*settled != TRIAD_OK) return TRIAD_OK;
  /* results lie as this run has them, the next one's inputs as they will be sent: a piece's columns meet no others' */
  if (job->next.n_in > 0) triad_exchange_fields(p->exchange, job->next.n_in, triad_offload_left(job));
  return triad_offload_columns_out(p, &last);
}

int triad_offload_run(triad_offload *p, const triad_offload_job *job)
{
  int settled = TRIAD_OK, st = run_job(p, job, &settled);
  if (p->layout->size > 1) triad_must(&p->context->comm, st); /* others wait for this rank's messages */
  return st != TRIAD_OK ? st : settled;
}

void triad_offload_apart(triad_offload *p, int apart) { p->apart = apart; }

triad_phases triad_offload_phases(triad_offload *p)
{
  triad_phases phases = p->phases;
  p->phases = (triad_phases){{0}};
  return phases;
}

void triad_offload_moved(triad_offload *p, int64_t *in, int64_t *out)
{
  *in = p->moved_in;
  *out = p->moved_out;
  p->moved_in = p->moved_out = 0;
}

const triad_offload_cut *triad_offload_streams(const triad_offload *p) { return &p->cut; }
