/* Compare the groups of a checkpoint with those of the case: groups of the same name, kind and number continue; all
 * others cause a message. */
#include "solvers/particles/restore.h"
#include "solvers/particles/group.h"

#include "store/checkpoint/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *kind_of(int64_t width) { return width == 3 ? "tracers" : "inertial particles"; }

/* Has the checkpoint groups at all? A case that adds the first ones needs no warning. */
static int has_some(const triad_notes *notes)
{
  for (int i = 0; i < notes->count; i++)
    if (triad_tables_name(notes->items[i].name)) return 1;
  return 0;
}

static int is_new(const triad_group *g, const triad_notes *notes, int branch, triad_log *log)
{
  if (branch && has_some(notes))
    triad_log_warning(log, "particles %s: the checkpoint has no group of this name: they start from the case", g->name);
  else triad_log_info(log, "particles %s: new group, starts here", g->name);
  return 0;
}

int triad_group_goes_on(triad_group *g, const triad_case *given, const char *folder, const triad_notes *notes,
                        int width, int branch, triad_log *log, int *status)
{
  int64_t rows = 0, there = 0;
  *status = TRIAD_OK;
  if (!triad_tables_has(notes, g->name)) return is_new(g, notes, branch, log);
  *status = triad_tables_size(folder, g->name, &rows, &there);
  if (*status != TRIAD_OK) return 0;
  if (branch && there != width) {
    triad_log_warning(log, "particles %s: the checkpoint has %s of this name, not %s: they start from the case",
                      g->name, kind_of(there), kind_of(width));
    return 0;
  }
  const int64_t asked = g->count; /* 0: all of a file, which may be gone by now */
  const int branched = branch || triad_case_is(given, "initial.kind", "checkpoint");
  if (asked == 0 || branched) g->count = rows;
  if (asked > 0 && asked != rows && branch)
    triad_log_warning(log,
                      "particles %s: the checkpoint has %" PRId64 " particles, the case %" PRId64
                      ": those of the checkpoint continue",
                      g->name, rows, asked);
  if (there != width || rows != g->count)
    *status = TRIAD_FAIL(TRIAD_ERR_CASE,
                         "%s has %" PRId64 " %s named %s, but the case has %" PRId64
                         " %s: their number and kind cannot change: use another name for the new ones",
                         folder, rows, kind_of(there), g->name, g->count, kind_of(width));
  if (branch) triad_log_info(log, "particles %s: %" PRId64 " continue from the checkpoint", g->name, rows);
  return *status == TRIAD_OK;
}

void triad_groups_left_out(const triad_case *given, const triad_notes *notes, triad_log *log)
{
  for (int i = 0; i < notes->count; i++) {
    const char *name = triad_tables_name(notes->items[i].name);
    int is = 0;
    char key[96];
    for (int k = 1; name && k <= triad_case_tables(given, "particles"); k++) {
      (void)snprintf(key, sizeof key, "particles[%d].name", k);
      is |= strcmp(triad_case_word(given, key), name) == 0;
    }
    if (name && !is)
      triad_log_say(log, triad_case_tables(given, "particles") > 0 ? TRIAD_LOG_WARNING : TRIAD_LOG_INFO,
                    "particles %s of the checkpoint are not in this case and are dropped", name);
  }
}
