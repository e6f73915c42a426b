/* The compressible flow as the time loop sees it (solvers/solver.h). */
#include "solvers/box/box.h"
#include "solvers/compressible/particles/files.h"
#include "solvers/compressible/plain/devices.h"
#include "solvers/compressible/case/part.h"
#include "solvers/compressible/measure/samples.h"
#include "solvers/compressible/state/flow.h"
#include "solvers/compressible/state/phases.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int create(void **flow, triad_context *context, const triad_case *given, const char *run_dir)
{
  return triad_gas_create((triad_gas_flow **)flow, context, given, run_dir);
}

static void destroy(void **flow) { triad_gas_destroy((triad_gas_flow **)flow); }

static void describe(const void *self, triad_log *log)
{
  const triad_gas_flow *f = self;
  const triad_partition *b = &f->blocks;
  int64_t begin[3], local[3];
  char text[160];
  triad_partition_of(b, b->size - 1, begin, local); /* the largest */
  triad_log_info(log,
                 "compressible: ideal gas by WENO finite differences, %s precision, %" PRId64 " x %" PRId64
                 " x %" PRId64 " points",
                 TRIAD_PRECISION_NAME, b->n[0], b->n[1], b->n[2]);
  triad_log_info(log, "  %s", triad_compressible_setup_text(&f->setup, text, sizeof text));
  if (f->device && b->size > 1)
    triad_log_info(log, "  time steps run on GPUs: %s; halos by transport %s", triad_device_name(f->device),
                   triad_compressible_transport(f->weno));
  else if (f->device) triad_log_info(log, "  time steps run on a GPU: %s", triad_device_name(f->device));
  triad_log_info(
    log, "  %d x %d x %d blocks, the largest of %" PRId64 " x %" PRId64 " x %" PRId64 " points, halos of %" PRId64,
    b->dims[0], b->dims[1], b->dims[2], local[0], local[1], local[2], triad_compressible_halo(&f->setup));
  if (triad_case_real(f->given, "output.spectra_interval") > 0 && !triad_gas_has_spectra(&f->setup))
    triad_log_info(log, "  no spectra: not every axis is periodic");
}

static int has_spectra(const void *flow) { return triad_gas_has_spectra(&((const triad_gas_flow *)flow)->setup); }

static void columns(const void *self, triad_series_info *info)
{
  const triad_gas_flow *f = self;
  *info = (triad_series_info){"compressible", f->n_columns, f->columns};
}

static triad_state *state(void *flow) { return triad_compressible_state(((triad_gas_flow *)flow)->weno); }

static triad_instant *instant(void *flow) { return &((triad_gas_flow *)flow)->at; }

static int tables(void *flow, triad_table *list, int *n)
{
  return triad_gas_particles_tables(((triad_gas_flow *)flow)->particles, list, n);
}

static int restore(void *self, const char *folder, const triad_manifest *about, int branch, triad_log *log)
{
  const triad_gas_flow *f = self;
  return triad_gas_particles_restore(f->particles, f->given, folder, about, branch, log);
}

static int branch(void *self, const triad_notes *notes, triad_log *log)
{
  triad_gas_flow *f = self;
  return triad_gas_force_branch(f->force, &f->at, notes, triad_case_flag(f->given, "initial.keep_time"), log);
}

static int particles(void *self, const char *run_dir, const triad_notes *notes, int sync)
{
  triad_gas_flow *f = self;
  return triad_gas_particles_write(f->particles, &f->at, run_dir, notes, sync);
}

static int settle(void *self, const triad_manifest *resumed, triad_log *log)
{
  triad_gas_flow *f = self;
  if (resumed) triad_gas_take_start(f, resumed->notes);
  if (f->force)
    TRIAD_TRY(triad_state_read_all(triad_compressible_state(f->weno), f->device ? TRIAD_DEVICE : TRIAD_HOST));
  TRIAD_TRY(triad_gas_force_settle(f->force, &f->at, resumed ? resumed->notes : NULL));
  TRIAD_TRY(triad_compressible_set_time(f->weno, f->walls, f->at.t));
  TRIAD_TRY(triad_compressible_begin(f->weno, f->at.step));
  return triad_gas_particles_start(f->particles, log);
}

static void values_info(const void *flow, triad_values_info *info)
{
  *info =
    (triad_values_info){TRIAD_COMPRESSIBLE_FIELDS, triad_compressible_primitive_fields, triad_gas_bare_space(flow)};
}

static int values(void *self, int number, void *out)
{
  triad_gas_flow *f = self;
  return triad_agree(&f->context->comm, triad_compressible_get(f->weno, number, out));
}

static void places_info(const void *self, triad_places_info *info)
{
  triad_box_probes_info(((const triad_gas_flow *)self)->probes, triad_compressible_primitive_fields,
                        TRIAD_COMPRESSIBLE_FIELDS, info);
}

static int places(void *self, double *numbers)
{
  const triad_gas_flow *f = self;
  triad_memory *memory = f->context->memory;
  const int64_t *at, n = triad_box_probes_points(f->probes, &at);
  triad_real *known = NULL;
  int st = TRIAD_ALLOC(memory, "probes", TRIAD_COMPRESSIBLE_FIELDS * n, &known);
  if (st == TRIAD_OK) st = triad_compressible_at(f->weno, n, at, known);
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK) st = triad_box_probes_values(f->probes, TRIAD_COMPRESSIBLE_FIELDS, known, numbers);
  TRIAD_FREE(memory, &known);
  return st;
}

static double mach(const void *self, int kind, const double *q)
{
  const triad_gas_flow *f = self;
  (void)kind; /* there is no other */
  return sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / sqrt(f->setup.gamma * q[4] / q[0]);
}

static int slices(void *self, const char *run_dir, const triad_notes *notes)
{
  const triad_gas_flow *f = self;
  const triad_simulation sim = {f->context, f->given, &triad_solver_compressible, self};
  return triad_box_slices(&sim, mach, run_dir, notes);
}

static int quantity(void *self, const triad_slice_quantity *wanted, void *out)
{
  const triad_gas_flow *f = self;
  const triad_simulation sim = {f->context, f->given, &triad_solver_compressible, self};
  return triad_box_quantity(&sim, mach, wanted, out);
}

/* ---- for triad bench ---- */

static triad_device *device(const void *flow, int *offload)
{
  *offload = 0;
  return ((const triad_gas_flow *)flow)->device;
}

static triad_costs costs(void *self)
{
  const triad_gas_flow *f = self;
  triad_compressible_costs cost = triad_compressible_cost(f->weno);
  return (triad_costs){.bytes = cost.bytes,
                       .sent_bytes = cost.sent_bytes,
                       .flops = cost.flops,
                       .stages = cost.stages,
                       .cells = f->setup.n[0] * f->setup.n[1] * f->setup.n[2],
                       .transport = triad_compressible_transport(f->weno)};
}

static triad_phases phases(void *flow) { return triad_compressible_phases(((triad_gas_flow *)flow)->weno); }

static void apart(void *flow, int apart_now) { triad_compressible_apart(((triad_gas_flow *)flow)->weno, apart_now); }

static int reference(const void *self, triad_grid *grid)
{
  const triad_gas_flow *f = self;
  if (f->device)
    return TRIAD_FAIL(
      TRIAD_ERR_FEATURE,
      "--reference times FFTW on the CPU, but this case runs on a GPU: remove it, or use parallel.device = \"cpu\"");
  return triad_agree(&f->context->comm, triad_grid_init(grid, f->setup.n, f->setup.length, TRIAD_NONE));
}

/* Most blow-ups of a gas are of jumps that the scheme cannot hold: settings that can come first, then the step. */
static void remedy(const void *self, char *text, size_t size)
{
  const triad_compressible_setup *s = &((const triad_gas_flow *)self)->setup;
  if (s->published)
    (void)snprintf(text, size, "remove equations.compatibility: the published scheme is for smooth flows");
  else if (s->form == TRIAD_COMPRESSIBLE_CENTRAL)
    (void)snprintf(
      text, size, "set equations.flux = \"hybrid\" or \"weno\", which capture shocks; without shocks use a finer grid");
  else if (s->variables == TRIAD_COMPRESSIBLE_COMPONENTS || s->weights == TRIAD_COMPRESSIBLE_LINEAR)
    (void)snprintf(
      text, size,
      "set equations.reconstruction = \"characteristic\" and nonlinear equations.weights, which are the defaults");
  else if (!s->positivity && s->scheme->ssp > 0)
    (void)snprintf(text, size,
                   "set equations.positivity = true, which keeps density and pressure positive by shorter steps");
  else if (!s->positivity)
    (void)snprintf(
      text, size,
      "set equations.positivity = true and time.scheme = \"ssprk3\", which keep density and pressure positive");
  else if (s->riemann != TRIAD_COMPRESSIBLE_RUSANOV)
    (void)snprintf(text, size, "set equations.riemann = \"rusanov\", the most dissipative flux at shocks");
}

/* Slabs across each axis, and columns. */
static int several(const char *word, int ranks, int on_gpu)
{
  (void)on_gpu;
  return strcmp(word, "[1,0,0]") == 0 ? ranks > 3 : ranks > 1;
}

static const triad_tunable tunables[] = {{"parallel.blocks", {"[1,1,0]", "[1,0,1]", "[0,1,1]", "[1,0,0]"}, several, 1},
                                         {NULL, {NULL}, NULL, 0}};
static const triad_tune_part tune = {.tunables = tunables};

static const triad_blowup_part blowup = {.remedy = remedy};

static const triad_phase_row phase_rows[] = {{TRIAD_PHASE_EXCHANGE, "exchange"},
#define ROW(SLOT, name) {TRIAD_COMPRESSIBLE_PHASE_##SLOT, name},
                                             TRIAD_COMPRESSIBLE_PHASES(ROW)
#undef ROW
                                               {TRIAD_PHASE_REST, "rest"}};

_Static_assert(sizeof phase_rows / sizeof *phase_rows <= TRIAD_MOST_PHASES - TRIAD_PHASES + 2, "slots of all phases");
static const triad_phase_list phase_list = {sizeof phase_rows / sizeof *phase_rows, phase_rows};

const triad_solver triad_solver_compressible = {.part = &triad_case_part_compressible,
                                                .check = triad_gas_check,
                                                .tune = &tune,
                                                .devices = &triad_gas_devices,
                                                .create = create,
                                                .destroy = destroy,
                                                .describe = describe,
                                                .columns = columns,
                                                .state = state,
                                                .instant = instant,
                                                .state_about =
                                                  "Conserved variables at the grid points, each [z][y][x]: density "
                                                  "rho, momentum rho_u, rho_v, rho_w, and total energy e, per volume.",
                                                .keep = triad_gas_keep_start,
                                                .tables = tables,
                                                .restore = restore,
                                                .branch = branch,
                                                .particles = particles,
                                                .check_state = triad_gas_check_state,
                                                .initial = triad_gas_initial,
                                                .settle = settle,
                                                .advance = triad_gas_advance,
                                                .measure = triad_gas_measure,
                                                .conserved = triad_gas_conserved_columns,
                                                .values_info = values_info,
                                                .values = values,
                                                .samples = triad_gas_samples,
                                                .quantity = quantity,
                                                .places_info = places_info,
                                                .places = places,
                                                .spectra = triad_gas_spectra,
                                                .has_spectra = has_spectra,
                                                .slices = slices,
                                                .device = device,
                                                .costs = costs,
                                                .phases = phases,
                                                .phase_list = &phase_list,
                                                .blowup = &blowup,
                                                .apart = apart,
                                                .reference = reference};
