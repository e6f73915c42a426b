/* Send particles to the GPUs of their owners, and sort those of a GPU by tiles. */
#include "solvers/spectral/particles/gpu_order.h"
#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_records.h"
#include "solvers/particles/exchange.h"

enum { OFTEN = 16 /* sorts after which the arrays themselves are put in order */ };

/* ---- order ---- */

static int32_t *order_ids(triad_gpu_members *m) { return (int32_t *)(void *)m->spare; }

static int move_arrays(triad_gpu_particles *p, triad_gpu_members *m)
{
  void *stream = triad_device_stream(p->device);
  double **const of_axes[] = {m->at.x, m->at.xq, m->at.v, m->at.vq, m->at.rest};
  for (int k = 0; k < 15; k++) {
    double **array = of_axes[k / 3] + k % 3, *old = *array;
    if (!old) continue;
    TRIAD_TRY(triad_gpu_particles_permute(m->live, m->at.order, old, m->spare, stream));
    *array = m->spare;
    m->spare = old;
  }
  TRIAD_TRY(triad_gpu_particles_permute_ids(m->live, m->at.order, m->at.id, order_ids(m), stream));
  TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(m->at.id, order_ids(m), (size_t)m->live * sizeof *m->at.id,
                                     cudaMemcpyDeviceToDevice, (cudaStream_t)stream)));
  m->at.n = m->live;
  return triad_gpu_particles_count_up(m->live, m->at.order, stream);
}

static int sort(triad_gpu_particles *p, triad_gpu_members *m, int whole)
{
  if (m->at.n == 0) return TRIAD_OK;
  m->at.place = (int64_t *)(void *)m->spare;
  TRIAD_TRY(triad_gpu_particles_sort(&p->tiles, &m->at, p->scratch, triad_device_stream(p->device)));
  return whole ? move_arrays(p, m) : TRIAD_OK;
}

/* ---- from rank to rank ---- */

static int count_leaving(triad_gpu_particles *p, const triad_gpu_members *m, int32_t *leaving)
{
  *leaving = 0;
  if (m->at.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_device_clear(p->device, p->count, sizeof *p->count));
  TRIAD_TRY(triad_gpu_particles_leave(&p->tiles, &m->at, NULL, p->count, triad_device_stream(p->device)));
  return triad_device_get(p->device, leaving, p->count, sizeof *leaving);
}

static int fit_rows(triad_gpu_particles *p, int64_t n)
{
  if (n <= p->rows_room) return TRIAD_OK;
  triad_device_free(p->device, (void **)&p->rows);
  p->rows_room = 0;
  TRIAD_TRY(triad_device_alloc(p->device, "particles that move", (n + n / 2 + 64) * TRIAD_TRAVEL_WIDTH, sizeof *p->rows,
                               (void **)&p->rows));
  p->rows_room = n + n / 2 + 64;
  return TRIAD_OK;
}

/* Rows of those that leave, on the host, and where they go. */
static int take_leaving(triad_gpu_particles *p, triad_gpu_members *m)
{
  int32_t leaving;
  TRIAD_TRY(count_leaving(p, m, &leaving));
  TRIAD_TRY(fit_rows(p, leaving));
  TRIAD_TRY(triad_row_buffers_fit(&m->buffers, leaving, TRIAD_TRAVEL_WIDTH));
  if (leaving == 0) return TRIAD_OK;
  TRIAD_TRY(triad_device_clear(p->device, p->count, sizeof *p->count));
  TRIAD_TRY(triad_gpu_particles_leave(&p->tiles, &m->at, p->rows, p->count, triad_device_stream(p->device)));
  TRIAD_TRY(
    triad_device_get(p->device, m->buffers.away, p->rows, leaving * (int64_t)(TRIAD_TRAVEL_WIDTH * sizeof *p->rows)));
  for (int32_t i = 0; i < leaving; i++)
    m->buffers.to[i] =
      triad_group_owner(p->flow->layout, m->buffers.away[i * TRIAD_TRAVEL_WIDTH + TRIAD_PARTICLE_X + 2]);
  m->live -= leaving;
  return TRIAD_OK;
}

/* Append received particles to the others; if memory is short, first close the gaps of those that left. */
static int take_arrived(triad_gpu_particles *p, int number, int64_t n, const double *rows)
{
  triad_gpu_members *m = &p->member[number];
  if (n == 0) return TRIAD_OK;
  if (m->at.n + n > m->room) TRIAD_TRY(sort(p, m, 1));
  TRIAD_TRY(triad_gpu_members_fit(p, number, m->at.n + n));
  TRIAD_TRY(fit_rows(p, n));
  TRIAD_TRY(triad_device_put(p->device, p->rows, rows, n * (int64_t)(TRIAD_TRAVEL_WIDTH * sizeof *rows)));
  TRIAD_TRY(triad_gpu_particles_arrive(&m->at, m->at.n, n, p->rows, triad_device_stream(p->device)));
  m->at.n += n;
  m->live += n;
  return TRIAD_OK;
}

static int exchange(triad_gpu_particles *p, int number)
{
  const triad_comm *comm = &p->flow->context->comm;
  triad_gpu_members *m = &p->member[number];
  double *arrived = NULL;
  int64_t n = 0, before = m->live;
  TRIAD_TRY(triad_agree(comm, take_leaving(p, m)));
  TRIAD_TRY(triad_rows_exchange(comm, &m->buffers, TRIAD_TRAVEL_WIDTH, before - m->live, m->buffers.away, m->buffers.to,
                                &arrived, &n));
  return triad_agree(comm, take_arrived(p, number, n, arrived));
}

int triad_gpu_particles_order(triad_gpu_particles *p, int whole)
{
  int st = TRIAD_OK;
  for (int i = 0; i < p->n && p->layout->size > 1; i++) TRIAD_TRY(exchange(p, i));
  whole |= p->sorts++ % OFTEN == 0;
  for (int i = 0; i < p->n && st == TRIAD_OK; i++) st = sort(p, &p->member[i], whole);
  return triad_agree(&p->flow->context->comm, st);
}
