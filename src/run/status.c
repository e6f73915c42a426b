/* Write the small status file of a run, once in a few seconds, for triad watch. */
#include "run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

enum { EVERY = 2 /* seconds */ };

static void put_status(FILE *f, const triad_status *s, const triad_simulation *sim, const triad_progress *p,
                       const triad_instant *at)
{
  double steps, done;
  struct rusage used;
  triad_progress_left(p, at, &steps, &done);
  (void)fprintf(f,
                "{\"step\": %" PRId64 ", \"t\": %.17g, \"dt\": %.17g, \"end\": %.17g, \"max_steps\": %" PRId64
                ", \"done\": %.6f, ",
                at->step, at->t, at->dt, p->end, p->max_steps, done > 1 ? 1 : done);
  (void)fprintf(f, "\"left_s\": %.1f, \"step_s\": %.6g, \"ranks\": %d, \"threads\": %d, \"memory_bytes\": %" PRId64,
                steps * p->step_s, p->step_s, sim->context->comm.size, sim->context->threads,
                triad_memory_held(sim->context->memory));
  if (getrusage(RUSAGE_SELF, &used) == 0)
    (void)fprintf(f, ", \"resident_bytes\": %" PRId64, (int64_t)used.ru_maxrss * 1024);
  (void)fprintf(f, ", \"phases_s\": {");
  for (int i = 0; i < TRIAD_PHASES; i++)
    (void)fprintf(f, "%s\"%s\": %.6g", i ? ", " : "", triad_phase_name[i], s->phases.s[i] / sim->context->threads);
  (void)fprintf(f, "}}\n");
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
    for (int i = 0; i < TRIAD_PHASES; i++) s->phases.s[i] += more.s[i];
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
