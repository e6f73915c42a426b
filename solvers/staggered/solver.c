/* The staggered flow as the time loop sees it (solvers/solver.h). */
#include "solvers/box/box.h"
#include "solvers/staggered/case/check.h"
#include "solvers/staggered/case/initial.h"
#include "solvers/staggered/measure/budget.h"
#include "solvers/staggered/measure/samples.h"
#include "solvers/staggered/measure/spectra.h"
#include "solvers/staggered/measure/values.h"
#include "solvers/staggered/step/step.h"
#include "solvers/staggered/gpu/device.h"
#include "solvers/staggered/case/part.h"
#include "solvers/staggered/plain/solids.h"

#include <inttypes.h>
#include <string.h>

/* A body that is not in the box was hardly meant; one that leaves no fluid has been refused. */
static void describe_solids(const triad_staggered_flow *f, triad_log *log)
{
  const char *kind = triad_case_word(f->given, "solids.kind");
  const double box = f->setup.length[0] * f->setup.length[1] * f->setup.length[2], part = 1 - f->fluid / box;
  const int64_t *n = f->blocks.n;
  double smallest = box; /* the smallest cell may be far smaller than the mean one */
  for (int i = 0; i < 3; i++) smallest *= 1e-3 / (double)n[i];
  triad_log_info(log, "  solids (%s) fill %.3g %% of the box", kind, 100 * part);
  if (!triad_staggered_has_solids(f->given, f->at.t)) return;
  if (part * box < smallest)
    triad_log_warning(
      log, "solids.kind = \"%s\" selects no cell: the flow has no solid. The box is 0 to %g, 0 to %g, 0 to %g", kind,
      f->setup.length[0], f->setup.length[1], f->setup.length[2]);
}

/* The numbers of a layer between two walls with the size of gravity, whatever its direction. */
static void describe_heat(const triad_staggered_flow *f, triad_log *log)
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  const int axis = triad_staggered_heated_axis(&f->setup);
  const double nu = f->setup.viscosity, kappa = t->diffusivity;
  const double g = sqrt(t->gravity[0] * t->gravity[0] + t->gravity[1] * t->gravity[1] + t->gravity[2] * t->gravity[2]);
  if (!t->on) return;
  triad_log_info(log, "  temperature with diffusivity %g, %s", kappa,
                 fabs(t->expansion) > 0 ? "which drives the flow by buoyancy" : "a passive scalar");
  if (axis < 0 || !(fabs(t->expansion) > 0 && nu > 0)) return;
  const double length = f->setup.length[axis], difference = fabs(t->wall[axis][0] - t->wall[axis][1]);
  triad_log_info(log, "  Rayleigh number %.6g, Prandtl number %.4g",
                 fabs(t->expansion) * g * difference * length * length * length / (nu * kappa), nu / kappa);
}

static void describe(const void *self, triad_log *log)
{
  const triad_staggered_flow *f = self;
  const triad_partition *b = &f->blocks;
  triad_log_info(log,
                 "staggered: incompressible flow on a staggered mesh, %s precision, %" PRId64 " x %" PRId64
                 " x %" PRId64 " cells",
                 TRIAD_PRECISION_NAME, b->n[0], b->n[1], b->n[2]);
  triad_log_info(log, "  pressure by %s to %g, diffusion %s, scheme %s",
                 triad_staggered_pressure_name(f->setup.pressure), f->setup.tolerance,
                 f->setup.implicit ? "implicit" : "explicit", f->scheme->word.name);
  if (f->setup.solids) describe_solids(f, log);
  if (triad_staggered_has_coefficients(&f->setup))
    triad_log_info(log, "  force coefficients of the solids: area %g, length %g, velocity %g", f->reference.area,
                   f->reference.length, triad_body_speed(&f->reference));
  if (f->strain.strains)
    triad_log_info(log, "  strained at rates of %g, %g, %g from t = %g to %g", f->strain.rate[0], f->strain.rate[1],
                   f->strain.rate[2], f->strain.start, f->strain.end);
  if (triad_case_real(f->given, "output.spectra_interval") > 0 &&
      (!triad_staggered_has_spectra(&f->setup) || f->mesh->solids))
    triad_log_info(log, "  no spectra: %s",
                   triad_staggered_has_spectra(&f->setup) ? "the box has solids"
                                                          : "not every axis is periodic and uniform");
  triad_log_info(log, "  %d x %d x %d blocks", b->dims[0], b->dims[1], b->dims[2]);
  describe_heat(f, log);
  triad_staggered_describe_device(f, log);
}

static void columns(const void *self, triad_series_info *info)
{
  const triad_staggered_flow *f = self;
  *info = (triad_series_info){"staggered", f->n_columns, f->columns};
}

static triad_state *state(void *flow) { return ((triad_staggered_flow *)flow)->state; }

static triad_instant *instant(void *flow) { return &((triad_staggered_flow *)flow)->at; }

/* The message of the failure has said where. */
static int locate(void *flow, char *text, size_t size)
{
  (void)flow;
  if (size > 0) text[0] = '\0';
  return TRIAD_OK;
}

static int slices(void *self, const char *run_dir, const triad_notes *notes)
{
  const triad_staggered_flow *f = self;
  const triad_simulation sim = {f->context, f->given, &triad_solver_staggered, self};
  return triad_box_slices(&sim, NULL, run_dir, notes);
}

static void places_info(const void *self, triad_places_info *info)
{
  const triad_staggered_flow *f = self;
  triad_staggered_probes_info(f->probes, triad_staggered_fields, triad_staggered_fields_of(&f->setup), info);
}

static int places(void *self, double *values)
{
  triad_staggered_flow *f = self;
  const triad_real *brought = NULL;
  int64_t version;
  TRIAD_TRY(triad_staggered_probes_settle(f->probes, &version));
  TRIAD_TRY(f->loops->probe_numbers(f, version, &brought));
  return triad_staggered_probes_values(f->probes, f->u[0], f->p, f->heat[0], brought, values);
}

/* ---- for triad bench ---- */

static triad_device *device(const void *flow, int *offload)
{
  *offload = 0;
  return ((const triad_staggered_flow *)flow)->device;
}

static int quantity(void *self, const triad_slice_quantity *wanted, void *out)
{
  const triad_staggered_flow *f = self;
  const triad_simulation sim = {f->context, f->given, &triad_solver_staggered, self};
  return triad_box_quantity(&sim, NULL, wanted, out);
}

/* Numbers of a cell that a step moves: of a stage 9 for the momentum, 4 for the source, 7 for the projection, and 6 for
 * the temperature with 3 for its buoyancy; of a solve at once 9. Two exchanges of the velocity a stage, one of the
 * temperature, two of a scalar an iteration. */
static triad_costs costs(void *self)
{
  triad_staggered_flow *f = self;
  double cells = (double)triad_partition_points(&f->blocks), real = (double)sizeof(triad_real);
  double words = f->loops->iteration_words(&f->setup), stages = f->scheme->n_stages, heat = f->heat[0] ? 1 : 0,
         moved = stages * (9 + 4 + 7 + heat * 9);
  int64_t velocity, field;
  f->loops->sent_bytes(f, &velocity, &field);
  moved += f->iterations * (words > 0 ? words : 9);
  triad_costs taken = {.bytes = cells * real * moved,
                       .sent_bytes =
                         stages * (2 * (double)velocity + heat * (double)field) + f->iterations * 2 * (double)field,
                       .flops = cells * (stages * (150 + heat * 40) + f->iterations * 40.0),
                       .stages = f->scheme->n_stages,
                       .cells = f->setup.n[0] * f->setup.n[1] * f->setup.n[2],
                       .transport = f->loops->transport(f),
                       .solves = f->solves,
                       .iterations = f->all_iterations,
                       .solve_s = f->solve_s,
                       .overlaps = f->loops->overlaps(f),
                       .iteration_bytes = cells * real * words};
  f->solves = f->all_iterations = f->solve_s = 0;
  f->loops->solve_parts(f, taken.solve_part_s);
  return taken;
}

static triad_phases phases(void *self) { return triad_phases_take(&((triad_staggered_flow *)self)->phases); }

/* Steps are compared with real transforms of as many points, for any pressure solver. */
static int reference(const void *self, triad_grid *grid)
{
  const triad_staggered_flow *f = self;
  return triad_grid_init(grid, f->setup.n, f->setup.length, TRIAD_NONE);
}

static void apart(void *self, int on)
{
  triad_staggered_flow *f = self;
  f->loops->time_apart(f, on);
}

/* Slabs across each axis, and columns. */
static int several(const char *word, int ranks, int on_gpu)
{
  (void)on_gpu;
  return strcmp(word, "[1,0,0]") == 0 ? ranks > 3 : ranks > 1;
}

static const triad_tunable tunables[] = {{"parallel.blocks", {"[1,1,0]", "[1,0,1]", "[0,1,1]", "[1,0,0]"}, several, 1},
                                         {"solver.overlap", {"on", "off"}, several, 1},
                                         {NULL, {NULL}, NULL, 0}};
static const triad_tune_part tune = {.tunables = tunables};

static const triad_blowup_part blowup = {.locate = locate};

static const triad_phase_row phase_rows[] = {{TRIAD_PHASE_EXCHANGE, "exchange"},
#define ROW(SLOT, name) {TRIAD_STAGGERED_PHASE_##SLOT, name},
                                             TRIAD_STAGGERED_PHASES(ROW)
#undef ROW
                                               {TRIAD_PHASE_REST, "rest"}};

_Static_assert(sizeof phase_rows / sizeof *phase_rows <= TRIAD_MOST_PHASES - TRIAD_PHASES + 2, "slots of all phases");
static const triad_phase_list phase_list = {sizeof phase_rows / sizeof *phase_rows, phase_rows};

const triad_solver triad_solver_staggered = {.part = &triad_case_part_staggered,
                                             .check = triad_staggered_check,
                                             .tune = &tune,
                                             .devices = &triad_staggered_devices,
                                             .create = triad_staggered_create,
                                             .destroy = triad_staggered_destroy,
                                             .describe = describe,
                                             .columns = columns,
                                             .state = state,
                                             .instant = instant,
                                             .state_about =
                                               "Velocity on the lower faces of cells, each [z][y][x]: u across x, v "
                                               "across y, w across z; pressure p and temperature at cell centres.",
                                             .keep = triad_staggered_keep,
                                             .initial = triad_staggered_initial,
                                             .settle = triad_staggered_settle,
                                             .branch = triad_staggered_branch,
                                             .advance = triad_staggered_advance,
                                             .blowup = &blowup,
                                             .measure = triad_staggered_measure,
                                             .conserved = triad_staggered_conserved_columns,
                                             .values_info = triad_staggered_values_info,
                                             .values = triad_staggered_values,
                                             .places_info = places_info,
                                             .places = places,
                                             .samples = triad_staggered_samples,
                                             .quantity = quantity,
                                             .spectra = triad_staggered_spectra,
                                             .has_spectra = triad_staggered_writes_spectra,
                                             .slices = slices,
                                             .device = device,
                                             .costs = costs,
                                             .phases = phases,
                                             .phase_list = &phase_list,
                                             .apart = apart,
                                             .reference = reference};
