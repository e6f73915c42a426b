/* Write a slice as HDF5 and a picture of each of its quantities. */
#include "store/formats/slicefile.h"

#include "base/precision.h"
#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 512 /* pixels along the longer side that are aimed at */ };

static void axes_of(int axis, int across[2])
{
  across[0] = axis == 2 ? 1 : 2;
  across[1] = axis == 0 ? 1 : 0;
}

static int64_t points_of(const triad_slice_file *f, int64_t dims[2])
{
  int across[2];
  axes_of(f->slice->axis, across);
  for (int i = 0; i < 2; i++) dims[i] = f->axis[across[i]].n;
  return dims[0] * dims[1];
}

/* ---- HDF5 ---- */

static int put_axis(triad_h5 *h5, const triad_axis *axis, const char *name)
{
  double *x = calloc((size_t)axis->n, sizeof *x);
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld coordinates", (long long)axis->n);
  for (int64_t i = 0; i < axis->n; i++) x[i] = triad_axis_position(axis, i);
  int st = triad_h5_put_doubles(h5, name, 1, &axis->n, x);
  free(x);
  if (st == TRIAD_OK) st = triad_h5_make_scale(h5, name);
  return st == TRIAD_OK ? triad_h5_text(h5, name, "units", "L") : st;
}

static int fill_file(triad_h5 *h5, const triad_slice_file *f)
{
  const triad_slice *slice = f->slice;
  const char axis[2] = {"xyz"[slice->axis], '\0'};
  int across[2];
  int64_t dims[2];
  axes_of(slice->axis, across);
  (void)points_of(f, dims);
  const char p[2] = {"xyz"[across[0]], '\0'}, q[2] = {"xyz"[across[1]], '\0'}, *const scales[2] = {p, q};
  TRIAD_TRY(triad_h5_put_instant(h5, f->step, f->t));
  const double length[3] = {f->axis[0].length, f->axis[1].length, f->axis[2].length};
  TRIAD_TRY(triad_h5_reals(h5, "/", "length", 3, length));
  TRIAD_TRY(triad_h5_text(h5, "/", "axis", axis));
  TRIAD_TRY(triad_h5_reals(h5, "/", "at", 0, &slice->at));
  if (f->outside > 0) TRIAD_TRY(triad_h5_integers(h5, "/", "outside", 0, &f->outside));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", f->notes));
  for (int i = 0; i < 2; i++) TRIAD_TRY(put_axis(h5, &f->axis[across[i]], scales[i]));
  for (int i = 0; i < slice->n; i++) {
    const triad_slice_quantity *quantity = &slice->quantity[i];
    TRIAD_TRY(triad_h5_put_doubles(h5, quantity->name, 2, dims, f->values[i]));
    TRIAD_TRY(triad_h5_text(h5, quantity->name, "units", quantity->unit));
    TRIAD_TRY(triad_h5_text(h5, quantity->name, "long_name", quantity->long_name));
    TRIAD_TRY(triad_h5_use_scales(h5, quantity->name, 2, scales));
  }
  return TRIAD_OK;
}

static int write_numbers(const triad_slice_file *f, const char *folder)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-slice%d-%08lld.h5", folder, f->number, (long long)f->step));
  TRIAD_TRY(triad_disk_path(final, "%s/slice%d-%08lld.h5", folder, f->number, (long long)f->step));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  TRIAD_TRY(triad_h5_create(&h5, temporary));
  int st = triad_h5_close(&h5, fill_file(h5, f));
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

/* ---- pictures ---- */

/* How many pixels a point gets along p and q: whole numbers, so that pixels come out about square. */
static void enlarge(const triad_axis axis[3], const int across[2], int64_t by[2])
{
  double d[2], least;
  int64_t most = 1;
  for (int i = 0; i < 2; i++) {
    d[i] = axis[across[i]].length / (double)axis[across[i]].n;
    most = axis[across[i]].n > most ? axis[across[i]].n : most;
  }
  least = fmin(axis[across[0]].n > 1 ? d[0] : d[1], axis[across[1]].n > 1 ? d[1] : d[0]);
  int64_t whole = most < LARGE ? (LARGE + most - 1) / most : 1;
  for (int i = 0; i < 2; i++) {
    double wanted = (double)whole * d[i] / least;
    by[i] = axis[across[i]].n == 1 ? 16 : (int64_t)fmin(fmax(floor(wanted + 0.5), 1), 8.0 * (double)whole);
  }
}

int64_t triad_slice_pixels(const triad_axis axis[3], const int across[2], int64_t size[2])
{
  int64_t by[2];
  enlarge(axis, across, by);
  size[0] = axis[across[1]].n * by[1];
  size[1] = axis[across[0]].n * by[0];
  return size[0] * size[1];
}

triad_colours triad_slice_colours(const triad_slice_quantity *q, int64_t n, const double *values, double range[2])
{
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    if (isfinite(values[i])) most = fmax(most, fabs(values[i]));
  range[0] = q->scale == TRIAD_SCALE_SIGNED ? -most : 0;
  range[1] = most;
  switch (q->scale) {
  case TRIAD_SCALE_SIGNED: return TRIAD_COLOURS_SIGNED;
  case TRIAD_SCALE_FROM_ZERO: return TRIAD_COLOURS_RISING;
  case TRIAD_SCALE_LEAST:
    range[0] = most;
    for (int64_t i = 0; i < n; i++)
      if (isfinite(values[i])) range[0] = fmin(range[0], values[i]);
    return TRIAD_COLOURS_RISING;
  case TRIAD_SCALE_ANGLE:
    range[1] = TRIAD_PI;
    range[0] = -range[1];
    return TRIAD_COLOURS_CYCLIC;
  }
  return TRIAD_COLOURS_RISING;
}

static void paint(const triad_slice_file *f, const double *values, const double range[2])
{
  int across[2];
  int64_t by[2], n[2], size[2];
  (void)points_of(f, n);
  axes_of(f->slice->axis, across);
  enlarge(f->axis, across, by);
  (void)triad_slice_pixels(f->axis, across, size);
  for (int64_t row = 0; row < size[1]; row++) {
    const double *line = values + (n[0] - 1 - row / by[0]) * n[1]; /* the first one below */
    unsigned char *to = f->pixels + row * size[0];
    for (int64_t q = 0; q < n[1]; q++) {
      unsigned char colour = triad_colours_entry(line[q], range[0], range[1]);
      for (int64_t i = 0; i < by[1]; i++) *to++ = colour;
    }
  }
}

static int write_picture(const triad_slice_file *f, const char *folder, int i)
{
  const triad_slice_quantity *quantity = &f->slice->quantity[i];
  unsigned char colours[TRIAD_COLOUR_COUNT][3];
  char name[128], what[256], when[64], where[64], from[64];
  int across[2];
  int64_t dims[2], size[2];
  double range[2];
  axes_of(f->slice->axis, across);
  triad_colours_table(triad_slice_colours(quantity, points_of(f, dims), f->values[i], range), colours);
  (void)triad_slice_pixels(f->axis, across, size);
  paint(f, f->values[i], range);
  (void)snprintf(name, sizeof name, "slice%d-%s-%08lld.png", f->number, quantity->name, (long long)f->step);
  (void)snprintf(what, sizeof what, "%s [%s]", quantity->long_name, quantity->unit);
  (void)snprintf(when, sizeof when, "step %lld, t = %.17g", (long long)f->step, f->t);
  (void)snprintf(where, sizeof where, "%c = %.17g; %c to the right, %c up", "xyz"[f->slice->axis], f -> slice -> at,
                 "xyz"[across[1]], "xyz"[across[0]]);
  (void)snprintf(from, sizeof from, "%.9g to %.9g", range[0], range[1]);
  const triad_png_text texts[] = {
    {"Title", what}, {"Time", when}, {"Plane", where}, {"Range", from}, {"Software", "Triad"}};
  const triad_png picture = {.width = size[0],
                             .height = size[1],
                             .pixels = f->pixels,
                             .colours = (const unsigned char(*)[3])colours,
                             .n_texts = 5,
                             .texts = texts};
  return triad_png_write(folder, name, &picture);
}

int triad_slice_file_write(const triad_slice_file *f)
{
  char folder[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(folder, "%s/slices", f->run_dir));
  TRIAD_TRY(triad_disk_make_folder(folder));
  for (int i = 0; i < f->slice->n; i++) TRIAD_TRY(write_picture(f, folder, i));
  return write_numbers(f, folder); /* last: if this file exists, so do the pictures */
}
