/* Conjugate gradients with the transform as preconditioner, reduced to the cells that have a solid neighbour. */
#include "solvers/staggered/pressure/surface.h"

#include "parallel/sum.h"
#include "solvers/staggered/points/staggered_points.h"

#include <stdlib.h>

/* Numbers of each cell that adjoins a solid: residual, charges of the direction and of the correction; value of the
 * residual's transform and A times it; the direction and A times it. */
enum { REST, CHARGE, CORRECTION, VALUE, A_VALUE, DIRECTION, A_DIRECTION, NUMBERS };

struct triad_staggered_surface {
  triad_staggered_mesh *m;
  triad_staggered_transform *transform;
  triad_real *charges;   /* in own cells: 0 except in cells that adjoin solids */
  triad_real *potential; /* their transform                   */
  int64_t placed, n;     /* the mesh's when numbers were made */
  triad_real *number[NUMBERS];
  double product; /* residual . its transform, of the last iteration; 0: none yet */
  int iterations;
  /* what cells are worked with */
  double alpha, beta;
};

/* ---- cells ---- */

typedef double job(const triad_staggered_surface *s, int64_t i);

static int64_t cell_index(const triad_staggered_surface *s, int64_t i)
{
  const int32_t *c = s->m->beside[i].c;
  return triad_partition_at(&s->m->blocks, c[0], c[1], c[2]);
}

/* E times the potential. */
static triad_real through_closed(const triad_staggered_surface *s, int64_t i)
{
  const triad_staggered_sizes *sizes = &s->m->sizes;
  const triad_staggered_beside *b = &s->m->beside[i];
  const triad_staggered_row row = triad_staggered_row_of(sizes, b->c[1], b->c[2]);
  const triad_real *p = s->potential + cell_index(s, i);
  triad_real side[6], sum = 0;
  triad_staggered_sides(0, sizes, &row, 0, b->c[0], side);
  for (int k = 0; k < 6; k++)
    if (b->sides >> k & 1) sum += side[k] * (p[0] - p[k % 2 ? sizes->step[k / 2] : -sizes->step[k / 2]]);
  return sum;
}

static double set_rest(const triad_staggered_surface *s, int64_t i, triad_real rest)
{
  s->number[REST][i] = rest;
  s->charges[cell_index(s, i)] = rest;
  return (double)rest * (double)rest;
}

static double start(const triad_staggered_surface *s, int64_t i)
{
  s->number[CORRECTION][i] = s->number[CHARGE][i] = s->number[DIRECTION][i] = s->number[A_DIRECTION][i] = 0;
  return set_rest(s, i, through_closed(s, i));
}

static double read_potential(const triad_staggered_surface *s, int64_t i)
{
  triad_real value = s->potential[cell_index(s, i)], rest = s->number[REST][i];
  s->number[VALUE][i] = value;
  s->number[A_VALUE][i] = rest - through_closed(s, i);
  return (double)rest * (double)value;
}

static double update_direction(const triad_staggered_surface *s, int64_t i)
{
  const triad_real beta = (triad_real)s->beta;
  triad_real *const *v = s->number;
  v[DIRECTION][i] = v[VALUE][i] + beta * v[DIRECTION][i];
  v[A_DIRECTION][i] = v[A_VALUE][i] + beta * v[A_DIRECTION][i];
  v[CHARGE][i] = v[REST][i] + beta * v[CHARGE][i];
  return (double)v[DIRECTION][i] * (double)v[A_DIRECTION][i];
}

static double descend(const triad_staggered_surface *s, int64_t i)
{
  const triad_real alpha = (triad_real)s->alpha;
  s->number[CORRECTION][i] += alpha * s->number[CHARGE][i];
  return set_rest(s, i, s->number[REST][i] - alpha * s->number[A_DIRECTION][i]);
}

/* Each cell by one of the threads; their sum over all ranks is exact, and rounded once. */
static int each(const triad_staggered_surface *s, job *work, double *sum)
{
  const int threads = s->m->context->threads;
  triad_sum all;
  triad_sum_clear(&all);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++) {
    triad_sum mine;
    triad_sum_clear(&mine);
    for (int64_t i = triad_deal(s->n, t, threads); i < triad_deal(s->n, t + 1, threads); i++)
      triad_sum_add(&mine, work(s, i));
#pragma omp critical
    triad_sum_merge(&all, &mine);
  }
  return triad_sum_all(&s->m->context->comm, &all, 1, sum);
}

/* ---- a correction ---- */

static int transform(triad_staggered_surface *s, const triad_real *charges)
{
  TRIAD_TRY(triad_staggered_transform_solve(s->transform, charges, s->potential));
  triad_staggered_fill_cells(s->m, s->potential);
  return TRIAD_OK;
}

/* Allocate the numbers of the cells that adjoin solids now. */
static int renew(triad_staggered_surface *s)
{
  triad_memory *memory = s->m->context->memory;
  int st = TRIAD_OK;
  if (s->placed == s->m->placed) return TRIAD_OK;
  TRIAD_FREE(memory, &s->number[0]);
  s->n = s->m->n_beside;
  if (s->n > 0) st = TRIAD_ALLOC(memory, "conjugate gradients", NUMBERS * s->n, &s->number[0]);
  TRIAD_TRY(triad_agree(&s->m->context->comm, st));
  for (int k = 1; k < NUMBERS; k++) s->number[k] = s->number[0] + k * s->n;
  for (int64_t i = 0; i < s->m->blocks.volume; i++) s->charges[i] = 0;
  s->placed = s->m->placed;
  return TRIAD_OK;
}

int triad_staggered_surface_begin(triad_staggered_surface *s, const triad_real *r, double *squares)
{
  TRIAD_TRY(renew(s));
  TRIAD_TRY(transform(s, r));
  s->product = 0;
  s->iterations = 0;
  return each(s, start, squares);
}

int triad_staggered_surface_iterate(triad_staggered_surface *s, double *squares, int *still)
{
  double product, length;
  TRIAD_TRY(transform(s, s->charges));
  TRIAD_TRY(each(s, read_potential, &product));
  s->beta = s->product > 0 ? product / s->product : 0;
  TRIAD_TRY(each(s, update_direction, &length));
  *still = !(length > 0) || !isfinite(length);
  if (*still) return TRIAD_OK;
  s->product = product;
  s->alpha = product / length;
  s->iterations++;
  return each(s, descend, squares);
}

int triad_staggered_surface_end(triad_staggered_surface *s, triad_real *r, triad_real *p)
{
  const triad_partition *b = &s->m->blocks;
  for (int64_t i = 0; i < s->n; i++) r[cell_index(s, i)] += s->number[CORRECTION][i];
  if (s->iterations > 0) TRIAD_TRY(triad_staggered_transform_solve(s->transform, r, s->potential));
#pragma omp parallel for schedule(static) num_threads(s->m->context->threads)
  for (int64_t row = 0; row < b->local[1] * b->local[2]; row++) {
    const int64_t first = triad_partition_at(b, 0, row % b->local[1], row / b->local[1]);
#pragma omp simd
    for (int64_t at = first; at < first + b->local[0]; at++) p[at] += s->potential[at];
  }
  return TRIAD_OK;
}

/* ---- create, destroy ---- */

int triad_staggered_surface_create(triad_staggered_surface **out, triad_staggered_mesh *m,
                                   triad_staggered_transform *transform)
{
  triad_staggered_surface *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure solver");
  if (s) {
    s->m = m;
    s->transform = transform;
    st = TRIAD_ALLOC(m->context->memory, "conjugate gradients", m->blocks.volume, &s->charges);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(m->context->memory, "conjugate gradients", m->blocks.volume, &s->potential);
  }
  st = triad_agree(&m->context->comm, st);
  if (st != TRIAD_OK) triad_staggered_surface_destroy(out);
  return st;
}

void triad_staggered_surface_destroy(triad_staggered_surface **surface)
{
  triad_staggered_surface *s = *surface;
  if (!s) return;
  triad_memory *memory = s->m->context->memory;
  TRIAD_FREE(memory, &s->charges);
  TRIAD_FREE(memory, &s->potential);
  TRIAD_FREE(memory, &s->number[0]);
  free(s);
  *surface = NULL;
}
