/* Apply boundaries to particles at the end of a step, send them to their owners, and sort them by tiles at
 * intervals. */
#include "solvers/compressible/particles/gpu_settle.h"
#include "solvers/compressible/particles/gpu_internal.h"
#include "solvers/compressible/particles/gpu_particles.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/particles/exchange.h"

enum { OFTEN = 16 /* steps after which particles that have stayed are put in order */ };

static void *stream(const triad_gas_particles *p) { return triad_device_stream(p->gpu->device); }

/* Those that stay, in order; those that leave are gone. */
static int order(triad_gas_particles *p, int number, int64_t staying)
{
  triad_gas_on_gpu *g = p->gpu;
  triad_gas_gpu_group *there = &g->group[number];
  if (p->group[number].n == 0) return TRIAD_OK;
  const triad_gas_members m = triad_gas_gpu_members(p, number);
  int64_t *place = (int64_t *)(void *)(there->vector + TRIAD_GAS_WIDTH * there->room);
  int32_t *numbers = (int32_t *)(void *)(there->record + TRIAD_GAS_WIDTH * there->room);
  TRIAD_TRY(triad_gas_gpu_order(&p->points, &m, staying, there->vector, g->end, place, numbers, g->scratch, stream(p)));
  double *record = there->record;
  there->record = there->vector;
  there->vector = record;
  p->group[number].n = staying;
  return TRIAD_OK;
}

/* Rows of those that leave, on the host, and where they go. */
static int take_leaving(triad_gas_particles *p, int number, int64_t leaving)
{
  triad_gas_group *g = &p->group[number];
  triad_gas_gpu_group *there = &p->gpu->group[number];
  triad_row_buffers *buffers = &g->about.buffers;
  TRIAD_TRY(triad_row_buffers_fit(buffers, leaving, TRIAD_GAS_WIDTH));
  if (leaving == 0) return TRIAD_OK;
  const triad_gas_members m = triad_gas_gpu_members(p, number);
  TRIAD_TRY(triad_device_clear(p->gpu->device, there->news, sizeof *there->news));
  TRIAD_TRY(triad_gas_gpu_leave(&p->points, &m, there->vector, there->news, stream(p)));
  TRIAD_TRY(triad_device_get(p->gpu->device, buffers->away, there->vector,
                             leaving * (int64_t)(TRIAD_GAS_WIDTH * sizeof *buffers->away)));
  TRIAD_TRY(triad_device_clear(p->gpu->device, there->news, sizeof *there->news));
  for (int64_t i = 0; i < leaving; i++)
    buffers->to[i] = triad_gas_owner(&p->here, buffers->away + i * TRIAD_GAS_WIDTH + TRIAD_GAS_X);
  return order(p, number, g->n - leaving);
}

static int take_arrived(triad_gas_particles *p, int number, int64_t n, const double *rows)
{
  triad_gas_group *g = &p->group[number];
  if (n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_gas_gpu_fit(p, number, g->n + n));
  const triad_gas_members m = triad_gas_gpu_members(p, number);
  TRIAD_TRY(triad_device_put(p->gpu->device, m.vector, rows, n * (int64_t)(TRIAD_GAS_WIDTH * sizeof *rows)));
  TRIAD_TRY(triad_gas_gpu_take(&m, g->n, n, m.vector, stream(p)));
  g->n += n;
  return TRIAD_OK;
}

static int exchange(triad_gas_particles *p, int number, int64_t leaving)
{
  const triad_comm *comm = &p->context->comm;
  triad_row_buffers *buffers = &p->group[number].about.buffers;
  double *arrived = NULL;
  int64_t n = 0;
  TRIAD_TRY(triad_agree(comm, take_leaving(p, number, leaving)));
  TRIAD_TRY(triad_rows_exchange(comm, buffers, TRIAD_GAS_WIDTH, leaving, buffers->away, buffers->to, &arrived, &n));
  return triad_agree(comm, take_arrived(p, number, n, arrived));
}

static int meet(triad_gas_particles *p)
{
  for (int i = 0; i < p->n; i++) {
    if (p->group[i].n == 0) continue;
    const triad_gas_members m = triad_gas_gpu_members(p, i);
    TRIAD_TRY(triad_gas_gpu_meet(&p->points, &m, p->gpu->group[i].news, stream(p)));
  }
  TRIAD_TRY(triad_gas_gpu_news(p));
  return triad_gas_tell_lost(p);
}

int triad_gas_gpu_settle(triad_gas_particles *p)
{
  const triad_comm *comm = &p->context->comm;
  int st = TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, meet(p)));
  for (int i = 0; i < p->n && comm->size > 1; i++) TRIAD_TRY(exchange(p, i, p->gpu->seen[i].leaving));
  if (p->gpu->steps++ % OFTEN != 0) return TRIAD_OK;
  for (int i = 0; i < p->n && st == TRIAD_OK; i++) st = order(p, i, p->group[i].n);
  return triad_agree(comm, st);
}
