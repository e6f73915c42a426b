/* RUN/report.html: a page with what was run, checks and figures, made by the Python code in tools/triad_plot. */
#ifndef TRIAD_COMMAND_REPORT_H
#define TRIAD_COMMAND_REPORT_H

#include "base/log.h"

#include <signal.h>
#include <stddef.h>

/* Longest that a run waits for its report [s]. */
#define TRIAD_REPORT_LIMIT 120.0

/* Write DIR/report.html, in at most `limit` seconds, less when *stop is set (NULL: never). The Python is $PYTHON,
 * python3 of the PATH, or the system's: the first that has numpy, h5py and matplotlib. Its code is looked for beside
 * this program: ../tools/triad_plot of the source tree, ../share/triad/triad_plot of an installed one.
 * Returns an exit code (base/status.h): TRIAD_ERR_FEATURE where there is no such Python or code, and what the code itself
 * ended with. text[size]: the page's path, or what is wrong and what to do, never both empty and failed. No message is
 * noted. Not collective, needs no MPI: one rank calls. */
int triad_report_write(const char *dir, double limit, const volatile sig_atomic_t *stop, char *text, size_t size);

/* After a run: write the report and tell of it in the log; nothing that goes wrong matters to the run. */
void triad_report_after_run(const char *dir, triad_log *log, const volatile sig_atomic_t *stop);

#endif
