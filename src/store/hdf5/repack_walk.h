/* The datasets of an HDF5 file that Triad wrote. */
#ifndef TRIAD_STORE_HDF5_REPACK_WALK_H
#define TRIAD_STORE_HDF5_REPACK_WALK_H

#include "store/hdf5/repack_internal.h"

/* TRIAD_ERR_CASE when it is none that Triad writes. */
int triad_repack_look(triad_h5 *file, const char *name, hid_t set, triad_repack_set *out);

#endif
