/* Magnetohydrodynamics: what its right-hand side, its budgets and its initial fields must satisfy.
 * ranks: 1 2 3   threads: 1 2   precision: both   timeout: 200 */
#include "operator.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

#define CASE(grid, length, truncation, equations) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"mhd\"\n" equations "[grid]\nn = " grid \
  "\nlength = " length "\ntruncation = \"" truncation "\"\n" \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nhelicity = 0.6\n" \
  "magnetic_helicity = -0.4\ncross_helicity = 0.3\nmagnetic_energy = 0.7\n" \
  "[time]\nend = 100.0\n[parallel]\nreproducible = true\n"
#define SHAPES(equations) \
  { \
    CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", equations), \
      CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", equations), \
      CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box", equations), \
      CASE("[9, 12, 10]", "[5.0, \"2pi\", 4.0]", "sphere\"\ndealiasing = \"phase-shift", equations) \
  }
enum { SHAPES_COUNT = 4, FIELD = 3 };

static const char *const plain[] = SHAPES("");
static const char *const mean[] = SHAPES("mean_field = [0.5, -0.3, 1.1]\n");
static const char *const hall[] = SHAPES("hall = 0.3\n");
static const char *const full[] = SHAPES("mean_field = [0.5, -0.3, 1.1]\nhall = 0.3\nrotation = [0.2, 0.7, -0.4]\n");
static const char *const damped =
  CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere",
       "viscosity = 0.02\nresistivity = 0.013\nhyperresistivity = 1e-5\nmean_field = [0.0, 0.0, 1.0]\n");

static double total_of(triad_sum *sum)
{
  double value = NAN;
  TRIAD_CHECK(triad_sum_all(triad_test_comm(), sum, 1, &value));
  return value;
}

enum { ENERGY, CROSS, MAGNETIC_HELICITY, QUANTITIES };

/* Rates of change by N alone, each over the sum of the sizes of its terms. */
static void relative_rates(const char *text, double rate[QUANTITIES])
{
  test_flow f = test_flow_make(test_together(), text, NULL);
  test_operator r = test_operator_apply(f.flow);
  const triad_layout *l = f.flow->layout;
  triad_sum sum[QUANTITIES], size[QUANTITIES];
  for (int q = 0; q < QUANTITIES; q++) triad_sum_clear(&sum[q]), triad_sum_clear(&size[q]);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      test_vec u = test_vec_at(f.flow->u, at), b = test_vec_at(f.flow->u + FIELD, at), nu = test_vec_at(r.n, at);
      test_vec nb = test_vec_at(r.n + FIELD, at), a = test_curl(k, b);
      for (int i = 0; i < 3; i++) a.re[i] /= k2 > 0 ? k2 : 1, a.im[i] /= k2 > 0 ? k2 : 1;
      double w = l->weight[c], uu = sqrt(test_dot(u, u)), bb = sqrt(test_dot(b, b)), nn = sqrt(test_dot(nu, nu)),
             mm = sqrt(test_dot(nb, nb));
      triad_sum_add(&sum[ENERGY], w * (test_dot(u, nu) + test_dot(b, nb)));
      triad_sum_add(&size[ENERGY], w * (uu * nn + bb * mm));
      triad_sum_add(&sum[CROSS], w * (test_dot(u, nb) + test_dot(b, nu)));
      triad_sum_add(&size[CROSS], w * (uu * mm + bb * nn));
      triad_sum_add(&sum[MAGNETIC_HELICITY], 2 * w * test_dot(a, nb));
      triad_sum_add(&size[MAGNETIC_HELICITY], 2 * w * sqrt(test_dot(a, a)) * mm);
    }
  for (int q = 0; q < QUANTITIES; q++) {
    double all = total_of(&size[q]);
    TRIAD_HOLDS(all > 0.01, "nothing happens: %g", all);
    rate[q] = total_of(&sum[q]) / all;
  }
  test_operator_free(&r);
  test_flow_free(&f);
}

/* 45 eps is 1e-14 in double; as in test_hd.c. */
TRIAD_TEST(nonlinear_terms_keep_energy_cross_helicity_and_magnetic_helicity)
{
  double rate[QUANTITIES];
  for (int i = 0; i < SHAPES_COUNT; i++) {
    relative_rates(plain[i], rate);
    for (int q = 0; q < QUANTITIES; q++) TRIAD_WITHIN(rate[q], 0, 45 * eps, "mhd");
    relative_rates(mean[i], rate);
    TRIAD_WITHIN(rate[ENERGY], 0, 45 * eps, "energy, with a mean field");
    TRIAD_WITHIN(rate[CROSS], 0, 45 * eps, "cross-helicity, with a mean field");
    relative_rates(hall[i], rate);
    TRIAD_WITHIN(rate[ENERGY], 0, 45 * eps, "energy, with the Hall term");
    TRIAD_WITHIN(rate[MAGNETIC_HELICITY], 0, 45 * eps, "magnetic helicity, with the Hall term");
    TRIAD_HOLDS(fabs(rate[CROSS]) > 1e-5, "the Hall term does not keep cross-helicity, but it changes by %g",
                rate[CROSS]);
    relative_rates(full[i], rate);
    TRIAD_WITHIN(rate[ENERGY], 0, 45 * eps, "energy, with all terms");
  }
}

TRIAD_TEST(rates_are_solenoidal_and_leave_the_means)
{
  for (int i = 0; i < SHAPES_COUNT; i++) {
    test_flow f = test_flow_make(test_together(), full[i], NULL);
    test_operator r = test_operator_apply(f.flow);
    const triad_layout *l = f.flow->layout;
    double worst = 0, mean_rate = 0, norm = 0, k_most = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++)
        for (int first = 0; first <= FIELD; first += FIELD) {
          const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
          test_vec n = test_vec_at(r.n + first, triad_layout_place(l, c, j));
          double re = k[0] * n.re[0] + k[1] * n.re[1] + k[2] * n.re[2],
                 im = k[0] * n.im[0] + k[1] * n.im[1] + k[2] * n.im[2];
          double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
          worst = fmax(worst, hypot(re, im));
          norm += l->weight[c] * test_dot(n, n);
          k_most = fmax(k_most, sqrt(k2));
          if (!(k2 > 0)) mean_rate = fmax(mean_rate, sqrt(test_dot(n, n)));
        }
    TRIAD_WITHIN(test_largest(worst), 0, 16 * eps * test_largest(k_most) * sqrt(test_total(norm)), "k.N");
    TRIAD_WITHIN(test_largest(mean_rate), 0, 0, "N of the means");
    test_operator_free(&r);
    test_flow_free(&f);
  }
}

/* The equations as they are written, mode by mode, all nine products of the momentum equation and b as the curl of
 * an electromotive force whose current is summed over triads too. Fields 6 to 8 of the cube are curl b, fields 3 to
 * 5 B. */
typedef struct reference {
  test_cube cube;
  double hall, rotation[3];
} reference;

static void rate_by_triads(void *who, const int64_t k[3], const double w[3], double out[][2])
{
  const reference *r = who;
  int pair[36][2];
  double s[36][2], emf[3][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int at = 3 * i + j;
      pair[at][0] = i, pair[at][1] = j;                   /* u_i u_j */
      pair[9 + at][0] = 3 + i, pair[9 + at][1] = 3 + j;   /* B_i B_j */
      pair[18 + at][0] = i, pair[18 + at][1] = 3 + j;     /* u_i B_j */
      pair[27 + at][0] = 6 + i, pair[27 + at][1] = 3 + j; /* J_i B_j */
    }
  test_cube_convolve(&r->cube, k, 36, (const int(*)[2])pair, s);
  int64_t here = test_cube_place(&r->cube, k[0], k[1], k[2]);
  for (int i = 0; i < 3; i++) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    double re = 0, im = 0;
    for (int j = 0; j < 3; j++) {
      re += w[j] * (s[3 * i + j][0] - s[9 + 3 * i + j][0]);
      im += w[j] * (s[3 * i + j][1] - s[9 + 3 * i + j][1]);
    }
    out[i][0] = im;
    out[i][1] = -re;
    for (int p = 0; p < 2; p++) {
      out[i][p] -= 2 * (r->rotation[a] * r->cube.v[b][here][p] - r->rotation[b] * r->cube.v[a][here][p]);
      emf[i][p] = s[18 + 3 * a + b][p] - s[18 + 3 * b + a][p] - r->hall * (s[27 + 3 * a + b][p] - s[27 + 3 * b + a][p]);
    }
  }
  test_project(w, out);
  for (int i = 0; i < 3; i++) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    out[3 + i][0] = -(w[a] * emf[b][1] - w[b] * emf[a][1]);
    out[3 + i][1] = w[a] * emf[b][0] - w[b] * emf[a][0];
  }
}

TRIAD_TEST(rates_equal_sums_over_triads)
{
  triad_context *one = test_alone();
  for (int t = 1; t < SHAPES_COUNT; t++)
    for (int with = 0; with < 2; with++) {
      const char *text = with ? full[t] : plain[t];
      test_flow f = test_flow_make(test_together(), text, NULL), alone = test_flow_make(one, text, NULL);
      test_operator r = test_operator_apply(f.flow);
      reference ref = {
        .cube = test_cube_make(alone.flow), .hall = with ? 0.3 : 0, .rotation = {0.2 * with, 0.7 * with, -0.4 * with}};
      for (int i = 0; i < 3; i++) { /* curl b, and the mean field, behind what the flow has */
        ref.cube.v[6 + i] = calloc((size_t)ref.cube.modes, sizeof *ref.cube.v[6]);
        assert_non_null(ref.cube.v[6 + i]);
      }
      const int64_t *m = ref.cube.k;
      for (int64_t z = -m[2]; z <= m[2]; z++)
        for (int64_t y = -m[1]; y <= m[1]; y++)
          for (int64_t x = -m[0]; x <= m[0]; x++) {
            int64_t at = test_cube_place(&ref.cube, x, y, z);
            const double k[3] = {triad_grid_size_wavenumber(&alone.flow->grid, 0, x),
                                 triad_grid_size_wavenumber(&alone.flow->grid, 1, y),
                                 triad_grid_size_wavenumber(&alone.flow->grid, 2, z)};
            test_vec b, j;
            for (int i = 0; i < 3; i++) b.re[i] = ref.cube.v[3 + i][at][0], b.im[i] = ref.cube.v[3 + i][at][1];
            j = test_curl(k, b);
            for (int i = 0; i < 3; i++) ref.cube.v[6 + i][at][0] = j.re[i], ref.cube.v[6 + i][at][1] = j.im[i];
          }
      const double b0[3] = {0.5, -0.3, 1.1};
      for (int i = 0; with && i < 3; i++) ref.cube.v[3 + i][test_cube_place(&ref.cube, 0, 0, 0)][0] = b0[i];
      TRIAD_WITHIN(test_operator_error(&r, rate_by_triads, &ref), 0, 200 * eps, with ? "N with all terms" : "N");
      test_cube_free(&ref.cube);
      test_operator_free(&r);
      test_flow_free(&f);
      test_flow_free(&alone);
    }
  triad_context_destroy(&one);
}

/* ---- exact solutions ---- */

/* curl u = u and curl b = b: u, b, or both in any proportion meet nothing but gradients, also with the Hall term. */
TRIAD_TEST(beltrami_fields_decay_exactly)
{
  static const char *const parts[][2] = {{"initial.amplitude=0.0", "initial.magnetic_amplitude=1.3"},
                                         {"initial.amplitude=1.3", "initial.magnetic_amplitude=0.0"},
                                         {"initial.amplitude=0.8", "initial.magnetic_amplitude=-1.1"}};
  for (int i = 0; i < 3; i++)
    for (int with = 0; with < 2; with++) {
      const char *sets[] = {"initial.kind=\"abc\"",
                            "initial.abc=[1.0, 0.7, 0.4]",
                            "equations.viscosity=0.05",
                            "equations.resistivity=0.02",
                            parts[i][0],
                            parts[i][1],
                            NULL};
      test_flow f = test_flow_make(test_together(), with ? hall[0] : plain[0], sets);
      test_flow start = test_flow_make(test_together(), with ? hall[0] : plain[0], sets);
      const triad_layout *l = f.flow->layout;
      double error = 0, size = 0, t = 2;
      test_advance(f.flow, t / 40, 40);
      for (int64_t m = 0; m < l->modes; m++)
        for (int c = 0; c < 6; c++) {
          double fade = exp(-(c < FIELD ? 0.05 : 0.02) * t);
          error += pow((double)f.flow->u[c][m].re - fade * (double)start.flow->u[c][m].re, 2) +
                   pow((double)f.flow->u[c][m].im - fade * (double)start.flow->u[c][m].im, 2);
          size += pow((double)start.flow->u[c][m].re, 2) + pow((double)start.flow->u[c][m].im, 2);
        }
      TRIAD_WITHIN(sqrt(test_total(error) / test_total(size)), 0, 100 * eps, parts[i][0]);
      test_flow_free(&f);
      test_flow_free(&start);
    }
}

/* ---- budgets ---- */

enum {
  C_ENERGY = 0,
  C_DIVERGENCE = 6,
  C_KINETIC = 14,
  C_MAGNETIC,
  C_CROSS,
  C_HELICITY,
  C_CURRENT,
  C_VISCOUS,
  C_JOULE,
  C_DIV_B
};

TRIAD_TEST(series_columns_have_the_names_of_the_contract)
{
  static const char *const names[] = {"kinetic_energy", "magnetic_energy", "cross_helicity", "magnetic_helicity"};
  test_flow f = test_flow_make(test_together(), plain[0], NULL);
  for (int i = 0; i < 4; i++)
    TRIAD_HOLDS(strcmp(f.flow->shape.columns[C_KINETIC + i].name, names[i]) == 0, "column %d is %s, expected %s",
                C_KINETIC + i, f.flow->shape.columns[C_KINETIC + i].name, names[i]);
  test_flow_free(&f);
}

TRIAD_TEST(energy_budget_closes_to_the_order_of_the_scheme)
{
  const char *sets[] = {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", NULL};
  const char *forced[] = {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"",   "forcing.kind=\"abc\"",
                          "forcing.field=\"magnetic\"", "forcing.amplitude=0.7", NULL};
  const char *const *both[] = {sets, forced};
  for (int i = 0; i < 2; i++) {
    double coarse = test_budget_error(test_together(), damped, both[i], 0.04);
    double fine = test_budget_error(test_together(), damped, both[i], 0.02);
    TRIAD_HOLDS(fine < 1e-6, "the budget is open by %g", fine);
    if (eps < 1e-10) TRIAD_HOLDS(log2(coarse / fine) > 4, "%g, then %g", coarse, fine);
  }
}

TRIAD_TEST(ideal_flow_keeps_its_invariants_to_the_order_of_the_scheme)
{
  if (eps > 1e-10) TRIAD_SKIP("round-off of single precision hides the drift");
  static const struct {
    const char *const *text;
    int column[3];
  } all[] = {{plain, {C_ENERGY, C_CROSS, C_HELICITY}}, {hall, {C_ENERGY, C_HELICITY, C_HELICITY}}};
  const char *sets[] = {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", NULL};
  for (int i = 0; i < 2; i++)
    for (int q = 0; q < 3; q++) {
      double drift[2], first = 0;
      for (int half = 0; half < 2; half++) {
        test_flow f = test_flow_make(test_together(), all[i].text[0], sets);
        first = test_column(f.flow, all[i].column[q]);
        test_advance(f.flow, 0.03 / (1 + half), 20 * (1 + half));
        drift[half] = fabs(test_column(f.flow, all[i].column[q]) - first);
        test_flow_free(&f);
      }
      TRIAD_HOLDS(drift[1] < 1e-5 * fabs(first), "column %d drifts by %g of %g", all[i].column[q], drift[1], first);
      TRIAD_HOLDS(log2(drift[0] / drift[1]) > 3.7, "column %d: drift %g, then %g", all[i].column[q], drift[0],
                  drift[1]);
    }
}

TRIAD_TEST(both_fields_stay_solenoidal_over_many_steps)
{
  const int steps = 1000;
  const char *sets[] = {"grid.n=[12, 12, 12]", "initial.k_range=[1.0, 3.0]", "time.scheme=\"rk2\"", NULL};
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), full[0], sets);
  test_advance(f.flow, 0.004, steps);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_WITHIN(c[C_DIVERGENCE] / sqrt(2 * c[1]), 0, eps * sqrt(steps), "rms div u over rms curl u");
  TRIAD_WITHIN(c[C_DIV_B] / sqrt(2 * c[C_CURRENT]), 0, eps * sqrt(steps), "rms div b over rms curl b");
  test_flow_free(&f);
}

TRIAD_TEST(answer_is_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  triad_context *one = test_alone();
  for (int t = 0; t < SHAPES_COUNT; t++) test_same_alone(one, full[t], NULL, 0.01, 5, "modes");
  triad_context_destroy(&one);
}

/* ---- initial fields ---- */

TRIAD_TEST(random_fields_have_the_energies_and_cross_helicity_asked_for)
{
  static const double wanted[] = {-1, -0.4, 0, 0.9, 1};
  for (int i = 0; i < 5; i++) {
    char cross[64];
    double c[TRIAD_MAX_COLUMNS];
    (void)snprintf(cross, sizeof cross, "initial.cross_helicity=%.1f", wanted[i]);
    const char *sets[] = {cross, "initial.energy=0.3", "initial.magnetic_energy=1.2", NULL};
    test_flow f = test_flow_make(test_together(), plain[1], sets);
    TRIAD_CHECK(triad_budget_measure(f.flow, c));
    TRIAD_NEAR(c[C_KINETIC], 0.3, 30 * eps, "kinetic energy");
    TRIAD_NEAR(c[C_MAGNETIC], 1.2, 30 * eps, "magnetic energy");
    TRIAD_WITHIN(c[C_CROSS], wanted[i] * 2 * sqrt(0.3 * 1.2), 30 * eps, "mean u.b");
    TRIAD_WITHIN(c[C_DIV_B], 0, 30 * eps * sqrt(2 * c[C_CURRENT]), "div b");
    test_flow_free(&f);
  }
}

/* Maximal helicity of one sign: i k x b = |k| b, so a = b/|k|. One shell: H = 2 E/k to within the shell's width. */
TRIAD_TEST(random_field_of_one_handedness_has_the_largest_magnetic_helicity)
{
  const char *sets[] = {"initial.magnetic_helicity=1.0", "initial.cross_helicity=0.0", "initial.k_range=[1.0, 1.0]",
                        NULL};
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), plain[0], sets);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_HOLDS(c[C_HELICITY] > 0.5 * 2 * 0.7 / sqrt(2), "magnetic helicity %g", c[C_HELICITY]);
  test_flow_free(&f);
}

typedef void formula(const double x[3], double b[6]);

static void orszag_tang(const double x[3], double b[6])
{
  b[0] = -2 * sin(x[1]), b[1] = 2 * sin(x[0]), b[2] = 0;
  b[3] = 0.8 * (-2 * sin(2 * x[1]) + sin(x[2])), b[4] = 0.8 * (2 * sin(x[0]) + sin(x[2])),
  b[5] = 0.8 * (sin(x[0]) + sin(x[1]));
}

static void orszag_tang_plane(const double x[3], double b[6])
{
  b[0] = -2 * sin(x[1]), b[1] = 2 * sin(x[0]), b[2] = 0;
  b[3] = -2 * sin(2 * x[1]), b[4] = 2 * sin(x[0]), b[5] = 0;
}

static void taylor_green(const double x[3], double b[6])
{
  b[0] = sin(x[0]) * cos(x[1]) * cos(x[2]), b[1] = -cos(x[0]) * sin(x[1]) * cos(x[2]), b[2] = 0;
  b[3] = cos(x[0]) * sin(x[1]) * sin(x[2]) / sqrt(3), b[4] = sin(x[0]) * cos(x[1]) * sin(x[2]) / sqrt(3);
  b[5] = -2 * sin(x[0]) * sin(x[1]) * cos(x[2]) / sqrt(3);
}

/* The modes of a formula, by sums over the points of the box that every rank does for itself. */
static void check_formula(formula *make, const char *const *sets, double kinetic, double magnetic)
{
  enum { N = 12 };
  double c[TRIAD_MAX_COLUMNS], worst = 0;
  test_flow f = test_flow_make(test_together(), plain[0], sets);
  const triad_layout *l = f.flow->layout;
  for (int64_t i = 0; i < l->n_columns; i++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double sum[6][2] = {{0}};
      if (abs(l->kx[i]) > 3 || abs(l->ky[i]) > 3 || abs(l->kz[j]) > 3) continue;
      for (int p = 0; p < N * N * N; p++) {
        const double x[3] = {two_pi * (p % N) / N, two_pi * (p / N % N) / N, two_pi * (p / N / N) / N};
        double v[6], phase = -(l->kx[i] * x[0] + l->ky[i] * x[1] + l->kz[j] * x[2]);
        make(x, v);
        for (int q = 0; q < 6; q++) sum[q][0] += v[q] * cos(phase), sum[q][1] += v[q] * sin(phase);
      }
      for (int q = 0; q < 6; q++) {
        triad_cplx u = f.flow->u[q][triad_layout_place(l, i, j)];
        worst = fmax(worst, hypot((double)u.re - sum[q][0] / (N * N * N), (double)u.im - sum[q][1] / (N * N * N)));
      }
    }
  /* the sums here have 1728 terms of up to 3, in double */
  TRIAD_WITHIN(test_largest(worst), 0, 4 * eps + 5e-14, "a mode");
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[C_KINETIC], kinetic, 10 * eps, "kinetic energy");
  TRIAD_NEAR(c[C_MAGNETIC], magnetic, 10 * eps, "magnetic energy");
  test_flow_free(&f);
}

TRIAD_TEST(named_vortices_have_their_formulae)
{
  const char *ot[] = {"initial.kind=\"orszag-tang\"", NULL};
  const char *plane[] = {"initial.kind=\"orszag-tang\"", "initial.two_dimensional=true", NULL};
  const char *tg[] = {"initial.kind=\"taylor-green\"", NULL};
  check_formula(orszag_tang, ot, 2, 1.92);
  check_formula(orszag_tang_plane, plane, 2, 2);
  check_formula(taylor_green, tg, 0.125, 0.125);
}

TRIAD_TEST(named_fields_are_solenoidal_in_any_box)
{
  static const char *const kinds[] = {"initial.kind=\"orszag-tang\"", "initial.kind=\"taylor-green\"",
                                      "initial.kind=\"abc\"", "initial.kind=\"shear-layer\""};
  for (int i = 0; i < 4; i++) {
    const char *sets[] = {kinds[i], "grid.n=[16, 20, 18]", "grid.length=[3.0, 5.0, 11.0]", "initial.noise=0.1", NULL};
    double c[TRIAD_MAX_COLUMNS];
    test_flow f = test_flow_make(test_together(), plain[0], sets);
    TRIAD_CHECK(triad_budget_measure(f.flow, c));
    TRIAD_WITHIN(c[C_DIVERGENCE], 0, 30 * eps * sqrt(2 * c[1]), "div u");
    TRIAD_WITHIN(c[C_DIV_B], 0, 30 * eps * sqrt(2 * c[C_CURRENT]), "div b");
    test_flow_free(&f);
  }
}

/* ---- forcing of b ---- */

TRIAD_TEST(random_force_on_b_injects_its_power_into_b_alone)
{
  const char *sets[] = {"initial.kind=\"rest\"", "forcing.kind=\"random\"", "forcing.field=\"magnetic\"",
                        "forcing.power=0.4",     "equations.hall=0.0",      NULL};
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), plain[0], sets);
  test_advance(f.flow, 0.01, 1);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[C_MAGNETIC], 0.004, 20 * eps, "P dt");
  TRIAD_WITHIN(c[C_KINETIC], 0, 0, "kinetic energy");
  TRIAD_NEAR(c[3], 0.4, eps, "injection");
  TRIAD_WITHIN(c[C_DIV_B], 0, 20 * eps * sqrt(2 * c[C_CURRENT]), "div b");
  test_flow_free(&f);
}

TRIAD_MAIN
