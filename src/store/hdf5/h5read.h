/* Reading HDF5 files that others made: any chunking, compression and byte order that the library knows. Each rank may
 * open a file for itself; nothing here is collective. */
#ifndef TRIAD_STORE_HDF5_H5READ_H
#define TRIAD_STORE_HDF5_H5READ_H

#include "store/hdf5/h5file.h"

/* Open for reading, after a look at the first bytes and the size. TRIAD_ERR_INPUT when the file is missing,
 * TRIAD_ERR_CASE when it is no HDF5 file or ends too soon. Close with triad_h5_close. */
int triad_h5_open(triad_h5 **out, const char *path);

/* Dimensions of a dataset of numbers, slowest first: dims[TRIAD_H5_DIMS], and the bytes of a number in the file (may
 * be NULL). TRIAD_ERR_CASE if the dataset does not exist (the message lists the existing ones) or does not contain
 * real or integer numbers. */
int triad_h5_dims(triad_h5 *file, const char *name, int *n_dims, int64_t *dims, int *number_bytes);

/* The box of count[n_dims] values from first[n_dims] along each dimension, as reals of `element` bytes, last dimension
 * fastest. TRIAD_ERR_CASE when the dataset has another number of dimensions or the box does not lie inside,
 * TRIAD_ERR_IO when it cannot be read. */
int triad_h5_read(triad_h5 *file, const char *name, int n_dims, const int64_t *first, const int64_t *count, int element,
                  void *out);

/* Call `use` with every piece of an array: its first index, size and number of values; none where the array
 * is empty. */
typedef int triad_h5_piece(void *who, const int64_t *first, const int64_t *count, int64_t values);
int triad_h5_pieces(int n_dims, const int64_t *dims, const int64_t *piece, triad_h5_piece *use, void *who);

/* The n values of a numerical attribute of the root; TRIAD_ERR_CASE when there are not so many. */
int triad_h5_root_reals(triad_h5 *file, const char *name, int n, double *values);

/* The numerical attribute of the group "notes"; returns 0 if there is none. */
int triad_h5_note_real(triad_h5 *file, const char *name, double *value);

/* Call the function with the name of each dataset of the root group, sorted by name, until it returns nonzero. */
int triad_h5_each(triad_h5 *file, int (*tell)(void *who, const char *name), void *who);

/* Is there a group of this path, "a/b", no part of which is a link to somewhere else? */
int triad_h5_has_group(triad_h5 *file, const char *path);

/* As triad_h5_each, for the group of this path. TRIAD_ERR_CASE if it does not exist. */
int triad_h5_each_in(triad_h5 *file, const char *path, int (*tell)(void *who, const char *name), void *who);

#endif
