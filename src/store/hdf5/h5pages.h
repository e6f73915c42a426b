/* An HDF5 file in memory: create it, write it to the disk, destroy it. */
#ifndef TRIAD_STORE_HDF5_H5PAGES_H
#define TRIAD_STORE_HDF5_H5PAGES_H

#include "store/hdf5/h5inside.h"

int triad_h5_pages_create(triad_h5_pages **out);
void triad_h5_pages_destroy(triad_h5_pages **pages); /* accepts NULL; after the HDF5 file is closed */

/* File access over these pages, for H5Fcreate; negative on failure. Close it with H5Pclose. */
hid_t triad_h5_pages_access(triad_h5_pages *pages);

/* Write the file to the disk: create it (O_EXCL) at its full size, whose space is reserved first; then write every
 * page that the library has touched, and fsync. Untouched parts are zero. On failure the file is deleted.
 * TRIAD_ERR_IO; TRIAD_ERR_MEMORY if a page could not be allocated at any time, of which the library is not notified. */
int triad_h5_pages_store(const triad_h5_pages *pages, const char *path);

#endif
