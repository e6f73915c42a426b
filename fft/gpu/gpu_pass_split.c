/* The middle of the GPU pass if ranks share planes. A chunk of planes passes three steps,
 *   lines in    columns of all groups -> lines along y, backward -> messages to the members
 *   rows        messages -> rows, x backward, points, x forward -> messages
 *   lines out   messages -> lines along y, forward -> columns of all groups
 * on the stream of its slot; those of the next chunks are launched between them, so that messages of one travel
 * while others are computed. */
#include "fft/gpu/gpu_pass_split.h"
#include "fft/gpu/gpu_pass_internal.h"

static int split_comm(triad_context *out, const triad_context *all, int color, int key)
{
  MPI_Comm part = MPI_COMM_NULL;
  *out = *all;
  out->comm.mpi = MPI_COMM_NULL;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split(all->comm.mpi, color, key, &part)));
  int st = triad_comm_create(&out->comm, part);
  (void)MPI_Comm_free(&part);
  return st;
}

int triad_gpu_pass_split_comms(triad_gpu_pass *p)
{
  const triad_layout *l = p->layout;
  int st = split_comm(&p->across, p->context, l->member, l->split->place);
  if (st == TRIAD_OK) st = split_comm(&p->within, p->context, l->split->place, l->member);
  return triad_agree(&p->context->comm, st);
}

int triad_gpu_pass_split_create(triad_gpu_pass *p, int most_in, int most_out, const char *transport)
{
  int st =
    triad_gpu_rows_create(&p->members, &p->within, p->device, p->layout, &p->chunks, most_in, most_out, transport);
  if (st == TRIAD_OK) triad_gpu_rows_beside(p->members, triad_gpu_exchange_messages(p->exchange));
  return triad_agree(&p->context->comm, st);
}

void triad_gpu_pass_split_destroy(triad_gpu_pass *p)
{
  triad_gpu_rows_destroy(&p->members);
  triad_comm_destroy(&p->within.comm);
  triad_comm_destroy(&p->across.comm);
}

static int planes_of(const triad_gpu_pass *p, int64_t chunk, int64_t *begin)
{
  int64_t end;
  triad_gpu_exchange_planes(p->exchange, p->layout->split->place, chunk, begin, &end);
  return (int)(end - *begin);
}

static int lines_in(triad_gpu_pass *p, const triad_gpu_job *job, int64_t chunk, double *last)
{
  void *stream = p->slots[chunk % p->chunks.depth].stream;
  int64_t begin;
  const int planes = planes_of(p, chunk, &begin);
  const triad_gpu_side from = {triad_gpu_exchange_own(p->exchange, chunk),
                               triad_gpu_exchange_arrived(p->exchange, chunk), 0, job->n_in};
  triad_gpu_exchange_wait(p->exchange, chunk, stream);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last));
  triad_gpu_shape lines = p->shape;
  lines.behind = triad_gpu_rows_behind(p->members);
  TRIAD_TRY(triad_gpu_y_backward(&lines, job->n_in, &from, planes, triad_gpu_rows_lines(p->members, chunk), stream));
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, last));
  triad_gpu_rows_start_in(p->members, chunk, planes, stream);
  return triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last);
}

static int rows(triad_gpu_pass *p, const triad_gpu_job *job, int64_t chunk, double *last)
{
  const triad_gpu_slot *s = &p->slots[chunk % p->chunks.depth];
  int64_t begin;
  const int planes = planes_of(p, chunk, &begin);
  const triad_gpu_chunk work = triad_gpu_pass_chunk(p, job, s, triad_gpu_rows_own(p->members, chunk), begin, planes);
  triad_gpu_rows_wait_in(p->members, chunk, s->stream);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last));
  if (p->layout->n_y > 0 && planes > 0) TRIAD_TRY(job->visit(job->law, &work));
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, last));
  triad_gpu_rows_start_out(p->members, chunk, planes, s->stream);
  return triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last);
}

static int lines_out(triad_gpu_pass *p, const triad_gpu_job *job, int64_t chunk, double *last)
{
  void *stream = p->slots[chunk % p->chunks.depth].stream;
  int64_t begin;
  const int planes = planes_of(p, chunk, &begin);
  const triad_gpu_side to = {triad_gpu_exchange_own(p->exchange, chunk), triad_gpu_exchange_leaving(p->exchange, chunk),
                             0, p->shape.slots};
  triad_gpu_rows_wait_out(p->members, chunk, stream);
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last));
  TRIAD_TRY(triad_gpu_y_forward(&p->shape, &job->chains, job->n_out, triad_gpu_rows_lines(p->members, chunk), planes,
                                1.0 / (double)triad_grid_points(&p->layout->grid), &to, stream));
  TRIAD_TRY(triad_gpu_pass_lap(p, TRIAD_PHASE_FFT, last));
  triad_gpu_exchange_send(p->exchange, chunk, stream);
  return triad_gpu_pass_lap(p, TRIAD_PHASE_EXCHANGE, last);
}

/* Alternate between the steps of three chunks; a chunk is launched only after the one that used its slot has been
 * sent. */
int triad_gpu_pass_split_visit(triad_gpu_pass *p, const triad_gpu_job *job, double *last)
{
  const int64_t n = p->chunks.count, behind = n <= p->chunks.depth || p->chunks.depth >= 3;
  triad_gpu_rows_fields(p->members, job->n_in, job->n_out);
  for (int64_t i = 0; i < n + 2 * behind; i++) {
    if (i < n) TRIAD_TRY(lines_in(p, job, i, last));
    if (i >= behind && i - behind < n) TRIAD_TRY(rows(p, job, i - behind, last));
    if (i >= 2 * behind) TRIAD_TRY(lines_out(p, job, i - 2 * behind, last));
  }
  return TRIAD_OK;
}
