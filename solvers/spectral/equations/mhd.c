/* Incompressible magnetohydrodynamics in Alfven units, B = B0 + b (docs/methods/spectral-sets.md eq. 19):
 *   du/dt + u.grad u + 2 Omega x u = -grad P + B.grad B + viscosity lap u + f,   div u = 0
 *   db/dt = curl((u - d_i curl b) x B) + resistivity lap b,                      div b = 0
 * Six fields out (nine with the Hall term, which needs curl b), eight products back each stage, of which chains
 * leave seven. b changes by curls only, so it stays divergence-free. */
#include "solvers/spectral/equations/mhd.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/scalars.h"
#include "case/rows.h"
#include "solvers/quantities.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdlib.h>

typedef triad_mhd mhd;

enum { B = TRIAD_MHD_B };
enum {
  KINETIC = TRIAD_VELOCITY_COLUMNS,
  MAGNETIC,
  CROSS,
  MAGNETIC_HELICITY,
  CURRENT2,
  VISCOUS,
  JOULE,
  DIV_B,
  PRODUCTION,
  KMAX_ETA,
  TAIL,
  COLUMNS
};

static const triad_field_info fields[] = {
  {"bx", "magnetic field along x, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 0, 1)},
  {"by", "magnetic field along y, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 1, 1)},
  {"bz", "magnetic field along z, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 2, 1)}};

static const triad_column_info columns[] = {
  {"kinetic_energy", "U^2", .formula = "mean(|u|^2)/2"},
  {"magnetic_energy", "U^2", .formula = "mean(|b|^2)/2, without the mean field"},
  {"cross_helicity", "U^2", .formula = "mean(u.b)"},
  {"magnetic_helicity", "U^2 L", .formula = "mean(a.b), b = curl a, div a = 0"},
  {"current_squared", "U^2/L^2", .formula = "mean(|curl b|^2)/2"},
  {"viscous_dissipation", "U^2/T", .formula = "sum_k lambda_u(k) |u_k|^2"},
  {"joule_dissipation", "U^2/T", .formula = "sum_k lambda_b(k) |b_k|^2"},
  {"divergence_b", "U/L", .formula = "rms of div b"},
  {"magnetic_production", "U^2/T",
   .formula = "mean(curl b.(u x B)), energy transfer from flow to field: d(magnetic_energy)/dt = magnetic_production - "
              "joule_dissipation if the field is not forced"},
  {"b_kmax_eta", "1", "k_max eta_b, eta_b = (resistivity^2/(2 max(enstrophy, current_squared)))^(1/4)",
   TRIAD_LIMIT_ETA},
  {"b_tail", "1", "fraction of current_squared in the outermost fifth of wavenumbers", TRIAD_LIMIT_TAIL}};

static const triad_column_info spectra[] = {
  {"E_kinetic", "U^2", .formula = "sum over the shell of |u_k|^2/2"},
  {"E_magnetic", "U^2", .formula = "sum over the shell of |b_k|^2/2"},
  {"H_cross", "U^2", .formula = "sum over the shell of Re conj(u_k).b_k"},
  {"H_magnetic", "U^2 L", .formula = "sum over the shell of Re conj(a_k).b_k"}};

/* Of a box of modes, or of an ellipsoid. */
static double largest_k(const triad_grid *grid)
{
  double corner = 0, axis = 0;
  for (int i = 0; i < 3; i++) {
    double k = triad_grid_reach(grid, i);
    corner = hypot(corner, k);
    axis = fmax(axis, k);
  }
  return grid->truncation == TRIAD_SPHERE ? axis : corner;
}

static triad_gpu_set gpu_set_of(const mhd *m);

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  double mean[3];
  mhd *m = *self = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mhd solver");
  triad_case_reals(given, "equations.mean_field", mean, 3);
  m->grid = *grid;
  m->constants.velocity = triad_velocity_of_case(grid, given);
  m->constants.decay_b = (triad_decay){.viscosity = triad_case_real(given, "equations.resistivity"),
                                       .hyperviscosity = triad_case_real(given, "equations.hyperresistivity"),
                                       .order = m->constants.velocity.decay.order};
  m->constants.hall = (triad_real)triad_case_real(given, "equations.hall");
  m->constants.whistler = 1 + m->constants.hall * (triad_real)largest_k(grid);
  for (int i = 0; i < 3; i++) m->constants.mean_field[i] = (triad_real)mean[i];
  TRIAD_TRY(triad_scalars_of_case(&m->constants.scalars, given));
  TRIAD_TRY(triad_velocity_shape(shape, &m->constants.velocity));
  TRIAD_TRY(triad_shape_add_fields(shape, 3, fields));
  TRIAD_TRY(triad_shape_add_columns(shape, sizeof columns / sizeof *columns, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra));
  TRIAD_TRY(triad_mhd_shape_transfers(m, shape));
  shape->n_sums = TRIAD_MHD_SUMS;
  shape->columns[TRIAD_COLUMN_ENERGY].formula = "kinetic_energy + magnetic_energy";
  shape->columns[TRIAD_COLUMN_DISSIPATION].formula =
    "viscous_dissipation + joule_dissipation: dE/dt = injection - dissipation";
  shape->columns[TRIAD_COLUMN_CFL].formula =
    "dt max sum_i |u_i|/dx_i; Alfven and whistler waves also limit the time step";
  shape->spectra[0].formula = "total energy in the shell, E_kinetic + E_magnetic";
  shape->n_passes = 1;
  shape->pass[0].n_in = triad_mhd_inputs(m) - m->constants.scalars.n; /* which add themselves */
  shape->pass[0].n_out = TRIAD_MHD_PRODUCTS;
  shape->pass[0].chains = triad_velocity_chains(3);
  m->gpu = gpu_set_of(m);
  return triad_scalars_shape(&m->constants.scalars, shape);
}

static void destroy(void **self)
{
  mhd *m = *self;
  if (m) triad_scalars_free(&m->constants.scalars);
  free(m);
  *self = NULL;
}

static int prepare(void *self, triad_context *context, const triad_layout *layout)
{
  mhd *m = self;
  (void)layout;
  m->comm = &context->comm;
  return TRIAD_OK;
}

static void source(void *self, int pass, const triad_batch *block, const triad_cplx *const *u, triad_cplx *const *in)
{
  const mhd *m = self;
  const triad_layout *l = block->layout;
  (void)pass;
  const int own = TRIAD_MHD_FIELDS + m->constants.scalars.n;
  for (int f = 0; f < own; f++) triad_batch_put(block, u[f], in[f]);
  for (int64_t j = 0; m->constants.hall != 0 && j < l->nkz; j++) {
    triad_cplx *row[TRIAD_MHD_FIELDS + TRIAD_MHD_SOURCES];
    for (int f = 0; f < TRIAD_MHD_FIELDS; f++) row[f] = triad_batch_row(block, in[f], j);
    for (int f = 0; f < TRIAD_MHD_SOURCES; f++) row[TRIAD_MHD_FIELDS + f] = triad_batch_row(block, in[own + f], j);
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      const triad_real k[3] = {(triad_real)l->wx[c], (triad_real)l->wy[c], (triad_real)l->wz[j]};
      triad_cplx fields_here[TRIAD_MHD_FIELDS], made[TRIAD_MHD_SOURCES];
      for (int f = 0; f < TRIAD_MHD_FIELDS; f++) fields_here[f] = row[f][i];
      triad_mhd_source(&m->constants, k, fields_here, made);
      for (int f = 0; f < TRIAD_MHD_SOURCES; f++) row[TRIAD_MHD_FIELDS + f][i] = made[f];
    }
  }
}

TRIAD_POINTS_LOOP(plain_points, triad_mhd_constants, triad_mhd_point, triad_mhd_rate, 6, TRIAD_MHD_PRODUCTS)
TRIAD_POINTS_LOOP(hall_points, triad_mhd_constants, triad_hall_point, triad_hall_rate, 9, TRIAD_MHD_PRODUCTS)
TRIAD_RATES_LOOP(own_rates, triad_mhd_constants, triad_mhd_mode, TRIAD_MHD_FIELDS, TRIAD_MHD_TERMS)
TRIAD_SUMS_LOOP(own_sums, triad_mhd_constants, triad_mhd_mode_sums, TRIAD_MHD_FIELDS, TRIAD_MHD_SUMS)
TRIAD_DENSITIES_LOOP(own_densities, triad_mhd_constants, triad_mhd_mode_densities, TRIAD_MHD_FIELDS,
                     TRIAD_MHD_DENSITIES)
TRIAD_TRANSFERS_LOOP(own_transfers, triad_mhd_constants, triad_mhd_mode_transfers, TRIAD_MHD_FIELDS, TRIAD_MHD_TERMS,
                     TRIAD_MHD_TRANSFERS)

static void rates(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const mhd *m = self;
  own_rates(self, block, j, u, t, r);
  triad_scalars_rates(&m->constants.scalars, block, j, u, t + TRIAD_MHD_TERMS, r + TRIAD_MHD_FIELDS);
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *out)
{
  const mhd *m = self;
  own_sums(self, l, column, u, out);
  triad_scalars_sums(&m->constants.scalars, &m->constants.velocity.edge, l, column, u, u + TRIAD_MHD_FIELDS,
                     out + TRIAD_MHD_SUMS);
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  const mhd *m = self;
  own_densities(self, l, column, j, u, d);
  triad_scalars_densities(&m->constants.scalars, l, column, j, u + TRIAD_MHD_FIELDS, d + TRIAD_MHD_DENSITIES);
}

/* Hidden fields are not among what carries a scalar: the first part has all of it. */
static void transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *out)
{
  const mhd *m = self;
  own_transfers(self, part, block, j, u, t, out);
  if (part == 0)
    triad_scalars_transfers(&m->constants.scalars, block, j, u + TRIAD_MHD_FIELDS, t + TRIAD_MHD_TERMS,
                            out + TRIAD_MHD_TRANSFERS);
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const mhd *m = self;
  const int n = m->constants.scalars.n;
  (void)pass;
  if (m->constants.hall != 0) {
    triad_real *held[TRIAD_MHD_FIELDS + TRIAD_MHD_SOURCES];
    for (int f = 0; f < TRIAD_MHD_FIELDS + TRIAD_MHD_SOURCES; f++) held[f] = in[f < TRIAD_MHD_FIELDS ? f : f + n];
    hall_points(self, 0, at->n, held, out, peaks);
  } else {
    plain_points(self, 0, at->n, in, out, peaks);
  }
  triad_scalars_points(&m->constants.scalars, at->n, in, in + TRIAD_MHD_FIELDS, out + TRIAD_MHD_PRODUCTS);
}

static void stress(const void *self, int part, int64_t n, triad_real *const *in, triad_real *const *out)
{
  const mhd *m = self;
  for (int64_t i = 0; i < n; i++) {
    const triad_real v[TRIAD_MHD_FIELDS] = {in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]};
    triad_real b[3], t[TRIAD_MHD_PRODUCTS];
    triad_mhd_field(&m->constants, v, b);
    triad_mhd_products(v, v, b, t);
    if (part == 1) t[0] = triad_mhd_diagonal(v, b);
    for (int r = 0; r < (part == 0 ? TRIAD_STRESS_PRODUCTS : 1); r++) out[r][i] = t[r];
  }
}

static triad_decay decay(const void *self, int field)
{
  const mhd *m = self;
  if (field >= TRIAD_MHD_FIELDS) return m->constants.scalars.decay[field - TRIAD_MHD_FIELDS];
  return field < B ? m->constants.velocity.decay : m->constants.decay_b;
}

extern triad_gpu_visit triad_gpu_visit_mhd, triad_gpu_visit_hall, triad_gpu_visit_mhd_carrying,
  triad_gpu_visit_hall_carrying;
extern const triad_gpu_spectral triad_gpu_spectral_mhd;

static triad_gpu_set gpu_set_of(const mhd *m)
{
  static triad_gpu_visit *const visit[2][2] = {
    {TRIAD_GPU_PART(triad_gpu_visit_mhd), TRIAD_GPU_PART(triad_gpu_visit_mhd_carrying)},
    {TRIAD_GPU_PART(triad_gpu_visit_hall), TRIAD_GPU_PART(triad_gpu_visit_hall_carrying)}};
  const int hall = m->constants.hall != 0, n = m->constants.scalars.n, made = hall ? TRIAD_MHD_SOURCES : 0;
  return (triad_gpu_set){.n_passes = 1,
                         .pass = {visit[hall][n > 0]},
                         .spectral = TRIAD_GPU_PART(&triad_gpu_spectral_mhd),
                         .extras = made,
                         .sources = made,
                         .row_fields =
                           hall || n > 0 ? triad_mhd_inputs(m) + TRIAD_MHD_PRODUCTS + TRIAD_SCALAR_FLUXES * n : 0,
                         .observe = TRIAD_GPU_PART(triad_gpu_observe_mhd)};
}

static const triad_gpu_set *gpu(const void *self) { return &((const mhd *)self)->gpu; }

static void series(const void *self, const double *s, const triad_series_inputs *inputs, double *c)
{
  const mhd *m = self;
  triad_velocity_series(&m->grid, m->constants.velocity.decay.viscosity, s, inputs, c);
  c[KINETIC] = s[TRIAD_SUM_ENERGY];
  c[MAGNETIC] = s[TRIAD_MHD_SUM_MAGNETIC];
  c[CROSS] = s[TRIAD_MHD_SUM_CROSS];
  c[MAGNETIC_HELICITY] = s[TRIAD_MHD_SUM_HELICITY];
  c[CURRENT2] = s[TRIAD_MHD_SUM_CURRENT];
  c[VISCOUS] = s[TRIAD_SUM_DISSIPATION];
  c[JOULE] = s[TRIAD_MHD_SUM_JOULE];
  c[DIV_B] = sqrt(s[TRIAD_MHD_SUM_DIV_B]);
  c[PRODUCTION] = s[TRIAD_MHD_SUMS + TRIAD_SCALAR_SUMS * m->constants.scalars.n]; /* observed: behind all sums */
  c[KMAX_ETA] = triad_velocity_resolution(&m->grid, m->constants.decay_b.viscosity,
                                          fmax(s[TRIAD_SUM_ENSTROPHY], s[TRIAD_MHD_SUM_CURRENT]));
  c[TAIL] = triad_velocity_tail(s[TRIAD_MHD_SUM_EDGE], s[TRIAD_MHD_SUM_CURRENT]);
  triad_scalars_series(&m->constants.scalars, &m->grid, s[TRIAD_SUM_ENSTROPHY], s + TRIAD_MHD_SUMS, c + COLUMNS);
  c[TRIAD_COLUMN_ENERGY] = c[KINETIC] + c[MAGNETIC];
  c[TRIAD_COLUMN_DISSIPATION] = c[VISCOUS] + c[JOULE];
}

/* Ideal flow keeps its energy and, without rotation and the Hall term, mean(u.b), at most the energy. A perfect
 * conductor without a mean field keeps its magnetic helicity whatever the viscosity: at most mean |b|^2 over the
 * smallest wavenumber (Woltjer 1958, Proc. Natl. Acad. Sci. 44, 489). */
static int conserved(const void *self, const double *first, triad_conserved *list)
{
  const triad_mhd *m = self;
  const triad_mhd_constants *c = &m->constants;
  double mean = 0, rotation = 0;
  int n = 0;
  if (!triad_decay_is_none(&c->decay_b)) return 0;
  for (int i = 0; i < 3; i++) {
    mean = fmax(mean, fabs((double)c->mean_field[i]));
    rotation = fmax(rotation, fabs((double)c->velocity.rotation[i]));
  }
  if (!(mean > 0))
    n = triad_conserved_add(list, n, MAGNETIC_HELICITY, 2 * first[MAGNETIC] / triad_grid_k_min(&m->grid));
  if (!triad_decay_is_none(&c->velocity.decay)) return n;
  n = triad_conserved_add(list, n, TRIAD_COLUMN_ENERGY, first[TRIAD_COLUMN_ENERGY]);
  return rotation > 0 || c->hall != 0 ? n : triad_conserved_add(list, n, CROSS, first[TRIAD_COLUMN_ENERGY]);
}

/* ---- what it adds to a case ---- */

static const triad_solver_row solver[] = {{{"mhd", .about = "incompressible magnetohydrodynamics"}, "bx", "rest"},
                                          {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.resistivity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Magnetic diffusivity eta, in the term -eta k^2 b."},
  {"equations.hyperresistivity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^(2 order)/time",
   .help = "Coefficient eta_h of the term -eta_h k^(2 order) b. The order is equations.hyperviscosity_order."},
  {"equations.mean_field", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .help = "Uniform magnetic field B0 along x, y and z, in units of velocity (Alfven units)."},
  {"equations.hall", REAL, AT_LEAST(0), .preset = "0", .unit = "length",
   .help =
     "Ion inertial length d_i of the Hall term, db/dt = ... - d_i curl((curl b) x b). With 0, there is no Hall term."},
  {"initial.bx", FORMULA, .preset = "", .unit = "length/time",
   .help = "With kind formula, the magnetic field along x, without the mean field. Its mean and the part with "
           "divergence are removed."},
  {"initial.by", FORMULA, .preset = "", .unit = "length/time",
   .help = "With kind formula, the magnetic field along y."},
  {"initial.bz", FORMULA, .preset = "", .unit = "length/time",
   .help = "With kind formula, the magnetic field along z."},
  {"initial.magnetic_amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .help =
     "Amplitude of the magnetic field b of taylor-green, abc and orszag-tang. With taylor-green and equal amplitudes, "
     "b has the energy of the velocity and the symmetry of insulating walls. With abc, b is the same flow as u."},
  {"initial.magnetic_energy", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2",
   .help = "Mean of |b|^2/2 of a random initial magnetic field."},
  {"initial.cross_helicity", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative cross-helicity of a random field, mean u.b/sqrt(mean |u|^2 mean |b|^2), the same in every shell. "
           "With 1 or -1, b is u times a constant."},
  {"initial.magnetic_helicity", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative magnetic helicity of a random magnetic field. If cross_helicity is not 0, it is that of the part "
           "of b perpendicular to u."},
  {"initial.branch", WORD, WORDS(W("whistler"), W("ion-cyclotron")), .preset = "whistler",
   .help =
     "With a Hall term, the branch of alfven-wave: the fast circular wave (whistler) or the slow one (ion-cyclotron)."},
  {0}};

static const triad_quantity quantities[] = {
  {"bx", NULL, TRIAD_UNIT_VELOCITY, "magnetic field along x, without the mean field", .field = "bx"},
  {"by", NULL, TRIAD_UNIT_VELOCITY, "magnetic field along y, without the mean field", .field = "by"},
  {"bz", NULL, TRIAD_UNIT_VELOCITY, "magnetic field along z, without the mean field", .field = "bz"},
  {"magnetic", NULL, TRIAD_UNIT_VELOCITY, "magnetic field |b|, without the mean field", TRIAD_QUANTITY_NORM, "bx",
   .scale = TRIAD_SCALE_FROM_ZERO},
  {"current", NULL, TRIAD_UNIT_RATE, "current |curl b|", TRIAD_QUANTITY_CURL_NORM, "bx", .scale = TRIAD_SCALE_FROM_ZERO,
   .shown = 2},
  {"current_x", NULL, TRIAD_UNIT_RATE, "current along x", TRIAD_QUANTITY_CURL, "bx", .component = 0},
  {"current_y", NULL, TRIAD_UNIT_RATE, "current along y", TRIAD_QUANTITY_CURL, "bx", .component = 1},
  {"current_z", NULL, TRIAD_UNIT_RATE, "current along z", TRIAD_QUANTITY_CURL, "bx", .component = 2},
  {0}};

const triad_case_part triad_case_part_mhd = {
  .family = "spectral", .solvers = solver, .keys = keys, .quantities = quantities};

const triad_equations triad_equations_mhd = {
  .name = "mhd",
  .create = create,
  .destroy = destroy,
  .prepare = prepare,
  .source = source,
  .points = points,
  .rates = rates,
  .decay = decay,
  .gpu = gpu,
  .frequency = triad_velocity_frequency,
  .extremes = triad_velocity_extremes,
  .stressed = TRIAD_MHD_FIELDS,
  .stress = stress,
  .forces = triad_velocity_forces,
  .sums = sums,
  .observe = triad_mhd_observe,
  .series = series,
  .conserved = conserved,
  .densities = densities,
  .transfers = transfers,
};
