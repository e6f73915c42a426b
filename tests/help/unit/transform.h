/* Transforms of random fields on grids of every kind: a layout with its pass, fields that any rank can compute
 * alone, and products in the pass. For test_transform.c and test_pass*.c. */
#ifndef TRIAD_TESTS_UNIT_TRANSFORM_H
#define TRIAD_TESTS_UNIT_TRANSFORM_H

#include "flow.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"

/* Odd, even, prime and unit sizes, fewer planes and fewer columns than ranks. */
static const int64_t shapes[][3] = {{12, 10, 9}, {15, 7, 8}, {5, 1, 6}, {1, 6, 7}, {6, 7, 1}, {11, 13, 5},
                                    {12, 10, 2}, {4, 4, 4},  {2, 2, 2}, {1, 1, 9}, {9, 1, 1}, {1, 1, 1}};
static const triad_truncation truncations[] = {TRIAD_SPHERE, TRIAD_BOX, TRIAD_NONE};
enum { SHAPES = sizeof shapes / sizeof *shapes, TRUNCATIONS = 3 };

static const double two_pi = 6.283185307179586476925286766559;

/* What a transform of n points may be off by, relative to the norm of its input: eps log2 n times a small constant,
 * for any order of butterflies (Higham 2002, Accuracy and Stability of Numerical Algorithms, theorem 24.2: 4 eps log2 n
 * with good twiddles); one more power of two for each of the three axes and for the scaling. */
static inline double round_off(const triad_grid *g)
{
  return 4 * (double)TRIAD_EPSILON * (log2((double)triad_grid_points(g)) + 4);
}

typedef struct plan {
  triad_context *context;
  triad_grid grid;
  triad_layout *layout;
  triad_layout *whole; /* every column, as one rank alone would hold them */
  triad_pass *pass;
  char name[80];
} plan;

static const double lengths[3] = {6.283185307179586476925286766559, 3.5, 9.75};

static inline plan plan_split(triad_context *context, const triad_grid *grid, int in, int out, int nstreams, int group)
{
  const triad_pass_options options = {
    .nstreams = nstreams, .planning = TRIAD_PLAN_ESTIMATED, .by_messages = nstreams == 5};
  plan p = {.context = context, .grid = *grid};
  TRIAD_CHECK(
    triad_layout_create_split(&p.layout, &p.grid, context->comm.rank, context->comm.size, group, TRIAD_LANES));
  TRIAD_CHECK(triad_layout_create(&p.whole, &p.grid, 0, 1, 1));
  TRIAD_CHECK(triad_pass_create(&p.pass, context, p.layout, in, out, &options));
  (void)snprintf(p.name, sizeof p.name, "%dx%dx%d, truncation %d%s", (int)grid->n[0], (int)grid->n[1], (int)grid->n[2],
                 (int)grid->truncation, grid->shifted ? ", shifted" : "");
  return p;
}

static inline plan plan_on(triad_context *context, const triad_grid *grid, int in, int out, int nstreams)
{
  return plan_split(context, grid, in, out, nstreams, 1);
}

static inline plan plan_make(triad_context *context, const int64_t n[3], triad_truncation truncation, int in, int out,
                             int nstreams)
{
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, truncation));
  return plan_on(context, &grid, in, out, nstreams);
}

static inline void plan_free(plan *p)
{
  triad_pass_destroy(&p->pass);
  triad_layout_destroy(&p->layout);
  triad_layout_destroy(&p->whole);
}

static inline triad_real *planes_make(const plan *p)
{
  triad_real *u = calloc((size_t)triad_layout_points(p->layout) + 1, sizeof *u);
  assert_non_null(u);
  return u;
}

static inline triad_cplx *modes_make(const plan *p)
{
  triad_cplx *u = aligned_alloc(64, ((size_t)p->layout->modes * sizeof *u / 64 + 1) * 64);
  assert_non_null(u);
  memset(u, 0xff, (size_t)p->layout->modes * sizeof *u); /* NaN: whatever is not written shows */
  return u;
}

typedef struct wide {
  long double re, im;
} wide;

static inline wide wide_times(wide a, wide b) { return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/* Random modes of a real field, in `lay` (of any rank): hermitian where a column is its own conjugate. */
static inline void fill_modes(const triad_layout *l, int f, triad_cplx *u)
{
  memset(u, 0, (size_t)l->modes * sizeof *u);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!test_kept(l, c, j)) continue;
      int64_t mirror = j == 0 ? 0 : l->nkz - j, source = l->self[c] && mirror < j ? mirror : j;
      uint64_t kx = (uint64_t)(l->kx[c] + 512), ky = (uint64_t)(l->ky[c] + 512), kz = (uint64_t)(l->kz[source] + 512);
      uint64_t mode = kx << 20 | ky << 10 | kz;
      double re = triad_test_random((uint64_t)(100 + 2 * f), mode);
      double im = triad_test_random((uint64_t)(101 + 2 * f), mode);
      if (source != j) im = -im;
      if (l->self[c] && mirror == j) im = 0;
      u[triad_layout_place(l, c, j)] = (triad_cplx){(triad_real)re, (triad_real)im};
    }
}

/* Every shape and truncation in turn. */
typedef void shape_test(plan *p);
static inline void for_all_shapes(shape_test *test, int in, int out)
{
  for (int s = 0; s < SHAPES; s++)
    for (int t = 0; t < TRUNCATIONS; t++) {
      plan p = plan_make(test_together(), shapes[s], truncations[t], in, out, 0);
      test(&p);
      plan_free(&p);
    }
}

/* Padding of the storage and modes outside the truncation are exactly zero. */
static inline void check_zeros(const plan *p, const triad_cplx *uk)
{
  const triad_layout *l = p->layout;
  int64_t wrong = 0;
  for (int64_t c = 0; c < l->n_blocks * l->lanes; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      triad_cplx z = uk[triad_layout_place(l, c, j)];
      if (!test_kept(l, c, j) && !(fabs((double)z.re) <= 0 && fabs((double)z.im) <= 0)) wrong++;
    }
  TRIAD_HOLDS(wrong == 0, "%s: %lld dropped modes are not zero", p->name, (long long)wrong);
}

/* sqrt(sum weight |a - b|^2) over all ranks; b may be NULL. */
static inline double modes_norm(const plan *p, const triad_cplx *a, const triad_cplx *b)
{
  const triad_layout *l = p->layout;
  double sum = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      double re = (double)a[at].re - (b ? (double)b[at].re : 0), im = (double)a[at].im - (b ? (double)b[at].im : 0);
      sum += l->weight[c] * (re * re + im * im);
    }
  return sqrt(test_total(sum));
}

/* A pass with products, on the given context: modes out[0..4] of products of three random fields. */
typedef struct products {
  triad_cplx *in[3], *out[5];
  const triad_layout *layout;
  const double *shift;
  double peak;
  int settled, result, any_order;
} products;

static inline void put_inputs(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const products *p = self;
  for (int f = 0; f < 3; f++) triad_batch_put(block, p->in[f], in[f]);
}

static inline void multiply(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                            double *peaks)
{
  (void)self;
  for (int64_t x = 0; x < at->n; x++) {
    triad_real a = in[0][x], b = in[1][x], c = in[2][x];
    out[0][x] = a * a;
    out[1][x] = a * b;
    out[2][x] = b * c;
    out[3][x] = c * a;
    out[4][x] = c * c;
    peaks[1] = fmax(peaks[1], (double)a);
  }
}

static inline int settle(void *self, const double *peaks)
{
  products *p = self;
  p->peak = peaks[1];
  p->settled++;
  return p->result;
}

static inline void keep_outputs(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const products *p = self;
  for (int f = 0; f < 5; f++) triad_batch_keep(block, out[f], p->out[f]);
}

static inline products products_make(const plan *p)
{
  products x = {.layout = p->layout, .result = TRIAD_OK};
  for (int f = 0; f < 3; f++) {
    x.in[f] = modes_make(p);
    fill_modes(p->layout, f, x.in[f]);
  }
  for (int f = 0; f < 5; f++) x.out[f] = modes_make(p);
  return x;
}

static inline void products_free(products *x)
{
  for (int f = 0; f < 3; f++) free(x->in[f]);
  for (int f = 0; f < 5; f++) free(x->out[f]);
}

static inline int products_run(const plan *p, products *x)
{
  const triad_work work = {.n_in = 3,
                           .n_out = 5,
                           .source = put_inputs,
                           .points = multiply,
                           .settle = settle,
                           .sink = keep_outputs,
                           .self = x,
                           .any_order = x->any_order,
                           .shift = x->shift};
  return triad_pass_run(p->pass, &work);
}

#endif
