/* Write the small status file of a run, once in a few seconds, for triad watch. */
#include "run/run.h"
#include "run/progress.h"

#include "base/json.h"

#include <stdio.h>
#include <sys/resource.h>

enum { EVERY = 2 /* seconds */ };

static void put_status(FILE *f, const triad_status *s, const triad_simulation *sim, const triad_progress *p,
                       const triad_instant *at)
{
  double steps, done;
  struct rusage used;
  triad_progress_left(p, at, &steps, &done);
  triad_json j = {.out = f};
  triad_json_object(&j, NULL, TRIAD_JSON_LINE);
  triad_json_integer(&j, "step", at->step);
  triad_json_number(&j, "t", at->t, TRIAD_JSON_EXACT);
  triad_json_number(&j, "dt", at->dt, TRIAD_JSON_EXACT);
  triad_json_number(&j, "end", p->end, TRIAD_JSON_EXACT);
  triad_json_integer(&j, "max_steps", p->max_steps);
  triad_json_number(&j, "done", done > 1 ? 1 : done, 6);
  triad_json_number(&j, "left_s", steps * p->step_s, 9);
  triad_json_number(&j, "step_s", p->step_s, 6);
  triad_json_integer(&j, "ranks", sim->context->comm.size);
  triad_json_integer(&j, "threads", sim->context->threads);
  triad_json_integer(&j, "memory_bytes", triad_memory_held(sim->context->memory));
  if (getrusage(RUSAGE_SELF, &used) == 0) triad_json_integer(&j, "resident_bytes", (int64_t)used.ru_maxrss * 1024);
  triad_json_object(&j, "phases_s", TRIAD_JSON_LINE);
  const triad_phase_list *list = triad_solver_phases(sim->solver);
  for (int i = 0; i < list->n; i++) triad_json_number(&j, list->row[i].name, s->phases.s[list->row[i].slot], 6);
  triad_json_end(&j);
  triad_json_end(&j);
  (void)fputc('\n', f);
}

void triad_status_write(triad_status *s, const triad_simulation *sim, const char *dir, const triad_progress *p,
                        const triad_instant *at, int final)
{
  char path[TRIAD_PATH], other[TRIAD_PATH];
  if (sim->context->comm.rank != 0) return;
  double now = triad_now();
  if (s->since <= 0) s->since = s->written = now;
  if (now < s->written + EVERY && !(final && now > s->since + EVERY)) return;
  s->written = now;
  if (sim->solver->phases) {
    triad_phases more = sim->solver->phases(sim->flow);
    for (int i = 0; i < TRIAD_MOST_PHASES; i++) s->phases.s[i] += more.s[i];
  }
  if (snprintf(path, sizeof path, "%s/status.json", dir) >= TRIAD_PATH ||
      snprintf(other, sizeof other, "%s/.tmp-status.json", dir) >= TRIAD_PATH)
    return;
  FILE *f = fopen(other, "w"); /* not synced: readers need it now, and nobody needs it after a crash */
  if (!f) return;
  put_status(f, s, sim, p, at);
  int bad = ferror(f);
  if (fclose(f) != 0 || bad || rename(other, path) != 0) (void)remove(other);
}
