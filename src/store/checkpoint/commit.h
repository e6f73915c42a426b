/* Commit a checkpoint: write it under a temporary name, put it in place by one rename, then delete old ones.
 *
 *   RUN/checkpoints/.tmp-step-00001200/     while it is made; left behind only by a killed run, and never looked at
 *   RUN/checkpoints/step-00001200/          modes.h5 or points.h5, and manifest.txt: complete, as of the rename
 *   RUN/checkpoints/latest                  "step-00001200": for people and scripts; Triad itself looks at the folders
 * One rank calls these; nothing is collective. Failures are TRIAD_ERR_IO. */
#ifndef TRIAD_STORE_CHECKPOINT_COMMIT_H
#define TRIAD_STORE_CHECKPOINT_COMMIT_H

#include "store/disk.h"

/* An extra file of a checkpoint, means.bin; the notes of the manifest contain its checksum. data NULL: none. */
typedef struct triad_beside {
  void *data;
  int64_t bytes;
} triad_beside;

/* Names for a step: the folder that is made, and the one it becomes. */
int triad_commit_names(const char *run_dir, int64_t step, char temporary[TRIAD_PATH], char final[TRIAD_PATH]);

/* Clear away what killed runs have left, and make the temporary folder, empty. */
int triad_commit_begin(const char *run_dir, int64_t step);

/* Delete the temporary folder of a step, on failure. */
void triad_commit_abandon(const char *run_dir, int64_t step);

/* Complete a checkpoint whose data are in the temporary folder, synced: add the extra file (NULL: none) and the
 * manifest, sync, rename, and name it in `latest`. An existing checkpoint of the same step is replaced atomically. */
int triad_commit_finish(const char *run_dir, int64_t step, const char *manifest, int64_t bytes,
                        const triad_beside *beside);

/* Delete the checkpoint of a step; nothing happens to one whose folder holds other files too: TRIAD_ERR_CASE. */
int triad_commit_delete(const char *run_dir, int64_t step);
int triad_commit_delete_folder(const char *folder);

/* List the steps of existing checkpoint folders, newest first (free *steps). A missing folder of checkpoints is no
 * failure. */
int triad_commit_list(const char *run_dir, int64_t **steps, int *count);

/* Delete checkpoints older than the newest `keep` (at least 2) sound ones of steps <= step: sound means that the
 * manifest is intact and the large file as large as it says. Folders with other files in them are left alone, and so
 * are checkpoints of later steps. *stuck counts those that could not be deleted. */
int triad_commit_retire(const char *run_dir, int64_t step, int keep, int *stuck);

#endif
