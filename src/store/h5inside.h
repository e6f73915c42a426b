/* What the HDF5 sources of this folder share; nobody else includes it. */
#ifndef TRIAD_STORE_H5INSIDE_H
#define TRIAD_STORE_H5INSIDE_H

#include "store/h5pages.h"

#include "base/status.h"

#include <hdf5.h>

struct triad_h5 {
  hid_t id;
  char *path;
  triad_h5_pages *pages; /* NULL for a file that is read */
};

/* The innermost words of HDF5's error stack, "" when it is empty. They stay valid until the next call. */
const char *triad_h5_words(void);

/* Stop HDF5 from printing its error stack: its words go into our messages. */
void triad_h5_quiet(void);

#define TRIAD_H5_FAIL(code, path, ...) triad_h5_note((code), __FILE__, __LINE__, (path), __VA_ARGS__)
int triad_h5_note(int code, const char *source, int line, const char *path, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Takes id over, also on failure; takes pages over on success. */
int triad_h5_wrap(struct triad_h5 **out, hid_t id, const char *path, triad_h5_pages *pages);

#endif
