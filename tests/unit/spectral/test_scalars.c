/* Rotation and passive scalars of the hd set; and the same flow in a box of another shape, for every fluid set.
 * ranks: 1 2 3   threads: 1 2   precision: both   timeout: 200 */
#include "operator.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

#define CASE(grid, length, truncation, equations) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\n" equations "[grid]\nn = " grid "\nlength = " length \
  "\ntruncation = \"" truncation "\"\n" \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\n" \
  "[time]\nend = 100.0\n[parallel]\nreproducible = true\n"
#define SHAPES(equations) \
  { \
    CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", equations), \
      CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", equations), \
      CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box", equations), \
      CASE("[9, 12, 10]", "[5.0, \"2pi\", 4.0]", "sphere\"\ndealiasing = \"phase-shift", equations) \
  }
enum { SHAPES_COUNT = 4, SCALAR = 3 };

#define TWO "solver = \"hd\"\nrotation = [0.2, 0.7, -0.4]\n"
static const char *const free_scalars[] = SHAPES(TWO "scalars = [0.0, 0.0]\n");
static const char *const scalars[] = SHAPES(TWO "viscosity = 0.02\nscalars = [0.01, 0.05]\n"
                                                "scalar_gradients = [0.3, -0.5, 1.0, 0.0, 0.0, -2.0]\n");

static double total_of(triad_sum *sum)
{
  double value = NAN;
  TRIAD_CHECK(triad_sum_all(triad_test_comm(), sum, 1, &value));
  return value;
}

TRIAD_TEST(rotation_and_advection_keep_energy_and_variances)
{
  for (int t = 0; t < SHAPES_COUNT; t++) {
    test_flow f = test_flow_make(test_together(), free_scalars[t], NULL);
    test_operator r = test_operator_apply(f.flow);
    const triad_layout *l = f.flow->layout;
    triad_sum sum[3], size[3];
    for (int q = 0; q < 3; q++) triad_sum_clear(&sum[q]), triad_sum_clear(&size[q]);
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++)
        for (int i = 0; i < 5; i++) {
          triad_cplx u = f.flow->u[i][triad_layout_place(l, c, j)], n = r.n[i][triad_layout_place(l, c, j)];
          int q = i < 3 ? 0 : i - 2;
          triad_sum_add(&sum[q], l->weight[c] * ((double)u.re * (double)n.re + (double)u.im * (double)n.im));
          triad_sum_add(&size[q], l->weight[c] * hypot((double)u.re, (double)u.im) * hypot((double)n.re, (double)n.im));
        }
    for (int q = 0; q < 3; q++) {
      double all = total_of(&size[q]);
      TRIAD_HOLDS(all > 0.01, "nothing happens: %g", all);
      TRIAD_WITHIN(total_of(&sum[q]) / all, 0, 45 * eps, q == 0 ? "energy" : "variance of a scalar");
    }
    test_operator_free(&r);
    test_flow_free(&f);
  }
}

static const double rotation[3] = {0.2, 0.7, -0.4}, gradients[2][3] = {{0.3, -0.5, 1}, {0, 0, -2}};

static void rate_by_triads(void *who, const int64_t k[3], const double w[3], double out[][2])
{
  const test_cube *cube = who;
  int pair[15][2];
  double s[15][2];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 3; j++) pair[3 * i + j][0] = i, pair[3 * i + j][1] = j;
  test_cube_convolve(cube, k, 15, (const int(*)[2])pair, s);
  int64_t here = test_cube_place(cube, k[0], k[1], k[2]);
  for (int i = 0; i < 5; i++) {
    out[i][0] = out[i][1] = 0;
    for (int j = 0; j < 3; j++) {
      out[i][0] += w[j] * s[3 * i + j][1];
      out[i][1] -= w[j] * s[3 * i + j][0];
    }
  }
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      out[i][p] -= 2 * (rotation[a] * cube->v[b][here][p] - rotation[b] * cube->v[a][here][p]);
      for (int n = 0; n < 2; n++) out[SCALAR + n][p] -= gradients[n][i] * cube->v[i][here][p];
    }
  test_project(w, out);
}

TRIAD_TEST(rates_equal_sums_over_triads)
{
  triad_context *one = test_alone();
  for (int t = 0; t < SHAPES_COUNT; t++) {
    test_flow f = test_flow_make(test_together(), scalars[t], NULL), alone = test_flow_make(one, scalars[t], NULL);
    test_operator r = test_operator_apply(f.flow);
    test_cube cube = test_cube_make(alone.flow);
    TRIAD_WITHIN(test_operator_error(&r, rate_by_triads, &cube), 0, 100 * eps, "N");
    test_cube_free(&cube);
    test_operator_free(&r);
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

enum { VARIANCE = 14, DISSIPATION, PRODUCTION, EACH = 5 };

/* d(variance)/dt = production - dissipation, for each scalar, by Boole's rule over four steps. */
static double variance_error(int scalar, double h)
{
  static const double weight[5] = {7, 32, 12, 32, 7};
  const char *sets[] = {"initial.k_range=[1.0, 3.0]", "time.scheme=\"rk4\"", NULL};
  test_flow f = test_flow_make(test_together(), scalars[0], sets);
  double c[TRIAD_MAX_COLUMNS], gain = 0, first = 0;
  for (int i = 0; i < 5; i++) {
    if (i > 0) test_advance(f.flow, h, 1);
    TRIAD_CHECK(triad_budget_measure(f.flow, c));
    if (i == 0) first = c[VARIANCE + EACH * scalar];
    gain += weight[i] * 2 * h / 45 * (c[PRODUCTION + EACH * scalar] - c[DISSIPATION + EACH * scalar]);
  }
  TRIAD_HOLDS(fabs(gain) > 1e-3 * first, "the variance hardly changes: %g of %g", gain, first);
  test_flow_free(&f);
  return fabs(c[VARIANCE + EACH * scalar] - first - gain) / first;
}

TRIAD_TEST(mean_gradient_budget_closes_to_the_order_of_the_scheme)
{
  for (int s = 0; s < 2; s++) {
    double coarse = variance_error(s, 0.04), fine = variance_error(s, 0.02);
    TRIAD_HOLDS(fine < 1e-6 + 30 * eps, "scalar %d: the budget is open by %g", s + 1, fine);
    if (eps < 1e-10) TRIAD_HOLDS(log2(coarse / fine) > 4, "scalar %d: %g, then %g", s + 1, coarse, fine);
  }
}

/* An inertial wave u = u0 exp(-(i omega + nu k^2) t) stirs a scalar of mean gradient G exactly, since u.k = 0:
 *   s = -G.u0 (exp(-(i omega + nu k^2) t) - exp(-kappa k^2 t))/((kappa - nu) k^2 - i omega). */
TRIAD_TEST(wave_stirs_a_mean_gradient_as_its_exact_solution)
{
  const char *sets[] = {"initial.kind=\"inertial-wave\"", "initial.wave=[1, -2, 1]", "initial.amplitude=0.9",
                        "initial.scalar_variance=0.0",    "time.scheme=\"rk4\"",     NULL};
  test_flow f = test_flow_make(test_together(), scalars[1], sets),
            start = test_flow_make(test_together(), scalars[1], sets);
  const triad_layout *l = f.flow->layout;
  const double k[3] = {1, -2 * two_pi / 5, two_pi / 9}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], t = 3;
  double omega = 2 * fabs(rotation[0] * k[0] + rotation[1] * k[1] + rotation[2] * k[2]) / sqrt(k2), error = 0, size = 0;
  test_advance(f.flow, t / 200, 200);
  for (int n = 0; n < 2; n++) {
    double kappa = n ? 0.05 : 0.01, fade = exp(-0.02 * k2 * t), mix = exp(-kappa * k2 * t), a = (kappa - 0.02) * k2;
    double x = fade * cos(omega * t) - mix, y = -fade * sin(omega * t), d = a * a + omega * omega;
    double re = (x * a - y * omega) / d, im = (y * a + x * omega) / d; /* (x + i y)/(a - i omega) */
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, c, j);
        double p = 0, q = 0;
        for (int i = 0; i < 3; i++)
          p -= gradients[n][i] * (double)start.flow->u[i][at].re,
            q -= gradients[n][i] * (double)start.flow->u[i][at].im;
        double wr = p * re - q * im, wi = p * im + q * re;
        error += pow((double)f.flow->u[SCALAR + n][at].re - wr, 2) + pow((double)f.flow->u[SCALAR + n][at].im - wi, 2);
        size += wr * wr + wi * wi;
      }
  }
  TRIAD_WITHIN(sqrt(test_total(error) / test_total(size)), 0, 1e-8 + 300 * eps, "the scalars");
  test_flow_free(&f);
  test_flow_free(&start);
}

TRIAD_TEST(scalars_have_the_variance_asked_for_and_differ)
{
  const char *sets[] = {"initial.scalar_variance=0.3", "initial.kind=\"taylor-green\"", NULL};
  double c[TRIAD_MAX_COLUMNS], same = 0;
  test_flow f = test_flow_make(test_together(), scalars[1], sets);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  for (int s = 0; s < 2; s++) TRIAD_NEAR(c[VARIANCE + EACH * s], 0.3, 30 * eps, "variance");
  const triad_layout *l = f.flow->layout;
  for (int64_t i = 0; i < l->n_columns; i++)
    for (int64_t j = 0; j < l->nkz; j++) {
      triad_cplx a = f.flow->u[3][triad_layout_place(l, i, j)], b = f.flow->u[4][triad_layout_place(l, i, j)];
      same += l->weight[i] * ((double)a.re * (double)b.re + (double)a.im * (double)b.im);
    }
  TRIAD_HOLDS(fabs(test_total(same)) < 0.3 * 0.6, "the scalars correlate by %g of 0.6", test_total(same));
  test_flow_free(&f);
}

/* ---- many scalars ---- */

enum { MANY = 40 };

/* "equations.NAME=[..]": values number first .. first + n - 1 of i step modulo 1.3, so that no two scalars are
 * alike. */
static char *list_of(const char *name, int first, int n, double step)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  (void)fprintf(f, "equations.%s=[", name);
  for (int i = 0; i < n; i++) (void)fprintf(f, "%s%.17g", i ? ", " : "", fmod((first + i) * step, 1.3));
  (void)fprintf(f, "]");
  TRIAD_EQUAL(fclose(f), 0, "fclose");
  return text;
}

static test_flow with_scalars(int first, int n)
{
  char *kappa = list_of("scalars", first, n, 0.013), *g = list_of("scalar_gradients", 3 * first, 3 * n, 0.11);
  const char *sets[] = {kappa, g, NULL};
  test_flow f = test_flow_make(test_together(), scalars[1], sets);
  free(kappa);
  free(g);
  return f;
}

static double *measure_all(triad_flow *flow)
{
  double *columns = calloc((size_t)flow->shape.n_columns, sizeof *columns);
  assert_non_null(columns);
  TRIAD_CHECK(triad_budget_measure(flow, columns));
  return columns;
}

/* Scalars know nothing of each other: one of forty is, to the last bit, what it is alone with the flow. */
TRIAD_TEST(one_of_forty_scalars_is_what_it_is_alone)
{
  test_flow all = with_scalars(0, MANY);
  TRIAD_EQUAL(all.flow->shape.n_fields, SCALAR + MANY, "fields");
  TRIAD_HOLDS(strcmp(all.flow->shape.fields[SCALAR + MANY - 1].name, "scalar40") == 0, "the last is %s",
              all.flow->shape.fields[SCALAR + MANY - 1].name);
  static const int one_of[] = {0, 8, 17, MANY - 1};
  test_flow alone[4];
  size_t bytes = (size_t)all.flow->layout->modes * sizeof(triad_cplx);
  for (int i = 0; i < 4; i++) {
    alone[i] = with_scalars(one_of[i], 1);
    memcpy(alone[i].flow->u[SCALAR], all.flow->u[SCALAR + one_of[i]], bytes);
    test_advance(alone[i].flow, 0.01, 5);
  }
  test_advance(all.flow, 0.01, 5);
  double *c = measure_all(all.flow);
  for (int i = 0; i < 4; i++) {
    int s = one_of[i];
    double *d = measure_all(alone[i].flow);
    TRIAD_HOLDS(memcmp(alone[i].flow->u[SCALAR], all.flow->u[SCALAR + s], bytes) == 0, "scalar %d differs", s + 1);
    for (int k = 0; k < 3; k++)
      TRIAD_NEAR(c[VARIANCE + EACH * s + k], d[VARIANCE + k], 0, all.flow->shape.columns[VARIANCE + EACH * s + k].name);
    free(d);
    test_flow_free(&alone[i]);
  }
  free(c);
  test_flow_free(&all);
}

/* ---- the same flow in another box ---- */

/* 32 x 16 x 8 points in 4 pi x 2 pi x pi: where only its modes of even k_x are there, it is a flow in a cube of side
 * 2 pi and 16^3 points that has only modes of even k_z: (2 k_x, k_y, k_z) there is (k_x, k_y, 2 k_z) here, and with
 * the box truncation both keep the same ones. */
TRIAD_TEST(anisotropic_box_gives_the_modes_of_the_isotropic_run)
{
  static const char *const oblong[] = {
    CASE("[32, 16, 8]", "[\"4pi\", \"2pi\", \"pi\"]", "box", TWO "viscosity = 0.02\nscalars = [0.01]\n"),
    CASE("[32, 16, 8]", "[\"4pi\", \"2pi\", \"pi\"]", "box",
         "solver = \"boussinesq\"\nviscosity = 0.02\nbuoyancy_frequency = 1.4\nrotation = [0.2, 0.7, -0.4]\n"),
    CASE("[32, 16, 8]", "[\"4pi\", \"2pi\", \"pi\"]", "box",
         "solver = \"mhd\"\nviscosity = 0.02\nresistivity = 0.01\nhall = 0.1\nmean_field = [0.3, 0.2, 0.9]\n")};
  const char *cube[] = {"grid.n=[16, 16, 16]", "grid.length=[\"2pi\", \"2pi\", \"2pi\"]", NULL};
  const char *potential[] = {"initial.potential_energy=0.3", NULL};
  triad_context *one = test_alone();
  for (int t = 0; t < 3; t++) {
    test_flow a = test_flow_make(one, oblong[t], t == 1 ? potential : NULL), b = test_flow_make(one, oblong[t], cube);
    const triad_layout *l = a.flow->layout, *m = b.flow->layout;
    double worst = 0, size = 0;
    for (int f = 0; f < a.flow->shape.n_fields; f++) memset(b.flow->u[f], 0, (size_t)m->modes * sizeof *b.flow->u[f]);
    for (int after = 0; after < 2; after++) {
      for (int64_t c = 0; c < l->n_columns; c++)
        for (int64_t j = 0; j < l->nkz; j++)
          for (int f = 0; f < a.flow->shape.n_fields; f++) {
            int64_t at = triad_layout_place(l, c, j);
            triad_cplx *u = &a.flow->u[f][at];
            if (!test_kept(l, c, j)) continue;
            if (l->kx[c] % 2 != 0) {
              if (!after) *u = (triad_cplx){0, 0};
              worst = fmax(worst, hypot((double)u->re, (double)u->im));
              continue;
            }
            int conjugate;
            int64_t column = triad_layout_find(m, l->kx[c] / 2, l->ky[c], &conjugate), kz = 2 * l->kz[j];
            triad_cplx *v = &b.flow->u[f][triad_layout_place(m, column, triad_layout_kz_number(m, kz))];
            TRIAD_HOLDS(column >= 0 && !conjugate, "the cube does not hold a mode");
            if (!after) *v = *u;
            worst = fmax(worst, hypot((double)(u->re - v->re), (double)(u->im - v->im)));
            size = fmax(size, hypot((double)u->re, (double)u->im));
          }
      if (after) break;
      test_advance(a.flow, 0.02, 20);
      test_advance(b.flow, 0.02, 20);
    }
    TRIAD_WITHIN(worst / size, 0, eps < 1e-10 ? 1e-12 : 1e-4, "a mode, over the largest");
    test_flow_free(&a);
    test_flow_free(&b);
  }
  triad_context_destroy(&one);
}

TRIAD_TEST(answer_is_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  triad_context *one = test_alone();
  for (int t = 0; t < SHAPES_COUNT; t++) test_same_alone(one, scalars[t], NULL, 0.01, 5, "modes");
  triad_context_destroy(&one);
}

TRIAD_MAIN
