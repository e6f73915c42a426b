/* Gross-Pitaevskii: what the operator and a step keep, and how the energy is split.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "gpe.h"

#include "grid/shells.h"
#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/equations/gpe.h"

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
  triad_lane_row n[TRIAD_MAX_FIELDS];
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
    const triad_work work = {.n_in = flow->shape.pass[r.pass].n_in,
                             .n_out = flow->shape.pass[r.pass].n_out,
                             .source = put,
                             .points = visit,
                             .sink = r.pass == 0 ? keep : keep_rates,
                             .self = &r};
    TRIAD_CHECK(triad_pass_run(flow->pass, &work));
  }
  return r;
}

static void shift(triad_flow *flow, triad_cplx *const *start, const operator_run *r, double by)
{
  for (int f = 0; f < 2; f++)
    for (int64_t i = 0; i < flow->layout->modes; i++)
      flow->u[f][i] =
        (triad_cplx){start[f][i].re + (triad_real)by * r->n[f][i].re, start[f][i].im + (triad_real)by * r->n[f][i].im};
}

/* Each is a polynomial of degree 4 at most of a shift h along dpsi/dt, so that four values of it give its derivative
 * without error but rounding: (8 (E(h) - E(-h)) - (E(2h) - E(-2h)))/(12 h) must be zero. */
TRIAD_TEST(spatial_operator_keeps_mass_energy_and_momentum)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    operator_run r = operator_apply(f.flow);
    triad_cplx *start[2];
    double size = 0, speed = 0, column[TRIAD_MAX_COLUMNS];
    double scale[TRIAD_MAX_COLUMNS] = {0}, change[TRIAD_MAX_COLUMNS] = {0};
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

#define SMOOTH \
  CASE("[24, 24, 24]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", "sound_speed = 1.0\nhealing_length = 1.0", \
       "kind = \"plane-waves\"\nwaves = [1, 0, 0, 0.05, 0.02, 0, 1, 1, -0.03, 0.01]", "rk4")

static void drift(const char *scheme, double dt, int steps, double *mass, double *energy)
{
  const char *const sets[] = {scheme, NULL};
  double before[TRIAD_MAX_COLUMNS], after[TRIAD_MAX_COLUMNS];
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

/* d(psi)/dtau = -(1/(2 alpha)) dF/dpsi*, F = kinetic + interaction - 2 alpha mu mass: it can only fall, and does so
 * until the density is rho0 everywhere. */
TRIAD_TEST(imaginary_time_relaxes_to_uniform_density)
{
  const char *const sets[] = {"equations.imaginary_time=true", "initial.energy=0.001", NULL};
  test_flow f = test_flow_make(test_together(), cases[1], sets);
  triad_gpe_constants q = triad_gpe_from_case(f.given);
  double column[TRIAD_MAX_COLUMNS], last = INFINITY;
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

TRIAD_TEST(kinetic_energy_is_the_sum_of_its_parts)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    double column[TRIAD_MAX_COLUMNS];
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
      if (i < 5) TRIAD_NEAR(sum, column[of[i]], 1e-13, f.flow->shape.spectra[i].name);
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
  double column[TRIAD_MAX_COLUMNS];
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
  double column[TRIAD_MAX_COLUMNS], rho = 0.7 * (0.36 + 1.21), k2 = 0;
  const int64_t k[3] = {-2, 1, 2};
  measure(f.flow, column);
  for (int i = 0; i < 3; i++) {
    double w = triad_grid_size_wavenumber(&f.flow->grid, i, k[i]);
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

TRIAD_MAIN
