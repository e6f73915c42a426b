/* series.csv: `#` comment lines with units and formulae, a header row, then a row a line at full precision. */
#ifndef TRIAD_RUN_SERIES_H
#define TRIAD_RUN_SERIES_H

#include "run/flow.h"

typedef struct triad_series triad_series;

#define triad_series_open TRIAD_NAME(series_open)
#define triad_series_close TRIAD_NAME(series_close)
#define triad_series_write TRIAD_NAME(series_write)
#define triad_series_sync TRIAD_NAME(series_sync)

/* Rank 0 opens run_dir/series.csv: a new file with its header; or, with resumed >= 0, the file as it stood at that
 * step: later rows move to series.discarded.csv. TRIAD_ERR_IO; TRIAD_ERR_CASE where the file there is not a series of
 * these equations. Collective. */
int triad_series_open(triad_series **out, const triad_flow *flow, const char *run_dir, int64_t resumed);
void triad_series_close(triad_series **series);

/* One row for the state as it is, in one write. Collective. */
int triad_series_write(triad_series *series, const triad_flow *flow, const double *columns);

/* Rows so far are on the disk when it returns. Collective. */
int triad_series_sync(triad_series *series, const triad_flow *flow);

#endif
