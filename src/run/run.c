/* One case after another: `triad run` from the first to the last. */
#include "run/loop.h"

#include <math.h>
#include <string.h>

/* Set the case to continue with; if it is unchanged, the grid stays fixed from now on. */
static int take_grid(triad_run_options *now, const int64_t n[3], const char *why, const triad_instant *at,
                     const triad_case **next)
{
  const triad_case *was = *next;
  TRIAD_TRY(now->hooks.regrid(now->hooks.who, n, why, at, next));
  now->keeps_grid = *next == was;
  return TRIAD_OK;
}

/* What comes after the first case is no start: nothing is compared with the directory, and warnings have had their
 * say. */
static void no_start(triad_run_options *now)
{
  now->hooks.consider = NULL;
  now->hooks.begin = NULL;
  now->strict = now->from_start = 0;
  now->goes_on = 1;
}

int triad_loop_next(triad_loop **loop, triad_run_options *now, const triad_case **given)
{
  triad_loop *r = *loop;
  const triad_case *next = r->next;
  const int begun = r->at != NULL, changes = r->changes;
  const triad_instant at = begun ? *r->at : (triad_instant){0};
  const int64_t n[3] = {r->grid[0], r->grid[1], r->grid[2]};
  char why[sizeof r->why];
  (void)memcpy(why, r->why, sizeof why);
  (void)triad_loop_end(loop, TRIAD_LOOP_CHANGED);
  if (begun) no_start(now);
  now->looked = begun && n[0] > 0;
  if (n[0] > 0) return take_grid(now, n, why, begun ? &at : NULL, given);
  *given = next;
  now->changes = changes;
  return TRIAD_OK;
}

/* One case until the end, or until another is to be taken. */
static int run_one(triad_loop *r)
{
  TRIAD_TRY(triad_loop_open(r));
  while (!triad_loop_finished(r)) TRIAD_TRY(triad_loop_step(r, INFINITY));
  TRIAD_TRY(triad_loop_last(r));
  return triad_loop_missed(r) ? TRIAD_STOPPED : TRIAD_OK;
}

int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options)
{
  triad_run_options now = *options;
  for (;;) {
    triad_loop *r;
    int done = 0, st = triad_loop_begin(&r, context, given, &now, 0, &done);
    if (st == TRIAD_OK && !done) st = run_one(r);
    if (st != TRIAD_LOOP_CHANGED) return triad_loop_end(&r, st);
    TRIAD_TRY(triad_loop_next(&r, &now, &given));
  }
}
