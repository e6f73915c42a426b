/* The spectral flows as the time loop sees them (solvers/solver.h). */
#include "case/schema.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/devices.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/follow.h"
#include "solvers/spectral/flow_pass.h"
#include "fft/pass/pass.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/plain/target.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/spectra_of.h"
#include "solvers/spectral/probes/probes.h"
#include "solvers/spectral/measure/samples.h"
#include "solvers/spectral/start/initial.h"
#include "solvers/device_choice.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/start/initial_file.h"
#include "solvers/spectral/start/project.h"
#include "solvers/spectral/plain/quantity.h"
#include "solvers/spectral/measure/slices.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/force/plain/control.h"
#include "solvers/spectral/particles/files.h"
#include "solvers/spectral/start/points.h"
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/start/mean.h"
#include "solvers/spectral/step/stepper.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int create(void **flow, triad_context *context, const triad_case *given, const char *run_dir)
{
  triad_flow **made = (triad_flow **)flow;
  TRIAD_TRY(triad_flow_create(made, context, given, run_dir));
  TRIAD_TRY(triad_agree(&context->comm, triad_derived_create(&(*made)->derived, *made)));
  TRIAD_TRY(triad_probes_create(&(*made)->probes, *made));
  TRIAD_TRY(triad_particles_create(&(*made)->particles, *made));
  return triad_slices_create(&(*made)->slices, *made);
}

static void destroy(void **self)
{
  triad_flow **flow = (triad_flow **)self;
  if (!*flow) return;
  triad_particles_destroy(&(*flow)->particles);
  triad_slices_destroy(&(*flow)->slices);
  triad_derived_destroy(&(*flow)->derived);
  triad_probes_destroy(&(*flow)->probes);
  triad_flow_destroy(flow);
}

static void describe(const void *self, triad_log *log)
{
  const triad_flow *flow = self;
  const triad_grid *g = &flow->grid;
  const char *name = flow->equations->name;
  int ranks = flow->context->comm.size;
  triad_log_info(log, "%s: %s, %s precision, %" PRId64 " x %" PRId64 " x %" PRId64 " points, %" PRId64 " columns", name,
                 triad_schema_any_word("equations.solver", name)->about, TRIAD_PRECISION_NAME, g->n[0], g->n[1],
                 g->n[2], flow->layout->all_columns);
  triad_target_describe(flow->given, g, log);
  triad_stepper_describe(flow->stepper, &triad_spectral_devices, log);
  if (flow->equations->describe) flow->equations->describe(flow->self, log);
  triad_relaxation_describe(flow->relaxation, flow, log);
  const int64_t idle = triad_split_idle(flow->layout);
  if (flow->layout->group > 1)
    triad_log_info(log, "%d groups of %d ranks: those of a group share planes", ranks / flow->layout->group,
                   flow->layout->group);
  if (idle > 0)
    triad_log_warning(log, "%d ranks share %" PRId64 " planes: %" PRId64 " of them have %s and only store columns%s",
                      ranks, g->n[2], idle, flow->layout->group > 1 ? "no rows" : "none",
                      flow->layout->group > 1 ? "" : " (parallel.split lets ranks share planes)");
}

static void columns(const void *self, triad_series_info *info)
{
  const triad_flow *flow = self;
  *info = (triad_series_info){flow->equations->name, flow->shape.n_columns, flow->shape.columns};
}

static int conserved(const void *self, const double *first, triad_conserved *list)
{
  const triad_flow *flow = self;
  const triad_equations *eq = flow->equations;
  if (flow->closure || flow->relaxation || flow->shear) return 0;
  return eq->conserved && triad_case_is(flow->given, "forcing.kind", "none") ? eq->conserved(flow->self, first, list)
                                                                             : 0;
}

static triad_state *state(void *flow) { return ((triad_flow *)flow)->state; }

static triad_instant *instant(void *flow) { return &((triad_flow *)flow)->at; }

static const char kept_work[] = "work_done"; /* in the notes of checkpoints */

static int settle_flow(void *self, const triad_manifest *resumed, triad_log *log)
{
  triad_flow *flow = self;
  flow->log = log;
  triad_slices_log(flow->slices, log);
  flow->work = 0;
  if (resumed && triad_notes_has(resumed->notes, kept_work))
    TRIAD_TRY(triad_notes_real(resumed->notes, kept_work, &flow->work));
  triad_forcing_settle(flow->forcing, flow, resumed ? resumed->notes : NULL, log);
  TRIAD_TRY(triad_closure_settle_notes(flow->closure, resumed ? resumed->notes : NULL));
  triad_relaxation_take(flow->relaxation, resumed ? resumed->notes : NULL);
  if (!resumed) {
    TRIAD_TRY(triad_initial_settle(flow, log));
    triad_initial_mean(flow);
    return triad_particles_start(flow->particles, log);
  }
  if (resumed->element != (int)sizeof(triad_real)) TRIAD_TRY(triad_project_all(flow));
  triad_initial_mean(flow); /* it is held: the same bits, unless the case has changed it */
  return triad_particles_start(flow->particles, log);
}

static int write_notes(const void *self, triad_notes *notes)
{
  const triad_flow *flow = self;
  TRIAD_TRY(triad_notes_set_real(notes, kept_work, flow->work));
  TRIAD_TRY(triad_closure_keep(flow->closure, notes));
  TRIAD_TRY(triad_shear_keep(flow, notes));
  TRIAD_TRY(triad_relaxation_keep(flow->relaxation, notes));
  TRIAD_TRY(triad_forcing_keep(flow->forcing, notes));
  return triad_particles_notes(flow->particles, notes);
}

static int tables(void *flow, triad_table *list, int *n)
{
  return triad_particles_tables(((triad_flow *)flow)->particles, list, n);
}

static int restore(void *self, const char *folder, const triad_manifest *about, int branch, triad_log *log)
{
  triad_flow *flow = self;
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_shear_restore(flow, about->notes, branch)));
  return triad_particles_restore(flow->particles, flow, folder, about, branch, log);
}

static int branch(void *self, const triad_notes *notes, triad_log *log)
{
  const triad_flow *flow = self;
  triad_forcing_branch(flow->forcing, flow, notes, triad_case_flag(flow->given, "initial.keep_time"), log);
  return TRIAD_OK;
}

static int particles(void *flow, const char *run_dir, const triad_notes *notes, int sync)
{
  return triad_particles_write(((triad_flow *)flow)->particles, run_dir, notes, sync);
}

static int advance(void *self, triad_step *step)
{
  triad_flow *flow = self;
  const double before = flow->at.t;
  double columns[flow->shape.n_columns];
  TRIAD_TRY(triad_work_begin(flow));
  TRIAD_TRY(triad_stepper_advance(flow->stepper, flow, step));
  TRIAD_TRY(triad_work_count(flow));
  flow->work += triad_relaxation_work(flow->relaxation);
  if (triad_forcing_cleans(flow->forcing, before, flow->at.t)) {
    TRIAD_TRY(triad_agree(&flow->context->comm, triad_state_write_all(flow->state, TRIAD_HOST)));
    TRIAD_TRY(triad_project_all(flow));
    triad_initial_mean(flow);
  }
  if (!triad_forcing_looks(flow->forcing, flow)) return TRIAD_OK;
  int st = triad_budget_measure(flow, columns);
  if (st == TRIAD_ERR_BLOWUP) return TRIAD_OK; /* the next step reports it, from the unchanged state */
  if (st == TRIAD_OK) triad_forcing_control(flow->forcing, flow, columns);
  return st;
}

static int spectra(void *flow, const char *run_dir, const double *numbers, const triad_notes *notes)
{
  return triad_output_spectra(flow, run_dir, numbers[0], notes);
}

static void values_info(const void *self, triad_values_info *info)
{
  const triad_flow *flow = self;
  if (flow->derived) {
    triad_derived_info(flow->derived, flow, info);
    return;
  }
  info->n = flow->shape.n_fields;
  info->fields = flow->shape.fields;
  triad_space_planes(&info->space, flow->layout);
}

static int values(void *self, int number, void *out)
{
  triad_flow *flow = self;
  if (flow->derived) return triad_derived_values(flow->derived, flow, number, out);
  TRIAD_TRY(triad_state_read(flow->state, number, TRIAD_HOST, NULL));
  return triad_flow_backward(flow, flow->u[number], out);
}

static void places_info(const void *self, triad_places_info *info)
{
  triad_probes_info(((const triad_flow *)self)->probes, info);
}

static int places(void *self, double *values) { return triad_probes_values(((triad_flow *)self)->probes, values); }

static void points(const void *self, triad_space *space)
{
  triad_space_planes(space, ((const triad_flow *)self)->layout);
}

static int quantity(void *self, const triad_slice_quantity *wanted, void *out)
{
  triad_flow *flow = self;
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_quantity_check(&flow->shape, wanted, wanted->name)));
  return triad_derived_quantity(flow, wanted, out);
}

static int fill_planes(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  (void)field;
  if (flow->planes != flow->layout) return triad_flow_planes(flow, who, planes);
  memcpy(planes, who, (size_t)points->memory * sizeof *planes);
  return TRIAD_OK;
}

static int put_values(void *self, int number, const void *values)
{
  triad_flow *flow = self;
  const triad_comm *comm = &flow->context->comm;
  double dropped = 0;
  if (flow->layout->skew != 0)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "values at points of a sheared flow can only be set at its start");
  triad_forcing_forget_end(flow->forcing);
  triad_shear_forget(flow->shear);
  TRIAD_TRY(triad_agree(comm, triad_state_write(flow->state, number, TRIAD_HOST, NULL)));
  TRIAD_TRY(triad_points_start(flow, flow->grid.n, &number, 1, fill_planes, (void *)(uintptr_t)values, NULL, &dropped));
  return isfinite(dropped) ? TRIAD_OK : triad_points_overflow(comm, flow->shape.fields[number].name);
}

static int changed(void *self, triad_log *log)
{
  triad_flow *flow = self;
  triad_forcing_forget_end(flow->forcing);
  triad_shear_forget(flow->shear);
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_state_write_all(flow->state, TRIAD_HOST)));
  TRIAD_TRY(triad_initial_project(flow, log, 16 * (double)TRIAD_EPSILON));
  triad_initial_mean(flow);
  return triad_closure_settle_notes(flow->closure, NULL); /* a coefficient is that of the former field */
}

static int slices(void *self, const char *run_dir, const triad_notes *notes)
{
  triad_flow *flow = self;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  return triad_slices_write(flow->slices, run_dir, notes);
}

static double taken(void *flow) { return triad_slices_taken(((triad_flow *)flow)->slices); }

static int wait(void *flow) { return triad_slices_wait(((triad_flow *)flow)->slices); }

/* For each field: the number of modes that are not finite, and the first one, in the order of columns. */
static int locate(void *self, char *text, size_t size)
{
  triad_flow *flow = self;
  const triad_layout *l = flow->layout;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  for (int f = 0; f < flow->shape.n_fields; f++) {
    int64_t mine[2] = {0, INT64_MAX}, bad = 0, first = 0, place[3] = {0};
    for (int64_t c = l->n_columns - 1; c >= 0; c--)
      for (int64_t j = l->nkz - 1; j >= 0; j--) {
        const triad_cplx *u = &flow->u[f][triad_layout_place(l, c, j)];
        if (isfinite(u->re) && isfinite(u->im)) continue;
        mine[0]++;
        mine[1] = triad_layout_number(l, c);
        place[0] = l->kx[c];
        place[1] = l->ky[c];
        place[2] = l->kz[j];
      }
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine[0], &bad, 1, MPI_INT64_T, MPI_SUM, flow->context->comm.mpi)));
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine[1], &first, 1, MPI_INT64_T, MPI_MIN, flow->context->comm.mpi)));
    if (bad == 0) continue;
    if (mine[1] != first) place[0] = place[1] = place[2] = 0;
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, place, 3, MPI_INT64_T, MPI_SUM, flow->context->comm.mpi)));
    (void)snprintf(text, size,
                   "field %s: %" PRId64 " of %" PRId64 " modes are not finite, the first at k = (%" PRId64 ", %" PRId64
                   ", %" PRId64 ")",
                   flow->shape.fields[f].name, bad, l->all_columns * l->nkz, place[0], place[1], place[2]);
    return TRIAD_OK;
  }
  (void)snprintf(text, size, "all modes are finite, but the velocity in physical space is not: it overflows");
  return TRIAD_OK;
}

static int transports(triad_context *context, const char **names, int *n)
{
  *n = 0;
  return triad_spectral_gpu ? triad_spectral_gpu->transports(context, names, n) : TRIAD_OK;
}

/* ---- for triad bench ---- */

static triad_device *device(const void *self, int *offload)
{
  const triad_flow *flow = self;
  *offload = flow->offload != NULL;
  return flow->offload ? flow->offload : flow->device;
}

static int reference(const void *flow, triad_grid *grid)
{
  *grid = ((const triad_flow *)flow)->grid;
  return TRIAD_OK;
}

static void line_words(const void *self, const char *words[3])
{
  const triad_flow *flow = self;
  for (int i = 0; i < 3; i++)
    if (flow->grid.n[i] == 1) words[i] = "none";
    else if (flow->device || flow->offload) words[i] = triad_spectral_gpu->by_library(flow, i) ? "cufft" : "own";
    else words[i] = triad_pass_has_own(flow->pass, i) ? "own" : "fftw";
}

static int transform_pair(void *self, int n, double *own_s, double *library_s)
{
  triad_flow *flow = self;
  return triad_spectral_gpu->pair(triad_stepper_gpu(flow->stepper), &flow->grid, n, own_s, library_s);
}

static const triad_follow_part follow = {.asked = triad_follow_asked, .look = triad_follow_look};

/* On CPUs the choice by default is the faster one, and a run that resumes keeps its bits. */
static int lines_serve(const char *word, int ranks, int on_gpu)
{
  (void)ranks;
  (void)word;
  return on_gpu;
}

static const triad_tunable tunables[] = {{"parallel.lines", {"cufft"}, lines_serve, 1}, {NULL, {NULL}, NULL, 0}};
static const triad_tune_part tune = {.transports = transports, .tunables = tunables};
static const triad_blowup_part blowup = {.locate = locate};
static const triad_background_part background = {.taken = taken};
static const triad_outside_part outside = {.points = points, .put = put_values, .changed = changed};
static const triad_transform_part transform = {
  .lines = line_words, .pair = transform_pair, .spectra_of = triad_spectra_of};

static const triad_text_part text = {triad_flow_explain};

const triad_solver triad_solver_spectral = {.part = &triad_case_part_spectral,
                                            .check = triad_flow_check,
                                            .text = &text,
                                            .plan = &triad_spectral_plan,
                                            .devices = &triad_spectral_devices,
                                            .tune = &tune,
                                            .create = create,
                                            .destroy = destroy,
                                            .describe = describe,
                                            .columns = columns,
                                            .state = state,
                                            .instant = instant,
                                            .keep = write_notes,
                                            .tables = tables,
                                            .restore = restore,
                                            .branch = branch,
                                            .particles = particles,
                                            .initial = triad_initial_set,
                                            .settle = settle_flow,
                                            .follow = &follow,
                                            .advance = advance,
                                            .blowup = &blowup,
                                            .measure = triad_budget_measure,
                                            .conserved = conserved,
                                            .values_info = values_info,
                                            .values = values,
                                            .places_info = places_info,
                                            .places = places,
                                            .samples = triad_samples_take,
                                            .quantity = quantity,
                                            .outside = &outside,
                                            .background = &background,
                                            .spectra = spectra,
                                            .slices = slices,
                                            .wait = wait,
                                            .device = device,
                                            .costs = triad_flow_costs,
                                            .phases = triad_flow_phases,
                                            .apart = triad_flow_apart,
                                            .reference = reference,
                                            .transform = &transform};
