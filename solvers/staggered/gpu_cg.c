/* The pressure on a GPU: conjugate gradients as in cg.c, in three kernels an iteration, or two without preconditioner
 * (docs/numerics.md section 15). A d is made anew where it is needed instead of being stored. */
#include "solvers/staggered/gpu_boundary.h"
#include "solvers/staggered/gpu_own.h"

#include "parallel/sum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESTARTS = 4, BATCH = 8 /* iterations between looks at what they have reached */ };

/* ---- memory ---- */

static int alone(const triad_partition *b) { return b->size == 1; }

/* With halos where other ranks fill them. */
int64_t triad_staggered_gpu_vector_size(const triad_partition *b) { return alone(b) ? triad_partition_points(b) : b->volume; }

static int is_uniform(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1 && s->stretch[i] > 0) return 0;
  return 1;
}

static int64_t table_size(const triad_partition *b, const triad_staggered_setup *s)
{
  return is_uniform(s) ? TRIAD_STAGGERED_ALL_OPEN + 1 : triad_staggered_gpu_vector_size(b);
}

static int iterates(const triad_staggered_setup *s) { return s->pressure != TRIAD_STAGGERED_TRANSFORM; }

static int has_transform(const triad_staggered_setup *s) { return s->pressure >= TRIAD_STAGGERED_CG_TRANSFORM; }

int64_t triad_staggered_gpu_solver_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  int64_t real = (int64_t)sizeof(triad_real);
  int64_t vectors = 3 + 2 * iterates(s) + (s->pressure != TRIAD_STAGGERED_CG);
  int64_t partial = triad_staggered_gpu_blocks(b->local) * TRIAD_STAGGERED_GPU_SUMS * (int64_t)sizeof(double);
  return (vectors * triad_staggered_gpu_vector_size(b) + table_size(b, s)) * real + triad_staggered_gpu_vector_size(b) * alone(b) + partial +
         (has_transform(s) ? triad_staggered_gpu_transform_bytes(s) : 0);
}

static int take(triad_staggered_gpu_solver *s, triad_device *device, const triad_partition *b, const triad_staggered_setup *setup)
{
  int64_t n = triad_staggered_gpu_vector_size(b);
  struct {
    triad_real **at;
    int needed;
  } vector[] = {{&s->b, 1},
                {&s->x, 1},
                {&s->r, 1},
                {&s->z, setup->pressure != TRIAD_STAGGERED_CG},
                {&s->d[0], iterates(setup)},
                {&s->d[1], iterates(setup)}};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (vector[i].needed)
      TRIAD_TRY(triad_device_alloc(device, "pressure", n, sizeof(triad_real), (void **)vector[i].at));
  TRIAD_TRY(triad_device_alloc(device, "pressure's diagonal", table_size(b, setup), sizeof(triad_real), (void **)&s->table));
  if (alone(b)) TRIAD_TRY(triad_device_alloc(device, "open faces", n, 1, (void **)&s->open));
  TRIAD_TRY(triad_device_alloc(device, "sums", triad_staggered_gpu_blocks(b->local) * TRIAD_STAGGERED_GPU_SUMS,
                               sizeof(double), (void **)&s->results.partial));
  return triad_device_alloc(device, "sums", 1, sizeof *s->results.scalars, (void **)&s->results.scalars);
}

/* Where a vector's numbers lie, and which are beside which. */
static void lay_out(triad_staggered_gpu_cells *c, const triad_partition *b)
{
  int64_t stride = 1;
  c->halos = !alone(b);
  c->origin = alone(b) ? 0 : (int)b->origin;
  for (int i = 0; i < 3; i++) {
    c->local[i] = (int)b->local[i];
    c->stride[i] = (int)(alone(b) ? stride : b->stride[i]);
    c->below[i] = c->above[i] = 0;
    if (b->n[i] > 1 && !alone(b)) c->below[i] = -c->stride[i];
    if (b->n[i] > 1 && alone(b) && b->periodic[i]) c->below[i] = (int)(b->n[i] - 1) * c->stride[i];
    c->above[i] = -c->below[i];
    stride *= b->local[i];
  }
}

int triad_staggered_gpu_solver_make(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(take(s, f->device, &f->blocks, &f->setup));
  lay_out(&s->cells, &f->blocks);
  s->cells.sizes = f->gpu->kernel.sizes;
  s->cells.sizes.open = s->open ? s->open : f->gpu->open;
  s->cells.table = s->table;
  return has_transform(&f->setup) ? triad_staggered_gpu_transform_create(&s->transform, f->device, &f->setup, &f->gpu->kernel)
                                 : TRIAD_OK;
}

void triad_staggered_gpu_solver_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_real **vector[] = {&s->b, &s->x, &s->r, &s->z, &s->d[0], &s->d[1], &s->table};
  triad_staggered_gpu_transform_destroy(&s->transform);
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) triad_device_free(f->device, (void **)vector[i]);
  triad_device_free(f->device, (void **)&s->open);
  triad_device_free(f->device, (void **)&s->results.partial);
  triad_device_free(f->device, (void **)&s->results.scalars);
}

/* ---- the matrix ---- */

/* Three coefficients, and 1/diagonal by which faces are open. */
static int put_uniform(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  const triad_staggered_setup *setup = &f->setup;
  triad_real table[TRIAD_STAGGERED_ALL_OPEN + 1];
  double h[3], volume = 1;
  for (int i = 0; i < 3; i++) volume *= h[i] = setup->length[i] / (double)setup->n[i];
  for (int i = 0; i < 3; i++) s->cells.side[i] = (triad_real)(setup->n[i] > 1 ? volume / (h[i] * h[i]) : 0);
  for (int bits = 0; bits <= TRIAD_STAGGERED_ALL_OPEN; bits++) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += (bits >> i & 1) * (double)s->cells.side[i / 2];
    table[bits] = (triad_real)(sum > 0 ? 1 / sum : 1);
  }
  s->cells.kind = f->mesh->closed ? TRIAD_STAGGERED_GPU_BITS : TRIAD_STAGGERED_GPU_OPEN;
  s->cells.per_diagonal = table[TRIAD_STAGGERED_ALL_OPEN];
  return triad_device_put(f->device, s->table, table, (int64_t)sizeof table);
}

/* Numbers of own cells from a field with halos, [z][y][x]. */
static void pack(const triad_partition *b, size_t size, const void *field, void *packed)
{
  size_t row = (size_t)b->local[0] * size;
  for (int64_t i = 0; i < b->local[1] * b->local[2]; i++)
    memcpy((char *)packed + (size_t)i * row,
           (const char *)field + (size_t)triad_partition_at(b, 0, i % b->local[1], i / b->local[1]) * size, row);
}

int triad_staggered_gpu_put_vector(triad_staggered_flow *f, size_t size, const void *field, void *there)
{
  const triad_partition *b = &f->blocks;
  char *packed = NULL;
  int64_t bytes = triad_staggered_gpu_vector_size(b) * (int64_t)size;
  if (!alone(b)) return triad_device_put(f->device, there, field, bytes);
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "a vector for the GPU", bytes, &packed));
  pack(b, size, field, packed);
  int st = triad_device_put(f->device, there, packed, bytes);
  TRIAD_FREE(f->context->memory, &packed);
  return st;
}

/* Halos of a vector, where there are any. */
static void fill(const triad_staggered_flow *f, triad_real *vector)
{
  if (!alone(&f->blocks)) triad_staggered_gpu_fill_cells(f, vector);
}

/* 1/diagonal of each cell. */
static int put_general(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  s->cells.kind = TRIAD_STAGGERED_GPU_GENERAL;
  TRIAD_TRY(triad_staggered_gpu_diagonal(&s->cells, s->table, triad_device_stream(f->device)));
  fill(f, s->table);
  return TRIAD_OK;
}

int triad_staggered_gpu_solver_resize(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(is_uniform(&f->setup) ? put_uniform(f) : put_general(f));
  return s->transform ? triad_staggered_gpu_transform_renew(s->transform, &f->setup) : TRIAD_OK;
}

static void fluid_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  int64_t first = triad_partition_at(&f->blocks, 0, y, z);
  for (int64_t x = 0; x < f->blocks.local[0]; x++) results[0] += !(f->mesh->open[first + x] & TRIAD_STAGGERED_SOLID);
}

int triad_staggered_gpu_solver_renew(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_agree(&f->context->comm, s->open ? triad_staggered_gpu_put_vector(f, 1, f->mesh->open, s->open) : TRIAD_OK));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_solver_resize(f)));
  TRIAD_TRY(triad_staggered_gpu_regions_renew(f));
  return triad_staggered_rows(f->mesh, fluid_row, f, 1, 0, &s->fluid);
}

/* ---- sums ---- */

static int get_scalars(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_device_get(f->device, &s->now, s->results.scalars, (int64_t)sizeof s->now);
}

static int put_scalars(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_device_put(f->device, s->results.scalars, &s->now, (int64_t)sizeof s->now);
}

/* Where several ranks solve, on the host and on the GPU alike. */
int triad_staggered_gpu_of_all(triad_staggered_flow *f, int sums, int maxima, triad_staggered_gpu_after after)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_scalars *now = &s->now;
  triad_sum all[TRIAD_STAGGERED_GPU_SUMS];
  double most[TRIAD_STAGGERED_GPU_SUMS];
  if (alone(&f->blocks)) return TRIAD_OK;
  TRIAD_TRY(triad_device_get(f->device, now->sum, s->results.scalars->sum, (int64_t)sizeof now->sum));
  for (int i = 0; i < sums; i++) {
    triad_sum_clear(&all[i]);
    triad_sum_add(&all[i], now->sum[i]);
  }
  memcpy(most, now->sum + sums, (size_t)maxima * sizeof *most);
  if (sums > 0) TRIAD_TRY(triad_sum_all(&f->context->comm, all, sums, now->sum));
  if (maxima > 0)
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(most, now->sum + sums, maxima, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  triad_staggered_gpu_conclude(now, after);
  return triad_staggered_gpu_settle(&s->results, now->sum, after, triad_device_stream(f->device));
}

int triad_staggered_gpu_sums(triad_staggered_flow *f, int sums, int maxima, triad_staggered_gpu_after after)
{
  return alone(&f->blocks) ? get_scalars(f) : triad_staggered_gpu_of_all(f, sums, maxima, after);
}

/* ---- a solve ---- */

static int true_residual(triad_staggered_flow *f, int first)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  fill(f, s->x);
  TRIAD_TRY(triad_staggered_gpu_residual(&s->cells, first, s->x, s->b, s->r, &s->results, triad_device_stream(f->device)));
  return triad_staggered_gpu_of_all(f, 1 + first, 0, first ? TRIAD_STAGGERED_AFTER_FIRST : TRIAD_STAGGERED_AFTER_RESIDUAL);
}

/* z = M r, z . r */
static int apply(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  void *stream = triad_device_stream(f->device);
  if (!s->z) return TRIAD_OK;
  if (s->transform) {
    TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, s->r, s->z));
    TRIAD_TRY(triad_staggered_gpu_product(&s->cells, s->r, s->z, &s->results, stream));
  } else {
    fill(f, s->r);
    TRIAD_TRY(triad_staggered_gpu_precondition(&s->cells, s->r, s->z, &s->results, stream));
  }
  return triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_PRECONDITION);
}

static int iteration(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_real *z = s->z ? s->z : s->r, *old = s->d[0], *d = s->d[1];
  void *stream = triad_device_stream(f->device);
  TRIAD_TRY(apply(f));
  fill(f, z);
  TRIAD_TRY(triad_staggered_gpu_direction(&s->cells, z, old, d, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_DIRECTION));
  if (s->now.done && !alone(&f->blocks)) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_gpu_advance(&s->cells, d, s->x, s->r, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_STEP));
  s->d[0] = d;
  s->d[1] = old;
  return TRIAD_OK;
}

/* What x + z leaves, z = M r. */
static int correction(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, s->r, s->z));
  TRIAD_TRY(triad_staggered_gpu_add(&s->cells, s->z, s->x, &s->results, triad_device_stream(f->device)));
  TRIAD_TRY(true_residual(f, 0));
  TRIAD_TRY(get_scalars(f));
  s->now.iterations++;
  triad_staggered_gpu_note(&s->now);
  s->now.done = s->now.done || s->now.iterations >= RESTARTS;
  return put_scalars(f);
}

/* Iterations, as many as the last solve took and then some at a time, until the goal is reached: what is launched beyond
 * it does nothing. */
static int iterate(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  int batch = s->transform || !alone(&f->blocks) ? 1 : s->expected > BATCH ? s->expected : BATCH;
  if (s->transform) TRIAD_TRY(get_scalars(f)); /* dear, where nothing is left to do */
  while (!s->now.done) {
    for (int i = 0; i < batch; i++) TRIAD_TRY(iterates(&f->setup) ? iteration(f) : correction(f));
    if (alone(&f->blocks)) TRIAD_TRY(get_scalars(f));
    if (batch > BATCH) batch = BATCH;
  }
  return TRIAD_OK;
}

static int fail(const triad_staggered_gpu_scalars *now, double last)
{
  char text[TRIAD_STAGGERED_GPU_HISTORY * 24] = "";
  int at = 0;
  for (int i = 0; i < now->kept; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, " %d: %.1e", i * now->every, now->history[i]);
  return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the pressure is not found: after %d iterations the residual is %.3g of the right-hand "
                                      "side, solver.tolerance asks for %.3g; residuals by iteration:%s", now->iterations, last,
                    now->tolerance, text);
}

static void begin(triad_staggered_flow *f)
{
  const triad_staggered_setup *setup = &f->setup;
  f->gpu->solver.now = (triad_staggered_gpu_scalars){
      .cells = f->gpu->solver.fluid, .tolerance = setup->tolerance, .plain = setup->pressure == TRIAD_STAGGERED_CG,
      .parted = f->gpu->regions.n > 0, .alone = alone(&f->blocks), .most = 100 + 20 * (int)(setup->n[0] + setup->n[1] + setup->n[2]), .every = 1};
}

/* The residual that iterations carry on drifts from the true one by rounding: where the two part, on from the true one. */
static int find(triad_staggered_flow *f)
{
  triad_staggered_gpu_scalars *now = &f->gpu->solver.now;
  TRIAD_TRY(true_residual(f, 1));
  for (int again = 0; again < RESTARTS; again++) {
    TRIAD_TRY(iterate(f));
    if (!isfinite(now->norm) || now->still || !iterates(&f->setup)) break;
    TRIAD_TRY(true_residual(f, 0));
    TRIAD_TRY(get_scalars(f));
    if (!(sqrt(now->rr) > now->goal) || !isfinite(now->rr)) break;
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_solve(triad_staggered_flow *f, triad_real *const u[3], double dt, triad_real *p,
                              triad_staggered_solved *solved)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  const triad_staggered_gpu *kernel = &f->gpu->kernel;
  void *stream = triad_device_stream(f->device);
  begin(f);
  TRIAD_TRY(put_scalars(f)); /* which waits for what was launched before */
  double begun = triad_now();
  TRIAD_TRY(triad_staggered_gpu_source(kernel, &s->cells, u, dt, s->b, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 2, 0, TRIAD_STAGGERED_AFTER_SOURCE));
  TRIAD_TRY(triad_staggered_gpu_regions_level(f, s->b));
  TRIAD_TRY(triad_staggered_gpu_take(kernel, &s->cells, p, s->x, stream));
  TRIAD_TRY(find(f));
  f->solve_s += triad_now() - begun;
  const triad_staggered_gpu_scalars *now = &s->now;
  *solved = (triad_staggered_solved){now->iterations, now->still ? 0 : sqrt(now->rr) / now->norm};
  s->expected = now->iterations;
  if (!isfinite(now->norm)) return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the pressure's right-hand side is not finite");
  if (!now->still) {
    if (!(sqrt(now->rr) <= now->goal)) return fail(now, solved->residual);
    TRIAD_TRY(triad_staggered_gpu_regions_level(f, s->x));
    TRIAD_TRY(triad_staggered_gpu_total(&s->cells, s->x, &s->results, stream));
    TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_TOTAL));
    TRIAD_TRY(triad_staggered_gpu_give(kernel, &s->cells, s->x, p, &s->results, stream));
  }
  triad_staggered_gpu_fill_cells(f, p);
  return TRIAD_OK;
}
