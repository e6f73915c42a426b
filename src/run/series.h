/* series.csv: `#` comment lines with units and formulae, a header row, then a row a line at full precision. */
#ifndef TRIAD_RUN_SERIES_H
#define TRIAD_RUN_SERIES_H

#include "parallel/comm.h"
#include "solvers/solver.h"

typedef struct triad_series triad_series;

/* Rank 0 opens run_dir/series.csv: a new file with its header; or, with resumed >= 0, the file as it stood at that
 * step: later rows move to series.discarded.csv. `info` is kept. TRIAD_ERR_IO; TRIAD_ERR_CASE where the file there is
 * not a series of these equations. Collective. */
int triad_series_open(triad_series **out, const triad_comm *comm, const triad_series_info *info, const char *run_dir,
                      int64_t resumed);
void triad_series_close(triad_series **series);

/* Keep a row; write the rows that are kept, in one write where the disk takes it. A row stays until it is written. On
 * rank 0; elsewhere nothing happens. flush: TRIAD_ERR_IO. add: TRIAD_ERR_MEMORY. Collective. */
int triad_series_add(triad_series *series, const triad_instant *at, const double *columns);
int triad_series_flush(triad_series *series);

/* Rows so far are on the disk when it returns. Collective. */
int triad_series_sync(triad_series *series);

#endif
