/* Attributes of a repacked file: copy, compare, rewrite dimension scales. */
#ifndef TRIAD_STORE_HDF5_REPACK_ATTRIBUTES_H
#define TRIAD_STORE_HDF5_REPACK_ATTRIBUTES_H

#include "store/hdf5/repack_internal.h"

/* Copy the attributes of an object ("/": the root) that are not of dimension scales, or compare them with it. */
int triad_repack_attributes(triad_h5 *from, triad_h5 *to, const char *object, int compare);

/* Make the dimension scales of the copy what they are in the original. */
int triad_repack_scales(triad_h5 *from, triad_h5 *to, const char *name);

#endif
