/* Data for writing or reading the large file of a checkpoint on a rank: the open file, the lines of each field that
 * this rank owns, a staging buffer, and checksums. */
#ifndef TRIAD_STORE_FIELDS_MODEJOB_H
#define TRIAD_STORE_FIELDS_MODEJOB_H

#include "base/precision.h"
#include "grid/fields/slab.h"
#include "parallel/context.h"
#include "store/disk.h"
#include "store/checkpoint/modefile.h"

typedef struct triad_modejob {
  const triad_context *ctx;
  triad_slab **slab;     /* [n_fields] the lines of each field; fields of one space share one */
  char path[TRIAD_PATH]; /* of the file; the caller sets it              */
  int fd;                /* -1, until the caller opens it                */
  char *buffer;          /* `room` bytes: some MiB, or a line            */
  int64_t room;
  triad_real *lines; /* of a field whose lines come from other ranks; NULL where none is so */
  uint64_t *sums;    /* sums of the fields one after another; zeros when reading */
  int n_fields;
} triad_modejob;

/* Take the memory, for fields that live in spaces[n_fields]; TRIAD_ERR_MEMORY. Close also after a failure, and one that
 * was {.fd = -1, .ctx = ctx} only. Collective. */
int triad_modejob_open(triad_modejob *job, const triad_context *ctx, const triad_manifest *m,
                       const triad_space *const *spaces);
void triad_modejob_close(triad_modejob *job);

/* Lines of field f that the buffer holds, one at least. */
int64_t triad_modejob_lines(const triad_modejob *job, const triad_manifest *m, int f);

/* Do the sums of blocks first .. last of a field, added over the ranks, match the manifest? TRIAD_ERR_CASE. */
int triad_modejob_check(const triad_modejob *job, const triad_manifest *m, int field, int64_t first, int64_t last);

/* All ranks have written their lines (with `gather`, rank 0 has for all), synced them and put their checksums into the
 * manifest, or have failed with `status`: the sums of all ranks in every rank's manifest, the first and the last block
 * of each field read back from the disk, where it lets us, and compared; the file closed. Collective; the status is the
 * same on all ranks, and a failure has been printed. */
int triad_modejob_seal(triad_modejob *job, triad_manifest *m, int gather, int status);

#endif
