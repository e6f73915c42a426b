/* Gross-Pitaevskii equation of a superfluid (docs/methods/spectral-sets.md eq. 20), psi = psi_re + i psi_im:
 *   dpsi/dt = i (alpha lap psi - beta P[|psi|^2 - rho0] psi)
 * where beta rho0 = mu, or, in imaginary time, the same without i, which relaxes to a state of least energy. The
 * uniform density stays out of the nonlinear term, so that little error is made in a fluid near rest. The cubic term
 * takes two quadratic steps, each dealiased by the truncation P, so that mass, energy and momentum are kept (Krstulovic
 * and Brachet 2011, Phys. Rev. E 83, 066311). A stage is two passes: psi out and the density back, then the density
 * out and its products with psi back; psi's values at the points are kept from the first to the second. Six real
 * transforms. */
#include "solvers/spectral/equations/gpe.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/equations/loops.h"
#include "case/rows.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };

typedef triad_gpe gpe;

triad_gpe_constants triad_gpe_from_case(const triad_case *given)
{
  double c = triad_case_real(given, "equations.sound_speed"), xi = triad_case_real(given, "equations.healing_length");
  double rho = triad_case_real(given, "equations.density");
  return (triad_gpe_constants){.alpha = c * xi / sqrt(2),
                               .beta = c / (xi * sqrt(2) * rho),
                               .mu = c / (xi * sqrt(2)),
                               .sound_speed = c,
                               .healing_length = xi,
                               .density = rho,
                               .imaginary_time = triad_case_flag(given, "equations.imaginary_time")};
}

static const triad_field_info fields[] = {
  {"psi_re", "real part of the wave function", "sqrt(rho)", TRIAD_REAL_PART("psi")},
  {"psi_im", "imaginary part of the wave function", "sqrt(rho)", TRIAD_IMAGINARY_PART("psi")}};

/* Of the modes that are kept. */
static double largest_k2(const triad_grid *grid)
{
  double most = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    double k = triad_grid_reach(grid, i);
    most = fmax(most, k * k);
    sum += k * k;
  }
  return grid->truncation == TRIAD_SPHERE ? most : sum;
}

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  gpe *g = *self = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the gpe solver");
  g->constants = triad_gpe_from_case(given);
  g->k_max = triad_grid_k_max(grid);
  g->k_max2 = largest_k2(grid);
  TRIAD_TRY(triad_shape_add_fields(shape, 2, fields));
  shape->n_passes = 2;
  shape->pass[0].n_in = 2;
  shape->pass[0].n_out = 1;
  shape->pass[1].n_in = 1;
  shape->pass[1].n_out = 2;
  shape->own_modes = 3; /* density, flux; square is half of one */
  shape->own_points = 2;
  return triad_gpe_shape_budget(shape);
}

static void destroy(void **self)
{
  gpe *g = *self;
  if (g->context) {
    TRIAD_FREE(g->context->memory, &g->density);
    TRIAD_FREE(g->context->memory, &g->points_re);
    TRIAD_FREE(g->context->memory, &g->points_im);
    TRIAD_FREE(g->context->memory, &g->flux);
    TRIAD_FREE(g->context->memory, &g->square);
    TRIAD_FREE(g->context->memory, &g->sums);
  }
  free(*self);
  *self = NULL;
}

static int prepare(void *self, triad_context *context, const triad_layout *l)
{
  gpe *g = self;
  int64_t points = triad_layout_points(l);
  g->context = context;
  g->layout = l;
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "density", l->modes, &g->density));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "psi at points", points, &g->points_re));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "psi at points", points, &g->points_im));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "budgets", l->modes, &g->flux));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "budgets", l->modes, &g->square));
  return TRIAD_ALLOC(context->memory, "budgets", context->threads * TRIAD_GPE_OBSERVED, &g->sums);
}

static void source(void *self, int pass, const triad_batch *block, const triad_cplx *const *u, triad_cplx *const *in)
{
  const gpe *g = self;
  if (pass == 1) {
    triad_batch_put(block, g->density, in[0]);
    return;
  }
  triad_batch_put(block, u[RE], in[RE]);
  triad_batch_put(block, u[IM], in[IM]);
}

TRIAD_POINTS_LOOP(density_points, triad_gpe_constants, triad_gpe_point, triad_gpe_rate, 2, 1)
TRIAD_PRODUCTS_LOOP(product_points, triad_gpe_constants, triad_gpe_product_point, 3, 2)
TRIAD_POINTS_LOOP(split_points, triad_gpe_constants, triad_gpe_split_point, triad_gpe_split_rate, 2, 2)
TRIAD_RATES_LOOP(rates, triad_gpe_constants, triad_gpe_mode, TRIAD_GPE_FIELDS, TRIAD_GPE_TERMS)
TRIAD_SUMS_LOOP(sums, triad_gpe_constants, triad_gpe_mode_sums, TRIAD_GPE_FIELDS, TRIAD_GPE_SUMS)

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const gpe *g = self;
  const triad_layout *l = g->layout;
  int64_t row = triad_layout_row(l, at->y, at->z);
  triad_real *re = g->points_re + row, *im = g->points_im + row;
  if (pass == 0) {
    memcpy(re, in[RE], (size_t)at->n * sizeof *re);
    memcpy(im, in[IM], (size_t)at->n * sizeof *im);
    density_points(self, 0, at->n, in, out, peaks);
  } else {
    product_points(self, at->n, (triad_real *const[]){in[0], re, im}, out);
  }
}

static void keep_density(void *self, int pass, const triad_batch *block, triad_cplx *const *out)
{
  (void)pass;
  triad_batch_keep(block, out[0], ((gpe *)self)->density);
}

static triad_decay decay(const void *self, int field)
{
  const gpe *g = self;
  (void)field;
  return (triad_decay){.viscosity = g->constants.imaginary_time ? g->constants.alpha : 0};
}

static triad_turn turn(const void *self)
{
  const gpe *g = self;
  if (g->constants.imaginary_time) return (triad_turn){0, 0};
  return (triad_turn){g->constants.alpha, 0}; /* mu is in the nonlinear term */
}

/* The linear term is exact, but its coupling to the nonlinear one is not: a step must see its fastest turn. */
static double frequency(const void *self)
{
  const gpe *g = self;
  return g->constants.imaginary_time ? g->constants.mu : g->constants.alpha * g->k_max2 + g->constants.mu;
}

/* docs/methods/time-steps.md eq. 21: waves on a uniform fluid of density rho0 grow in splitting if their linear turn in
 * a step, alpha k^2 dt, lies between pi - 2 atan(mu dt) and pi (Weideman and Herbst 1986, SIAM J. Numer. Anal. 23,
 * 485, for small mu dt). Runge-Kutta schemes in turning variables evaluate the same coupling at c dt, and are in
 * resonance there too. The left side rises with dt: bisection. */
static double longest(const void *self, const triad_scheme *scheme)
{
  const gpe *g = self;
  const double mu = g->constants.mu, turn = g->constants.alpha * g->k_max2;
  if (g->constants.imaginary_time) return scheme->real_axis / (2 * mu); /* |psi| relaxes at 2 mu */
  double low = 0, high = TRIAD_PI / fmax(turn, 1e-300);
  for (int i = 0; i < 100; i++) {
    const double dt = (low + high) / 2;
    if (turn * dt + 2 * atan(mu * dt) <= TRIAD_PI) low = dt;
    else high = dt;
  }
  return low;
}

extern triad_gpu_visit triad_gpu_visit_gpe, triad_gpu_visit_gpe_product, triad_gpu_visit_gpe_split;
extern const triad_gpu_spectral triad_gpu_spectral_gpe;

static const triad_gpu_set *gpu(const void *self)
{
  static const triad_gpu_set set = {
    .n_passes = 2,
    .pass = {TRIAD_GPU_PART(triad_gpu_visit_gpe), TRIAD_GPU_PART(triad_gpu_visit_gpe_product)},
    .split = TRIAD_GPU_PART(triad_gpu_visit_gpe_split),
    .spectral = TRIAD_GPU_PART(&triad_gpu_spectral_gpe),
    .extras = TRIAD_GPE_SEEN - TRIAD_GPE_FIELDS,
    .keeps = 2,
    .row_fields = 4 + 1,
    .observe = TRIAD_GPU_PART(triad_gpu_observe_gpe)};
  (void)self;
  return &set;
}

static void split(void *self, double dt, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                  double *peaks)
{
  split_points(self, dt, at->n, in, out, peaks);
}

static void describe(const void *self, triad_log *log)
{
  const gpe *g = self;
  const triad_gpe_constants *q = &g->constants;
  triad_log_info(log, "dpsi/dt = %s(mu psi - beta |psi|^2 psi + alpha lap psi): alpha = %.6g, beta = %.6g, mu = %.6g",
                 g->constants.imaginary_time ? "" : "i ", q->alpha, q->beta, q->mu);
  triad_log_info(log, "sound speed c = %.6g, healing length xi = %.6g, density rho0 = %.6g; hbar/m = %.6g, g/m = %.6g",
                 q->sound_speed, q->healing_length, q->density, 2 * q->alpha, 2 * q->alpha * q->beta);
  triad_log_info(log, "quantum of circulation 4 pi alpha = %.6g; k_max xi = %.4g", 4 * TRIAD_PI * q->alpha,
                 g->k_max * q->healing_length);
  if (g->k_max * q->healing_length < 1)
    triad_log_warning(log,
                      "k_max xi = %.3g: vortex cores are not resolved: use a finer grid or a longer healing length",
                      g->k_max * q->healing_length);
}

/* ---- what it adds to a case ---- */

static const triad_solver_row solver[] = {{{"gpe", .about = "Gross-Pitaevskii superfluid"}, "psi_re", "uniform"},
                                          {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.sound_speed", REAL, ABOVE(0), .preset = "1", .unit = "length/time",
   .help = "Speed of sound c at the mean density."},
  {"equations.healing_length", REAL, ABOVE(0), .example = "0.1", .unit = "length",
   .help = "Healing length xi, the core radius of a vortex. Choose it so that k_max xi is above 1."},
  {"equations.density", REAL, ABOVE(0), .preset = "1", .help = "Mean density rho0 of the fluid, the mean of |psi|^2."},
  {"equations.imaginary_time", FLAG, .preset = "false",
   .help = "Evolve in imaginary time (the real Ginzburg-Landau equation), which relaxes to a state of minimum energy."},
  {"initial.background", REAL, ANY, .preset = "1",
   .help = "With kind plane-waves, the uniform part of the wave function, in units of the square root of the "
           "density."},
  {"initial.psi_re", FORMULA, .preset = "",
   .help = "With kind formula, the real part of the wave function, in units of the square root of the density: psi_re "
           "= 1 gives |psi|^2 = equations.density. Field files contain psi itself."},
  {"initial.psi_im", FORMULA, .preset = "",
   .help = "With kind formula, the imaginary part of the wave function, in the units of initial.psi_re."},
  {"initial.waves", REAL_LIST(70), ANY, .preset = "",
   .help = "With kind plane-waves, five numbers per wave: its periods along x, y and z, then the real and imaginary "
           "parts of its amplitude, in units of the square root of the density."},
  {"initial.rings", REAL_LIST(70), ANY, .preset = "", .unit = "length",
   .help = "With kind vortex-ring, seven numbers per ring: its centre (x, y, z), its normal (three components), along "
           "which it travels, and its radius."},
  {0}};

static void check_splitting(triad_case *c)
{
  if (!triad_case_good(c, "time.scheme") || !triad_case_good(c, "equations.imaginary_time")) return;
  if (triad_case_is(c, "time.scheme", "split2") && triad_case_flag(c, "equations.imaginary_time"))
    triad_case_error_of(
      c, "time.scheme",
      "time.scheme = \"split2\" supports real time only: use rk2, rk3 or rk4 with equations.imaginary_time");
}

static const triad_quantity quantities[] = {
  {"density", NULL, "M", "density |psi|^2", TRIAD_SPECTRAL_DENSITY, "psi_re", .scale = TRIAD_SCALE_FROM_ZERO,
   .shown = 1},
  {"phase", NULL, "1", "phase of psi", TRIAD_SPECTRAL_PHASE, "psi_re", .scale = TRIAD_SCALE_ANGLE},
  {"psi_re", NULL, "M^(1/2)", "real part of psi", .field = "psi_re"},
  {"psi_im", NULL, "M^(1/2)", "imaginary part of psi", .field = "psi_im"},
  {0}};

const triad_case_part triad_case_part_gpe = {
  .family = "spectral", .solvers = solver, .keys = keys, .rules = check_splitting, .quantities = quantities};

const triad_equations triad_equations_gpe = {
  .name = "gpe",
  .create = create,
  .destroy = destroy,
  .prepare = prepare,
  .source = source,
  .points = points,
  .keep = keep_density,
  .rates = rates,
  .decay = decay,
  .gpu = gpu,
  .turn = turn,
  .frequency = frequency,
  .longest = longest,
  .split = split,
  .describe = describe,
  .sums = sums,
  .observe = triad_gpe_observe,
  .series = triad_gpe_series,
  .conserved = triad_gpe_conserved,
  .densities = triad_gpe_densities,
};
