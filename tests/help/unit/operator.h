/* The right-hand side alone, N(u) of every field, for tests of what it keeps; and direct sums over triads to compare it
 * with, which know nothing of transforms. */
#ifndef TRIAD_TESTS_UNIT_OPERATOR_H
#define TRIAD_TESTS_UNIT_OPERATOR_H

#include "flow.h"

#include "fft/pass/transform.h"

typedef struct test_operator {
  triad_flow *flow;
  triad_cplx *n[TRIAD_MAX_FIELDS]; /* in the layout's storage */
} test_operator;

static inline void test_operator_put(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_flow *flow = ((const test_operator *)self)->flow;
  if (flow->equations->source) {
    flow->equations->source(flow->self, 0, block, (const triad_cplx *const *)flow->u, in);
    return;
  }
  for (int f = 0; f < flow->shape.pass[0].n_in; f++) triad_batch_put(block, flow->u[f], in[f]);
}

static inline void test_operator_visit(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                                       double *peaks)
{
  const triad_flow *flow = ((const test_operator *)self)->flow;
  flow->equations->points(flow->self, 0, at, in, out, peaks);
}

static inline void test_operator_keep(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const test_operator *r = self;
  const triad_layout *l = block->layout;
  const triad_cplx *t[TRIAD_MAX_RESULTS], *u[TRIAD_MAX_FIELDS];
  triad_lane_row n[TRIAD_MAX_FIELDS];
  int fields = r->flow->shape.n_fields;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    for (int p = 0; p < triad_shape_left(&r->flow->shape, 0); p++) t[p] = triad_batch_row(block, out[p], j);
    for (int f = 0; f < fields; f++) u[f] = r->flow->u[f] + at;
    r->flow->equations->rates(r->flow->self, block, j, u, t, n);
    for (int f = 0; f < fields; f++)
      for (int i = 0; i < TRIAD_LANES; i++) {
        int kept = test_kept(l, block->block * TRIAD_LANES + i, j);
        r->n[f][at + i] = kept ? n[f][i] : (triad_cplx){0, 0};
      }
  }
}

/* N of all fields of equations of one pass. Collective. */
static inline test_operator test_operator_apply(triad_flow *flow)
{
  test_operator r = {.flow = flow};
  assert_int_equal(flow->shape.n_passes, 1);
  for (int f = 0; f < flow->shape.n_fields; f++) {
    r.n[f] = calloc((size_t)flow->layout->modes + 1, sizeof *r.n[f]);
    assert_non_null(r.n[f]);
  }
  const triad_work work = {.n_in = flow->shape.pass[0].n_in,
                           .n_out = flow->shape.pass[0].n_out,
                           .chains = flow->shape.pass[0].chains,
                           .source = test_operator_put,
                           .points = test_operator_visit,
                           .sink = test_operator_keep,
                           .self = &r};
  TRIAD_CHECK(triad_pass_run(flow->pass, &work));
  return r;
}

static inline void test_operator_free(test_operator *r)
{
  for (int f = 0; f < r->flow->shape.n_fields; f++) free(r->n[f]);
}

/* ---- vectors of one mode ---- */

typedef struct test_vec {
  double re[3], im[3];
} test_vec;

static inline test_vec test_vec_at(triad_cplx *const *u, int64_t at)
{
  test_vec v;
  for (int i = 0; i < 3; i++) v.re[i] = (double)u[i][at].re, v.im[i] = (double)u[i][at].im;
  return v;
}

/* i k x v */
static inline test_vec test_curl(const double k[3], test_vec v)
{
  test_vec w;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    w.re[i] = -(k[j] * v.im[l] - k[l] * v.im[j]);
    w.im[i] = k[j] * v.re[l] - k[l] * v.re[j];
  }
  return w;
}

static inline double test_dot(test_vec a, test_vec b) /* Re conj(a).b */
{
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  return sum;
}

/* ---- sums over triads ---- */

/* Both halves of the spectrum of all fields of a flow that this rank holds alone: [field][mode]. */
typedef struct test_cube {
  int64_t k[3], modes;
  double (*v[TRIAD_MAX_FIELDS])[2];
} test_cube;

static inline int64_t test_cube_place(const test_cube *c, int64_t x, int64_t y, int64_t z)
{
  if (llabs(x) > c->k[0] || llabs(y) > c->k[1] || llabs(z) > c->k[2]) return -1;
  return ((z + c->k[2]) * (2 * c->k[1] + 1) + y + c->k[1]) * (2 * c->k[0] + 1) + x + c->k[0];
}

static inline test_cube test_cube_make(const triad_flow *alone)
{
  const triad_layout *l = alone->layout;
  test_cube c = {.k = {l->grid.kmax[0], l->grid.kmax[1], l->grid.kmax[2]}};
  c.modes = (2 * c.k[0] + 1) * (2 * c.k[1] + 1) * (2 * c.k[2] + 1);
  for (int f = 0; f < alone->shape.n_fields; f++) {
    c.v[f] = calloc((size_t)c.modes, sizeof *c.v[f]);
    assert_non_null(c.v[f]);
    for (int64_t i = 0; i < l->n_columns; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, i, j)) continue;
        triad_cplx u = alone->u[f][triad_layout_place(l, i, j)];
        double *here = c.v[f][test_cube_place(&c, l->kx[i], l->ky[i], l->kz[j])];
        double *there = c.v[f][test_cube_place(&c, -l->kx[i], -l->ky[i], -l->kz[j])];
        there[0] = (double)u.re, there[1] = -(double)u.im;
        here[0] = (double)u.re, here[1] = (double)u.im;
      }
  }
  return c;
}

static inline void test_cube_free(test_cube *c)
{
  for (int f = 0; f < TRIAD_MAX_FIELDS; f++) free(c->v[f]);
}

/* Visit all p + q = k: s[0], s[1] += re, im of a(p) b(q), for `count` pairs of fields. */
static inline void test_cube_convolve(const test_cube *c, const int64_t k[3], int count, const int pair[][2],
                                      double s[][2])
{
  for (int i = 0; i < count; i++) s[i][0] = s[i][1] = 0;
  for (int64_t z = -c->k[2]; z <= c->k[2]; z++)
    for (int64_t y = -c->k[1]; y <= c->k[1]; y++)
      for (int64_t x = -c->k[0]; x <= c->k[0]; x++) {
        int64_t p = test_cube_place(c, x, y, z), q = test_cube_place(c, k[0] - x, k[1] - y, k[2] - z);
        for (int i = 0; q >= 0 && i < count; i++) {
          const double *a = c->v[pair[i][0]][p], *b = c->v[pair[i][1]][q];
          s[i][0] += a[0] * b[0] - a[1] * b[1];
          s[i][1] += a[0] * b[1] + a[1] * b[0];
        }
      }
}

/* ||N - want|| / ||want|| of all fields, where want(k, w, out[field][2]) gives what it should be. */
static inline double test_operator_error(
  const test_operator *r, void (*want)(void *who, const int64_t k[3], const double w[3], double out[][2]), void *who)
{
  const triad_layout *l = r->flow->layout;
  double error = 0, size = 0, out[TRIAD_MAX_FIELDS][2] = {{0}};
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!test_kept(l, c, j)) continue;
      const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      const double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
      want(who, k, w, out);
      for (int f = 0; f < r->flow->shape.n_fields; f++) {
        triad_cplx n = r->n[f][triad_layout_place(l, c, j)];
        double dr = (double)n.re - out[f][0], di = (double)n.im - out[f][1];
        error += l->weight[c] * (dr * dr + di * di);
        size += l->weight[c] * (out[f][0] * out[f][0] + out[f][1] * out[f][1]);
      }
    }
  return sqrt(test_total(error) / test_total(size));
}

/* s <- s - w (w.s)/w^2, and 0 for w = 0. */
static inline void test_project(const double w[3], double s[][2])
{
  double w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int part = 0; part < 2; part++) {
    double along = 0;
    for (int i = 0; i < 3; i++) along += w[i] * s[i][part];
    for (int i = 0; i < 3; i++) s[i][part] = w2 > 0 ? s[i][part] - w[i] * along / w2 : 0;
  }
}

/* ---- the energy budget of a step ---- */

/* E(4 h) - E(0) + integral of (dissipation - injection) over four steps of length h, relative to E, by Boole's rule,
 * whose error is of order h^7. */
static inline double test_budget_error(triad_context *context, const char *text, const char *const *sets, double h)
{
  static const double weight[5] = {7, 32, 12, 32, 7};
  test_flow f = test_flow_make(context, text, sets);
  double c[TRIAD_MAX_COLUMNS], loss = 0, first = 0;
  for (int i = 0; i < 5; i++) {
    if (i > 0) test_advance(f.flow, h, 1);
    TRIAD_CHECK(triad_budget_measure(f.flow, c));
    if (i == 0) first = c[0];
    loss += weight[i] * 2 * h / 45 * (c[2] - c[3]); /* dissipation, injection */
  }
  test_flow_free(&f);
  return fabs(c[0] - first + loss) / first;
}

#endif
