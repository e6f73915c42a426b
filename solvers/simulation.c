/* The start of a flow and its files, whatever the precision of its numbers. */
#include "solvers/box/files.h"

#include "store/checkpoint/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in files.h, in single. */
int triadf_files_read(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n,
                      const int *list, double *dropped);
int triadf_files_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                            const triad_beside *beside);
int triadf_files_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);

static const struct {
  int (*read)(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n, const int *list,
              double *dropped);
  int (*checkpoint)(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                    const triad_beside *beside);
  int (*fields)(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);
} files[] = {{triad_files_read, triad_files_checkpoint, triad_files_fields},
             {triadf_files_read, triadf_files_checkpoint, triadf_files_fields}};

static int single(const triad_simulation *sim) { return triad_case_is(sim->given, "precision", "single"); }

int triad_simulation_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                                const triad_beside *beside)
{
  return files[single(sim)].checkpoint(sim, run_dir, notes, beside);
}

int triad_simulation_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes)
{
  if (sim->solver->fields) return sim->solver->fields(sim->flow, run_dir, notes);
  return files[single(sim)].fields(sim, run_dir, notes);
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
  if (sim->solver->restore) TRIAD_TRY(sim->solver->restore(sim->flow, folder, about, 0, log));
  TRIAD_TRY(settle(sim, about, log));
  const int meant = sim->solver->follow && sim->solver->follow->asked(sim->given);
  if (dropped > 0)
    triad_log_say(log, meant ? TRIAD_LOG_INFO : TRIAD_LOG_WARNING,
                  "energy %.6g is in modes outside this grid and is dropped", dropped);
  return TRIAD_OK;
}

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
                      some ? ": initial.any_solver = true reads the fields that both solvers have" : "");
  for (int f = 0; f < triad_state_size(state); f++)
    if (!some || triad_manifest_find(about, triad_state_field(state, f)->name) >= 0) list[(*count)++] = f;
  if (*count == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s and has no field of solver %s: use another initial.file",
                      folder, about->solver, solver);
  return TRIAD_OK;
}

/* Fields of the checkpoint that this case has none of, unless it says that the solver may be another; and means,
 * which begin here. */
static void warn_of_left_out(const triad_simulation *sim, const triad_manifest *about, triad_log *log)
{
  static const char key[] = "initial.any_solver";
  const triad_state *state = sim->solver->state(sim->flow);
  char names[256] = "";
  size_t at = 0;
  const int any = triad_case_applies(sim->given, key) && triad_case_flag(sim->given, key);
  for (int f = 0; !any && f < about->n_fields; f++) {
    int is = 0;
    for (int g = 0; g < triad_state_size(state); g++)
      is |= strcmp(triad_state_field(state, g)->name, about->fields[f].name) == 0;
    if (!is && at < sizeof names)
      at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", about->fields[f].name);
  }
  if (at > 0) triad_log_warning(log, "the checkpoint has %s, which this case does not use: dropped", names);
  if (about->notes && triad_notes_has(about->notes, "means") && triad_case_applies(sim->given, "output.means") &&
      triad_case_length(sim->given, "output.means") > 0)
    triad_log_info(log, "  running means start here: those of the checkpoint belong to its run");
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
  if (triad_case_flag(sim->given, "initial.keep_time"))
    *sim->solver->instant(sim->flow) = (triad_instant){.step = about->step, .t = about->t};
  if (dropped > 0) triad_log_info(log, "  energy %.6g is in modes outside the grid and is dropped", dropped);
  warn_of_left_out(sim, about, log);
  if (sim->solver->restore) TRIAD_TRY(sim->solver->restore(sim->flow, folder, about, 1, log));
  TRIAD_TRY(settle(sim, NULL, log));
  return sim->solver->branch && about->notes ? sim->solver->branch(sim->flow, about->notes, log) : TRIAD_OK;
}

static int start_from_checkpoint(const triad_simulation *sim, triad_log *log, char folder[TRIAD_PATH])
{
  const triad_comm *comm = &sim->context->comm;
  char *path = NULL;
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

int triad_simulation_start(const triad_simulation *sim, triad_log *log, char source[TRIAD_PATH])
{
  source[0] = '\0';
  *sim->solver->instant(sim->flow) = (triad_instant){0, 0, 0};
  TRIAD_TRY(sim->solver->initial(sim->flow, log));
  if (triad_case_is(sim->given, "initial.kind", "checkpoint")) return start_from_checkpoint(sim, log, source);
  return settle(sim, NULL, log);
}
