/* Rows of probes: open, append when due, close. */
#ifndef TRIAD_RUN_PROBES_H
#define TRIAD_RUN_PROBES_H

#include "run/outputs.h"

/* Open the files of probes; *out is NULL if the flow has no probe points, and all functions here accept NULL and do
 * nothing. resumed: the step from which the run resumes, or -1. TRIAD_ERR_IO, TRIAD_ERR_CASE, TRIAD_ERR_MEMORY.
 * Collective. */
int triad_probe_rows_open(triad_probe_rows **out, const triad_simulation *sim, const char *run_dir, int64_t resumed,
                          triad_log *log);
void triad_probe_rows_close(triad_probe_rows **rows);

/* Is there a row after the step that began at time `before`? Not collective. */
int triad_probe_rows_due(const triad_probe_rows *rows, double before, double t, int first);

#endif
