/* series.csv and similar tables: open or resume, append, flush, close. */
#ifndef TRIAD_RUN_SERIES_H
#define TRIAD_RUN_SERIES_H

#include "run/outputs.h"

/* Open run_dir/NAME.csv on rank 0, name "series" or "probes": a new file with its header or, with resumed >= 0, the
 * existing file up to that step; later rows move to NAME.discarded.csv. `info` and `name` must stay valid.
 * TRIAD_ERR_IO; TRIAD_ERR_CASE if the existing file is not a series of these equations. changes: the number of changes
 * by `triad set`; if it is not 0, a last column `case` contains it for each row, and 0 for earlier rows. Collective. */
int triad_series_open(triad_series **out, const triad_comm *comm, const triad_series_info *info, const char *run_dir,
                      const char *name, int64_t resumed, int changes);
void triad_series_close(triad_series **series);

/* Number of rows of run_dir/series.csv up to a step; 0 if the file does not exist. Not collective. */
int triad_series_count(const char *run_dir, int64_t step, int64_t *rows);

/* Write all rows so far to the disk, under the file's name: a file that was deleted or moved while the run had it open
 * is created again, with a message. *rows: number of rows in the file, on rank 0. Collective. */
int triad_series_sync(triad_series *series, int64_t *rows);

#endif
