/* Create an unstructured flow: its memory, mesh, initial state and device, and the data of its checkpoints. */
#include "base/clock.h"
#include "solvers/unstructured/measure/budget.h"
#include "solvers/unstructured/measure/coefficients.h"
#include "solvers/unstructured/step/sponge.h"
#include "solvers/unstructured/measure/means.h"
#include "mesh/sizes.h"
#include "solvers/device_choice.h"
#include "solvers/unstructured/gpu/gpu.h"
#include "solvers/unstructured/host/host_bricks.h"
#include "solvers/unstructured/host/host_brick_rings.h"
#include "solvers/unstructured/measure/probes.h"

#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const triad_field_info triad_unstructured_fields[TRIAD_UNSTRUCTURED_FIELDS] = {
  {"rho", "density", "M/L^3", TRIAD_SCALAR},
  {"rho_u", "momentum along x", "M U/L^3", TRIAD_COMPONENT("momentum", 0, 0)},
  {"rho_v", "momentum along y", "M U/L^3", TRIAD_COMPONENT("momentum", 1, 0)},
  {"rho_w", "momentum along z", "M U/L^3", TRIAD_COMPONENT("momentum", 2, 0)},
  {"e", "total energy", "M U^2/L^3", TRIAD_SCALAR}};

/* Allocate the work arrays of steps on the CPU; for bricks only some layers of cells. */
static int take_stages(triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view *v = &f->view;
  const int components = triad_unstructured_by_components(&f->setup);
  const int64_t kept = triad_unstructured_domain_kept(d), places = kept > 0 ? triad_unstructured_pitch(kept) : 0,
                slots = triad_unstructured_pitch(d->n_slots + 1);
  const int64_t stages =
    triad_unstructured_size_stages(v, places, f->wide ? places : 0, slots, f->high != TRIAD_UNSTRUCTURED_NO_HIGH);
  TRIAD_TRY(TRIAD_ALLOC(memory, "stages", stages, &f->stages));
  triad_unstructured_place_stages(v, f->stages, d->n_bricks, d->n_bricks, slots);
  TRIAD_TRY(triad_unstructured_take_numbers(memory, "fluxes", d->n_slots + 1, TRIAD_UNSTRUCTURED_FIELDS, &v->low));
  if (d->n_boxes > 0) TRIAD_TRY(triad_unstructured_bricks_take(&f->bricks, d));
  if (kept == 0) return TRIAD_OK;
  v->gradient.pitch = places;
  TRIAD_TRY(
    TRIAD_ALLOC(memory, "stages", triad_unstructured_work_size(places, slots, f->gradients, components), &f->work));
  v->gradient.at = f->work - d->n_bricks;
  triad_unstructured_share_work(v, f->work, slots, f->wide, components);
  const int64_t limited = v->bounded ? triad_unstructured_domain_limited(d, &v->limits_from) : 0;
  if (limited == 0) return TRIAD_OK;
  TRIAD_TRY(triad_unstructured_take_numbers(memory, "stages", limited, TRIAD_UNSTRUCTURED_LIMITS, &v->limit));
  f->limits = v->limit.at;
  v->limit.at -= v->limits_from;
  return TRIAD_OK;
}

static int allocate_fields(triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view *v = &f->view;
  TRIAD_TRY(triad_unstructured_take_numbers(memory, "state", d->n_cells, TRIAD_UNSTRUCTURED_FIELDS, &v->u));
  TRIAD_TRY(triad_unstructured_take_numbers(memory, "values", d->n_places, TRIAD_UNSTRUCTURED_VALUES, &v->value));
  if (!f->device) TRIAD_TRY(take_stages(f));
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) f->u[k] = v->u.at + k * v->u.pitch;
  triad_space space;
  triad_space_mesh(&space, &d->entries);
  const int fields = TRIAD_UNSTRUCTURED_FIELDS + (f->setup.means ? TRIAD_UNSTRUCTURED_MEANS : 0);
  memcpy(f->about, triad_unstructured_fields, sizeof triad_unstructured_fields);
  memcpy(f->about + TRIAD_UNSTRUCTURED_FIELDS, triad_unstructured_mean_fields, sizeof triad_unstructured_mean_fields);
  TRIAD_TRY(triad_unstructured_means_take(f));
  TRIAD_TRY(triad_state_create(&f->state, memory, &space, f->about, fields));
  for (int k = 0; k < fields; k++)
    triad_state_attach(f->state, k, TRIAD_HOST,
                       k < TRIAD_UNSTRUCTURED_FIELDS ? f->u[k]
                                                     : f->mean.at + (k - TRIAD_UNSTRUCTURED_FIELDS) * f->mean.pitch);
  return TRIAD_OK;
}

/* Is there a cell with fewer faces than are enough for its gradients? Collective. */
static int find_small_cells(triad_unstructured_flow *f)
{
  int any = 0;
  for (int64_t c = 0; c < f->mesh->n_cells && !any; c++) any = triad_mesh_sides(f->mesh, c) < TRIAD_UNSTRUCTURED_ENOUGH;
  return TRIAD_MPI(MPI_Allreduce(&any, &f->small_cells, 1, MPI_INT, MPI_MAX, f->context->comm.mpi));
}

/* Set the host's view of the domain. */
static void see_domain(triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view *v = &f->view;
  v->gas = f->gas;
  v->slack = (triad_real)f->setup.slack;
  v->limited = f->setup.limited;
  f->high = triad_unstructured_high_of(&f->setup);
  f->gradients = f->high == TRIAD_UNSTRUCTURED_LINEAR || f->setup.viscosity > 0;
  f->wide = f->gradients && ((f->setup.wide && f->small_cells) || f->setup.flat);
  v->flat = f->setup.flat;
  v->bounded = f->setup.transport == TRIAD_UNSTRUCTURED_CORRECTED && f->setup.limited &&
               !triad_unstructured_by_components(&f->setup);
  v->n_cells = d->n_cells;
  v->n_seen = triad_unstructured_domain_seen(d);
  v->n_inner = d->n_inner;
  v->n_faces = d->n_faces;
  v->geometry = d->geometry;
  v->geometry.at -= d->n_pointed;
  v->n_pointed = d->n_pointed;
  v->kept_words = d->kept_words;
  v->softening = d->softening;
  v->per_volume = d->per_volume;
  v->cell = (const int32_t(*)[2])d->cell;
  v->start = d->start;
  v->near = d->near;
  v->side = d->side;
  v->sides = d->sides;
}

/* Set the inputs of forces: the pressure of the first far field or outflow that has one, and the area vectors of
 * patches and their moments. Collective. */
static int look_round(triad_unstructured_flow *f)
{
  const triad_mesh *m = f->mesh;
  for (int p = m->n_patches - 1; p >= 0; p--)
    if (f->rule[p].kind == TRIAD_UNSTRUCTURED_FARFIELD || f->rule[p].kind == TRIAD_UNSTRUCTURED_PRESSURE)
      f->ambient = (double)f->rule[p].given[4];
  for (int64_t face = m->n_inner; face < m->n_faces; face++) {
    double area[3], centre[3];
    triad_mesh_face_size(m, face, area, centre);
    if (!m->owner || m->owner[m->cell[face][0]] == f->context->comm.rank) {
      const double *about = f->setup.reference.centre;
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        f->area[m->patch[face]][a] += area[a];
        f->area[m->patch[face]][3 + a] += (centre[b] - about[b]) * area[c] - (centre[c] - about[c]) * area[b];
      }
    }
  }
  if (!m->owner) return TRIAD_OK;
  return TRIAD_MPI(
    MPI_Allreduce(MPI_IN_PLACE, f->area, 6 * TRIAD_MESH_PATCHES, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi));
}

/* Record the time of a part of the start. */
static void end_part(triad_unstructured_flow *f, int part, double *begin)
{
  static const char *const names[TRIAD_UNSTRUCTURED_STARTS] = {"mesh", "volumes", "cells", "faces", "lists", "flow"};
  const double now = triad_now(), domain = f->domain ? f->domain->cells_s + f->domain->faces_s + f->domain->rows_s : 0;
  for (int i = 0; i < TRIAD_UNSTRUCTURED_STARTS; i++) f->start_part[i].name = names[i];
  f->start_part[part].s = now - *begin - (part == TRIAD_UNSTRUCTURED_START_FLOW ? domain : 0);
  *begin = now;
}

/* Make this rank's part of the mesh, or the whole mesh on one rank. Collective. */
static int make_mesh(triad_unstructured_flow *f)
{
  const triad_comm *comm = &f->context->comm;
  double begin = triad_now(), measured = 0;
  if (comm->size > 1)
    TRIAD_TRY(
      triad_unstructured_setup_part(&f->partition, f->context, &f->setup, &f->mesh, f->rule, &f->checksum, &measured));
  else TRIAD_TRY(triad_unstructured_setup_mesh(&f->setup, f->context->memory, &f->mesh, f->rule));
  end_part(f, TRIAD_UNSTRUCTURED_START_MESH, &begin);
  if (!f->partition) {
    TRIAD_TRY(triad_mesh_measure(f->mesh));
    f->checksum = triad_mesh_checksum(f->mesh);
  }
  end_part(f, TRIAD_UNSTRUCTURED_START_VOLUMES, &begin);
  f->start_part[TRIAD_UNSTRUCTURED_START_MESH].s -= measured;
  f->start_part[TRIAD_UNSTRUCTURED_START_VOLUMES].s += measured;
  return TRIAD_OK;
}

static int make_domain(triad_unstructured_flow *f)
{
  const triad_unstructured_layout layout = {.numbering = f->setup.numbering,
                                            .coloured = f->setup.loops == TRIAD_UNSTRUCTURED_BY_COLOURS,
                                            .structured = f->setup.source.structured,
                                            .bricks = triad_unstructured_bricks_serve(&f->setup),
                                            .joined = f->device == NULL,
                                            .pointed = f->device != NULL};
  TRIAD_TRY(triad_unstructured_domain_create(&f->domain, f->context, f->mesh, layout));
  see_domain(f);
  f->n_columns = triad_unstructured_columns(f->columns, f->patch_column, f->mesh);
  triad_unstructured_coefficients_create(f);
  f->loops = f->domain->n_boxes > 0 ? &triad_unstructured_brick_loops : &triad_unstructured_host_loops;
  return TRIAD_OK;
}

/* Arms of outer faces, for coefficients of moments. */
static int measure_arms(triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
  if (!(f->setup.reference.area > 0)) return TRIAD_OK;
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "coefficients", d->n_faces - d->n_inner, &f->arm));
  for (int64_t face = d->n_inner; face < d->n_faces; face++) {
    triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
    double centre[3];
    triad_unstructured_domain_geometry(d, face, numbers);
    triad_unstructured_domain_centre(d, d->cell[face][0], centre);
    for (int a = 0; a < 3; a++)
      f->arm[face - d->n_inner][a] = centre[a] + (double)numbers[3 + a] - f->setup.reference.centre[a];
  }
  return TRIAD_OK;
}

static int create_parts(triad_unstructured_flow *f)
{
  const triad_comm *comm = &f->context->comm;
  TRIAD_TRY(triad_agree(comm, triad_unstructured_setup_read(&f->setup, f->given)));
  f->gas = triad_gas_constants_of(f->setup.gamma);
  f->bad = -1;
  TRIAD_TRY(make_mesh(f));
  TRIAD_TRY(look_round(f));
  TRIAD_TRY(find_small_cells(f));
  double begin = triad_now();
  TRIAD_TRY(triad_agree(comm, make_domain(f)));
  if (f->partition) {
    int64_t mine[TRIAD_UNSTRUCTURED_PART_NUMBERS];
    triad_unstructured_domain_count(f->domain, mine);
    TRIAD_TRY(triad_unstructured_parting_measure(&f->cut, comm, mine));
  }
  TRIAD_TRY(triad_unstructured_sponges_make(f));
  TRIAD_TRY(triad_agree(comm, measure_arms(f)));
  triad_mesh_free_faces(f->mesh); /* before there are states */
#ifdef __GLIBC__
  (void)malloc_trim(0); /* the C library else keeps what the start alone needed */
#endif
  TRIAD_TRY(triad_agree(comm, allocate_fields(f)));
  end_part(f, TRIAD_UNSTRUCTURED_START_FLOW, &begin);
  f->start_part[TRIAD_UNSTRUCTURED_START_CELLS].s = f->domain->cells_s;
  f->start_part[TRIAD_UNSTRUCTURED_START_FACES].s = f->domain->faces_s;
  f->start_part[TRIAD_UNSTRUCTURED_START_ROWS].s = f->domain->rows_s;
  return TRIAD_OK;
}

int triad_unstructured_create(void **out, triad_context *context, const triad_case *given, const char *run_dir)
{
  triad_unstructured_flow *f = *out = calloc(1, sizeof *f);
  int offload; /* the solver has no code for it */
  int st = triad_agree(&context->comm, f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow"));
  if (f) {
    f->context = context;
    f->given = given;
  }
  if (st == TRIAD_OK) st = triad_device_choose(&f->device, &offload, &triad_unstructured_devices, context, given);
  if (st == TRIAD_OK) st = create_parts(f);
  if (st == TRIAD_OK && f->device)
    st = triad_unstructured_gpu_steps->make(f, triad_case_word(given, "parallel.transport"));
  if (st == TRIAD_OK && context->comm.size > 1 && !f->device)
    st = triad_unstructured_domain_halo(&f->halo, f->domain, TRIAD_UNSTRUCTURED_GRADIENT);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, triad_gas_formulas_create(&f->formulas, given));
  if (st == TRIAD_OK && f->formulas)
    st = triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "forcing", f->domain->n_cells, &f->source));
  if (st == TRIAD_OK) st = triad_unstructured_probes_create(&f->probes, f, run_dir);
  if (st != TRIAD_OK) triad_unstructured_destroy(out);
  return st;
}

void triad_unstructured_destroy(void **flow)
{
  triad_unstructured_flow *f = *flow;
  if (!f) return;
  triad_memory *memory = f->context->memory;
  triad_unstructured_probes_destroy(&f->probes, f);
  TRIAD_FREE(memory, &f->mean.at);
  TRIAD_FREE(memory, &f->source);
  TRIAD_FREE(memory, &f->arm);
  triad_gas_formulas_destroy(&f->formulas);
  if (f->gpu) triad_unstructured_gpu_steps->drop(f);
  triad_halo_destroy(&f->halo);
  triad_state_destroy(&f->state);
  TRIAD_FREE(memory, &f->view.u.at);
  TRIAD_FREE(memory, &f->view.value.at);
  TRIAD_FREE(memory, &f->stages);
  TRIAD_FREE(memory, &f->work);
  TRIAD_FREE(memory, &f->limits);
  TRIAD_FREE(memory, &f->view.low.at);
  triad_unstructured_bricks_drop(&f->bricks, memory);
  triad_unstructured_sponges_drop(&f->sponge, memory);
  triad_unstructured_domain_destroy(&f->domain);
  triad_mesh_destroy(&f->mesh);
  triad_mesh_partition_destroy(&f->partition);
  triad_device_destroy(&f->device);
  free(f);
  *flow = NULL;
}

/* ---- what goes through checkpoints ---- */

static const char *const total_names[5] = {"mass", "momentum_x", "momentum_y", "momentum_z", "energy"};

static void note_name(char name[64], const char *what, int patch, int k)
{
  if (patch < 0) (void)snprintf(name, 64, "%s_%s", what, total_names[k]);
  else (void)snprintf(name, 64, "%s_%d_%s", what, patch, total_names[k]);
}

int triad_unstructured_keep(const void *flow, triad_notes *notes)
{
  const triad_unstructured_flow *f = flow;
  char name[64];
  (void)snprintf(name, sizeof name, "%016" PRIx64, f->checksum);
  TRIAD_TRY(triad_notes_set_text(notes, "mesh", name));
  if (f->setup.means) TRIAD_TRY(triad_notes_set_real(notes, "mean_time", f->mean_time));
  TRIAD_TRY(triad_strouhal_keep(&f->strouhal, "strouhal", notes));
  for (int k = 0; k < 5; k++) {
    note_name(name, "start", -1, k);
    TRIAD_TRY(triad_notes_set_real(notes, name, f->start[k]));
    note_name(name, "added", -1, k);
    if (f->formulas) TRIAD_TRY(triad_notes_set_real(notes, name, f->added[k]));
    for (int p = 0; p < f->mesh->n_patches; p++) {
      note_name(name, "crossed", p, k);
      TRIAD_TRY(triad_notes_set_real(notes, name, f->crossed[p][k]));
    }
  }
  return TRIAD_OK;
}

static void take_notes(triad_unstructured_flow *f, const triad_notes *notes)
{
  char name[64];
  if (triad_notes_has(notes, "mean_time")) (void)triad_notes_real(notes, "mean_time", &f->mean_time);
  for (int k = 0; k < 5; k++) {
    note_name(name, "start", -1, k);
    if (triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &f->start[k]);
    note_name(name, "added", -1, k);
    if (triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &f->added[k]);
    for (int p = 0; p < f->mesh->n_patches; p++) {
      note_name(name, "crossed", p, k);
      if (triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &f->crossed[p][k]);
    }
  }
}

/* Another mesh of as many cells is refused by name. */
static int check_mesh(const triad_unstructured_flow *f, const triad_notes *notes)
{
  const char *there = NULL;
  char here[24];
  if (!notes || !triad_notes_has(notes, "mesh")) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(notes, "mesh", &there));
  (void)snprintf(here, sizeof here, "%016" PRIx64, f->checksum);
  if (strcmp(there, here) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "the checkpoint is of mesh %.32s, but [grid] of this case gives mesh %s; to start from fields on "
                    "another mesh use initial.kind = \"nearest\"",
                    there, here);
}

/* An outflow extrapolates the whole state, which is right only where the gas leaves faster than sound: warn of each
 * patch through most of which it is slower. Gas at rest, or along the patch, does not count. */
int triad_unstructured_check_state(void *flow, const char *when, triad_log *log)
{
  triad_unstructured_flow *f = flow;
  const double moves = 0.01; /* Mach number across the patch */
  const triad_unstructured_domain *d = f->domain;
  double area[TRIAD_MESH_PATCHES][2] = {{0}}; /* slower than sound; in all */
  TRIAD_TRY(triad_unstructured_refresh(f));
  for (int64_t i = d->n_inner; i < d->n_faces; i++) {
    const int patch = d->patch[i - d->n_inner];
    const int64_t slot = triad_unstructured_domain_slot(d, i);
    triad_real q[TRIAD_UNSTRUCTURED_VALUES], s[3];
    if (f->rule[patch].kind != TRIAD_UNSTRUCTURED_OUTFLOW || slot < 0) continue;
    triad_unstructured_values_of(f, d->cell[i][0], q);
    triad_unstructured_load(&d->geometry, slot, 3, s);
    double size = 0, across = 0, speed = 0;
    for (int a = 0; a < 3; a++) {
      size += (double)s[a] * (double)s[a];
      across += (double)s[a] * (double)q[1 + a];
      speed += (double)q[1 + a] * (double)q[1 + a];
    }
    const double sound = sqrt(f->setup.gamma * (double)q[4] / (double)q[0]);
    size = sqrt(size);
    area[patch][1] += size;
    if (speed < sound * sound && fabs(across) > moves * sound * size) area[patch][0] += size;
  }
  TRIAD_TRY(
    TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, area, 2 * TRIAD_MESH_PATCHES, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  for (int p = 0; p < f->mesh->n_patches; p++)
    if (area[p][0] > area[p][1] / 2)
      triad_log_warning(log,
                        "patch %s: outflow: the %s flow is subsonic through %.3g %% of it, where the whole state is "
                        "extrapolated: use pressure or farfield",
                        f->mesh->patch_name[p], when, 100 * area[p][0] / area[p][1]);
  return TRIAD_OK;
}

int triad_unstructured_settle(void *flow, const triad_manifest *resumed, triad_log *log)
{
  (void)log;
  triad_unstructured_flow *f = flow;
  memset(f->crossed, 0, sizeof f->crossed);
  memset(f->passed, 0, sizeof f->passed);
  memset(f->added, 0, sizeof f->added);
  f->pushed = 0;
  triad_strouhal_take(&f->strouhal, "strouhal", resumed ? resumed->notes : NULL);
  if (resumed) TRIAD_TRY(triad_agree(&f->context->comm, check_mesh(f, resumed->notes)));
  TRIAD_TRY(triad_unstructured_look(f));
  TRIAD_TRY(triad_unstructured_totals(f, f->start));
  if (!resumed) {
    TRIAD_TRY(triad_unstructured_refresh(f));
    TRIAD_TRY(triad_agree(&f->context->comm, triad_unstructured_means_clear(f)));
  }
  if (resumed && resumed->notes) take_notes(f, resumed->notes);
  return triad_unstructured_probes_settle(f, resumed != NULL);
}
