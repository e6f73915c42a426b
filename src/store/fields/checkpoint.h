/* Checkpoints: the state of a run at one step, in any space, such that nothing corrupt is ever trusted.
 *
 * RUN/checkpoints/step-00001200/ holds modes.h5 or, of values in other spaces, points.h5 (store/modefile.h) and
 * manifest.txt (store/manifest.h). It is made under a temporary name and appears by one rename when every byte is on
 * the disk (store/commit.h); only the manifest and its checksums prove it (store/find.h: triad_checkpoint_about,
 * triad_checkpoint_find). */
#ifndef TRIAD_STORE_FIELDS_CHECKPOINT_H
#define TRIAD_STORE_FIELDS_CHECKPOINT_H

#include "base/precision.h"
#include "grid/state.h"
#include "parallel/context.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/find.h"

typedef struct triad_checkpoint_info {
  int64_t step;
  double t, dt;               /* time, and the step to be taken next                              */
  const char *solver;         /* as in a case file                                                */
  const char *writer;         /* program and version                                              */
  const char *about;          /* kind of the fields in words; NULL: that of their space */
  const triad_notes *notes;   /* whatever else a restart needs; NULL: nothing                     */
  const triad_beside *beside; /* extra file, read on rank 0; NULL: none */
  /* tables in the same folder (store/checkpoint/tables.h); their sums are added to the notes */
  int n_tables;
  struct triad_table *tables;
  int gather; /* rank 0 writes for all (store/gather.h): the same bytes           */
} triad_checkpoint_info;

/* Write a checkpoint of the state, then delete all but the newest `keep` (at least 2). 1 to TRIAD_MANIFEST_FIELDS
 * fields, with names of letters, digits, '_', '-', '.', except kx, ky, kz, notes. The bytes do not depend on the
 * number of ranks. Allocates a staging buffer of some MiB, and memory for three fields if lines come from several
 * ranks (grid/fields/slab.h). On failure no incomplete checkpoint is left, and the older ones stay: TRIAD_ERR_IO (for
 * example disk full), TRIAD_ERR_MEMORY, TRIAD_ERR_BLOWUP if a value is not finite, so that a valid checkpoint is never
 * replaced by an invalid one. The message has been printed. Collective; the status is the same on all ranks. run_dir
 * must exist. */
int triad_checkpoint_write(const triad_context *ctx, triad_state *state, const char *run_dir,
                           const triad_checkpoint_info *info, int keep);

/* Read fields list[n] of the state (NULL: all n of it), by their names, of a checkpoint that triad_checkpoint_about or
 * _find has described; every byte that is read is verified. Bit for bit, on any number of ranks; the other precision is
 * converted; ghosts are left alone. Modes of another grid of the same box: those that both keep are copied, new ones
 * are 0, and *dropped (may be NULL) is the energy of those that are lost, sum of weight |u|^2 / 2 over modes and
 * fields: transpose/remap.h. TRIAD_ERR_CASE when the box, the space or a name does not fit, or the file is damaged (the
 * fields are then undefined); TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Collective; the message has been printed. */
int triad_checkpoint_read(const triad_context *ctx, triad_state *state, const char *folder, const triad_manifest *about,
                          int n, const int *list, double *dropped);

#endif
