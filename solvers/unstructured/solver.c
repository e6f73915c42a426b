/* Flux-corrected transport as the time loop sees it (solvers/solver.h). */
#include "solvers/unstructured/flow.h"
#include "solvers/unstructured/part.h"
#include "solvers/unstructured/probes.h"

#include <inttypes.h>
#include <stdio.h>

static void describe_scheme(const triad_fct_flow *f, triad_log *log)
{
  const triad_fct_setup *s = &f->setup;
  triad_log_info(log, "  %s%s%s%s%s", s->transport == TRIAD_FCT_HIGH ? "" : s->hllc ? "HLLC" : "Rusanov",
                 s->transport == TRIAD_FCT_CORRECTED ? " corrected by " : "",
                 s->transport == TRIAD_FCT_LOW ? "" : s->linear ? "linear" : "central",
                 s->transport == TRIAD_FCT_LOW ? "" : " fluxes",
                 s->transport != TRIAD_FCT_CORRECTED ? ""
                 : s->limited & TRIAD_FCT_LIMIT_COMPONENTS ? " within bounds of each component"
                 : s->limited & TRIAD_FCT_LIMIT_PRESSURE ? " within bounds of density and pressure"
                                                         : " within bounds of density");
}

static void describe(const void *self, triad_log *log)
{
  const triad_fct_flow *f = self;
  const triad_fct_domain *d = f->domain;
  const int32_t(*cell)[2] = (const int32_t(*)[2])d->cell;
  triad_log_info(log, "fct: an ideal gas by flux-corrected transport, %s precision, %" PRId64 " cells, %" PRId64
                 " faces, of them %" PRId64 " outer ones; mesh %016" PRIx64, TRIAD_PRECISION_NAME, f->mesh->n_cells,
                 f->mesh->n_faces, f->mesh->n_faces - f->mesh->n_inner, f->checksum);
  describe_scheme(f, log);
  if (f->setup.viscosity > 0)
    triad_log_info(log, "  laminar stress of viscosity %g, Prandtl number %g", f->setup.viscosity, f->setup.prandtl);
  if (f->mesh->curved > 0)
    triad_log_info(log, "  %" PRId64 " cells of %s are of second order: their corners are used, their sides are flat",
                   f->mesh->curved, f->setup.file);
  for (int p = 0; p < f->mesh->n_patches; p++)
    triad_log_info(log, "  patch %s: %s", f->mesh->patch_name[p], triad_fct_kind_name(f->rule[p].kind));
  triad_log_info(log, "  cells numbered %s, loops %s, %d colours; 32-byte sectors a warp of 32 faces asks for, of 8: %.2f on "
                 "the left, %.2f on the right", triad_case_word(f->given, "grid.numbering"),
                 triad_case_word(f->given, "grid.loops"), d->n_colours, triad_fct_sectors(cell, d->n_own, 0),
                 triad_fct_sectors(cell, d->n_own, 1));
  if (f->context->comm.size > 1)
    triad_log_info(log, "  rank 0 has %" PRId64 " cells, %" PRId64 " of them see no other rank, and %" PRId64 " ghosts",
                   d->n_cells, d->n_inside, d->n_ghosts);
}

static void columns(const void *self, triad_series_info *info)
{
  const triad_fct_flow *f = self;
  *info = (triad_series_info){"fct", f->n_columns, f->columns};
}

static triad_state *state(void *flow) { return ((triad_fct_flow *)flow)->state; }

static triad_instant *instant(void *flow) { return &((triad_fct_flow *)flow)->at; }

static triad_device *device(const void *flow, int *offload)
{
  (void)flow;
  *offload = 0;
  return NULL;
}

/* Numbers of a step, each array once a loop: of a cell and stage, gradients 6 + 15, transport 10, bounds 9 + 4, limits 9 + 9,
 * the end 10; of a face, geometry 11 in each of three loops, values and gradients of its cells counted with these, fluxes
 * 5 in six. */
static triad_costs costs(void *self)
{
  const triad_fct_flow *f = self;
  const triad_fct_domain *d = f->domain;
  double real = (double)sizeof(triad_real), cells = (double)d->n_cells, faces = (double)d->n_faces;
  double sent = 0;
  if (f->of_q) sent += (double)triad_halo_bytes(f->of_q, TRIAD_FCT_VALUES);
  if (f->of_gradient) sent += (double)triad_halo_bytes(f->of_gradient, 15);
  if (f->of_bounds) sent += (double)triad_halo_bytes(f->of_bounds, 4);
  if (f->of_limits) sent += (double)triad_halo_bytes(f->of_limits, 9);
  return (triad_costs){.bytes = 2 * real * (72 * cells + 63 * faces), .sent_bytes = 2 * sent,
                       .flops = 2 * (cells * 500 + faces * 300), .stages = 2, .cells = f->mesh->n_cells,
                       .transport = "mpi"};
}

static triad_phases phases(void *self)
{
  triad_fct_flow *f = self;
  triad_phases taken = f->phases;
  f->phases = (triad_phases){{0}};
  return taken;
}

const triad_solver triad_solver_unstructured = {.part = &triad_case_part_unstructured,
                                                .check = triad_fct_check,
                                                .create = triad_fct_create,
                                                .destroy = triad_fct_destroy,
                                                .describe = describe,
                                                .columns = columns,
                                                .state = state,
                                                .instant = instant,
                                                .state_about = "Conserved variables of a gas in the cells of a mesh, in "
                                                               "the mesh's own order: density rho, momentum rho_u, "
                                                               "rho_v, rho_w, and total energy e, per volume.",
                                                .keep = triad_fct_keep,
                                                .initial = triad_fct_initial,
                                                .settle = triad_fct_settle,
                                                .advance = triad_fct_advance,
                                                .locate = triad_fct_locate,
                                                .measure = triad_fct_measure,
                                                .fields = triad_fct_write_fields,
                                                .slices = triad_fct_slices,
                                                .wait = triad_fct_probes_store,
                                                .device = device,
                                                .costs = costs,
                                                .phases = phases};
