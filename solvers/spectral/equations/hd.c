/* Incompressible Navier-Stokes in a rotating frame, with passive scalars (docs/methods/spectral.md eq. 1, 16, 17):
 *   du/dt + u.grad u + 2 Omega x u = -grad p + viscosity lap u - hyperviscosity (-lap)^order u - drag u + f, div u = 0
 *   ds/dt + u.grad s + u.G = kappa lap s                                    for each scalar s of mean gradient G
 * and in the plane of x and y a Coriolis parameter that grows along y: the vorticity changes by -beta v.
 * 3 + n fields go to physical space and 5 + 3 n products come back each stage, of which chains leave 4 + 2 n
 * (transpose/plain/chains.h), n scalars. */
#include "solvers/spectral/equations/hd_points.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/scalars.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"
#include "case/rows.h"
#include "solvers/spectral/part.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

typedef struct hd {
  triad_hd_constants constants; /* first: loops.h */
  triad_grid grid;
} hd;

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  hd *h = *self = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the hd solver");
  h->grid = *grid;
  h->constants.velocity = triad_velocity_of_case(grid, given);
  h->constants.beta = (triad_real)triad_case_real(given, "equations.beta");
  TRIAD_TRY(triad_scalars_of_case(&h->constants.scalars, given));
  TRIAD_TRY(triad_velocity_shape(shape, &h->constants.velocity));
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &triad_velocity_transfer_info));
  shape->n_passes = 1;
  shape->pass[0].n_in = TRIAD_HD_FIELDS;
  shape->pass[0].n_out = TRIAD_STRESS_PRODUCTS;
  shape->pass[0].chains = triad_velocity_chains(0);
  return triad_scalars_shape(&h->constants.scalars, shape);
}

/* Of inertial waves, and the fastest Rossby wave: |beta| k_x/k^2 at the smallest k_x. */
static double frequency(const void *self)
{
  const hd *h = self;
  return triad_velocity_frequency(self) + fabs((double)h->constants.beta) * h->grid.length[0] / (2 * TRIAD_PI);
}

static void destroy(void **self)
{
  hd *h = *self;
  if (h) triad_scalars_free(&h->constants.scalars);
  free(h);
  *self = NULL;
}

/* ---- the velocity, and then each scalar ---- */

TRIAD_RATES_LOOP(velocity_rates, triad_hd_constants, triad_hd_mode, TRIAD_HD_FIELDS, TRIAD_HD_TERMS)
TRIAD_SUMS_LOOP(velocity_sums, triad_hd_constants, triad_hd_mode_sums, TRIAD_HD_FIELDS, TRIAD_VELOCITY_SUMS)
TRIAD_DENSITIES_LOOP(velocity_densities, triad_hd_constants, triad_hd_mode_densities, TRIAD_HD_FIELDS,
                     TRIAD_HD_DENSITIES)
TRIAD_TRANSFERS_LOOP(velocity_transfers, triad_hd_constants, triad_hd_mode_transfers, TRIAD_HD_FIELDS, TRIAD_HD_TERMS,
                     TRIAD_HD_TRANSFERS)

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const hd *h = self;
  (void)pass;
  triad_velocity_points(self, at->n, in, out, peaks);
  triad_scalars_points(&h->constants.scalars, at->n, in, in + TRIAD_HD_FIELDS, out + TRIAD_STRESS_PRODUCTS);
}

static void rates(const void *self, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const hd *h = self;
  velocity_rates(self, b, j, u, t, r);
  triad_scalars_rates(&h->constants.scalars, b, j, u, t + TRIAD_HD_TERMS, r + TRIAD_HD_FIELDS);
}

static triad_decay decay(const void *self, int field)
{
  const hd *h = self;
  return field < TRIAD_HD_FIELDS ? h->constants.velocity.decay : h->constants.scalars.decay[field - TRIAD_HD_FIELDS];
}

extern triad_gpu_visit triad_gpu_visit_velocity;
extern const triad_gpu_spectral triad_gpu_spectral_hd;

static const triad_gpu_set *gpu(const void *self)
{
  static const triad_gpu_set set = {.n_passes = 1,
                                    .pass = {TRIAD_GPU_PART(triad_gpu_visit_velocity)},
                                    .spectral = TRIAD_GPU_PART(&triad_gpu_spectral_hd)};
  (void)self;
  return &set;
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *sums)
{
  const hd *h = self;
  velocity_sums(self, l, column, u, sums);
  triad_scalars_sums(&h->constants.scalars, &h->constants.velocity.edge, l, column, u, u + TRIAD_HD_FIELDS,
                     sums + TRIAD_VELOCITY_SUMS);
}

static void series(const void *self, const double *sums, const triad_series_inputs *inputs, double *columns)
{
  const hd *h = self;
  triad_velocity_series(&h->grid, h->constants.velocity.decay.viscosity, sums, inputs, columns);
  triad_scalars_series(&h->constants.scalars, &h->grid, sums[TRIAD_SUM_ENSTROPHY], sums + TRIAD_VELOCITY_SUMS,
                       columns + TRIAD_VELOCITY_COLUMNS);
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  const hd *h = self;
  velocity_densities(self, l, column, j, u, d);
  triad_scalars_densities(&h->constants.scalars, l, column, j, u + TRIAD_HD_FIELDS, d + TRIAD_HD_DENSITIES);
}

static void transfers(const void *self, int part, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *transfer)
{
  const hd *h = self;
  velocity_transfers(self, part, b, j, u, t, transfer);
  triad_scalars_transfers(&h->constants.scalars, b, j, u + TRIAD_HD_FIELDS, t + TRIAD_HD_TERMS,
                          transfer + TRIAD_HD_TRANSFERS);
}

/* An inviscid flow keeps its energy, rotating or not, and its helicity, which is at most (mean |u|^2 mean |curl
 * u|^2)^(1/2). */
static int conserved(const void *self, const double *first, triad_conserved *list)
{
  const hd *h = self;
  const double energy = first[TRIAD_COLUMN_ENERGY];
  if (!triad_decay_is_none(&h->constants.velocity.decay)) return 0;
  int n = triad_conserved_add(list, 0, TRIAD_COLUMN_ENERGY, energy);
  if (h->constants.beta < 0 || h->constants.beta > 0) return n;
  return triad_conserved_add(list, n, TRIAD_COLUMN_HELICITY, 2 * sqrt(energy * first[TRIAD_COLUMN_ENSTROPHY]));
}

/* ---- what it adds to a case ---- */

static const triad_solver_row solver[] = {{{"hd", .about = "incompressible Navier-Stokes"}, "u", "rest"},
                                          {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.beta", REAL, ANY, .preset = "0", .unit = "1/(length time)",
   .help = "Gradient beta of the Coriolis parameter along y, for flow in the x-y plane (grid.n[2] = 1). It adds -beta "
           "v to the rate of change of vorticity, which gives Rossby waves."},
  {0}};

/* y itself is not periodic: only where nothing depends on z does it come down to its gradient. */
static void rules(triad_case *c)
{
  int64_t n[3];
  if (!triad_case_good(c, "equations.beta") || !triad_case_good(c, "grid.n")) return;
  double beta = triad_case_real(c, "equations.beta");
  triad_case_integers(c, "grid.n", n, 3);
  if ((beta < 0 || beta > 0) && n[2] > 1)
    triad_case_error_of(c, "equations.beta",
                        "equations.beta requires a flow in the x-y plane: set grid.n = [%lld, %lld, 1]",
                        (long long)n[0], (long long)n[1]);
}

static const triad_quantity quantities[] = {{0}};

const triad_case_part triad_case_part_hd = {
  .family = "spectral", .solvers = solver, .keys = keys, .rules = rules, .quantities = quantities};

const triad_equations triad_equations_hd = {
  .name = "hd",
  .create = create,
  .destroy = destroy,
  .points = points,
  .rates = rates,
  .decay = decay,
  .gpu = gpu,
  .frequency = frequency,
  .extremes = triad_velocity_extremes,
  .stressed = TRIAD_HD_FIELDS,
  .stress = triad_velocity_stress,
  .forces = triad_velocity_forces,
  .sums = sums,
  .series = series,
  .conserved = conserved,
  .densities = densities,
  .transfers = transfers,
};
