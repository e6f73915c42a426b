/* Forces with a memory, forces along the field, and powers that hold a quantity.
 * ranks: 1 3   threads: 1 2   precision: both */
#include "flow.h"

#include "solvers/solver.h"
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/force/plain/control.h"

#define CASE \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n" \
  "[equations]\nsolver = \"hd\"\n[grid]\nn = [12, 12, 12]\n" \
  "[initial]\nkind = \"rest\"\n[time]\nend = 1.0\nscheme = \"rk4\"\n" \
  "[parallel]\nreproducible = true\n"

static const double eps = (double)TRIAD_EPSILON;

enum { is_single = sizeof(triad_real) == 4 };
enum { ENERGY, ENSTROPHY, DISSIPATION, INJECTION, HELICITY };

/* ---- noise with a correlation time ---- */

/* Sums over the band of weight Re conj(a).b of two forces, by component, [3] in all. */
static void products(const triad_forcing *p, const double *a, const double *b, double sum[3])
{
  for (int c = 0; c < 3; c++) {
    double mine = 0;
    for (int64_t m = 0; m < p->count; m++)
      mine += p->weight[m] * (a[6 * m + 2 * c] * b[6 * m + 2 * c] + a[6 * m + 2 * c + 1] * b[6 * m + 2 * c + 1]);
    sum[c] = test_total(mine);
  }
}

/* What the numbers of S draws have in the mean, with the error of that: D = 4 normal numbers a mode (of a pair) make
 * a mean square whose relative variance is 2/D, and draws that are r alike count as S (1 - r^2)/(1 + r^2). A force
 * kicks nothing, so that the flow stays at rest. Five of these errors: one in two million by chance, and the seed is
 * fixed. */
TRIAD_TEST(noise_has_its_mean_square_its_correlation_time_and_no_direction)
{
  enum { STEPS = 4000, LAG = 3 };
  const char *sets[] = {"forcing.kind=\"ornstein-uhlenbeck\"", "forcing.correlation_time=0.5", "forcing.amplitude=0.3",
                        "forcing.k_range=[1.0, 2.0]", NULL};
  const double dt = 0.1, r = exp(-0.1 / 0.5);
  test_flow f = test_flow_make(test_together(), CASE, sets);
  triad_forcing *p = f.flow->forcing;
  const size_t bytes = 6 * (size_t)p->count * sizeof *p->f;
  double *past[LAG], square[3] = {0}, lagged = 0;
  for (int i = 0; i < LAG; i++) past[i] = calloc(1, bytes + 1);
  for (int s = 0; s < STEPS; s++) {
    double now[3], then[3];
    products(p, p->f, p->f, now);
    for (int c = 0; c < 3; c++) square[c] += now[c] / STEPS;
    if (s >= LAG) {
      products(p, p->f, past[s % LAG], then);
      lagged += (then[0] + then[1] + then[2]) / (STEPS - LAG);
    }
    memcpy(past[s % LAG], p->f, bytes);
    TRIAD_CHECK(triad_forcing_kick(p, f.flow, dt));
    f.flow->at.step++;
  }
  const double wish = 0.3 * 0.3, free_numbers = 4 * (double)p->noise.of.count, alike = r * r;
  const double error = sqrt(2 / free_numbers / STEPS * (1 + alike) / (1 - alike));
  TRIAD_NEAR(square[0] + square[1] + square[2], wish, 5 * error, "mean square of the force");
  TRIAD_WITHIN(lagged / wish, pow(r, LAG), 5 * error, "correlation three steps apart");
  for (int c = 0; c < 3; c++) TRIAD_NEAR(square[c], wish / 3, 5 * 3 * error, "mean square of a component");
  for (int i = 0; i < LAG; i++) free(past[i]);
  test_flow_free(&f);
}

TRIAD_TEST(noise_is_solenoidal_real_and_of_the_handedness_asked_for)
{
  const char *sets[] = {"forcing.kind=\"ornstein-uhlenbeck\"", "forcing.helicity=1.0", "forcing.k_range=[1.0, 1.0]",
                        "grid.n=[12, 10, 15]", NULL};
  double columns[TRIAD_MAX_COLUMNS], worst = 0;
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  test_advance(f.flow, 1e-3, 3);
  TRIAD_CHECK(triad_budget_measure(f.flow, columns));
  TRIAD_HOLDS(columns[ENERGY] > 0, "the force moves nothing");
  TRIAD_NEAR(columns[HELICITY], 2 * columns[ENERGY], 50 * eps + 1e-5, "helicity 2 k E of |k| = 1, advection aside");
  TRIAD_WITHIN(columns[6], 0, 20 * eps * sqrt(2 * columns[ENSTROPHY]), "rms div u over rms curl u");
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 1; j < l->nkz && l->self[c]; j++)
      for (int i = 0; i < 3; i++) {
        triad_cplx a = f.flow->u[i][triad_layout_place(l, c, j)],
                   b = f.flow->u[i][triad_layout_place(l, c, l->nkz - j)];
        worst = fmax(worst, hypot((double)(a.re - b.re), (double)(a.im + b.im)));
      }
  TRIAD_WITHIN(test_largest(worst), 0, 0, "u(-k) - conj u(k) where both are held");
  test_flow_free(&f);
}

/* The force is constant over a step, and its work there the mean of both ends to the third order of dt. */
TRIAD_TEST(injection_of_noise_is_the_work_of_a_step)
{
  double error[2];
  for (int i = 0; i < 2; i++) {
    const char *sets[] = {"forcing.kind=\"ornstein-uhlenbeck\"", "initial.kind=\"random\"", NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    const double dt = i ? 0.02 : 0.04, before = test_column(f.flow, ENERGY);
    test_advance(f.flow, dt, 1);
    error[i] = fabs(test_column(f.flow, ENERGY) - before - dt * test_column(f.flow, INJECTION));
    TRIAD_HOLDS(error[i] < 1e-4 * before, "energy put in is off by %g of %g", error[i], before);
    test_flow_free(&f);
  }
  TRIAD_HOLDS(is_single || fabs(log2(error[0] / error[1]) - 3) < 0.2, "errors %g, %g: order 3", error[0], error[1]);
}

/* Noise, energy and gain come back from the notes of a checkpoint bit by bit: the steps after it are the same. */
TRIAD_TEST(forces_go_on_from_their_notes)
{
  static const char *const kinds[] = {"forcing.kind=\"ornstein-uhlenbeck\"", "forcing.kind=\"constant-energy\"", NULL};
  for (int i = 0; kinds[i]; i++) {
    const char *sets[] = {kinds[i], "initial.kind=\"random\"", NULL};
    triad_notes *notes = NULL;
    test_flow a = test_flow_make(test_together(), CASE, sets), b = test_flow_make(test_together(), CASE, sets);
    test_advance(a.flow, 0.01, 3);
    TRIAD_CHECK(triad_notes_create(&notes));
    TRIAD_CHECK(triad_forcing_keep(a.flow->forcing, notes));
    for (int c = 0; c < 3; c++) memcpy(b.flow->u[c], a.flow->u[c], (size_t)a.flow->layout->modes * sizeof **a.flow->u);
    b.flow->at = a.flow->at;
    triad_forcing_settle(b.flow->forcing, b.flow, notes, NULL);
    TRIAD_NEAR(test_column(b.flow, INJECTION), test_column(a.flow, INJECTION), 0, "injection of the last step");
    test_advance(a.flow, 0.01, 3);
    test_advance(b.flow, 0.01, 3);
    TRIAD_WITHIN(test_distance(a.flow, b.flow, 1), 0, 0, kinds[i]);
    triad_notes_destroy(&notes);
    test_flow_free(&a);
    test_flow_free(&b);
  }
}

/* ---- along the field ---- */

/* A slow field, so that advection's own error is below rounding (test_forcing.c): what the band gains is what all
 * gain. */
TRIAD_TEST(constant_energy_keeps_its_band_and_tells_what_that_takes)
{
  const char *sets[] = {"forcing.kind=\"constant-energy\"", "initial.kind=\"random\"", "initial.energy=1e-4",
                        "equations.viscosity=0.1", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  double before = test_column(f.flow, ENERGY), sums[TRIAD_FORCE_SUMS];
  TRIAD_CHECK(triad_force_measure(f.flow->forcing, f.flow, sums));
  const double kept = sums[TRIAD_FORCE_ENERGY], lost = test_column(f.flow, DISSIPATION);
  TRIAD_WITHIN(test_column(f.flow, INJECTION), 0, 0, "nothing before the first step");
  test_advance(f.flow, 1e-3, 1);
  TRIAD_CHECK(triad_force_measure(f.flow->forcing, f.flow, sums));
  TRIAD_NEAR(sums[TRIAD_FORCE_ENERGY], kept, 10 * eps, "energy of the band");
  const double change = test_column(f.flow, ENERGY) - before, put = 1e-3 * test_column(f.flow, INJECTION);
  /* of a step, to (2 nu k^2 dt)^2/12 = 1e-6 at k = 4 */
  const double mean = (lost + test_column(f.flow, DISSIPATION)) / 2;
  TRIAD_WITHIN(change, put - 1e-3 * mean, 100 * eps * before + 1e-6 * 1e-3 * lost + 1e-3 * put,
               "dE = (injection - dissipation) dt");
  test_flow_free(&f);
}

/* A Beltrami field feels no advection: u = exp((A - nu) t) u_0, exactly in any scheme. */
TRIAD_TEST(linear_force_makes_a_beltrami_field_grow_exactly)
{
  const char *sets[] = {"forcing.kind=\"linear\"", "forcing.rate=0.7",   "initial.kind=\"abc\"",
                        "equations.viscosity=0.2", "equations.drag=0.1", NULL};
  const char *start[] = {"initial.kind=\"abc\"", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets), exact = test_flow_make(test_together(), CASE, start);
  test_advance(f.flow, 0.05, 10);
  const double growth = exp((0.7 - 0.2 - 0.1) * 0.5);
  TRIAD_WITHIN(test_distance(f.flow, exact.flow, growth) / growth, 0, 60 * eps, "u = exp((A - nu k^2 - drag) t) u_0");
  TRIAD_NEAR(test_column(f.flow, INJECTION), 2 * 0.7 * test_column(f.flow, ENERGY), 10 * eps, "injection = 2 A E");
  TRIAD_NEAR(test_column(f.flow, DISSIPATION), 2 * 0.3 * test_column(f.flow, ENERGY), 10 * eps,
             "dissipation without A");
  test_flow_free(&f);
  test_flow_free(&exact);
}

TRIAD_TEST(linear_force_drives_the_field_of_the_case_alone)
{
  const char *sets[] = {"equations.solver=\"mhd\"",
                        "forcing.kind=\"linear\"",
                        "forcing.field=\"magnetic\"",
                        "forcing.rate=0.7",
                        "initial.kind=\"abc\"",
                        "initial.magnetic_amplitude=0.5",
                        NULL};
  const char *start[] = {"equations.solver=\"mhd\"", "initial.kind=\"abc\"", "initial.magnetic_amplitude=0.5", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets), exact = test_flow_make(test_together(), CASE, start);
  test_advance(f.flow, 0.05, 10); /* u and b are along each other: neither changes the other */
  double columns[TRIAD_MAX_COLUMNS], was[TRIAD_MAX_COLUMNS];
  TRIAD_CHECK(triad_budget_measure(f.flow, columns));
  TRIAD_CHECK(triad_budget_measure(exact.flow, was));
  const double u = was[ENERGY] / 1.25, b = 0.25 * u; /* amplitudes 1 and 0.5 */
  TRIAD_NEAR(columns[ENERGY], u + b * exp(2 * 0.7 * 0.5), 200 * eps, "energy of u as it was, of b grown");
  TRIAD_NEAR(columns[INJECTION], 2 * 0.7 * b * exp(2 * 0.7 * 0.5), 200 * eps, "injection = 2 A E_b");
  test_flow_free(&f);
  test_flow_free(&exact);
}

/* Sum of |k.u|^2. */
static double divergence(const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double mine = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
      double re = 0, im = 0;
      for (int i = 0; i < 3; i++) {
        re += k[i] * (double)flow->u[i][triad_layout_place(l, c, j)].re;
        im += k[i] * (double)flow->u[i][triad_layout_place(l, c, j)].im;
      }
      mine += l->weight[c] * (re * re + im * im);
    }
  return test_total(mine);
}

/* The pressure keeps whatever divergence it finds, so that a force along the field could let rounding grow with the
 * field: by e here, e^5 in the last. i s k is a divergence of a real field, which viscosity alone is to change. */
TRIAD_TEST(forces_along_the_field_let_no_divergence_grow)
{
  static const char *const sets_of[3][6] = {
    {"forcing.kind=\"constant-power\"", "forcing.power=6", "initial.kind=\"abc\"", "equations.viscosity=0.5", NULL},
    {"forcing.kind=\"constant-energy\"", "forcing.k_range=[1.0, 2.0]", "initial.kind=\"abc\"",
     "equations.viscosity=0.5", NULL},
    {"forcing.kind=\"linear\"", "forcing.rate=5", "initial.kind=\"random\"", "initial.energy=1e-8",
     "equations.viscosity=0", NULL}};
  for (int i = 0; i < 3; i++) {
    const char *const *sets = sets_of[i];
    test_flow f = test_flow_make(test_together(), CASE, sets);
    const triad_layout *l = f.flow->layout;
    const double small = 100 * eps;
    TRIAD_CHECK(triad_state_write_all(f.flow->state, TRIAD_HOST));
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
        if (k[0] * k[0] + k[1] * k[1] + k[2] * k[2] > 1.5) continue; /* those of k = 1 */
        for (int a = 0; a < 3; a++) f.flow->u[a][triad_layout_place(l, c, j)].im += (triad_real)(small * k[a]);
      }
    const double before = divergence(f.flow);
    for (int n = 0; n < 105; n++) {
      triad_step step = {.dt = 0.01, .land_on = INFINITY};
      TRIAD_CHECK(triad_solver_spectral.advance(f.flow, &step));
    }
    const double times = sqrt(divergence(f.flow) / before), decay = i < 2 ? exp(-0.5 * 1.05) : 1;
    TRIAD_HOLDS(times < 1.1 * decay, "%s: %g times the divergence", sets[0], times);
    test_flow_free(&f);
  }
}

/* ---- what is held ---- */

/* A box of turbulence in one equation, dE/dt = P - E^(3/2)/L: from any start the wish is reached within ten
 * turnovers to what e^(-10 0.9) leaves of a factor of twenty. */
TRIAD_TEST(a_power_that_holds_a_quantity_brings_a_model_of_turbulence_there)
{
  static const char *const held[] = {"energy", "dissipation", "re_lambda", NULL};
  static const double starts[] = {0.05, 1, 20};
  for (int h = 0; held[h]; h++)
    for (int s = 0; s < 3; s++) {
      char word[60];
      (void)snprintf(word, sizeof word, "forcing.hold=\"%s\"", held[h]);
      const char *sets[] = {
        "forcing.kind=\"random\"", "forcing.power=1", "forcing.hold_value=2", "equations.viscosity=0.01", word, NULL};
      test_flow f = test_flow_make(test_together(), CASE, sets);
      triad_forcing *p = f.flow->forcing;
      double e = starts[s], columns[TRIAD_MAX_COLUMNS] = {0}, *now = &columns[p->control.column];
      for (double turnovers = 0; turnovers < 10;) {
        const double lost = e * sqrt(e), dt = 0.05 * e / lost;
        columns[ENERGY] = e;
        columns[DISSIPATION] = lost;
        if (h == 2) *now = pow(e, 0.25) * 1.5; /* Re_lambda ~ (u L/nu)^(1/2) */
        f.flow->at.t += dt;
        triad_forcing_control(p, f.flow, columns);
        e += dt * (p->power - lost);
        turnovers += 0.05;
      }
      TRIAD_NEAR(*now, 2, 0.01, held[h]);
      test_flow_free(&f);
    }
}

TRIAD_TEST(what_cannot_be_held_is_refused)
{
  static const char *const bad[][3] = {
    {"forcing.kind=\"abc\"", "forcing.hold_value=1", "forcing.hold=\"energy\""},
    {"forcing.kind=\"random\"", "forcing.hold_value=0", "forcing.hold=\"energy\""},
    {"forcing.kind=\"random\"", "forcing.hold_value=1", "forcing.hold=\"re_lambda\""}};
  for (int i = 0; i < 3; i++) {
    triad_case *given = NULL;
    TRIAD_EQUAL(triad_case_parse(&given, "test", CASE, strlen(CASE), bad[i], 3), TRIAD_ERR_CASE, bad[i][0]);
    TRIAD_HOLDS(strstr(triad_case_errors(given), "forcing.hold"), "told: %s", triad_case_errors(given));
    triad_case_destroy(&given);
  }
}

TRIAD_MAIN
