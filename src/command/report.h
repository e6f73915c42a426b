/* The report of a run, written after `triad run` or by `triad report`. */
#ifndef TRIAD_COMMAND_REPORT_H
#define TRIAD_COMMAND_REPORT_H

#include "command/command.h"

/* report.c, after a run: write DIR/report.html and log it, in at most two minutes, less if *stop is set (NULL: never).
 * A report that includes the last row of the series is not written again. Failures do not affect the run. Not
 * collective: one rank calls. */
void triad_report_after_run(const char *dir, triad_log *log, const volatile sig_atomic_t *stop);

#endif
