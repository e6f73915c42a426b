/* Solve for the pressure between walls: Fourier or cosine transforms along two axes and tridiagonal systems along
 * the third. */
#include "solvers/staggered/pressure/cosines.h"
#include "solvers/staggered/plain/waves.h"

#include "fft/lines/lines.h"
#include "fft/lines/wisdom.h"
#include "grid/fields/slab.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells are in planes [z][y][x] while waves are found along x and y, and in columns, [z][y][x] too but divided along
 * another axis, while lines along z are whole. Lines are those along the axis of the tridiagonal systems. */
struct triad_staggered_cosines {
  const triad_staggered_mesh *m;
  int line;                           /* the axis of the tridiagonal systems */
  triad_slab *planes_of, *columns_of; /* the cells' planes; the columns of planes (NULL: one rank has all) */
  triad_partition columns;
  triad_real *in_planes, *in_columns;
  FFTW(plan) planes_forward, planes_backward, columns_forward, columns_backward; /* NULL: nothing to do */
  double *lambda[3]; /* [n] by place in the transform's order; NULL of the lines */
  double *h, *per_d; /* [n] and [n + 1] of the lines */
  double factor;     /* h/V of the lines, over what the transforms multiply by */
  double *work;      /* [threads][3][line][batch] */
  int64_t batch;
};

/* ---- waves ---- */

static int is_periodic(const triad_staggered_cosines *c, int axis)
{
  return c->m->setup.side[axis][0] == TRIAD_STAGGERED_PERIODIC;
}

static int has_waves(const triad_staggered_cosines *c, int axis) { return axis != c->line && c->m->setup.n[axis] > 1; }

/* Real waves of n points come as cos 0, cos 1, .., sin 1 last. */
static void set_waves(triad_staggered_cosines *c)
{
  const triad_staggered_setup *s = &c->m->setup;
  c->factor = 1;
  for (int i = 0; i < 3; i++) {
    if (i == c->line) continue;
    const int64_t n = s->n[i];
    const double h = s->length[i] / (double)n;
    for (int64_t k = 0; k < n && n > 1; k++) {
      int64_t wave = is_periodic(c, i) ? (k <= n / 2 ? k : n - k) : k;
      double sine = sin(TRIAD_PI * (double)wave / (double)(is_periodic(c, i) ? n : 2 * n));
      c->lambda[i][k] = 4 * sine * sine / (h * h);
    }
    c->factor /= h * (has_waves(c, i) ? (is_periodic(c, i) ? 1.0 : 2.0) * (double)n : 1);
  }
}

static void set_line(triad_staggered_cosines *c)
{
  const double *face = c->m->face[c->line];
  const int64_t n = c->m->setup.n[c->line];
  for (int64_t j = 0; j < n; j++) c->h[j] = face[j + 1] - face[j];
  for (int64_t j = 1; j < n; j++) c->per_d[j] = 2 / (c->h[j - 1] + c->h[j]);
  c->per_d[0] = c->per_d[n] = 0; /* nothing goes through walls */
}

void triad_staggered_cosines_renew(triad_staggered_cosines *c)
{
  set_waves(c);
  set_line(c);
}

/* ---- plans ---- */

/* In place: lines along up to two axes of a plane, or along z of a row of columns. */
static FFTW(plan) plan_of(const triad_staggered_cosines *c, const int axes[2], const int64_t stride[3], int64_t rows,
                          triad_real *data, int forward, unsigned flags)
{
  FFTW(iodim64) dims[2], batch = {.n = (ptrdiff_t)rows, .is = 1, .os = 1};
  FFTW(r2r_kind) kind[2];
  int rank = 0;
  for (int i = 0; i < 2; i++) {
    if (axes[i] < 0 || !has_waves(c, axes[i])) continue;
    const ptrdiff_t step = (ptrdiff_t)stride[axes[i]];
    dims[rank] = (FFTW(iodim64)){.n = (ptrdiff_t)c->m->setup.n[axes[i]], .is = step, .os = step};
    if (is_periodic(c, axes[i])) kind[rank++] = forward ? FFTW_R2HC : FFTW_HC2R;
    else kind[rank++] = forward ? FFTW_REDFT10 : FFTW_REDFT01;
  }
  if (rank == 0) return NULL;
  return FFTW(plan_guru64_r2r)(rank, dims, rows > 0 ? 1 : 0, &batch, data, data, kind, flags);
}

/* Waves along x and y are found a plane at a time; along one of them, where the other is that of the lines, with the
 * other as batch. */
static int make_plans(void *self, unsigned flags)
{
  triad_staggered_cosines *c = self;
  const int64_t *n = c->m->setup.n, plane[3] = {1, n[0], n[0] * n[1]};
  const int both[2] = {1, 0}, along_z[2] = {2, -1};
  const triad_partition *b = &c->columns;
  int wanted = 0;
  triad_real *data = NULL;
  int64_t most = n[0] * n[1], columns = b->local[0] * b->local[1] * b->local[2];
  if (columns > most) most = columns;
  TRIAD_TRY(TRIAD_ALLOC(c->m->context->memory, "planning", most, &data));
  for (int forward = 0; forward < 2; forward++) {
    FFTW(plan) *planes = forward ? &c->planes_forward : &c->planes_backward;
    FFTW(plan) *lines = forward ? &c->columns_forward : &c->columns_backward;
    if (c->line == 0) {
      const int y[2] = {1, -1};
      triad_wisdom_put(planes, plan_of(c, y, plane, n[0], data, forward, flags));
    } else if (c->line == 1) {
      /* rows one after the other: batch along y, whose step is not 1 */
      const int64_t n0 = n[0];
      FFTW(iodim64)
      x = {.n = (ptrdiff_t)n0, .is = 1, .os = 1},
      rows = {.n = (ptrdiff_t)n[1], .is = (ptrdiff_t)n0, .os = (ptrdiff_t)n0};
      const FFTW(r2r_kind) kind =
        is_periodic(c, 0) ? (forward ? FFTW_R2HC : FFTW_HC2R) : (forward ? FFTW_REDFT10 : FFTW_REDFT01);
      triad_wisdom_put(planes,
                       has_waves(c, 0) ? FFTW(plan_guru64_r2r)(1, &x, 1, &rows, data, data, &kind, flags) : NULL);
    } else {
      triad_wisdom_put(planes, plan_of(c, both, plane, 0, data, forward, flags));
    }
    if (b->local[0] > 0) triad_wisdom_put(lines, plan_of(c, along_z, b->stride, b->local[0], data, forward, flags));
    wanted |= (!*planes && ((c->line != 0 && has_waves(c, 0)) || (c->line != 1 && has_waves(c, 1)))) ||
              (!*lines && b->local[0] > 0 && has_waves(c, 2));
  }
  TRIAD_FREE(c->m->context->memory, &data);
  if (wanted) return TRIAD_FAIL(TRIAD_ERR_CASE, "FFTW has no plan for the pressure transform");
  return TRIAD_OK;
}

/* ---- create, destroy ---- */

/* The columns: divided along y, or along x where lines run along y; ranks beyond the cells there have none. */
static int divide_columns(triad_staggered_cosines *c)
{
  const triad_comm *comm = &c->m->context->comm;
  const int64_t *n = c->m->setup.n;
  const int axis = c->line == 1 ? 0 : 1, periodic[3] = {1, 1, 1},
            parts = n[axis] < comm->size ? (int)n[axis] : comm->size;
  int wanted[3] = {1, 1, 1};
  wanted[axis] = parts;
  TRIAD_TRY(triad_partition_init(&c->columns, n, periodic, 0, comm->rank < parts ? comm->rank : 0, parts, wanted));
  if (comm->rank >= parts) c->columns.local[axis] = 0;
  return TRIAD_OK;
}

static int allocate_buffers(triad_staggered_cosines *c)
{
  triad_memory *memory = c->m->context->memory;
  const triad_partition *b = &c->columns;
  int64_t planes = triad_slab_count(c->planes_of) * triad_slab_reals(c->planes_of);
  c->batch = c->line == 0 ? b->local[1] : b->local[0];
  TRIAD_TRY(TRIAD_ALLOC(memory, "pressure's planes", planes, &c->in_planes));
  TRIAD_TRY(
    TRIAD_ALLOC(memory, "pressure's lines", 3 * c->m->context->threads * c->m->setup.n[c->line] * c->batch, &c->work));
  if (!c->columns_of) c->in_columns = c->in_planes;
  else TRIAD_TRY(TRIAD_ALLOC(memory, "pressure's columns", triad_partition_points(b), &c->in_columns));
  const int64_t *n = c->m->setup.n;
  for (int i = 0; i < 3; i++)
    if (i != c->line) TRIAD_TRY(TRIAD_ALLOC(memory, "eigenvalues", n[i], &c->lambda[i]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "sizes of cells", n[c->line], &c->h));
  TRIAD_TRY(TRIAD_ALLOC(memory, "sizes of cells", n[c->line] + 1, &c->per_d));
  triad_staggered_cosines_renew(c);
  return TRIAD_OK;
}

int triad_staggered_cosines_create(triad_staggered_cosines **out, const triad_staggered_mesh *m, const char *wisdom)
{
  const triad_comm *comm = &m->context->comm;
  const triad_space space = triad_staggered_space(m, 3, 0);
  triad_staggered_cosines *c = *out = calloc(1, sizeof *c);
  int st = c ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform");
  if (c) {
    c->m = m;
    c->line = triad_staggered_line_axis(&m->setup);
    st = divide_columns(c);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_slab_create(&c->planes_of, m->context, &space);
  if (st == TRIAD_OK && comm->size > 1) {
    triad_space columns;
    triad_space_box(&columns, &c->columns, m->setup.length);
    st = triad_slab_create(&c->columns_of, m->context, &columns);
  }
  if (st == TRIAD_OK) st = triad_agree(comm, allocate_buffers(c));
  if (st == TRIAD_OK)
    st = triad_wisdom_plan(comm, (m->setup.reproducible ? FFTW_ESTIMATE : FFTW_MEASURE) | FFTW_UNALIGNED, wisdom,
                           make_plans, c);
  if (st != TRIAD_OK) triad_staggered_cosines_destroy(out);
  return st;
}

void triad_staggered_cosines_destroy(triad_staggered_cosines **cosines)
{
  triad_staggered_cosines *c = *cosines;
  if (!c) return;
  triad_memory *memory = c->m->context->memory;
  FFTW(plan) plans[] = {c->planes_forward, c->planes_backward, c->columns_forward, c->columns_backward};
  for (int i = 0; i < 4; i++)
    if (plans[i]) FFTW(destroy_plan)(plans[i]);
  if (c->in_columns != c->in_planes) TRIAD_FREE(memory, &c->in_columns);
  TRIAD_FREE(memory, &c->in_planes);
  TRIAD_FREE(memory, &c->work);
  TRIAD_FREE(memory, &c->h);
  TRIAD_FREE(memory, &c->per_d);
  for (int i = 0; i < 3; i++) TRIAD_FREE(memory, &c->lambda[i]);
  triad_slab_destroy(&c->planes_of);
  triad_slab_destroy(&c->columns_of);
  free(c);
  *cosines = NULL;
}

/* ---- the solve ---- */

static void waves(triad_staggered_cosines *c, FFTW(plan) plan, triad_real *data, int64_t step, int64_t count)
{
  if (!plan) return;
#pragma omp parallel for schedule(static) num_threads(c->m->context->threads)
  for (int64_t i = 0; i < count; i++) FFTW(execute_r2r)(plan, data + i * step, data + i * step);
}

/* Gauss's elimination of c->batch systems side by side, x[j][i], lambda[i]. Where lambda is 0 the last equation
 * follows from the others: the last number is 0, and then the mean is taken away. */
static void eliminate(const triad_staggered_cosines *c, const double *lambda, double *x, double *upper)
{
  const int64_t n = c->m->setup.n[c->line], batch = c->batch;
  for (int64_t j = 0; j < n; j++) {
    const double below = c->per_d[j], above = c->per_d[j + 1], h = c->h[j];
    double *here = x + j * batch, *up = upper + j * batch;
    const double *before = j > 0 ? here - batch : here, *up_before = j > 0 ? up - batch : up;
#pragma omp simd
    for (int64_t i = 0; i < batch; i++) {
      const double pivot = h * lambda[i] + below + above - (j > 0 ? below * up_before[i] : 0);
      const double one = j == n - 1 && !(lambda[i] > 0) ? 0 : 1 / pivot;
      up[i] = above * one;
      here[i] = (here[i] + (j > 0 ? below * before[i] : 0)) * one;
    }
  }
  for (int64_t j = n - 2; j >= 0; j--) {
    double *here = x + j * batch;
    const double *up = upper + j * batch;
#pragma omp simd
    for (int64_t i = 0; i < batch; i++) here[i] += up[i] * here[batch + i];
  }
  for (int64_t i = 0; i < batch; i++) {
    double mean = 0;
    if (lambda[i] > 0) continue;
    for (int64_t j = 0; j < n; j++) mean += x[j * batch + i] / (double)n;
    for (int64_t j = 0; j < n; j++) x[j * batch + i] -= mean;
  }
}

/* The lines of one plane of columns, across the third axis: [line][batch] in memory with its strides. */
static void solve_lines(const triad_staggered_cosines *c, triad_real *data, int64_t other, double *work)
{
  const triad_partition *b = &c->columns;
  const int batch_axis = c->line == 0 ? 1 : 0, other_axis = 3 - c->line - batch_axis;
  const int64_t n = b->n[c->line], along = b->stride[c->line], across = b->stride[batch_axis], batch = c->batch;
  double *x = work, *upper = work + n * batch, *lambda = work + 2 * n * batch;
  triad_real *first = data + other * b->stride[other_axis];
  for (int64_t i = 0; i < batch; i++)
    lambda[i] = c->lambda[batch_axis][b->begin[batch_axis] + i] + c->lambda[other_axis][b->begin[other_axis] + other];
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < batch; i++) x[j * batch + i] = c->factor * (double)first[j * along + i * across];
  eliminate(c, lambda, x, upper);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < batch; i++) first[j * along + i * across] = (triad_real)x[j * batch + i];
}

int triad_staggered_cosines_solve(triad_staggered_cosines *c, const triad_real *r, triad_real *q)
{
  const triad_partition *b = &c->columns;
  const int64_t *n = c->m->setup.n, plane = n[0] * n[1];
  const int64_t n_planes = triad_slab_count(c->planes_of) / n[1];
  const int other = c->line == 0 ? 2 : c->line == 1 ? 2 : 1;
  const int64_t per_thread = 3 * n[c->line] * c->batch;
  TRIAD_TRY(triad_slab_gather(c->planes_of, r, c->in_planes));
  waves(c, c->planes_forward, c->in_planes, plane, n_planes);
  if (c->columns_of) TRIAD_TRY(triad_slab_scatter(c->columns_of, c->in_planes, c->in_columns));
  waves(c, c->columns_forward, c->in_columns, b->stride[1], b->local[1]);
#pragma omp parallel for schedule(static, 1) num_threads(c->m->context->threads)
  for (int t = 0; t < c->m->context->threads; t++)
    for (int64_t i = triad_deal(b->local[other], t, c->m->context->threads);
         i < triad_deal(b->local[other], t + 1, c->m->context->threads); i++)
      solve_lines(c, c->in_columns, i, c->work + t * per_thread);
  waves(c, c->columns_backward, c->in_columns, b->stride[1], b->local[1]);
  if (c->columns_of) TRIAD_TRY(triad_slab_gather(c->columns_of, c->in_columns, c->in_planes));
  waves(c, c->planes_backward, c->in_planes, plane, n_planes);
  return triad_slab_scatter(c->planes_of, c->in_planes, q);
}
