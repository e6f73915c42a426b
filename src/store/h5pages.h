/* An HDF5 file that is made in memory: the library writes into sparse pages, and the finished file goes to the disk by
 * our own calls. The library thus never meets a failing disk, which it does not survive (after a failed H5Fclose its
 * clean-up at exit crashes), and large arrays that other hands fill take no memory. Not collective. */
#ifndef TRIAD_STORE_H5PAGES_H
#define TRIAD_STORE_H5PAGES_H

#include <hdf5.h>

typedef struct triad_h5_pages triad_h5_pages;

int triad_h5_pages_create(triad_h5_pages **out);
void triad_h5_pages_destroy(triad_h5_pages **pages); /* accepts NULL; after the HDF5 file is closed */

/* File access over these pages, for H5Fcreate; negative on failure. Close it with H5Pclose. */
hid_t triad_h5_pages_access(triad_h5_pages *pages);

/* Make the file on the disk: a new one (O_EXCL) of its full size, whose room is taken first; then every page that the
 * library has touched, and fsync. Parts never touched are zero. On failure the file is deleted. TRIAD_ERR_IO. */
int triad_h5_pages_store(const triad_h5_pages *pages, const char *path);

#endif
