/* Dimension scales of HDF5 files: create a scale, and attach scales to a dataset. */
#ifndef TRIAD_STORE_HDF5_H5SCALE_H
#define TRIAD_STORE_HDF5_H5SCALE_H

#include "store/hdf5/h5file.h"

/* The instant of a file: step and t as attributes of the root; and t as a coordinate, a scale of one value, along which
 * files of several times are joined (xarray.open_mfdataset). */
int triad_h5_put_instant(triad_h5 *file, int64_t step, double t);

/* Dimension scales, as the HDF5 dimension scale specification lays down: turn a 1-D dataset into the coordinate of a
 * dimension; then name the scale of each dimension of a dataset (NULL: none). Call the latter once a dataset. */
int triad_h5_make_scale(triad_h5 *file, const char *dataset);
int triad_h5_use_scales(triad_h5 *file, const char *dataset, int n_dims, const char *const *scales);

#endif
