/* A slice on the disk: RUN/slices/slice1-00001200.h5 of the first plane of the case, and a picture of each quantity,
 * slice1-vorticity-00001200.png.
 *
 * The HDF5 file has a dataset for each quantity, (y, x) on z = c, (z, x) on y = c, (z, y) on x = c, with those axes as
 * dimension scales, units and long names; at the root step, t, length (x, y, z), axis ("z") and at (c). The picture
 * shows the first row below, in colours of store/picture.h; its text chunks say what it shows and from which value to
 * which. Small planes are enlarged, each point to a block of pixels. Not collective. */
#ifndef TRIAD_STORE_FORMATS_SLICEFILE_H
#define TRIAD_STORE_FORMATS_SLICEFILE_H

#include "case/slice.h"
#include "grid/space.h"
#include "store/checkpoint/notes.h"
#include "store/formats/picture.h"

typedef struct triad_slice_file {
  const char *run_dir;
  int number; /* of the slice in the case, from 1 */
  int64_t step;
  double t;
  const triad_axis *axis; /* [3] of the box */
  const triad_slice *slice;
  const triad_notes *notes; /* may be NULL */
  double *const *values;    /* [quantity][p][q], p and q as in solvers/spectral/plain/slice_image.h */
  unsigned char *pixels;    /* triad_slice_pixels of them to work in */
  int64_t outside;          /* places where there is no flow: NAN in each quantity */
} triad_slice_file;

/* Pixels of the picture of a plane with these of the box's axes along p and q: width, height; returns their number. A
 * point of a stretched axis is as wide as the average one. */
int64_t triad_slice_pixels(const triad_axis axis[3], const int across[2], int64_t size[2]);

/* Which colours show a quantity, and from which value to which they go: of those that are finite. */
triad_colours triad_slice_colours(const triad_slice_quantity *quantity, int64_t n, const double *values,
                                  double range[2]);

/* Write all of them. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_slice_file_write(const triad_slice_file *file);

#endif
