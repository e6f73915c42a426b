/* Which checkpoints there are, and which one deserves belief. */
#ifndef TRIAD_STORE_CHECKPOINT_FIND_H
#define TRIAD_STORE_CHECKPOINT_FIND_H

#include "parallel/comm.h"
#include "store/disk.h"
#include "store/checkpoint/manifest.h"

/* Read the manifest of a checkpoint, and check it, the size of modes.h5 and the checksum of its header.
 *   path    the folder of the checkpoint, or a file in it
 *   folder  that folder, for triad_checkpoint_read
 *   about   on every rank; destroy with triad_manifest_destroy
 * TRIAD_ERR_INPUT if it does not exist, TRIAD_ERR_CASE if it is damaged, TRIAD_ERR_IO. Collective. */
int triad_checkpoint_about(const triad_comm *comm, const char *path, char folder[TRIAD_PATH], triad_manifest **about);

/* Called on rank 0 for each checkpoint that is passed over: its folder's name and the reason, one line of text. */
typedef void triad_checkpoint_rejected(void *who, const char *name, const char *why);

/* One that says it in a warning; who: a triad_log. */
void triad_checkpoint_warn(void *log, const char *name, const char *why);

/* The newest valid checkpoint of a run: from the newest on, every byte of each is checked, until one is found good.
 * *about is NULL, with status TRIAD_OK, when there is none. Collective. */
int triad_checkpoint_find(const triad_comm *comm, const char *run_dir, triad_checkpoint_rejected *tell, void *who,
                          char folder[TRIAD_PATH], triad_manifest **about);

/* Likewise the newest one of a step below `below`. */
int triad_checkpoint_find_below(const triad_comm *comm, const char *run_dir, int64_t below,
                                triad_checkpoint_rejected *tell, void *who, char folder[TRIAD_PATH],
                                triad_manifest **about);

/* What a path means that a user gave to start from: a checkpoint (as triad_checkpoint_about), or of a run directory its
 * newest valid one; TRIAD_ERR_CASE when that has none. Collective; the message has been printed. */
int triad_checkpoint_at(const triad_comm *comm, const char *path, triad_checkpoint_rejected *tell, void *who,
                        char folder[TRIAD_PATH], triad_manifest **about);

/* Read a checkpoint's manifest and verify every byte covered by its checksums. *about is set even if only modes.h5 is
 * damaged (NULL if the manifest is), so that the checkpoint can be described. TRIAD_ERR_INPUT, TRIAD_ERR_CASE,
 * TRIAD_ERR_IO; the message is stored, not printed. Not collective. */
int triad_checkpoint_verify(const char *folder, triad_manifest **about);

#endif
