/* Monitor the resolution of a flow: a column of the series may have a limit for resolved flow (solvers/info.h). A
 * warning is printed when a row first violates a limit, and a summary at the end of the run. */
#ifndef TRIAD_RUN_LIMITS_H
#define TRIAD_RUN_LIMITS_H

#include "solvers/solver.h"

typedef struct triad_limits triad_limits;

/* Of the columns that have a limit. info outlives it. TRIAD_ERR_MEMORY. Not collective, as everything here. */
int triad_limits_create(triad_limits **out, const triad_series_info *info);
void triad_limits_destroy(triad_limits **limits);

/* A row at time t: what fails for the first time is a warning. Columns that mean nothing (NAN) are passed over. */
void triad_limits_see(triad_limits *limits, triad_log *log, double t, const double *columns);

/* What failed, a warning each. limits NULL: nothing. */
void triad_limits_tell(const triad_limits *limits, triad_log *log);

#endif
