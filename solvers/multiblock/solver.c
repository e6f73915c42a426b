/* Flow on curvilinear blocks, as the time loop sees it. */
#include "solvers/multiblock/case/check.h"
#include "solvers/multiblock/case/initial.h"
#include "solvers/multiblock/case/part.h"
#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/files/output.h"
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/gpu/device.h"
#include "solvers/multiblock/measure/measure.h"
#include "solvers/multiblock/measure/slices.h"
#include "solvers/multiblock/state/create.h"
#include "solvers/multiblock/step/loops.h"
#include "solvers/multiblock/plain/residuals.h"
#include "solvers/multiblock/step/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void describe(const void *self, triad_log *log)
{
  const triad_multiblock_flow *f = self;
  const triad_multiblock_setup *s = &f->setup;
  triad_log_info(log, "multiblock: %s precision, %s, %s flux, limiter %s, %s%s", TRIAD_PRECISION_NAME,
                 triad_case_word(f->given, "equations.model"), triad_case_word(f->given, "equations.riemann"),
                 triad_case_word(f->given, "equations.limiter"), s->scheme.word.name, s->steady ? ", steady" : "");
  const int joins = f->zones->n_joins / 2; /* they are kept from both sides */
  triad_log_info(log, "grid of %d block%s, %" PRId64 " cells, %d connected face%s, in %d piece%s", f->zones->n,
                 f->zones->n == 1 ? "" : "s", f->zones->all, joins, joins == 1 ? "" : "s", f->zones->n_parts,
                 f->zones->n_parts == 1 ? "" : "s");
  if (f->grid->reversed > 0)
    triad_log_info(log, "  %d left-handed plane%s: the layer of cells extends along -z", f->grid->reversed,
                   f->grid->reversed == 1 ? "" : "s");
  if (f->grid->turned > 0)
    triad_log_info(log,
                   "  %d left-handed block%s turned: its layers along k (or of its only layer) have the reverse order, "
                   "names of sides are those of the file",
                   f->grid->turned, f->grid->turned == 1 ? "" : "s");
  triad_multiblock_describe_device(f, log);
}

static void columns(const void *self, triad_series_info *info)
{
  const triad_multiblock_flow *f = self;
  *info = (triad_series_info){"multiblock", f->n_columns, f->columns};
}

static triad_state *state(void *flow) { return ((triad_multiblock_flow *)flow)->state; }

static triad_instant *instant(void *flow) { return &((triad_multiblock_flow *)flow)->at; }

/* The bad cell of the lowest rank that has one. */
static int locate(void *self, char *text, size_t size)
{
  triad_multiblock_flow *f = self;
  const triad_comm *comm = &f->context->comm;
  int64_t mine = f->bad_place >= 0 ? f->bad_place : INT64_MAX, place;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &place, 1, MPI_INT64_T, MPI_MIN, comm->mpi)));
  if (size > 0) text[0] = '\0';
  if (place == INT64_MAX) return TRIAD_OK;
  int z = 0;
  while (z + 1 < f->zones->n && f->zones->zone[z + 1].first <= place) z++;
  const triad_zone *zone = &f->zones->zone[z];
  int64_t c = place - zone->first;
  (void)snprintf(text, size,
                 "density or pressure is not positive, or not a number: block %d, cell (%" PRId64 ", %" PRId64
                 ", %" PRId64 ")",
                 z + 1, c % zone->n[0] + 1, c / zone->n[0] % zone->n[1] + 1, c / zone->n[0] / zone->n[1] + 1);
  return TRIAD_OK;
}

/* ---- for triad bench ---- */

static triad_device *device(const void *flow, int *offload)
{
  *offload = 0;
  return ((const triad_multiblock_flow *)flow)->device;
}

static void apart(void *self, int on)
{
  triad_multiblock_flow *f = self;
  f->loops->time_apart(f, on);
}

static triad_costs costs(void *self)
{
  const triad_multiblock_flow *f = self;
  const int stages = f->setup.scheme.n_stages;
  return (triad_costs){.bytes = f->loops->moved(f) * (double)sizeof(triad_real),
                       .sent_bytes = (double)f->loops->sent_bytes(f) * stages,
                       .flops = (double)f->space.here * stages * (f->viscosity ? 1900 : 1250),
                       .stages = stages,
                       .cells = f->zones->all,
                       .transport = f->loops->transport(f)};
}

static triad_phases phases(void *self)
{
  triad_multiblock_flow *f = self;
  return triad_laps_take(&f->laps, TRIAD_MULTIBLOCK_PHASE_SWEEP, &f->phases);
}

static const triad_steady_part steady = {.settled = triad_multiblock_settled, .goal = triad_multiblock_goal};
static int several(const char *word, int ranks, int on_gpu)
{
  (void)word;
  (void)on_gpu;
  return ranks > 1;
}

static const triad_tunable tunables[] = {
  {"parallel.cut", {"i", "j", "k"}, several, 1}, {"parallel.pieces", {"2", "4"}, several, 1}, {NULL, {NULL}, NULL, 0}};
static const triad_tune_part tune = {.tunables = tunables};

static const triad_blowup_part blowup = {.locate = locate};

static const triad_phase_row phase_rows[] = {{TRIAD_PHASE_EXCHANGE, "exchange"},
#define ROW(SLOT, name) {TRIAD_MULTIBLOCK_PHASE_##SLOT, name},
                                             TRIAD_MULTIBLOCK_PHASES(ROW)
#undef ROW
                                               {TRIAD_PHASE_REST, "rest"}};

_Static_assert(sizeof phase_rows / sizeof *phase_rows <= TRIAD_MOST_PHASES - TRIAD_PHASES + 2, "slots of all phases");
static const triad_phase_list phase_list = {sizeof phase_rows / sizeof *phase_rows, phase_rows};

const triad_solver triad_solver_multiblock = {.part = &triad_case_part_multiblock,
                                              .check = triad_multiblock_check,
                                              .tune = &tune,
                                              .create = triad_multiblock_create,
                                              .destroy = triad_multiblock_destroy,
                                              .describe = describe,
                                              .columns = columns,
                                              .state = state,
                                              .instant = instant,
                                              .state_about =
                                                "Conserved variables of the cells of all blocks, one block after "
                                                "another, each [k][j][i].",
                                              .keep = triad_multiblock_keep,
                                              .check_state = triad_multiblock_check_state,
                                              .initial = triad_multiblock_initial,
                                              .settle = triad_multiblock_settle,
                                              .advance = triad_multiblock_advance,
                                              .steady = &steady,
                                              .blowup = &blowup,
                                              .measure = triad_multiblock_measure,
                                              .conserved = triad_multiblock_conserved_columns,
                                              .grid_write = triad_multiblock_grid_write,
                                              .fields = triad_multiblock_fields_write,
                                              .slices = triad_multiblock_slices,
                                              .devices = &triad_multiblock_devices,
                                              .device = device,
                                              .apart = apart,
                                              .costs = costs,
                                              .phases = phases,
                                              .phase_list = &phase_list};
