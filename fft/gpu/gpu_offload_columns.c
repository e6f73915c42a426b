/* Move pieces of columns through a GPU: fields from the host, transforms along z, and the work array back to the
 * host, with several pieces in flight. */
#include "fft/gpu/gpu_offload_columns.h"
#include "fft/gpu/gpu_offload_internal.h"

/* A piece in its slot. */
typedef struct piece {
  triad_offload_slot *slot;
  int64_t first, count;
  triad_cplx *packed; /* fields as the host has them: [field][block][j][lane] */
  triad_cplx *fields; /* and as kernels read them: [field][j][column]         */
  triad_cplx *work;   /* [z][input or result][column]                         */
} piece;

static piece place_columns(triad_offload *p, const triad_offload_side *side, int transforms, int64_t number)
{
  const triad_layout *l = p->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx);
  piece at = {.slot = &p->slots[number % p->cut.nstreams], .first = number * p->cut.columns};
  at.count = p->own - at.first < p->cut.columns ? p->own - at.first : p->cut.columns;
  at.slot->used = 0;
  at.packed = triad_offload_part(at.slot, side->n_fields * l->nkz * at.count * cplx);
  at.fields = triad_offload_part(at.slot, side->n_fields * l->nkz * at.count * cplx);
  at.work = triad_offload_part(at.slot, transforms * l->grid.n[2] * at.count * cplx);
  for (int f = 0; f < side->n_fields; f++) p->fields[f] = at.fields + f * l->nkz * at.count;
  return at;
}

static triad_gpu_shape shape_of(const triad_offload *p, const piece *at, int slots)
{
  triad_gpu_shape g = p->shape;
  g.columns = at->count;
  g.extent += at->first;
  if (g.shift.kx) {
    g.shift.kx += at->first;
    g.shift.ky += at->first;
  }
  g.slots = slots;
  return g;
}

/* The piece's columns of n fields at every z <-> the work array, where planes lie equally far apart in stretches. */
static int move_work(triad_offload *p, const piece *at, int n, int to_gpu)
{
  const int64_t cplx = (int64_t)sizeof(triad_cplx), nz = p->layout->grid.n[2];
  triad_cplx *(*column)(const triad_exchange *, int64_t) =
    to_gpu ? triad_exchange_column_out : triad_exchange_column_in;
  for (int64_t z = 0, count; z < nz; z += count) {
    triad_cplx *from = column(p->exchange, z);
    int64_t apart = z + 1 < nz ? column(p->exchange, z + 1) - from : n * p->own;
    for (count = 1; z + count < nz && column(p->exchange, z + count) - from == count * apart;) count++;
    if (count == 1) apart = n * p->own;
    triad_offload_rows host = {from + at->first, p->own * cplx, apart / p->own};
    triad_offload_rows gpu = {at->work + z * n * at->count, at->count * cplx, n};
    TRIAD_TRY(triad_offload_copy_rows(p, at->slot, to_gpu, &gpu, &host, at->count * cplx, n, count));
  }
  return TRIAD_OK;
}

/* Clear output fields: modes outside the truncation must be zero, and no kernel writes them. */
static int clear_fields(const triad_offload *p, const piece *at, const triad_offload_side *side)
{
  const size_t bytes = (size_t)(p->layout->nkz * at->count) * sizeof(triad_cplx);
  for (int f = 0; f < side->n_fields; f++)
    if (side->field[f].moves == TRIAD_OFFLOAD_OUT)
      TRIAD_TRY(TRIAD_CU(cudaMemsetAsync(p->fields[f], 0, bytes, at->slot->stream)));
  return TRIAD_OK;
}

/* Fields that move this way; on the host the piece is one stretch of each. */
static int move_fields(triad_offload *p, const piece *at, const triad_offload_side *side, int way)
{
  const int64_t nkz = p->layout->nkz, each = nkz * at->count;
  for (int f = 0; f < side->n_fields; f++)
    if (side->field[f].moves & way)
      TRIAD_TRY(triad_offload_copy(p, at->slot, way == TRIAD_OFFLOAD_IN, at->packed + f * each,
                                   side->field[f].host + nkz * at->first, each * (int64_t)sizeof(triad_cplx)));
  return TRIAD_OK;
}

static int repack(triad_offload *p, const piece *at, const triad_offload_side *side, int way)
{
  const int64_t nkz = p->layout->nkz, each = nkz * at->count;
  for (int f = 0; f < side->n_fields; f++) {
    if (!(side->field[f].moves & way)) continue;
    TRIAD_TRY(way == TRIAD_OFFLOAD_IN
                ? triad_gpu_from_blocks(nkz, at->count, at->packed + f * each, at->fields + f * each, at->slot->stream)
                : triad_gpu_to_blocks(nkz, at->count, at->fields + f * each, at->packed + f * each, at->slot->stream));
  }
  return triad_offload_lap(p, TRIAD_PHASE_TRANSPOSE);
}

static int visit(triad_offload *p, const piece *at, const triad_offload_side *side, void *self,
                 const triad_cplx *result, int results)
{
  triad_offload_columns columns = {at->first, at->count, p->fields, result, results * at->count, at->slot->stream};
  if (side->visit) TRIAD_TRY(side->visit(self, &columns));
  return triad_offload_lap(p, TRIAD_PHASE_POINTWISE);
}

static int wait_for_all(triad_offload *p)
{
  for (int i = 0; i < p->cut.nstreams; i++) TRIAD_TRY(TRIAD_CU(cudaStreamSynchronize(p->slots[i].stream)));
  return TRIAD_OK;
}

static int piece_in(triad_offload *p, const triad_offload_job *job, int64_t number)
{
  const triad_offload_side *side = &job->source;
  const piece at = place_columns(p, side, job->n_in, number);
  const triad_gpu_shape g = shape_of(p, &at, job->n_in);
  triad_gpu_fields inputs = {{NULL}};
  TRIAD_TRY(move_fields(p, &at, side, TRIAD_OFFLOAD_IN));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_COPIES));
  TRIAD_TRY(repack(p, &at, side, TRIAD_OFFLOAD_IN));
  TRIAD_TRY(visit(p, &at, side, job->self, NULL, 0));
  for (int f = 0; f < job->n_in; f++) inputs.field[f] = p->fields[f];
  TRIAD_TRY(triad_gpu_z_backward(&g, &inputs, job->n_in, at.work, at.slot->stream));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_FFT));
  TRIAD_TRY(move_work(p, &at, job->n_in, 0));
  return triad_offload_lap(p, TRIAD_PHASE_COPIES);
}

/* The work area's results have been read by now: it takes the inputs of the next run. */
static int make_next(triad_offload *p, const piece *at, const triad_offload_next *next)
{
  const triad_gpu_shape g = shape_of(p, at, next->n_in);
  triad_gpu_fields inputs = {{NULL}};
  if (next->n_in == 0) return TRIAD_OK;
  for (int f = 0; f < next->n_in; f++)
    inputs.field[f] = p->fields[f < next->n_fields ? f : next->behind + f - next->n_fields];
  TRIAD_TRY(triad_gpu_z_backward(&g, &inputs, next->n_in, at->work, at->slot->stream));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_FFT));
  return move_work(p, at, next->n_in, 0);
}

static int piece_out(triad_offload *p, const triad_offload_job *job, int64_t number)
{
  const triad_offload_side *side = &job->sink;
  const int left = triad_offload_left(job);
  const piece at = place_columns(p, side, left > job->next.n_in ? left : job->next.n_in, number);
  triad_gpu_shape g = shape_of(p, &at, left);
  TRIAD_TRY(move_work(p, &at, left, 1));
  TRIAD_TRY(move_fields(p, &at, side, TRIAD_OFFLOAD_IN));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_COPIES));
  TRIAD_TRY(clear_fields(p, &at, side));
  TRIAD_TRY(repack(p, &at, side, TRIAD_OFFLOAD_IN));
  if (g.shift.first) g.shift.first = p->fields[side->n_fields - left];
  TRIAD_TRY(triad_gpu_z_forward(&g, left, at.work, at.slot->stream));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_FFT));
  TRIAD_TRY(visit(p, &at, side, job->self, at.work, left));
  TRIAD_TRY(repack(p, &at, side, TRIAD_OFFLOAD_OUT));
  TRIAD_TRY(move_fields(p, &at, side, TRIAD_OFFLOAD_OUT));
  TRIAD_TRY(triad_offload_lap(p, TRIAD_PHASE_COPIES));
  TRIAD_TRY(make_next(p, &at, &job->next));
  return triad_offload_lap(p, TRIAD_PHASE_COPIES);
}

triad_offload_side triad_offload_aside(triad_offload *p, const triad_offload_job *job, int second)
{
  const int own = second ? job->sink.n_fields : 0, left = triad_offload_left(job);
  for (int f = 0; f < own; f++) p->both[f] = job->sink.field[f];
  for (int r = 0; r < left; r++)
    p->both[own + r] =
      (triad_offload_field){p->first + r * p->layout->modes, second ? TRIAD_OFFLOAD_IN : TRIAD_OFFLOAD_OUT};
  return (triad_offload_side){own + left, p->both, second ? job->sink.visit : NULL};
}

int triad_offload_columns_in(triad_offload *p, const triad_offload_job *job)
{
  for (int64_t number = 0; number * p->cut.columns < p->own; number++) TRIAD_TRY(piece_in(p, job, number));
  return wait_for_all(p);
}

int triad_offload_columns_out(triad_offload *p, const triad_offload_job *job)
{
  for (int64_t number = 0; number * p->cut.columns < p->own; number++) TRIAD_TRY(piece_out(p, job, number));
  return wait_for_all(p);
}
