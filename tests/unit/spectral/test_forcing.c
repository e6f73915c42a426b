/* Forcing: it puts in the power it says, where it says, in the same way on any number of ranks.
 * ranks: 1 3   threads: 1 2   precision: both */
#include "flow.h"

#include "fft/pass/transform.h"

#define CASE \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n" \
  "[equations]\nsolver = \"hd\"\n[grid]\nn = [12, 12, 12]\n" \
  "[initial]\nkind = \"rest\"\n[time]\nend = 1.0\nscheme = \"rk4\"\n" \
  "[parallel]\nreproducible = true\n"

static const double eps = (double)TRIAD_EPSILON;

static const char *const schemes[] = {"rk2", "rk3", "rk4"};
static const int orders[] = {2, 3, 4};
enum { is_single = sizeof(triad_real) == 4 }; /* too coarse to see the order of a scheme's errors */

enum { ENERGY, ENSTROPHY, DISSIPATION, INJECTION, HELICITY };

/* ---- random, white in time ---- */

/* A slow field: over a step the nonlinear term's own error, (dt u k)^5 of the energy for rk4, is far below rounding. */
TRIAD_TEST(random_forcing_injects_its_power_exactly_in_every_step)
{
  static const double steps[] = {0.01, 0.003, 0.02, 0.001};
  static const char *const bands[] = {"forcing.k_range=[1.0, 2.0]", "forcing.k_range=[2.0, 3.0]",
                                      "forcing.k_range=[1.0, 1.0]", NULL};
  for (int b = 0; bands[b]; b++) {
    const char *sets[] = {"forcing.kind=\"random\"", "forcing.power=0.004", bands[b], "forcing.helicity=0.3", NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    double before = 0;
    for (int i = 0; i < 20; i++) {
      double dt = steps[i % 4];
      test_advance(f.flow, dt, 1);
      double after = test_column(f.flow, ENERGY);
      /* a difference of two energies of round-off eps each */
      TRIAD_WITHIN(after - before, 0.004 * dt, 40 * eps * after, "energy of a step = power dt");
      TRIAD_NEAR(test_column(f.flow, INJECTION), 0.004, 4 * eps, "injection column");
      before = after;
    }
    test_flow_free(&f);
  }
}

TRIAD_TEST(random_forcing_injects_its_power_against_a_flow_too)
{
  /* at the first step a random field of its own; without viscosity its energy is kept by the step itself */
  for (int seed = 1; seed <= 4; seed++) {
    char text[40];
    (void)snprintf(text, sizeof text, "forcing.seed=%d", seed);
    const char *sets[] = {"initial.kind=\"random\"", "initial.energy=1e-4", "forcing.kind=\"random\"", text, NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    double before = test_column(f.flow, ENERGY);
    test_advance(f.flow, 1e-3, 1);
    double after = test_column(f.flow, ENERGY);
    TRIAD_WITHIN(after - before, 0.1 * 1e-3, 100 * eps * after, "energy of a step = power dt");
    test_flow_free(&f);
  }
}

/* Modes that differ from zero after one step from rest are those of the band, all of them. */
static void check_band(const char *const *sets, double low, double high)
{
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  double k_min = triad_grid_k_min(&l->grid);
  int64_t inside = 0, missing = 0, outside = 0;
  test_advance(f.flow, 1e-3, 1);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      double k = sqrt(l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j]) / k_min, size = 0;
      for (int i = 0; i < 3; i++) size += fabs((double)f.flow->u[i][at].re) + fabs((double)f.flow->u[i][at].im);
      if (!test_kept(l, c, j)) continue;
      if (k > 0 && k > low - 1e-6 && k < high + 1e-6) inside++, missing += !(size > 0);
      else outside += size > 0;
    }
  TRIAD_HOLDS(test_total((double)inside) >= 3 && missing == 0 && outside == 0,
              "band %g to %g: %g modes, %lld of them not forced, %lld others forced", low, high,
              test_total((double)inside), (long long)missing, (long long)outside);
  test_flow_free(&f);
}

TRIAD_TEST(random_forcing_acts_on_its_band_and_nowhere_else)
{
  const char *a[] = {"forcing.kind=\"random\"", "forcing.k_range=[1.0, 2.0]", NULL};
  const char *b[] = {"forcing.kind=\"random\"", "forcing.k_range=[2.5, 3.0]", "grid.n=[12, 15, 14]", NULL};
  const char *c[] = {"forcing.kind=\"random\"", "forcing.k_range=[1.0, 2.3]", "grid.length=[\"2pi\", \"pi\", \"4pi\"]",
                     NULL};
  check_band(a, 1, 2);
  check_band(b, 2.5, 3);
  check_band(c, 1, 2.3);
}

TRIAD_TEST(random_forcing_keeps_the_flow_real_solenoidal_and_at_rest_in_the_mean)
{
  const char *sets[] = {"forcing.kind=\"random\"", "grid.n=[12, 10, 15]", "grid.length=[5.0, \"2pi\", 7.0]", NULL};
  double columns[TRIAD_MAX_COLUMNS], worst = 0, mean = 0;
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  test_advance(f.flow, 0.01, 20);
  TRIAD_CHECK(triad_budget_measure(f.flow, columns));
  TRIAD_WITHIN(columns[6], 0, 20 * eps * sqrt(2 * columns[ENSTROPHY]), "rms div u over rms curl u");
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz && l->self[c]; j++)
      for (int i = 0; i < 3; i++) {
        triad_cplx a = f.flow->u[i][triad_layout_place(l, c, j)];
        triad_cplx b = f.flow->u[i][triad_layout_place(l, c, j == 0 ? 0 : l->nkz - j)];
        worst = fmax(worst, hypot((double)(a.re - b.re), (double)(a.im + b.im)));
        if (j == 0) mean = fmax(mean, hypot((double)a.re, (double)a.im));
      }
  TRIAD_WITHIN(test_largest(worst), 0, 0, "u(-k) - conj u(k) where both are held");
  TRIAD_WITHIN(test_largest(mean), 0, 0, "mean flow");
  test_flow_free(&f);
}

TRIAD_TEST(random_forcing_has_the_handedness_asked_for)
{
  /* one shell, |k| = 1: H = 2 |k| E for waves of one handedness */
  for (int sign = -1; sign <= 1; sign += 2) {
    const char *sets[] = {"forcing.kind=\"random\"", "forcing.k_range=[1.0, 1.0]",
                          sign > 0 ? "forcing.helicity=1.0" : "forcing.helicity=-1.0", NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    test_advance(f.flow, 1e-3, 1);
    TRIAD_NEAR(test_column(f.flow, HELICITY), 2 * sign * test_column(f.flow, ENERGY), 20 * eps, "helicity");
    test_flow_free(&f);
  }
}

/* A fresh field each step, depending on the number of the step alone: a restart repeats it. */
TRIAD_TEST(random_forcing_depends_on_seed_and_step_alone)
{
  const char *sets[] = {"forcing.kind=\"random\"", NULL};
  const char *other[] = {"forcing.kind=\"random\"", "forcing.seed=2", NULL};
  test_flow a = test_flow_make(test_together(), CASE, sets), b = test_flow_make(test_together(), CASE, sets);
  test_flow c = test_flow_make(test_together(), CASE, other);
  a.flow->at.step = b.flow->at.step = 7;
  test_advance(a.flow, 1e-3, 1);
  test_advance(b.flow, 1e-3, 1);
  test_advance(c.flow, 1e-3, 1);
  TRIAD_WITHIN(test_distance(a.flow, b.flow, 1), 0, 0, "the same step of two runs");
  TRIAD_HOLDS(test_distance(a.flow, c.flow, 1) > 0.5, "another seed differs by %g", test_distance(a.flow, c.flow, 1));
  test_flow_free(&b);
  b = test_flow_make(test_together(), CASE, sets);
  b.flow->at.step = 8;
  test_advance(b.flow, 1e-3, 1);
  TRIAD_HOLDS(test_distance(a.flow, b.flow, 1) > 0.5, "the next step differs by %g", test_distance(a.flow, b.flow, 1));
  test_flow_free(&a);
  test_flow_free(&b);
  test_flow_free(&c);
}

/* sum of weight Re conj(a) b of what lies across k and z, where the two parts of one handedness each add up. */
static double product_across(const triad_flow *a, const triad_flow *b)
{
  const triad_layout *l = a->layout;
  double sum = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      double x = -l->wy[c], y = l->wx[c], p[2][2];
      const triad_flow *f[2] = {a, b};
      for (int i = 0; i < 2; i++) {
        p[i][0] = x * (double)f[i]->u[0][at].re + y * (double)f[i]->u[1][at].re;
        p[i][1] = x * (double)f[i]->u[0][at].im + y * (double)f[i]->u[1][at].im;
      }
      if (x * x + y * y > 0) sum += l->weight[c] * (p[0][0] * p[1][0] + p[0][1] * p[1][1]) / (x * x + y * y);
    }
  return test_total(sum);
}

/* White in time: steps that follow each other share none of their numbers. About 250 pairs of modes are forced, so that
 * chance makes a correlation of 0.045; one of the two parts in common would make one of 1/2. */
TRIAD_TEST(random_forces_of_steps_that_follow_each_other_have_nothing_in_common)
{
  const char *sets[] = {"forcing.kind=\"random\"", "forcing.k_range=[1.0, 5.0]", "grid.n=[16, 16, 16]", NULL};
  test_flow f[3];
  for (int i = 0; i < 3; i++) {
    f[i] = test_flow_make(test_together(), CASE, sets);
    f[i].flow->at.step = 7 + i;
    test_advance(f[i].flow, 1e-6, 1);
  }
  for (int i = 1; i < 3; i++) {
    double all = sqrt(product_across(f[0].flow, f[0].flow) * product_across(f[i].flow, f[i].flow));
    TRIAD_WITHIN(product_across(f[0].flow, f[i].flow) / all, 0, 5 * 0.045, "correlation of the forces of two steps");
  }
  for (int i = 0; i < 3; i++) test_flow_free(&f[i]);
}

/* ---- constant power ---- */

/* dE/dt = P without viscosity: E grows linearly to the scheme's order. */
TRIAD_TEST(constant_power_injects_its_power_to_the_order_of_the_scheme)
{
  static const int steps[] = {30, 60};
  for (int s = 0; s < 3; s++) {
    char scheme[40];
    (void)snprintf(scheme, sizeof scheme, "time.scheme=\"%s\"", schemes[s]);
    const char *sets[] = {"initial.kind=\"random\"",
                          "forcing.kind=\"constant-power\"",
                          "forcing.power=0.3",
                          "forcing.k_range=[1.0, 2.0]",
                          scheme,
                          NULL};
    double error[2];
    for (int i = 0; i < 2; i++) {
      test_flow f = test_flow_make(test_together(), CASE, sets);
      double before = test_column(f.flow, ENERGY), worst = 0;
      for (int part = 1; part <= 5; part++) {
        test_advance(f.flow, 0.6 / steps[i], steps[i] / 5);
        worst = fmax(worst, fabs(test_column(f.flow, ENERGY) - before - 0.3 * f.flow->at.t));
        TRIAD_NEAR(test_column(f.flow, INJECTION), 0.3, 4 * eps, "injection column");
      }
      error[i] = worst;
      test_flow_free(&f);
    }
    double order = log2(error[0] / error[1]);
    TRIAD_HOLDS(order > orders[s] - 0.1 || is_single, "%s: order %.3f, errors %.3g %.3g", schemes[s], order, error[0],
                error[1]);
    TRIAD_HOLDS(error[1] < 1e-3 * 0.18, "%s: error %.3g of an energy of 0.18", schemes[s], error[1]);
  }
}

TRIAD_TEST(constant_power_needs_a_flow_in_its_band)
{
  const char *sets[] = {"forcing.kind=\"constant-power\"", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  triad_step step = {.dt = 0.01, .land_on = INFINITY};
  TRIAD_EQUAL(triad_stepper_advance(f.flow->stepper, f.flow, &step), TRIAD_ERR_CASE, "from rest");
  triad_message_clear();
  test_flow_free(&f);
}

/* ---- fixed fields ---- */

/* mean(u.f) with f from its formula at the grid points and u from its modes. */
TRIAD_TEST(injection_of_a_fixed_force_is_the_mean_of_u_dot_f)
{
  const char *sets[] = {
    "initial.kind=\"random\"", "forcing.kind=\"abc\"", "forcing.abc=[1.0, -0.5, 0.25]",   "forcing.amplitude=0.7",
    "forcing.wavenumber=2",    "grid.n=[16, 18, 20]",  "grid.length=[5.0, \"2pi\", 7.0]", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  const triad_grid *g = &l->grid;
  triad_real *u[3];
  double sum = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    u[i] = calloc((size_t)(l->n_planes * g->n[1] * g->n[0]) + 1, sizeof *u[i]);
    assert_non_null(u[i]);
    const triad_cplx *from[1] = {f.flow->u[i]};
    TRIAD_CHECK(triad_backward(f.flow->pass, l, 1, from, &u[i]));
  }
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < g->n[1]; y++)
      for (int64_t x = 0; x < g->n[0]; x++) {
        const double two_pi = 6.283185307179586476925286766559, a[3] = {1, -0.5, 0.25};
        double kx = 2 * two_pi * (double)x / (double)g->n[0], ky = 2 * two_pi * (double)y / (double)g->n[1];
        double kz = 2 * two_pi * (double)(z + l->plane_begin[l->rank]) / (double)g->n[2];
        const double force[3] = {0.7 * (a[0] * sin(kz) + a[2] * cos(ky)), 0.7 * (a[1] * sin(kx) + a[0] * cos(kz)),
                                 0.7 * (a[2] * sin(ky) + a[1] * cos(kx))};
        for (int i = 0; i < 3; i++) {
          sum += force[i] * (double)u[i][(z * g->n[1] + y) * g->n[0] + x];
          square += fabs(force[i] * (double)u[i][(z * g->n[1] + y) * g->n[0] + x]);
        }
      }
  double points = (double)triad_grid_points(g);
  TRIAD_WITHIN(test_column(f.flow, INJECTION), test_total(sum) / points, 100 * eps * test_total(square) / points,
               "injection = mean(u.f)");
  for (int i = 0; i < 3; i++) free(u[i]);
  test_flow_free(&f);
}

/* ABC forcing from rest, in a box of equal sides: u = (1 - exp(-nu t))/nu f exactly, advection being a pressure. The
 * schemes' error in the integral of the force is of their order. */
TRIAD_TEST(flow_forced_from_rest_grows_as_its_exact_solution)
{
  static const int steps[] = {10, 20};
  const double nu = 1.3, end = 1.5;
  for (int s = 0; s < 3; s++) {
    char scheme[40];
    (void)snprintf(scheme, sizeof scheme, "time.scheme=\"%s\"", schemes[s]);
    const char *sets[] = {"forcing.kind=\"abc\"", "equations.viscosity=1.3", scheme, NULL};
    const char *start[] = {"initial.kind=\"abc\"", NULL};
    test_flow exact = test_flow_make(test_together(), CASE, start);
    double error[2];
    for (int i = 0; i < 2; i++) {
      test_flow f = test_flow_make(test_together(), CASE, sets);
      test_advance(f.flow, end / steps[i], steps[i]);
      double growth = (1 - exp(-nu * end)) / nu;
      error[i] = test_distance(f.flow, exact.flow, growth) / growth;
      TRIAD_NEAR(test_column(f.flow, INJECTION), 3 * growth, 2 * error[i] + 20 * eps,
                 "injection = mean f^2 (1 - exp(-nu t))/nu");
      test_flow_free(&f);
    }
    double order = log2(error[0] / error[1]);
    TRIAD_HOLDS(fabs(order - orders[s]) < 0.2 || is_single, "%s: order %.3f, errors %.3g %.3g", schemes[s], order,
                error[0], error[1]);
    TRIAD_HOLDS(error[1] < 5e-3, "%s: error %.3g", schemes[s], error[1]);
    test_flow_free(&exact);
  }
}

/* Without viscosity the same flow is u = f t, and every scheme is exact on it. */
TRIAD_TEST(steady_force_without_viscosity_accelerates_uniformly)
{
  for (int s = 0; s < 3; s++) {
    char scheme[40];
    (void)snprintf(scheme, sizeof scheme, "time.scheme=\"%s\"", schemes[s]);
    const char *sets[] = {"forcing.kind=\"taylor-green\"", "forcing.amplitude=0.01", scheme, NULL};
    const char *abc[] = {"forcing.kind=\"abc\"", "forcing.amplitude=0.3", scheme, NULL};
    const char *start[] = {"initial.kind=\"abc\"", NULL};
    test_flow f = test_flow_make(test_together(), CASE, abc), exact = test_flow_make(test_together(), CASE, start);
    test_advance(f.flow, 0.05, 10);
    TRIAD_WITHIN(test_distance(f.flow, exact.flow, 0.3 * 0.5), 0, 60 * eps, schemes[s]);
    test_flow_free(&f);
    test_flow_free(&exact);
    /* the vortex is no such flow, but at t = 0 it feels its force alone: E = (F t)^2/8 to t^4 */
    f = test_flow_make(test_together(), CASE, sets);
    test_advance(f.flow, 1e-3, 1);
    TRIAD_NEAR(test_column(f.flow, ENERGY), 0.125e-10, 1e-6, "energy of the first instant");
    test_flow_free(&f);
  }
}

/* ---- all ranks alike ---- */

TRIAD_TEST(forced_flow_is_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  static const char *const kinds[] = {"forcing.kind=\"random\"",
                                      "forcing.kind=\"constant-power\"",
                                      "forcing.kind=\"abc\"",
                                      "forcing.kind=\"taylor-green\"",
                                      "forcing.kind=\"ornstein-uhlenbeck\"",
                                      "forcing.kind=\"constant-energy\"",
                                      "forcing.kind=\"linear\"",
                                      NULL};
  triad_context *one = test_alone();
  for (int i = 0; kinds[i]; i++) {
    const char *sets[] = {kinds[i], "initial.kind=\"random\"", "equations.viscosity=0.01", "grid.n=[12, 15, 14]", NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets), alone = test_flow_make(one, CASE, sets);
    test_advance(f.flow, 0.01, 10);
    test_advance(alone.flow, 0.01, 10);
    TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, kinds[i]);
    TRIAD_NEAR(test_column(f.flow, INJECTION), test_column(alone.flow, INJECTION), 0, "injection");
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

/* ---- time step and refusals ---- */

TRIAD_TEST(step_from_rest_is_bounded_by_what_the_force_can_do)
{
  static const char *const kinds[] = {"forcing.kind=\"random\"", "forcing.kind=\"abc\"", NULL};
  const double cfl = 0.5;
  for (int i = 0; kinds[i]; i++) {
    const char *sets[] = {kinds[i], NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    triad_step step = {.cfl = cfl, .land_on = INFINITY};
    TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
    TRIAD_HOLDS(f.flow->at.dt > 0 && f.flow->at.dt < 10, "first step of %g", f.flow->at.dt);
    double dt = f.flow->at.dt, columns[TRIAD_MAX_COLUMNS];
    TRIAD_CHECK(triad_budget_measure(f.flow, columns));
    /* what it gained moves it by about cfl grid spacings in that time: rms speed, to a factor of two */
    double moved = sqrt(2 * columns[ENERGY]) * dt / triad_grid_spacing(&f.flow->grid, 0);
    TRIAD_HOLDS(moved < 2 * cfl, "%s: the first step moves the fluid %g grid spacings", kinds[i], moved);
    /* of a random force, sqrt(2 P dt) dt = cfl dx, that is exact; of a fixed one a dt^2 = cfl dx */
    double dx = triad_grid_spacing(&f.flow->grid, 0);
    if (i == 0) TRIAD_NEAR(moved, cfl, 100 * eps, "what a random force moves in the first step");
    else TRIAD_NEAR(triad_case_real(f.given, "forcing.amplitude") * dt * dt, cfl * dx, 4 * 2.3e-16, "a dt^2 = cfl dx");
    test_flow_free(&f);
  }
}

TRIAD_TEST(band_without_modes_is_refused_on_all_ranks)
{
  static const char *const kinds[] = {"forcing.kind=\"random\"", "forcing.kind=\"constant-power\"", NULL};
  for (int i = 0; kinds[i]; i++) {
    const char *sets[] = {kinds[i], "forcing.k_range=[20.0, 30.0]"};
    triad_case *given = NULL;
    triad_flow *flow = NULL;
    TRIAD_CHECK(triad_case_parse(&given, "test", CASE, strlen(CASE), sets, 2));
    TRIAD_EQUAL(triad_flow_create(&flow, test_together(), given, NULL), TRIAD_ERR_CASE, kinds[i]);
    TRIAD_HOLDS(flow == NULL, "a flow was left");
    triad_message_clear();
    triad_case_destroy(&given);
  }
}

TRIAD_MAIN
