/* Compare the time spent on each kind of output with the time of the run. */
#include "run/output_costs.h"

#include <stdio.h>

#define NAME(kind, name, key, files, by_step, phase, doing) #name,
#define KEY(kind, name, key, files, by_step, phase, doing) key,
static const char *const names[TRIAD_OUTPUT_N] = {TRIAD_OUTPUT_KINDS(NAME)};
static const char *const keys[TRIAD_OUTPUT_N] = {TRIAD_OUTPUT_KINDS(KEY)};

static int is_old_enough(const triad_output_costs *c, double now)
{
  return c->begin > 0 && now - c->begin >= TRIAD_OUTPUT_COST_AFTER;
}

void triad_output_costs_add(triad_output_costs *c, int kind, double seconds)
{
  if (c->begin > 0) c->spent[kind] += seconds;
}

void triad_output_costs_judge(triad_output_costs *c, triad_log *log, double now, const double *interval)
{
  if (!is_old_enough(c, now)) return;
  const double all = now - c->begin;
  for (int k = 0; k < TRIAD_OUTPUT_N; k++) {
    char cure[128] = "";
    if (c->warned & 1u << k || !(c->spent[k] > TRIAD_OUTPUT_COST * all)) continue;
    c->warned |= 1u << k;
    if (keys[k] && interval[k] > 0) (void)snprintf(cure, sizeof cure, ": use %s > %g", keys[k], interval[k]);
    else if (keys[k]) (void)snprintf(cure, sizeof cure, ": set %s", keys[k]);
    triad_log_warning(log, "%s cost %.1f %% of the run so far, %.3g s, more than %g %%%s", names[k],
                      100 * c->spent[k] / all, c->spent[k], 100 * TRIAD_OUTPUT_COST, cure);
  }
}

void triad_output_costs_report(const triad_output_costs *c, triad_log *log, double now)
{
  char text[320] = "";
  size_t used = 0;
  if (!is_old_enough(c, now)) return;
  for (int k = 0; k < TRIAD_OUTPUT_N; k++) {
    const double share = c->spent[k] / (now - c->begin);
    if (share < 0.001) continue;
    const int n = snprintf(text + used, sizeof text - used, "%s%s %.1f %%", used ? ", " : "", names[k], 100 * share);
    if (n > 0 && (size_t)n < sizeof text - used) used += (size_t)n;
  }
  if (used) triad_log_info(log, "output cost %s of %.4g s", text, now - c->begin);
}
