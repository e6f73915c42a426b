/* The table of initial conditions of the fluid sets, with functions that check and set each. */
#include "solvers/spectral/start/initial.h"

#include "solvers/spectral/start/initial_file.h"
#include "solvers/spectral/start/initial_gpe.h"
#include "solvers/spectral/start/initial_random.h"
#include "solvers/spectral/start/initial_shapes.h"
#include "solvers/spectral/start/initial_waves.h"
#include "solvers/spectral/start/modes.h"
#include "solvers/spectral/start/points.h"
#include "solvers/spectral/start/initial_formula.h"
#include "solvers/spectral/part.h"

#include <string.h>

static int find_taylor_green(const triad_case *c, const triad_grid *g, triad_mode *list, int *count)
{
  int64_t m = triad_case_integer(c, "initial.wavenumber");
  return triad_taylor_green_modes(g, m, triad_case_real(c, "initial.amplitude"),
                                  triad_case_flag(c, "initial.two_dimensional"), "initial", list, count);
}

static int set_taylor_green(triad_flow *flow, triad_log *log)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count = 0;
  (void)log;
  TRIAD_TRY(find_taylor_green(flow->given, &flow->grid, list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "velocity").first);
  return TRIAD_OK;
}

static int check_taylor_green(const triad_case *given, const triad_grid *grid)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count;
  return find_taylor_green(given, grid, list, &count);
}

static int find_abc(const triad_case *c, const triad_grid *g, double amplitude, triad_mode *list, int *count)
{
  double abc[3];
  triad_case_reals(c, "initial.abc", abc, 3);
  return triad_abc_modes(g, triad_case_integer(c, "initial.wavenumber"), amplitude, abc, "initial", list, count);
}

/* With a magnetic field: b = B (A sin .. ), the same flow again. */
static int set_abc(triad_flow *flow, triad_log *log)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  const triad_case *c = flow->given;
  int count = 0;
  (void)log;
  TRIAD_TRY(find_abc(c, &flow->grid, triad_case_real(c, "initial.amplitude"), list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "velocity").first);
  if (!triad_case_applies(c, "initial.magnetic_amplitude")) return TRIAD_OK;
  TRIAD_TRY(find_abc(c, &flow->grid, triad_case_real(c, "initial.magnetic_amplitude"), list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "magnetic field").first);
  return TRIAD_OK;
}

static int check_abc(const triad_case *given, const triad_grid *grid)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count;
  return find_abc(given, grid, 1, list, &count);
}

static int set_random(triad_flow *flow, triad_log *log)
{
  (void)log;
  return triad_initial_random(flow, triad_case_real(flow->given, "initial.energy"), 1);
}

static int add_noise(triad_flow *flow)
{
  double noise = triad_case_real(flow->given, "initial.noise");
  return noise > 0 ? triad_initial_random(flow, noise, 0) : TRIAD_OK;
}

static int set_shear_layer(triad_flow *flow, triad_log *log)
{
  (void)log;
  TRIAD_TRY(add_noise(flow));
  TRIAD_TRY(triad_initial_random_scalars(flow));
  return triad_initial_shear_layer(flow);
}

static int set_puff(triad_flow *flow, triad_log *log)
{
  (void)log;
  TRIAD_TRY(add_noise(flow));
  return triad_initial_puff(flow);
}

#define FLUIDS "hd boussinesq mhd"
#define LAYERED "hd boussinesq"

static const triad_spectral_start starts[] = {
  {{"taylor-green", LAYERED, .about = "the Taylor-Green vortex"}, set_taylor_green, NULL, 1, check_taylor_green},
  {{"taylor-green", "mhd", .about = "the Taylor-Green vortex with its magnetic field"},
   set_taylor_green,
   triad_waves_magnetic_taylor_green,
   1,
   check_taylor_green},
  {{"taylor-green", "gpe", .about = "the vortex lines of the Taylor-Green vortex"},
   triad_gpe_start_vortex_lines,
   .check = triad_gpe_check_vortex_lines},
  {{"abc", FLUIDS, .about = "the ABC flow"}, set_abc, NULL, 1, check_abc},
  {{"random", FLUIDS, .about = "a random field with a given spectrum"}, .set = set_random, .scalars = 1},
  {{"random", "gpe", .about = "a random phase"}, .set = triad_gpe_start_random_phase},
  {{"orszag-tang", "mhd", .about = "the Orszag-Tang vortex"}, NULL, triad_waves_orszag_tang, .scalars = 1},
  {{"alfven-wave", "mhd", .about = "an Alfven wave"}, NULL, triad_waves_alfven, .scalars = 1},
  {{"inertial-wave", "hd mhd", .about = "an inertial wave"}, NULL, triad_waves_gravity, .scalars = 1},
  {{"internal-wave", "boussinesq", .about = "an internal gravity wave"}, NULL, triad_waves_gravity, .scalars = 1},
  {{"shear-layer", FLUIDS, .about = "a shear layer along x with a disturbance"},
   set_shear_layer,
   .check = triad_initial_shear_layer_check},
  {{"puff", FLUIDS, .about = "a smooth puff of theta or of the scalars in fluid at rest"}, .set = set_puff},
  {{"uniform", "gpe", .about = "uniform density"}, .set = triad_gpe_start_uniform},
  {{"plane-waves", "gpe", .about = "plane waves on a uniform density"},
   triad_gpe_start_waves,
   .check = triad_gpe_check_waves},
  {{"vortex-ring", "gpe", .about = "vortex rings"}, triad_gpe_start_rings, .check = triad_gpe_check_rings},
  {{"rest", FLUIDS, .about = "fluid at rest, for forced runs"}, .set = NULL},
  {{"formula", .about = "formulas of x, y, z, one for each field; fields without formula start from zero"},
   .set = triad_initial_from_formulas},
  {{"file", NULL,
    "fields in physical space from an HDF5 file: all components of a vector are required; missing fields start from "
    "zero",
    "initial.file"},
   .set = triad_initial_from_file},
  {{"checkpoint", NULL, "the state of a checkpoint", "initial.file"}, .set = NULL},
};
enum { STARTS = sizeof starts / sizeof *starts };

/* Row number i: of this table, then of the sets that have some of their own; NULL behind the last. */
static const triad_spectral_start *start_at(int i)
{
  const triad_equations *set;
  if (i < STARTS) return &starts[i];
  i -= STARTS;
  for (int s = 0; (set = triad_equations_at(s)) != NULL; s++)
    for (const triad_spectral_start *row = set->starts; row && row->word.name; row++)
      if (i-- == 0) return row;
  return NULL;
}

const triad_word *triad_spectral_start_word(int i)
{
  const triad_spectral_start *row = start_at(i);
  return row ? &row->word : NULL;
}

/* The row that the case asks for. The keys of the case let no other word through. */
static int find_row(const triad_case *given, const triad_spectral_start **row)
{
  const char *kind = triad_case_word(given, "initial.kind"), *solver = triad_case_word(given, "equations.solver");
  for (int i = 0; (*row = start_at(i)) != NULL; i++)
    if (strcmp((*row)->word.name, kind) == 0 && triad_solver_among((*row)->word.solvers, solver)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "there is no initial.kind = %s in solver %s", kind, solver);
}

int triad_initial_check(const triad_case *given, const triad_grid *grid)
{
  triad_wave list[TRIAD_INITIAL_WAVES];
  const triad_spectral_start *row;
  int count = 0;
  TRIAD_TRY(find_row(given, &row));
  if (row->check) TRIAD_TRY(row->check(given, grid));
  return row->waves ? row->waves(given, grid, list, &count) : TRIAD_OK;
}

static int add_waves(triad_flow *flow, triad_waves *make)
{
  triad_wave list[TRIAD_INITIAL_WAVES];
  int count = 0;
  TRIAD_TRY(make(flow->given, &flow->grid, list, &count));
  return triad_initial_waves_add(flow, list, count);
}

static void clear(const triad_flow *flow, triad_cplx *u)
{
  const triad_layout *l = flow->layout;
  int64_t block = l->nkz * l->lanes;
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
  for (int64_t b = 0; b < l->n_blocks; b++) memset(u + b * block, 0, (size_t)block * sizeof *u);
}

int triad_initial_set(void *self, triad_log *log)
{
  triad_flow *flow = self;
  const triad_comm *comm = &flow->context->comm;
  const triad_spectral_start *row;
  TRIAD_TRY(find_row(flow->given, &row));
  TRIAD_TRY(triad_state_overwrite_all(flow->state, TRIAD_HOST));
  for (int f = 0; f < flow->shape.n_fields; f++) clear(flow, flow->u[f]);
  if (row->scalars) TRIAD_TRY(triad_initial_random_scalars(flow));
  if (row->set) TRIAD_TRY(triad_agree(comm, row->set(flow, log)));
  return row->waves ? triad_agree(comm, add_waves(flow, row->waves)) : TRIAD_OK;
}
