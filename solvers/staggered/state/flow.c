/* Create a staggered flow from its case: mesh, solids, fields, forces and pressure solver. */
#include "solvers/staggered/plain/columns.h"
#include "solvers/staggered/plain/frontal.h"
#include "solvers/staggered/measure/values.h"
#include "solvers/staggered/plain/rows.h"
#include "solvers/staggered/state/thermal.h"
#include "solvers/staggered/step/step.h"
#include "solvers/staggered/gpu/device.h"

#include "solvers/staggered/case/mask.h"
#include "solvers/staggered/plain/solids.h"
#include "base/precision.h"

#include <stdlib.h>

const triad_field_info triad_staggered_fields[TRIAD_STAGGERED_MAX_FIELDS] = {
  {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 1)},
  {"v", "velocity along y", "U", TRIAD_COMPONENT("velocity", 1, 1)},
  {"w", "velocity along z", "U", TRIAD_COMPONENT("velocity", 2, 1)},
  {"p", "pressure", "M/(L T^2)", TRIAD_SCALAR},
  {"temperature", "temperature", "K", TRIAD_SCALAR}};

int triad_staggered_read(const triad_case *given, int rank, int size, triad_staggered_setup *setup,
                         triad_partition *blocks)
{
  int wanted[3];
  int64_t asked[3];
  TRIAD_TRY(triad_staggered_setup_read(setup, given));
  triad_staggered_choose_pressure(setup, given, size);
  triad_case_integers(given, "parallel.blocks", asked, 3);
  for (int i = 0; i < 3; i++) wanted[i] = (int)asked[i];
  return triad_staggered_blocks(setup, wanted, rank, size, blocks);
}

static int allocate_fields(triad_staggered_flow *f)
{
  triad_memory *memory = f->context->memory;
  int64_t n = f->blocks.volume;
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS; v++)
    for (int a = 0; a < 3; a++) TRIAD_TRY(TRIAD_ALLOC(memory, v ? "stages" : "state", n, &f->u[v][a]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "state", n, &f->p));
  TRIAD_TRY(TRIAD_ALLOC(memory, "pressure's source", n, &f->b));
  const triad_space space = triad_staggered_space(f->mesh, 3, 0);
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS && f->setup.thermal.on; v++)
    TRIAD_TRY(TRIAD_ALLOC(memory, v ? "stages" : "state", n, &f->heat[v]));
  TRIAD_TRY(
    triad_state_create(&f->state, memory, &space, triad_staggered_fields, triad_staggered_fields_of(&f->setup)));
  for (int a = 0; a < 3; a++) {
    const triad_space faces = triad_staggered_space(f->mesh, a, 0);
    TRIAD_TRY(triad_state_set_space(f->state, a, &faces));
    triad_state_attach(f->state, a, TRIAD_HOST, f->u[0][a]);
  }
  triad_state_attach(f->state, 3, TRIAD_HOST, f->p);
  if (f->heat[0]) triad_state_attach(f->state, TRIAD_STAGGERED_HEAT, TRIAD_HOST, f->heat[0]);
  return TRIAD_OK;
}

/* Volume of fluid, cells without an open side, and of these the first one, counted from the last of all down. */
static void fluid_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_mesh *m = self;
  const triad_partition *b = &m->blocks;
  int64_t row = ((b->begin[2] + z) * b->n[1] + b->begin[1] + y) * b->n[0] + b->begin[0],
          all = b->n[0] * b->n[1] * b->n[2];
  for (int64_t x = 0; x < b->local[0]; x++) {
    const int64_t c[3] = {x, y, z};
    uint8_t bits = m->open[triad_partition_at(b, x, y, z)];
    results[0] += bits & TRIAD_STAGGERED_SOLID ? 0 : triad_staggered_volume(&m->sizes, 3, c);
    results[1] += bits == 0;
    if (bits == 0) results[2] = fmax(results[2], (double)(all - row - x));
  }
}

/* Fluid there must be, and none that is shut in in one cell. */
static int measure_fluid(triad_staggered_flow *f)
{
  double results[3];
  char origin[128];
  const int64_t *n = f->setup.n;
  TRIAD_TRY(triad_staggered_rows(f->mesh, fluid_row, f->mesh, 2, 1, results));
  f->fluid = results[0];
  f->energies_known = false;
  (void)triad_case_origin(f->given, "solids.kind", origin, sizeof origin);
  if (!(results[0] > 0))
    return triad_agree(&f->context->comm,
                       TRIAD_FAIL(TRIAD_ERR_CASE, "%s: solids leave no fluid: use fewer solids", origin));
  if (!(results[1] > 0)) return TRIAD_OK;
  int64_t first = n[0] * n[1] * n[2] - (int64_t)results[2];
  return triad_agree(&f->context->comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                                   "%s: solids enclose %.0f cells of fluid, the first at (%lld, %lld, "
                                                   "%lld): make these solid too, or move the surrounding solids",
                                                   origin, results[1], (long long)(first % n[0]),
                                                   (long long)(first / n[0] % n[1]), (long long)(first / n[0] / n[1])));
}

int triad_staggered_place_solids(triad_staggered_flow *f, double t)
{
  int there = triad_staggered_has_solids(f->given, t), st = TRIAD_OK;
  uint8_t *solid = NULL;
  if (there) {
    st = TRIAD_ALLOC(f->context->memory, "solids", triad_partition_points(&f->blocks), &solid);
    if (st == TRIAD_OK) st = triad_staggered_solids(f->given, &f->blocks, solid);
    st = triad_agree(&f->context->comm, st);
    if (st == TRIAD_OK && triad_case_is(f->given, "solids.kind", "file"))
      st = triad_staggered_mask(f->context, f->given, &f->blocks, solid);
    if (st == TRIAD_OK && triad_case_is(f->given, "solids.kind", "formula"))
      st = triad_staggered_mask_formula(f->mesh, f->given, solid);
  }
  if (st == TRIAD_OK) st = triad_staggered_mesh_solids(f->mesh, solid);
  TRIAD_FREE(f->context->memory, &solid);
  f->released = f->setup.solids && !there;
  if (st == TRIAD_OK) st = triad_staggered_outflow_renew(f->outflow);
  if (st == TRIAD_OK && !f->outflow) st = triad_staggered_inflow_balances(f->mesh);
  if (st == TRIAD_OK) st = f->loops->renew(f);
  return st == TRIAD_OK ? measure_fluid(f) : st;
}

static void measure_cells(triad_staggered_flow *f)
{
  for (int i = 0; i < 3; i++) {
    f->thinnest[i] = INFINITY;
    for (int64_t c = 0; c < f->setup.n[i]; c++)
      f->thinnest[i] = fmin(f->thinnest[i], f->mesh->face[i][c + 1] - f->mesh->face[i][c]);
  }
}

/* Columns, and what their coefficients refer to. */
static int set_reference(triad_staggered_flow *f)
{
  f->n_columns = triad_staggered_columns(&f->setup, f->columns);
  f->reference = f->setup.reference;
  return triad_staggered_has_coefficients(&f->setup) ? triad_staggered_size_solids(f->mesh, &f->reference) : TRIAD_OK;
}

int triad_staggered_create(void **out, triad_context *context, const triad_case *given, const char *run_dir)
{
  triad_staggered_flow *f = *out = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow");
  if (f) {
    f->context = context;
    f->given = given;
    f->loops = triad_staggered_loops_of(false);
    f->scheme = triad_scheme_find(triad_case_word(given, "time.scheme"), TRIAD_SCHEME_START);
    triad_staggered_forcing_read(&f->forcing, given);
    triad_staggered_strain_read(&f->strain, given);
    st = triad_staggered_read(given, context->comm.rank, context->comm.size, &f->setup, &f->blocks);
    triad_staggered_show(f);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_staggered_choose_device(f);
  if (st == TRIAD_OK) st = triad_staggered_mesh_create(&f->mesh, context, &f->setup, &f->blocks, NULL);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, allocate_fields(f));
  if (st == TRIAD_OK) st = f->loops->create(f, run_dir);
  if (st == TRIAD_OK) st = triad_staggered_outflow_create(&f->outflow, f->mesh);
  if (st == TRIAD_OK) st = triad_staggered_closure_create(&f->closure, f->mesh, given);
  if (st == TRIAD_OK) st = triad_staggered_formulas_create(&f->formulas, context, given);
  if (st == TRIAD_OK) st = triad_staggered_profiles_create(&f->profiles, f->mesh, given);
  if (st == TRIAD_OK) st = triad_staggered_probes_create(&f->probes, f->mesh, given);
  if (st == TRIAD_OK) measure_cells(f);
  if (st == TRIAD_OK) st = triad_staggered_place_solids(f, 0);
  if (st == TRIAD_OK) st = set_reference(f);
  if (st != TRIAD_OK) triad_staggered_destroy(out);
  return st;
}

void triad_staggered_destroy(void **flow)
{
  triad_staggered_flow *f = *flow;
  if (!f) return;
  triad_memory *memory = f->context->memory;
  f->loops->free(f);
  triad_device_destroy(&f->device);
  triad_state_destroy(&f->state);
  triad_staggered_outflow_destroy(&f->outflow);
  triad_staggered_profiles_destroy(&f->profiles);
  triad_staggered_probes_destroy(&f->probes);
  triad_staggered_formulas_destroy(&f->formulas);
  triad_staggered_closure_destroy(&f->closure, memory);
  triad_staggered_mesh_destroy(&f->mesh);
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS; v++) {
    TRIAD_FREE(memory, &f->heat[v]);
    for (int a = 0; a < 3; a++) TRIAD_FREE(memory, &f->u[v][a]);
  }
  TRIAD_FREE(memory, &f->p);
  TRIAD_FREE(memory, &f->b);
  free(f);
  *flow = NULL;
}

int triad_staggered_set_time(triad_staggered_flow *f, double t, int settled)
{
  double length[3], before[3];
  int changed = 0;
  f->mesh->wall_factor = cos(2 * TRIAD_PI * f->setup.wall_frequency * t);
  if (!f->strain.strains) return TRIAD_OK;
  triad_staggered_strain_lengths(&f->strain, t, length);
  for (int i = 0; i < 3; i++) {
    before[i] = f->setup.length[i];
    changed |= length[i] < before[i] || length[i] > before[i];
    f->setup.length[i] = length[i];
  }
  if (!changed) return TRIAD_OK;
  triad_staggered_mesh_resize(f->mesh, length);
  measure_cells(f);
  return f->loops->resize(f, settled ? NULL : before);
}

int triad_staggered_to_host(const triad_staggered_flow *f)
{
  return triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_HOST));
}

/* ---- what goes through checkpoints ---- */

static const char *const kept[] = {"displacement_x", "displacement_y", "displacement_z",
                                   "acceleration_x", "acceleration_y", "acceleration_z"};
static const char kept_work[] = "work_done", kept_power[] = "formulas_power";

int triad_staggered_keep(const void *flow, triad_notes *notes)
{
  const triad_staggered_flow *f = flow;
  for (int i = 0; i < 6; i++) TRIAD_TRY(triad_notes_set_real(notes, kept[i], i < 3 ? f->moved[i] : f->force[i - 3]));
  TRIAD_TRY(triad_notes_set_real(notes, kept_work, f->work));
  if (!isnan(f->power)) TRIAD_TRY(triad_notes_set_real(notes, kept_power, f->power));
  if (triad_staggered_has_coefficients(&f->setup)) TRIAD_TRY(triad_strouhal_keep(&f->strouhal, "strouhal", notes));
  return triad_staggered_profiles_keep(f->profiles, notes);
}

/* A checkpoint of another run may have none of them. */
static void take_notes(triad_staggered_flow *f, const triad_notes *notes)
{
  for (int i = 0; i < 6; i++)
    if (triad_notes_has(notes, kept[i]))
      (void)triad_notes_real(notes, kept[i], i < 3 ? &f->moved[i] : &f->force[i - 3]);
  if (triad_notes_has(notes, kept_work)) (void)triad_notes_real(notes, kept_work, &f->work);
  if (f->formulas && triad_notes_has(notes, kept_power)) (void)triad_notes_real(notes, kept_power, &f->power);
  triad_strouhal_take(&f->strouhal, "strouhal", notes);
}

static void close_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  (void)results;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < f->blocks.local[0]; x++) {
      int64_t at = triad_partition_at(&f->blocks, x, y, z);
      if (!(f->mesh->open[at] & TRIAD_STAGGERED_LOWER(a))) f->u[0][a][at] = 0;
    }
}

int triad_staggered_settle(void *flow, const triad_manifest *resumed, triad_log *log)
{
  triad_staggered_flow *f = flow;
  (void)log;
  for (int i = 0; i < 3; i++) f->moved[i] = f->force[i] = 0;
  f->work = 0;
  f->power = NAN;
  f->energies_known = false;
  triad_strouhal_take(&f->strouhal, "strouhal", NULL);
  if (resumed && resumed->notes) take_notes(f, resumed->notes);
  TRIAD_TRY(triad_state_write_all(f->state, TRIAD_HOST));
  triad_staggered_profiles_take(f->profiles, resumed ? resumed->notes : NULL);
  TRIAD_TRY(triad_staggered_place_solids(f, f->at.t));
  TRIAD_TRY(triad_staggered_rows(f->mesh, close_row, f, 0, 0, NULL));
  if (f->heat[0]) triad_staggered_heat_solids(f->mesh, f->heat[0]);
  TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 1));
  const triad_staggered_loops *host = triad_staggered_loops_of(false);
  TRIAD_TRY(host->fill_state(f)); /* what is measured now, and copied to a GPU */
  triad_staggered_fill_cells(f->mesh, f->p);
  if (f->loops != host) { /* velocities through an outflow rounded as steps round them: a restart keeps every bit */
    TRIAD_TRY(f->loops->fill_state(f));
    TRIAD_TRY(triad_state_write_all(f->state, f->loops->where));
  }
  return triad_staggered_look_at(f);
}

/* Continue quantities that depend on time: the displacement of the fluid, which stirring restores, and the
 * acceleration of a prescribed flow rate. */
int triad_staggered_branch(void *flow, const triad_notes *notes, triad_log *log)
{
  triad_staggered_flow *f = flow;
  (void)log;
  if (triad_case_flag(f->given, "initial.keep_time")) take_notes(f, notes);
  return TRIAD_OK;
}
