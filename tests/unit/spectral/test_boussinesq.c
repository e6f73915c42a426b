/* Stratified flow: what its right-hand side, its budgets and its initial fields must satisfy; and the one box in
 * another shape that every fluid set must not notice.   ranks: 1 2 3   threads: 1 2   precision: both   timeout: 200 */
#include "operator.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

#define CASE(grid, length, truncation, equations) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"boussinesq\"\n" equations "[grid]\nn = " grid \
  "\nlength = " length "\ntruncation = \"" truncation "\"\n" \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nhelicity = 0.6\n" \
  "potential_energy = 0.4\n[time]\nend = 100.0\n[parallel]\nreproducible = true\n"
#define SHAPES(equations) \
  { \
    CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", equations), \
      CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", equations), \
      CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box", equations), \
      CASE("[9, 12, 10]", "[5.0, \"2pi\", 4.0]", "sphere\"\ndealiasing = \"phase-shift", equations) \
  }
enum { SHAPES_COUNT = 4, THETA = 3 };
enum { C_ENERGY = 0, C_DISSIPATION = 2, C_INJECTION, C_KINETIC = 14, C_POTENTIAL, C_FLUX, C_VISCOUS, C_DIFFUSIVE };

#define ALL "buoyancy_frequency = 1.7\nrotation = [0.2, 0.7, -0.4]\n"
static const char *const neutral[] = SHAPES("buoyancy_frequency = 0.0\n");
static const char *const full[] = SHAPES(ALL);
static const char *const damped =
  CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", ALL "viscosity = 0.02\ndiffusivity = 0.03\n");

static double total_of(triad_sum *sum)
{
  double value = NAN;
  TRIAD_CHECK(triad_sum_all(triad_test_comm(), sum, 1, &value));
  return value;
}

/* Rates of E_k + E_p and of E_p by N alone, over the sum of the sizes of their terms. */
static void relative_rates(const char *text, double *energy, double *potential)
{
  test_flow f = test_flow_make(test_together(), text, NULL);
  test_operator r = test_operator_apply(f.flow);
  const triad_layout *l = f.flow->layout;
  triad_sum sum[4];
  for (int q = 0; q < 4; q++) triad_sum_clear(&sum[q]);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      for (int i = 0; i < 4; i++) {
        int64_t at = triad_layout_place(l, c, j);
        triad_cplx u = f.flow->u[i][at], n = r.n[i][at];
        double work = (double)u.re * (double)n.re + (double)u.im * (double)n.im;
        double size = hypot((double)u.re, (double)u.im) * hypot((double)n.re, (double)n.im);
        triad_sum_add(&sum[0], l->weight[c] * work);
        triad_sum_add(&sum[1], l->weight[c] * size);
        if (i == THETA) triad_sum_add(&sum[2], l->weight[c] * work);
        if (i == THETA) triad_sum_add(&sum[3], l->weight[c] * size);
      }
  *energy = total_of(&sum[0]) / total_of(&sum[1]);
  *potential = total_of(&sum[2]) / total_of(&sum[3]);
  test_operator_free(&r);
  test_flow_free(&f);
}

TRIAD_TEST(buoyancy_rotation_and_advection_create_no_energy)
{
  double energy, potential;
  for (int i = 0; i < SHAPES_COUNT; i++) {
    relative_rates(full[i], &energy, &potential);
    TRIAD_WITHIN(energy, 0, 45 * eps, "E_k + E_p"); /* 1e-14 in double; as in test_hd.c */
    relative_rates(neutral[i], &energy, &potential);
    TRIAD_WITHIN(energy, 0, 45 * eps, "E_k + E_p without stratification");
    TRIAD_WITHIN(potential, 0, 45 * eps, "mean theta^2 without stratification");
  }
}

typedef struct reference {
  test_cube cube;
  double down, up, rotation[3];
} reference;

/* The equations as they are written, mode by mode. */
static void rate_by_triads(void *who, const int64_t k[3], const double w[3], double out[][2])
{
  const reference *r = who;
  int pair[12][2];
  double s[12][2];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) pair[3 * i + j][0] = i, pair[3 * i + j][1] = j;
  test_cube_convolve(&r->cube, k, 12, (const int(*)[2])pair, s);
  int64_t here = test_cube_place(&r->cube, k[0], k[1], k[2]);
  for (int i = 0; i < 4; i++) {
    out[i][0] = out[i][1] = 0;
    for (int j = 0; j < 3; j++) {
      out[i][0] += w[j] * s[3 * i + j][1];
      out[i][1] -= w[j] * s[3 * i + j][0];
    }
  }
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      out[i][p] -= 2 * (r->rotation[a] * r->cube.v[b][here][p] - r->rotation[b] * r->cube.v[a][here][p]);
    }
    out[2][p] -= r->down * r->cube.v[THETA][here][p];
    out[THETA][p] += r->up * r->cube.v[2][here][p];
  }
  test_project(w, out);
}

TRIAD_TEST(rates_equal_sums_over_triads)
{
  const char *unstable[] = {"equations.stratification=\"unstable\"", NULL};
  triad_context *one = test_alone();
  for (int t = 0; t < SHAPES_COUNT; t++) {
    const char *const *sets = t == 2 ? unstable : NULL;
    test_flow f = test_flow_make(test_together(), full[t], sets), alone = test_flow_make(one, full[t], sets);
    for (int64_t c = 0; c < f.flow->layout->n_columns; c++) /* a mean theta pulls at nothing */
      if (f.flow->layout->kx[c] == 0 && f.flow->layout->ky[c] == 0)
        f.flow->u[THETA][triad_layout_place(f.flow->layout, c, 0)].re = (triad_real)0.3;
    alone.flow->u[THETA][triad_layout_place(alone.flow->layout, 0, 0)].re = (triad_real)0.3;
    TRIAD_EQUAL(alone.flow->layout->kx[0] + alone.flow->layout->ky[0], 0, "the first column is the mean one");
    test_operator r = test_operator_apply(f.flow);
    reference ref = {test_cube_make(alone.flow), t == 2 ? -1.7 : 1.7, 1.7, {0.2, 0.7, -0.4}};
    TRIAD_WITHIN(test_operator_error(&r, rate_by_triads, &ref), 0, 100 * eps, "N");
    test_cube_free(&ref.cube);
    test_operator_free(&r);
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

TRIAD_TEST(series_columns_have_the_names_of_the_contract)
{
  test_flow f = test_flow_make(test_together(), full[0], NULL);
  const triad_shape *s = &f.flow->shape;
  TRIAD_HOLDS(strcmp(s->columns[C_KINETIC].name, "kinetic_energy") == 0 &&
                strcmp(s->columns[C_POTENTIAL].name, "potential_energy") == 0,
              "%s, %s", s->columns[C_KINETIC].name, s->columns[C_POTENTIAL].name);
  test_flow_free(&f);
}

TRIAD_TEST(energy_budget_closes_to_the_order_of_the_scheme)
{
  static const char *const kinds[][6] = {
    {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", NULL},
    {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", "equations.stratification=\"unstable\"", NULL},
    {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", "forcing.kind=\"constant-power\"", "forcing.field=\"theta\"",
     "forcing.power=0.8", NULL}};
  for (int i = 0; i < 3; i++) {
    double coarse = test_budget_error(test_together(), damped, kinds[i], 0.02);
    double fine = test_budget_error(test_together(), damped, kinds[i], 0.01);
    TRIAD_HOLDS(fine < 1e-6, "case %d: the budget is open by %g", i, fine);
    if (eps < 1e-10) TRIAD_HOLDS(log2(coarse / fine) > 4, "case %d: %g, then %g", i, coarse, fine);
  }
}

TRIAD_TEST(ideal_flow_keeps_its_energy_to_the_order_of_the_scheme)
{
  if (eps > 1e-10) TRIAD_SKIP("round-off of single precision hides the drift");
  const char *sets[] = {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", NULL};
  double drift[2], first = 0;
  for (int half = 0; half < 2; half++) {
    test_flow f = test_flow_make(test_together(), full[0], sets);
    first = test_column(f.flow, C_ENERGY);
    test_advance(f.flow, 0.04 / (1 + half), 20 * (1 + half));
    drift[half] = fabs(test_column(f.flow, C_ENERGY) - first);
    test_flow_free(&f);
  }
  TRIAD_HOLDS(drift[1] < 1e-5 * first, "drift %g", drift[1]);
  TRIAD_HOLDS(log2(drift[0] / drift[1]) > 3.7, "drift %g, then %g", drift[0], drift[1]);
}

TRIAD_TEST(answer_is_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  static const char *const kinds[] = {"initial.kind=\"random\"", "initial.kind=\"shear-layer\"",
                                      "initial.kind=\"puff\"", "forcing.kind=\"random\""};
  triad_context *one = test_alone();
  for (int t = 0; t < 4; t++) {
    const char *sets[] = {kinds[t], "initial.noise=0.1", "forcing.field=\"theta\"", NULL};
    test_same_alone(one, full[t % 3], sets, 0.01, 5, kinds[t]);
  }
  triad_context_destroy(&one);
}

TRIAD_TEST(random_theta_has_the_energy_asked_for)
{
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), full[1], NULL);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[C_POTENTIAL], 0.4, 30 * eps, "potential energy");
  TRIAD_NEAR(c[C_KINETIC], 0.5, 30 * eps, "kinetic energy");
  TRIAD_NEAR(c[C_ENERGY], 0.9, 30 * eps, "energy");
  test_flow_free(&f);
}

TRIAD_TEST(random_force_on_theta_injects_its_power_into_theta)
{
  const char *sets[] = {"initial.kind=\"rest\"", "forcing.kind=\"random\"", "forcing.field=\"theta\"",
                        "forcing.power=0.4", NULL};
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), full[0], sets);
  test_advance(f.flow, 0.01, 1);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[C_POTENTIAL], 0.004, 20 * eps, "P dt");
  TRIAD_WITHIN(c[C_KINETIC], 0, 0, "kinetic energy");
  test_advance(f.flow, 0.01, 1);
  double energy = test_column(f.flow, C_ENERGY);
  TRIAD_NEAR(energy, 0.008, 1e-5, "2 P dt, but for the scheme's error in the exchange");
  test_flow_free(&f);
}

/* ---- shapes in space, by their values ---- */

static void check_shape(const char *const *sets, void (*make)(const double x[3], const double length[3], double v[4]),
                        double tolerance)
{
  test_flow f = test_flow_make(test_together(), neutral[0], sets);
  const triad_layout *l = f.flow->layout;
  const triad_grid *g = &l->grid;
  int64_t points = l->n_planes * g->n[1] * g->n[0];
  double worst = 0, mean[4] = {0}, most[4] = {0};
  triad_real *x[4];
  for (int i = 0; i < 4; i++) {
    x[i] = calloc((size_t)points + 1, sizeof *x[i]);
    assert_non_null(x[i]);
    const triad_cplx *from[1] = {f.flow->u[i]};
    TRIAD_CHECK(triad_backward(f.flow->pass, l, 1, from, &x[i]));
  }
  for (int again = 0; again < 2; again++) { /* first the mean of the formula, which is left out */
    for (int64_t p = 0; p < points; p++) {
      double at[3] = {(double)(p % g->n[0]) * triad_grid_spacing(g, 0),
                      (double)(p / g->n[0] % g->n[1]) * triad_grid_spacing(g, 1),
                      (double)(p / g->n[0] / g->n[1] + l->plane_begin[l->rank]) * triad_grid_spacing(g, 2)},
             v[4];
      make(at, g->length, v);
      for (int i = 0; i < 4; i++) {
        if (again) worst = fmax(worst, fabs((double)x[i][p] - (v[i] - mean[i])));
        else most[i] += v[i];
      }
    }
    for (int i = 0; i < 4 && !again; i++) mean[i] = test_total(most[i]) / (double)triad_grid_points(g);
  }
  TRIAD_WITHIN(test_largest(worst), 0, tolerance, sets[0]);
  for (int i = 0; i < 4; i++) free(x[i]);
  test_flow_free(&f);
}

static double layer(double z, double length)
{
  double p = 0;
  for (int n = -3; n <= 3; n++) p += tanh((z - (n + 0.25) * length) / 0.8) - tanh((z - (n + 0.75) * length) / 0.8);
  return p;
}

static void shear(const double x[3], const double length[3], double v[4])
{
  v[0] = 1.5 * layer(x[2], length[2]), v[1] = 0, v[2] = 1.5 * 0.1 * cos(2 * two_pi * x[0] / length[0]);
  v[3] = -0.7 * layer(x[2], length[2]);
}

static void blob(const double x[3], const double length[3], double v[4])
{
  static const double part[3] = {0.25, 0.5, 0.9};
  double p = 2;
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int n = -3; n <= 3; n++) sum += exp(-pow(x[i] - (part[i] + n) * length[i], 2) / (2 * 0.9 * 0.9));
    p *= sum;
  }
  v[0] = v[1] = v[2] = 0, v[3] = p;
}

TRIAD_TEST(shear_layer_and_puff_have_their_formulae)
{
  const char *wave[] = {"initial.kind=\"shear-layer\"",
                        "initial.amplitude=1.5",
                        "initial.width=0.8",
                        "initial.wavenumber=2",
                        "initial.disturbance=0.1",
                        "initial.theta_amplitude=-0.7",
                        "initial.potential_energy=0.0",
                        "grid.n=[12, 8, 64]",
                        "grid.length=[5.0, 4.0, 12.0]",
                        "grid.truncation=\"box\"",
                        NULL};
  const char *puff[] = {"initial.kind=\"puff\"",   "initial.amplitude=2.0",
                        "initial.width=0.9",       "initial.centre=[0.25, 0.5, 0.9]",
                        "grid.n=[32, 36, 40]",     "grid.length=[7.0, 8.0, 9.0]",
                        "grid.truncation=\"box\"", NULL};
  /* what the truncation leaves out: pi k d/sinh(pi k d/2) and exp(-k^2 d^2/2) at the last kept k */
  check_shape(wave, shear, 1e-4 + 100 * eps);
  check_shape(puff, blob, 2e-8 + 100 * eps);
}

TRIAD_MAIN
