/* Waves: each set's linear waves are exact solutions, whatever their angle and amplitude, and the steppers follow
 * them to their order.   ranks: 1 2 3   threads: 1 2   precision: both   timeout: 200 */
#include "flow.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

#define CASE(solver, equations) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"" solver "\"\n" equations \
  "[grid]\nn = [12, 8, 10]\nlength = [\"2pi\", 5.0, 9.0]\n[initial]\nkind = \"rest\"\n[time]\nend = 1e9\n" \
  "[parallel]\nreproducible = true\n"

/* the wave of the cases below */
static const double wave[3] = {2, -1, 1}, length[3] = {6.283185307179586, 5, 9};
#define WAVE "initial.wave=[2, -1, 1]"

static void wavenumber(double k[3], double *size)
{
  *size = 0;
  for (int i = 0; i < 3; i++) {
    k[i] = two_pi * wave[i] / length[i];
    *size += k[i] * k[i];
  }
  *size = sqrt(*size);
}

/* 2 Omega.k/|k| for Omega = (0.3, -0.5, 0.8); N k_h/|k| for N = 1.3; k.B0 for B0 = (0.9, -0.4, 0.3) */
static double coriolis(void)
{
  double k[3], size;
  wavenumber(k, &size);
  return 2 * (0.3 * k[0] - 0.5 * k[1] + 0.8 * k[2]) / size;
}

static double buoyancy(void)
{
  double k[3], size;
  wavenumber(k, &size);
  return 1.3 * sqrt(k[0] * k[0] + k[1] * k[1]) / size;
}

static double alfven(void)
{
  double k[3], size;
  wavenumber(k, &size);
  return 0.9 * k[0] - 0.4 * k[1] + 0.3 * k[2];
}

static double inertial(void) { return fabs(coriolis()); }
static double inertia_gravity(void) { return hypot(coriolis(), buoyancy()); }
static double alfven_positive(void) { return fabs(alfven()); }
/* omega^2 -+ omega d |k| K - K^2 = 0, K = k.B0: the larger and the smaller root */
static double whistler(void)
{
  double k[3], size;
  wavenumber(k, &size);
  return alfven_positive() * (0.7 * size + sqrt(4 + 0.49 * size * size)) / 2;
}
static double cyclotron(void)
{
  double k[3], size;
  wavenumber(k, &size);
  return alfven_positive() * (-0.7 * size + sqrt(4 + 0.49 * size * size)) / 2;
}

#define ROTATION "rotation = [0.3, -0.5, 0.8]\n"
#define MEAN "mean_field = [0.9, -0.4, 0.3]\n"

static const struct wave_case {
  const char *name, *text, *kind, *more;
  double (*frequency)(void);
} waves[] = {
  {"inertial", CASE("hd", ROTATION), "initial.kind=\"inertial-wave\"", WAVE, inertial},
  {"internal gravity", CASE("boussinesq", "buoyancy_frequency = 1.3\n"), "initial.kind=\"internal-wave\"", WAVE,
   buoyancy},
  {"inertia-gravity", CASE("boussinesq", "buoyancy_frequency = 1.3\n" ROTATION), "initial.kind=\"internal-wave\"", WAVE,
   inertia_gravity},
  {"Alfven", CASE("mhd", MEAN), "initial.kind=\"alfven-wave\"", WAVE, alfven_positive},
  {"whistler", CASE("mhd", MEAN "hall = 0.7\n"), "initial.kind=\"alfven-wave\"", WAVE, whistler},
  {"ion-cyclotron", CASE("mhd", MEAN "hall = 0.7\n"), "initial.kind=\"alfven-wave\"",
   "initial.branch=\"ion-cyclotron\"", cyclotron},
};
enum { WAVES = sizeof waves / sizeof *waves };

/* ||u - turned u0||/||u0||, where u0 is turned by exp(-i omega t) at the wave's own k (its mirror image is not held or
 * turns the other way). */
static double off_by(const triad_flow *flow, const triad_flow *start, double angle, double factor)
{
  const triad_layout *l = flow->layout;
  double error = 0, size = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      for (int f = 0; f < flow->shape.n_fields; f++) {
        int64_t at = triad_layout_place(l, c, j);
        double re = factor * (double)start->u[f][at].re, im = factor * (double)start->u[f][at].im;
        double dr = (double)flow->u[f][at].re - (re * cos(angle) + im * sin(angle));
        double di = (double)flow->u[f][at].im - (im * cos(angle) - re * sin(angle));
        error += l->weight[c] * (dr * dr + di * di);
        size += l->weight[c] * (re * re + im * im);
      }
  return sqrt(test_total(error) / test_total(size));
}

/* Error after some periods, in steps of a part of a period. */
static double wave_error(const struct wave_case *w, const char *amplitude, const char *scheme, const char *direction,
                         double periods, int steps)
{
  const char *sets[] = {w->kind, WAVE, w->more, amplitude, scheme, direction, NULL};
  test_flow f = test_flow_make(test_together(), w->text, sets), start = test_flow_make(test_together(), w->text, sets);
  double sign = strstr(direction, "back") ? -1 : 1, omega = w->frequency();
  test_advance(f.flow, periods * two_pi / omega / steps, steps);
  TRIAD_HOLDS(test_column(start.flow, 0) > 1e-9, "%s: no wave", w->name);
  double error = off_by(f.flow, start.flow, sign * two_pi * periods, 1);
  test_flow_free(&f);
  test_flow_free(&start);
  return error;
}

/* Ten periods: on the imaginary axis a scheme of order p errs by 20 pi (omega dt)^p/(p + 1)! to leading order. The
 * steps are long, so the amplitude is small; the slow ion-cyclotron wave would have them too long for the fast
 * waves. */
TRIAD_TEST(waves_have_their_frequency_and_errors_fall_with_the_order_of_the_scheme)
{
  static const struct {
    const char *set;
    double order, factorial;
  } schemes[] = {{"time.scheme=\"rk4\"", 4, 120}, {"time.scheme=\"rk3\"", 3, 24}, {"time.scheme=\"rk2\"", 2, 6}};
  for (int i = 0; i < WAVES - 1; i++)
    for (int s = 0; s < (i == 2 || i == 4 ? 3 : 1); s++) {
      const char *direction = i % 2 ? "initial.direction=\"backward\"" : "initial.direction=\"forward\"";
      int steps = s == 0 ? 240 : 480;
      double coarse = wave_error(&waves[i], "initial.amplitude=1e-3", schemes[s].set, direction, 10, steps);
      double fine = wave_error(&waves[i], "initial.amplitude=1e-3", schemes[s].set, direction, 10, 2 * steps);
      double want = 10 * two_pi * pow(10 * two_pi / steps, schemes[s].order) / schemes[s].factorial;
      TRIAD_HOLDS(fabs(coarse / want - 1) < 0.1, "%s, %s: error %g, theory %g", waves[i].name, schemes[s].set, coarse,
                  want);
      TRIAD_WITHIN(log2(coarse / fine), schemes[s].order, eps < 1e-10 ? 0.1 : 0.3, waves[i].name);
    }
}

/* A quarter of a period tells the direction of the phase, which whole ones do not. The amplitude is large: each wave by
 * itself solves the nonlinear equations. */
TRIAD_TEST(phases_move_along_the_wavenumber_or_against_it_as_asked)
{
  for (int i = 0; i < WAVES; i++) {
    TRIAD_WITHIN(
      wave_error(&waves[i], "initial.amplitude=0.8", "time.scheme=\"rk4\"", "initial.direction=\"forward\"", 0.25, 40),
      0, 1e-6 + 100 * eps, waves[i].name);
    TRIAD_WITHIN(
      wave_error(&waves[i], "initial.amplitude=0.8", "time.scheme=\"rk4\"", "initial.direction=\"backward\"", 0.25, 40),
      0, 1e-6 + 100 * eps, waves[i].name);
  }
}

TRIAD_TEST(waves_along_the_axes_have_their_frequency)
{
  static const struct {
    const char *text, *kind, *wave;
    double omega;
  } all[] = {
    {CASE("hd", "rotation = [0.0, 0.0, -0.5]\n"), "initial.kind=\"inertial-wave\"", "initial.wave=[0, 0, 1]", 1},
    {CASE("hd", "rotation = [0.0, 0.5, 0.0]\n"), "initial.kind=\"inertial-wave\"", "initial.wave=[0, 2, 0]", 1},
    {CASE("boussinesq", "buoyancy_frequency = 2.0\n"), "initial.kind=\"internal-wave\"", "initial.wave=[1, 0, 0]", 2},
    {CASE("boussinesq", "rotation = [0.0, 0.0, 0.5]\n"), "initial.kind=\"internal-wave\"", "initial.wave=[0, 0, -1]",
     1},
    {CASE("mhd", "mean_field = [0.0, 0.0, 2.0]\n"), "initial.kind=\"alfven-wave\"", "initial.wave=[0, 0, 2]",
     2 * 2 * 6.283185307179586 / 9},
    {CASE("mhd", "mean_field = [2.0, 0.0, 0.0]\n"), "initial.kind=\"alfven-wave\"", "initial.wave=[-1, 1, 0]", 2},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *sets[] = {all[i].kind, all[i].wave, "time.scheme=\"rk4\"", NULL};
    test_flow f = test_flow_make(test_together(), all[i].text, sets),
              start = test_flow_make(test_together(), all[i].text, sets);
    test_advance(f.flow, two_pi / 120 / all[i].omega, 120);
    TRIAD_WITHIN(off_by(f.flow, start.flow, two_pi, 1), 0, 1e-6 + 1000 * eps, all[i].wave);
    test_flow_free(&f);
    test_flow_free(&start);
  }
}

/* With one diffusivity for all fields a wave decays as it turns, exactly: the decay is integrated. */
TRIAD_TEST(waves_decay_at_their_own_rate)
{
  static const char *const damp[][2] = {{"equations.viscosity=0.03", NULL},
                                        {"equations.viscosity=0.03", "equations.diffusivity=0.03"},
                                        {"equations.viscosity=0.03", "equations.resistivity=0.03"}};
  static const int which[] = {0, 2, 3};
  double k[3], size;
  wavenumber(k, &size);
  for (int i = 0; i < 3; i++) {
    const struct wave_case *w = &waves[which[i]];
    const char *sets[] = {w->kind, WAVE, "time.scheme=\"rk4\"", damp[i][0], damp[i][1], NULL};
    test_flow f = test_flow_make(test_together(), w->text, sets),
              start = test_flow_make(test_together(), w->text, sets);
    double t = 0.8 * two_pi / w->frequency();
    test_advance(f.flow, t / 80, 80);
    TRIAD_WITHIN(off_by(f.flow, start.flow, 0.8 * two_pi, exp(-0.03 * size * size * t)), 0, 1e-6 + 200 * eps, w->name);
    test_flow_free(&f);
    test_flow_free(&start);
  }
}

/* In unstable stratification the wave grows (or, backward, decays) as exp(+-sqrt(N^2 k_h^2/k^2 - F^2) t). */
TRIAD_TEST(unstable_stratification_makes_waves_grow)
{
  const char *text =
    CASE("boussinesq", "buoyancy_frequency = 1.3\nstratification = \"unstable\"\nrotation = [0.1, 0.0, 0.2]\n");
  double k[3], size;
  wavenumber(k, &size);
  double f0 = 2 * (0.1 * k[0] + 0.2 * k[2]) / size, rate = sqrt(buoyancy() * buoyancy() - f0 * f0);
  for (int sign = -1; sign <= 1; sign += 2) {
    const char *sets[] = {"initial.kind=\"internal-wave\"", WAVE, "time.scheme=\"rk4\"",
                          sign > 0 ? "initial.direction=\"forward\"" : "initial.direction=\"backward\"", NULL};
    test_flow f = test_flow_make(test_together(), text, sets), start = test_flow_make(test_together(), text, sets);
    test_advance(f.flow, 1 / rate / 100, 100);
    TRIAD_WITHIN(off_by(f.flow, start.flow, 0, exp(sign)), 0, 1e-7 + 300 * eps, "growth by e");
    test_flow_free(&f);
    test_flow_free(&start);
  }
}

/* u = b or u = -b: every mode moves with the mean field or against it and none meets another, at any amplitude. */
TRIAD_TEST(a_random_field_with_u_equal_to_b_is_an_alfven_wave)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    const char *sets[] = {"initial.kind=\"random\"",
                          sign > 0 ? "initial.cross_helicity=1.0" : "initial.cross_helicity=-1.0",
                          "initial.energy=2.0",
                          "initial.magnetic_energy=2.0",
                          "initial.spectrum=\"power-law\"",
                          "initial.k_range=[1.0, 6.0]",
                          "time.scheme=\"rk4\"",
                          "equations.viscosity=0.01",
                          "equations.resistivity=0.01",
                          NULL};
    test_flow f = test_flow_make(test_together(), waves[3].text, sets),
              start = test_flow_make(test_together(), waves[3].text, sets);
    const triad_layout *l = f.flow->layout;
    double t = 1.0, error = 0, all = 0;
    test_advance(f.flow, t / 200, 200);
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++)
        for (int i = 0; i < 6; i++) {
          int64_t at = triad_layout_place(l, c, j);
          double k2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j], fade = exp(-0.01 * k2 * t);
          double angle = sign * (0.9 * l->wx[c] - 0.4 * l->wy[c] + 0.3 * l->wz[j]) * t; /* d(u+-b)/dt = +-B0.grad */
          double re = fade * (double)start.flow->u[i][at].re, im = fade * (double)start.flow->u[i][at].im;
          error += l->weight[c] * (pow((double)f.flow->u[i][at].re - (re * cos(angle) - im * sin(angle)), 2) +
                                   pow((double)f.flow->u[i][at].im - (im * cos(angle) + re * sin(angle)), 2));
          all += l->weight[c] * (re * re + im * im);
        }
    TRIAD_WITHIN(sqrt(test_total(error) / test_total(all)), 0, 1e-7 + 500 * eps, "the field, carried by B0");
    test_flow_free(&f);
    test_flow_free(&start);
  }
}

/* The step follows the fastest linear wave where the fluid is slow. */
TRIAD_TEST(steps_heed_the_fastest_wave)
{
  double most = 0; /* of omega^2 over directions of k, by search */
  for (int i = 0; i <= 400; i++)
    for (int j = 0; j < 400; j++) {
      double angle = two_pi / 2 * i / 400, turn = two_pi * j / 400;
      double k[3] = {sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle)};
      double o = 2 * (0.3 * k[0] - 0.5 * k[1] + 0.8 * k[2]);
      most = fmax(most, o * o + 1.69 * (1 - k[2] * k[2]));
    }
  test_flow f = test_flow_make(test_together(), waves[2].text, NULL);
  triad_step step = {.cfl = 0.5, .land_on = INFINITY};
  TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_NEAR(f.flow->at.dt, 0.5 / sqrt(most), 1e-4, "the step at rest");
  test_flow_free(&f);
}

/* What cfl = 0.8 allows with rk3 does not grow, also where whistlers set the step. */
TRIAD_TEST(steps_that_cfl_allows_are_stable_for_whistlers)
{
  const char *sets[] = {"initial.kind=\"random\"",
                        "initial.energy=1e-6",
                        "initial.magnetic_energy=1e-6",
                        "initial.spectrum=\"power-law\"",
                        "initial.slope=0.0",
                        "initial.k_range=[1.0, 6.0]",
                        "time.scheme=\"rk3\"",
                        "grid.truncation=\"box\"",
                        NULL};
  test_flow f = test_flow_make(test_together(), waves[4].text, sets);
  double before = test_column(f.flow, 0);
  for (int i = 0; i < 300; i++) {
    triad_step step = {.cfl = 0.8, .land_on = INFINITY};
    TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  }
  double after = test_column(f.flow, 0);
  TRIAD_HOLDS(after <= before * (1 + 100 * eps), "energy grew from %g to %g", before, after);
  test_flow_free(&f);
}

TRIAD_TEST(waves_that_cannot_be_are_refused)
{
  static const struct {
    const char *text, *kind, *set;
  } all[] = {
    {CASE("hd", ROTATION), "initial.kind=\"inertial-wave\"", "initial.wave=[9, 0, 0]"},
    {CASE("hd", ROTATION), "initial.kind=\"inertial-wave\"", "initial.wave=[0, 0, 0]"},
    {CASE("hd", ""), "initial.kind=\"inertial-wave\"", "initial.wave=[1, 0, 0]"},
    {CASE("boussinesq", ""), "initial.kind=\"internal-wave\"", "initial.wave=[0, 0, 1]"},
    {CASE("mhd", ""), "initial.kind=\"alfven-wave\"", "initial.wave=[0, 0, 1]"},
    {CASE("mhd", "mean_field = [1.0, 0.0, 0.0]\n"), "initial.kind=\"alfven-wave\"", "initial.wave=[0, 0, 1]"},
    {CASE("mhd", ""), "initial.kind=\"orszag-tang\"", "initial.wavenumber=2"},
    {CASE("hd", ""), "initial.kind=\"shear-layer\"", "initial.wavenumber=9"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *sets[] = {all[i].kind, all[i].set};
    triad_case *given = NULL;
    triad_flow *flow = NULL;
    TRIAD_CHECK(triad_case_parse(&given, "test", all[i].text, strlen(all[i].text), sets, 2));
    TRIAD_CHECK(triad_flow_create(&flow, test_together(), given, NULL));
    TRIAD_FAILS(triad_initial_set(flow, NULL), TRIAD_ERR_CASE, "");
    triad_flow_destroy(&flow);
    triad_case_destroy(&given);
  }
}

TRIAD_MAIN
