/* Declarations shared by the sources of repack.h. */
#ifndef TRIAD_STORE_HDF5_REPACK_INTERNAL_H
#define TRIAD_STORE_HDF5_REPACK_INTERNAL_H

#include "base/guard.h"
#include "store/hdf5/h5inside.h"
#include "store/hdf5/h5read.h"
#include "store/hdf5/repack.h"

/* What is known of a dataset before its values are read. */
typedef struct triad_repack_set {
  int n_dims;
  int64_t dims[TRIAD_H5_DIMS], chunk[TRIAD_H5_DIMS], piece[TRIAD_H5_DIMS];
  int64_t values, bytes; /* bytes of one value */
  int is_real, is_text;
  int is_large;    /* to be compressed                */
  int is_deflated; /* it is                           */
} triad_repack_set;

/* Call `visit` with the path of every dataset, and `enter` with that of every group (both may be NULL). */
typedef int triad_repack_visit(void *who, const char *name);
int triad_repack_walk(triad_h5 *file, triad_repack_visit *visit, triad_repack_visit *enter, void *who);

#define REPACK_FAIL(file, ...) TRIAD_H5_FAIL(TRIAD_ERR_IO, (file)->path, __VA_ARGS__)

#endif
