/* The distributed transform equals plain sums over all points and all modes, and keeps what any Fourier transform
 * keeps. ranks: 1 2 3 4 6   threads: 1 2   precision: both quick: 1 */
#include "transform.h"

#include "fft/pass/transform.h"

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

TRIAD_MAIN
