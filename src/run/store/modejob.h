/* What writing or reading modes.h5 works with on a rank: the open file, a staging buffer, and checksums. */
#ifndef TRIAD_RUN_STORE_MODEJOB_H
#define TRIAD_RUN_STORE_MODEJOB_H

#include "grid/layout.h"
#include "parallel/context.h"
#include "run/store/disk.h"
#include "run/store/modefile.h"

typedef struct triad_modejob {
  const triad_context *ctx;
  const triad_layout *layout; /* that the file's columns are dealt by         */
  char path[TRIAD_PATH];      /* of modes.h5; the caller sets it              */
  int fd;                     /* -1, until the caller opens it                */
  char *buffer;               /* `lines` columns of the file: some MiB        */
  int64_t lines;
  uint64_t *sums;             /* [n_fields][n_blocks] zeros, for what is read */
} triad_modejob;

/* Take the memory; TRIAD_ERR_MEMORY. Close also after a failure, and one that was {.fd = -1, .ctx = ctx} only.
 * Not collective. */
int triad_modejob_open(triad_modejob *job, const triad_context *ctx, const triad_layout *layout,
                       const triad_manifest *m);
void triad_modejob_close(triad_modejob *job);

/* Do the sums of blocks first .. last of a field, added over the ranks, match the manifest? TRIAD_ERR_CASE. */
int triad_modejob_check(const triad_modejob *job, const triad_manifest *m, int field, int64_t first, int64_t last);

#endif
