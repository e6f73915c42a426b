/* Files of a flow in the precision of its numbers (compiled in both). */
#include "solvers/box/files.h"

#include "base/version.h"
#include "grid/fields/slab.h"
#include "solvers/box/packed.h"
#include "store/fields/checkpoint.h"
#include "store/fields/fieldfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int gathers(const triad_simulation *sim) { return triad_case_is(sim->given, "output.writer", "gather"); }

int triad_files_read(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n,
                     const int *list, double *dropped)
{
  return triad_checkpoint_read(sim->context, sim->solver->state(sim->flow), folder, about, n, list, dropped);
}

/* Join the run's notes with those of the solver. */
static int join_notes(const triad_simulation *sim, const triad_notes *given, triad_notes **out)
{
  int st = triad_notes_copy(out, given);
  if (st == TRIAD_OK) st = sim->solver->keep(sim->flow, *out);
  return triad_agree(&sim->context->comm, st);
}

int triad_files_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                           const triad_beside *beside)
{
  const triad_solver *s = sim->solver;
  const triad_instant *at = s->instant(sim->flow);
  triad_notes *joined = NULL;
  triad_table tables[TRIAD_TABLES];
  int n_tables = 0, st = s->keep ? join_notes(sim, notes, &joined) : TRIAD_OK;
  if (st == TRIAD_OK && s->tables) st = s->tables(sim->flow, tables, &n_tables);
  const triad_checkpoint_info info = {.step = at->step,
                                      .t = at->t,
                                      .dt = at->dt,
                                      .solver = triad_case_word(sim->given, "equations.solver"),
                                      .writer = triad_version_text(),
                                      .about = s->state_about,
                                      .notes = joined ? joined : notes,
                                      .beside = beside,
                                      .n_tables = n_tables,
                                      .tables = tables,
                                      .gather = gathers(sim)};
  if (st == TRIAD_OK)
    st = triad_checkpoint_write(sim->context, s->state(sim->flow), run_dir, &info,
                                (int)triad_case_integer(sim->given, "output.keep"));
  triad_notes_destroy(&joined);
  return st;
}

int triad_files_values(const triad_simulation *sim, int number, triad_real *out)
{
  const void *held = NULL;
  if (sim->solver->values) return sim->solver->values(sim->flow, number, out);
  triad_state *state = sim->solver->state(sim->flow);
  TRIAD_TRY(triad_agree(&sim->context->comm, triad_state_read(state, number, TRIAD_HOST, &held)));
  memcpy(out, held, (size_t)triad_state_space(state, number)->memory * sizeof *out);
  return TRIAD_OK;
}

/* What the values of a field pass through: as the family leaves them; as lines of the file, the same memory where
 * they lie so already. */
typedef struct passage {
  triad_slab *slab;
  triad_real *values, *lines;
} passage;

static int lies_as_lines(const triad_slab *slab, const triad_space *space)
{
  int64_t first = triad_slab_first(slab) * triad_slab_reals(slab);
  if (!triad_slab_is_direct(slab) || space->parts != 1) return 0;
  for (int64_t i = 0; i < space->n_runs; i++) {
    triad_space_run run;
    space->kind->run(space, i, &run);
    if (run.step != 1 || run.at != run.global - first) return 0;
  }
  return 1;
}

/* Prepare to process one field at a time: its values are the largest memory that a run uses beyond its steps. values:
 * 1 if values at points are needed too. */
static int passage_create(passage *p, const triad_context *context, const triad_space *space, int values,
                          const char *owner)
{
  triad_memory *m = context->memory;
  TRIAD_TRY(triad_slab_create(&p->slab, context, space));
  int st = values ? TRIAD_ALLOC(m, owner, space->memory * space->parts, &p->values) : TRIAD_OK;
  if (st == TRIAD_OK && !lies_as_lines(p->slab, space))
    st = TRIAD_ALLOC(m, owner, triad_slab_count(p->slab) * triad_slab_reals(p->slab), &p->lines);
  return triad_agree(&context->comm, st);
}

static void passage_destroy(passage *p, triad_memory *memory)
{
  TRIAD_FREE(memory, &p->values);
  TRIAD_FREE(memory, &p->lines);
  triad_slab_destroy(&p->slab);
}

static int put_fields(const triad_simulation *sim, const triad_values_info *info, passage *p, triad_fieldfile *file)
{
  int64_t plane = info->space.dims[1], planes = triad_slab_count(p->slab) / plane;
  for (int f = 0; f < info->n; f++) {
    TRIAD_TRY(triad_files_values(sim, f, p->values));
    if (p->lines) TRIAD_TRY(triad_slab_gather(p->slab, p->values, p->lines));
    (void)triad_fieldfile_put(file, f, 0, planes, p->lines ? p->lines : p->values); /* finish reports errors */
  }
  return TRIAD_OK;
}

static int put_packed(const triad_simulation *sim, const triad_values_info *info, passage *p, triad_fieldfile *file,
                      triad_packed *packed)
{
  for (int f = 0; f < info->n; f++) {
    double error = 0;
    TRIAD_TRY(triad_files_values(sim, f, p->values));
    if (p->lines) TRIAD_TRY(triad_slab_gather(p->slab, p->values, p->lines));
    TRIAD_TRY(triad_packed_find(packed, info->fields[f].name, p->lines ? p->lines : p->values, &error));
    TRIAD_TRY(triad_fieldfile_put_packed(file, f, triad_packed_pack(packed), error));
  }
  return TRIAD_OK;
}

static double error_of(const triad_case *given)
{
  return triad_case_applies(given, "output.fields_error") ? triad_case_real(given, "output.fields_error") : 0;
}

static int writes_single(const triad_case *given)
{
  static const char key[] = "output.fields_precision";
  if (!triad_case_applies(given, key) || triad_case_is(given, key, "run")) return sizeof(triad_real) == 4;
  return triad_case_is(given, key, "single");
}

/* The run's notes, with the skew of leaning fields. *out stays NULL for others, which have no such note. */
static int note_skew(const triad_notes *given, double skew, triad_notes **out)
{
  if (skew == 0) return TRIAD_OK;
  TRIAD_TRY(triad_notes_copy(out, given));
  return triad_notes_set_real(*out, TRIAD_NOTE_SKEW, skew);
}

int triad_files_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes)
{
  const triad_instant *at = sim->solver->instant(sim->flow);
  triad_values_info info;
  triad_fieldfile *file = NULL;
  triad_packed *packed = NULL;
  triad_notes *leaning = NULL;
  passage p = {NULL, NULL, NULL};
  const double bound = error_of(sim->given);
  triad_simulation_values(sim, &info);
  int st = triad_agree(&sim->context->comm, note_skew(notes, info.space.skew, &leaning));
  triad_fieldfile_info about = {.step = at->step,
                                .t = at->t,
                                .single = writes_single(sim->given),
                                .n_fields = info.n,
                                .fields = info.fields,
                                .notes = leaning ? leaning : notes,
                                .gather = gathers(sim),
                                .packed = bound > 0};
  if (st == TRIAD_OK) st = passage_create(&p, sim->context, &info.space, 1, "output field");
  if (st == TRIAD_OK && bound > 0) st = triad_packed_create(&packed, sim->context, &info.space, about.single, bound);
  if (st == TRIAD_OK) st = triad_fieldfile_create(&file, sim->context, &info.space, run_dir, &about);
  if (st == TRIAD_OK)
    st = triad_fieldfile_finish(&file,
                                packed ? put_packed(sim, &info, &p, file, packed) : put_fields(sim, &info, &p, file));
  triad_packed_destroy(&packed);
  triad_notes_destroy(&leaning);
  passage_destroy(&p, sim->context->memory);
  return st;
}

static int check_size(const triad_context *context, const triad_space *space, const char *path, const char *name)
{
  int64_t dims[3];
  const int64_t *n = space->dims;
  TRIAD_TRY(triad_fieldfile_dims(&context->comm, path, name, dims));
  if (dims[0] == n[0] && dims[1] == n[1] && dims[2] == n[2]) return TRIAD_OK;
  int st = TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: dataset %s has %lld x %lld x %lld points (z, y, x), but the grid has %lld x %lld x %lld",
                      path, name, (long long)dims[0], (long long)dims[1], (long long)dims[2], (long long)n[0],
                      (long long)n[1], (long long)n[2]);
  return triad_agree(&context->comm, st);
}

/* One dataset: each rank's planes from the file, then to where its points are. */
static int read_points(const triad_context *context, const triad_space *space, passage *p, const char *path,
                       const char *name, triad_real *out)
{
  int64_t rows = space->dims[1], first = triad_slab_first(p->slab) / rows, count = triad_slab_count(p->slab) / rows;
  int st = check_size(context, space, path, name);
  if (st == TRIAD_OK) st = triad_fieldfile_read(path, name, first, first + count, p->lines ? p->lines : out);
  TRIAD_TRY(triad_agree(&context->comm, st));
  return p->lines ? triad_slab_scatter(p->slab, p->lines, out) : TRIAD_OK;
}

int triad_files_points(const triad_context *context, const triad_space *space, const char *path,
                       const triad_field_info *fields, const int *list, int count, triad_real *const *out)
{
  passage p = {NULL, NULL, NULL};
  int st = passage_create(&p, context, space, 0, "initial fields");
  for (int i = 0; i < count && st == TRIAD_OK; i++)
    st = read_points(context, space, &p, path, fields[list ? list[i] : i].name, out[i]);
  passage_destroy(&p, context->memory);
  return st;
}

int triad_files_start(const triad_context *context, const triad_case *given, const triad_space *space,
                      const triad_field_info *fields, int n, triad_real *const *out, triad_log *log)
{
  char *path = NULL, names[256] = "";
  int st = triad_files_path(context, given, &path);
  if (st == TRIAD_OK) st = triad_files_points(context, space, path, fields, NULL, n, out);
  const double box[3] = {space->axis[0].length, space->axis[1].length, space->axis[2].length};
  if (st == TRIAD_OK && box[0] > 0) st = triad_files_length(context, path, box, log);
  for (int f = 0, at = 0; f < n && at < (int)sizeof names; f++)
    at += snprintf(names + at, sizeof names - (size_t)at, "%s%s", f > 0 ? ", " : "", fields[f].name);
  if (st == TRIAD_OK) triad_log_info(log, "initial field %s: %s", path, names);
  free(path);
  return st;
}
