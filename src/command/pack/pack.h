/* Declarations shared by the sources of `triad pack`. Nothing here is collective. */
#ifndef TRIAD_COMMAND_PACK_PACK_H
#define TRIAD_COMMAND_PACK_PACK_H

#include "base/log.h"
#include "base/status.h"

#include <stdint.h>

typedef struct triad_pack {
  triad_log *log;
  const char *run; /* the run directory */
  int level, single, checkpoints, break_lock;
  int packed, already, failed; /* files so far; failed: left unchanged, with a message */
  int64_t before, after;       /* bytes of those packed now */
  int status;                  /* the worst of the failures */
} triad_pack;

/* fields/ or spectra/: FOLDER of the run, files PREFIX<digits>.h5. */
int triad_pack_folder(triad_pack *pack, const char *folder, const char *prefix, int single);

/* Checkpoints but the newest two valid ones, into archive/. */
int triad_pack_checkpoints(triad_pack *pack);

/* Join pieces into an HDF5 file; an existing one is replaced only with `replace`. */
int triad_pack_series(triad_log *log, const char *out, int n, const char *const *pieces, int replace);

#endif
