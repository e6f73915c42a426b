/* Orders of the compressible solver's viscous terms and of its schemes in time, and its budgets. ranks: 1 3
 * timeout: 240 */
#include "compressible.h"

#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/points/viscous_points.h"

static const double two_pi = 2 * TRIAD_PI;

/* Gradients of velocity and T = 1.4 p/rho of test_gas_smooth. */
static void velocity_gradient(const double x[3], double g[3][3])
{
  double a = -0.5 * sin(x[1] + x[2]), b = 0.4 * cos(x[0] - 2 * x[2]), c = -0.3 * sin(x[0] + x[1] + 0.5);
  const double value[3][3] = {{0.2 * cos(x[0]), a, a}, {b, -0.1 * sin(x[1]), -2 * b}, {c, c, -0.2 * cos(x[2])}};
  memcpy(g, value, sizeof value);
}

static double temperature(const double x[3])
{
  double q[5];
  test_gas_smooth(x, q);
  return 1.4 * q[4] / q[0];
}

/* (f(x + d) - f(x - d)) weighted to order 8, d = 1/50: errors of 1e-14 of functions like these. */
typedef double (*value_of)(const double x[3], int i, int j);
static double derivative(value_of f, int i, int j, const double x[3], int axis)
{
  static const double c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double d = 0.02;
  double sum = 0;
  for (int k = 1; k <= 4; k++) {
    double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
    a[axis] += k * d;
    b[axis] -= k * d;
    sum += c[k - 1] * (f(a, i, j) - f(b, i, j));
  }
  return sum / d;
}

static double heat_of(const double x[3], int i, int j)
{
  (void)i;
  (void)j;
  return temperature(x);
}

/* Viscous flux along axis j of component i: momentum 0 to 2, energy 3; power law 0.76, 1/Re = 1, Pr = 0.72. */
static double stress(const double x[3], int i, int j)
{
  double g[3][3], q[5], mu = pow(temperature(x), 0.76);
  test_gas_smooth(x, q);
  velocity_gradient(x, g);
  double div = g[0][0] + g[1][1] + g[2][2];
  if (i < 3) return mu * (g[i][j] + g[j][i] - (i == j ? 2 * div / 3 : 0));
  double work = mu / (0.4 * 0.72) * derivative(heat_of, 0, 0, x, j);
  for (int k = 0; k < 3; k++) work += q[1 + k] * stress(x, k, j);
  return work;
}

/* Rms error of the viscous rates, at the points that all grids share: those with viscosity 1 less those without,
 * against the derivatives of the exact stress. */
static double viscous_error(triad_compressible_form form, int n)
{
  triad_compressible_setup s = test_gas_setup(n, n, n, two_pi, two_pi, two_pi);
  s.form = form;
  s.viscosity = 1;
  test_gas viscous = test_gas_of(&s, test_gas_smooth);
  s.viscosity = 0;
  test_gas inviscid = test_gas_of(&s, test_gas_smooth);
  const triad_partition *b = &viscous.blocks, *c = &inviscid.blocks;
  triad_real *room = calloc((size_t)(10 * b->volume), sizeof *room), *with[5], *without[5];
  for (int f = 0; f < 5; f++) {
    with[f] = room + f * b->volume;
    without[f] = room + (5 + f) * b->volume;
  }
  TRIAD_CHECK(triad_compressible_rhs(viscous.w, with));
  TRIAD_CHECK(triad_compressible_rhs(inviscid.w, without));
  double sum = 0, all = 0;
  int64_t each = n / 8;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        for (int i = 0; i < 4; i++) {
          if ((x + b->begin[0]) % each || (y + b->begin[1]) % each || (z + b->begin[2]) % each) continue;
          const double at[3] = {triad_compressible_position(&s, 0, b->begin[0] + x),
                                triad_compressible_position(&s, 1, b->begin[1] + y),
                                triad_compressible_position(&s, 2, b->begin[2] + z)};
          double exact = 0;
          for (int j = 0; j < 3; j++) exact += derivative(stress, i, j, at, j);
          double error =
            with[1 + i][triad_partition_at(b, x, y, z)] - without[1 + i][triad_partition_at(c, x, y, z)] - exact;
          sum += error * error / (4 * 512);
        }
  (void)MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  free(room);
  test_gas_free(&viscous);
  test_gas_free(&inviscid);
  return sqrt(all);
}

TRIAD_TEST(viscous_terms_are_of_order_4)
{
  double coarse = viscous_error(TRIAD_COMPRESSIBLE_UPWIND, 32), fine = viscous_error(TRIAD_COMPRESSIBLE_UPWIND, 64);
  TRIAD_WITHIN(log2(coarse / fine), 4, 0.15, "order between 32 and 64 points");
  /* the difference of order four errs by h^4/30 of the fifth derivative: 3e-6 of 3^6 for products of 3 periods, each
   * of two */
  TRIAD_HOLDS(fine < 5e-3, "error %g of rates of size 1", fine);
}

TRIAD_TEST(viscous_fluxes_at_faces_are_sharper_and_of_order_4)
{
  double points = viscous_error(TRIAD_COMPRESSIBLE_UPWIND, 32), coarse = viscous_error(TRIAD_COMPRESSIBLE_CENTRAL, 32),
         fine = viscous_error(TRIAD_COMPRESSIBLE_CENTRAL, 64);
  /* coefficients that serve short waves leave less of the fourth order's share: the rest, of order 6, still shows */
  TRIAD_HOLDS(log2(coarse / fine) > 3.85, "order %g between 32 and 64 points", log2(coarse / fine));
  TRIAD_HOLDS(coarse < points / 5, "error %g, of differences at points %g", coarse, points);
}

/* Where fluxes go through faces one by one, viscous ones are taken off there: what is left of the differences of four
 * components, of random values, is the difference of order four of points, and (27, -1)/24 of faces. Each of the dozen
 * operations rounds numbers of at most 30/12, so 1e-14 is twenty times what they can come to. */
TRIAD_TEST(stresses_taken_off_at_faces_have_the_differences_of_those_at_points)
{
  const triad_compressible_five none = {0, 0, 0, 0, 0};
  for (uint64_t draw = 0; draw < 100; draw++) {
    triad_real s[4][6];
    triad_compressible_stress at[6];
    for (uint64_t i = 0; i < 24; i++) s[i / 6][i % 6] = (triad_real)triad_test_random(draw, i);
    for (int i = 0; i < 6; i++) at[i] = (triad_compressible_stress){s[0][i], s[1][i], s[2][i], s[3][i]};
    /* points 0 .. 4 about point 2, whose faces lie between 1, 2 and 2, 3; faces 0 .. 3 of which 1, 2 are point 1's */
    triad_compressible_five a = triad_compressible_less_stress(none, at[0], at[1], at[2], at[3]),
                            b = triad_compressible_less_stress(none, at[1], at[2], at[3], at[4]),
                            c = triad_compressible_less_face_stress(none, at[0], at[1], at[2]),
                            d = triad_compressible_less_face_stress(none, at[1], at[2], at[3]);
    const triad_real points[4] = {a.n - b.n, a.s - b.s, a.t - b.t, a.e - b.e};
    const triad_real faces[4] = {c.n - d.n, c.s - d.s, c.t - d.t, c.e - d.e};
    for (int k = 0; k < 4; k++) {
      TRIAD_WITHIN(points[k], (s[k][0] - 8 * s[k][1] + 8 * s[k][3] - s[k][4]) / 12, 1e-14, "of points");
      TRIAD_WITHIN(faces[k], (s[k][0] - 27 * s[k][1] + 27 * s[k][2] - s[k][3]) / 24, 1e-14, "of faces");
    }
    TRIAD_WITHIN(fabs((double)a.r) + fabs((double)c.r), 0, 0, "mass has none");
  }
}

/* ---- time ---- */

static double end_state(const triad_scheme *scheme, int steps)
{
  triad_compressible_setup s = test_gas_setup(16, 1, 1, two_pi, 1, 1);
  s.scheme = scheme;
  s.weights = TRIAD_COMPRESSIBLE_LINEAR;
  test_gas g = test_gas_of(&s, test_gas_smooth);
  for (int i = 0; i < steps; i++) TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, 0.8 / steps));
  double mine = g.blocks.begin[0] == 0 ? triad_compressible_fields(g.w)[0][triad_partition_at(&g.blocks, 2, 0, 0)] : 0,
         all = 0;
  (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  test_gas_free(&g);
  return all;
}

TRIAD_TEST(schemes_are_of_their_order_in_time)
{
  for (const triad_scheme *s = triad_schemes; s->word.name; s++) {
    if (s->form != TRIAD_SCHEME_START) continue;
    double a = end_state(s, 16), b = end_state(s, 32), c = end_state(s, 64);
    TRIAD_WITHIN(log2(fabs(a - b) / fabs(b - c)), s->order, 0.35, s->word.name);
  }
}

/* ---- budgets ---- */

/* d/dt of mean rho |u|^2/2 from the rates: u.d(rho u)/dt - |u|^2/2 drho/dt. */
static double kinetic_rate(test_gas *g)
{
  const triad_partition *b = &g->blocks;
  triad_real *room = calloc((size_t)(5 * b->volume), sizeof *room), *rate[5];
  triad_real *const *u = triad_compressible_fields(g->w);
  double mine = 0, all = 0;
  for (int f = 0; f < 5; f++) rate[f] = room + f * b->volume;
  TRIAD_CHECK(triad_compressible_rhs(g->w, rate));
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        int64_t i = triad_partition_at(b, x, y, z);
        for (int k = 1; k < 4; k++) {
          double v = u[k][i] / u[0][i];
          mine += v * rate[k][i] - v * v / 2 * rate[0][i];
        }
      }
  (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  free(room);
  return all / (double)(b->n[0] * b->n[1] * b->n[2]);
}

TRIAD_TEST(kinetic_energy_changes_by_pressure_and_dissipation)
{
  double left[2];
  for (int j = 0; j < 2; j++) {
    int n = 24 << j;
    double c[64];
    triad_compressible_setup s = test_gas_setup(n, n, n, two_pi, two_pi, two_pi);
    s.viscosity = 0.5;
    test_gas g = test_gas_of(&s, test_gas_smooth);
    TRIAD_CHECK(triad_compressible_budget(g.w, c));
    left[j] = kinetic_rate(&g) - c[test_gas_column("pressure_dilatation")] + c[test_gas_column("dissipation")];
    TRIAD_WITHIN(left[j], 0, j ? 3e-4 : 5e-3, "what is left of the budget");
    test_gas_free(&g);
  }
  /* differences of order four in the sums: what is left falls by 16 */
  TRIAD_HOLDS(fabs(left[1]) < fabs(left[0]) / 10, "%g at 24 points, %g at 48", left[0], left[1]);
}

/* Mean over a fine grid of an analytic density of the flow above. */
static double mean_of(double (*f)(const double q[5], double g[3][3]))
{
  enum { N = 32 };
  double sum = 0;
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        const double at[3] = {two_pi * x / N, two_pi * y / N, two_pi * z / N};
        double q[5], g[3][3];
        test_gas_smooth(at, q);
        velocity_gradient(at, g);
        sum += f(q, g);
      }
  return sum / (N * N * N);
}

static double square(double x) { return x * x; }
static double speed2(const double q[5]) { return square(q[1]) + square(q[2]) + square(q[3]); }
static double div_of(double g[3][3]) { return g[0][0] + g[1][1] + g[2][2]; }
static double curl2_of(double g[3][3])
{
  return square(g[2][1] - g[1][2]) + square(g[0][2] - g[2][0]) + square(g[1][0] - g[0][1]);
}
static double mu_of(const double q[5]) { return 0.5 * pow(1.4 * q[4] / q[0], 0.76); }

static double the_energy(const double q[5], double g[3][3])
{
  (void)g;
  return q[4] / 0.4 + q[0] * speed2(q) / 2;
}
static double the_kinetic(const double q[5], double g[3][3])
{
  (void)g;
  return q[0] * speed2(q) / 2;
}
static double the_enstrophy(const double q[5], double g[3][3])
{
  (void)q;
  return curl2_of(g) / 2;
}
static double the_solenoidal(const double q[5], double g[3][3]) { return mu_of(q) * curl2_of(g); }
static double the_dilatational(const double q[5], double g[3][3]) { return mu_of(q) * square(div_of(g)) * 4 / 3; }
static double the_pressure_work(const double q[5], double g[3][3]) { return q[4] * div_of(g); }
static double the_mass(const double q[5], double g[3][3])
{
  (void)g;
  return q[0];
}
static double the_momentum(const double q[5], double g[3][3])
{
  (void)g;
  return q[0] * q[2];
}
static double the_mach2(const double q[5], double g[3][3])
{
  (void)g;
  return speed2(q) * q[0] / (1.4 * q[4]);
}
static double the_dilatation2(const double q[5], double g[3][3])
{
  (void)q;
  return square(div_of(g));
}
static double the_dissipation(const double q[5], double g[3][3])
{
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += (g[i][j] + g[j][i] - (i == j ? 2 * div_of(g) / 3 : 0)) * g[i][j];
  return mu_of(q) * sum;
}

TRIAD_TEST(budgets_are_the_means_of_the_flow)
{
  /* without derivatives the sums differ by rounding (the flow's products are resolved by 32 points to 1e-10); with
   * them, by the difference of order four: h^4/30 of k^4 at h = 2 pi/48, twice, for k = 2 (3 in products): below 1 % */
  static const struct {
    const char *name;
    double (*density)(const double q[5], double g[3][3]);
    double tolerance;
  } known[] = {{"energy", the_energy, 1e-9},
               {"kinetic_energy", the_kinetic, 1e-9},
               {"mass", the_mass, 1e-9},
               {"momentum_y", the_momentum, 1e-9},
               {"enstrophy", the_enstrophy, 1e-2},
               {"dissipation", the_dissipation, 1e-2},
               {"solenoidal_dissipation", the_solenoidal, 1e-2},
               {"dilatational_dissipation", the_dilatational, 1e-2},
               {"pressure_dilatation", the_pressure_work, 1e-2}};
  double c[64];
  triad_compressible_setup s = test_gas_setup(48, 48, 48, two_pi, two_pi, two_pi);
  s.viscosity = 0.5;
  test_gas g = test_gas_of(&s, test_gas_smooth);
  TRIAD_CHECK(triad_compressible_budget(g.w, c));
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    TRIAD_NEAR(c[test_gas_column(known[i].name)], mean_of(known[i].density), known[i].tolerance, known[i].name);
  TRIAD_NEAR(c[test_gas_column("mach_rms")], sqrt(mean_of(the_mach2)), 1e-9, "mach_rms");
  TRIAD_NEAR(c[test_gas_column("dilatation_rms")], sqrt(mean_of(the_dilatation2)), 1e-2, "dilatation_rms");
  test_gas_free(&g);
}

/* u = -sin x steepened: div u is below -3 rms in a known part of the volume. */
static void steep(const double x[3], double q[5])
{
  q[0] = q[4] = 1;
  q[1] = -tanh(sin(x[0]) / 0.1);
  q[2] = q[3] = 0;
}

TRIAD_TEST(shocklets_take_the_volume_of_strong_compression)
{
  enum { N = 128 };
  double c[64], div[N], mean2 = 0;
  int below = 0;
  triad_compressible_setup s = test_gas_setup(N, 6, 1, two_pi, 1, 1);
  test_gas g = test_gas_of(&s, steep);
  TRIAD_CHECK(triad_compressible_budget(g.w, c));
  for (int i = 0; i < N; i++) {
    double x = two_pi * i / N;
    div[i] = -cos(x) / 0.1 / square(cosh(sin(x) / 0.1));
    mean2 += div[i] * div[i] / N;
  }
  for (int i = 0; i < N; i++) below += div[i] < -3 * sqrt(mean2);
  TRIAD_WITHIN(c[test_gas_column("shocklet_volume")], (double)below / N, 2.1 / N,
               "shocklet_volume, one point more or less a side");
  TRIAD_HOLDS(below > 0, "the flow has no shocklet: the test is void");
  test_gas_free(&g);
}

TRIAD_MAIN
