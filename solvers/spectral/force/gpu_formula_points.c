/* Formulas at the points of a chunk on a GPU: lines along x of the fields that they have, the values, the set's own x pass, lines along x
 * of the values. */
#include "parallel/cuda.h"
#include "solvers/spectral/force/gpu_formula_own.h"

#include <stdlib.h>

enum { PASSES_ALL = 32 };

/* ---- by a kernel ---- */

static int compile(triad_gpu_formulas *q)
{
  char *text = NULL;
  triad_gpu_source source = {.label = "formulas-" TRIAD_PRECISION_NAME, .names = {"triad_formula_values"}, .n_names = 1};
  int st = triad_gpu_formula_source(q->force, q->reads, &text);
  source.text = text;
  if (st == TRIAD_OK && (triad_gpu_program_compiler(q->why, sizeof q->why) || triad_gpu_program_kept(&source)))
    st = triad_gpu_program_create(&q->program, &source);
  free(text);
  return st;
}

static int64_t first_plane(const triad_gpu_formulas *q, const triad_gpu_chunk *c)
{
  return q->flow->layout->first_plane + c->first;
}

static int values_there(const triad_gpu_formulas *q, const triad_gpu_chunk *c, int64_t n, const triad_real *in, triad_real *out)
{
  const triad_force_formulas *f = &q->force->formulas;
  const triad_grid *g = &q->flow->grid;
  const triad_formula_places places = {
    .n = n, .nx = g->n[0], .ny = c->shape->n[1], .first_y = q->flow->layout->first_y, .all_y = g->n[1],
    .first_z = first_plane(q, c), .t = f->t, .least = q->force->spacing,
    .spacing = {triad_grid_spacing(g, 0), triad_grid_spacing(g, 1), triad_grid_spacing(g, 2)},
    .measures = f->measures, .in = in, .out = out, .peaks = c->peaks, .bad = q->bad};
  const void *const arguments[] = {&places};
  return triad_gpu_program_launch(q->program, 0, n, 1, 1, 0, arguments, c->stream);
}

/* ---- on the host ---- */

/* Room for so many points; freed with the formulas. */
static int take_rows(triad_gpu_formulas *q, int64_t n)
{
  triad_memory *m = q->flow->context->memory;
  if (q->room >= n) return TRIAD_OK;
  TRIAD_FREE(m, &q->rows);
  q->room = 0;
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", (q->force->energetic + q->force->formulas.n) * n, &q->rows));
  q->room = n;
  return TRIAD_OK;
}

/* Rows of the fields that are read -> rows of all energetic fields and of results, which the evaluator of the CPU fills. */
static void evaluate(triad_gpu_formulas *q, const triad_gpu_chunk *c, int64_t n)
{
  const triad_grid *g = &q->flow->grid;
  const int n_f = q->force->formulas.n, n_in = q->force->energetic;
  const int64_t y = q->flow->layout->first_y, z = first_plane(q, c), nx = g->n[0], ny = c->shape->n[1];
  double most = q->rate;
#pragma omp parallel for schedule(static) num_threads(q->flow->context->threads) reduction(max : most)
  for (int64_t row = 0; row < n / nx; row++) {
    triad_real *in[PASSES_ALL], *out[PASSES_ALL];
    const triad_patch at = {.y = y + row % ny, .z = z + row / ny, .n = nx};
    for (int f = 0, slot = 0; f < n_in; f++) in[f] = q->reads >> f & 1 ? q->rows + slot++ * n + row * nx : q->none;
    for (int f = 0; f < n_f; f++) out[f] = q->rows + (n_in + f) * n + row * nx;
    const double rate = triad_forcing_points(q->force, q->flow, &at, in, out);
    most = rate > most ? rate : most;
  }
  q->rate = most;
}

static int values_here(triad_gpu_formulas *q, const triad_gpu_chunk *c, int64_t n, const triad_real *in, triad_real *out)
{
  const cudaStream_t stream = c->stream;
  const size_t field = (size_t)n * sizeof(triad_real), read = (size_t)__builtin_popcount(q->reads);
  TRIAD_TRY(take_rows(q, n));
  if (read > 0) TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(q->rows, in, read * field, cudaMemcpyDeviceToHost, stream)));
  TRIAD_TRY(TRIAD_CU(cudaStreamSynchronize(stream)));
  evaluate(q, c, n);
  TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(out, q->rows + q->force->energetic * n, (size_t)q->force->formulas.n * field,
                                     cudaMemcpyHostToDevice, stream)));
  return TRIAD_CU(cudaStreamSynchronize(stream)); /* the next chunk takes the host's rows */
}

/* ---- either ---- */

int triad_gpu_formula_visit(const void *law, const triad_gpu_chunk *c)
{
  triad_gpu_formulas *q = (triad_gpu_formulas *)(uintptr_t)law;
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0], field = (int64_t)c->count * c->shape->n[1] * c->shape->pitch;
  triad_real *in = c->rows_in, *values = c->rows_in + (q->own_in + q->own_out) * n;
  triad_gpu_chunk own = *c;
  for (int f = 0, slot = 0; f < q->force->energetic; f++)
    if (q->reads >> f & 1)
      TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in + f * field, c->count, in + slot++ * n, c->stream));
  TRIAD_TRY(q->program ? values_there(q, c, n, in, values) : values_here(q, c, n, in, values));
  own.n_out = q->own_out;
  TRIAD_TRY(q->visit(q->law, &own));
  return triad_gpu_x_forward(c->shape, q->force->formulas.n, values, c->count, c->out + q->own_out * field, c->stream);
}

int triad_gpu_formula_prepare(triad_gpu_formulas *q)
{
  const triad_force_formulas *f = &q->force->formulas;
  q->reads = (f->used >> TRIAD_FORCE_COORDINATES) & ((1u << q->force->energetic) - 1);
  if (f->n > PASSES_ALL || q->force->energetic > PASSES_ALL)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "forcing.kind: more than %d formulas at points are for the CPU", PASSES_ALL);
  TRIAD_TRY(compile(q));
  if (!q->program) return TRIAD_ALLOC(q->flow->context->memory, "forcing", q->flow->grid.n[0], &q->none);
  return triad_device_alloc(q->device, "forcing", 1, sizeof *q->bad, (void **)&q->bad);
}

void triad_gpu_formula_drop(triad_gpu_formulas *q)
{
  triad_memory *m = q->flow->context->memory;
  if (q->program) triad_gpu_program_destroy(&q->program);
  triad_device_free(q->device, (void **)&q->bad);
  TRIAD_FREE(m, &q->rows);
  TRIAD_FREE(m, &q->none);
}
