/* Gross-Pitaevskii: exact solutions, on any ranks and in a flat box.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "gpe.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/start/modes.h"
#include "grid/shells.h"
#include "solvers/spectral/equations/gpe.h"

/* psi_k = re_k + i im_k where this rank holds the mode or its conjugate: 1; else 0. */
static int psi_at(const triad_flow *flow, const int64_t k[3], double *re, double *im)
{
  const int64_t minus[3] = {-k[0], -k[1], -k[2]};
  int64_t at = triad_modes_place(flow->layout, k), sign = 1;
  if (at < 0) at = triad_modes_place(flow->layout, minus), sign = -1;
  if (at < 0) return 0;
  triad_cplx a = flow->u[RE][at], b = flow->u[IM][at];
  *re = (double)a.re - (double)sign * (double)b.im;
  *im = (double)sign * (double)a.im + (double)b.re;
  return 1;
}

/* Error of A exp(i (k x - omega t)), omega = alpha k^2 + beta |A|^2 - mu. */
static double wave_error(const char *scheme, double dt, int steps)
{
  const char *const sets[] = {scheme, NULL};
  test_flow f = test_flow_make(test_together(), WAVE, sets);
  const int64_t k[3] = {-2, 1, 2};
  triad_gpe_constants q = triad_gpe_from_case(f.given);
  double k2 = 0, a = 0.6 * sqrt(0.7), b = -1.1 * sqrt(0.7), re, im, error = 0;
  for (int i = 0; i < 3; i++) k2 += pow(triad_grid_size_wavenumber(&f.flow->grid, i, k[i]), 2);
  test_advance(f.flow, dt, steps);
  double angle = (q.alpha * k2 + q.beta * (a * a + b * b) - q.mu) * f.flow->at.t;
  if (psi_at(f.flow, k, &re, &im))
    error = hypot(re - (a * cos(angle) + b * sin(angle)), im - (b * cos(angle) - a * sin(angle)));
  test_flow_free(&f);
  return test_largest(error);
}

TRIAD_TEST(plane_wave_turns_at_its_exact_frequency)
{
  TRIAD_WITHIN(wave_error("time.scheme=\"split2\"", 0.02, 100), 0, 1000 * eps, "error of split2, exact here");
  TRIAD_WITHIN(wave_error("time.scheme=\"rk4\"", 0.005, 100), 0, fmax(1e-8, 1000 * eps), "error of rk4");
  if (sizeof(triad_real) == 4) return; /* rounding hides the slopes */
  const char *const scheme[] = {"time.scheme=\"rk2\"", "time.scheme=\"rk3\"", "time.scheme=\"rk4\""};
  for (int order = 2; order <= 4; order++) {
    double slope = log2(wave_error(scheme[order - 2], 0.04, 25) / wave_error(scheme[order - 2], 0.02, 50));
    TRIAD_WITHIN(slope, order, 0.15, "order of the scheme");
  }
}

/* omega^2 = c^2 k^2 (1 + xi^2 k^2/2) (Bogoliubov 1947, J. Phys. (USSR) 11, 23). A wave that starts as a change of
 * density only goes as cos omega t, so that cos omega t = (r(0) + r(2t))/(2 r(t)) gives omega unbiased. */
TRIAD_TEST(sound_has_bogoliubov_frequency)
{
  if (sizeof(triad_real) == 4) TRIAD_SKIP("the wave is lost in single precision");
  const int64_t k[3][3] = {{1, 0, 0}, {1, 1, 0}, {2, -1, 1}};
  for (int w = 0; w < 3; w++) {
    char waves[160];
    (void)snprintf(waves, sizeof waves, "initial.waves=[%d, %d, %d, 1e-5, 0.0, %d, %d, %d, 1e-5, 0.0]", (int)k[w][0],
                   (int)k[w][1], (int)k[w][2], -(int)k[w][0], -(int)k[w][1], -(int)k[w][2]);
    const char *const sets[] = {"initial.background=1.0", waves, NULL};
    test_flow f = test_flow_make(test_together(), WAVE, sets);
    triad_gpe_constants q = triad_gpe_from_case(f.given);
    double k2 = 0, r[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) k2 += pow(triad_grid_size_wavenumber(&f.flow->grid, i, k[w][i]), 2);
    double omega = q.sound_speed * sqrt(k2 * (1 + q.healing_length * q.healing_length * k2 / 2));
    int steps = 400;
    double dt = (4 * pi + 1) / omega / steps;
    for (int i = 0; i < 3; i++) {
      int64_t at = triad_modes_place(f.flow->layout, k[w]);
      if (at < 0) at = triad_modes_place(f.flow->layout, (const int64_t[3]){-k[w][0], -k[w][1], -k[w][2]});
      r[i] = test_total(at < 0 ? 0 : (double)f.flow->u[RE][at].re);
      if (i < 2) test_advance(f.flow, dt, steps);
    }
    /* cos is 2 pi m + 1 away from its first turn */
    double measured = (4 * pi + acos((r[0] + r[2]) / (2 * r[1]))) / (dt * steps);
    TRIAD_NEAR(measured, omega, 1e-6, "frequency");
    test_flow_free(&f);
  }
}

#define SOLITON \
  CASE("[384, 1, 1]", "[40.0, 1.0, 1.0]", "sphere", "sound_speed = 1.0\nhealing_length = 0.8", "kind = \"uniform\"", \
       "rk4")

/* sqrt(rho0) (i v/c + s tanh(s (x - x0 - v t)/(sqrt 2 xi))), s^2 = 1 - v^2/c^2, on a uniform flow of wavenumber q that
 * makes up for its jump of phase, and carries it at 2 alpha q more (Tsuzuki 1971, J. Low Temp. Phys. 4, 441). */
static void soliton(const triad_flow *flow, double v, double t, triad_cplx *const *to)
{
  const triad_grid *g = &flow->grid;
  const triad_layout *l = flow->layout;
  triad_gpe_constants c = triad_gpe_from_case(flow->given);
  double length = g->length[0], s = sqrt(1 - v * v), q = (pi - 2 * asin(v)) / length, speed = v + 2 * c.alpha * q;
  triad_real *re = calloc((size_t)(l->n_planes * g->n[0]) + 1, sizeof *re);
  triad_real *im = calloc((size_t)(l->n_planes * g->n[0]) + 1, sizeof *im);
  for (int64_t i = 0; i < l->n_planes * g->n[0]; i++) {
    double x0 = 0.3 * length, y = remainder((double)i * triad_grid_spacing(g, 0) - x0 - speed * t, length);
    double a = s * tanh(s * y / (sqrt(2) * c.healing_length)), angle = q * (y + x0 + speed * t) - c.alpha * q * q * t;
    re[i] = (triad_real)(a * cos(angle) - v * sin(angle));
    im[i] = (triad_real)(a * sin(angle) + v * cos(angle));
  }
  const triad_real *from[2] = {re, im};
  TRIAD_CHECK(triad_forward(flow->pass, l, 2, from, to));
  free(re);
  free(im);
}

TRIAD_TEST(dark_soliton_travels_unchanged)
{
  const double speed[3] = {0, 0.4, -0.7};
  const char *const schemes[] = {"time.scheme=\"rk4\"", "time.scheme=\"split2\""};
  const int steps[] = {800, 1600}, order[] = {4, 2};
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++) {
      const char *const sets[] = {schemes[s], NULL};
      test_flow f = test_flow_make(test_together(), SOLITON, sets);
      test_flow exact = test_flow_make(test_together(), SOLITON, sets);
      soliton(f.flow, speed[i], 0, f.flow->u);
      test_advance(f.flow, 8. / steps[s], steps[s]);
      soliton(exact.flow, speed[i], f.flow->at.t, exact.flow->u);
      /* rounding: a few times eps in each step, at worst of one sign */
      TRIAD_WITHIN(test_distance(f.flow, exact.flow, 1), 0, pow(8. / steps[s], order[s]) + 4 * steps[s] * eps,
                   "distance after t = 8");
      test_flow_free(&f);
      test_flow_free(&exact);
    }
}

TRIAD_TEST(answer_is_the_same_on_any_rank_count)
{
  const char *const ways[][3] = {{"time.scheme=\"rk4\"", NULL},
                                 {"time.scheme=\"split2\"", NULL},
                                 {"time.scheme=\"rk3\"", "equations.imaginary_time=true", NULL}};
  triad_context *self = test_alone();
  for (int t = 0; t < CASES; t++)
    for (int w = 0; w < 3; w++) {
      test_flow f = test_flow_make(test_together(), cases[t], ways[w]), alone = test_flow_make(self, cases[t], ways[w]);
      double a[TRIAD_MAX_COLUMNS], b[TRIAD_MAX_COLUMNS];
      test_advance(f.flow, 1e-3, 5);
      test_advance(alone.flow, 1e-3, 5);
      TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, "modes");
      measure(f.flow, a);
      measure(alone.flow, b);
      for (int c = 0; c < f.flow->shape.n_columns; c++) TRIAD_NEAR(a[c], b[c], 0, f.flow->shape.columns[c].name);
      test_flow_free(&f);
      test_flow_free(&alone);
    }
  triad_context_destroy(&self);
}

/* 64 x 32 x 16 points in 4 pi x 2 pi x pi hold the flow of 64^3 in (4 pi)^3 that has its periods. */
TRIAD_TEST(flat_box_gives_the_modes_of_the_cube)
{
#define BOX(grid, length, waves) \
  CASE(grid, length, "sphere", "sound_speed = 1.0\nhealing_length = 0.7", "kind = \"plane-waves\"\nwaves = " waves, \
       "rk4")
  test_flow cube = test_flow_make(
    test_together(), BOX("[64, 64, 64]", "[\"4pi\", \"4pi\", \"4pi\"]", "[1, 2, 0, 3e-3, 0.0, 0, -2, 4, 2e-3, -1e-3]"),
    NULL);
  test_flow flat = test_flow_make(
    test_together(), BOX("[64, 32, 16]", "[\"4pi\", \"2pi\", \"pi\"]", "[1, 1, 0, 3e-3, 0.0, 0, -1, 1, 2e-3, -1e-3]"),
    NULL);
  test_advance(cube.flow, 0.02, 10);
  test_advance(flat.flow, 0.02, 10);
  double worst = 0, most = 0;
  for (int64_t kx = -4; kx <= 4; kx++)
    for (int64_t ky = -2; ky <= 2; ky++)
      for (int64_t kz = -2; kz <= 2; kz++) {
        const int64_t in_flat[3] = {kx, ky, kz}, in_cube[3] = {kx, 2 * ky, 4 * kz};
        double a[2] = {0, 0}, b[2] = {0, 0};
        (void)psi_at(flat.flow, in_flat, &a[0], &a[1]);
        (void)psi_at(cube.flow, in_cube, &b[0], &b[1]);
        /* both k and -k may be found on ranks of their own, but each on one */
        for (int i = 0; i < 2; i++) {
          double all_a = test_total(a[i]), all_b = test_total(b[i]);
          worst = fmax(worst, fabs(all_a - all_b));
          most = fmax(most, fabs(all_b));
        }
      }
  TRIAD_WITHIN(worst, 0, fmax(1e-12, 50 * eps), "largest difference of a mode");
  TRIAD_HOLDS(most > 0.5, "modes were compared: %g", most);
  test_flow_free(&cube);
  test_flow_free(&flat);
}

TRIAD_MAIN
