/* A compressible flow to its checkpoints and field files, and back. */
#include "base/version.h"
#include "solvers/weno/flow.h"

static const char *const state_names[TRIAD_WENO_FIELDS] = {"rho", "rho_u", "rho_v", "rho_w", "e"};

static const triad_fieldfile_item items[TRIAD_WENO_FIELDS] = {
    {"rho", "density", "density"},           {"u", "velocity", "velocity along x"}, {"v", "velocity", "velocity along y"},
    {"w", "velocity", "velocity along z"}, {"p", "pressure", "pressure"},
};

/* A field at a time: its primitive, by blocks, then by planes. */
static int put_fields(triad_gas_flow *f, triad_points *p, triad_fieldfile *file, const triad_partition *bare, triad_real *own)
{
  for (int i = 0; i < TRIAD_WENO_FIELDS; i++) {
    TRIAD_TRY(triad_agree(&f->context->comm, triad_weno_get(f->weno, i, own)));
    TRIAD_TRY(triad_rows_gather(p->rows, bare, own, p->planes));
    (void)triad_fieldfile_put(file, i, 0, p->layout->n_planes, p->planes); /* finish tells */
  }
  return TRIAD_OK;
}

static int write_fields(triad_gas_flow *f, triad_points *p, const char *run_dir, const triad_notes *notes)
{
  triad_fieldfile_info info = {.step = f->at.step, .t = f->at.t, .single = sizeof(triad_real) == 4,
                               .n_fields = TRIAD_WENO_FIELDS, .items = items, .notes = notes,
                               .gather = triad_case_is(f->given, "output.writer", "gather")};
  triad_partition bare = triad_partition_bare(&f->blocks);
  triad_fieldfile *file = NULL;
  triad_real *own = NULL;
  for (int i = 0; i < 3; i++) info.origin[i] = triad_weno_position(&f->setup, i, 0);
  int st = triad_agree(&f->context->comm, TRIAD_TAKE(f->context->memory, "output field", bare.volume, &own));
  if (st == TRIAD_OK) st = triad_fieldfile_create(&file, f->context, p->layout, run_dir, &info);
  if (st == TRIAD_OK) st = triad_fieldfile_finish(&file, put_fields(f, p, file, &bare, own));
  TRIAD_GIVE(f->context->memory, &own);
  return st;
}

int triad_gas_fields(triad_gas_flow *f, const char *run_dir, const triad_notes *notes)
{
  triad_points *p = NULL;
  int st = triad_points_create(&p, f->context, &f->blocks, f->setup.length);
  if (st == TRIAD_OK) st = write_fields(f, p, run_dir, notes);
  triad_points_destroy(&p);
  return st;
}

int triad_gas_checkpoint(triad_gas_flow *f, const char *run_dir, const triad_notes *notes)
{
  triad_points *p = NULL;
  triad_notes *all = NULL;
  int st = triad_gas_notes(f, notes, &all);
  triad_checkpoint_info info = {.step = f->at.step, .t = f->at.t, .dt = f->at.dt, .solver = "compressible",
                                .writer = triad_version_text(), .n_fields = TRIAD_WENO_FIELDS,
                                .names = state_names, .notes = all,
                                .gather = triad_case_is(f->given, "output.writer", "gather")};
  if (st == TRIAD_OK) st = triad_points_create(&p, f->context, &f->blocks, f->setup.length);
  if (st == TRIAD_OK)
    st = triad_agree(&f->context->comm, triad_state_read_all(triad_weno_state(f->weno), TRIAD_HOST));
  if (st == TRIAD_OK)
    st = triad_points_checkpoint(p, run_dir, &info, triad_weno_fields(f->weno),
                                 (int)triad_case_integer(f->given, "output.keep"));
  triad_points_destroy(&p);
  triad_notes_destroy(&all);
  return st;
}

int triad_gas_restore(triad_gas_flow *f, const char *folder, const triad_manifest *about)
{
  triad_points *p = NULL;
  int st = triad_points_create(&p, f->context, &f->blocks, f->setup.length);
  if (st == TRIAD_OK) st = triad_state_overwrite_all(triad_weno_state(f->weno), TRIAD_HOST);
  if (st == TRIAD_OK)
    st = triad_points_restore(p, folder, about, TRIAD_WENO_FIELDS, state_names, triad_weno_fields(f->weno));
  triad_points_destroy(&p);
  if (st != TRIAD_OK) return st;
  f->at = (triad_instant){about->step, about->t, about->dt};
  return triad_weno_begin(f->weno, about->step);
}
