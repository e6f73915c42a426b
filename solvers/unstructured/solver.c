/* Flux-corrected transport as the time loop sees it (solvers/solver.h). */
#include "solvers/gas/keys.h"
#include "solvers/unstructured/plain/example.h"
#include "solvers/unstructured/measure/budget.h"
#include "solvers/unstructured/step/costs.h"
#include "solvers/unstructured/files/output.h"
#include "solvers/unstructured/case/check.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/files/look.h"
#include "solvers/unstructured/case/part.h"
#include "solvers/unstructured/measure/probes.h"

#include <inttypes.h>
#include <stdio.h>

static void describe_scheme(const triad_unstructured_flow *f, triad_log *log)
{
  const triad_unstructured_setup *s = &f->setup;
  triad_log_info(log, "  %s%s%s%s%s",
                 s->transport == TRIAD_UNSTRUCTURED_HIGH ? "" : triad_gas_flux_word((int)s->riemann)->name,
                 s->transport == TRIAD_UNSTRUCTURED_CORRECTED ? " corrected by " : "",
                 s->transport == TRIAD_UNSTRUCTURED_LOW ? ""
                 : s->linear                            ? "linear"
                                                        : "central",
                 s->transport == TRIAD_UNSTRUCTURED_LOW ? "" : " fluxes",
                 s->transport != TRIAD_UNSTRUCTURED_CORRECTED       ? ""
                 : s->limited & TRIAD_UNSTRUCTURED_LIMIT_COMPONENTS ? " within bounds of each component"
                 : s->limited & TRIAD_UNSTRUCTURED_LIMIT_PRESSURE   ? " within bounds of density and pressure"
                                                                    : " within bounds of density");
}

/* Log the storage of faces, on rank 0. */
static void describe_faces(const triad_unstructured_flow *f, triad_log *log)
{
  if (!f->device || f->domain->n_pointed == 0) return;
  const int corners = triad_unstructured_gpu_steps->by_corners(f);
  triad_log_info(log, "  on the GPU faces between tetrahedra use %s%s", corners ? "corners" : "geometry",
                 f->setup.keeps != TRIAD_UNSTRUCTURED_KEEP_WHAT_FITS ? ""
                 : corners                                           ? ", because the geometry does not fit in memory"
                                                                     : ", which fits in memory");
}

static void describe_device(const triad_unstructured_flow *f, triad_log *log)
{
  if (f->device)
    triad_log_info(log, "  time steps run on %s: %s; ghosts by transport %s",
                   f->context->comm.size > 1 ? "GPUs" : "a GPU", triad_device_name(f->device),
                   triad_unstructured_gpu_steps->transport(f));
  else if (triad_device_count() > 0 && triad_case_is(f->given, "parallel.device", "auto"))
    triad_log_info(log, "  time steps run on the CPU: not every rank has a GPU");
}

static void describe_start(const triad_unstructured_flow *f, triad_log *log)
{
  const triad_start_part *s = f->start_part;
  triad_log_detail(
    log,
    "  set-up took %.3f s for the mesh and its faces, %.3f s for volumes, %.3f s to partition and number cells, %.3f s "
    "to order and colour faces, %.3f s for lists, %.3f s for the memory of the flow",
    s[TRIAD_UNSTRUCTURED_START_MESH].s, s[TRIAD_UNSTRUCTURED_START_VOLUMES].s, s[TRIAD_UNSTRUCTURED_START_CELLS].s,
    s[TRIAD_UNSTRUCTURED_START_FACES].s, s[TRIAD_UNSTRUCTURED_START_ROWS].s, s[TRIAD_UNSTRUCTURED_START_FLOW].s);
}

static void describe_cut(const triad_unstructured_flow *f, triad_log *log)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_parting *cut = &f->cut;
  if (!f->partition) return;
  int64_t needed, available;
  const triad_graph_library *dealer = triad_mesh_partition_dealer(f->partition, &needed, &available);
  if (needed > 0 && available < 0)
    triad_log_warning(
      log,
      "grid.partition = \"metis\": METIS cannot number so many sides of cells (at most %d): %s assigned "
      "the cells to ranks instead; results are equal to rounding",
      INT32_MAX, dealer ? dealer->name : "planes");
  else if (needed > 0)
    triad_log_warning(
      log,
      "grid.partition = \"metis\": METIS needs %.3g GB on rank 0, where %.3g GB are free: %s assigned the "
      "cells to ranks instead; results are equal to rounding",
      1e-9 * (double)needed, 1e-9 * (double)available, dealer ? dealer->name : "planes");
  triad_log_info(log,
                 "  cells partitioned %s%s in %.3f s: maximum per rank %.3f of the mean, %" PRId64
                 " faces between ranks; %" PRId64 " ghosts, at most %" PRId64 " per rank, with at most %" PRId64
                 " neighbouring ranks; %" PRId64 " cells in structured zones",
                 dealer                  ? "by "
                 : f->setup.source.curve ? "along the curve"
                                         : "by planes",
                 dealer ? dealer->name : "", triad_mesh_partition_seconds(f->partition), cut->most, cut->faces,
                 cut->ghosts, cut->most_ghosts, cut->most_peers, cut->zoned);
  triad_log_info(log,
                 "  rank 0 has %" PRId64 " cells, %" PRId64 " of them with no neighbour on another rank, and %" PRId64
                 " ghosts",
                 d->n_cells, d->n_inside, d->n_ghosts);
}

/* What reading has changed in the mesh of a file. */
static void describe_changes(const triad_unstructured_flow *f, triad_log *log)
{
  const triad_mesh_changes *c = &f->mesh->changes;
  if (c->curved > 0)
    triad_log_info(
      log, "  %" PRId64 " cells of %s are of second or higher order: only their corners are used, with flat sides",
      c->curved, f->setup.source.file);
  if (c->reversed > 0)
    triad_log_info(log, "  %" PRId64 " cells of %s are left-handed: their corners were reordered", c->reversed,
                   f->setup.source.file);
  if (c->plane > 0)
    triad_log_info(log,
                   "  %s is a plane mesh of %" PRId64
                   " cells: extruded by one layer of thickness %.6g along %c, with patches back and front",
                   f->setup.source.file, c->plane, c->layer, "xyz"[c->axis]);
  if (c->note[0]) triad_log_warning(log, "%s: %s", f->setup.source.file, c->note);
}

static void describe(const void *self, triad_log *log)
{
  const triad_unstructured_flow *f = self;
  const triad_unstructured_domain *d = f->domain;
  const int32_t(*cell)[2] = (const int32_t(*)[2])d->cell;
  triad_log_info(log,
                 "fct: ideal gas by flux-corrected transport, %s precision, %" PRId64 " cells, %" PRId64
                 " faces, of them %" PRId64 " outer faces; mesh %016" PRIx64,
                 TRIAD_PRECISION_NAME, f->mesh->all_cells, f->mesh->all_faces, f->mesh->all_faces - f->mesh->all_inner,
                 f->checksum);
  const double *low = f->mesh->low, *high = f->mesh->high;
  triad_log_info(log, "  extent %.6g x %.6g x %.6g, from (%.6g, %.6g, %.6g)", high[0] - low[0], high[1] - low[1],
                 high[2] - low[2], low[0], low[1], low[2]);
  describe_scheme(f, log);
  if (f->setup.viscosity > 0)
    triad_log_info(log, "  laminar stress of viscosity %g, Prandtl number %g", f->setup.viscosity, f->setup.prandtl);
  describe_changes(f, log);
  for (int p = 0; p < f->mesh->n_patches; p++)
    triad_log_info(log, "  patch %s: %s", f->mesh->patch_name[p], triad_unstructured_kind_name(f->rule[p].kind));
  for (int i = 0; i < f->mesh->n_inside; i++) {
    const triad_mesh_inside *in = &f->mesh->inside[i];
    triad_log_warning(log,
                      "%s: %" PRId64 " faces of patch %s are between cells, not on the boundary, and are skipped%s",
                      f->setup.source.file, in->faces, in->name, in->skipped ? " with the patch" : "");
  }
  if (d->n_zones > 0)
    triad_log_info(log, "  structured zones: %d, of %" PRId64 " cells%s", d->n_zones, d->n_zoned,
                   f->context->comm.size > 1 ? " of rank 0" : "");
  triad_log_detail(log,
                   "  cells numbered %s, loops %s, %d colours; 32-byte sectors per warp of 32 faces, of 8: %.2f on the "
                   "left, %.2f on the right",
                   triad_case_word(f->given, "grid.numbering"), triad_case_word(f->given, "grid.loops"), d->n_colours,
                   triad_mesh_count_sectors(cell, d->n_own, 0), triad_mesh_count_sectors(cell, d->n_own, 1));
  describe_device(f, log);
  describe_faces(f, log);
  describe_start(f, log);
  describe_cut(f, log);
}

static void columns(const void *self, triad_series_info *info)
{
  const triad_unstructured_flow *f = self;
  *info = (triad_series_info){"fct", f->n_columns, f->columns};
}

static triad_state *state(void *flow) { return ((triad_unstructured_flow *)flow)->state; }

static triad_instant *instant(void *flow) { return &((triad_unstructured_flow *)flow)->at; }

static triad_device *device(const void *flow, int *offload)
{
  *offload = 0;
  return ((const triad_unstructured_flow *)flow)->device;
}

static triad_phases phases(void *self)
{
  triad_unstructured_flow *f = self;
  return triad_laps_take(&f->laps, TRIAD_UNSTRUCTURED_PHASE_LAYERS, &f->phases);
}

static void apart(void *self, int on) { ((triad_unstructured_flow *)self)->apart = on; }

static int deals(const char *word, int ranks, int on_gpu)
{
  (void)on_gpu;
  const triad_graph_library *library = triad_graph_library_of(word);
  return ranks > 1 && (!library || library->deal);
}

static const triad_tunable tunables[] = {{"grid.partition", {"curve", "metis", "scotch"}, deals, 0},
                                         {"grid.loops", {"gather", "colours", "atomics"}, NULL, 0},
                                         {"grid.numbering", {"rcm", "morton", "coalesced"}, NULL, 0},
                                         {NULL, {NULL}, NULL, 0}};

static const triad_tune_part tune = {.tunables = tunables};
static const triad_blowup_part blowup = {.locate = triad_unstructured_locate};

static const triad_mesh_part mesh_part = {.print_case = triad_unstructured_example};

static const triad_phase_row phase_rows[] = {{TRIAD_PHASE_EXCHANGE, "exchange"},
#define ROW(SLOT, name) {TRIAD_UNSTRUCTURED_PHASE_##SLOT, name},
                                             TRIAD_UNSTRUCTURED_PHASES(ROW)
#undef ROW
                                               {TRIAD_PHASE_REST, "rest"}};

_Static_assert(sizeof phase_rows / sizeof *phase_rows <= TRIAD_MOST_PHASES - TRIAD_PHASES + 2, "slots of all phases");
static const triad_phase_list phase_list = {sizeof phase_rows / sizeof *phase_rows, phase_rows};

const triad_solver triad_solver_unstructured = {
  .part = &triad_case_part_unstructured,
  .check = triad_unstructured_check,
  .devices = &triad_unstructured_devices,
  .tune = &tune,
  .create = triad_unstructured_create,
  .destroy = triad_unstructured_destroy,
  .describe = describe,
  .columns = columns,
  .check_state = triad_unstructured_check_state,
  .state = state,
  .instant = instant,
  .state_about = "Conserved variables in the cells of a mesh, in the order of the mesh: density rho, momentum rho_u, "
                 "rho_v, rho_w, and total energy e, per volume.",
  .keep = triad_unstructured_keep,
  .initial = triad_unstructured_initial,
  .settle = triad_unstructured_settle,
  .advance = triad_unstructured_advance,
  .blowup = &blowup,
  .measure = triad_unstructured_measure,
  .conserved = triad_unstructured_conserved_columns,
  .fields = triad_unstructured_write_fields,
  .slices = triad_unstructured_slices,
  .wait = triad_unstructured_probes_store,
  .grid_write = triad_unstructured_grid_write,
  .mesh = &mesh_part,
  .device = device,
  .costs = triad_unstructured_costs,
  .phases = phases,
  .phase_list = &phase_list,
  .apart = apart};
