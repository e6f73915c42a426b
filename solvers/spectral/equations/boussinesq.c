/* Boussinesq equations (docs/methods/spectral-sets.md eq. 18), gravity along -z (or -y, equations.vertical):
 *   du/dt + u.grad u + 2 Omega x u = -grad p - s N theta z + viscosity lap u + f,   div u = 0
 *   dtheta/dt + u.grad theta = N w + kappa lap theta
 * s = 1 where the stratification is stable, -1 where it is unstable (N imaginary). theta is a velocity: theta^2/2 is
 * the potential energy, and N exchanges it with the kinetic one. Four fields out, eight products back each stage, of
 * which chains leave six. */
#include "case/case_tune.h"
#include "solvers/spectral/equations/boussinesq_points.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/scalars.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"
#include "case/rows.h"
#include "solvers/quantities.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdlib.h>

enum { THETA = TRIAD_BOUSSINESQ_THETA };
enum { KINETIC = TRIAD_VELOCITY_COLUMNS, POTENTIAL, FLUX, VISCOUS, DIFFUSIVE, KMAX_ETA, TAIL, COLUMNS };

typedef struct boussinesq {
  triad_boussinesq_constants constants; /* first: loops.h */
  triad_grid grid;
  double frequency, sign;
  int up; /* axis that points against gravity */
} boussinesq;

static const triad_field_info theta = {"theta", "buoyancy in units of velocity", "U", TRIAD_SCALAR};

static const triad_column_info columns[] = {
  {"kinetic_energy", "U^2", .formula = "mean(|u|^2)/2"},
  {"potential_energy", "U^2", .formula = "mean(theta^2)/2"},
  {"buoyancy_flux", "U^2/T",
   .formula = "N mean(w theta), w the vertical velocity: d(potential_energy)/dt = buoyancy_flux - "
              "diffusive_dissipation"},
  {"viscous_dissipation", "U^2/T", .formula = "sum_k lambda_u(k) |u_k|^2"},
  {"diffusive_dissipation", "U^2/T", .formula = "kappa mean(|grad theta|^2)"},
  {"theta_kmax_eta", "1", "k_max eta_B, eta_B = (kappa^2/(2 enstrophy))^(1/4)", TRIAD_LIMIT_ETA},
  {"theta_tail", "1", "fraction of mean(|grad theta|^2) in the outermost fifth of wavenumbers", TRIAD_LIMIT_TAIL}};

static const triad_column_info spectra[] = {
  {"E_kinetic", "U^2", .formula = "sum over the shell of |u_k|^2/2"},
  {"E_potential", "U^2", .formula = "sum over the shell of |theta_k|^2/2"},
  {"buoyancy_flux", "U^2", .formula = "sum over the shell of Re conj(w_k) theta_k, w the vertical velocity"}};

static const triad_transfer_info transfer[] = {
  {{"T", "U^2/T", .formula = "total energy transfer into the shell by advection, T_u + T_theta"},
   {"Pi", "U^2/T", .formula = "total energy flux past the shell, minus the cumulative sum of T"},
   0,
   4,
   1},
  {{"T_u", "U^2/T",
    .formula = "sum over the shell of Re conj(u_k).N_k, N advection minus its pressure gradient; without buoyancy"},
   {"Pi_u", "U^2/T", .formula = "minus the cumulative sum of T_u"},
   0,
   3,
   1},
  {{"T_theta", "U^2/T", .formula = "sum over the shell of Re conj(theta_k) (-u.grad theta)_k; without buoyancy"},
   {"Pi_theta", "U^2/T", .formula = "minus the cumulative sum of T_theta"},
   THETA,
   1,
   1}};

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  boussinesq *b = *self = calloc(1, sizeof *b);
  if (!b) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the boussinesq solver");
  b->grid = *grid;
  b->frequency = triad_case_real(given, "equations.buoyancy_frequency");
  b->sign = triad_case_is(given, "equations.stratification", "unstable") ? -1 : 1;
  b->up = triad_case_is(given, "equations.vertical", "y") ? 1 : 2;
  b->constants = (triad_boussinesq_constants){.velocity = triad_velocity_of_case(grid, given),
                                              .diffusion.viscosity = triad_case_real(given, "equations.diffusivity"),
                                              .frequency = b->up == 2 ? (triad_real)b->frequency : 0,
                                              .frequency_y = b->up == 1 ? (triad_real)b->frequency : 0,
                                              .y_is_up = b->up == 1,
                                              .sign = (triad_real)b->sign};
  TRIAD_TRY(triad_scalars_of_case(&b->constants.scalars, given));
  TRIAD_TRY(triad_velocity_shape(shape, &b->constants.velocity));
  TRIAD_TRY(triad_shape_add_fields(shape, 1, &theta));
  TRIAD_TRY(triad_shape_add_columns(shape, sizeof columns / sizeof *columns, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra));
  TRIAD_TRY(triad_shape_add_transfers(shape, sizeof transfer / sizeof *transfer, transfer));
  shape->n_sums = TRIAD_BOUSSINESQ_SUMS;
  shape->columns[TRIAD_COLUMN_ENERGY].formula = "kinetic_energy + potential_energy";
  shape->columns[TRIAD_COLUMN_DISSIPATION].formula =
    "viscous_dissipation + diffusive_dissipation: dE/dt = injection - dissipation";
  shape->supplies = b->sign < 0;
  if (b->sign < 0)
    shape->columns[TRIAD_COLUMN_INJECTION].formula =
      "power of the forcing and of a mean shear, plus 2 buoyancy_flux, which unstable stratification supplies";
  shape->spectra[0].formula = "total energy in the shell, E_kinetic + E_potential";
  shape->n_passes = 1;
  shape->pass[0].n_in = TRIAD_BOUSSINESQ_FIELDS;
  shape->pass[0].n_out = TRIAD_BOUSSINESQ_PRODUCTS;
  shape->pass[0].chains = triad_velocity_chains(0);
  shape->pass[0].chains.unit[TRIAD_CHAINS_OF_SCALARS].count = 1; /* theta */
  return triad_scalars_shape(&b->constants.scalars, shape);
}

static void destroy(void **self)
{
  boussinesq *b = *self;
  if (b) triad_scalars_free(&b->constants.scalars);
  free(b);
  *self = NULL;
}

TRIAD_RATES_LOOP(own_rates, triad_boussinesq_constants, triad_boussinesq_mode, TRIAD_BOUSSINESQ_FIELDS,
                 TRIAD_BOUSSINESQ_TERMS)
TRIAD_SUMS_LOOP(own_sums, triad_boussinesq_constants, triad_boussinesq_mode_sums, TRIAD_BOUSSINESQ_FIELDS,
                TRIAD_BOUSSINESQ_SUMS)
TRIAD_DENSITIES_LOOP(own_densities, triad_boussinesq_constants, triad_boussinesq_mode_densities,
                     TRIAD_BOUSSINESQ_FIELDS, TRIAD_BOUSSINESQ_DENSITIES)
TRIAD_TRANSFERS_LOOP(own_transfers, triad_boussinesq_constants, triad_boussinesq_mode_transfers,
                     TRIAD_BOUSSINESQ_FIELDS, TRIAD_BOUSSINESQ_TERMS, TRIAD_BOUSSINESQ_TRANSFERS)

static void rates(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const boussinesq *b = self;
  own_rates(self, block, j, u, t, r);
  triad_scalars_rates(&b->constants.scalars, block, j, u, t + TRIAD_BOUSSINESQ_TERMS, r + TRIAD_BOUSSINESQ_FIELDS);
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *out)
{
  const boussinesq *b = self;
  own_sums(self, l, column, u, out);
  triad_scalars_sums(&b->constants.scalars, &b->constants.velocity.edge, l, column, u, u + TRIAD_BOUSSINESQ_FIELDS,
                     out + TRIAD_BOUSSINESQ_SUMS);
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  const boussinesq *b = self;
  own_densities(self, l, column, j, u, d);
  triad_scalars_densities(&b->constants.scalars, l, column, j, u + TRIAD_BOUSSINESQ_FIELDS,
                          d + TRIAD_BOUSSINESQ_DENSITIES);
}

static void transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *out)
{
  const boussinesq *b = self;
  own_transfers(self, part, block, j, u, t, out);
  triad_scalars_transfers(&b->constants.scalars, block, j, u + TRIAD_BOUSSINESQ_FIELDS, t + TRIAD_BOUSSINESQ_TERMS,
                          out + TRIAD_BOUSSINESQ_TRANSFERS);
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const boussinesq *b = self;
  (void)pass;
  triad_velocity_points(self, at->n, in, out, peaks);
  triad_scalar_fluxes(at->n, in, in[THETA], out + TRIAD_STRESS_PRODUCTS);
  triad_scalars_points(&b->constants.scalars, at->n, in, in + TRIAD_BOUSSINESQ_FIELDS, out + TRIAD_BOUSSINESQ_PRODUCTS);
}

static triad_decay decay(const void *self, int field)
{
  const boussinesq *b = self;
  if (field > THETA) return b->constants.scalars.decay[field - THETA - 1];
  return field < THETA ? b->constants.velocity.decay : b->constants.diffusion;
}

/* The fastest inertia-gravity wave: the root of the largest eigenvalue of 4 Omega Omega^T + N^2 (1 - z z^T), where z
 * points up, whose value along k/|k| is omega^2. It lies in the plane of Omega and z, where h and v are 2 Omega across
 * z and along it; the third eigenvalue is N^2. Where the stratification is unstable it bounds the growth rate. */
static double frequency(const void *self)
{
  const boussinesq *b = self;
  const triad_real *o = b->constants.velocity.rotation;
  double h = 2 * hypot((double)o[0], (double)o[3 - b->up]), v = 2 * (double)o[b->up], n2 = b->frequency * b->frequency;
  double mean = (h * h + n2 + v * v) / 2, half = hypot((h * h + n2 - v * v) / 2, h * v);
  return fmax(b->frequency, sqrt(mean + half));
}

static void forces(const void *self, const triad_real k[3], triad_real inverse_k2, const triad_cplx *u, triad_cplx s[3])
{
  (void)k;
  triad_boussinesq_forces(self, inverse_k2, u, s);
}

extern triad_gpu_visit triad_gpu_visit_velocity;
extern const triad_gpu_spectral triad_gpu_spectral_boussinesq;

static const triad_gpu_set *gpu(const void *self)
{
  static const triad_gpu_set set = {.n_passes = 1,
                                    .pass = {TRIAD_GPU_PART(triad_gpu_visit_velocity)},
                                    .spectral = TRIAD_GPU_PART(&triad_gpu_spectral_boussinesq)};
  (void)self;
  return &set;
}

static void series(const void *self, const double *sums, const triad_series_inputs *inputs, double *c)
{
  const boussinesq *b = self;
  triad_velocity_series(&b->grid, b->constants.velocity.decay.viscosity, sums, inputs, c);
  c[KINETIC] = sums[TRIAD_SUM_ENERGY];
  c[POTENTIAL] = sums[TRIAD_BOUSSINESQ_POTENTIAL];
  c[FLUX] = b->frequency * sums[TRIAD_BOUSSINESQ_FLUX];
  c[VISCOUS] = sums[TRIAD_SUM_DISSIPATION];
  c[DIFFUSIVE] = sums[TRIAD_BOUSSINESQ_DIFFUSION];
  c[KMAX_ETA] = triad_velocity_resolution(&b->grid, b->constants.diffusion.viscosity, sums[TRIAD_SUM_ENSTROPHY]);
  c[TAIL] = triad_velocity_tail(sums[TRIAD_BOUSSINESQ_EDGE], sums[TRIAD_BOUSSINESQ_SLOPE]);
  triad_scalars_series(&b->constants.scalars, &b->grid, sums[TRIAD_SUM_ENSTROPHY], sums + TRIAD_BOUSSINESQ_SUMS,
                       c + COLUMNS);
  if (b->sign < 0) c[TRIAD_COLUMN_INJECTION] += 2 * c[FLUX];
  c[TRIAD_COLUMN_ENERGY] = c[KINETIC] + c[POTENTIAL];
  c[TRIAD_COLUMN_DISSIPATION] = c[VISCOUS] + c[DIFFUSIVE];
}

/* Stable stratification only exchanges energies; the unstable one feeds both. */
static int conserved(const void *self, const double *first, triad_conserved *list)
{
  const boussinesq *b = self;
  if (b->sign < 0 || !triad_decay_is_none(&b->constants.velocity.decay) ||
      !triad_decay_is_none(&b->constants.diffusion))
    return 0;
  return triad_conserved_add(list, 0, TRIAD_COLUMN_ENERGY, first[TRIAD_COLUMN_ENERGY]);
}

/* ---- what it adds to a case ---- */

static const triad_solver_row solver[] = {
  {{"boussinesq", .about = "stratified flow in the Boussinesq approximation"}, "theta", "rest"}, {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.diffusivity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Diffusivity kappa of the buoyancy theta, in the term -kappa k^2 theta."},
  {"equations.buoyancy_frequency", REAL, AT_LEAST(0), .preset = "1", .unit = "1/time",
   .help = "Brunt-Vaisala frequency N. The buoyancy theta has the unit of a velocity, and theta^2/2 is the potential "
           "energy."},
  {"equations.vertical", WORD, WORDS(W("z"), W("y")), .preset = "z",
   .help = "Axis that points against gravity, along which the fluid is stratified. With y and equations.shear, the "
           "fluid is stratified along the gradient of the mean flow: the Richardson number is (N/S)^2."},
  {"equations.stratification", WORD, WORDS(W("stable"), W("unstable")), .preset = "stable",
   .help = "Sign of the stratification. With unstable, N is imaginary: light fluid lies below heavy fluid and "
           "overturns at the rate N."},
  {"initial.potential_energy", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .help = "Mean of theta^2/2 of a random initial theta with the spectrum of random fields. It applies to every kind "
           "except puff, rest, formula, file and checkpoint."},
  {"initial.theta", FORMULA, .preset = "", .unit = "length/time",
   .help = "With kind formula, the buoyancy theta, in units of velocity."},
  {"initial.theta_amplitude", REAL, ANY, .preset = "0", .unit = "length/time",
   .help = "Amplitude of theta in a shear layer, where theta has the same profile as the velocity."},
  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "y=0",
   .help = "Planes written as HDF5 and PNG, each with the quantities to show: \"z=0\", \"x=pi: speed, vorticity\". "
           "\"auto\" is the plane z = 0. With [] none are written. The default of a case whose vertical is y is "
           "\"z=0\"."},
  {0}};

/* Waves and layers as initial fields are those of gravity along z. */
static void rules(triad_case *c)
{
  static const char *const any[] = {"random", "rest", "formula", "file", "checkpoint"};
  if (!triad_case_applies(c, "equations.vertical") || !triad_case_is(c, "equations.vertical", "y")) return;
  if (!triad_case_given(c, "output.slices"))
    (void)triad_case_tune(c, "output.slices", "[\"z=0\"]", "equations.vertical = \"y\"");
  if (!triad_case_good(c, "initial.kind")) return;
  for (size_t i = 0; i < sizeof any / sizeof *any; i++)
    if (triad_case_is(c, "initial.kind", any[i])) return;
  triad_case_error_of(c, "initial.kind",
                      "initial.kind = \"%s\" with equations.vertical = \"y\" is not available, since it is defined "
                      "with gravity along z: use random, rest, formula, file or checkpoint",
                      triad_case_word(c, "initial.kind"));
}

static const triad_quantity quantities[] = {
  {"theta", NULL, TRIAD_UNIT_VELOCITY, "buoyancy in units of velocity", .field = "theta", .shown = 2}, {0}};

const triad_case_part triad_case_part_boussinesq = {
  .family = "spectral", .solvers = solver, .keys = keys, .rules = rules, .quantities = quantities};

const triad_equations triad_equations_boussinesq = {
  .name = "boussinesq",
  .create = create,
  .destroy = destroy,
  .points = points,
  .rates = rates,
  .decay = decay,
  .gpu = gpu,
  .frequency = frequency,
  .extremes = triad_velocity_extremes,
  .stressed = 3,
  .stress = triad_velocity_stress,
  .forces = forces,
  .sums = sums,
  .series = series,
  .conserved = conserved,
  .densities = densities,
  .transfers = transfers,
};
