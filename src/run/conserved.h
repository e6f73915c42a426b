/* Check that a flow keeps what its equations conserve. A solver declares columns of the series that its case conserves
 * (solvers/info.h); each row is compared with that at the start of the run, which checkpoints store. */
#ifndef TRIAD_RUN_CONSERVED_H
#define TRIAD_RUN_CONSERVED_H

#include "solvers/box/files.h"

#include <stddef.h>

typedef struct triad_conservation triad_conservation;

/* found: the checkpoint that the run resumes from, whose first row is compared with; NULL: the next row is the
 * first. It is the next one too if the checkpoint has none, or if [equations] has changed since. notes: of this run,
 * with its case. sim, info and the notes' text outlive it. TRIAD_ERR_MEMORY. Not collective, as everything here. */
int triad_conservation_create(triad_conservation **out, const triad_simulation *sim, const triad_series_info *info,
                              const triad_notes *notes, const triad_manifest *found);
void triad_conservation_destroy(triad_conservation **conservation); /* accepts NULL */

/* The state has been set from outside: the next row is the first. conservation NULL: nothing. */
void triad_conservation_restart(triad_conservation *conservation);

/* A row. A column that has drifted by more than its scheme's own error causes one warning. TRIAD_ERR_BLOWUP if one
 * has drifted by more than time.drift_limit of its scale, with an error in the log. */
int triad_conservation_see(triad_conservation *conservation, triad_log *log, const triad_instant *at,
                           const double *columns);

/* The first row, to the notes of a checkpoint. conservation NULL: nothing. */
int triad_conservation_keep(const triad_conservation *conservation, triad_notes *notes);

#endif
