/* What making a checkpoint consists of, whatever its arrays hold: who writes these stands between begin and finish. */
#ifndef TRIAD_RUN_MAKING_H
#define TRIAD_RUN_MAKING_H

#include "run/checkpoint.h"

#define triad_making_describe TRIAD_NAME(making_describe)
#define triad_making_begin TRIAD_NAME(making_begin)
#define triad_making_finish TRIAD_NAME(making_finish)

/* Step, times, names and notes into a manifest that has just been created. TRIAD_ERR_BLOWUP for times that are not finite.
 * Not collective. */
int triad_making_describe(triad_manifest *m, const triad_checkpoint_info *info);

/* The temporary folder and in it the large file at `path`, without data; on every rank where its fields are. The layout as
 * in store/skeleton.h. Collective; a failure has been printed. */
int triad_making_begin(const triad_comm *comm, const char *run_dir, const char *path, const triad_layout *layout,
                       triad_manifest *m);

/* With status TRIAD_OK the data stand in the file, synced, and the checksums in the manifest: put the checkpoint in its
 * place and delete all but the newest `keep`. Otherwise, or on failure, nothing is left. Returns the status, or that of the
 * failure. The status is the same on all ranks. Collective. */
int triad_making_finish(const triad_comm *comm, const char *run_dir, const triad_manifest *m, int keep, int status);

#endif
