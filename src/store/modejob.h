/* What writing or reading the large file of a checkpoint works with on a rank: the open file, which of its lines are this
 * rank's, a staging buffer, and checksums. */
#ifndef TRIAD_STORE_MODEJOB_H
#define TRIAD_STORE_MODEJOB_H

#include "parallel/context.h"
#include "store/disk.h"
#include "store/modefile.h"

typedef struct triad_modejob {
  const triad_context *ctx;
  int64_t begin, count;       /* this rank's lines: columns or rows           */
  char path[TRIAD_PATH];      /* of the file; the caller sets it              */
  int fd;                     /* -1, until the caller opens it                */
  char *buffer;               /* `lines` lines of the file: some MiB          */
  int64_t lines;
  uint64_t *sums;             /* [n_fields][n_blocks] zeros, for what is read */
} triad_modejob;

/* Take the memory, for this rank's lines and a buffer of a multiple of `lanes` of them; TRIAD_ERR_MEMORY. Close also after
 * a failure, and one that was {.fd = -1, .ctx = ctx} only. Not collective. */
int triad_modejob_open(triad_modejob *job, const triad_context *ctx, const triad_manifest *m, int64_t begin, int64_t count,
                       int64_t lanes);
void triad_modejob_close(triad_modejob *job);

/* Do the sums of blocks first .. last of a field, added over the ranks, match the manifest? TRIAD_ERR_CASE. */
int triad_modejob_check(const triad_modejob *job, const triad_manifest *m, int field, int64_t first, int64_t last);

/* All ranks have written their lines (with `gather`, rank 0 has for all), synced them and put their checksums into the
 * manifest, or have failed with `status`: the sums of all ranks in every rank's manifest, the first and the last block of
 * each field read back from the disk, where it lets us, and compared; the file closed. Collective; the status is the same
 * on all ranks, and a failure has been printed. */
int triad_modejob_seal(triad_modejob *job, triad_manifest *m, int gather, int status);

#endif
