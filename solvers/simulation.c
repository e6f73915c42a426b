/* The start of a flow and its files, whatever the precision of its numbers. */
#include "solvers/files.h"

#include "base/guard.h"
#include "store/fieldfile.h"
#include "store/find.h"
#include "store/h5read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in files.h, in single. */
int triadf_files_read(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n,
                      const int *list, double *dropped);
int triadf_files_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);
int triadf_files_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);

static const struct {
  int (*read)(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n, const int *list,
              double *dropped);
  int (*checkpoint)(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);
  int (*fields)(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);
} files[] = {{triad_files_read, triad_files_checkpoint, triad_files_fields},
             {triadf_files_read, triadf_files_checkpoint, triadf_files_fields}};

static int single(const triad_simulation *sim) { return triad_case_is(sim->given, "precision", "single"); }

int triad_simulation_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes)
{
  return files[single(sim)].checkpoint(sim, run_dir, notes);
}

int triad_simulation_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes)
{
  return files[single(sim)].fields(sim, run_dir, notes);
}

void triad_simulation_values(const triad_simulation *sim, triad_values_info *info)
{
  if (sim->solver->values_info) {
    sim->solver->values_info(sim->flow, info);
    return;
  }
  const triad_state *state = sim->solver->state(sim->flow);
  *info = (triad_values_info){triad_state_size(state), triad_state_field(state, 0), *triad_state_space(state, 0)};
}

static int settle(const triad_simulation *sim, const triad_manifest *resumed, triad_log *log)
{
  return sim->solver->settle ? sim->solver->settle(sim->flow, resumed, log) : TRIAD_OK;
}

int triad_simulation_resume(const triad_simulation *sim, const char *folder, const triad_manifest *about,
                            triad_log *log)
{
  double dropped = 0;
  int n = triad_state_size(sim->solver->state(sim->flow));
  TRIAD_TRY(files[single(sim)].read(sim, folder, about, n, NULL, &dropped));
  *sim->solver->instant(sim->flow) = (triad_instant){about->step, about->t, about->dt};
  TRIAD_TRY(settle(sim, about, log));
  if (dropped > 0)
    triad_log_warning(log, "energy %.6g lies in modes that this grid does not keep: dropped", dropped);
  return TRIAD_OK;
}

/* ---- fields of a file ---- */

int triad_files_path(const triad_context *context, const triad_case *given, char **path)
{
  *path = triad_case_path(given, "initial.file");
  return triad_agree(&context->comm, *path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
}

typedef struct search {
  const char *path;
  const triad_field_info *fields;
  int n, *there; /* [n] */
} search;

static int look(void *self, const char *name)
{
  search *s = self;
  int f = triad_field_find(s->fields, s->n, name);
  if (f >= 0) s->there[f] = 1;
  return 0;
}

static int look_into(void *self, triad_guard *guard)
{
  search *s = self;
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, s->path));
  TRIAD_TRY(triad_h5_close(&file, triad_h5_each(file, look, s)));
  return triad_guard_give(guard, s->there, s->n * (int64_t)sizeof *s->there);
}

/* Fields that are there; then components without their fellows, which are missed, and told of by who reads them. */
static void list_found(const search *s, int *list, int *count)
{
  *count = 0;
  for (int f = 0; f < s->n; f++)
    if (s->there[f]) list[(*count)++] = f;
  for (int f = 0; f < s->n;) {
    triad_field_group group = triad_field_group_at(s->fields, s->n, f);
    int there = 0;
    for (int i = 0; i < group.n; i++) there += s->there[f + i];
    for (int i = 0; i < group.n && there > 0 && there < group.n; i++)
      if (group.role == TRIAD_ROLE_COMPONENT && !s->there[f + i]) list[(*count)++] = f + i;
    f += group.n;
  }
  if (*count == 0) list[(*count)++] = 0;
}

int triad_files_find(const triad_context *context, const char *path, const triad_field_info *fields, int n, int *list,
                     int *count)
{
  const triad_comm *comm = &context->comm;
  int there[n];
  search s = {path, fields, n, there};
  int64_t bytes = n * (int64_t)sizeof *there;
  memset(there, 0, (size_t)bytes);
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, look_into, &s, there, bytes) : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(there, n, MPI_INT, 0, comm->mpi))));
  list_found(&s, list, count);
  return TRIAD_OK;
}

int triad_files_size(const triad_context *context, const char *path, const triad_field_info *fields, const int *list,
                     int count, int64_t first[3])
{
  const triad_comm *comm = &context->comm;
  int64_t dims[3];
  for (int i = 0; i < count; i++) {
    const char *name = fields[list[i]].name;
    TRIAD_TRY(triad_fieldfile_dims(comm, path, name, i == 0 ? first : dims));
    if (i > 0 && memcmp(first, dims, sizeof dims) != 0)
      return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s is %lld x %lld x %lld (z, y, x), but %s is not",
                                          path, name, (long long)dims[0], (long long)dims[1], (long long)dims[2],
                                          fields[list[0]].name));
  }
  return TRIAD_OK;
}

void triad_files_found(const triad_field_info *fields, int n, const int *list, int count, triad_log *log)
{
  char here[256] = "", missing[256] = "";
  int at[2] = {0, 0};
  for (int f = 0, i = 0; f < n; f++) {
    int is = i < count && list[i] == f;
    char *text = is ? here : missing;
    int *end = &at[is ? 0 : 1];
    if (*end < (int)sizeof here)
      *end += snprintf(text + *end, sizeof here - (size_t)*end, "%s%s", *end ? ", " : "", fields[f].name);
    i += is;
  }
  triad_log_info(log, "  found %s%s%s", here, at[1] ? "; zero where it has nothing: " : "", missing);
}

/* ---- a start from a checkpoint ---- */

/* The fields that the checkpoint has: all that this run shares with it by name, of the same solver unless the case says
 * that another will do; all of its own where no case can say so. Not collective: every rank has the manifest. */
static int find_fields(const triad_simulation *sim, const char *folder, const triad_manifest *about, int *list,
                       int *count)
{
  static const char key[] = "initial.any_solver";
  const char *solver = triad_case_word(sim->given, "equations.solver");
  const triad_state *state = sim->solver->state(sim->flow);
  int some = triad_case_applies(sim->given, key);
  *count = 0;
  if (strcmp(about->solver, solver) != 0 && !(some && triad_case_flag(sim->given, key)))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s, not %s%s", folder, about->solver, solver,
                      some ? ": initial.any_solver = true takes the fields that both have" : "");
  for (int f = 0; f < triad_state_size(state); f++)
    if (!some || triad_manifest_find(about, triad_state_field(state, f)->name) >= 0) list[(*count)++] = f;
  if (*count == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: of solver %s, it has no field of solver %s", folder, about->solver, solver);
  return TRIAD_OK;
}

static int start_from(const triad_simulation *sim, const char *folder, const triad_manifest *about, int *list,
                      triad_log *log)
{
  const triad_state *state = sim->solver->state(sim->flow);
  double dropped = 0;
  int count = 0;
  TRIAD_TRY(triad_agree(&sim->context->comm, find_fields(sim, folder, about, list, &count)));
  TRIAD_TRY(files[single(sim)].read(sim, folder, about, count, list, &dropped));
  triad_log_info(log, "initial field from checkpoint %s (solver %s, step %lld, t = %g)", folder, about->solver,
                 (long long)about->step, about->t);
  triad_files_found(triad_state_field(state, 0), triad_state_size(state), list, count, log);
  if (dropped > 0) triad_log_info(log, "  energy %.6g lies in modes that the grid does not keep: left out", dropped);
  return TRIAD_OK;
}

static int start_from_checkpoint(const triad_simulation *sim, triad_log *log)
{
  const triad_comm *comm = &sim->context->comm;
  char folder[TRIAD_PATH], *path = NULL;
  triad_manifest *about = NULL;
  int *list = NULL, n = triad_state_size(sim->solver->state(sim->flow));
  int st = triad_files_path(sim->context, sim->given, &path);
  if (st == TRIAD_OK) st = triad_agree(comm, TRIAD_ALLOC(sim->context->memory, "initial field", n, &list));
  if (st == TRIAD_OK) st = triad_checkpoint_at(comm, path, triad_checkpoint_warn, log, folder, &about);
  if (st == TRIAD_OK) st = start_from(sim, folder, about, list, log);
  TRIAD_FREE(sim->context->memory, &list);
  triad_manifest_destroy(&about);
  free(path);
  return st;
}

int triad_simulation_start(const triad_simulation *sim, triad_log *log)
{
  *sim->solver->instant(sim->flow) = (triad_instant){0, 0, 0};
  TRIAD_TRY(sim->solver->initial(sim->flow, log));
  if (triad_case_is(sim->given, "initial.kind", "checkpoint")) TRIAD_TRY(start_from_checkpoint(sim, log));
  return settle(sim, NULL, log);
}
