/* Compare columns of the series with the bounds that a resolved flow satisfies, and report the first and the worst
 * violation. */
#include "run/limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 8 };

typedef struct limit {
  int column;
  triad_column_limit is;
  double worst, t; /* the worst value so far, and its time */
  int64_t rows, failed;
} limit;

struct triad_limits {
  const triad_series_info *info;
  int n;
  limit list[];
};

int triad_limits_create(triad_limits **out, const triad_series_info *info)
{
  triad_limits *l = *out = calloc(1, sizeof *l + (size_t)info->n * sizeof l->list[0]);
  if (!l) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "limits of %d columns", info->n);
  l->info = info;
  for (int i = 0; i < info->n; i++) {
    const triad_column_limit is = info->columns[i].limit;
    if (is.kind != TRIAD_LIMIT_NONE) l->list[l->n++] = (limit){.column = i, .is = is};
  }
  return TRIAD_OK;
}

void triad_limits_destroy(triad_limits **limits)
{
  free(*limits);
  *limits = NULL;
}

/* By how much a value is outside of the limit. */
static double excess(const triad_column_limit *is, double value)
{
  return is->kind == TRIAD_LIMIT_MIN ? is->bound - value : value - is->bound;
}

/* One more value that is not what it must be. */
static void fail(limit *l, double t, double value, double over)
{
  if (l->failed++ > 0 && over <= excess(&l->is, l->worst)) return;
  l->worst = value;
  l->t = t;
}

void triad_limits_see(triad_limits *limits, triad_log *log, double t, const double *columns)
{
  char text[480] = "";
  int more = 0;
  for (int i = 0; i < limits->n; i++) {
    limit *l = &limits->list[i];
    const double value = columns[l->column], over = excess(&l->is, value);
    if (isnan(value)) continue;
    l->rows++;
    if (!(over > 0)) continue;
    fail(l, t, value, over);
    size_t said = strlen(text);
    if (l->failed == 1 && said < sizeof text - 120)
      (void)snprintf(text + said, sizeof text - said, "%s%.60s = %.3g (%s %g required)", said ? ", " : "",
                     limits->info->columns[l->column].name, value, triad_limit_words(l->is.kind), l->is.bound);
    else more += l->failed == 1;
  }
  if (text[0] && more) triad_log_warning(log, "not resolved at t = %g: %s and %d more columns", t, text, more);
  if (text[0] && !more) triad_log_warning(log, "not resolved at t = %g: %s", t, text);
}

void triad_limits_tell(const triad_limits *limits, triad_log *log)
{
  int told = 0;
  for (int i = 0; limits && i < limits->n; i++) {
    const limit *l = &limits->list[i];
    if (l->failed == 0 || told++ >= MOST_TOLD) continue;
    triad_log_warning(
      log, "not resolved in %" PRId64 " of %" PRId64 " rows: %s, %.3g at worst (t = %g), but %s %g required", l->failed,
      l->rows, limits->info->columns[l->column].name, l->worst, l->t, triad_limit_words(l->is.kind), l->is.bound);
  }
  if (told > MOST_TOLD) triad_log_warning(log, "also %d more columns of series.csv", told - MOST_TOLD);
}
