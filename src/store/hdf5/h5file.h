/* Create HDF5 files with the serial library, on one rank.
 *
 * The file is built in memory (h5pages.c) and written to the disk when it is closed. Large arrays are *slabs*: the
 * library only creates the dataset (contiguous, allocated at once, no fill value, no filter) and returns the offset of
 * its bytes; every rank then writes its own part there with triad_disk_write. Small ones and attributes are written by
 * the library. The result is an ordinary HDF5 file. Modification times are omitted, so that equal contents give equal
 * files. Numbers in files are little-endian. All failures are TRIAD_ERR_IO with HDF5's message; nothing here is
 * collective. */
#ifndef TRIAD_STORE_HDF5_H5FILE_H
#define TRIAD_STORE_HDF5_H5FILE_H

#include "base/status.h"
#include "store/checkpoint/notes.h"

#include <stdint.h>

typedef struct triad_h5 triad_h5;

enum { TRIAD_H5_DIMS = 8 }; /* most dimensions a dataset may have */

int triad_h5_create(triad_h5 **out, const char *path);

/* With status TRIAD_OK, put a created file on the disk: it must not exist, all its room is taken, and what is not a
 * slab is written and synced. Otherwise, or on failure, nothing is left. Returns the status, or that of the failure.
 * Also for files that triad_h5_open opened. *file becomes NULL; NULL is accepted. */
int triad_h5_close(triad_h5 **file, int status);

/* A dataset of reals of 4 or 8 bytes, last dimension fastest, that other hands fill; then where its bytes begin. */
int triad_h5_slab(triad_h5 *file, const char *name, int element, int n_dims, const int64_t *dims);
int triad_h5_slab_offset(triad_h5 *file, const char *name, int64_t *offset);

/* The same of integers, signed ones of 8 bytes or unsigned ones of 1. */
int triad_h5_slab_integers(triad_h5 *file, const char *name, int element, int n_dims, const int64_t *dims);

/* Create a group in an existing one. */
int triad_h5_group(triad_h5 *file, const char *name);

/* Datasets written now. */
int triad_h5_put_doubles(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const double *values);
int triad_h5_put_integers(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const int32_t *values);
int triad_h5_put_longs(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const int64_t *values);

/* A dataset of doubles (integers: of 64-bit ones) whose values are in other files of the same folder, under the same
 * name: rows `first` .. of it are rows 0 .. rows - 1 of a dataset with `capacity` rows. h5virtual.c. */
typedef struct triad_h5_part {
  char file[96];
  int64_t first, rows, capacity;
} triad_h5_part;
int triad_h5_put_virtual(triad_h5 *file, const char *name, int integers, int n_dims, const int64_t *dims, int n,
                         const triad_h5_part *parts);

/* Attributes of a dataset, or of the file's root where object is "/". n = 0 makes a scalar, which reads one value. */
int triad_h5_text(triad_h5 *file, const char *object, const char *name, const char *value);
/* of fixed length, for readers that require it */
int triad_h5_ascii(triad_h5 *file, const char *object, const char *name, const char *value);
int triad_h5_reals(triad_h5 *file, const char *object, const char *name, int n, const double *values);
int triad_h5_integers(triad_h5 *file, const char *object, const char *name, int n, const int64_t *values);

/* A new group with every note as an attribute (a long text as a dataset in it: attributes are limited to 64 KiB).
 * NULL notes make nothing. */
int triad_h5_put_notes(triad_h5 *file, const char *group, const triad_notes *notes);

#endif
