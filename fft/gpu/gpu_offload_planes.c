/* Pieces of planes (gpu_offload.h): y and x backward, points, x and y forward, between columns of the exchange. */
#include "fft/gpu/gpu_offload_internal.h"

/* Planes first .. first + count - 1 of a chunk, which begins at this rank's plane `number`, in their slot. */
typedef struct piece {
  triad_offload_slot *slot;
  int64_t chunk, number, first;
  int count;
  triad_gpu_side in, out; /* columns of all ranks: own and others' */
  triad_cplx *planes;
  triad_real *rows, *kept;
} piece;

static piece place_planes(triad_offload *p, const triad_offload_job *job, int64_t stream, int64_t chunk, int64_t number,
                          int64_t first, int64_t count)
{
  const triad_gpu_shape *g = &p->shape;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), real = (int64_t)sizeof(triad_real),
                points = count * g->n[0] * g->n[1];
  const int most = job->n_in > job->n_out ? job->n_in : job->n_out, left = triad_offload_left(job);
  /* other ranks' columns lie apart by full pieces */
  const int64_t own = count * p->own * cplx, others = p->cut.planes * p->others * cplx;
  piece at = {
    .slot = &p->slots[stream % p->cut.nstreams], .chunk = chunk, .number = number, .first = first, .count = (int)count};
  triad_offload_slot *s = at.slot;
  s->used = 0;
  at.in =
    (triad_gpu_side){triad_offload_part(s, job->n_in * own), triad_offload_part(s, job->n_in * others), 0, job->n_in};
  at.out = (triad_gpu_side){triad_offload_part(s, left * own), triad_offload_part(s, left * others), 0, left};
  at.planes = triad_offload_part(s, most * count * g->n[1] * g->pitch * cplx);
  at.rows = triad_offload_part(s, p->row_fields * points * real);
  at.kept = triad_offload_part(s, job->keeps * points * real);
  return at;
}

/* Columns of n fields at the piece's planes <-> the exchange: one copy a rank. */
static int move_columns(triad_offload *p, const piece *at, int n, int to_gpu)
{
  const triad_gpu_shape *g = &p->shape;
  const triad_layout *l = p->layout;
  const triad_gpu_side *side = to_gpu ? &at->in : &at->out;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), z = at->number + at->first;
  int64_t before = 0;
  for (int r = 0; r < l->size && n > 0; r++) {
    triad_cplx *host = to_gpu ? (triad_cplx *)triad_exchange_plane_in(p->exchange, at->chunk, z, 0, r)
                              : triad_exchange_plane_out(p->exchange, at->chunk, z, 0, r);
    if (r == l->rank) {
      const int64_t global = l->plane_begin[r] + z;
      int64_t apart = at->count > 1 ? triad_exchange_column_in(p->exchange, global + 1) -
                                        triad_exchange_column_in(p->exchange, global)
                                    : n * p->own;
      triad_offload_rows from = {host, apart * cplx, at->count}, to = {side->own, n * p->own * cplx, at->count};
      TRIAD_TRY(triad_offload_copy_rows(p, at->slot, to_gpu, &to, &from, n * p->own * cplx, at->count, 1));
      continue;
    }
    int64_t columns = (l->column_begin[r + 1] - l->column_begin[r] + l->lanes - 1) / l->lanes * l->lanes;
    TRIAD_TRY(triad_offload_copy(p, at->slot, to_gpu, side->other + before * g->chunk * n, host,
                                 at->count * n * columns * cplx));
    before += columns;
  }
  return TRIAD_OK;
}

/* Copy the fields saved between passes: [field][z][y][x] on the host, [field][plane][y][x] on the GPU. */
static int move_kept(triad_offload *p, const piece *at, const triad_offload_job *job, int way)
{
  const triad_grid *g = &p->layout->grid;
  const int64_t plane = g->n[0] * g->n[1] * (int64_t)sizeof(triad_real);
  if (job->keeps == 0 || !(job->kept_moves & way)) return TRIAD_OK;
  for (int f = 0; f < job->keeps; f++)
    TRIAD_TRY(triad_offload_copy(p, at->slot, way == TRIAD_OFFLOAD_IN, (char *)at->kept + f * at->count * plane,
                                 (char *)job->kept + (f * p->layout->n_planes + at->number + at->first) * plane,
                                 at->count * plane));
  return TRIAD_OK;
}

static int compute(triad_offload *p, const piece *at, const triad_offload_job *job)
{
  triad_gpu_shape in = p->shape, out = in;
  const int64_t points = (int64_t)in.n[0] * in.n[1], field = at->count * in.n[1] * in.pitch;
  const int more = job->n_out > job->n_in ? job->n_out - job->n_in : 0;
  in.slots = job->n_in;
  out.slots = triad_offload_left(job);
  triad_gpu_chunk work = {.shape = &in,
                          .n_in = job->n_in,
                          .n_out = job->n_out,
                          .count = at->count,
                          .in = at->planes + more * field,
                          .out = at->planes,
                          .rows_in = at->rows,
                          .rows_out = at->rows + job->n_in * at->count * points,
                          .kept = at->kept,
                          .kept_stride = at->count * points,
                          .dt = job->dt ? *job->dt : 0,
                          .peaks = p->peaks,
                          .stream = at->slot->stream};
  TRIAD_TRY(triad_gpu_y_backward(&in, job->n_in, &at->in, at->count, at->planes + more * field, at->slot->stream));
  TRIAD_TRY(job->visit(job->law, &work));
  TRIAD_TRY(triad_gpu_y_forward(&out, &job->chains, job->n_out, at->planes, at->count,
                                1.0 / (double)triad_grid_points(&p->layout->grid), &at->out, at->slot->stream));
  return triad_offload_lap(p, TRIAD_PHASE_FFT);
}

static int visit(triad_offload *p, const triad_offload_job *job, const piece *at)
{
  TRIAD_TRY(move_columns(p, at, job->n_in, 1));
  TRIAD_TRY(move_kept(p, at, job, TRIAD_OFFLOAD_IN));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_COPIES));
  TRIAD_TRY(compute(p, at, job));
  TRIAD_TRY(move_columns(p, at, triad_offload_left(job), 0));
  TRIAD_TRY(move_kept(p, at, job, TRIAD_OFFLOAD_OUT));
  return triad_offload_lap(p, TRIAD_PHASE_COPIES);
}

/* On one rank there is one chunk, whose pieces alternate between the streams. With several ranks a chunk stays on one
 * stream, whose event signals when it may be sent. */
static int visit_chunk(triad_offload *p, const triad_offload_job *job, int64_t chunk)
{
  int64_t begin, end;
  triad_offload_slot *slot = &p->slots[chunk % p->cut.nstreams];
  triad_exchange_planes(p->exchange, chunk, &begin, &end);
  for (int64_t first = 0, number = 0; first < end - begin; first += p->cut.planes, number++) {
    int64_t left = end - begin - first, count = left < p->cut.planes ? left : p->cut.planes;
    piece at = place_planes(p, job, p->layout->size > 1 ? chunk : number, chunk, begin, first, count);
    TRIAD_TRY(visit(p, job, &at));
  }
  return TRIAD_CU(cudaEventRecord(slot->done, slot->stream));
}

/* Wait until a chunk's results are on the host, and send them. */
static int send_chunk(triad_offload *p, int64_t chunk)
{
  if (chunk < 0 || p->layout->size == 1) return TRIAD_OK;
  const triad_offload_slot *slot = &p->slots[chunk % p->cut.nstreams];
  for (cudaError_t state = cudaEventQuery(slot->done); state != cudaSuccess; state = cudaEventQuery(slot->done)) {
    if (state != cudaErrorNotReady) return TRIAD_CU(state);
    triad_exchange_progress(p->exchange);
  }
  triad_exchange_send(p->exchange, chunk);
  return triad_offload_lap(p, TRIAD_PHASE_EXCHANGE);
}

int triad_offload_planes(triad_offload *p, const triad_offload_job *job)
{
  const int64_t chunks = triad_exchange_chunks(p->exchange);
  const int depth = triad_exchange_depth(p->exchange), streams = p->cut.nstreams;
  /* a chunk is sent once so many later ones are under way: none needs a buffer or an event that is still in use */
  const int64_t behind = p->apart ? 0 : (depth < streams ? depth : streams) - 1;
  triad_exchange_begin(p->exchange);
  for (int64_t c = 0; c < chunks; c++) {
    triad_exchange_wait(p->exchange, c);
    TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_EXCHANGE));
    TRIAD_TRY(visit_chunk(p, job, c));
    TRIAD_TRY(send_chunk(p, c - behind));
  }
  for (int64_t c = chunks - behind; c < chunks; c++) TRIAD_TRY(send_chunk(p, c));
  for (int i = 0; i < streams; i++) TRIAD_TRY(TRIAD_CU(cudaStreamSynchronize(p->slots[i].stream)));
  triad_exchange_end(p->exchange);
  return triad_offload_lap(p, TRIAD_PHASE_EXCHANGE);
}
