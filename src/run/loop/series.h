/* series.csv: `#` comment lines with units and formulae, a header row, then a row a line at full precision. */
#ifndef TRIAD_RUN_LOOP_SERIES_H
#define TRIAD_RUN_LOOP_SERIES_H

#include "parallel/comm.h"
#include "run/loop/driver.h"

typedef struct triad_series triad_series;

/* Rank 0 opens run_dir/series.csv: a new file with its header; or, with resumed >= 0, the file as it stood at that
 * step: later rows move to series.discarded.csv. `info` is kept. TRIAD_ERR_IO; TRIAD_ERR_CASE where the file there is
 * not a series of these equations. Collective. */
int triad_series_open(triad_series **out, const triad_comm *comm, const triad_columns_info *info, const char *run_dir,
                      int64_t resumed);
void triad_series_close(triad_series **series);

/* One row, in one write. Collective. */
int triad_series_write(triad_series *series, const triad_instant *at, const double *columns);

/* Rows so far are on the disk when it returns. Collective. */
int triad_series_sync(triad_series *series);

#endif
