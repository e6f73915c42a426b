/* Compare the conserved columns of each row with the first row of the run, less a bound on rounding; warn of a drift
 * and then end the run. */
#include "run/conserved.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step adds a few numbers to each value, and each addition rounds by half an epsilon at most: this many epsilons
 * of the column per step cover them, whatever their signs. */
static const double ROUNDING = 8;

static const char row_note[] = "conserved_row", equations_note[] = "conserved_equations";

struct triad_conservation {
  const triad_simulation *sim;
  const triad_series_info *info;
  double limit, epsilon;
  char *equations;  /* [equations] of the case, the places of its keys left out */
  int n, n_columns; /* list[n]; columns of the solver */
  int begun, warned;
  int64_t step;                               /* of the first row */
  triad_conserved list[TRIAD_MOST_CONSERVED]; /* of the first row */
  double first[];                             /* [n_columns + 1] the first row; its step */
};

/* The lines of [equations] in a resolved case, without the comments behind values. NULL: no memory. */
static char *equations_of(const char *text)
{
  static const char head[] = "\n[equations]\n";
  const char *at = strstr(text, head);
  char *out = calloc(strlen(text) + 1, 1), *end = out;
  at = at ? at + sizeof head - 1 : "";
  while (out && *at && *at != '[') {
    const size_t line = strcspn(at, "\n");
    size_t kept = line;
    for (size_t i = 0; i + 2 < line; i++)
      if (memcmp(at + i, " # ", 3) == 0) kept = i; /* the last one: a text may have such too */
    (void)memcpy(end, at, kept);
    end += kept;
    *end++ = '\n';
    at += line + (at[line] == '\n');
  }
  return out;
}

/* The first row that a checkpoint has kept for the same equations. */
static void take_first(triad_conservation *c, const triad_notes *notes)
{
  const char *equations = "";
  if (!triad_notes_has(notes, equations_note) || triad_notes_text(notes, equations_note, &equations) != TRIAD_OK)
    return;
  if (strcmp(equations, c->equations) != 0) return;
  c->begun = triad_notes_reals(notes, row_note, c->n_columns + 1, c->first);
  if (!c->begun) return;
  c->step = (int64_t)c->first[c->n_columns];
  c->n = c->sim->solver->conserved(c->sim->flow, c->first, c->list);
}

int triad_conservation_create(triad_conservation **out, const triad_simulation *sim, const triad_series_info *info,
                              const triad_notes *notes, const triad_manifest *found)
{
  const char *text;
  *out = NULL;
  if (!sim->solver->conserved) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(notes, "case", &text));
  triad_conservation *c = calloc(1, sizeof *c + ((size_t)info->n + 1) * sizeof c->first[0]);
  char *equations = c ? equations_of(text) : NULL;
  if (!equations) {
    free(c);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a flow conserves");
  }
  c->sim = sim;
  c->info = info;
  c->equations = equations;
  c->n_columns = info->n;
  c->limit = triad_case_real(sim->given, "time.drift_limit");
  c->epsilon = triad_case_is(sim->given, "precision", "single") ? (double)FLT_EPSILON : DBL_EPSILON;
  if (found) take_first(c, found->notes);
  *out = c;
  return TRIAD_OK;
}

void triad_conservation_destroy(triad_conservation **conservation)
{
  if (!*conservation) return;
  free((*conservation)->equations);
  free(*conservation);
  *conservation = NULL;
}

void triad_conservation_restart(triad_conservation *c)
{
  if (c) c->begun = c->warned = 0;
}

static void begin(triad_conservation *c, const triad_instant *at, const double *columns)
{
  (void)memcpy(c->first, columns, (size_t)c->n_columns * sizeof *columns);
  c->first[c->n_columns] = (double)at->step;
  c->step = at->step;
  c->begun = 1;
  c->n = c->sim->solver->conserved(c->sim->flow, c->first, c->list);
}

/* By how much a column has drifted beyond rounding. */
static double drift_of(const triad_conservation *c, const triad_conserved *one, const triad_instant *at,
                       const double *columns)
{
  const double from = c->first[one->column], moved = fabs(columns[one->column] - from);
  const double steps = (double)(at->step > c->step ? at->step - c->step : 0) + 1;
  const double rounding = ROUNDING * c->epsilon * steps * fmax(fabs(from), one->scale);
  return fmax(0, moved - rounding);
}

/* "energy has drifted by -0.2 from 1 until step 100, t = 2, which is 20 % of 1: the equations conserve it" */
static void say(const triad_conservation *c, const triad_conserved *one, const triad_instant *at, const double *columns,
                char *text, size_t size)
{
  const double from = c->first[one->column], change = columns[one->column] - from;
  (void)snprintf(text, size,
                 "%s has drifted by %.3g from %.6g until step %lld, t = %g, which is %.3g %% of %.3g, although the "
                 "equations conserve it",
                 c->info->columns[one->column].name, change, from, (long long)at->step, at->t,
                 100 * fabs(change) / one->scale, one->scale);
}

int triad_conservation_see(triad_conservation *c, triad_log *log, const triad_instant *at, const double *columns)
{
  char text[400];
  if (!c) return TRIAD_OK;
  if (!c->begun) begin(c, at, columns);
  triad_conserved now[TRIAD_MOST_CONSERVED];
  (void)c->sim->solver->conserved(c->sim->flow, columns, now);
  for (int i = 0; i < c->n; i++) {
    triad_conserved *one = &now[i];
    one->scale = fmax(one->scale, c->list[i].scale); /* helicity's may grow as scales become small */
    const double drift = drift_of(c, one, at, columns);
    const int ends = c->limit > 0 && drift > c->limit * one->scale;
    if (!ends && (c->warned & 1 << i || !(drift > one->error * one->scale))) continue;
    say(c, one, at, columns, text, sizeof text);
    if (ends) {
      triad_log_clear(log);
      triad_log_error(log, "%s", text);
      triad_log_error(log, "the run ends if a drift exceeds time.drift_limit = %g: use %s", c->limit, one->remedy);
      return TRIAD_ERR_BLOWUP;
    }
    triad_log_warning(log, "%s; try %s", text, one->remedy);
    c->warned |= 1 << i;
  }
  return TRIAD_OK;
}

int triad_conservation_keep(const triad_conservation *c, triad_notes *notes)
{
  if (!c || !c->begun || c->n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_reals(notes, row_note, c->n_columns + 1, c->first));
  return triad_notes_set_text(notes, equations_note, c->equations);
}
