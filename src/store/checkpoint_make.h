/* What making a checkpoint consists of, whatever its arrays hold: who writes these stands between begin and finish. */
#ifndef TRIAD_STORE_CHECKPOINT_MAKE_H
#define TRIAD_STORE_CHECKPOINT_MAKE_H

#include "store/checkpoint.h"


/* Step, times and notes into a manifest that has just been created, and the names of the state's fields.
 * TRIAD_ERR_BLOWUP for times that are not finite. Not collective. */
int triad_checkpoint_make_describe(triad_manifest *m, const triad_checkpoint_info *info, const triad_state *state);

/* The temporary folder and in it the large file at `path`, without data; on every rank where its fields are. spaces,
 * about: as in store/modefile.h. Collective; a failure has been printed. */
int triad_checkpoint_make_begin(const triad_comm *comm, const char *run_dir, const char *path,
                                const triad_space *const *spaces,
                                triad_manifest *m, const char *about);

/* With status TRIAD_OK the data stand in the file, synced, and the checksums in the manifest: put the checkpoint in its
 * place and delete all but the newest `keep`. Otherwise, or on failure, nothing is left. Returns the status, or that of the
 * failure. The status is the same on all ranks. Collective. */
int triad_checkpoint_make_finish(const triad_comm *comm, const char *run_dir, const triad_manifest *m, int keep, int status);

#endif
