/* Declarations shared by the HDF5 sources of this folder. */
#ifndef TRIAD_STORE_HDF5_H5INSIDE_H
#define TRIAD_STORE_HDF5_H5INSIDE_H

#include "base/status.h"
#include "store/hdf5/h5file.h"

#include <hdf5.h>

/* An HDF5 file that is made in memory: the library writes into sparse pages, and the finished file goes to the disk by
 * our own calls. The library thus never meets a failing disk, which it does not survive (after a failed H5Fclose its
 * clean-up at exit crashes), and large arrays that other hands fill take no memory. Not collective. */
typedef struct triad_h5_pages triad_h5_pages;

struct triad_h5 {
  hid_t id;
  char *path;
  triad_h5_pages *pages; /* NULL for a file that is read */
};

/* Stop HDF5 from printing its error stack: its words go into our messages. */
void triad_h5_quiet(void);

#define TRIAD_H5_FAIL(code, path, ...) triad_h5_note((code), __FILE__, __LINE__, (path), __VA_ARGS__)
int triad_h5_note(int code, const char *source, int line, const char *path, const char *format, ...)
  __attribute__((format(printf, 5, 6)));

/* Move the box of `count` values from `first` between an open dataset and memory, where the values have `type`: into
 * `out`, or from `in` where that is not NULL. TRIAD_ERR_IO. */
int triad_h5_move(triad_h5 *file, const char *name, hid_t set, hid_t type, int n_dims, const int64_t *first,
                  const int64_t *count, void *out, const void *in);

/* Takes id over, also on failure; takes pages over on success. */
int triad_h5_wrap(struct triad_h5 **out, hid_t id, const char *path, triad_h5_pages *pages);

#endif
