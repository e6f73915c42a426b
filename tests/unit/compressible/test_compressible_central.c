/* Central fluxes: what they keep, and whom they agree with.   ranks: 1 2 4   precision: both   timeout: 240 */
#include "compressible.h"

#include "base/random.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

enum { N = 12 }; /* points along an axis of the plain program */

/* Values that change from point to point: nothing a grid could resolve. rho, u, v, w, p of point (x, y, z). */
static void rough_state(const int at[3], double q[5])
{
  for (int k = 0; k < 5; k++) {
    const uint64_t key = triad_random_key(11, TRIAD_STREAM_INITIAL);
    q[k] = 2 * triad_random_uniform(triad_random_bits(key, at[0], at[1], at[2], (uint32_t)k), 0) - 1;
  }
  q[0] = 1 + 0.3 * q[0];
  q[4] = 2 + 0.5 * q[4];
}

static triad_compressible_setup rough_setup(double viscosity)
{
  triad_compressible_setup s = test_gas_setup(N, N, N, 2, 3, 1.5);
  s.form = TRIAD_COMPRESSIBLE_CENTRAL;
  s.viscosity = viscosity;
  return s;
}

static test_gas rough(const triad_compressible_setup *s)
{
  triad_compressible_start start = test_gas_start("uniform");
  test_gas g = test_gas_make(test_gas_together(), s, &start, NULL);
  const triad_partition *b = &g.blocks;
  triad_real *const *u = triad_compressible_fields(g.w);
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        double q[5];
        rough_state((const int[3]){(int)(x + b->begin[0]), (int)(y + b->begin[1]), (int)(z + b->begin[2])}, q);
        int64_t i = triad_partition_at(b, x, y, z);
        u[0][i] = (triad_real)q[0];
        for (int k = 1; k < 4; k++) u[k][i] = (triad_real)(q[0] * q[k]);
        u[4][i] = (triad_real)(q[4] / 0.4 + q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / 2);
      }
  TRIAD_CHECK(triad_compressible_begin(g.w, 0));
  return g;
}

/* Rates of this rank's points, by point; free them. */
static triad_real *rates_of(test_gas *g, triad_real *rate[5])
{
  triad_real *room = calloc((size_t)(5 * g->blocks.volume), sizeof *room);
  for (int f = 0; f < 5; f++) rate[f] = room + f * g->blocks.volume;
  TRIAD_CHECK(triad_compressible_rhs(g->w, rate));
  return room;
}

/* ---- the same once more, in the plainest way ---- */

/* rho, u, v, w, p, T and mu of all points. */
typedef double plain[7][N][N][N];

static double value(plain q, int k, const int at[3], int axis, int by)
{
  int i[3] = {at[0], at[1], at[2]};
  i[axis] += by;
  for (int a = 0; a < 3; a++) i[a] = (i[a] % N + N) % N;
  return q[k][i[2]][i[1]][i[0]];
}

/* Bogey and Bailly's nine points. */
static const double nine[4] = {0.841570125482, -0.244678631765, 0.059463584768, -0.007650904064};

static double slope(plain q, int k, const int at[3], int axis, double h)
{
  double sum = 0;
  for (int l = 1; l <= 4; l++) sum += nine[l - 1] * (value(q, k, at, axis, l) - value(q, k, at, axis, -l));
  return sum / h;
}

/* The flux that a point and that `by` further along `axis` share, of field f. */
static double shared(plain q, int f, const int at[3], int axis, int by)
{
  double a[7], b[7];
  for (int k = 0; k < 7; k++) {
    a[k] = value(q, k, at, axis, 0);
    b[k] = value(q, k, at, axis, by);
  }
  double mass = (a[0] + b[0]) / 2 * (a[1 + axis] + b[1 + axis]) / 2;
  if (f == 0) return mass;
  if (f < 4) return mass * (a[f] + b[f]) / 2 + (f == 1 + axis ? (a[4] + b[4]) / 2 : 0);
  double internal = (a[1 + axis] + b[1 + axis]) / 2 * (a[4] + b[4]) / 2 / 0.4;
  double kinetic = (a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) / 2;
  return internal + mass * kinetic + (a[1 + axis] * b[4] + b[1 + axis] * a[4]) / 2;
}

/* A sum over points at - 3 .. at + 2 along `axis`: odd or even about the face below `at`. */
static double face(const double c[3], int odd, const double p[6])
{
  double sum = 0;
  for (int l = 0; l < 3; l++) sum += c[l] * (p[3 + l] + (odd ? -1 : 1) * p[2 - l]);
  return sum;
}

static const double face_slope[3] = {1.245, -61.0 / 600, 0.012}, face_value[3] = {150.0 / 256, -25.0 / 256, 3.0 / 256};

/* Stress of component i (3: of energy) through the face below `at` along j. */
static double stress(plain q, int i, const int at[3], int j, const double h[3], double nu)
{
  double p[6], gradient[4][3] = {{0}}, u[3], mu = 0;
  for (int k = 0; k < 4; k++) /* of u, v, w, T */
    for (int axis = 0; axis < 3; axis++) {
      int field = k < 3 ? 1 + k : 5;
      for (int l = 0; l < 6; l++) {
        int there[3] = {at[0], at[1], at[2]};
        there[j] += l - 3;
        p[l] = axis == j ? value(q, field, there, j, 0) : slope(q, field, there, axis, h[axis]);
      }
      gradient[k][axis] = axis == j ? face(face_slope, 1, p) / h[j] : face(face_value, 0, p);
    }
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < 6; l++) p[l] = value(q, k < 3 ? 1 + k : 6, at, j, l - 3);
    if (k < 3) u[k] = face(face_value, 0, p);
    else mu = nu * face(face_value, 0, p);
  }
  double div = gradient[0][0] + gradient[1][1] + gradient[2][2], tau[3];
  for (int k = 0; k < 3; k++) tau[k] = mu * (gradient[k][j] + gradient[j][k] - (k == j ? 2 * div / 3 : 0));
  return i < 3 ? tau[i] : u[0] * tau[0] + u[1] * tau[1] + u[2] * tau[2] + mu / (0.4 * 0.72) * gradient[3][j];
}

static double plain_rate(plain q, int f, const int at[3], const double h[3], double nu)
{
  double sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    for (int l = 1; l <= 4; l++)
      sum -= 2 * nine[l - 1] * (shared(q, f, at, axis, l) - shared(q, f, at, axis, -l)) / h[axis];
    if (f == 0 || !(nu > 0)) continue;
    double s[4];
    for (int l = 0; l < 4; l++) {
      int there[3] = {at[0], at[1], at[2]};
      there[axis] += l - 1;
      s[l] = stress(q, f - 1, there, axis, h, nu);
    }
    sum += (27 * (s[2] - s[1]) - (s[3] - s[0])) / (24 * h[axis]);
  }
  return sum;
}

TRIAD_TEST(rates_are_those_of_a_plain_program)
{
  triad_compressible_setup s = rough_setup(0.05);
  test_gas g = rough(&s);
  const triad_partition *b = &g.blocks;
  double(*q)[N][N][N] = calloc(7, sizeof *q), h[3], worst = 0;
  for (int i = 0; i < 3; i++) h[i] = s.length[i] / N;
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        double p[5];
        rough_state((const int[3]){x, y, z}, p);
        for (int k = 0; k < 5; k++) q[k][z][y][x] = p[k];
        q[5][z][y][x] = 1.4 * p[4] / p[0];
        q[6][z][y][x] = pow(q[5][z][y][x], 0.76);
      }
  triad_real *rate[5], *room = rates_of(&g, rate);
  for (int f = 0; f < 5; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          const int at[3] = {(int)(x + b->begin[0]), (int)(y + b->begin[1]), (int)(z + b->begin[2])};
          worst =
            fmax(worst, fabs((double)rate[f][triad_partition_at(b, x, y, z)] - plain_rate(q, f, at, h, s.viscosity)));
        }
  /* energies of 7 over spacings of 1/8, differenced twice with viscosity: terms of some 500, each rounded */
  TRIAD_WITHIN(worst, 0, 5000 * eps, "rates");
  free(room);
  free(q);
  test_gas_free(&g);
}

/* ---- kinetic energy ---- */

/* sum u . d(rho u)/dt - |u|^2/2 drho/dt, less the work sum p div u by the same differences; and the size of its
 * terms. */
static void kinetic(test_gas *g, double *left, double *size)
{
  const triad_partition *b = &g->blocks;
  triad_real *rate[5], *room = rates_of(g, rate);
  double mine[2] = {0, 0}, all[2];
  double(*q)[N][N][N] = calloc(7, sizeof *q);
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        double p[5];
        rough_state((const int[3]){x, y, z}, p);
        for (int k = 0; k < 5; k++) q[k][z][y][x] = p[k];
      }
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int at[3] = {(int)(x + b->begin[0]), (int)(y + b->begin[1]), (int)(z + b->begin[2])};
        int64_t i = triad_partition_at(b, x, y, z);
        for (int k = 0; k < 3; k++) {
          double u = value(q, 1 + k, at, 0, 0),
                 work = value(q, 4, at, 0, 0) * slope(q, 1 + k, at, k, g->setup.length[k] / N);
          double gain = u * (double)rate[1 + k][i] - u * u / 2 * (double)rate[0][i];
          mine[0] += gain - work;
          mine[1] += fabs(gain);
        }
      }
  (void)MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  *left = all[0];
  *size = all[1];
  free(q);
  free(room);
}

TRIAD_TEST(convection_makes_no_kinetic_energy_on_any_grid)
{
  triad_compressible_setup s = rough_setup(0);
  test_gas g = rough(&s);
  double left, size;
  kinetic(&g, &left, &size);
  TRIAD_WITHIN(left, 0, 72 * eps * size, "kinetic energy from nothing");
  test_gas_free(&g);
  s.form = TRIAD_COMPRESSIBLE_UPWIND; /* and the test can tell: upwind fluxes take a good part of what moves */
  g = rough(&s);
  kinetic(&g, &left, &size);
  TRIAD_HOLDS(left < -0.1 * size, "upwind fluxes take %g of %g", -left, size);
  test_gas_free(&g);
}

TRIAD_TEST(the_budget_of_kinetic_energy_closes_on_any_grid)
{
  triad_compressible_setup s = rough_setup(0.05);
  test_gas g = rough(&s);
  double left, size, c[64];
  int n, dissipation = 0, work = 0;
  const triad_column_info *columns = triad_compressible_columns(&n);
  for (int i = 0; i < n; i++) {
    if (strcmp(columns[i].name, "dissipation") == 0) dissipation = i;
    if (strcmp(columns[i].name, "pressure_dilatation") == 0) work = i;
  }
  kinetic(&g, &left, &size);
  TRIAD_CHECK(triad_compressible_budget(g.w, c));
  TRIAD_HOLDS(c[dissipation] > 0.01 * fabs(c[work]), "viscosity takes %g, pressure gives %g", c[dissipation], c[work]);
  /* 5184 terms are added, each rounded once or twice: sqrt(5184) roundings of the sum of sizes at most */
  TRIAD_WITHIN(left / (N * N * N) + c[dissipation], 0, 72 * eps * size / (N * N * N), "what viscosity takes");
  test_gas_free(&g);
}

/* ---- viscous fluxes ---- */

TRIAD_TEST(viscosity_damps_the_shortest_waves)
{
  /* u = (-1)^x, which differences at points do not see: by faces it falls at 4/3 nu times the product of both
   * symbols, 2 (1.245 + 61/600 + 0.012) and 56/24, over h^2. Both schemes' velocities stay even: no pressure, no
   * convection of it. */
  for (int central = 0; central < 2; central++) {
    triad_compressible_setup s = test_gas_setup(16, 1, 1, 16, 1, 1);
    triad_compressible_start start = test_gas_start("uniform");
    s.form = TRIAD_COMPRESSIBLE_CENTRAL;
    s.viscosity = central ? 1 : 0;
    s.law = TRIAD_COMPRESSIBLE_CONSTANT;
    test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
    triad_real *const *u = triad_compressible_fields(g.w);
    const triad_partition *b = &g.blocks;
    for (int64_t x = 0; x < b->local[0]; x++) {
      int64_t i = triad_partition_at(b, x, 0, 0);
      u[1][i] = (x + b->begin[0]) % 2 ? -1 : 1;
      u[4][i] = (triad_real)3;
    }
    TRIAD_CHECK(triad_compressible_begin(g.w, 0));
    triad_real *rate[5], *room = rates_of(&g, rate);
    double expected = central ? 4.0 / 3 * 2 * (1.245 + 61.0 / 600 + 0.012) * 56 / 24 : 0;
    for (int64_t x = 0; x < b->local[0]; x++)
      TRIAD_WITHIN(rate[1][triad_partition_at(b, x, 0, 0)], (x + b->begin[0]) % 2 ? expected : -expected, 100 * eps,
                   "the rate");
    free(room);
    test_gas_free(&g);
  }
}

/* ---- order ---- */

static double carried_wave(const double x[3], const void *what)
{
  (void)what;
  return 1 + 0.1 * sin(two_pi * (x[0] - 0.25));
}

static double wave_error(int n)
{
  triad_compressible_setup s = test_gas_setup(n, 1, 1, 1, 1, 1);
  triad_compressible_start start = test_gas_start("entropy-wave");
  s.form = TRIAD_COMPRESSIBLE_CENTRAL;
  s.scheme = triad_scheme_find("rk4", TRIAD_SCHEME_START);
  start.amplitude = 0.1;
  start.velocity[0] = 1;
  test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
  test_gas_run(&g, 0.1 / n, 0.25);
  double e = test_gas_error(&g, carried_wave, NULL, 2);
  test_gas_free(&g);
  return e;
}

/* A wave that is carried keeps its shape and lags by the error of the difference: sum_l 2 A_l sin(l k h)/(k h) - 1
 * of the way. The means of products make no other error here, since u and p are uniform. */
TRIAD_TEST(density_wave_lags_as_the_difference_says)
{
  for (int n = 16; n <= 64; n *= 2) {
    double kh = two_pi / n, seen = 0;
    for (int l = 1; l <= 4; l++) seen += 2 * nine[l - 1] * sin(l * kh) / kh;
    double lag = 2 * sin(two_pi / 4 * fabs(seen - 1) / 2), expected = 0.1 * lag / sqrt(2);
    if (expected < 1e3 * eps) continue;                    /* single precision sees no more of it */
    TRIAD_NEAR(wave_error(n), expected, 0.02, "L2 error"); /* of the time steps: (0.1 k h)^4/120 a step, below 1 % */
  }
}

/* ---- steps ---- */

#define EACH_SCHEME(s) \
  for (const triad_scheme *s = triad_schemes; s->word.name; s++) \
    if (s->form == TRIAD_SCHEME_START)

/* Sound of the shortest waves that move, whose frequency is 1.8684 c sqrt(axes)/h: a step at the largest Courant number
 * must lie within the stability limit of the scheme on the imaginary axis. */
TRIAD_TEST(steps_stay_within_stability_whatever_is_asked)
{
  triad_compressible_start start = test_gas_start("uniform");
  EACH_SCHEME(scheme)
  {
    triad_compressible_setup s = test_gas_setup(16, 16, 16, 16, 16, 16);
    s.form = TRIAD_COMPRESSIBLE_CENTRAL;
    s.scheme = scheme;
    test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
    double c = sqrt(1.4), limit = scheme->imaginary_axis;
    TRIAD_NEAR(triad_compressible_stable(g.w, 100) * 1.8684 * c * sqrt(3), limit, 1e-6, scheme->word.name);
    TRIAD_NEAR(triad_compressible_stable(g.w, 0.1), 0.1 / c, 1e-6, "a small Courant number");
    test_gas_free(&g);
    /* and viscosity's: the symbols of viscous_points.h at k h = pi */
    double largest = 2 * (1.245 + 61.0 / 600 + 0.012) * 56 / 24, real_axis = scheme->real_axis;
    s.viscosity = 1000;
    s.law = TRIAD_COMPRESSIBLE_CONSTANT;
    g = test_gas_make(test_gas_together(), &s, &start, NULL);
    double stiff = triad_compressible_stable(g.w, 1) * largest * 3 * 1000 * 1.4 / 0.72;
    TRIAD_HOLDS(stiff < real_axis && stiff > 0.99 * real_axis, "%g of %g", stiff, real_axis);
    test_gas_free(&g);
  }
}

/* Central differences have no dissipation: beyond the imaginary axis of the scheme's stability the shortest waves
 * that they see would grow tenfold every few steps, whatever Courant number is asked for. Within it no wave of a
 * small disturbance grows. */
TRIAD_TEST(steps_keep_to_the_imaginary_axis)
{
  EACH_SCHEME(scheme)
  {
    triad_compressible_setup s = rough_setup(0);
    s.scheme = scheme;
    test_gas g = rough(&s);
    const triad_partition *b = &g.blocks;
    const double base[5] = {1, 0.3, 0.2, 0.1, 2.6};
    double worst = 0, all = 0;
    for (int f = 0; f < 5; f++)
      for (int64_t i = 0; i < b->volume; i++) {
        triad_real *u = &triad_compressible_fields(g.w)[f][i];
        *u = (triad_real)(base[f] + 1e-3 * ((double)*u - base[f]));
      }
    TRIAD_CHECK(triad_compressible_begin(g.w, 0));
    for (int i = 0; i < 100; i++)
      TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, triad_compressible_stable(g.w, 10)));
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++)
          for (int f = 0; f < 5; f++)
            worst =
              fmax(worst, fabs((double)triad_compressible_fields(g.w)[f][triad_partition_at(b, x, y, z)] - base[f]));
    (void)MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi);
    TRIAD_WITHIN(all, 0, 0.05, "disturbances of 5e-3 at most, whose peaks may meet");
    test_gas_free(&g);
  }
}

TRIAD_MAIN
