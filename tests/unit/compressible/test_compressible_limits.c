/* What keeps a gas from ringing and its pressure positive: the limiter, TENO's cut, Roe's average. ranks: 1 3
 * timeout: 240 quick: 1 */
#include "compressible.h"

#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/points/limit_points.h"
#include "solvers/compressible/points/weights_points.h"

static const double pi = TRIAD_PI, two_pi = 2 * TRIAD_PI;

/* ---- the limiter ---- */

/* Two streams that part at Mach 6: next to nothing is left between them. */
static void parting(const double x[3], double q[5])
{
  q[0] = 1;
  q[1] = x[0] < 0.5 ? -4 : 4;
  q[2] = q[3] = 0;
  q[4] = 0.4;
}

static int part(int positivity, double *mass)
{
  triad_compressible_setup s = test_gas_setup(100, 1, 1, 1, 1, 1);
  double c[64];
  test_gas_sides(&s, 0, TRIAD_COMPRESSIBLE_OUTFLOW);
  s.weights = TRIAD_WENO_JS;
  s.positivity = positivity;
  s.published = !positivity; /* which has no limiter */
  test_gas g = test_gas_of(&s, parting);
  int st = TRIAD_OK;
  double t = 0;
  for (int i = 0; st == TRIAD_OK && t < 0.02; i++) {
    double dt = fmin(triad_compressible_stable(g.w, 0.45), 0.02 - t + 1e-15);
    t += dt;
    st = triad_compressible_advance(g.w, i + 1, dt);
  }
  triad_message_clear();
  if (st == TRIAD_OK) {
    TRIAD_CHECK(triad_compressible_budget(g.w, c));
    *mass = c[test_gas_column("mass")];
    TRIAD_HOLDS(c[test_gas_column("density_min")] > 0 && c[test_gas_column("pressure_min")] > 0,
                "density %g, pressure %g", c[test_gas_column("density_min")], c[test_gas_column("pressure_min")]);
  }
  test_gas_free(&g);
  return st;
}

TRIAD_TEST(limiter_keeps_density_and_pressure_positive)
{
  double mass = 0;
  TRIAD_EQUAL(part(0, &mass), TRIAD_ERR_BLOWUP, "without it the streams part too fast for the scheme");
  TRIAD_EQUAL(part(1, &mass), TRIAD_OK, "with it they part");
  TRIAD_NEAR(mass, 1 - 2 * 4 * 0.02, 1e-10, "what left through both ends is all that is missing");
}

TRIAD_TEST(limiter_leaves_smooth_flows_alone)
{
  triad_compressible_setup s = test_gas_setup(16, 16, 1, two_pi, two_pi, 1);
  test_gas a = test_gas_of(&s, test_gas_smooth);
  s.positivity = 1;
  test_gas b = test_gas_of(&s, test_gas_smooth);
  for (int i = 0; i < 5; i++) {
    TRIAD_CHECK(triad_compressible_advance(a.w, i + 1, 0.02));
    TRIAD_CHECK(triad_compressible_advance(b.w, i + 1, 0.02));
  }
  double worst = 0;
  for (int f = 0; f < 5; f++)
    for (int64_t i = 0; i < a.blocks.volume; i++)
      worst = fmax(worst, fabs(triad_compressible_fields(a.w)[f][i] - triad_compressible_fields(b.w)[f][i]));
  TRIAD_WITHIN(worst, 0, 1e-14, "difference made by an idle limiter");
  test_gas_free(&a);
  test_gas_free(&b);
}

/* ---- the test that passes faces over ---- */

/* A number of 0 to 1, and its share of a range of powers of ten. */
static double next(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}
static double power(uint64_t *seed, double low, double high) { return pow(10, low + (high - low) * next(seed)); }

static triad_compressible_five state_of(const triad_compressible_gas *g, triad_compressible_cell c)
{
  triad_real e = c.rho * (c.T * g->per_gamma * g->per_gm1 + (c.n * c.n + c.s * c.s + c.t * c.t) / 2);
  return (triad_compressible_five){c.rho, c.rho * c.n, c.rho * c.s, c.rho * c.t, e};
}

static int equal(triad_compressible_five a, triad_compressible_five b)
{
  return a.r == b.r && a.n == b.n && a.s == b.s && a.t == b.t && a.e == b.e;
}

/* Random cells, faint and strong jumps of all values, Mach numbers to 100, steps of any length, and fluxes near or far
 * from those of the cells. */
TRIAD_TEST(faces_that_are_passed_over_are_those_that_the_limiter_leaves)
{
  const double gamma = 1.4;
  triad_compressible_gas g = {.gamma = (triad_real)gamma,
                              .gm1 = (triad_real)(gamma - 1),
                              .per_gamma = (triad_real)(1 / gamma),
                              .per_gm1 = (triad_real)(1 / (gamma - 1))};
  uint64_t seed = 20261128;
  int passed = 0, changed = 0, smooth = 0, wrong = 0, n = 200000;
  for (int i = 0; i < n; i++) {
    const double jump = i % 2 ? 1e-2 : power(&seed, -3, 3), mach = power(&seed, -3, i % 2 ? 0 : 2);
    triad_compressible_cell c[2];
    triad_compressible_five u[2], f[2];
    for (int k = 0; k < 2; k++) {
      double T = 1 + k * jump * next(&seed), v[3];
      for (int a = 0; a < 3; a++) v[a] = mach * (1 + k * fmin(jump, 2) * (next(&seed) - 0.5)) * (a ? 0.5 : 1);
      c[k] = (triad_compressible_cell){(triad_real)(1 + k * jump * next(&seed)), (triad_real)v[0], (triad_real)v[1],
                                       (triad_real)v[2], (triad_real)T};
      u[k] = state_of(&g, c[k]);
      f[k] = triad_compressible_flux(&g, u[k], c[k].n, c[k].T);
    }
    const double off = i % 2 ? 1e-2 : power(&seed, -3, 1);
    triad_compressible_five face;
    face.r = (triad_real)((f[0].r + f[1].r) / 2 + off * (next(&seed) - 0.5) * (u[0].r + u[1].r));
    face.n = (triad_real)((f[0].n + f[1].n) / 2 + off * (next(&seed) - 0.5) * (u[0].r + u[1].r));
    face.s = (f[0].s + f[1].s) / 2;
    face.t = (f[0].t + f[1].t) / 2;
    face.e = (triad_real)((f[0].e + f[1].e) / 2 + off * (next(&seed) - 0.5) * (u[0].e + u[1].e));
    const triad_real ratio = (triad_real)power(&seed, -2, 2);
    const int passes = triad_compressible_passes(&g, 1 / ratio, c[0], c[1], u[0], u[1], face);
    const int same = equal(triad_compressible_limited(&g, ratio, c[0], c[1], u[0], u[1], f[0], f[1], face), face);
    passed += passes;
    changed += !same;
    smooth += passes && i % 2;
    wrong += passes && !same;
  }
  TRIAD_EQUAL(wrong, 0, "faces that are passed over though the limiter changes them");
  TRIAD_HOLDS(changed > n / 20, "the limiter changes %d of %d faces, enough to find one", changed, n);
  TRIAD_EQUAL(smooth, n / 2, "of smooth flow below Mach 1 every face is passed over");
  TRIAD_HOLDS(passed > n - changed - n / 20, "%d of %d are passed over, nearly all that the limiter leaves", passed,
              n - changed);
}

/* ---- TENO ---- */

static void wave(const double x[3], double q[5])
{
  q[0] = 1 + 0.1 * sin(x[0]);
  q[1] = 1;
  q[2] = q[3] = 0;
  q[4] = 1 / 1.4;
}

static double wave_density(const double x[3], const void *what) { return 1 + 0.1 * sin(x[0] - *(const double *)what); }

static double wave_error(int n, triad_compressible_weights weights)
{
  triad_compressible_setup s = test_gas_setup(n, 1, 1, two_pi, 1, 1);
  double end = pi;
  s.weights = weights;
  s.scheme = triad_scheme_find("rk4", TRIAD_SCHEME_START);
  test_gas g = test_gas_of(&s, wave);
  test_gas_run(&g, pi / (5 * n), end);
  double e = test_gas_error(&g, wave_density, &end, 2);
  test_gas_free(&g);
  return e;
}

TRIAD_TEST(teno_is_the_linear_scheme_where_the_flow_is_smooth)
{
  /* no parabola is left out, so that nothing but rounding is between them */
  TRIAD_NEAR(wave_error(40, TRIAD_WENO_TENO), wave_error(40, TRIAD_COMPRESSIBLE_LINEAR), 1e-8, "error at 40 points");
  TRIAD_WITHIN(log2(wave_error(40, TRIAD_WENO_TENO) / wave_error(80, TRIAD_WENO_TENO)), 5, 0.1, "order");
}

/* A parabola counts where g_k/(g_0 + g_1 + g_2) >= 1e-5, g_k = (1 + tau/b_k)^6 (Fu, Hu and Adams 2016, eq. 18 to 24),
 * and counts in full: here the last of three, rougher and rougher. */
TRIAD_TEST(teno_leaves_a_parabola_out_at_its_threshold)
{
  int in = 0, out = 0;
  for (double rough = 2; rough < 60; rough *= 1.01) {
    const long double tau = rough - 1, g = powl(1 + tau, 6), last = powl(1 + tau / rough, 6);
    const long double chi = last / (2 * g + last);
    const triad_compressible_trust t =
      triad_compressible_trust_teno((triad_compressible_trust){1, 1, (triad_real)rough});
    if (fabsl(chi / 1e-5L - 1) < 0.01L) continue;
    TRIAD_EQUAL((int)t.s0 * 10 + (int)t.s1, 11, "the smooth ones count");
    TRIAD_NEAR(t.s2, chi > 1e-5L, 0, "the rough one");
    in += chi > 1e-5L;
    out += chi < 1e-5L;
  }
  TRIAD_HOLDS(in > 50 && out > 50, "%d within, %d beyond", in, out);
}

TRIAD_TEST(teno_does_not_overshoot_at_a_shock_as_the_linear_scheme_does)
{
  static const triad_compressible_weights weights[] = {TRIAD_WENO_TENO, TRIAD_COMPRESSIBLE_LINEAR};
  double most[2];
  for (int i = 0; i < 2; i++) {
    triad_compressible_setup s = test_gas_setup(200, 1, 1, 1, 1, 1);
    triad_compressible_start start = test_gas_start("sod");
    double c[64];
    test_gas_sides(&s, 0, TRIAD_COMPRESSIBLE_EXTRAPOLATE);
    s.weights = weights[i];
    s.variables = TRIAD_COMPRESSIBLE_CHARACTERISTIC;
    test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
    test_gas_run(&g, 0.001, 0.2);
    TRIAD_CHECK(triad_compressible_budget(g.w, c));
    most[i] = c[test_gas_column("density_max")] - 1;
    test_gas_free(&g);
  }
  TRIAD_HOLDS(most[0] < 1e-3, "teno: overshoot %g", most[0]);
  TRIAD_HOLDS(most[1] > 2 * fmax(most[0], 1e-3), "linear: overshoot %g, teno %g", most[1], most[0]);
}

/* Roe's average is made so that the jump of a single shock is one wave of it: its slowest wave stands still where
 * the shock does, after Rankine and Hugoniot. In a frame that moves, with some speed along the shock: neither may
 * matter. */
TRIAD_TEST(roe_average_sees_a_shock_as_one_wave)
{
  const double gamma = 1.4, ratio = 1 / (gamma - 1);
  for (int i = 0; i < 5; i++) {
    const double mach = 1.2 + i, frame = 0.7 * i - 1, square = mach * mach;
    const double rise = 1 + 2 * gamma / (gamma + 1) * (square - 1),
                 squeeze = (gamma + 1) * square / ((gamma - 1) * square + 2);
    const triad_compressible_gas g = {
      .gamma = (triad_real)gamma, .gm1 = (triad_real)(gamma - 1), .per_gm1 = (triad_real)ratio};
    const triad_compressible_cell before = {2, (triad_real)(mach + frame), (triad_real)0.3, (triad_real)-0.2, 1};
    const triad_compressible_cell behind = {(triad_real)(2 * squeeze), (triad_real)(mach / squeeze + frame),
                                            (triad_real)0.3, (triad_real)-0.2, (triad_real)(rise / squeeze)};
    const triad_compressible_average m = triad_compressible_roe(&g, before, behind);
    TRIAD_WITHIN(m.n - m.c, frame, 16 * TRIAD_EPSILON * mach, "the wave of the shock");
    TRIAD_WITHIN(m.s, 0.3, 4 * TRIAD_EPSILON, "what goes along it");
  }
}

TRIAD_MAIN
