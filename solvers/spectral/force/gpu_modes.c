/* Gather the forced modes from GPU memory to the host, and scatter the force of the host to the GPU. */
#include "solvers/spectral/force/gpu_modes.h"
#include "solvers/spectral/force/gpu_formula.h"
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/formula_modes.h"

#include <stdlib.h>

struct triad_gpu_forced {
  triad_flow *flow;
  triad_device *device;
  int first, components; /* the fields that are forced */
  int64_t n;
  const int64_t *place;               /* on the host */
  int64_t *index;                     /* on the device */
  triad_cplx *packed, *device_packed; /* [component][mode] */
  triad_gpu_force_parts parts;        /* of formulas; n = 0: the host has the force */
  char *moves;                        /* [component] do parts drive it? */
};

/* Modes of formulas stay on the GPU, which multiplies them by functions of time. */
static int take_parts(triad_gpu_forced *p)
{
  triad_forcing *force = p->flow->forcing;
  const triad_force_formulas *q = &force->formulas;
  const int64_t numbers = force->components * force->count;
  if (q->n_parts == 0 || q->n_parts > TRIAD_GPU_FORCE_PARTS) return TRIAD_OK;
  force->formulas.there = 1;
  if (q->fills) return TRIAD_OK; /* gpu_formula.c has them */
  p->parts =
    (triad_gpu_force_parts){.n = q->n_parts, .components = force->components, .count = force->count, .index = p->index};
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "forcing", force->components, &p->moves));
  TRIAD_TRY(
    triad_device_table(p->device, "forcing", numbers, sizeof(double), force->lambda, (void **)&p->parts.lambda));
  for (int k = 0; k < q->n_parts; k++) {
    TRIAD_TRY(
      triad_device_table(p->device, "forcing", 2 * numbers, sizeof(double), q->part[k].f, (void **)&p->parts.f[k]));
    for (int c = 0; c < force->components; c++) p->moves[c] |= (char)triad_force_part_drives(&q->part[k], force, c);
  }
  return TRIAD_OK;
}

static void free_parts(triad_gpu_forced *p)
{
  for (int k = 0; k < p->parts.n; k++) {
    void *f = (void *)(uintptr_t)p->parts.f[k];
    triad_device_free(p->device, &f);
  }
  void *lambda = (void *)(uintptr_t)p->parts.lambda;
  triad_device_free(p->device, &lambda);
  TRIAD_FREE(p->flow->context->memory, &p->moves);
}

static int add_parts(triad_gpu_forced *p, triad_cplx *const *u, double tau, double weight)
{
  const triad_force_formulas *q = &p->flow->forcing->formulas;
  for (int k = 0; k < p->parts.n; k++) p->parts.now[k] = q->part[k].now;
  for (int c = 0; c < p->components; c++)
    if (p->moves[c])
      TRIAD_TRY(triad_gpu_force_add_parts(&p->parts, c, u[p->first + c], tau, weight, triad_device_stream(p->device)));
  return TRIAD_OK;
}

int triad_gpu_forced_create(triad_gpu_forced **out, triad_device *device, triad_flow *flow, const triad_layout *layout)
{
  *out = NULL;
  if (!triad_forcing_acts(flow->forcing) && !triad_forcing_finishes(flow->forcing)) return TRIAD_OK;
  const int64_t *column, *kz_number;
  triad_gpu_forced *p = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "forced modes");
  p->flow = flow;
  p->device = device;
  triad_forcing_fields(flow->forcing, &p->first, &p->components);
  triad_forcing_modes(flow->forcing, &p->n, &p->place, &column, &kz_number);
  int64_t *index = calloc((size_t)p->n + 1, sizeof *index);
  int st = index ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "forced modes");
  for (int64_t m = 0; index && m < p->n; m++) index[m] = triad_layout_place(layout, column[m], kz_number[m]);
  if (st == TRIAD_OK) st = triad_device_table(device, "forcing", p->n, sizeof *index, index, (void **)&p->index);
  if (st == TRIAD_OK)
    st = triad_device_alloc(device, "forcing", p->components * p->n, sizeof(triad_cplx), (void **)&p->device_packed);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(flow->context->memory, "forcing", p->components * p->n, &p->packed);
  free(index);
  if (st == TRIAD_OK) st = take_parts(p);
  if (st != TRIAD_OK) triad_gpu_forced_destroy(&p);
  *out = p;
  return st;
}

void triad_gpu_forced_destroy(triad_gpu_forced **forced)
{
  if (!forced || !*forced) return;
  triad_gpu_forced *p = *forced;
  free_parts(p);
  triad_device_free(p->device, (void **)&p->index);
  triad_device_free(p->device, (void **)&p->device_packed);
  TRIAD_FREE(p->flow->context->memory, &p->packed);
  free(p);
  *forced = NULL;
}

/* A launch takes three fields at most; formulas drive any number. */
enum { FIELDS = 3 };

static int fields_from(const triad_gpu_forced *p, int c)
{
  return p->components - c < FIELDS ? p->components - c : FIELDS;
}

/* Forced modes on the device -> their places in the host's fields, and from there back. */
static int fetch(triad_gpu_forced *p, triad_cplx *const *u)
{
  int64_t bytes = p->components * p->n * (int64_t)sizeof *p->packed;
  for (int c = 0; c < p->components; c += FIELDS)
    TRIAD_TRY(triad_gpu_modes_get(fields_from(p, c), p->n, p->index, u + p->first + c, p->device_packed + c * p->n,
                                  triad_device_stream(p->device)));
  TRIAD_TRY(triad_device_get(p->device, p->packed, p->device_packed, bytes));
  for (int c = 0; c < p->components; c++)
    for (int64_t m = 0; m < p->n; m++) p->flow->u[p->first + c][p->place[m]] = p->packed[c * p->n + m];
  return TRIAD_OK;
}

static int bring(triad_gpu_forced *p, int add, triad_cplx *const *u)
{
  int64_t bytes = p->components * p->n * (int64_t)sizeof *p->packed;
  for (int c = 0; c < p->components; c++)
    for (int64_t m = 0; m < p->n; m++) p->packed[c * p->n + m] = p->flow->u[p->first + c][p->place[m]];
  TRIAD_TRY(triad_device_put(p->device, p->device_packed, p->packed, bytes));
  for (int c = 0; c < p->components; c += FIELDS)
    TRIAD_TRY(triad_gpu_modes_put(fields_from(p, c), p->n, p->index, p->device_packed + c * p->n, add, u + p->first + c,
                                  triad_device_stream(p->device)));
  return TRIAD_OK;
}

int triad_gpu_forced_prepare(triad_gpu_forced *p, triad_cplx *const *u)
{
  if (!p || !triad_forcing_follows(p->flow->forcing)) return TRIAD_OK;
  TRIAD_TRY(fetch(p, u));
  return triad_forcing_prepare(p->flow->forcing, p->flow);
}

int triad_gpu_forced_add(triad_gpu_forced *p, triad_cplx *const *u, double tau, double weight)
{
  if (!p || !triad_forcing_acts(p->flow->forcing) || p->flow->forcing->formulas.fills) return TRIAD_OK;
  if (p->parts.n > 0) return add_parts(p, u, tau, weight);
  for (int c = 0; c < p->components; c++)
    for (int64_t m = 0; m < p->n; m++) p->flow->u[p->first + c][p->place[m]] = (triad_cplx){0, 0};
  triad_forcing_add(p->flow->forcing, p->flow->u, tau, weight);
  return bring(p, 1, u);
}

int triad_gpu_forced_kick(triad_gpu_forced *p, triad_cplx *const *u, double dt)
{
  if (!p || !triad_forcing_finishes(p->flow->forcing)) return TRIAD_OK;
  TRIAD_TRY(fetch(p, u));
  TRIAD_TRY(triad_forcing_kick(p->flow->forcing, p->flow, dt));
  return triad_forcing_kicks(p->flow->forcing) ? bring(p, 0, u) : TRIAD_OK;
}

int triad_gpu_forced_show(triad_gpu_forced *p, triad_cplx *const *u) { return p ? fetch(p, u) : TRIAD_OK; }
