/* Capacity of a set of growing files, and the shape of its datasets. */
#ifndef TRIAD_STORE_HDF5_GROWSIZE_H
#define TRIAD_STORE_HDF5_GROWSIZE_H

#include "store/hdf5/growview.h"

/* Rows that a file of rows has room for, and the first of them. Dimensions of a set; returns how many. */
int64_t triad_growfile_capacity(const triad_growfile *file, int part, int64_t *first);
int triad_growfile_dims(const triad_growfile *file, int set, int64_t rows, int64_t dims[4]);

#endif
