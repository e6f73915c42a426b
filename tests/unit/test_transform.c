/* The distributed transform and the one pass: they equal plain sums over all points and all modes.
 * ranks: 1 2 3 4 6   threads: 1 2   precision: both */
#include "flow.h"

#include "fft/transform.h"
#include "transpose/exchange.h"
#include "transpose/remap.h"

/* Odd, even, prime and unit sizes, fewer planes and fewer columns than ranks. */
static const int64_t shapes[][3] = {{12, 10, 9}, {15, 7, 8}, {5, 1, 6}, {1, 6, 7}, {6, 7, 1}, {11, 13, 5}, {12, 10, 2},
                                    {4, 4, 4},   {2, 2, 2},  {1, 1, 9}, {9, 1, 1}, {1, 1, 1}};
static const triad_truncation truncations[] = {TRIAD_SPHERE, TRIAD_BOX, TRIAD_NONE};
enum { SHAPES = sizeof shapes / sizeof *shapes, TRUNCATIONS = 3 };

static const double two_pi = 6.283185307179586476925286766559;

/* What a transform of n points may be off by, relative to the norm of its input: eps log2 n times a small constant,
 * for any order of butterflies (Higham 2002, Accuracy and Stability of Numerical Algorithms, theorem 24.2: 4 eps log2 n
 * with good twiddles); one more power of two for each of the three axes and for the scaling. */
static double round_off(const triad_grid *g)
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

static plan plan_split(triad_context *context, const triad_grid *grid, int in, int out, int nstreams, int group)
{
  const triad_pass_options options = {.nstreams = nstreams, .planning = TRIAD_PLAN_ESTIMATED, .by_messages = nstreams == 5};
  plan p = {.context = context, .grid = *grid};
  TRIAD_CHECK(triad_layout_create_split(&p.layout, &p.grid, context->comm.rank, context->comm.size, group, TRIAD_LANES));
  TRIAD_CHECK(triad_layout_create(&p.whole, &p.grid, 0, 1, 1));
  TRIAD_CHECK(triad_pass_create(&p.pass, context, p.layout, in, out, &options));
  (void)snprintf(p.name, sizeof p.name, "%dx%dx%d, truncation %d%s", (int)grid->n[0], (int)grid->n[1], (int)grid->n[2],
                 (int)grid->truncation, grid->shifted ? ", shifted" : "");
  return p;
}

static plan plan_on(triad_context *context, const triad_grid *grid, int in, int out, int nstreams)
{
  return plan_split(context, grid, in, out, nstreams, 1);
}

static plan plan_make(triad_context *context, const int64_t n[3], triad_truncation truncation, int in, int out,
                      int nstreams)
{
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, truncation));
  return plan_on(context, &grid, in, out, nstreams);
}

/* With the largest sphere of modes for phase shifts. */
static plan plan_shifted(triad_context *context, const int64_t n[3], int in, int out)
{
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_SPHERE));
  TRIAD_CHECK(triad_grid_set_sphere(&grid, 0, 1));
  return plan_on(context, &grid, in, out, 0);
}

static void plan_free(plan *p)
{
  triad_pass_destroy(&p->pass);
  triad_layout_destroy(&p->layout);
  triad_layout_destroy(&p->whole);
}

static triad_real *planes_make(const plan *p)
{
  triad_real *u = calloc((size_t)triad_layout_points(p->layout) + 1, sizeof *u);
  assert_non_null(u);
  return u;
}

static triad_cplx *modes_make(const plan *p)
{
  triad_cplx *u = aligned_alloc(64, ((size_t)p->layout->modes * sizeof *u / 64 + 1) * 64);
  assert_non_null(u);
  memset(u, 0xff, (size_t)p->layout->modes * sizeof *u); /* NaN: whatever is not written shows */
  return u;
}

static int64_t point_number(const triad_grid *g, int64_t x, int64_t y, int64_t z)
{
  return (z * g->n[1] + y) * g->n[0] + x;
}

/* Value of random field f at a point, periodic. */
static triad_real point_value(const triad_grid *g, int f, int64_t x, int64_t y, int64_t z)
{
  return (triad_real)triad_test_random((uint64_t)f, (uint64_t)point_number(g, x % g->n[0], y % g->n[1], z % g->n[2]));
}

/* Random field f, shifted by (sx, sy, sz) points, on this rank's planes. */
static void fill_planes(const plan *p, int f, const int64_t shift[3], triad_real *u)
{
  const triad_grid *g = &p->grid;
  int64_t first = p->layout->plane_begin[p->layout->rank];
  for (int64_t z = 0; z < p->layout->n_planes; z++)
    for (int64_t y = 0; y < g->n[1]; y++)
      for (int64_t x = 0; x < g->n[0]; x++)
        u[point_number(g, x, y, z)] = point_value(g, f, x + shift[0], y + shift[1], z + first + shift[2]);
}
static const int64_t no_shift[3] = {0, 0, 0};

/* exp(2 pi i k x / n), exact for every integer product however large. */
static void unit_root(int64_t k, int64_t x, int64_t n, long double *c, long double *s)
{
  const long double pi2 = 6.283185307179586476925286766559005768L;
  int64_t m = (k % n * (x % n) % n + n) % n;
  *c = cosl(pi2 * (long double)m / (long double)n);
  *s = sinl(pi2 * (long double)m / (long double)n);
}

typedef struct wide {
  long double re, im;
} wide;

static wide wide_times(wide a, wide b) { return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/* roots[axis][k mod n][x]: the plain sums are made of these alone. */
static wide *roots_make(const triad_grid *g, int axis)
{
  int64_t n = g->n[axis];
  wide *r = calloc((size_t)(n * n), sizeof *r);
  assert_non_null(r);
  for (int64_t k = 0; k < n; k++)
    for (int64_t x = 0; x < n; x++) unit_root(k, x, n, &r[k * n + x].re, &r[k * n + x].im);
  return r;
}

static int64_t modulo(int64_t k, int64_t n) { return (k % n + n) % n; }

/* Random modes of a real field, in `lay` (of any rank): hermitian where a column is its own conjugate. */
static void fill_modes(const triad_layout *l, int f, triad_cplx *u)
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
static void for_all_shapes(shape_test *test, int in, int out)
{
  for (int s = 0; s < SHAPES; s++)
    for (int t = 0; t < TRUNCATIONS; t++) {
      plan p = plan_make(test_together(), shapes[s], truncations[t], in, out, 0);
      test(&p);
      plan_free(&p);
    }
}

/* Padding of the storage and modes outside the truncation are exactly zero. */
static void check_zeros(const plan *p, const triad_cplx *uk)
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

/* ---- against plain sums ---- */

static void check_forward(plan *p)
{
  const triad_grid *g = &p->grid;
  const triad_layout *l = p->layout;
  triad_real *u = planes_make(p);
  triad_cplx *uk = modes_make(p);
  fill_planes(p, 0, no_shift, u);
  const triad_real *from[1] = {u};
  TRIAD_CHECK(triad_forward(p->pass, l, 1, from, &uk));
  check_zeros(p, uk);

  wide *roots[3] = {roots_make(g, 0), roots_make(g, 1), roots_make(g, 2)};
  long double error = 0, size = 0;
  for (int64_t i = 0; i < triad_grid_points(g); i++) {
    long double v = point_value(g, 0, i, 0, 0);
    size += v * v / (long double)triad_grid_points(g);
  }
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!test_kept(l, c, j)) continue;
      const wide *rx = roots[0] + modulo(l->kx[c], g->n[0]) * g->n[0];
      const wide *ry = roots[1] + modulo(l->ky[c], g->n[1]) * g->n[1];
      const wide *rz = roots[2] + modulo(l->kz[j], g->n[2]) * g->n[2];
      wide sum = {0, 0};
      for (int64_t z = 0; z < g->n[2]; z++)
        for (int64_t y = 0; y < g->n[1]; y++) {
          wide row = {0, 0}, yz = wide_times(ry[y], rz[z]);
          for (int64_t x = 0; x < g->n[0]; x++) {
            long double v = point_value(g, 0, x, y, z);
            row.re += v * rx[x].re;
            row.im += v * rx[x].im;
          }
          row = wide_times(row, yz);
          sum.re += row.re / (long double)triad_grid_points(g);
          sum.im -= row.im / (long double)triad_grid_points(g); /* exp(-i k x) */
        }
      triad_cplx got = uk[triad_layout_place(l, c, j)];
      long double dr = got.re - sum.re, di = got.im - sum.im;
      error += (long double)l->weight[c] * (dr * dr + di * di);
    }
  TRIAD_WITHIN(sqrtl(error / size), 0, round_off(g), p->name);
  for (int i = 0; i < 3; i++) free(roots[i]);
  free(u);
  free(uk);
}

TRIAD_TEST(forward_equals_the_plain_sum) { for_all_shapes(check_forward, 1, 1); }

static void check_backward(plan *p)
{
  const triad_grid *g = &p->grid;
  const triad_layout *l = p->layout, *w = p->whole;
  triad_real *u = planes_make(p);
  triad_cplx *uk = modes_make(p), *all = calloc((size_t)w->modes + 1, sizeof *all);
  assert_non_null(all);
  fill_modes(l, 0, uk);
  fill_modes(w, 0, all);
  const triad_cplx *from[1] = {uk};
  TRIAD_CHECK(triad_backward(p->pass, l, 1, from, &u));

  /* u(x) = sum over held columns of weight Re sum_kz u_k exp(i k x): a column of weight 2 stands for its conjugate */
  wide *roots[3] = {roots_make(g, 0), roots_make(g, 1), roots_make(g, 2)};
  double error = 0, size = 0;
  for (int64_t c = 0; c < w->n_columns; c++)
    for (int64_t j = 0; j < w->nkz; j++) {
      triad_cplx v = all[triad_layout_place(w, c, j)];
      size += w->weight[c] * ((double)v.re * (double)v.re + (double)v.im * (double)v.im);
    }
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < g->n[1]; y++)
      for (int64_t x = 0; x < g->n[0]; x++) {
        long double sum = 0;
        int64_t zz = z + l->plane_begin[l->rank];
        for (int64_t c = 0; c < w->n_columns; c++) {
          wide column = {0, 0}, xy = wide_times(roots[0][modulo(w->kx[c], g->n[0]) * g->n[0] + x],
                                                roots[1][modulo(w->ky[c], g->n[1]) * g->n[1] + y]);
          for (int64_t j = 0; j < w->nkz; j++) {
            triad_cplx v = all[triad_layout_place(w, c, j)];
            wide term = wide_times((wide){v.re, v.im}, roots[2][modulo(w->kz[j], g->n[2]) * g->n[2] + zz]);
            column.re += term.re;
            column.im += term.im;
          }
          sum += (long double)w->weight[c] * wide_times(column, xy).re;
        }
        double d = (double)(u[point_number(g, x, y, z)] - sum);
        error += d * d / (double)triad_grid_points(g);
      }
  TRIAD_WITHIN(sqrt(test_total(error) / size), 0, round_off(g), p->name);
  for (int i = 0; i < 3; i++) free(roots[i]);
  free(u);
  free(uk);
  free(all);
}

TRIAD_TEST(backward_equals_the_plain_sum) { for_all_shapes(check_backward, 1, 1); }

/* ---- properties ---- */

/* sqrt(sum weight |a - b|^2) over all ranks; b may be NULL. */
static double modes_norm(const plan *p, const triad_cplx *a, const triad_cplx *b)
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

static double planes_norm(const plan *p, const triad_real *u)
{
  double sum = 0;
  for (int64_t i = 0; i < p->layout->n_planes * p->grid.n[1] * p->grid.n[0]; i++) sum += (double)u[i] * (double)u[i];
  return sqrt(test_total(sum) / (double)triad_grid_points(&p->grid));
}

static void check_linear(plan *p)
{
  const triad_real a = (triad_real)0.75, b = (triad_real)-1.5;
  triad_real *u[3] = {planes_make(p), planes_make(p), planes_make(p)};
  triad_cplx *uk[3] = {modes_make(p), modes_make(p), modes_make(p)};
  fill_planes(p, 0, no_shift, u[0]);
  fill_planes(p, 1, no_shift, u[1]);
  for (int64_t i = 0; i < p->layout->n_planes * p->grid.n[1] * p->grid.n[0]; i++) u[2][i] = a * u[0][i] + b * u[1][i];
  const triad_real *from[3] = {u[0], u[1], u[2]};
  TRIAD_CHECK(triad_forward(p->pass, p->layout, 3, from, uk));
  for (int64_t m = 0; m < p->layout->modes; m++)
    uk[0][m] = (triad_cplx){a * uk[0][m].re + b * uk[1][m].re, a * uk[0][m].im + b * uk[1][m].im};
  double size = planes_norm(p, u[0]) + 2 * planes_norm(p, u[1]);
  TRIAD_WITHIN(modes_norm(p, uk[2], uk[0]), 0, 2 * round_off(&p->grid) * size, p->name);
  for (int f = 0; f < 3; f++) free(u[f]), free(uk[f]);
}

TRIAD_TEST(transform_is_linear) { for_all_shapes(check_linear, 0, 3); }

static void check_shift(plan *p)
{
  const int64_t shift[3] = {3, 2, 1};
  const triad_layout *l = p->layout;
  triad_real *u[2] = {planes_make(p), planes_make(p)};
  triad_cplx *uk[2] = {modes_make(p), modes_make(p)};
  fill_planes(p, 0, no_shift, u[0]);
  fill_planes(p, 0, shift, u[1]);
  const triad_real *from[2] = {u[0], u[1]};
  TRIAD_CHECK(triad_forward(p->pass, l, 2, from, uk));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      wide phase = {1, 0};
      const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      for (int i = 0; i < 3; i++) {
        wide r;
        unit_root(k[i], shift[i], p->grid.n[i], &r.re, &r.im);
        phase = wide_times(phase, r);
      }
      triad_cplx *v = &uk[0][triad_layout_place(l, c, j)];
      wide turned = wide_times((wide){v->re, v->im}, phase);
      *v = (triad_cplx){(triad_real)turned.re, (triad_real)turned.im};
    }
  TRIAD_WITHIN(modes_norm(p, uk[1], uk[0]), 0, 2 * round_off(&p->grid) * planes_norm(p, u[0]), p->name);
  for (int f = 0; f < 2; f++) free(u[f]), free(uk[f]);
}

TRIAD_TEST(shift_in_space_multiplies_modes_by_a_phase) { for_all_shapes(check_shift, 0, 2); }

static void check_parseval(plan *p)
{
  triad_real *u[2] = {planes_make(p), planes_make(p)};
  triad_cplx *uk[2] = {modes_make(p), modes_make(p)};
  fill_modes(p->layout, 0, uk[0]);
  fill_modes(p->layout, 1, uk[1]);
  const triad_cplx *from[2] = {uk[0], uk[1]};
  TRIAD_CHECK(triad_backward(p->pass, p->layout, 2, from, u));
  for (int f = 0; f < 2; f++)
    TRIAD_NEAR(planes_norm(p, u[f]), modes_norm(p, uk[f], NULL), round_off(&p->grid), p->name);
  for (int f = 0; f < 2; f++) free(u[f]), free(uk[f]);
}

TRIAD_TEST(parseval_holds) { for_all_shapes(check_parseval, 2, 0); }

static void check_round_trip(plan *p)
{
  enum { N = 3 };
  triad_real *u[N];
  triad_cplx *uk[N], *back[N];
  const triad_cplx *from[N];
  const triad_real *values[N];
  for (int f = 0; f < N; f++) {
    values[f] = u[f] = planes_make(p);
    from[f] = uk[f] = modes_make(p);
    back[f] = modes_make(p);
    fill_modes(p->layout, f, uk[f]);
  }
  TRIAD_CHECK(triad_backward(p->pass, p->layout, N, from, u));
  TRIAD_CHECK(triad_forward(p->pass, p->layout, N, values, back));
  for (int f = 0; f < N; f++) {
    TRIAD_WITHIN(modes_norm(p, back[f], uk[f]), 0, 2 * round_off(&p->grid) * modes_norm(p, uk[f], NULL), p->name);
    check_zeros(p, back[f]);
    free(u[f]), free(uk[f]), free(back[f]);
  }
}

TRIAD_TEST(forward_undoes_backward) { for_all_shapes(check_round_trip, 3, 3); }

/* A column that is its own conjugate holds both of each pair: they are conjugate to the bit, and no run can drift. */
static void check_conjugate(plan *p)
{
  const triad_layout *l = p->layout;
  triad_real *u = planes_make(p);
  triad_cplx *uk = modes_make(p);
  fill_planes(p, 0, no_shift, u);
  const triad_real *from[1] = {u};
  TRIAD_CHECK(triad_forward(p->pass, l, 1, from, &uk));
  double worst = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz && l->self[c]; j++) {
      int64_t nyquist = 2 * l->kz[j] == p->grid.n[2], mirror = j == 0 || nyquist ? j : l->nkz - j;
      triad_cplx a = uk[triad_layout_place(l, c, j)], b = uk[triad_layout_place(l, c, mirror)];
      worst = fmax(worst, fmax(fabs((double)(a.re - b.re)), fabs((double)(a.im + b.im))));
    }
  TRIAD_WITHIN(worst, 0, 0, p->name);
  free(u);
  free(uk);
}

TRIAD_TEST(modes_of_a_real_field_are_conjugate_to_the_bit)
{
  const int64_t larger[][3] = {{8, 9, 49}, {16, 12, 121}, {10, 10, 84}};
  for_all_shapes(check_conjugate, 0, 1);
  for (int s = 0; s < 3; s++)
    for (int t = 0; t < TRUNCATIONS; t++) {
      plan p = plan_make(test_together(), larger[s], truncations[t], 0, 1, 0);
      check_conjugate(&p);
      plan_free(&p);
    }
}

/* Large enough for several blocks of columns, chunks of planes and batches of rows on every rank. */
TRIAD_TEST(round_trip_holds_on_larger_grids)
{
  const int64_t larger[][3] = {{48, 40, 36}, {63, 20, 25}, {20, 98, 11}, {1200, 4, 6}};
  for (int s = 0; s < 4; s++)
    for (int t = 0; t < TRUNCATIONS; t++) {
      plan p = plan_make(test_together(), larger[s], truncations[t], 3, 3, 0);
      check_round_trip(&p);
      check_parseval(&p);
      plan_free(&p);
    }
}

/* ---- who computes it does not matter ---- */

/* A pass with products, on the given context: modes out[0..4] of products of three random fields. */
typedef struct products {
  triad_cplx *in[3], *out[5];
  const triad_layout *layout;
  const double *shift;
  double peak;
  int settled, result, any_order;
} products;

static void put_inputs(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const products *p = self;
  for (int f = 0; f < 3; f++) triad_batch_put(block, p->in[f], in[f]);
}

static void multiply(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
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

static int settle(void *self, const double *peaks)
{
  products *p = self;
  p->peak = peaks[1];
  p->settled++;
  return p->result;
}

static void keep_outputs(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const products *p = self;
  for (int f = 0; f < 5; f++) triad_batch_keep(block, out[f], p->out[f]);
}

static products products_make(const plan *p)
{
  products x = {.layout = p->layout, .result = TRIAD_OK};
  for (int f = 0; f < 3; f++) {
    x.in[f] = modes_make(p);
    fill_modes(p->layout, f, x.in[f]);
  }
  for (int f = 0; f < 5; f++) x.out[f] = modes_make(p);
  return x;
}

static void products_free(products *x)
{
  for (int f = 0; f < 3; f++) free(x->in[f]);
  for (int f = 0; f < 5; f++) free(x->out[f]);
}

static int products_run(const plan *p, products *x)
{
  const triad_work work = {.n_in = 3, .n_out = 5, .source = put_inputs, .points = multiply, .settle = settle,
                           .sink = keep_outputs, .self = x, .any_order = x->any_order, .shift = x->shift};
  return triad_pass_run(p->pass, &work);
}

TRIAD_TEST(pass_is_the_same_bit_for_bit_on_any_ranks_threads_and_streams)
{
  const int64_t grids[][3] = {{30, 24, 20}, {12, 10, 9}, {9, 14, 3}, {4, 4, 40}, {64, 5, 1}};
  const int streams[] = {0, 1, 2, 8, 64};
  triad_context *alone = test_alone();
  for (int g = 0; g < 5; g++) {
    plan one = plan_make(alone, grids[g], TRIAD_SPHERE, 3, 5, 1);
    products want = products_make(&one);
    TRIAD_CHECK(products_run(&one, &want));
    for (int s = 0; s < 5; s++) {
      plan p = plan_make(test_together(), grids[g], TRIAD_SPHERE, 3, 5, streams[s]);
      products got = products_make(&p);
      int64_t differ = 0;
      for (int again = 0; again < 2; again++) { /* nothing is left from a run, and two rows at a time give the same */
        got.any_order = again;
        TRIAD_CHECK(products_run(&p, &got));
      }
      for (int f = 0; f < 5; f++)
        for (int64_t c = 0; c < p.layout->n_columns; c++)
          for (int64_t j = 0; j < p.layout->nkz; j++) {
            int64_t there = test_place_in(one.layout, p.layout, c, j);
            if (test_kept(p.layout, c, j))
              differ += there < 0 || memcmp(&got.out[f][triad_layout_place(p.layout, c, j)], &want.out[f][there],
                                            sizeof(triad_cplx)) != 0;
          }
      TRIAD_HOLDS(differ == 0, "%s, %d streams: %lld modes differ", p.name, streams[s], (long long)differ);
      TRIAD_NEAR(test_largest(got.peak), want.peak, 0, "largest value over all points");
      products_free(&got);
      plan_free(&p);
    }
    products_free(&want);
    plan_free(&one);
  }
  triad_context_destroy(&alone);
}

/* ---- nor does it matter whether ranks share planes ---- */

typedef void split_test(const plan *one, const plan *split);

/* Every grid, of every truncation and with shifts, alone and in groups of every size that divides the ranks. */
static void for_all_splits(split_test *test)
{
  static const int64_t more[][3] = {{30, 24, 20}, {15, 21, 9}, {64, 12, 3}};
  triad_context *alone = test_alone();
  for (int s = 0; s < SHAPES + 3; s++)
    for (int t = 0; t <= TRUNCATIONS; t++) {
      triad_grid grid;
      TRIAD_CHECK(triad_grid_init(&grid, s < SHAPES ? shapes[s] : more[s - SHAPES], lengths, truncations[t % TRUNCATIONS]));
      if (t == TRUNCATIONS) TRIAD_CHECK(triad_grid_set_sphere(&grid, 0, 1));
      plan one = plan_on(alone, &grid, 3, 5, 1);
      for (int group = 2; group <= triad_test_comm()->size; group++) {
        if (triad_test_comm()->size % group != 0) continue;
        for (int streams = 0; streams < 6; streams += 5) { /* in shared memory; by messages */
          plan p = plan_split(test_together(), &grid, 3, 5, streams, group);
          test(&one, &p);
          plan_free(&p);
        }
      }
      plan_free(&one);
    }
  triad_context_destroy(&alone);
}

static int64_t modes_differ(const plan *one, const triad_cplx *want, const plan *p, const triad_cplx *got)
{
  const triad_layout *l = p->layout;
  int64_t differ = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t there = test_place_in(one->layout, l, c, j);
      if (test_kept(l, c, j)) differ += there < 0 || memcmp(&got[triad_layout_place(l, c, j)], &want[there], sizeof *got) != 0;
    }
  return differ;
}

static void check_split_products(const plan *one, const plan *p)
{
  products want = products_make(one), got = products_make(p);
  TRIAD_CHECK(products_run(one, &want));
  for (int again = 0; again < 2; again++) {
    int64_t differ = 0;
    got.any_order = again;
    TRIAD_CHECK(products_run(p, &got));
    for (int f = 0; f < 5; f++) differ += modes_differ(one, want.out[f], p, got.out[f]);
    TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld modes differ", p->name, p->layout->group, (long long)differ);
  }
  TRIAD_NEAR(test_largest(got.peak), want.peak, 0, "largest value over all points");
  products_free(&want);
  products_free(&got);
}

TRIAD_TEST(pass_is_the_same_bit_for_bit_where_ranks_share_planes) { for_all_splits(check_split_products); }

/* Slots of messages are used again. */
TRIAD_TEST(ranks_that_share_planes_may_have_more_chunks_than_are_in_flight)
{
  triad_context *alone = test_alone();
  triad_grid grid;
  int64_t most = 0;
  const int64_t n[3] = {192, 128, 8 * triad_test_comm()->size};
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_NONE));
  plan one = plan_on(alone, &grid, 3, 5, 1);
  for (int group = 1; group <= triad_test_comm()->size; group++) {
    if (triad_test_comm()->size % group != 0) continue;
    plan p = plan_split(test_together(), &grid, 3, 5, 2, group);
    const triad_pass_costs cost = triad_pass_cost(p.pass, 3, 5, 5);
    if (cost.chunks > cost.nstreams) most = cost.chunks;
    check_split_products(&one, &p);
    plan_free(&p);
  }
  TRIAD_HOLDS(triad_test_comm()->size == 1 || most > 2, "%lld chunks", (long long)most);
  plan_free(&one);
  triad_context_destroy(&alone);
}

static void check_split_rows(const plan *one, const plan *p)
{
  const triad_layout *l = p->layout;
  triad_cplx *mine = modes_make(p), *all = modes_make(one);
  triad_real *rows = planes_make(p), *planes = planes_make(one);
  int64_t differ = 0;
  fill_modes(l, 0, mine);
  fill_modes(one->layout, 0, all);
  TRIAD_CHECK(triad_backward(p->pass, l, 1, (const triad_cplx *const[]){mine}, &rows));
  TRIAD_CHECK(triad_backward(one->pass, one->layout, 1, (const triad_cplx *const[]){all}, &planes));
  for (int64_t z = l->first_plane; z < l->first_plane + l->n_planes; z++)
    for (int64_t y = l->first_y; y < l->first_y + l->n_y; y++)
      differ += memcmp(rows + triad_layout_row(l, y, z), planes + triad_layout_row(one->layout, y, z),
                       (size_t)l->grid.n[0] * sizeof *rows) != 0;
  TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld rows differ", p->name, l->group, (long long)differ);
  TRIAD_CHECK(triad_forward(p->pass, l, 1, (const triad_real *const[]){rows}, &mine));
  TRIAD_CHECK(triad_forward(one->pass, one->layout, 1, (const triad_real *const[]){planes}, &all));
  differ = modes_differ(one, all, p, mine);
  TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld modes of points differ", p->name, l->group, (long long)differ);
  free(mine);
  free(all);
  free(rows);
  free(planes);
}

TRIAD_TEST(rows_of_ranks_that_share_planes_are_those_of_the_planes) { for_all_splits(check_split_rows); }

/* From whole planes to groups and back: what each rank holds moves, and no bit changes. */
TRIAD_TEST(modes_move_between_slabs_and_groups)
{
  const int64_t n[3] = {15, 21, 9};
  for (int group = 2; group <= triad_test_comm()->size; group++) {
    if (triad_test_comm()->size % group != 0) continue;
    triad_grid grid;
    TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_SPHERE));
    plan slab = plan_on(test_together(), &grid, 1, 0, 0), split = plan_split(test_together(), &grid, 1, 0, 0, group);
    triad_cplx *a = modes_make(&slab), *b = modes_make(&split), *want = modes_make(&split), *back = modes_make(&slab);
    double dropped = 0;
    fill_modes(slab.layout, 0, a);
    fill_modes(split.layout, 0, want);
    TRIAD_CHECK(triad_remap(triad_test_comm(), slab.layout, &a, split.layout, &b, 1, &dropped));
    TRIAD_EQUAL(memcmp(b, want, (size_t)split.layout->modes * sizeof *b), 0, "modes of slabs in groups");
    TRIAD_NEAR(dropped, 0, 0, "energy dropped");
    TRIAD_CHECK(triad_remap(triad_test_comm(), split.layout, &b, slab.layout, &back, 1, &dropped));
    TRIAD_EQUAL(memcmp(back, a, (size_t)slab.layout->modes * sizeof *a), 0, "and back");
    free(a);
    free(b);
    free(want);
    free(back);
    plan_free(&slab);
    plan_free(&split);
  }
}

/* ---- products are dealiased ---- */

/* Every mode (kx, ky, kz) of a real field, both halves, kept ones only. */
typedef struct cube {
  int64_t k[3]; /* largest wavenumbers */
  wide *v;
} cube;

static wide *cube_at(const cube *c, int64_t kx, int64_t ky, int64_t kz)
{
  return &c->v[((kz + c->k[2]) * (2 * c->k[1] + 1) + ky + c->k[1]) * (2 * c->k[0] + 1) + kx + c->k[0]];
}

static cube cube_make(const triad_layout *whole, int field)
{
  cube c = {.k = {whole->grid.kmax[0], whole->grid.kmax[1], whole->grid.kmax[2]}};
  triad_cplx *u = calloc((size_t)whole->modes + 1, sizeof *u);
  c.v = calloc((size_t)((2 * c.k[0] + 1) * (2 * c.k[1] + 1) * (2 * c.k[2] + 1)), sizeof *c.v);
  assert_true(u && c.v);
  fill_modes(whole, field, u);
  for (int64_t i = 0; i < whole->n_columns; i++)
    for (int64_t j = 0; j < whole->nkz; j++) {
      if (!test_kept(whole, i, j)) continue;
      triad_cplx z = u[triad_layout_place(whole, i, j)];
      *cube_at(&c, whole->kx[i], whole->ky[i], whole->kz[j]) = (wide){z.re, z.im};
      *cube_at(&c, -whole->kx[i], -whole->ky[i], -whole->kz[j]) = (wide){z.re, -z.im};
    }
  free(u);
  return c;
}

/* (a b)_k = sum over p + q = k of a_p b_q. */
static wide convolve(const cube *a, const cube *b, const int64_t k[3])
{
  wide sum = {0, 0};
  for (int64_t z = -a->k[2]; z <= a->k[2]; z++)
    for (int64_t y = -a->k[1]; y <= a->k[1]; y++)
      for (int64_t x = -a->k[0]; x <= a->k[0]; x++) {
        const int64_t q[3] = {k[0] - x, k[1] - y, k[2] - z};
        if (llabs(q[0]) > b->k[0] || llabs(q[1]) > b->k[1] || llabs(q[2]) > b->k[2]) continue;
        wide t = wide_times(*cube_at(a, x, y, z), *cube_at(b, q[0], q[1], q[2]));
        sum.re += t.re;
        sum.im += t.im;
      }
  return sum;
}

/* What a grid that is shifted by s cells makes of it: modes N a away come with exp(2 pi i a.s), a = -1, 0 or 1. */
static wide convolve_on_grid(const cube *a, const cube *b, const int64_t k[3], const triad_grid *g, const double s[3])
{
  wide sum = {0, 0};
  for (int i = 0; i < 27; i++) {
    const int64_t far[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    const int64_t there[3] = {k[0] + far[0] * g->n[0], k[1] + far[1] * g->n[1], k[2] + far[2] * g->n[2]};
    const long double angle = two_pi * ((double)far[0] * s[0] + (double)far[1] * s[1] + (double)far[2] * s[2]);
    wide t = wide_times(convolve(a, b, there), (wide){cosl(angle), sinl(angle)});
    sum.re += t.re;
    sum.im += t.im;
  }
  return sum;
}

/* shift: of the grid; NULL: no aliases are to be seen. */
static void check_products_on(plan *p, const double *shift)
{
  static const int pairs[5][2] = {{0, 0}, {0, 1}, {1, 2}, {2, 0}, {2, 2}};
  const triad_layout *l = p->layout;
  products x = products_make(p);
  x.any_order = 1;
  x.shift = shift;
  TRIAD_CHECK(products_run(p, &x));
  cube field[3] = {cube_make(p->whole, 0), cube_make(p->whole, 1), cube_make(p->whole, 2)};
  double norm[3];
  for (int f = 0; f < 3; f++) norm[f] = modes_norm(p, x.in[f], NULL);
  /* a product is at most the largest value of one factor times the norm of the other; that value is at most sqrt of
   * the number of modes times the norm, and both factors and the product are rounded as any transform is */
  double modes = (double)(2 * p->whole->all_columns * p->whole->nkz);
  for (int f = 0; f < 5; f++) {
    double error = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, c, j)) continue;
        const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
        const cube *a = &field[pairs[f][0]], *b = &field[pairs[f][1]];
        wide want = shift ? convolve_on_grid(a, b, k, &p->grid, shift) : convolve(a, b, k);
        triad_cplx got = x.out[f][triad_layout_place(l, c, j)];
        double re = (double)(got.re - want.re), im = (double)(got.im - want.im);
        error += l->weight[c] * (re * re + im * im);
      }
    TRIAD_WITHIN(sqrt(test_total(error)), 0, round_off(&p->grid) * sqrt(modes) * norm[pairs[f][0]] * norm[pairs[f][1]],
                 p->name);
    check_zeros(p, x.out[f]);
  }
  for (int f = 0; f < 3; f++) free(field[f].v);
  products_free(&x);
}

static void check_products(plan *p)
{
  if (p->grid.truncation != TRIAD_NONE) check_products_on(p, NULL); /* there products alias, as the case reference says */
}

TRIAD_TEST(products_in_the_pass_equal_a_convolution_of_the_kept_modes) { for_all_shapes(check_products, 3, 5); }

TRIAD_TEST(products_on_two_grids_half_a_cell_apart_equal_it_with_nearly_three_times_the_modes)
{
  for (int s = 0; s < SHAPES; s++) {
    plan p = plan_shifted(test_together(), shapes[s], 3, 5);
    if (s == 0) TRIAD_EQUAL(p.grid.kmax[0], 5, "the largest mode of 12 points, sqrt(2)/3 of them");
    check_products_on(&p, NULL);
    plan_free(&p);
  }
}

TRIAD_TEST(aliases_turn_with_the_shift_of_the_grid)
{
  const int64_t grids[][3] = {{6, 5, 7}, {8, 6, 5}, {9, 6, 1}, {12, 1, 1}};
  const double shifts[][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.25, 0, 0.875}, {0.1, 0.7, 0.3}};
  for (int g = 0; g < 4; g++)
    for (int s = 0; s < 4; s++) {
      plan p = plan_shifted(test_together(), grids[g], 3, 5);
      check_products_on(&p, shifts[s]);
      plan_free(&p);
    }
}

/* ---- the pass's promises to its users ---- */

TRIAD_TEST(settle_decides_whether_results_are_taken)
{
  const int64_t n[3] = {12, 10, 9};
  plan p = plan_make(test_together(), n, TRIAD_SPHERE, 3, 5, 0);
  products x = products_make(&p);
  x.result = TRIAD_ERR_BLOWUP;
  TRIAD_EQUAL(products_run(&p, &x), TRIAD_ERR_BLOWUP, "the pass returns what settle returned");
  TRIAD_EQUAL(x.settled, 1, "settle is called once");
  int64_t written = 0;
  for (int f = 0; f < 5; f++)
    for (int64_t m = 0; m < p.layout->modes; m++) written += !isnan((double)x.out[f][m].re);
  TRIAD_EQUAL(written, 0, "results taken although settle refused");
  x.result = TRIAD_OK;
  TRIAD_EQUAL(products_run(&p, &x), TRIAD_OK, "and the next run goes well");
  TRIAD_EQUAL(x.settled, 2, "settle is called once a run");
  products_free(&x);
  plan_free(&p);
}

typedef struct visits {
  unsigned char *seen; /* [z][y] of the whole grid */
  triad_grid grid;
  int wrong;
} visits;

static void visit(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  visits *v = self;
  (void)in, (void)out;
  if (at->n != v->grid.n[0] || at->y < 0 || at->y >= v->grid.n[1] || at->z < 0 || at->z >= v->grid.n[2]) v->wrong = 1;
  else v->seen[at->z * v->grid.n[1] + at->y]++;
  if (at->z == v->grid.n[2] - 1 && at->y == 0) peaks[2] = NAN;
}

static int look_at_peaks(void *self, const double *peaks)
{
  visits *v = self;
  int64_t mine = 0;
  for (int64_t i = 0; i < v->grid.n[1] * v->grid.n[2]; i++) mine += v->seen[i];
  if (!(isinf(peaks[0]) && peaks[0] < 0)) v->wrong = 2; /* nobody touched it */
  int has_last = v->seen[(v->grid.n[2] - 1) * v->grid.n[1]];
  if (has_last ? !isnan(peaks[2]) : !(isinf(peaks[2]) && peaks[2] < 0)) v->wrong = 3;
  return TRIAD_OK;
}

TRIAD_TEST(every_row_of_points_is_visited_once_and_peaks_pass_nan_on)
{
  for (int s = 0; s < SHAPES; s++) {
    plan p = plan_make(test_together(), shapes[s], TRIAD_SPHERE, 1, 0, 2);
    int64_t rows = p.grid.n[1] * p.grid.n[2], missed = 0;
    visits v = {.seen = calloc((size_t)rows, 1), .grid = p.grid};
    int *all = calloc((size_t)rows, sizeof *all);
    assert_true(v.seen && all);
    const triad_work work = {.points = visit, .settle = look_at_peaks, .self = &v};
    TRIAD_CHECK(triad_pass_run(p.pass, &work));
    for (int64_t i = 0; i < rows; i++) all[i] = v.seen[i];
    TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, (int)rows, MPI_INT, MPI_SUM, triad_test_comm()->mpi)));
    for (int64_t i = 0; i < rows; i++) missed += all[i] != 1;
    TRIAD_HOLDS(missed == 0, "%s: %lld rows not visited once", p.name, (long long)missed);
    TRIAD_EQUAL(v.wrong, 0, "what a visit was told");
    free(v.seen);
    free(all);
    plan_free(&p);
  }
}

TRIAD_TEST(phase_times_are_kept_and_add_up)
{
  const int64_t n[3] = {30, 24, 20};
  plan p = plan_make(test_together(), n, TRIAD_SPHERE, 3, 5, 0);
  products x = products_make(&p);
  (void)triad_pass_phases(p.pass);
  double begin = triad_now(), sum = 0;
  for (int i = 0; i < 3; i++) TRIAD_CHECK(products_run(&p, &x));
  double took = triad_now() - begin;
  triad_phases phases = triad_pass_phases(p.pass);
  for (int i = 0; i < TRIAD_PHASES; i++) {
    TRIAD_HOLDS(phases.s[i] >= 0, "phase %d took %g s", i, phases.s[i]);
    sum += phases.s[i];
  }
  TRIAD_HOLDS(phases.s[TRIAD_PHASE_FFT] > 0, "no time in transforms");
  TRIAD_HOLDS(sum <= took * 1.01 + 1e-4, "phases take %g s of %g s", sum, took);
  phases = triad_pass_phases(p.pass);
  for (int i = 0; i < TRIAD_PHASES; i++) TRIAD_WITHIN(phases.s[i], 0, 0, "a phase after it was read");
  products_free(&x);
  plan_free(&p);
}

/* ---- counts beyond 2^31 ---- */

/* 4096^3 on 64 ranks: who owns what, without the memory of a field. */
TRIAD_TEST(index_arithmetic_holds_at_4096_cubed)
{
  const int64_t n[3] = {4096, 4096, 4096};
  const double length[3] = {two_pi, two_pi, two_pi};
  triad_grid g;
  triad_layout *l = NULL;
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_SPHERE));
  TRIAD_EQUAL(triad_grid_points(&g), INT64_C(1) << 36, "points");
  TRIAD_EQUAL(g.kmax[0], 1365, "K");
  if (triad_test_comm()->rank != 0) return; /* one rank's tables are enough */

  /* columns of the sphere: those (kx, ky) with kx^2 + ky^2 <= K^2, one of each pair */
  int64_t disc = 0;
  for (int64_t y = -1365; y <= 1365; y++)
    for (int64_t x = -1365; x <= 1365; x++) disc += x * x + y * y <= 1365 * 1365;
  TRIAD_CHECK(triad_layout_create(&l, &g, 63, 64, TRIAD_LANES));
  TRIAD_EQUAL(l->all_columns, (disc + 1) / 2, "columns of all ranks");
  TRIAD_EQUAL(l->nkz, 2731, "kept kz");
  for (int r = 0; r < 64; r++) {
    TRIAD_EQUAL(l->plane_begin[r + 1] - l->plane_begin[r], 64, "planes of a rank");
    int64_t columns = l->column_begin[r + 1] - l->column_begin[r], even = l->all_columns / 64;
    TRIAD_HOLDS(columns == even || columns == even + 1, "rank %d has %lld columns", r, (long long)columns);
  }
  TRIAD_EQUAL(l->column_begin[64], l->all_columns, "columns dealt");
  TRIAD_EQUAL(l->plane_begin[64], 4096, "planes dealt");
  int64_t padded = (l->n_columns + TRIAD_LANES - 1) / TRIAD_LANES * TRIAD_LANES;
  TRIAD_EQUAL(l->modes, padded * 2731, "modes of a rank");
  /* the work array holds every z of each column for the larger number of fields, and no more than that of own planes
   * plus what others' planes need: at most the larger everywhere */
  int64_t work = triad_exchange_work_size(l, 3, 5);
  TRIAD_HOLDS(work >= padded * 4096 * 5 && work <= (padded + 64) * 4096 * 5, "work array of %lld for %lld columns",
              (long long)work, (long long)padded);
  int64_t buffer = triad_exchange_buffer_size(l, 1, 3, 5, 8);
  TRIAD_HOLDS(buffer > 0 && buffer < work * 64, "buffers of %lld", (long long)buffer);
  triad_layout_destroy(&l);

  /* half of the box truncation on each of two ranks: places, counts and bytes beyond 2^31 and 2^32 */
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_BOX));
  TRIAD_CHECK(triad_layout_create(&l, &g, 1, 2, TRIAD_LANES));
  TRIAD_EQUAL(l->all_columns, (INT64_C(2731) * 2731 + 1) / 2, "columns of the box");
  TRIAD_HOLDS(l->modes > INT64_C(1) << 32, "%lld modes", (long long)l->modes);
  int64_t last = triad_layout_place(l, l->n_columns - 1, l->nkz - 1);
  TRIAD_EQUAL(last, l->modes - l->lanes + (l->n_columns - 1) % l->lanes, "place of the last mode");
  /* places are different for different modes: block, kz and lane can be read back from each */
  for (uint64_t i = 0; i < 1000; i++) {
    int64_t c = triad_test_below(1, i, l->n_columns), j = triad_test_below(2, i, l->nkz);
    int64_t at = triad_layout_place(l, c, j);
    TRIAD_EQUAL(at % l->lanes + at / l->lanes / l->nkz * l->lanes, c, "column of a place");
    TRIAD_EQUAL(at / l->lanes % l->nkz, j, "kz of a place");
    int conjugate = 0;
    TRIAD_EQUAL(triad_layout_find(l, l->kx[c], l->ky[c], &conjugate), l->column_begin[1] + c, "column found again");
    TRIAD_EQUAL(conjugate, 0, "a held column is no conjugate");
  }
  work = triad_exchange_work_size(l, 3, 5);
  TRIAD_HOLDS(work >= l->n_columns * 4096 * 4, "work array of %lld", (long long)work);
  triad_layout_destroy(&l);
}

TRIAD_MAIN
