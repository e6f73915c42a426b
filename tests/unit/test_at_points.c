/* Values and derivatives of a field at any points, by sums and on a grid, against the sum over all wavenumbers written out
 * in long double.   ranks: 1 */
#include "test.h"

#include "fft/at_points.h"

#include <complex.h>

enum { POINTS = 40 };

typedef struct setup {
  triad_layout *layout;
  double *modes, x[3 * POINTS];
} setup;

static double noise(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992. - 0.5;
}

static void make(setup *s, const int64_t n[3], const double length[3], triad_truncation truncation)
{
  triad_grid grid;
  uint64_t state = 7;
  TRIAD_CHECK(triad_grid_init(&grid, n, length, truncation));
  TRIAD_CHECK(triad_layout_create(&s->layout, &grid, 0, 1, 1));
  const triad_layout *l = s->layout;
  s->modes = calloc((size_t)(2 * l->all_columns * l->nkz), sizeof *s->modes);
  for (int64_t c = 0; c < l->all_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double *u = s->modes + 2 * (c * l->nkz + j);
      if (!triad_grid_keeps(&grid, l->kx[c], l->ky[c], l->kz[j]) || (l->self[c] && l->kz[j] < 0)) continue;
      u[0] = noise(&state);
      u[1] = l->self[c] && l->kz[j] == 0 ? 0 : noise(&state);
      if (!l->self[c] || l->kz[j] == 0) continue;
      double *v = s->modes + 2 * (c * l->nkz + triad_layout_kz_number(l, -l->kz[j]));
      v[0] = u[0];
      v[1] = -u[1];
    }
  for (int i = 0; i < 3 * POINTS; i++) s->x[i] = 5 * length[i % 3] * noise(&state);
  for (int i = 0; i < 3; i++) {
    s->x[i] = 0;
    s->x[3 + i] = length[i];
    s->x[6 + i] = -1e-17;
    s->x[9 + i] = nextafter(length[i], 0);
  }
}

/* Numbers of a point, as u = Re sum weight u(k) exp(i k.x); scale[m]: the sum of the absolute values. */
static void by_definition(const setup *s, const double *x, long double *out, long double *scale)
{
  const triad_layout *l = s->layout;
  static const int axes[TRIAD_AT_MOST][2] = {{3, 3}, {0, 3}, {1, 3}, {2, 3}, {0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int m = 0; m < TRIAD_AT_MOST; m++) out[m] = scale[m] = 0;
  for (int64_t c = 0; c < l->all_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const double *u = s->modes + 2 * (c * l->nkz + j);
      const long double tau = 2 * 3.14159265358979323846264338327950288L;
      long double k[4] = {tau * l->kx[c] / l->grid.length[0], tau * l->ky[c] / l->grid.length[1],
                          tau * l->kz[j] / l->grid.length[2], 0};
      long double complex wave = l->weight[c] * (u[0] + 1.0iL * u[1]) * cexpl(1.0iL * (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]));
      for (int m = 0; m < TRIAD_AT_MOST; m++) {
        long double complex by = (m ? 1.0iL * k[axes[m][0]] : 1) * (m > 3 ? 1.0iL * k[axes[m][1]] : 1);
        out[m] += creall(by * wave);
        scale[m] += cabsl(by * wave);
      }
    }
}

static void compare(const int64_t n[3], triad_truncation truncation, triad_at_way way, int order)
{
  setup s;
  double values[POINTS * TRIAD_AT_MOST];
  triad_at_points *at = NULL;
  make(&s, n, (double[]){6.283185307179586, 1.5, 9}, truncation);
  TRIAD_CHECK(triad_at_points_create(&at, s.layout, POINTS, s.x, order, way, 2));
  TRIAD_EQUAL(triad_at_points_gridded(at), way == TRIAD_AT_GRID, "the way");
  /* a second field finds nothing of the first */
  for (int i = 0; i < 2; i++) triad_at_points_run(at, s.modes, values);
  for (int p = 0; p < POINTS; p++) {
    long double want[TRIAD_AT_MOST], scale[TRIAD_AT_MOST];
    by_definition(&s, s.x + 3 * p, want, scale);
    for (int m = 0; m < triad_at_numbers(order); m++) {
      double got = values[p * triad_at_numbers(order) + m];
      /* the bound of at_points.h along three axes, relative to the sum of amplitudes, with rounding of phases */
      double most = 3e-14;
      TRIAD_HOLDS(fabsl(got - want[m]) <= most * scale[m], "way %d, point %d, number %d: %.17g, not %.17Lg: %.2Lg of %.3Lg",
                  (int)way, p, m, got, want[m], fabsl(got - want[m]) / scale[m], scale[m]);
    }
  }
  triad_at_points_destroy(&at);
  triad_layout_destroy(&s.layout);
  free(s.modes);
}

TRIAD_TEST(values_and_derivatives_are_the_sums_over_all_wavenumbers)
{
  for (int order = 0; order <= 2; order++)
    for (int way = TRIAD_AT_SUMS; way <= TRIAD_AT_GRID; way++) {
      compare((int64_t[]){16, 12, 20}, TRIAD_SPHERE, (triad_at_way)way, order);
      compare((int64_t[]){24, 9, 15}, TRIAD_BOX, (triad_at_way)way, order);
      compare((int64_t[]){32, 1, 8}, TRIAD_SPHERE, (triad_at_way)way, order);
    }
}

TRIAD_TEST(few_points_are_summed_and_many_go_to_a_grid)
{
  triad_grid grid;
  triad_layout *l = NULL;
  triad_at_points *at = NULL;
  double *x = calloc(3 * 20000, sizeof *x);
  TRIAD_CHECK(triad_grid_init(&grid, (int64_t[]){32, 32, 32}, (double[]){1, 1, 1}, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&l, &grid, 0, 1, 1));
  for (int64_t n = 1; n <= 20000; n += 19999) {
    TRIAD_CHECK(triad_at_points_create(&at, l, n, x, 1, TRIAD_AT_CHEAPEST, 1));
    TRIAD_EQUAL(triad_at_points_gridded(at), n > 1, "the way");
    triad_at_points_destroy(&at);
  }
  triad_layout_destroy(&l);
  free(x);
}

TRIAD_MAIN
