/* Gross-Pitaevskii: exact solutions, what is kept, and how the energy is split.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "flow.h"

#include "fft/transform.h"
#include "run/check.h"
#include "solvers/spectral/start/modes.h"
#include "grid/shells.h"
#include "solvers/spectral/measure/measure.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/start/initial_gpe.h"

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };
enum { ENERGY = 0, ENSTROPHY = 1, MASS = 4, KINETIC, INTERACTION, INCOMPRESSIBLE, COMPRESSIBLE, QUANTUM, MOMENTUM };

static const double eps = (double)TRIAD_EPSILON, pi = TRIAD_PI;

#define CASE(grid, length, truncation, equations, initial, scheme)                                                  \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"gpe\"\n" equations "\n[grid]\nn = " grid       \
  "\nlength = " length "\ntruncation = \"" truncation "\"\n[initial]\n" initial "\n[time]\nend = 1.0\nscheme = \""  \
  scheme "\"\n[parallel]\nreproducible = true\n"

#define PHYSICS "sound_speed = 1.3\nhealing_length = 0.4\ndensity = 0.7"
#define RANDOM "kind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nenergy = 0.2"

static const char *const cases[] = {
    CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", PHYSICS, RANDOM, "rk4"),
    CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", PHYSICS, RANDOM, "rk4"),
    CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box", PHYSICS, RANDOM, "rk4"),
    CASE("[24, 20, 1]", "[\"2pi\", \"4pi\", 1.0]", "sphere", PHYSICS, RANDOM, "rk4"),
};
enum { CASES = sizeof cases / sizeof *cases };

static void measure(triad_flow *flow, double columns[TRIAD_MOST_COLUMNS])
{
  TRIAD_CHECK(triad_budget_measure(flow, columns));
}

/* ---- the spatial operator alone ---- */

typedef struct operator_run {
  triad_flow *flow;
  int pass;
  triad_cplx *n[2]; /* dpsi/dt, in the layout's storage */
} operator_run;

static void put(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const operator_run *r = self;
  r->flow->equations->source(r->flow->self, r->pass, block, (const triad_cplx *const *)r->flow->u, in);
}

static void visit(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const operator_run *r = self;
  r->flow->equations->points(r->flow->self, r->pass, at, in, out, peaks);
}

static void keep(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const operator_run *r = self;
  r->flow->equations->keep(r->flow->self, r->pass, block, out);
}

static void keep_rates(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const operator_run *r = self;
  const triad_flow *flow = r->flow;
  const triad_layout *l = block->layout;
  triad_turn turn = flow->equations->turn(flow->self);
  triad_lane_row n[TRIAD_MOST_FIELDS];
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    const triad_cplx *t[2] = {triad_batch_row(block, out[0], j), triad_batch_row(block, out[1], j)};
    const triad_cplx *u[2] = {flow->u[0] + at, flow->u[1] + at};
    flow->equations->rates(flow->self, block, j, u, t, n);
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      double k2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j];
      triad_real omega = (triad_real)(turn.alpha * k2 - turn.mu);
      triad_cplx zero = {0, 0};
      int kept = test_kept(l, c, j);
      triad_cplx re = {n[RE][i].re + omega * u[IM][i].re, n[RE][i].im + omega * u[IM][i].im};
      triad_cplx im = {n[IM][i].re - omega * u[RE][i].re, n[IM][i].im - omega * u[RE][i].im};
      r->n[RE][at + i] = kept ? re : zero;
      r->n[IM][at + i] = kept ? im : zero;
    }
  }
}

static operator_run operator_apply(triad_flow *flow)
{
  operator_run r = {.flow = flow};
  for (int f = 0; f < 2; f++) {
    r.n[f] = calloc((size_t)flow->layout->modes + 1, sizeof *r.n[f]);
    assert_non_null(r.n[f]);
  }
  for (r.pass = 0; r.pass < 2; r.pass++) {
    const triad_work work = {.n_in = flow->shape.pass[r.pass].n_in, .n_out = flow->shape.pass[r.pass].n_out, .source = put,
                             .points = visit, .sink = r.pass == 0 ? keep : keep_rates, .self = &r};
    TRIAD_CHECK(triad_pass_run(flow->pass, &work));
  }
  return r;
}

static void shift(triad_flow *flow, triad_cplx *const *start, const operator_run *r, double by)
{
  for (int f = 0; f < 2; f++)
    for (int64_t i = 0; i < flow->layout->modes; i++)
      flow->u[f][i] = (triad_cplx){start[f][i].re + (triad_real)by * r->n[f][i].re,
                                   start[f][i].im + (triad_real)by * r->n[f][i].im};
}

/* Each is a polynomial of degree 4 at most of a shift h along dpsi/dt, so that four values of it give its derivative
 * without error but rounding: (8 (E(h) - E(-h)) - (E(2h) - E(-2h)))/(12 h) must be zero. */
TRIAD_TEST(spatial_operator_keeps_mass_energy_and_momentum)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    operator_run r = operator_apply(f.flow);
    triad_cplx *start[2];
    double size = 0, speed = 0, column[TRIAD_MOST_COLUMNS];
    double scale[TRIAD_MOST_COLUMNS] = {0}, change[TRIAD_MOST_COLUMNS] = {0};
    for (int k = 0; k < 2; k++) {
      start[k] = calloc((size_t)f.flow->layout->modes + 1, sizeof *start[k]);
      memcpy(start[k], f.flow->u[k], (size_t)f.flow->layout->modes * sizeof *start[k]);
      for (int64_t i = 0; i < f.flow->layout->modes; i++) {
        size += (double)start[k][i].re * (double)start[k][i].re + (double)start[k][i].im * (double)start[k][i].im;
        speed += (double)r.n[k][i].re * (double)r.n[k][i].re + (double)r.n[k][i].im * (double)r.n[k][i].im;
      }
    }
    double h = sqrt(test_total(size) / test_total(speed));
    const int by[4] = {-2, -1, 1, 2}, factor[4] = {1, -8, 8, -1};
    for (int i = 0; i < 4; i++) {
      shift(f.flow, start, &r, by[i] * h);
      measure(f.flow, column);
      for (int c = 0; c < f.flow->shape.n_columns; c++) {
        change[c] += factor[i] * column[c] / 12;
        scale[c] += fabs(factor[i] * column[c] / 12);
      }
      for (int k = 0; k < 3; k++) scale[MOMENTUM + k] += column[KINETIC] / 12; /* it may be near 0 itself */
    }
    TRIAD_WITHIN(change[MASS], 0, 45 * eps * scale[MASS], "change of mass");
    TRIAD_WITHIN(change[ENERGY], 0, 45 * eps * scale[ENERGY], "change of energy");
    for (int k = 0; k < 3; k++)
      TRIAD_WITHIN(change[MOMENTUM + k], 0, 45 * eps * scale[MOMENTUM + k], "change of momentum");
    TRIAD_HOLDS(scale[ENERGY] > 0.1 && h > 0, "a field that moves: %g %g", scale[ENERGY], h);
    for (int k = 0; k < 2; k++) free(start[k]), free(r.n[k]);
    test_flow_free(&f);
  }
}

/* ---- exact solutions ---- */

/* psi_k = re_k + i im_k where this rank holds the mode or its conjugate: 1; else 0. */
static int psi_at(const triad_flow *flow, const int64_t k[3], double *re, double *im)
{
  const int64_t minus[3] = {-k[0], -k[1], -k[2]};
  int64_t at = triad_modes_place(flow->layout, k), sign = 1;
  if (at < 0) at = triad_modes_place(flow->layout, minus), sign = -1;
  if (at < 0) return 0;
  triad_cplx a = flow->u[RE][at], b = flow->u[IM][at];
  *re = (double)a.re - (double)sign * (double)b.im;
  *im = (double)sign * (double)a.im + (double)b.re;
  return 1;
}

#define WAVE CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", PHYSICS, \
                  "kind = \"plane-waves\"\nbackground = 0.0\nwaves = [-2, 1, 2, 0.6, -1.1]", "rk4")

/* Error of A exp(i (k x - omega t)), omega = alpha k^2 + beta |A|^2 - mu. */
static double wave_error(const char *scheme, double dt, int steps)
{
  const char *const sets[] = {scheme, NULL};
  test_flow f = test_flow_make(test_together(), WAVE, sets);
  const int64_t k[3] = {-2, 1, 2};
  triad_gpe_constants q = triad_gpe_from_case(f.given);
  double k2 = 0, a = 0.6 * sqrt(0.7), b = -1.1 * sqrt(0.7), re, im, error = 0;
  for (int i = 0; i < 3; i++) k2 += pow(triad_grid_wavenumber(&f.flow->grid, i, k[i]), 2);
  test_advance(f.flow, dt, steps);
  double angle = (q.alpha * k2 + q.beta * (a * a + b * b) - q.mu) * f.flow->at.t;
  if (psi_at(f.flow, k, &re, &im))
    error = hypot(re - (a * cos(angle) + b * sin(angle)), im - (b * cos(angle) - a * sin(angle)));
  test_flow_free(&f);
  return test_largest(error);
}

TRIAD_TEST(plane_wave_turns_at_its_exact_frequency)
{
  TRIAD_WITHIN(wave_error("time.scheme=\"split2\"", 0.02, 100), 0, 1000 * eps, "error of split2, exact here");
  TRIAD_WITHIN(wave_error("time.scheme=\"rk4\"", 0.005, 100), 0, fmax(1e-8, 1000 * eps), "error of rk4");
  if (sizeof(triad_real) == 4) return; /* rounding hides the slopes */
  const char *const scheme[] = {"time.scheme=\"rk2\"", "time.scheme=\"rk3\"", "time.scheme=\"rk4\""};
  for (int order = 2; order <= 4; order++) {
    double slope = log2(wave_error(scheme[order - 2], 0.04, 25) / wave_error(scheme[order - 2], 0.02, 50));
    TRIAD_WITHIN(slope, order, 0.15, "order of the scheme");
  }
}

/* omega^2 = c^2 k^2 (1 + xi^2 k^2/2) (Bogoliubov 1947, J. Phys. (USSR) 11, 23). A wave that starts as a change of
 * density only goes as cos omega t, so that cos omega t = (r(0) + r(2t))/(2 r(t)) gives omega unbiased. */
TRIAD_TEST(sound_has_bogoliubov_frequency)
{
  if (sizeof(triad_real) == 4) TRIAD_SKIP("the wave is lost in single precision");
  const int64_t k[3][3] = {{1, 0, 0}, {1, 1, 0}, {2, -1, 1}};
  for (int w = 0; w < 3; w++) {
    char waves[160];
    (void)snprintf(waves, sizeof waves, "initial.waves=[%d, %d, %d, 1e-5, 0.0, %d, %d, %d, 1e-5, 0.0]", (int)k[w][0],
                   (int)k[w][1], (int)k[w][2], -(int)k[w][0], -(int)k[w][1], -(int)k[w][2]);
    const char *const sets[] = {"initial.background=1.0", waves, NULL};
    test_flow f = test_flow_make(test_together(), WAVE, sets);
    triad_gpe_constants q = triad_gpe_from_case(f.given);
    double k2 = 0, r[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) k2 += pow(triad_grid_wavenumber(&f.flow->grid, i, k[w][i]), 2);
    double omega = q.sound_speed * sqrt(k2 * (1 + q.healing_length * q.healing_length * k2 / 2));
    int steps = 400;
    double dt = (4 * pi + 1) / omega / steps;
    for (int i = 0; i < 3; i++) {
      int64_t at = triad_modes_place(f.flow->layout, k[w]);
      if (at < 0) at = triad_modes_place(f.flow->layout, (const int64_t[3]){-k[w][0], -k[w][1], -k[w][2]});
      r[i] = test_total(at < 0 ? 0 : (double)f.flow->u[RE][at].re);
      if (i < 2) test_advance(f.flow, dt, steps);
    }
    /* cos is 2 pi m + 1 away from its first turn */
    double measured = (4 * pi + acos((r[0] + r[2]) / (2 * r[1]))) / (dt * steps);
    TRIAD_NEAR(measured, omega, 1e-6, "frequency");
    test_flow_free(&f);
  }
}

#define SOLITON CASE("[384, 1, 1]", "[40.0, 1.0, 1.0]", "sphere", "sound_speed = 1.0\nhealing_length = 0.8", \
                     "kind = \"uniform\"", "rk4")

/* sqrt(rho0) (i v/c + s tanh(s (x - x0 - v t)/(sqrt 2 xi))), s^2 = 1 - v^2/c^2, on a uniform flow of wavenumber q that
 * makes up for its jump of phase, and carries it at 2 alpha q more (Tsuzuki 1971, J. Low Temp. Phys. 4, 441). */
static void soliton(const triad_flow *flow, double v, double t, triad_cplx *const *to)
{
  const triad_grid *g = &flow->grid;
  const triad_layout *l = flow->layout;
  triad_gpe_constants c = triad_gpe_from_case(flow->given);
  double length = g->length[0], s = sqrt(1 - v * v), q = (pi - 2 * asin(v)) / length, speed = v + 2 * c.alpha * q;
  triad_real *re = calloc((size_t)(l->n_planes * g->n[0]) + 1, sizeof *re);
  triad_real *im = calloc((size_t)(l->n_planes * g->n[0]) + 1, sizeof *im);
  for (int64_t i = 0; i < l->n_planes * g->n[0]; i++) {
    double x0 = 0.3 * length, y = remainder((double)i * triad_grid_spacing(g, 0) - x0 - speed * t, length);
    double a = s * tanh(s * y / (sqrt(2) * c.healing_length)), angle = q * (y + x0 + speed * t) - c.alpha * q * q * t;
    re[i] = (triad_real)(a * cos(angle) - v * sin(angle));
    im[i] = (triad_real)(a * sin(angle) + v * cos(angle));
  }
  const triad_real *from[2] = {re, im};
  TRIAD_CHECK(triad_forward(flow->pass, l, 2, from, to));
  free(re);
  free(im);
}

TRIAD_TEST(dark_soliton_travels_unchanged)
{
  const double speed[3] = {0, 0.4, -0.7};
  const char *const schemes[] = {"time.scheme=\"rk4\"", "time.scheme=\"split2\""};
  const int steps[] = {800, 1600}, order[] = {4, 2};
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++) {
      const char *const sets[] = {schemes[s], NULL};
      test_flow f = test_flow_make(test_together(), SOLITON, sets);
      test_flow exact = test_flow_make(test_together(), SOLITON, sets);
      soliton(f.flow, speed[i], 0, f.flow->u);
      test_advance(f.flow, 8. / steps[s], steps[s]);
      soliton(exact.flow, speed[i], f.flow->at.t, exact.flow->u);
      /* rounding: a few times eps in each step, at worst of one sign */
      TRIAD_WITHIN(test_distance(f.flow, exact.flow, 1), 0, pow(8. / steps[s], order[s]) + 4 * steps[s] * eps,
                   "distance after t = 8");
      test_flow_free(&f);
      test_flow_free(&exact);
    }
}

/* ---- stepping ---- */

#define SMOOTH CASE("[24, 24, 24]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", \
                    "sound_speed = 1.0\nhealing_length = 1.0", \
                    "kind = \"plane-waves\"\nwaves = [1, 0, 0, 0.05, 0.02, 0, 1, 1, -0.03, 0.01]", "rk4")

static void drift(const char *scheme, double dt, int steps, double *mass, double *energy)
{
  const char *const sets[] = {scheme, NULL};
  double before[TRIAD_MOST_COLUMNS], after[TRIAD_MOST_COLUMNS];
  test_flow f = test_flow_make(test_together(), SMOOTH, sets);
  measure(f.flow, before);
  test_advance(f.flow, dt, steps);
  measure(f.flow, after);
  *mass = fabs(after[MASS] / before[MASS] - 1);
  *energy = fabs(after[ENERGY] / before[ENERGY] - 1);
  test_flow_free(&f);
}

TRIAD_TEST(split_step_keeps_mass_and_energy_drifts_as_its_order_says)
{
  double mass, coarse, fine;
  drift("time.scheme=\"split2\"", 0.05, 40, &mass, &fine);
  TRIAD_WITHIN(mass, 0, 40 * fmax(1e-13, eps), "mass lost in 40 steps");
  if (sizeof(triad_real) == 4) return;
  /* the energy's error is that of a nearby Hamiltonian, of order dt^2 */
  drift("time.scheme=\"split2\"", 0.1, 20, &mass, &coarse);
  TRIAD_WITHIN(log2(coarse / fine), 2, 0.2, "slope of split2");
  drift("time.scheme=\"rk4\"", 0.4, 10, &mass, &coarse);
  drift("time.scheme=\"rk4\"", 0.2, 20, &mass, &fine);
  TRIAD_HOLDS(log2(coarse / fine) > 3.8, "slope %.3f of rk4, drifts %g and %g", log2(coarse / fine), coarse, fine);
}

TRIAD_TEST(answer_is_the_same_on_any_rank_count)
{
  const char *const ways[][3] = {{"time.scheme=\"rk4\"", NULL}, {"time.scheme=\"split2\"", NULL},
                                 {"time.scheme=\"rk3\"", "equations.imaginary_time=true", NULL}};
  triad_context *self = test_alone();
  for (int t = 0; t < CASES; t++)
    for (int w = 0; w < 3; w++) {
      test_flow f = test_flow_make(test_together(), cases[t], ways[w]), alone = test_flow_make(self, cases[t], ways[w]);
      double a[TRIAD_MOST_COLUMNS], b[TRIAD_MOST_COLUMNS];
      test_advance(f.flow, 1e-3, 5);
      test_advance(alone.flow, 1e-3, 5);
      TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, "modes");
      measure(f.flow, a);
      measure(alone.flow, b);
      for (int c = 0; c < f.flow->shape.n_columns; c++) TRIAD_NEAR(a[c], b[c], 0, f.flow->shape.columns[c].name);
      test_flow_free(&f);
      test_flow_free(&alone);
    }
  triad_context_destroy(&self);
}

/* 64 x 32 x 16 points in 4 pi x 2 pi x pi hold the flow of 64^3 in (4 pi)^3 that has its periods. */
TRIAD_TEST(flat_box_gives_the_modes_of_the_cube)
{
#define BOX(grid, length, waves) \
  CASE(grid, length, "sphere", "sound_speed = 1.0\nhealing_length = 0.7", \
       "kind = \"plane-waves\"\nwaves = " waves, "rk4")
  test_flow cube = test_flow_make(test_together(), BOX("[64, 64, 64]", "[\"4pi\", \"4pi\", \"4pi\"]",
                                  "[1, 2, 0, 3e-3, 0.0, 0, -2, 4, 2e-3, -1e-3]"), NULL);
  test_flow flat = test_flow_make(test_together(), BOX("[64, 32, 16]", "[\"4pi\", \"2pi\", \"pi\"]",
                                  "[1, 1, 0, 3e-3, 0.0, 0, -1, 1, 2e-3, -1e-3]"), NULL);
  test_advance(cube.flow, 0.02, 10);
  test_advance(flat.flow, 0.02, 10);
  double worst = 0, most = 0;
  for (int64_t kx = -4; kx <= 4; kx++)
    for (int64_t ky = -2; ky <= 2; ky++)
      for (int64_t kz = -2; kz <= 2; kz++) {
        const int64_t in_flat[3] = {kx, ky, kz}, in_cube[3] = {kx, 2 * ky, 4 * kz};
        double a[2] = {0, 0}, b[2] = {0, 0};
        (void)psi_at(flat.flow, in_flat, &a[0], &a[1]);
        (void)psi_at(cube.flow, in_cube, &b[0], &b[1]);
        /* both k and -k may be found on ranks of their own, but each on one */
        for (int i = 0; i < 2; i++) {
          double all_a = test_total(a[i]), all_b = test_total(b[i]);
          worst = fmax(worst, fabs(all_a - all_b));
          most = fmax(most, fabs(all_b));
        }
      }
  TRIAD_WITHIN(worst, 0, fmax(1e-12, 50 * eps), "largest difference of a mode");
  TRIAD_HOLDS(most > 0.5, "modes were compared: %g", most);
  test_flow_free(&cube);
  test_flow_free(&flat);
}

/* d(psi)/dtau = -(1/(2 alpha)) dF/dpsi*, F = kinetic + interaction - 2 alpha mu mass: it can only fall, and does so
 * until the density is rho0 everywhere. */
TRIAD_TEST(imaginary_time_relaxes_to_uniform_density)
{
  const char *const sets[] = {"equations.imaginary_time=true", "initial.energy=0.001", NULL};
  test_flow f = test_flow_make(test_together(), cases[1], sets);
  triad_gpe_constants q = triad_gpe_from_case(f.given);
  double column[TRIAD_MOST_COLUMNS], last = INFINITY;
  for (int i = 0; i < 20; i++) {
    measure(f.flow, column);
    double free_energy = column[ENERGY] - 2 * q.alpha * q.mu * column[MASS];
    TRIAD_HOLDS(free_energy <= last + 20 * eps * column[ENERGY], "from %.17g to %.17g", last, free_energy);
    last = free_energy;
    test_advance(f.flow, 0.05, 30);
  }
  measure(f.flow, column);
  TRIAD_NEAR(column[MASS], 0.7, fmax(1e-9, 50 * eps), "mass");
  TRIAD_WITHIN(column[KINETIC], 0, 1e-6, "kinetic energy");
  test_flow_free(&f);
}

/* ---- budgets ---- */

TRIAD_TEST(kinetic_energy_is_the_sum_of_its_parts)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    double column[TRIAD_MOST_COLUMNS];
    int64_t shells = triad_shell_count(&f.flow->grid);
    measure(f.flow, column);
    double parts = column[INCOMPRESSIBLE] + column[COMPRESSIBLE] + column[QUANTUM];
    TRIAD_NEAR(parts, column[KINETIC], 100 * eps, "sum of parts");
    TRIAD_NEAR(column[KINETIC] + column[INTERACTION], column[ENERGY], 4e-16, "energy");
    TRIAD_HOLDS(column[QUANTUM] > 0 && column[INCOMPRESSIBLE] >= 0 && column[COMPRESSIBLE] > 0, "%g %g %g",
                column[QUANTUM], column[INCOMPRESSIBLE], column[COMPRESSIBLE]);
    double *values = calloc((size_t)(shells * f.flow->shape.n_spectra), sizeof *values);
    TRIAD_CHECK(triad_spectra_shells(f.flow, column[ENERGY], values)); /* checks the first */
    const int of[] = {ENERGY, KINETIC, INTERACTION, MASS, INCOMPRESSIBLE};
    for (int i = 0; i < 6; i++) {
      double sum = 0;
      for (int64_t s = 0; s < shells; s++) sum += values[i * shells + s];
      if (i < 5)
        TRIAD_NEAR(sum, column[of[i]], 1e-13, f.flow->shape.spectra[i].name);
      else
        TRIAD_HOLDS(sum > 0 && sum <= column[COMPRESSIBLE] * (1 + 100 * eps), "compressive modes: %g of %g", sum,
                    column[COMPRESSIBLE]);
    }
    free(values);
    test_flow_free(&f);
  }
}

TRIAD_TEST(random_phase_has_the_energy_asked_for)
{
  /* smooth phase: what the truncation takes from psi is lost in rounding */
  const char *const sets[] = {"initial.energy=1e-4", "initial.k_range=[1.0, 1.0]", "initial.seed=7", NULL};
  test_flow f = test_flow_make(test_together(), cases[0], sets);
  double column[TRIAD_MOST_COLUMNS];
  measure(f.flow, column);
  TRIAD_NEAR(column[MASS], 0.7, 1e-9 + 20 * eps, "mass");
  TRIAD_NEAR(column[KINETIC], 0.7e-4, 1e-6 + 1e4 * eps, "kinetic energy");
  TRIAD_WITHIN(column[QUANTUM] / column[KINETIC], 0, 1e-6, "quantum part: the density is uniform");
  TRIAD_WITHIN(column[INCOMPRESSIBLE] / column[KINETIC], 0, 1e-6, "incompressible part: the flow is a gradient");
  test_flow_free(&f);
}

TRIAD_TEST(uniform_flow_is_incompressible)
{
  test_flow f = test_flow_make(test_together(), WAVE, NULL);
  triad_gpe_constants q = triad_gpe_from_case(f.given);
  double column[TRIAD_MOST_COLUMNS], rho = 0.7 * (0.36 + 1.21), k2 = 0;
  const int64_t k[3] = {-2, 1, 2};
  measure(f.flow, column);
  for (int i = 0; i < 3; i++) {
    double w = triad_grid_wavenumber(&f.flow->grid, i, k[i]);
    k2 += w * w;
    TRIAD_NEAR(column[MOMENTUM + i], 2 * q.alpha * w * rho, 50 * eps, "momentum");
  }
  TRIAD_NEAR(column[MASS], rho, 50 * eps, "mass");
  TRIAD_NEAR(column[KINETIC], 2 * q.alpha * q.alpha * k2 * rho, 50 * eps, "kinetic energy");
  TRIAD_NEAR(column[INCOMPRESSIBLE], column[KINETIC], 100 * eps, "incompressible energy");
  TRIAD_NEAR(column[INTERACTION], q.alpha * q.beta * rho * rho, 50 * eps, "interaction energy");
  TRIAD_WITHIN(column[QUANTUM] / column[KINETIC], 0, 1e3 * eps * eps + 1e-20, "quantum energy");
  test_flow_free(&f);
}

/* ---- vortices ---- */

/* By quadrature over the disc: the integral of z/distance^3. */
static double solid_angle_by_sum(double radius, double s, double z)
{
  double sum = 0;
  enum { RINGS = 600, ANGLES = 600 };
  for (int i = 0; i < RINGS; i++) {
    double r = radius * (i + 0.5) / RINGS;
    for (int j = 0; j < ANGLES; j++) {
      double a = 2 * pi * (j + 0.5) / ANGLES, d2 = s * s + r * r - 2 * s * r * cos(a) + z * z;
      sum += r * z / (d2 * sqrt(d2));
    }
  }
  return sum * (radius / RINGS) * (2 * pi / ANGLES);
}

TRIAD_TEST(solid_angle_of_a_disc)
{
  const double at[][2] = {{0, 0.3}, {0.4, 0.3}, {0.99, 0.2}, {1, 0.4}, {1.5, -0.3}, {2.5, 1.1}, {3.9, 0.5}, {4.5, -2}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    TRIAD_NEAR(triad_solid_angle(1, at[i][0], at[i][1]), solid_angle_by_sum(1, at[i][0], at[i][1]), 5e-5, "by sum");
  TRIAD_NEAR(triad_solid_angle(2, 0, 3), 2 * pi * (1 - 3 / sqrt(13)), 1e-14, "on the axis");
  TRIAD_NEAR(triad_solid_angle(1, 0.5, 1e-12), 2 * pi, 1e-10, "at the disc");
  TRIAD_WITHIN(triad_solid_angle(1, 1.5, 1e-12), 0, 1e-10, "beside the disc");
  /* the two ways of finding it meet at r = 4 R */
  const double inside = 4 - 1e-9, outside = 4 + 1e-9, c = 0.6, s = 0.8;
  double near = triad_solid_angle(1, s * inside, c * inside), far = triad_solid_angle(1, s * outside, c * outside);
  TRIAD_NEAR(far, near, 2e-4, "r = 4 R");
}

/* Winding of the phase along a circle about the core, and across the sides of the box. */
TRIAD_TEST(ring_has_one_quantum_and_a_periodic_phase)
{
  const int64_t n[3] = {32, 32, 32};
  const double length[3] = {6, 7, 8}, numbers[7] = {1, 2, 3, 1, 2, -0.5, 1.3};
  triad_grid grid;
  triad_rings rings;
  TRIAD_CHECK(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_rings_create(&rings, &grid, numbers, 7, 0.1));
  const double *normal = rings.ring[0].normal;
  double e[3] = {-normal[1], normal[0], 0}, size = hypot(e[0], e[1]), turns = 0, last = 0;
  for (int i = 0; i < 3; i++) e[i] /= size;
  for (int step = 0; step <= 100; step++) {
    double a = 2 * pi * step / 100, x[3], re, im;
    for (int i = 0; i < 3; i++) x[i] = numbers[i] + (1.3 + 0.2 * cos(a)) * e[i] + 0.2 * sin(a) * normal[i];
    triad_rings_psi(&rings, x, &re, &im);
    double phase = atan2(im, re);
    if (step > 0) turns += remainder(phase - last, 2 * pi) / (2 * pi);
    last = phase;
  }
  TRIAD_NEAR(turns, -1, 1e-12, "turns: with the flow through the ring along its normal");
  double worst = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 200; i++) {
      double x[3], p[2], re, im;
      for (int c = 0; c < 3; c++) x[c] = numbers[c] + length[c] / 2 * triad_test_random(1, (uint64_t)(3 * i + c));
      for (int side = 0; side < 2; side++) {
        x[axis] = numbers[axis] + length[axis] / 2 + (side - 0.5) * 1e-9;
        triad_rings_psi(&rings, x, &re, &im);
        p[side] = atan2(im, re);
      }
      worst = fmax(worst, fabs(remainder(p[1] - p[0], 2 * pi)));
    }
  TRIAD_HOLDS(worst < 0.01, "jump of the phase across the sides of the box: %g", worst);
}

#define LINES CASE("[64, 64, 64]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", \
                   "sound_speed = 2.0\nhealing_length = 0.0562", "kind = \"taylor-green\"", "rk4")

/* Turns of the phase along the sides of a quarter of the plane z = 0, points i, j = 0 .. n/2 on. */
static double turns(const triad_real *re, const triad_real *im, int64_t n, int64_t i0, int64_t j0)
{
  double sum = 0, last = 0;
  for (int64_t step = 0; step <= 2 * n; step++) {
    int64_t side = step / (n / 2) % 4, along = step % (n / 2);
    int64_t i = side == 0 ? along : side == 1 ? n / 2 : side == 2 ? n / 2 - along : 0;
    int64_t j = side == 0 ? 0 : side == 1 ? along : side == 2 ? n / 2 : n / 2 - along;
    int64_t at = (j0 + j) % n * n + (i0 + i) % n;
    double phase = atan2((double)im[at], (double)re[at]);
    if (step > 0) sum += remainder(phase - last, 2 * pi) / (2 * pi);
    last = phase;
  }
  return sum;
}

/* The lines stand for the vorticity 2 sin x sin y of the plane z = 0: +-8 in each quarter of it, 8 quanta here. */
TRIAD_TEST(taylor_green_lines_have_the_circulation_of_the_flow)
{
  test_flow f = test_flow_make(test_together(), LINES, NULL);
  const triad_layout *l = f.flow->layout;
  double column[TRIAD_MOST_COLUMNS], quantum = 4 * pi * triad_gpe_from_case(f.given).alpha;
  triad_real *at[2];
  measure(f.flow, column);
  for (int i = 0; i < 3; i++) TRIAD_WITHIN(column[MOMENTUM + i], 0, 10 * eps, "momentum");
  for (int i = 0; i < 2; i++) at[i] = calloc((size_t)(l->n_planes * 64 * 64) + 1, sizeof *at[i]);
  TRIAD_CHECK(triad_backward(f.flow->pass, l, 2, (const triad_cplx *const *)f.flow->u, at));
  for (int q = 0; q < 4 && l->rank == 0; q++) {
    double circulation = quantum * turns(at[0], at[1], 64, q % 2 * 32, q / 2 * 32);
    TRIAD_NEAR(circulation, q == 0 || q == 3 ? 8 : -8, 0.01, "circulation, in whole quanta");
  }
  for (int i = 0; i < 2; i++) free(at[i]);
  test_flow_free(&f);
}

/* ---- what is refused ---- */

/* ---- without a pass of its own, as a flow on a GPU is ---- */

static int64_t total_of(const triad_case *given, int gpu)
{
  triad_rank_needs needs;
  triad_flow_plan plan;
  TRIAD_CHECK(triad_flow_plan_make(&plan, given, 1));
  triad_flow_memory(&plan, 1, gpu, &needs);
  triad_flow_plan_clear(&plan);
  return needs.total;
}

/* Estimated plans are the same whoever makes them: so are the modes, bit for bit, and the memory is given back. */
TRIAD_TEST(pass_that_is_borrowed_makes_the_same_field)
{
  test_flow f = test_flow_make(test_together(), cases[1], NULL);
  triad_flow *flow = f.flow;
  size_t bytes = (size_t)flow->layout->modes * sizeof **flow->u;
  triad_cplx *first = malloc(bytes + 1);
  triad_real *planes = calloc((size_t)(flow->layout->n_planes * 12 * 10) + 1, sizeof *planes), sum = 0;
  TRIAD_HOLDS(first && planes, "%zu bytes", bytes);
  memcpy(first, flow->u[RE], bytes);
  triad_pass_destroy(&flow->pass);
  int64_t held = triad_memory_held(flow->context->memory);
  TRIAD_CHECK(triad_initial_set(flow, NULL));
  TRIAD_EQUAL(memcmp(first, flow->u[RE], bytes), 0, "modes by a borrowed pass");
  TRIAD_CHECK(triad_flow_backward(flow, flow->u[RE], planes));
  for (int64_t i = 0; i < flow->layout->n_planes * 12 * 10; i++) sum += planes[i] * planes[i];
  TRIAD_HOLDS(test_total((double)sum) > 0, "no points");
  TRIAD_EQUAL(triad_memory_held(flow->context->memory), held, "memory held afterwards");
  free(first);
  free(planes);
  test_flow_free(&f);
}

/* Without a register, and without the work columns of the pass where nothing asks for transforms. */
TRIAD_TEST(host_of_a_gpu_needs_the_state_alone)
{
  const char *const uniform[] = {"initial.kind=\"uniform\"", NULL};
  test_flow drawn = test_flow_make(test_together(), cases[0], NULL), even = test_flow_make(test_together(), WAVE, uniform);
  triad_layout *l;
  TRIAD_CHECK(triad_layout_create(&l, &even.flow->grid, 0, 1, TRIAD_LANES));
  TRIAD_EQUAL(total_of(even.given, 1), 2 * l->modes * (int64_t)sizeof(triad_cplx), "bytes of psi alone");
  TRIAD_HOLDS(total_of(drawn.given, 1) > total_of(even.given, 1), "a random phase passes through points");
  TRIAD_HOLDS(total_of(drawn.given, 0) > total_of(drawn.given, 1), "the CPU's steps take more");
  triad_layout_destroy(&l);
  test_flow_free(&drawn);
  test_flow_free(&even);
}

static void refused(const char *text, const char *set, const char *part)
{
  triad_case *c = NULL;
  triad_needs needs;
  int st = triad_case_parse(&c, "test", text, strlen(text), &set, 1);
  if (st == TRIAD_OK) {
    TRIAD_FAILS(triad_check(c, 1, 1, &needs), TRIAD_ERR_CASE, part);
  } else {
    TRIAD_EQUAL(st, TRIAD_ERR_CASE, set);
    TRIAD_HOLDS(strstr(triad_case_errors(c), part), "\"%s\" does not name \"%s\"", triad_case_errors(c), part);
    triad_message_clear();
  }
  triad_case_destroy(&c);
}

TRIAD_TEST(cases_that_make_no_sense_are_refused)
{
  refused(WAVE, "initial.kind=\"abc\"", "initial.kind");
  refused(WAVE, "initial.kind=\"rest\"", "initial.kind");
  refused(WAVE, "forcing.kind=\"random\"", "forcing.kind");
  refused(WAVE, "initial.waves=[1, 2, 3, 4]", "initial.waves");
  refused(WAVE, "initial.waves=[1.5, 0, 0, 1, 0]", "1.5");
  refused(WAVE, "initial.waves=[100, 0, 0, 1, 0]", "(100, 0, 0)");
  refused(WAVE, "initial.kind=\"vortex-ring\"", "initial.rings");
  refused(LINES, "initial.amplitude=0.01", "initial.amplitude");
  refused(LINES, "grid.length=[6.0, 7.0, 7.0]", "grid.length");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS,
               "kind = \"vortex-ring\"\nrings = [1, 1, 1, 0, 0, 1, 2.2]", "rk4"), "time.cfl=0.5", "radius");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS,
               "kind = \"vortex-ring\"\nrings = [1, 1, 1, 0, 0, 0, 1]", "rk4"), "time.cfl=0.5", "normal");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS "\nimaginary_time = true", "kind = \"uniform\"",
               "split2"), "time.cfl=0.5", "split2");
  refused("[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"abc\"\n[time]\nend = 1.0\n",
          "time.scheme=\"split2\"", "split2");
  refused("[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"abc\"\n[time]\nend = 1.0\n",
          "initial.kind=\"uniform\"", "uniform");
}

TRIAD_MAIN
