#include "solvers/unstructured/flow.h"
#include "solvers/unstructured/probes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const triad_field_info triad_fct_fields[TRIAD_FCT_FIELDS] = {
    {"rho", "density", "M/L^3", TRIAD_SCALAR},
    {"rho_u", "momentum along x", "M U/L^3", TRIAD_COMPONENT("momentum", 0, 0)},
    {"rho_v", "momentum along y", "M U/L^3", TRIAD_COMPONENT("momentum", 1, 0)},
    {"rho_w", "momentum along z", "M U/L^3", TRIAD_COMPONENT("momentum", 2, 0)},
    {"e", "total energy", "M U^2/L^3", TRIAD_SCALAR}};

static int take(triad_fct_flow *f)
{
  triad_memory *memory = f->context->memory;
  const triad_fct_domain *d = f->domain;
  int64_t n = d->n_cells, all = n + d->n_ghosts;
  int high = f->setup.transport != TRIAD_FCT_LOW, corrected = f->setup.transport == TRIAD_FCT_CORRECTED;
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) TRIAD_TRY(TRIAD_ALLOC(memory, "state", n, &f->u[k]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "values", all, &f->q));
  TRIAD_TRY(TRIAD_ALLOC(memory, "values", all, &f->td));
  if ((high && f->setup.linear) || f->setup.viscosity > 0) TRIAD_TRY(TRIAD_ALLOC(memory, "gradients", all, &f->gradient));
  if (f->gradient && f->setup.wide) TRIAD_TRY(TRIAD_ALLOC(memory, "gradients", all, &f->near));
  TRIAD_TRY(TRIAD_ALLOC(memory, "fluxes", d->n_faces, &f->low));
  if (high) TRIAD_TRY(TRIAD_ALLOC(memory, "fluxes", d->n_faces, &f->anti));
  const int components = corrected && f->setup.limited & TRIAD_FCT_LIMIT_COMPONENTS;
  if (corrected && !components) TRIAD_TRY(TRIAD_ALLOC(memory, "limits", all, &f->bounds));
  if (corrected && !components) TRIAD_TRY(TRIAD_ALLOC(memory, "limits", all, &f->limits));
  if (components) TRIAD_TRY(TRIAD_ALLOC(memory, "limits", all, &f->component));
  if (components) TRIAD_TRY(TRIAD_ALLOC(memory, "limits", all, &f->part));
  TRIAD_TRY(triad_fct_sponges_make(f));
  triad_space space;
  triad_space_mesh(&space, &d->entries);
  const int fields = TRIAD_FCT_FIELDS + (f->setup.means ? TRIAD_FCT_MEANS : 0);
  memcpy(f->about, triad_fct_fields, sizeof triad_fct_fields);
  memcpy(f->about + TRIAD_FCT_FIELDS, triad_fct_mean_fields, sizeof triad_fct_mean_fields);
  TRIAD_TRY(triad_fct_means_take(f));
  TRIAD_TRY(triad_state_create(&f->state, memory, &space, f->about, fields));
  for (int k = 0; k < fields; k++)
    triad_state_attach(f->state, k, TRIAD_HOST, k < TRIAD_FCT_FIELDS ? f->u[k] : f->mean[k - TRIAD_FCT_FIELDS]);
  return TRIAD_OK;
}

static int make_halos(triad_fct_flow *f)
{
  if (f->context->comm.size == 1) return TRIAD_OK;
  TRIAD_TRY(triad_fct_domain_halo(&f->of_q, f->domain, TRIAD_FCT_VALUES));
  if (f->gradient) TRIAD_TRY(triad_fct_domain_halo(&f->of_gradient, f->domain, 15));
  if (f->setup.prelimit && f->anti) TRIAD_TRY(triad_fct_domain_halo(&f->of_td, f->domain, 5));
  if (f->component) TRIAD_TRY(triad_fct_domain_halo(&f->of_components, f->domain, 10));
  if (!f->bounds) return TRIAD_OK;
  TRIAD_TRY(triad_fct_domain_halo(&f->of_bounds, f->domain, 4));
  return triad_fct_domain_halo(&f->of_limits, f->domain, sizeof(triad_fct_limits) / sizeof(triad_real));
}

/* Every rank makes or reads the mesh for itself: is it one? */
static int agree_on_mesh(const triad_fct_flow *f)
{
  int64_t mine[2] = {(int64_t)f->checksum, -(int64_t)f->checksum}, most[2];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, f->context->comm.mpi)));
  if (most[0] == -most[1]) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "ranks have different meshes: %s has changed while it was being read",
                    f->setup.file[0] ? f->setup.file : "the mesh");
}

/* What the thrust is reckoned with: the pressure of the first far field or outflow that has one. */
static void look_round(triad_fct_flow *f)
{
  const triad_fct_mesh *m = f->mesh;
  for (int p = m->n_patches - 1; p >= 0; p--)
    if (f->rule[p].kind == TRIAD_FCT_FARFIELD || f->rule[p].kind == TRIAD_FCT_PRESSURE) f->ambient = (double)f->rule[p].given[4];
  for (int64_t face = m->n_inner; face < m->n_faces; face++) f->area_x[m->patch[face]] += m->area[face][0];
}

static int make(triad_fct_flow *f)
{
  TRIAD_TRY(triad_fct_setup_read(&f->setup, f->given));
  f->gas = triad_fct_gas_of(f->setup.gamma);
  f->bad = -1;
  TRIAD_TRY(triad_fct_setup_mesh(&f->setup, f->context->memory, &f->mesh, f->rule));
  look_round(f);
  f->checksum = triad_fct_mesh_checksum(f->mesh);
  TRIAD_TRY(triad_fct_domain_create(&f->domain, f->context, f->mesh, f->setup.numbering, f->setup.coloured));
  f->n_columns = triad_fct_columns(f->columns, f->patch_column, f->mesh);
  return take(f);
}

int triad_fct_create(void **out, triad_context *context, const triad_case *given, const char *run_dir)
{
  triad_fct_flow *f = *out = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow");
  if (f) {
    f->context = context;
    f->given = given;
    st = make(f);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = agree_on_mesh(f);
  if (st == TRIAD_OK) st = make_halos(f);
  if (st == TRIAD_OK) st = triad_fct_probes_create(&f->probes, f, run_dir);
  if (st != TRIAD_OK) triad_fct_destroy(out);
  return st;
}

void triad_fct_destroy(void **flow)
{
  triad_fct_flow *f = *flow;
  if (!f) return;
  triad_memory *memory = f->context->memory;
  triad_fct_probes_destroy(&f->probes, f);
  for (int i = 0; i < TRIAD_FCT_MEANS; i++) TRIAD_FREE(memory, &f->mean[i]);
  triad_halo_destroy(&f->of_q);
  triad_halo_destroy(&f->of_gradient);
  triad_halo_destroy(&f->of_bounds);
  triad_halo_destroy(&f->of_limits);
  triad_halo_destroy(&f->of_td);
  triad_halo_destroy(&f->of_components);
  triad_state_destroy(&f->state);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) TRIAD_FREE(memory, &f->u[k]);
  TRIAD_FREE(memory, &f->q);
  TRIAD_FREE(memory, &f->td);
  TRIAD_FREE(memory, &f->gradient);
  TRIAD_FREE(memory, &f->near);
  TRIAD_FREE(memory, &f->low);
  TRIAD_FREE(memory, &f->anti);
  TRIAD_FREE(memory, &f->bounds);
  TRIAD_FREE(memory, &f->limits);
  TRIAD_FREE(memory, &f->component);
  TRIAD_FREE(memory, &f->part);
  TRIAD_FREE(memory, &f->sponge);
  TRIAD_FREE(memory, &f->sponge_of);
  triad_fct_domain_destroy(&f->domain);
  triad_fct_mesh_destroy(&f->mesh);
  free(f);
  *flow = NULL;
}

/* ---- what goes through checkpoints ---- */

static const char *const total_names[5] = {"mass", "momentum_x", "momentum_y", "momentum_z", "energy"};

static void note_name(char name[64], const char *what, int patch, int k)
{
  if (patch < 0)
    (void)snprintf(name, 64, "%s_%s", what, total_names[k]);
  else
    (void)snprintf(name, 64, "%s_%d_%s", what, patch, total_names[k]);
}

int triad_fct_keep(const void *flow, triad_notes *notes)
{
  const triad_fct_flow *f = flow;
  char name[64];
  (void)snprintf(name, sizeof name, "%016" PRIx64, f->checksum);
  TRIAD_TRY(triad_notes_set_text(notes, "mesh", name));
  if (f->setup.means) TRIAD_TRY(triad_notes_set_real(notes, "mean_time", f->mean_time));
  for (int k = 0; k < 5; k++) {
    note_name(name, "start", -1, k);
    TRIAD_TRY(triad_notes_set_real(notes, name, f->start[k]));
    for (int p = 0; p < f->mesh->n_patches; p++) {
      note_name(name, "crossed", p, k);
      TRIAD_TRY(triad_notes_set_real(notes, name, f->crossed[p][k]));
    }
  }
  return TRIAD_OK;
}

static void take_notes(triad_fct_flow *f, const triad_notes *notes)
{
  char name[64];
  if (triad_notes_has(notes, "mean_time")) (void)triad_notes_real(notes, "mean_time", &f->mean_time);
  for (int k = 0; k < 5; k++) {
    note_name(name, "start", -1, k);
    if (triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &f->start[k]);
    for (int p = 0; p < f->mesh->n_patches; p++) {
      note_name(name, "crossed", p, k);
      if (triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &f->crossed[p][k]);
    }
  }
}

/* Another mesh of as many cells is refused by name. */
static int check_mesh(const triad_fct_flow *f, const triad_notes *notes)
{
  const char *there = NULL;
  char here[24];
  if (!notes || !triad_notes_has(notes, "mesh")) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(notes, "mesh", &there));
  (void)snprintf(here, sizeof here, "%016" PRIx64, f->checksum);
  if (strcmp(there, here) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "the checkpoint is of mesh %.32s, and [grid] of this case makes mesh %s", there, here);
}

int triad_fct_settle(void *flow, const triad_manifest *resumed, triad_log *log)
{
  triad_fct_flow *f = flow;
  (void)log;
  memset(f->crossed, 0, sizeof f->crossed);
  if (resumed) TRIAD_TRY(triad_agree(&f->context->comm, check_mesh(f, resumed->notes)));
  TRIAD_TRY(triad_fct_look(f));
  TRIAD_TRY(triad_fct_totals(f, f->start));
  if (!resumed) triad_fct_means_clear(f);
  if (resumed && resumed->notes) take_notes(f, resumed->notes);
  return triad_fct_probes_settle(f, resumed != NULL);
}
