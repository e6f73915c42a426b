/* Choose the points and the Reynolds number of a new case: memory by the check of the case, time by measured steps. */
#include "command/new/choose.h"

#include "base/child.h"
#include "base/json.h"
#include "base/size.h"
#include "base/status.h"
#include "command/command.h"
#include "run/check.h"
#include "store/disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 120 /* [s] of a measurement */, RESULT_BYTES = 1 << 20 };

const char *triad_new_duration(char text[32], double s)
{
  if (s < 90) (void)snprintf(text, 32, "%.2g s", fmax(s, 0.1));
  else if (s < 90 * 60) (void)snprintf(text, 32, "%.0f minutes", s / 60);
  else if (s < 48 * 3600.) (void)snprintf(text, 32, "%.1f hours", s / 3600);
  else (void)snprintf(text, 32, "%.0f days", s / 86400);
  return text;
}

/* The memory of the case for these numbers, one rank [bytes]. The case's own errors are internal errors. */
static int find_memory(const triad_template *t, const triad_template_numbers *numbers, const char *mesh, double *bytes)
{
  triad_template_texts texts = {.mesh = mesh};
  triad_needs needs = {0};
  triad_case *c = NULL;
  char *text = NULL;
  TRIAD_TRY(triad_template_write(t, numbers, &texts, &text));
  int st = triad_case_parse(&c, t->name, text, strlen(text), NULL, 0);
  if (st == TRIAD_ERR_CASE && c)
    st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "template %s: %.700s", t->name, triad_case_errors(c));
  if (st == TRIAD_OK) st = triad_check(c, 1, 1, &needs);
  *bytes = (double)needs.rank.total;
  triad_case_destroy(&c);
  free(text);
  return st;
}

/* The speed from the result of triad bench. */
static int read_rate(const char *path, double cells, triad_new_wish *wish)
{
  char *text = NULL;
  int64_t bytes, threads = 1;
  size_t bad;
  double median = 0;
  triad_json_value all, step, value;
  TRIAD_TRY(triad_disk_load(path, RESULT_BYTES, &text, &bytes));
  if (triad_json_parse(&all, text, (size_t)bytes, &bad) && triad_json_member(all, "step_s", &step) &&
      triad_json_member(step, "median", &value) && triad_json_to_number(value, &median) && median > 0) {
    if (triad_json_member(all, "threads", &value)) (void)triad_json_to_integer(value, &threads);
    wish->rate = cells / median;
    wish->threads = (int)threads;
  }
  free(text);
  return wish->rate > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "triad bench reported no time");
}

static int bench(const char *folder, const triad_template *t, triad_new_wish *wish)
{
  char path[TRIAD_PATH], result[TRIAD_PATH], *text = NULL;
  triad_template_numbers numbers;
  triad_template_texts texts = {.mesh = wish->mesh};
  triad_child child;
  TRIAD_TRY(triad_disk_path(path, "%s/case.toml", folder));
  TRIAD_TRY(triad_disk_path(result, "%s/bench.json", folder));
  TRIAD_TRY(triad_template_compute(t, t->usual, t->measure_n, &numbers));
  TRIAD_TRY(triad_template_write(t, &numbers, &texts, &text));
  FILE *f = fopen(path, "w");
  int written = f && fputs(text, f) >= 0;
  if (f && fclose(f)) written = 0;
  free(text);
  if (!written) return TRIAD_FAIL(TRIAD_ERR_IO, "%.300s: cannot be written", path);
  const char *argv[] = {"/proc/self/exe", "bench", path, "--steps", "5", "--json", result, "-q", NULL};
  triad_child_run(&child, argv, LIMIT, NULL);
  int st = TRIAD_OK;
  if (!child.started || !child.in_time || child.code != TRIAD_OK)
    st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s%.200s", child.in_time ? "" : "more than 120 s; ", child.said);
  if (st == TRIAD_OK) st = read_rate(result, numbers.cells, wish);
  (void)unlink(path);
  (void)unlink(result);
  return st;
}

/* The speed of this machine: some steps of the template's case on few points, in a program of its own. wish->rate 0
 * and wish->why after a failure. */
static int measure_rate(const triad_template *t, triad_new_wish *wish)
{
  if (wish->rate > 0 || wish->measured) return TRIAD_OK;
  wish->measured = 1;
  if (triad_launched_as() >= 0) {
    (void)snprintf(wish->why, sizeof wish->why, "not measured under mpirun");
    return TRIAD_OK;
  }
  char folder[TRIAD_PATH];
  const char *tmp = getenv("TMPDIR");
  TRIAD_TRY(triad_disk_path(folder, "%s/triad-new-XXXXXX", tmp && *tmp ? tmp : "/tmp"));
  int st = mkdtemp(folder) ? bench(folder, t, wish) : TRIAD_FAIL(TRIAD_ERR_IO, "%.300s: cannot be created", folder);
  (void)rmdir(folder);
  if (st != TRIAD_OK) triad_message_reason(wish->why, sizeof wish->why);
  return TRIAD_OK;
}

int triad_new_cost(const triad_template *t, triad_new_wish *wish, triad_new_size *out)
{
  TRIAD_TRY(find_memory(t, &out->numbers, wish->mesh, &out->bytes));
  TRIAD_TRY(measure_rate(t, wish));
  out->seconds = wish->rate > 0 ? out->numbers.cells * out->numbers.steps / wish->rate : 0;
  return TRIAD_OK;
}

/* Does a grid of n points fit? The value is the largest that n points allow. */
static int fits(const triad_template *t, const triad_new_wish *wish, int64_t n, int *yes)
{
  triad_template_numbers numbers;
  double value, bytes;
  TRIAD_TRY(triad_template_largest(t, n, &value));
  TRIAD_TRY(triad_template_compute(t, value, n, &numbers));
  *yes = wish->seconds <= 0 || numbers.cells * numbers.steps <= wish->rate * wish->seconds;
  if (!*yes || wish->memory <= 0) return TRIAD_OK;
  TRIAD_TRY(find_memory(t, &numbers, wish->mesh, &bytes));
  *yes = bytes <= wish->memory;
  return TRIAD_OK;
}

/* The smallest case of a template needs more than is allowed. */
static int too_small(const triad_template *t, triad_new_wish *wish, const triad_template_numbers *least)
{
  triad_new_size size = {.value = t->least, .numbers = *least};
  char bytes[32], duration[32];
  TRIAD_TRY(triad_new_cost(t, wish, &size));
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "template %s needs at least %s%s%s, for --%s %g on %lld points along an edge",
                    t->name, triad_size_text(bytes, size.bytes), size.seconds > 0 ? " and " : "",
                    size.seconds > 0 ? triad_new_duration(duration, size.seconds) : "", t->asks, t->least,
                    (long long)least->n);
}

int triad_new_limit(const triad_template *t, triad_new_wish *wish, int64_t *n)
{
  *n = INT64_MAX;
  if (wish->memory <= 0 && wish->seconds <= 0) return TRIAD_OK;
  if (wish->seconds > 0) TRIAD_TRY(measure_rate(t, wish));
  if (wish->seconds > 0 && wish->rate <= 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--minutes: the speed of this machine is not known (%s): give --rate",
                      wish->why);
  int yes = 0;
  int64_t best;
  triad_template_numbers least, most;
  TRIAD_TRY(triad_template_compute(t, t->least, 0, &least));
  TRIAD_TRY(triad_template_compute(t, t->most, 0, &most)); /* nothing larger is of use */
  const int64_t smallest = least.n;
  TRIAD_TRY(fits(t, wish, smallest, &yes));
  if (!yes) return too_small(t, wish, &least);
  best = smallest;
  for (int64_t low = smallest, high = most.n; low <= high;) {
    int64_t middle = triad_template_round_down(t, (double)((low + high + 1) / 2));
    if (middle < low) middle = triad_template_round_up(t, (double)low);
    if (middle > high) break;
    TRIAD_TRY(fits(t, wish, middle, &yes));
    if (yes) best = middle;
    if (yes) low = triad_template_round_up(t, (double)middle + 1);
    else high = triad_template_round_down(t, (double)middle - 1);
  }
  *n = best;
  return TRIAD_OK;
}

/* Of the value's own size, or of the points that are given: an error if the machine does not allow it. */
static int must_fit(const triad_template *t, triad_new_wish *wish, const triad_new_size *size)
{
  char needs[32], duration[32];
  double largest;
  int64_t n;
  int too_much = wish->memory > 0 && size->bytes > wish->memory;
  int too_long = wish->seconds > 0 && size->seconds > wish->seconds;
  if (!too_much && !too_long) return TRIAD_OK;
  if (triad_template_asks_mesh(t) || wish->points > 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "this case needs %s%s%s, more than allowed", triad_size_text(needs, size->bytes),
                      size->seconds > 0 ? " and " : "",
                      size->seconds > 0 ? triad_new_duration(duration, size->seconds) : "");
  TRIAD_TRY(triad_new_limit(t, wish, &n));
  TRIAD_TRY(triad_template_largest(t, n, &largest));
  return TRIAD_FAIL(TRIAD_ERR_USAGE,
                    "--%s %g requires %lld points along an edge: %s%s%s. The largest value that fits is --%s %g, on "
                    "%lld points",
                    t->asks, size->value, (long long)size->numbers.n, triad_size_text(needs, size->bytes),
                    size->seconds > 0 ? " and " : "",
                    size->seconds > 0 ? triad_new_duration(duration, size->seconds) : "", t->asks, largest,
                    (long long)n);
}

int triad_new_choose(const triad_template *t, triad_new_wish *wish, triad_new_size *out)
{
  int64_t n = wish->points;
  *out = (triad_new_size){.value = wish->value};
  if (triad_template_asks_mesh(t)) out->value = 1;
  else if (wish->value <= 0) {
    if (n == 0) TRIAD_TRY(triad_new_limit(t, wish, &n));
    TRIAD_TRY(triad_template_largest(t, n, &out->value));
    if (wish->points == 0) n = 0; /* the points that the value requires: at most n */
  }
  TRIAD_TRY(triad_template_compute(t, out->value, n, &out->numbers));
  TRIAD_TRY(triad_new_cost(t, wish, out));
  return must_fit(t, wish, out);
}
