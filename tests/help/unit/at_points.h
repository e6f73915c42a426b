/* Values and derivatives of a field at points against the sum over all wavenumbers written out in long double. */
#ifndef TRIAD_TESTS_AT_POINTS_H
#define TRIAD_TESTS_AT_POINTS_H

#include "test.h"

#include "fft/at_points/at_points.h"

#include <complex.h>

enum { POINTS = 40 };

typedef struct setup {
  triad_layout *layout;
  double *modes, x[3 * POINTS], other[3 * POINTS];
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
  for (int i = 0; i < 3 * POINTS; i++) {
    s->x[i] = 5 * length[i % 3] * noise(&state);
    s->other[i] = 3 * length[i % 3] * noise(&state);
  }
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
  static const int axes[TRIAD_AT_MAX][2] = {{3, 3}, {0, 3}, {1, 3}, {2, 3}, {0, 0},
                                            {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int m = 0; m < TRIAD_AT_MAX; m++) out[m] = scale[m] = 0;
  for (int64_t c = 0; c < l->all_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const double *u = s->modes + 2 * (c * l->nkz + j);
      const long double tau = 2 * 3.14159265358979323846264338327950288L;
      long double k[4] = {tau * l->kx[c] / l->grid.length[0], tau * l->ky[c] / l->grid.length[1],
                          tau * l->kz[j] / l->grid.length[2], 0};
      long double complex wave =
        l->weight[c] * (u[0] + 1.0iL * u[1]) * cexpl(1.0iL * (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]));
      for (int m = 0; m < TRIAD_AT_MAX; m++) {
        long double complex by = (m ? 1.0iL * k[axes[m][0]] : 1) * (m > 3 ? 1.0iL * k[axes[m][1]] : 1);
        out[m] += creall(by * wave);
        scale[m] += cabsl(by * wave);
      }
    }
}

static void check_values(const setup *s, const double *x, unsigned wanted, const double *values)
{
  for (int p = 0; p < POINTS; p++) {
    long double want[TRIAD_AT_MAX], scale[TRIAD_AT_MAX];
    by_definition(s, x + 3 * p, want, scale);
    for (int m = 0; wanted >> m; m++) {
      const double got = values[m * POINTS + p];
      if (!(wanted >> m & 1)) continue;
      /* the bound of at_points.h along three axes, relative to the sum of amplitudes, with rounding of phases */
      const double most = 3e-14;
      TRIAD_HOLDS(fabsl(got - want[m]) <= most * scale[m], "point %d, number %d: %.17g, not %.17Lg: %.2Lg of %.3Lg", p,
                  m, got, want[m], fabsl(got - want[m]) / scale[m], scale[m]);
    }
  }
}

/* Derivatives to `order`, then the field and its last derivative alone at other points, by the same object. Returns
 * the pieces of its grid. */
static int compare(const int64_t n[3], triad_truncation truncation, const triad_at_options *options, int order)
{
  setup s;
  double values[POINTS * TRIAD_AT_MAX] = {0};
  triad_at_points *at = NULL;
  const int numbers = triad_at_numbers(order);
  const unsigned all = (1u << numbers) - 1, some = 1u | 1u << (numbers - 1);
  make(&s, n, (double[]){6.283185307179586, 1.5, 9}, truncation);
  TRIAD_CHECK(triad_at_points_create(&at, s.layout, POINTS, order, options));
  TRIAD_EQUAL(triad_at_points_about(at)->gridded, options->device || options->way == TRIAD_AT_GRID, "the way");
  TRIAD_CHECK(triad_at_points_place(at, s.x));
  /* a second field finds nothing of the first */
  for (int i = 0; i < 2; i++) TRIAD_CHECK(triad_at_points_run(at, all, s.modes, values));
  check_values(&s, s.x, all, values);
  const double kept = values[POINTS];
  TRIAD_CHECK(triad_at_points_place(at, s.other));
  TRIAD_CHECK(triad_at_points_run(at, some, s.modes, values));
  check_values(&s, s.other, some, values);
  if (numbers > 2)
    TRIAD_HOLDS(values[POINTS] == kept, "a number that was not asked for: %.17g, was %.17g", values[POINTS], kept);
  const int pieces = triad_at_points_about(at)->pieces;
  triad_at_points_destroy(&at);
  triad_layout_destroy(&s.layout);
  free(s.modes);
  return pieces;
}

#endif
