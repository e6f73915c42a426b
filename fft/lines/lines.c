/* Plan and run transforms of lines along x, y and z, by FFTW or by the built-in vector code, whichever the length
 * and the planning select. */
#include "fft/lines/lines.h"
#include "fft/lines/lane_plan.h"
#include "fft/lines/lane_lines.h"
#include "fft/lines/lane_rows.h"
#include "fft/lines/wisdom.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct triad_lines {
  triad_context *context;
  int64_t nx, width, kept, stride, lanes;
  triad_lane_plan own[3]; /* along x, y, z; no stages: the library's */
  triad_real **room;      /* [threads] of lines of our own */
  FFTW(plan) x_backward, x_forward, y_backward, y_forward, z_backward, z_forward;
};

typedef struct scratch {
  triad_cplx *line, *values, *plane, *block;
} scratch;

static int take_scratch(scratch *s, triad_memory *m, const triad_lines_shape *shape)
{
  TRIAD_TRY(TRIAD_ALLOC(m, "planning", shape->n[0], &s->line));
  TRIAD_TRY(TRIAD_ALLOC(m, "planning", shape->n[0], &s->values));
  TRIAD_TRY(TRIAD_ALLOC(m, "planning", shape->n[1] * shape->stride, &s->plane));
  return TRIAD_ALLOC(m, "planning", shape->n[2] * shape->lanes, &s->block);
}

static void give_scratch(scratch *s, triad_memory *m)
{
  TRIAD_FREE(m, &s->line);
  TRIAD_FREE(m, &s->values);
  TRIAD_FREE(m, &s->plane);
  TRIAD_FREE(m, &s->block);
}

/* `count` lines of n complex points, neighbours in memory, points `stride` apart; in place. */
static FFTW(plan) lines_plan(int64_t n, int64_t count, int64_t stride, triad_cplx *data, int sign, unsigned flags)
{
  FFTW(iodim64) dim = {.n = (ptrdiff_t)n, .is = (ptrdiff_t)stride, .os = (ptrdiff_t)stride};
  FFTW(iodim64) batch = {.n = (ptrdiff_t)count, .is = 1, .os = 1};
  FFTW(complex) *p = (FFTW(complex) *)data;
  return FFTW(plan_guru64_dft)(1, &dim, 1, &batch, p, p, sign, flags);
}

typedef struct planner {
  triad_lines *lines;
  const triad_lines_shape *shape;
  scratch s;
} planner;

static int make_plans(void *self, unsigned flags)
{
  planner *p = self;
  triad_lines *l = p->lines;
  const triad_lines_shape *shape = p->shape;
  const scratch *s = &p->s;
  FFTW(iodim64) x = {.n = (ptrdiff_t)shape->n[0], .is = 1, .os = 1};
  FFTW(complex) *line = (FFTW(complex) *)s->line, *values = (FFTW(complex) *)s->values;
  unsigned x_flags = flags | FFTW_DESTROY_INPUT;
  const int x_own = l->own[0].n_stages > 0, y_own = l->own[1].n_stages > 0, z_own = l->own[2].n_stages > 0;
  if (!x_own) {
    triad_wisdom_put(&l->x_backward, FFTW(plan_guru64_dft)(1, &x, 0, NULL, line, values, FFTW_BACKWARD, x_flags));
    triad_wisdom_put(&l->x_forward, FFTW(plan_guru64_dft)(1, &x, 0, NULL, values, line, FFTW_FORWARD, x_flags));
  }
  if (!y_own) {
    const int64_t n = shape->n[1], width = shape->width, stride = shape->stride;
    triad_wisdom_put(&l->y_backward, lines_plan(n, width, stride, s->plane, FFTW_BACKWARD, flags));
    triad_wisdom_put(&l->y_forward, lines_plan(n, width, stride, s->plane, FFTW_FORWARD, flags));
  }
  if (!z_own) {
    const int64_t n = shape->n[2], lanes = shape->lanes;
    triad_wisdom_put(&l->z_backward, lines_plan(n, lanes, lanes, s->block, FFTW_BACKWARD, flags));
    triad_wisdom_put(&l->z_forward, lines_plan(n, lanes, lanes, s->block, FFTW_FORWARD, flags));
  }
  if ((!x_own && (!l->x_backward || !l->x_forward)) || (!y_own && (!l->y_backward || !l->y_forward)) ||
      (!z_own && (!l->z_backward || !l->z_forward)))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "FFTW has no plan for a grid of %lld x %lld x %lld", (long long)shape->n[0],
                      (long long)shape->n[1], (long long)shape->n[2]);
  return TRIAD_OK;
}

/* Lengths that lines of our own serve, and what these work in. Which they are follows from n, the build and the
 * planning alone, unless the caller chooses: where plans are measured, the library's are as fast on registers of 256
 * bits, and along x in single precision. */
static int take_own(triad_lines *l, const triad_lines_shape *shape, triad_planning planning)
{
  triad_memory *m = l->context->memory;
  const int always = planning == TRIAD_PLAN_ESTIMATED || shape->choice == TRIAD_LINES_OWN,
            wide = triad_lane_lines_wide(), never = shape->choice == TRIAD_LINES_LIBRARY;
  const int strided = !never && (always || wide),
            along_x = !never && (always || (wide && sizeof(triad_real) == sizeof(double)));
  int64_t longest = 0;
  for (int i = 0; i < 3; i++) {
    int lanes = 1;
    if (!(i == 0 ? along_x : strided)) continue;
    if (!(i == 0 ? triad_lane_rows_find(&l->own[i], shape->n[i], &lanes)
                 : triad_lane_lines_find(&l->own[i], shape->n[i])))
      continue;
    TRIAD_TRY(triad_lane_plan_create(&l->own[i], m, lanes));
    if (shape->n[i] > longest) longest = shape->n[i];
  }
  TRIAD_TRY(TRIAD_ALLOC(m, "lines", l->context->threads, &l->room));
  for (int t = 0; t < l->context->threads; t++)
    TRIAD_TRY(TRIAD_ALLOC(m, "lines", triad_lane_room(longest), &l->room[t]));
  return TRIAD_OK;
}

int triad_lines_own_serve(int axis, int64_t n)
{
  triad_lane_plan plan = {0};
  int lanes = 1;
  return n == 1 || (axis == 0 ? triad_lane_rows_find(&plan, n, &lanes) : triad_lane_lines_find(&plan, n));
}

int triad_lines_are_own(const triad_lines *l, int axis) { return l->own[axis].n_stages > 0; }

int triad_lines_create(triad_lines **out, triad_context *context, const triad_lines_shape *shape,
                       triad_planning planning, const char *wisdom)
{
  *out = NULL;
  const triad_comm *comm = &context->comm;
  triad_lines *l = calloc(1, sizeof *l);
  planner p = {.lines = l, .shape = shape};
  int st = l ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "line plans");
  if (l) {
    l->context = context;
    l->nx = shape->n[0];
    l->width = shape->width;
    l->kept = shape->kept;
    l->stride = shape->stride;
    l->lanes = shape->lanes;
    st = take_own(l, shape, planning);
    if (st == TRIAD_OK) st = take_scratch(&p.s, context->memory, shape);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st =
      triad_wisdom_plan(comm, planning == TRIAD_PLAN_MEASURED ? FFTW_PATIENT : FFTW_ESTIMATE, wisdom, make_plans, &p);
  give_scratch(&p.s, context->memory);
  if (st != TRIAD_OK) triad_lines_destroy(&l);
  *out = l;
  return st;
}

void triad_lines_destroy(triad_lines **lines)
{
  if (!lines || !*lines) return;
  triad_lines *l = *lines;
  FFTW(plan) plans[] = {l->x_backward, l->x_forward, l->y_backward, l->y_forward, l->z_backward, l->z_forward};
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
    if (plans[i]) FFTW(destroy_plan)(plans[i]);
  for (int i = 0; i < 3; i++) triad_lane_plan_destroy(&l->own[i], l->context->memory);
  for (int t = 0; l->room && t < l->context->threads; t++) TRIAD_FREE(l->context->memory, &l->room[t]);
  TRIAD_FREE(l->context->memory, &l->room);
  free(l);
  *lines = NULL;
}

/* The spectra of two real rows -> that of the complex one. Modes that are their own mirror are real. */
static void join(int64_t n, int64_t kept, const triad_cplx *a, const triad_cplx *b, triad_cplx *z)
{
  int64_t nyquist = 2 * (kept - 1) == n, mirrored = nyquist ? kept - 1 : kept; /* k = 1 .. mirrored - 1 has a mirror */
  z[0] = (triad_cplx){a[0].re, b[0].re};
  for (int64_t k = 1; k < mirrored; k++) z[k] = (triad_cplx){a[k].re - b[k].im, a[k].im + b[k].re};
  if (nyquist) z[mirrored] = (triad_cplx){a[mirrored].re, b[mirrored].re};
  if (n + 1 > 2 * kept) memset(z + kept, 0, (size_t)(n + 1 - 2 * kept) * sizeof *z);
  for (int64_t k = 1; k < mirrored; k++) z[n - k] = (triad_cplx){a[k].re + b[k].im, b[k].re - a[k].im};
}

static void part(int64_t n, int64_t kept, const triad_cplx *z, triad_cplx *a, triad_cplx *b)
{
  const triad_real half = (triad_real)0.5;
  a[0] = (triad_cplx){z[0].re, 0};
  b[0] = (triad_cplx){z[0].im, 0};
  for (int64_t k = 1; k < kept; k++) {
    triad_cplx p = z[k], q = z[n - k];
    a[k] = (triad_cplx){half * (p.re + q.re), half * (p.im - q.im)};
    b[k] = (triad_cplx){half * (p.im + q.im), half * (q.re - p.re)};
  }
}

void triad_lines_x_backward(const triad_lines *l, const triad_cplx *a, const triad_cplx *b, triad_cplx *line,
                            triad_real *values)
{
  if (l->own[0].n_stages > 0) {
    triad_lane_rows_backward(&l->own[0], l->kept, a, b, l->room[omp_get_thread_num()], values);
    return;
  }
  join(l->nx, l->kept, a, b, line);
  FFTW(execute_dft)(l->x_backward, (FFTW(complex) *)line, (FFTW(complex) *)values);
}

void triad_lines_x_forward(const triad_lines *l, triad_real *values, triad_cplx *line, triad_cplx *a, triad_cplx *b)
{
  if (l->own[0].n_stages > 0) triad_lane_rows_forward(&l->own[0], l->kept, values, l->room[omp_get_thread_num()], a, b);
  else {
    FFTW(execute_dft)(l->x_forward, (FFTW(complex) *)values, (FFTW(complex) *)line);
    part(l->nx, l->kept, line, a, b);
  }
  for (int64_t k = l->kept; k < l->width; k++) a[k] = b[k] = (triad_cplx){0, 0};
}

/* Along y or z (axis 1, 2), in place. */
static void in_place(const triad_lines *l, int axis, int backward, FFTW(plan) plan, triad_cplx *data)
{
  FFTW(complex) *p = (FFTW(complex) *)data;
  const int64_t count = axis == 1 ? l->width : l->lanes, stride = axis == 1 ? l->stride : l->lanes;
  if (l->own[axis].n_stages > 0)
    triad_lane_lines(&l->own[axis], data, count, stride, backward, l->room[omp_get_thread_num()]);
  else FFTW(execute_dft)(plan, p, p);
}

void triad_lines_y_backward(const triad_lines *l, triad_cplx *plane) { in_place(l, 1, 1, l->y_backward, plane); }
void triad_lines_y_forward(const triad_lines *l, triad_cplx *plane) { in_place(l, 1, 0, l->y_forward, plane); }
void triad_lines_z_backward(const triad_lines *l, triad_cplx *block) { in_place(l, 2, 1, l->z_backward, block); }
void triad_lines_z_forward(const triad_lines *l, triad_cplx *block) { in_place(l, 2, 0, l->z_forward, block); }
