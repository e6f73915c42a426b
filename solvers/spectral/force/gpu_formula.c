/* Evaluate forces that are formulas on a GPU, by a kernel that is compiled from the formulas at run time or by rows
 * on the host. */
#include "solvers/spectral/force/gpu_formula_internal.h"
#include "solvers/spectral/force/formula_modes.h"
#include "solvers/spectral/force/gpu_formula_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a case takes ---- */

int triad_gpu_formulas_rows(const triad_shape *shape, int n, int row_fields)
{
  const int all = shape->pass[0].n_in + shape->pass[0].n_out + n;
  return n > 0 && all > row_fields ? all : row_fields;
}

int triad_gpu_formulas_rows_of(const triad_gpu_formulas *q, int row_fields)
{
  return q && !q->within ? triad_gpu_formulas_rows(&q->flow->shape, q->force->formulas.n, row_fields) : row_fields;
}

/* ---- made and freed ---- */

static int result_of(const triad_force_formulas *q, int field, int own)
{
  for (int f = 0; f < q->n; f++)
    if (q->field[f] == field) return own + f;
  return -1;
}

/* Modes of a part's component c as a field of the GPU; `room` of a field of the host. */
static int take_whole(triad_gpu_formulas *q, const triad_layout *layout, int k, int c, triad_cplx *room)
{
  const triad_forcing *force = q->force;
  triad_gpu_force *of = &q->of[force->first + c];
  triad_cplx *there;
  memset(room, 0, (size_t)layout->modes * sizeof *room);
  for (int64_t m = 0; m < force->count; m++) {
    const double *f = force->formulas.part[k].f + 2 * (force->components * m + c);
    room[triad_layout_place(layout, force->column[m], force->kz_number[m])] =
      (triad_cplx){(triad_real)f[0], (triad_real)f[1]};
  }
  TRIAD_TRY(triad_device_alloc(q->device, "forcing", layout->modes, sizeof *there, (void **)&there));
  q->part_of[force->first + c][of->n_whole] = k;
  of->whole[of->n_whole++] = there;
  return triad_device_put(q->device, there, room, layout->modes * (int64_t)sizeof *room);
}

static int take_parts(triad_gpu_formulas *q, const triad_layout *layout)
{
  triad_memory *m = q->flow->context->memory;
  triad_cplx *room = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", q->flow->shape.n_fields, &q->part_of));
  int st = TRIAD_ALLOC(m, "forcing", layout->modes, &room);
  for (int k = 0; k < q->force->formulas.n_parts; k++)
    for (int c = 0; c < q->force->components && st == TRIAD_OK; c++)
      if (triad_force_part_drives(&q->force->formulas.part[k], q->force, c)) st = take_whole(q, layout, k, c, room);
  TRIAD_FREE(m, &room);
  return st;
}

static int create_programs(triad_gpu_formulas *q, const triad_layout *layout, triad_gpu_visit *visit, const void *law)
{
  const triad_shape *s = &q->flow->shape;
  if (q->force->energetic > TRIAD_GPU_FORCE_FROM)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "formulas of more than %d fields", TRIAD_GPU_FORCE_FROM);
  TRIAD_TRY(TRIAD_ALLOC(q->flow->context->memory, "forcing", s->n_fields, &q->of));
  for (int f = 0; f < s->n_fields; f++) q->of[f].result = result_of(&q->force->formulas, f, triad_shape_left(s, 0));
  for (int f = 0; f < s->n_fields;) {
    const triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    q->of[f].vector = group.solenoidal;
    f += group.n;
  }
  if (q->force->formulas.fills) TRIAD_TRY(take_parts(q, layout));
  return q->force->formulas.n > 0 ? triad_gpu_formula_prepare(q, visit, law) : TRIAD_OK;
}

int triad_gpu_formulas_create(triad_gpu_formulas **out, triad_device *device, triad_flow *flow,
                              const triad_layout *layout, triad_gpu_visit *visit, const void *law)
{
  *out = NULL;
  if (!triad_forcing_has_rates(flow->forcing) && !(flow->forcing && flow->forcing->formulas.fills)) return TRIAD_OK;
  triad_gpu_formulas *q = calloc(1, sizeof *q);
  if (!q) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "forces by formula");
  q->flow = flow;
  q->force = flow->forcing;
  q->device = device;
  int st = create_programs(q, layout, visit, law);
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
  for (int f = 0; q->of && f < q->flow->shape.n_fields; f++)
    for (int k = 0; k < q->of[f].n_whole; k++) {
      void *whole = (void *)(uintptr_t)q->of[f].whole[k];
      triad_device_free(q->device, &whole);
    }
  TRIAD_FREE(m, &q->of);
  TRIAD_FREE(m, &q->part_of);
  free(q);
  *formulas = NULL;
}

int triad_gpu_formulas_tell(const triad_gpu_formulas *q, char *text, size_t size)
{
  if (!q || q->force->formulas.n == 0) return 0;
  if (q->within)
    (void)snprintf(text, size, "forces by formula are evaluated on the GPU, within its transforms along x (NVRTC)");
  else if (q->program)
    (void)snprintf(text, size, "forces by formula are evaluated on the GPU, in a separate pass (NVRTC)");
  else
    (void)snprintf(text, size,
                   "forces by formula are evaluated on the host, with copies in both directions in every stage: NVRTC, "
                   "of the CUDA Toolkit, cannot be opened%s%s",
                   *q->why ? ": " : "", q->why);
  return 1;
}

/* ---- in a pass ---- */

int triad_gpu_formulas_join(triad_gpu_formulas *q, triad_gpu_job *job)
{
  if (!q || q->force->formulas.n == 0) return TRIAD_OK;
  q->visit = job->visit;
  q->law = job->law;
  q->own_in = job->n_in;
  q->own_out = job->n_out;
  q->rate = 0;
  job->visit = triad_gpu_formula_visit;
  job->law = q;
  job->n_out += q->force->formulas.n;
  return triad_gpu_formula_tables(q);
}

double triad_gpu_formulas_rate(const triad_gpu_formulas *q) { return q ? q->rate : 0; }

/* Record the position and the kind of a value that is not finite, as encoded by the kernel (formula_kernel.h). */
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

const triad_gpu_force *triad_gpu_formulas_force(triad_gpu_formulas *q)
{
  if (!q) return NULL;
  const triad_force_formulas *all = &q->force->formulas;
  for (int f = 0; f < q->flow->shape.n_fields; f++) {
    memset(q->of[f].now, 0, sizeof q->of[f].now);
    for (int k = 0; k < q->of[f].n_whole; k++) q->of[f].times[k] = all->part[q->part_of[f][k]].now;
  }
  for (int k = 0; k < all->n_linear; k++) q->of[all->linear[k].to].now[all->linear[k].from] += all->linear[k].now;
  return q->of;
}

int triad_gpu_formulas_power(triad_gpu_formulas *q, const triad_gpu_measure *measure)
{
  return triad_gpu_force_power(measure, q->force->energetic, triad_gpu_formulas_force(q));
}
