/* What outputs cost: who is warned of which kind, and when. */
#include "test.h"

#include "run/outputs.h"

#include <stdio.h>
#include <string.h>

static char heard[2048];
static int warnings;

static void hear(void *who, triad_level level, const char *text)
{
  (void)who;
  warnings += level == TRIAD_LOG_WARNING;
  (void)snprintf(heard, sizeof heard, "%s", text);
}

static triad_log *listen(void)
{
  triad_log *log = NULL;
  triad_log_options options = triad_log_defaults(0);
  options.out = options.err = -1;
  options.hear = hear;
  TRIAD_CHECK(triad_log_create(&log, &options));
  heard[0] = '\0';
  warnings = 0;
  return log;
}

static void said(const char *text) { TRIAD_HOLDS(strcmp(heard, text) == 0, "%s", heard); }

static const char once[] =
  "slices cost 23.8 % of the run so far, 40.4 s, more than 2 %: use output.slices_interval > 0.1",
                  at_the_end[] = "output cost fields 1.7 %, slices 20.2 % of 200 s";
static const double interval[TRIAD_OUTPUT_N] = {[TRIAD_OUTPUT_SLICES] = 0.1};

TRIAD_TEST(a_kind_above_two_percent_is_named_once_with_its_key)
{
  triad_log *log = listen();
  triad_output_costs c = {.begin = 1000};
  triad_output_costs_add(&c, TRIAD_OUTPUT_SLICES, 40.4);
  triad_output_costs_add(&c, TRIAD_OUTPUT_FIELDS, 3.3); /* 1.94 % */
  triad_output_costs_judge(&c, log, 1170, interval);
  TRIAD_HOLDS(warnings == 1, "%d warnings: %s", warnings, heard);
  said(once);
  triad_output_costs_judge(&c, log, 1180, interval);
  TRIAD_EQUAL(warnings, 1, "not said twice");
  triad_output_costs_report(&c, log, 1200);
  said(at_the_end);
  triad_log_destroy(&log);
}

TRIAD_TEST(runs_below_a_minute_and_files_of_the_start_are_not_judged)
{
  triad_log *log = listen();
  triad_output_costs c = {0};
  triad_output_costs_add(&c, TRIAD_OUTPUT_CHECKPOINT, 100); /* before the first step */
  c.begin = 1000;
  triad_output_costs_judge(&c, log, 1100, interval);
  triad_output_costs_add(&c, TRIAD_OUTPUT_CHECKPOINT, 10);
  triad_output_costs_judge(&c, log, 1059, interval);
  triad_output_costs_report(&c, log, 1059);
  TRIAD_HOLDS(warnings == 0, "%s", heard);
  triad_output_costs_judge(&c, log, 1061, interval);
  TRIAD_EQUAL(warnings, 1, "after a minute");
  triad_log_destroy(&log);
}

TRIAD_MAIN
