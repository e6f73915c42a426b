/* Checkpoints: the modes of a run at one step, such that nothing corrupt is ever trusted.
 *
 * RUN/checkpoints/step-00001200/ holds modes.h5 (store/skeleton.h) and manifest.txt (store/manifest.h). It is made
 * under a temporary name and appears by one rename when every byte is on the disk (store/commit.h); only the manifest
 * and its checksums prove it (store/find.h: triad_checkpoint_about, triad_checkpoint_find). */
#ifndef TRIAD_STORE_CHECKPOINT_H
#define TRIAD_STORE_CHECKPOINT_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/context.h"
#include "store/find.h"


typedef struct triad_checkpoint_info {
  int64_t step;
  double t, dt;               /* time, and the step to be taken next                              */
  const char *solver;         /* as in a case file                                                */
  const char *writer;         /* program and version                                              */
  int n_fields;               /* 1 to TRIAD_MANIFEST_FIELDS                                       */
  const char *const *names;   /* [n_fields] letters, digits, '_', '-', '.'; not kx, ky, kz, notes */
  const triad_notes *notes;   /* whatever else a restart needs; NULL: nothing                     */
  int gather;                 /* rank 0 writes for all (store/gather.h): the same bytes           */
} triad_checkpoint_info;

/* Write a checkpoint, then delete all but the newest `keep` (at least 2).
 *   fields [n_fields] complex fields in the layout's storage [block][j][lane]
 * Takes a staging buffer of some MiB. On failure no half-made one is left and the older checkpoints stand:
 * TRIAD_ERR_IO (disk full and the like), TRIAD_ERR_MEMORY, TRIAD_ERR_BLOWUP when a value is not finite, so that a good
 * checkpoint is never replaced by a bad one. The message has been printed. Collective; the status is the same on all
 * ranks. run_dir must exist. */
int triad_checkpoint_write(const triad_context *ctx, const triad_layout *layout, const char *run_dir,
                           const triad_checkpoint_info *info, triad_cplx *const *fields, int keep);

/* Read fields, by name, of a checkpoint that triad_checkpoint_about or _find has described; every byte that is read is
 * verified. Same grid: bit for bit, on any number of ranks; the other precision is converted. Another grid of the same
 * box: modes that both keep are copied, new ones are 0, and *dropped (may be NULL) is the energy of those that are
 * lost, sum of weight |u|^2 / 2 over modes and fields: transpose/remap.h.
 * TRIAD_ERR_CASE when the box or a name does not fit, or the file is damaged (the fields are then undefined);
 * TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Collective; the message has been printed. */
int triad_checkpoint_read(const triad_context *ctx, const triad_layout *layout, const char *folder,
                          const triad_manifest *about, int n_fields, const char *const *names,
                          triad_cplx *const *fields, double *dropped);

#endif
