/* Inspect files: which checkpoint a path means, whether it is complete, and the description in an HDF5 file. */
#ifndef TRIAD_STORE_CHECKPOINT_INSPECT_H
#define TRIAD_STORE_CHECKPOINT_INSPECT_H

#include "store/checkpoint/find.h"
#include "store/hdf5/h5read.h"

typedef enum triad_path_kind {
  TRIAD_PATH_MISSING,
  TRIAD_PATH_FILE,       /* a regular file                                        */
  TRIAD_PATH_RUN,        /* a run directory: it has checkpoints/ or a case.resolved.toml */
  TRIAD_PATH_CHECKPOINT, /* a checkpoint's folder, or modes.h5 or manifest.txt in one */
  TRIAD_PATH_FOLDER,     /* any other folder                                      */
  TRIAD_PATH_OTHER       /* a device, a pipe, a socket                            */
} triad_path_kind;

/* By names and what kinds of files there are; nothing is opened. Not collective. */
triad_path_kind triad_path_look(const char *path);

/* What a path names: all behind its last slash. */
const char *triad_path_name(const char *path);

/* Is it PREFIX<digits>.h5; or, of a prefix that does not end with '-', as slices have, PREFIX<digits>-<digits>.h5? */
int triad_path_numbered(const char *name, const char *prefix);

/* Is the dataset compressed by deflate? */
int triad_h5_deflated(triad_h5 *file, const char *name);

/* The text of an attribute of an object ("/": the root), cut to `size`; 0 where there is none that is text. */
int triad_h5_attribute_text(triad_h5 *file, const char *object, const char *name, char *out, size_t size);

#endif
