#include "solvers/spectral/force/gpu_formula_own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what a case takes ---- */

int triad_gpu_formulas_rows(const triad_shape *shape, int n, int row_fields)
{
  const int all = shape->pass[0].n_in + shape->pass[0].n_out + n;
  return n > 0 && all > row_fields ? all : row_fields;
}

int triad_gpu_formulas_fields(const triad_case *given, const triad_shape *shape)
{
  int work;
  if (triad_force_work(given, &work) != TRIAD_OK) triad_message_clear(); /* who makes the force tells */
  return work & (TRIAD_FORCE_AT_POINTS | TRIAD_FORCE_OF_FIELDS) ? shape->n_fields : 0;
}

/* ---- made and freed ---- */

static int result_of(const triad_force_formulas *q, int field, int own)
{
  for (int f = 0; f < q->n; f++)
    if (q->field[f] == field) return own + f;
  return -1;
}

/* What drives fields first .. first + components - 1, if anything does: their forces are taken of the GPU. */
static int take_group(triad_gpu_formulas *q, int first, int components, int64_t modes)
{
  const triad_force_formulas *all = &q->force->formulas;
  triad_gpu_force_group *g = &q->group[q->n_groups];
  int driven = 0;
  for (int a = 0; a < components; a++) driven |= all->drives[first + a] & (TRIAD_FORCE_AT_POINTS | TRIAD_FORCE_OF_FIELDS);
  if (!driven) return TRIAD_OK;
  *g = (triad_gpu_force_group){.first = first, .components = components, .solenoidal = components == 3, .n_from = q->force->energetic};
  q->n_groups++;
  for (int k = 0; k < g->n_from; k++) g->from[k] = q->u[k];
  for (int a = 0; a < 3; a++) g->result[a] = a < components ? result_of(all, first + a, triad_shape_left(&q->flow->shape, 0)) : -1;
  for (int a = 0; a < components; a++) {
    TRIAD_TRY(triad_device_alloc(q->device, "forcing", modes, sizeof **q->f, (void **)&q->f[first + a]));
    g->f[a] = q->f[first + a];
  }
  return TRIAD_OK;
}

static int make(triad_gpu_formulas *q, int64_t modes)
{
  const triad_shape *s = &q->flow->shape;
  triad_memory *m = q->flow->context->memory;
  if (q->force->energetic > TRIAD_GPU_FORCE_FROM)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "formulas of more than %d fields", TRIAD_GPU_FORCE_FROM);
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->group));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->f));
  for (int f = 0, components; f < s->n_fields; f += components) {
    components = triad_field_group_at(s->fields, s->n_fields, f).solenoidal ? 3 : 1;
    TRIAD_TRY(take_group(q, f, components, modes));
  }
  return q->force->formulas.n > 0 ? triad_gpu_formula_prepare(q) : TRIAD_OK;
}

int triad_gpu_formulas_create(triad_gpu_formulas **out, triad_device *device, triad_flow *flow, triad_cplx *const *u, int64_t modes)
{
  *out = NULL;
  if (!triad_forcing_has_rates(flow->forcing)) return TRIAD_OK;
  triad_gpu_formulas *q = calloc(1, sizeof *q);
  if (!q) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "forces by formula");
  q->flow = flow;
  q->force = flow->forcing;
  q->device = device;
  q->u = u;
  int st = make(q, modes);
  if (st != TRIAD_OK) triad_gpu_formulas_destroy(&q);
  *out = q;
  return st;
}

void triad_gpu_formulas_destroy(triad_gpu_formulas **formulas)
{
  if (!formulas || !*formulas) return;
  triad_gpu_formulas *q = *formulas;
  triad_memory *m = q->flow->context->memory;
  triad_gpu_formula_drop(q);
  for (int f = 0; q->f && f < q->flow->shape.n_fields; f++) triad_device_free(q->device, (void **)&q->f[f]);
  TRIAD_FREE(m, &q->f);
  TRIAD_FREE(m, &q->group);
  free(q);
  *formulas = NULL;
}

int triad_gpu_formulas_tell(const triad_gpu_formulas *q, char *text, size_t size)
{
  if (!q || q->force->formulas.n == 0) return 0;
  if (q->program) (void)snprintf(text, size, "forces by formula are worked out at the points of the GPU (NVRTC)");
  else
    (void)snprintf(text, size, "forces by formula are worked out on the host, which costs copies there and back in every stage: NVRTC, of "
                               "the CUDA Toolkit, cannot be opened%s%s", *q->why ? ": " : "", q->why);
  return 1;
}

/* ---- in a pass ---- */

void triad_gpu_formulas_join(triad_gpu_formulas *q, triad_gpu_job *job)
{
  if (!q || q->force->formulas.n == 0) return;
  q->visit = job->visit;
  q->law = job->law;
  q->own_in = job->n_in;
  q->own_out = job->n_out;
  q->rate = 0;
  job->visit = triad_gpu_formula_visit;
  job->law = q;
  job->n_out += q->force->formulas.n;
}

double triad_gpu_formulas_rate(const triad_gpu_formulas *q) { return q ? q->rate : 0; }

/* The place and the kind of a value that is none, as the kernel told (formula_kernel.h). */
static void note_bad(triad_gpu_formulas *q, uint64_t told)
{
  triad_force_formulas *f = &q->force->formulas;
  const triad_grid *g = &q->flow->grid;
  const uint64_t code = ~told, at = code / 2, point = at / (uint64_t)f->n;
  const uint64_t nx = (uint64_t)g->n[0], ny = (uint64_t)g->n[1];
  const uint64_t place[3] = {point % nx, point / nx % ny, point / (nx * ny)};
  f->bad = (int)(at % (uint64_t)f->n) + 1;
  f->bad_value = code % 2 ? INFINITY : NAN;
  for (int v = 0; v < 3; v++) f->bad_at[v] = triad_grid_spacing(g, v) * (double)place[v];
}

int triad_gpu_formulas_good(triad_gpu_formulas *q)
{
  uint64_t told = 0;
  if (!q || q->force->formulas.n == 0) return TRIAD_OK;
  if (q->program) TRIAD_TRY(triad_device_get(q->device, &told, q->bad, sizeof told));
  if (told && !q->force->formulas.bad) note_bad(q, told);
  return triad_forcing_good(q->force, q->flow);
}

/* ---- at the modes ---- */

/* What fields are multiplied with at this time. */
static void set_now(const triad_force_formulas *q, triad_gpu_force_group *g)
{
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < g->n_from; k++) g->now[a][k] = 0;
  for (int k = 0; k < q->n_linear; k++) {
    const triad_force_of_field *l = &q->linear[k];
    if (l->to >= g->first && l->to < g->first + g->components) g->now[l->to - g->first][l->from] += l->now;
  }
}

int triad_gpu_formulas_rates(triad_gpu_formulas *q, const triad_gpu_modes *modes, const triad_gpu_results *results)
{
  for (int i = 0; q && i < q->n_groups; i++) {
    set_now(&q->force->formulas, &q->group[i]);
    TRIAD_TRY(triad_gpu_force_rates(modes, results, &q->group[i], triad_device_stream(q->device)));
  }
  return TRIAD_OK;
}

int triad_gpu_formulas_add(triad_gpu_formulas *q, const triad_gpu_modes *modes, triad_cplx *const *target, const triad_decay *decay,
                           double tau, double weight)
{
  for (int i = 0; q && i < q->n_groups; i++) {
    const int first = q->group[i].first;
    TRIAD_TRY(triad_gpu_force_add(modes, &q->group[i], target + first, decay + first, tau, weight, triad_device_stream(q->device)));
  }
  return TRIAD_OK;
}

int triad_gpu_formulas_power(triad_gpu_formulas *q, const triad_gpu_measure *measure)
{
  const triad_cplx *u[TRIAD_GPU_FORCE_FROM], *f[TRIAD_GPU_FORCE_FROM];
  int n = 0;
  for (int field = 0; field < q->force->energetic; field++) {
    if (!q->f[field]) continue;
    u[n] = q->u[field];
    f[n++] = q->f[field];
  }
  return triad_gpu_force_power(measure, n, u, f);
}
