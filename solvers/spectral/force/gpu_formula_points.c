/* Formulas at the points of a chunk on a GPU: within the set's own x pass; or lines along x of the fields that they
 * have, the values, the set's own x pass, lines along x of the values. */
#include "solvers/spectral/force/gpu_formula_points.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "parallel/cuda.h"
#include "solvers/spectral/force/formula_points.h"
#include "solvers/spectral/force/gpu_formula_internal.h"
#include "solvers/spectral/force/gpu_formula_source.h"

#include <stdio.h>
#include <stdlib.h>

/* MOST_CALLS: functions with a name of all formulas within a pass. A thread has sixteen points, each with code of
 * its own, of about a kilobyte for a sine in double, and 128 KiB are near a multiprocessor. */
enum { MOST_CALLS = 8 };

/* ---- kernels ---- */

/* Is there a compiler, or a file of this source? */
static int can_be(triad_gpu_formulas *q, const triad_gpu_source *source)
{
  return triad_gpu_program_compiler(q->why, sizeof q->why) || triad_gpu_program_kept(source);
}

/* Within the set's own pass, where that is fused, formulas are short, and there is a compiler; not if cuFFT transforms
 * the rows, between which the pass then is a kernel of its own. */
static int compile_within(triad_gpu_formulas *q, const char *formulas, triad_gpu_visit *visit, const void *law)
{
  const triad_grid *g = &q->flow->grid;
  const triad_gpu_shape shape = {.n = {(int)g->n[0], (int)g->n[1], (int)g->n[2]}};
  const triad_gpu_chunk none = {.shape = &shape, .n_in = q->flow->shape.pass[0].n_in, .beside = &q->beside};
  int heavy = 0;
  for (int f = 0; f < q->force->formulas.n; f++) heavy += triad_formula_calls(q->force->formulas.f[f]);
  if (heavy > MOST_CALLS || g->lines == TRIAD_LINES_LIBRARY) return TRIAD_OK;
  if (asprintf(&q->text, "%s#include \"solvers/spectral/force/formula_pass.h\"\n", formulas) < 0) {
    q->text = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of a force's formulas");
  }
  q->beside = (triad_gpu_beside){.label = "formulas",
                                 .text = q->text,
                                 .reads = q->reads,
                                 .every = g->truncation == TRIAD_NONE,
                                 .pieces = q->flow->layout->split != NULL,
                                 .program = &q->within};
  return visit(law, &none);
}

/* In a pass of their own; and tables. */
static int compile_apart(triad_gpu_formulas *q, const char *formulas)
{
  char *text = NULL;
  if (asprintf(&text,
               "%s#include \"fft/gpu/device_compiled.h\"\n%s"
               "extern \"C\" __constant__ int triad_launch[] = {256, 1, 0, 256};\n#include "
               "\"solvers/spectral/force/formula_kernel.h\"\n",
               sizeof(triad_real) == 4 ? "#define TRIAD_SINGLE\n" : "", formulas) < 0)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of a force's formulas");
  const triad_gpu_source source = {.label = "formulas-" TRIAD_PRECISION_NAME,
                                   .text = text,
                                   .names = {"triad_formula_values", "triad_formula_tables"},
                                   .n_names = 2};
  const int st = can_be(q, &source) ? triad_gpu_program_create(&q->program, &source) : TRIAD_OK;
  free(text);
  return st;
}

static int compile(triad_gpu_formulas *q, triad_gpu_visit *visit, const void *law)
{
  char *formulas = NULL;
  int st = triad_gpu_formula_source(q->force, q->reads, &formulas);
  if (st == TRIAD_OK) st = compile_apart(q, formulas);
  if (st == TRIAD_OK && q->program) st = compile_within(q, formulas, visit, law);
  free(formulas);
  return st;
}

static int64_t first_plane(const triad_gpu_formulas *q, int64_t first) { return q->flow->layout->first_plane + first; }

static int64_t rows_of(const triad_gpu_formulas *q) { return q->flow->layout->n_planes * q->flow->layout->n_y; }

/* Rows of planes first .. of this rank's. */
static triad_formula_places places_of(const triad_gpu_formulas *q, int64_t first, int64_t rows)
{
  const triad_force_formulas *f = &q->force->formulas;
  const triad_layout *l = q->flow->layout;
  const triad_grid *g = &q->flow->grid;
  return (triad_formula_places){
    .n = rows * g->n[0],
    .nx = g->n[0],
    .ny = l->n_y,
    .first_y = l->first_y,
    .all_y = g->n[1],
    .first_z = first_plane(q, first),
    .row = first * l->n_y,
    .rows = rows_of(q),
    .t = f->t,
    .least = q->force->spacing,
    .measures = f->measures,
    .spacing = {triad_grid_spacing(g, 0), triad_grid_spacing(g, 1), triad_grid_spacing(g, 2)},
    .of_x = q->table,
    .of_row = q->table + q->of_x * g->n[0],
    .bad = q->bad};
}

static int64_t rows_in(const triad_gpu_chunk *c) { return (int64_t)c->count * c->shape->n[1]; }

static int values_there(const triad_gpu_formulas *q, const triad_gpu_chunk *c, const triad_real *in, triad_real *out)
{
  triad_formula_places places = places_of(q, c->first, rows_in(c));
  places.in = in;
  places.out = out;
  places.peaks = c->peaks;
  const void *const arguments[] = {&places};
  return triad_gpu_program_launch(q->program, 0, places.n, 1, 1, 0, arguments, c->stream);
}

static int visit_within(const triad_gpu_formulas *q, const triad_gpu_chunk *c)
{
  triad_formula_places places = places_of(q, c->first, rows_in(c));
  triad_gpu_beside beside = q->beside;
  triad_gpu_chunk own = *c;
  beside.law = &places;
  beside.bytes = sizeof places;
  own.beside = &beside;
  return q->visit(q->law, &own);
}

/* Do formulas have parts of time? */
static int changes(const triad_force_formulas *q)
{
  int any = 0;
  for (int f = 0; f < q->n; f++) {
    for (int k = 0; k < q->rows[f].n; k++) any |= triad_formula_uses(q->rows[f].part[k], TRIAD_FORCE_COORDINATES - 1);
    for (int k = 0; k < q->rows[f].n_row; k++)
      any |= triad_formula_uses(q->rows[f].of_row[k], TRIAD_FORCE_COORDINATES - 1);
  }
  return any;
}

int triad_gpu_formula_tables(triad_gpu_formulas *q)
{
  if (!q->program || q->is_made || q->of_x + q->of_row == 0) return TRIAD_OK;
  triad_formula_places places = places_of(q, 0, 0);
  places.n = places.nx + places.rows;
  q->is_made = !changes(&q->force->formulas);
  const void *const arguments[] = {&places};
  return triad_gpu_program_launch(q->program, 1, places.n, 1, 1, 0, arguments, triad_device_stream(q->device));
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

/* Rows of the fields that are read -> rows of all energetic fields and of results, which the evaluator of the CPU
 * fills. */
static void evaluate(triad_gpu_formulas *q, const triad_gpu_chunk *c, int64_t n)
{
  const triad_grid *g = &q->flow->grid;
  const int n_f = q->force->formulas.n, n_in = q->force->energetic;
  const int64_t y = q->flow->layout->first_y, z = first_plane(q, c->first), nx = g->n[0], ny = c->shape->n[1];
  double most = q->rate;
#pragma omp parallel for schedule(static) num_threads(q->flow->context->threads) reduction(max : most)
  for (int64_t row = 0; row < n / nx; row++) {
    triad_real *in[TRIAD_FORCE_KERNELS_TAKE], *out[TRIAD_FORCE_KERNELS_TAKE];
    const triad_patch at = {.y = y + row % ny, .z = z + row / ny, .n = nx};
    for (int f = 0, slot = 0; f < n_in; f++) in[f] = q->reads >> f & 1 ? q->rows + slot++ * n + row * nx : q->none;
    for (int f = 0; f < n_f; f++) out[f] = q->rows + (n_in + f) * n + row * nx;
    const double rate = triad_forcing_points(q->force, q->flow, &at, in, out);
    most = rate > most ? rate : most;
  }
  q->rate = most;
}

static int values_here(triad_gpu_formulas *q, const triad_gpu_chunk *c, int64_t n, const triad_real *in,
                       triad_real *out)
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
  if (q->within) return visit_within(q, c);
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0],
                field = (int64_t)c->count * c->shape->n[1] * c->shape->pitch;
  triad_real *in = c->rows_in, *values = c->rows_in + (q->own_in + q->own_out) * n;
  triad_gpu_chunk own = *c;
  for (int f = 0, slot = 0; f < q->force->energetic; f++)
    if (q->reads >> f & 1)
      TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in + f * field, c->count, in + slot++ * n, c->stream));
  TRIAD_TRY(q->program ? values_there(q, c, in, values) : values_here(q, c, n, in, values));
  own.n_out = q->own_out;
  TRIAD_TRY(q->visit(q->law, &own));
  return triad_gpu_x_forward(c->shape, q->force->formulas.n, values, c->count, c->out + q->own_out * field, c->stream);
}

int triad_gpu_formula_prepare(triad_gpu_formulas *q, triad_gpu_visit *visit, const void *law)
{
  const triad_force_formulas *f = &q->force->formulas;
  q->reads = (f->used >> TRIAD_FORCE_COORDINATES) & ((1u << q->force->energetic) - 1);
  TRIAD_TRY(compile(q, visit, law));
  if (!q->program) return TRIAD_ALLOC(q->flow->context->memory, "forcing", q->flow->grid.n[0], &q->none);
  triad_force_points_parts(q->force, f->n, &q->of_x, &q->of_row);
  const int64_t room = q->of_x * q->flow->grid.n[0] + q->of_row * rows_of(q);
  if (room > 0) TRIAD_TRY(triad_device_alloc(q->device, "forcing", room, sizeof *q->table, (void **)&q->table));
  return triad_device_alloc(q->device, "forcing", 1, sizeof *q->bad, (void **)&q->bad);
}

void triad_gpu_formula_drop(triad_gpu_formulas *q)
{
  triad_memory *m = q->flow->context->memory;
  if (q->program) triad_gpu_program_destroy(&q->program);
  if (q->within) triad_gpu_program_destroy(&q->within);
  free(q->text);
  triad_device_free(q->device, (void **)&q->table);
  triad_device_free(q->device, (void **)&q->bad);
  TRIAD_FREE(m, &q->rows);
  TRIAD_FREE(m, &q->none);
}
