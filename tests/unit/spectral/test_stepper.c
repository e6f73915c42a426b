/* The steppers: order in time, exact decay, how a step's length is chosen, and what happens when a value is not finite.
 * ranks: 1 3   threads: 1 2   timeout: 240 */
#include "flow.h"
#include "solvers/spectral/plain/shifts.h"

#include <fftw3.h>

#define EACH_SCHEME(s) \
  for (const triad_scheme *s = triad_schemes; s->word.name; s++) \
    if (s->form == TRIAD_SCHEME_REGISTER)

#define CASE(grid) \
  "[equations]\nsolver = \"hd\"\nviscosity = 0.1\n" \
  "[grid]\nn = " grid "\n" \
  "[initial]\nkind = \"taylor-green\"\n" \
  "[time]\nend = 10.0\n[parallel]\nreproducible = true\n"

/* "time.scheme=rk4" for sets[], of a row; the text stays until the next call. */
static const char *scheme_set(const triad_scheme *s)
{
  static char text[40];
  (void)snprintf(text, sizeof text, "time.scheme=\"%s\"", s->word.name);
  return text;
}

/* ---- decay of flows whose nonlinear term is a pressure ---- */

/* 100 steps of dt: u = exp(-rate t) u(0). Each of at most 4 stages a step rounds a few times, by eps/2 each, and the
 * rounding of exp() itself adds one: 1e-12 is 4500 eps, 11 eps a stage. */
static void check_decay(const char *text, const char *const *sets, double rate)
{
  const double dt = 0.01;
  const char *all[16];
  int n = 0;
  while (sets[n]) all[n] = sets[n], n++;
  all[n + 1] = NULL;
  EACH_SCHEME(s)
  {
    all[n] = scheme_set(s);
    test_flow f = test_flow_make(test_together(), text, all), start = test_flow_make(test_together(), text, all);
    double energy = test_column(f.flow, 0), enstrophy = test_column(f.flow, 1), dissipation = test_column(f.flow, 2);
    TRIAD_HOLDS(energy > 0 && enstrophy > 0, "energy %g, enstrophy %g", energy, enstrophy);
    TRIAD_NEAR(dissipation, 2 * rate * energy, 1e-14, "dissipation = 2 rate energy");
    test_advance(f.flow, dt, 100);
    TRIAD_EQUAL(f.flow->at.step, 100, "steps taken");
    TRIAD_NEAR(f.flow->at.t, 1.0, 1e-14, "time");
    TRIAD_WITHIN(test_distance(f.flow, start.flow, exp(-rate * f.flow->at.t)), 0, 1e-12, s->word.name);
    TRIAD_NEAR(test_column(f.flow, 0), energy * exp(-2 * rate * f.flow->at.t), 1e-12, "energy");
    test_flow_free(&f);
    test_flow_free(&start);
  }
}

TRIAD_TEST(abc_flow_decays_as_exp_of_minus_nu_k2_t)
{
  static const char *const isotropic[] = {"initial.kind=\"abc\"", "initial.abc=[1.0, 0.7, 0.43]", NULL};
  static const char *const higher[] = {"initial.kind=\"abc\"", "initial.wavenumber=2",     "initial.amplitude=-0.5",
                                       "grid.n=[16, 15, 18]",  "equations.viscosity=0.05", NULL};
  static const char *const box_of_4[] = {"initial.kind=\"abc\"", "grid.length=[4.0, 4.0, 4.0]",
                                         "grid.truncation=\"box\"", NULL};
  const double k = 6.283185307179586 / 4;
  check_decay(CASE("[12, 12, 12]"), isotropic, 0.1);
  check_decay(CASE("[12, 12, 12]"), higher, 0.05 * 4);
  check_decay(CASE("[12, 12, 12]"), box_of_4, 0.1 * k * k);
}

TRIAD_TEST(plane_taylor_green_decays_as_exp_of_minus_2_nu_k2_t)
{
  static const char *const cube[] = {"initial.two_dimensional=true", NULL};
  static const char *const one_plane[] = {"initial.two_dimensional=true", "grid.n=[12, 10, 1]", NULL};
  /* a box of sides 2 pi, pi and 5: k = (1, 2), and still an exact solution, since vorticity is a multiple of the
   * stream function */
  static const char *const oblong[] = {"initial.two_dimensional=true", "grid.n=[12, 9, 8]",
                                       "grid.length=[\"2pi\", \"pi\", 5.0]", NULL};
  check_decay(CASE("[12, 12, 12]"), cube, 2 * 0.1);
  check_decay(CASE("[12, 12, 12]"), one_plane, 2 * 0.1);
  check_decay(CASE("[12, 12, 12]"), oblong, 0.1 * (1 + 4));
}

TRIAD_TEST(hyperviscosity_and_drag_decay_at_their_own_rates)
{
  static const char *const hyper[] = {"initial.kind=\"abc\"",
                                      "initial.wavenumber=2",
                                      "grid.n=[16, 16, 16]",
                                      "equations.hyperviscosity=1e-3",
                                      "equations.hyperviscosity_order=4",
                                      "equations.drag=0.3",
                                      "equations.viscosity=0.02",
                                      NULL};
  static const char *const large_scale[] = {"initial.kind=\"abc\"",          "initial.wavenumber=2",
                                            "grid.n=[16, 16, 16]",           "equations.drag=0.3",
                                            "equations.drag_wavenumber=2.0", NULL};
  static const char *const beyond[] = {"initial.kind=\"abc\"", "initial.wavenumber=2",          "grid.n=[16, 16, 16]",
                                       "equations.drag=0.3",   "equations.drag_wavenumber=1.9", NULL};
  check_decay(CASE("[12, 12, 12]"), hyper, 0.02 * 4 + 1e-3 * 256 + 0.3);
  check_decay(CASE("[12, 12, 12]"), large_scale, 0.1 * 4 + 0.3);
  check_decay(CASE("[12, 12, 12]"), beyond, 0.1 * 4);
}

/* ---- order in time ---- */

/* Least-squares slope of log(error) over log(dt). */
static double slope(int n, const double *dt, const double *error)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < n; i++) {
    double a = log(dt[i]), b = log(error[i]);
    x += a / n;
    y += b / n;
    xx += a * a / n;
    xy += a * b / n;
  }
  return (xy - x * y) / (xx - x * x);
}

/* The vortex at Re = 50 to t = 1.6, where its small scales have grown: 16^3 points hold all that matters for time. */
#define VORTEX CASE("[16, 16, 16]")
static const double until = 1.6;

static test_flow vortex_make(const triad_scheme *s, int steps, const char *more)
{
  const char *sets[] = {"equations.viscosity=0.02", scheme_set(s), more, NULL};
  test_flow f = test_flow_make(test_together(), VORTEX, sets);
  test_advance(f.flow, until / steps, steps);
  return f;
}

static void check_order(const char *more, const char *what)
{
  /* steps small enough for the leading term to rule; the reference's own error is (1/4)^4 of the finest rk4
   * one, which moves the slope by less than 0.01 */
  static const int steps[3] = {24, 32, 48};
  test_flow reference = vortex_make(triad_scheme_find("rk4", TRIAD_SCHEME_REGISTER), 192, more);
  EACH_SCHEME(s)
  {
    double dt[3], error[3];
    for (int i = 0; i < 3; i++) {
      test_flow f = vortex_make(s, steps[i], more);
      dt[i] = until / steps[i];
      error[i] = test_distance(f.flow, reference.flow, 1);
      test_flow_free(&f);
    }
    double order = slope(3, dt, error);
    TRIAD_HOLDS(fabs(order - s->order) < 0.1, "%s, %s: order %.3f from errors %.3g %.3g %.3g", what, s->word.name,
                order, error[0], error[1], error[2]);
  }
  test_flow_free(&reference);
}

TRIAD_TEST(error_falls_with_the_order_of_the_scheme) { check_order(NULL, "viscous"); }
TRIAD_TEST(order_holds_without_viscosity) { check_order("equations.viscosity=0.0", "inviscid"); }

/* ---- budgets in time ---- */

/* Closed Newton-Cotes rule over groups of six steps (Weddle-Hardy: exact to degree 7), so that the quadrature is more
 * accurate than any of the schemes. */
static double integrate(int steps, double dt, const double *f)
{
  static const double weight[7] = {41, 216, 27, 272, 27, 216, 41};
  double sum = 0;
  for (int i = 0; i + 6 <= steps; i += 6)
    for (int j = 0; j < 7; j++) sum += weight[j] / 140 * f[i + j];
  return sum * dt;
}

/* Largest |E(t) - E(0) - integral of (injection - dissipation)| over the run, every six steps: at one time alone errors
 * of either sign may cancel. */
static double imbalance(const triad_scheme *s, int steps, const char *more)
{
  const char *sets[] = {"equations.viscosity=0.02", scheme_set(s), more, NULL};
  double dt = until / steps, rate[97], columns[TRIAD_MAX_COLUMNS], first = 0, worst = 0;
  test_flow f = test_flow_make(test_together(), VORTEX, sets);
  for (int i = 0; i <= steps; i++) {
    if (i > 0) test_advance(f.flow, dt, 1);
    TRIAD_CHECK(triad_budget_measure(f.flow, columns));
    if (i == 0) first = columns[0];
    rate[i] = columns[3] - columns[2];
    if (i % 6 == 0) worst = fmax(worst, fabs(columns[0] - first - integrate(i, dt, rate)));
  }
  test_flow_free(&f);
  return worst;
}

static void check_balance(const char *more, const char *what)
{
  static const int steps[3] = {24, 36, 54};
  EACH_SCHEME(s)
  {
    double dt[3], error[3];
    for (int i = 0; i < 3; i++) {
      dt[i] = until / steps[i];
      error[i] = imbalance(s, steps[i], more);
    }
    double order = slope(3, dt, error);
    /* energy may do better than the scheme's order, never worse */
    TRIAD_HOLDS(order > s->order - 0.1, "%s, %s: imbalance of order %.3f, %.3g %.3g %.3g", what, s->word.name, order,
                error[0], error[1], error[2]);
    TRIAD_HOLDS(error[2] < 1e-4, "%s, %s: imbalance %.3g", what, s->word.name, error[2]);
  }
}

TRIAD_TEST(energy_budget_closes_to_the_order_of_the_scheme)
{
  /* of a field without symmetries: those of the vortex make the leading term of some errors vanish */
  check_balance("initial.kind=\"random\"", "decay");
  check_balance("forcing.kind=\"taylor-green\"", "forced by taylor-green");
}

/* Without viscosity and forcing, energy and helicity change by the scheme's own error only. */
TRIAD_TEST(inviscid_flow_keeps_energy_and_helicity_to_the_order_of_the_scheme)
{
  static const int steps[3] = {60, 90, 120};
  EACH_SCHEME(s)
  {
    const char *sets[] = {"equations.viscosity=0.0",
                          "initial.kind=\"random\"",
                          "initial.helicity=0.8",
                          "initial.energy=0.5",
                          scheme_set(s),
                          NULL};
    double dt[3], energy[3] = {0}, helicity[3] = {0};
    for (int i = 0; i < 3; i++) {
      test_flow f = test_flow_make(test_together(), VORTEX, sets);
      double e = test_column(f.flow, 0), h = test_column(f.flow, 4);
      TRIAD_HOLDS(h > 0.5 * e, "helicity %g of energy %g", h, e);
      dt[i] = 0.8 / steps[i];
      for (int part = 0; part < 5; part++) { /* the largest drift, as above */
        test_advance(f.flow, dt[i], steps[i] / 5);
        energy[i] = fmax(energy[i], fabs(test_column(f.flow, 0) / e - 1));
        helicity[i] = fmax(helicity[i], fabs(test_column(f.flow, 4) / h - 1));
      }
      test_flow_free(&f);
    }
    TRIAD_HOLDS(slope(3, dt, energy) > s->order - 0.1, "%s: energy drifts with order %.3f: %.3g %.3g %.3g",
                s->word.name, slope(3, dt, energy), energy[0], energy[1], energy[2]);
    TRIAD_HOLDS(slope(3, dt, helicity) > s->order - 0.1, "%s: helicity drifts with order %.3f: %.3g %.3g %.3g",
                s->word.name, slope(3, dt, helicity), helicity[0], helicity[1], helicity[2]);
    TRIAD_HOLDS(energy[2] < 1e-3 && helicity[2] < 1e-3, "%s: drift %.3g, %.3g", s->word.name, energy[2], helicity[2]);
  }
}

/* ---- the length of a step ---- */

TRIAD_TEST(cfl_step_is_the_longest_allowed_and_lands_on_output_times)
{
  const double cfl = 0.4, interval = 0.25;
  const char *sets[] = {"initial.kind=\"random\"", NULL};
  test_flow f = test_flow_make(test_together(), CASE("[12, 10, 9]"), sets);
  triad_step step = {.cfl = cfl};
  int landed = 0, steps = 0;
  for (int mark = 1; mark <= 4; mark++) {
    step.land_on = mark * interval;
    int here = 0;
    for (; f.flow->at.t < step.land_on && steps < 1000; steps++, here++) {
      double left = step.land_on - f.flow->at.t;
      TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
      double longest = cfl / step.advection_rate;
      TRIAD_HOLDS(f.flow->at.dt <= longest * (1 + 2e-9), "dt %g, allowed %g", f.flow->at.dt, longest);
      /* cut short only to land, and then by half at most, as what is left is shared between the last two */
      TRIAD_HOLDS(f.flow->at.dt >= 0.45 * longest, "dt %g of %g with %g left", f.flow->at.dt, longest, left);
      if (left > 2 * longest) TRIAD_NEAR(f.flow->at.dt, longest, 1e-14, "an uncut step");
    }
    landed += f.flow->at.t >= step.land_on && f.flow->at.t <= step.land_on;
    TRIAD_HOLDS(here > 2, "%d steps to an output", here);
  }
  TRIAD_EQUAL(landed, 4, "output times hit exactly");
  TRIAD_EQUAL(f.flow->at.step, steps, "steps counted");
  test_flow_free(&f);
}

TRIAD_TEST(cfl_number_in_the_series_is_that_of_the_step)
{
  const char *sets[] = {"initial.kind=\"random\"", NULL};
  double columns[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), CASE("[12, 10, 9]"), sets);
  triad_step step = {.cfl = 0.3, .land_on = INFINITY};
  TRIAD_CHECK(triad_budget_measure(f.flow, columns));
  TRIAD_WITHIN(columns[12], 0, 0, "no step yet");
  TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  double dt = f.flow->at.dt;
  TRIAD_CHECK(triad_budget_measure(f.flow, columns));
  TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_NEAR(columns[12], dt * step.advection_rate, 1e-13, "dt max sum |u_i|/dx_i");
  test_flow_free(&f);
}

TRIAD_TEST(fixed_step_is_fixed_but_for_the_end)
{
  test_flow f = test_flow_make(test_together(), CASE("[12, 12, 12]"), NULL);
  triad_step step = {.dt = 0.03, .cfl = 0.5, .land_on = 0.1};
  const double want[4] = {0.03, 0.03, 0.03, 0.1 - 3 * 0.03};
  for (int i = 0; i < 4; i++) {
    TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
    TRIAD_NEAR(f.flow->at.dt, want[i], 1e-14, "dt");
  }
  TRIAD_NEAR(f.flow->at.t, 0.1, 0, "the end is hit exactly");
  test_flow_free(&f);
}

TRIAD_TEST(steps_that_divide_the_end_are_not_followed_by_a_sliver)
{
  test_flow f = test_flow_make(test_together(), CASE("[8, 8, 8]"), NULL);
  triad_step step = {.dt = 0.1, .land_on = 0.9};
  int steps = 0;
  for (; f.flow->at.t < 0.9; steps++) TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_EQUAL(steps, 9, "0.9 in steps of 0.1");
  TRIAD_NEAR(f.flow->at.t, 0.9, 0, "the end is hit exactly");
  test_flow_free(&f);
}

TRIAD_TEST(dt_max_bounds_the_step_also_at_rest)
{
  const char *sets[] = {"initial.kind=\"rest\"", NULL};
  test_flow f = test_flow_make(test_together(), CASE("[8, 8, 8]"), sets);
  triad_step step = {.cfl = 0.5, .dt_max = 0.125, .land_on = INFINITY};
  for (int i = 0; i < 3; i++) TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_NEAR(f.flow->at.t, 0.375, 1e-15, "three steps of dt_max");
  TRIAD_WITHIN(test_column(f.flow, 0), 0, 0, "fluid at rest stays at rest");
  step = (triad_step){.cfl = 0.5, .land_on = 2.0};
  TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_NEAR(f.flow->at.t, 2, 0, "without a limit, a flow at rest goes to the next mark at once");
  test_flow_free(&f);
}

TRIAD_TEST(request_of_one_rank_reaches_all)
{
  const triad_comm *comm = triad_test_comm();
  test_flow f = test_flow_make(test_together(), CASE("[8, 8, 8]"), NULL);
  triad_step step = {.dt = 0.01, .land_on = INFINITY};
  TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
  TRIAD_EQUAL(step.requested, 0, "nobody asked");
  for (int who = 0; who < comm->size; who++) {
    step.request = comm->rank == who ? 2 : 0;
    TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
    TRIAD_EQUAL(step.requested, 2, "one asked");
  }
  test_flow_free(&f);
}

/* ---- blow-up ---- */

static void check_blow_up(double value, const char *what)
{
  test_flow f = test_flow_make(test_together(), CASE("[8, 9, 10]"), NULL);
  triad_flow *flow = f.flow;
  const triad_layout *l = flow->layout;
  triad_step step = {.cfl = 0.5, .land_on = INFINITY};
  test_advance(flow, 0.01, 2);
  int64_t bytes = l->modes * (int64_t)sizeof *flow->u[0];
  if (l->rank == l->size - 1 && l->n_columns > 0) flow->u[1][triad_layout_place(l, l->n_columns - 1, 0)].re = value;
  triad_cplx *before = malloc((size_t)bytes + 1);
  assert_non_null(before);
  memcpy(before, flow->u[0], (size_t)bytes);
  double t = flow->at.t;
  int st = triad_stepper_advance(flow->stepper, flow, &step);
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, what);
  TRIAD_EQUAL(memcmp(before, flow->u[0], (size_t)bytes), 0, "the state is what it was");
  TRIAD_EQUAL(flow->at.step, 2, "no step is counted");
  TRIAD_NEAR(flow->at.t, t, 0, "time stands");
  double columns[TRIAD_MAX_COLUMNS];
  TRIAD_EQUAL(triad_budget_measure(flow, columns), TRIAD_ERR_BLOWUP, "the budget tells too");
  triad_message_clear();
  free(before);
  test_flow_free(&f);
}

TRIAD_TEST(value_that_is_not_finite_on_one_rank_stops_all_and_leaves_the_state)
{
  check_blow_up(NAN, "one mode is NaN");
  check_blow_up(INFINITY, "one mode is infinite");
  check_blow_up(-INFINITY, "one mode is minus infinity");
}

/* A value whose square overflows is finite itself: the step that it spoils is the last one. */
TRIAD_TEST(overflow_inside_a_step_is_found_at_the_next_one)
{
  test_flow f = test_flow_make(test_together(), CASE("[8, 9, 10]"), NULL);
  triad_step step = {.dt = 0.01, .land_on = INFINITY};
  for (int64_t m = 0; m < f.flow->layout->modes; m++) f.flow->u[0][m].im *= 1e200; /* sines along x */
  int st = triad_stepper_advance(f.flow->stepper, f.flow, &step);
  if (st == TRIAD_OK) st = triad_stepper_advance(f.flow->stepper, f.flow, &step);
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, "status");
  TRIAD_HOLDS(f.flow->at.step <= 1, "%lld steps", (long long)f.flow->at.step);
  test_flow_free(&f);
}

/* ---- who computes it does not matter ---- */

#define FORCED \
  "[equations]\nsolver = \"hd\"\nviscosity = 0.02\nhyperviscosity = 1e-4\n" \
  "drag = 0.1\ndrag_wavenumber = 1.5\n" \
  "[grid]\nn = [14, 12, 15]\nlength = [\"2pi\", 5.0, 7.5]\n" \
  "[initial]\nkind = \"random\"\nhelicity = 0.3\n" \
  "[forcing]\nkind = \"random\"\nk_range = [1, 2.5]\n[time]\nend = 10.0\n"

TRIAD_TEST(state_and_series_are_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  triad_context *one = test_alone();
  EACH_SCHEME(s)
  {
    const char *sets[] = {"parallel.reproducible=true", scheme_set(s), NULL};
    test_flow f = test_flow_make(test_together(), FORCED, sets), alone = test_flow_make(one, FORCED, sets);
    TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, "initial field");
    triad_step step = {.cfl = 0.5, .land_on = INFINITY}, same = step;
    for (int i = 0; i < 12; i++) {
      TRIAD_CHECK(triad_stepper_advance(f.flow->stepper, f.flow, &step));
      TRIAD_CHECK(triad_stepper_advance(alone.flow->stepper, alone.flow, &same));
    }
    double columns[TRIAD_MAX_COLUMNS], want[TRIAD_MAX_COLUMNS];
    TRIAD_CHECK(triad_budget_measure(f.flow, columns));
    TRIAD_CHECK(triad_budget_measure(alone.flow, want));
    TRIAD_NEAR(f.flow->at.t, alone.flow->at.t, 0, "time");
    TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, s->word.name);
    for (int i = 0; i < f.flow->shape.n_columns; i++) TRIAD_NEAR(columns[i], want[i], 0, f.flow->shape.columns[i].name);
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

/* With measured plans each rank here plans for itself, and may choose other ones than all together. */
TRIAD_TEST(measured_plans_change_no_more_than_round_off)
{
  char *wisdom = getenv("TRIAD_WISDOM"), *kept = wisdom ? strdup(wisdom) : NULL;
  (void)setenv("TRIAD_WISDOM", "/nonexistent/wisdom", 1); /* neither read nor written */
  fftw_forget_wisdom();
  triad_context *one = test_alone();
  const char *measured[] = {"parallel.reproducible=false", NULL}, *estimated[] = {"parallel.reproducible=true", NULL};
  test_flow f = test_flow_make(test_together(), FORCED, measured), alone = test_flow_make(one, FORCED, estimated);
  test_advance(f.flow, 0.01, 20);
  test_advance(alone.flow, 0.01, 20);
  /* velocities are of order 1 here, and so are modes at most */
  TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 0), 0, 1e-12, "modes");
  TRIAD_NEAR(test_column(f.flow, 0), test_column(alone.flow, 0), 1e-12, "energy");
  test_flow_free(&f);
  test_flow_free(&alone);
  triad_context_destroy(&one);
  if (kept) (void)setenv("TRIAD_WISDOM", kept, 1);
  else (void)unsetenv("TRIAD_WISDOM");
  free(kept);
}

/* Single aliases change sign from one grid to the other. They vanish from the sum over four steps, and so does what
 * two steps after one another make of them to the first order, if as many lie before their opposites as behind. */
TRIAD_TEST(shifts_of_four_steps_cancel_to_second_order)
{
  double before[3] = {-1, -1, -1};
  for (int64_t four = 0; four < 50; four++)
    for (int axis = 0; axis < 3; axis++) {
      double sum[2] = {0, 0}, moment[2] = {0, 0}, shift[3];
      for (int i = 0; i < 4; i++) {
        triad_shift_of_step(4 * four + i, shift);
        TRIAD_HOLDS(shift[axis] >= 0 && shift[axis] < 1, "a shift of %g", shift[axis]);
        const double alias[2] = {cos(2 * TRIAD_PI * shift[axis]), sin(2 * TRIAD_PI * shift[axis])};
        for (int part = 0; part < 2; part++) {
          sum[part] += alias[part];
          moment[part] += i * alias[part];
        }
      }
      TRIAD_WITHIN(hypot(sum[0], sum[1]), 0, 1e-14, "sum of aliases");
      TRIAD_WITHIN(hypot(moment[0], moment[1]), 0, 1e-14, "their first moment");
      TRIAD_HOLDS(fabs(shift[axis] - before[axis]) > 0, "four steps on the grids of the last ones");
      before[axis] = shift[axis];
    }
}

TRIAD_MAIN
