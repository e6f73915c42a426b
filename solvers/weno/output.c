/* A compressible flow to its checkpoints and field files, and back. */
#include "base/version.h"
#include "grid/slab.h"
#include "solvers/weno/flow.h"
#include "store/fieldfile.h"

static const char about[] =
    "Conserved variables of a gas at the points of the grid, each [z][y][x]: density rho, momentum rho_u, rho_v, rho_w, and "
    "total energy e, per volume.";

/* A field at a time: its primitive, by blocks, then by planes. */
static int put_fields(triad_gas_flow *f, triad_slab *slab, triad_fieldfile *file, triad_real *own, triad_real *lines)
{
  int64_t planes = triad_slab_count(slab) / f->setup.n[1];
  for (int i = 0; i < TRIAD_WENO_FIELDS; i++) {
    TRIAD_TRY(triad_agree(&f->context->comm, triad_weno_get(f->weno, i, own)));
    TRIAD_TRY(triad_slab_gather(slab, own, lines));
    (void)triad_fieldfile_put(file, i, 0, planes, lines); /* finish tells */
  }
  return TRIAD_OK;
}

int triad_gas_fields(triad_gas_flow *f, const char *run_dir, const triad_notes *notes)
{
  triad_fieldfile_info info = {.step = f->at.step, .t = f->at.t, .single = sizeof(triad_real) == 4,
                               .n_fields = TRIAD_WENO_FIELDS, .fields = triad_weno_primitive_fields, .notes = notes,
                               .gather = triad_case_is(f->given, "output.writer", "gather")};
  triad_memory *m = f->context->memory;
  triad_space space = triad_gas_bare_space(f);
  triad_slab *slab = NULL;
  triad_fieldfile *file = NULL;
  triad_real *own = NULL, *lines = NULL;
  int st = triad_slab_create(&slab, f->context, &space);
  if (st == TRIAD_OK) {
    st = TRIAD_TAKE(m, "output field", space.memory, &own);
    if (st == TRIAD_OK) st = TRIAD_TAKE(m, "output field", triad_slab_count(slab) * triad_slab_reals(slab), &lines);
    st = triad_agree(&f->context->comm, st);
  }
  if (st == TRIAD_OK) st = triad_fieldfile_create(&file, f->context, &space, run_dir, &info);
  if (st == TRIAD_OK) st = triad_fieldfile_finish(&file, put_fields(f, slab, file, own, lines));
  TRIAD_GIVE(m, &own);
  TRIAD_GIVE(m, &lines);
  triad_slab_destroy(&slab);
  return st;
}

int triad_gas_checkpoint(triad_gas_flow *f, const char *run_dir, const triad_notes *notes)
{
  triad_notes *all = NULL;
  int st = triad_gas_notes(f, notes, &all);
  triad_checkpoint_info info = {.step = f->at.step, .t = f->at.t, .dt = f->at.dt, .solver = "compressible",
                                .writer = triad_version_text(), .about = about, .notes = all,
                                .gather = triad_case_is(f->given, "output.writer", "gather")};
  if (st == TRIAD_OK)
    st = triad_checkpoint_write(f->context, triad_weno_state(f->weno), run_dir, &info,
                                (int)triad_case_integer(f->given, "output.keep"));
  triad_notes_destroy(&all);
  return st;
}

int triad_gas_restore(triad_gas_flow *f, const char *folder, const triad_manifest *file)
{
  TRIAD_TRY(triad_checkpoint_read(f->context, triad_weno_state(f->weno), folder, file, TRIAD_WENO_FIELDS, NULL, NULL));
  f->at = (triad_instant){file->step, file->t, file->dt};
  return triad_weno_begin(f->weno, file->step);
}
