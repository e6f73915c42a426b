/* Datasets of packed boxes (store/zfp.h), written chunk by chunk as they come out of the packer. Not collective. */
#ifndef TRIAD_STORE_HDF5_H5CHUNKS_H
#define TRIAD_STORE_HDF5_H5CHUNKS_H

#include "store/hdf5/h5file.h"

#include <stddef.h>

/* A dataset (z, y, x) of reals of 4 or 8 bytes in chunks of chunk[3], which the filter of these numbers reads.
 * TRIAD_ERR_IO. */
int triad_h5_packed(triad_h5 *file, const char *name, int element, const int64_t dims[3], const int64_t chunk[3],
                    size_t n_numbers, const unsigned *numbers);

/* The bytes of the chunk that begins with plane z; padded beyond the last plane. TRIAD_ERR_IO. */
int triad_h5_put_chunk(triad_h5 *file, const char *name, int64_t z, size_t size, const void *bytes);

#endif
