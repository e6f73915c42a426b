/* Sum the modes of a state on a GPU at probe points. */
#include "solvers/spectral/probes/gpu_probes.h"
#include "solvers/spectral/gpu_part.h"

#include <stdlib.h>
#include <string.h>

struct triad_gpu_probes {
  triad_device *device;
  triad_gpu_probe_places places; /* arrays are the GPU's, as all here but sums */
  int32_t *kx, *ky;
  double *partial, *sum;
};

static int table(triad_gpu_probes *p, int64_t count, size_t size, const void *host, const void *at)
{
  return triad_device_table(p->device, "probes", count, size, host, (void **)(uintptr_t)at);
}

/* Of the GPU's columns, which are the host's with padding of their own, whose extent says so. */
static int take_columns(triad_gpu_probes *p, const triad_layout *l, int64_t columns)
{
  int32_t *padded = calloc((size_t)columns, sizeof *padded);
  if (!padded) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "probes");
  memcpy(padded, l->kx, (size_t)l->n_columns * sizeof *padded);
  int st = table(p, columns, sizeof *padded, padded, &p->kx);
  memcpy(padded, l->ky, (size_t)l->n_columns * sizeof *padded);
  if (st == TRIAD_OK) st = table(p, columns, sizeof *padded, padded, &p->ky);
  free(padded);
  return st;
}

static int allocate_tables(triad_gpu_probes *p, const triad_flow *flow, const triad_gpu_modes *modes,
                           const triad_gpu_probe_places *host, int inputs)
{
  triad_gpu_probe_places *q = &p->places;
  TRIAD_TRY(table(p, host->n_x * 2 * (host->kx + 1), sizeof *q->x, host->x, &q->x));
  TRIAD_TRY(table(p, host->n_y * 2 * (2 * host->ky + 1), sizeof *q->y, host->y, &q->y));
  TRIAD_TRY(table(p, host->n_z * 2 * (host->kz + 1), sizeof *q->z, host->z, &q->z));
  TRIAD_TRY(table(p, 2 * host->n, sizeof *q->row, host->row, &q->row));
  TRIAD_TRY(table(p, host->n_z + 1, sizeof *q->begin, host->begin, &q->begin));
  TRIAD_TRY(take_columns(p, flow->layout, modes->columns));
  TRIAD_TRY(triad_device_alloc(p->device, "probes", host->n * triad_gpu_probe_blocks(modes), sizeof *p->partial,
                               (void **)&p->partial));
  return triad_device_alloc(p->device, "probes", host->n * inputs, sizeof *p->sum, (void **)&p->sum);
}

static const triad_gpu_state *state_of(const triad_flow *flow)
{
  return triad_gpu_stepper_state(triad_stepper_gpu(flow->stepper));
}

void triad_gpu_probes_destroy(triad_gpu_probes **probes)
{
  triad_gpu_probes *p = *probes;
  if (!p) return;
  void *const taken[] = {&p->places.x, &p->places.y, &p->places.z, &p->places.row, &p->places.begin,
                         &p->kx,       &p->ky,       &p->partial,  &p->sum};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(p->device, taken[i]);
  free(p);
  *probes = NULL;
}

int triad_gpu_probes_create(triad_gpu_probes **out, const triad_flow *flow, const triad_gpu_probe_places *places,
                            int inputs)
{
  triad_gpu_probes *p = *out = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "probes");
  p->device = flow->device;
  p->places = *places;
  p->places.x = p->places.y = p->places.z = NULL;
  p->places.row = p->places.begin = NULL;
  return allocate_tables(p, flow, &state_of(flow)->modes, places, inputs);
}

int triad_gpu_probes_sums(triad_gpu_probes *p, const triad_flow *flow, const triad_probe_inputs *inputs, double *sums)
{
  const triad_gpu_state *s = state_of(flow);
  const int64_t n = p->places.n;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_DEVICE));
  for (int i = 0; i < inputs->n; i++)
    TRIAD_TRY(triad_gpu_probe_sum(&s->modes, p->kx, p->ky, &p->places, s->u[inputs->in[i].field], inputs->in[i].along,
                                  p->partial, p->sum + i * n, triad_device_stream(p->device)));
  return triad_device_get(p->device, sums, p->sum, n * inputs->n * (int64_t)sizeof *sums);
}
