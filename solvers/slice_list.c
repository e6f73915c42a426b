/* Read the planes of a case and compute the size of their files and pictures. */
#include "solvers/slice_list.h"

#include "case/probe.h"
#include "store/formats/slicefile.h"

#include <math.h>

enum { FILE_BYTES = 16384 /* of HDF5, in addition to the values */ };

int triad_slice_list_wanted(const triad_case *given)
{
  const char *texts[TRIAD_SLICES];
  return triad_case_applies(given, "output.slices") &&
         triad_case_texts(given, "output.slices", texts, TRIAD_SLICES) > 0;
}

/* Across the axis of the fewest points, z rather than others: of a flow in a plane, that plane. */
static int axis_of(const triad_case *given)
{
  int64_t n[3];
  triad_case_integers(given, "grid.n", n, 3);
  int axis = 2;
  for (int i = 1; i >= 0; i--)
    if (n[i] < n[axis]) axis = i;
  return axis;
}

int triad_slice_list_read(const triad_case *given, triad_slice list[TRIAD_SLICES], int *n)
{
  const char *texts[TRIAD_SLICES];
  char why[256];
  triad_own_names own;
  triad_own_names_of(given, &own);
  int asked = triad_slice_list_wanted(given) ? triad_case_texts(given, "output.slices", texts, TRIAD_SLICES) : 0;
  *n = 0;
  for (int i = 0; i < asked; i++) {
    triad_slice *slice = &list[*n];
    if (!triad_slice_read(texts[i], triad_case_word(given, "equations.solver"), &own, slice, why, sizeof why))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "output.slices: %s", why);
    if (slice->free) slice->axis = axis_of(given);
    *n += slice->n > 0; /* a solver may have nothing that it is looked at by */
  }
  return TRIAD_OK;
}

void triad_slice_across(int axis, int across[2])
{
  across[0] = axis == 2 ? 1 : 2;
  across[1] = axis == 0 ? 1 : 0;
}

int64_t triad_slice_points(const triad_slice *slice, const triad_axis axis[3])
{
  int across[2];
  triad_slice_across(slice->axis, across);
  return axis[across[0]].n * axis[across[1]].n;
}

static int64_t pixels_of(const triad_slice *slice, const triad_axis axis[3])
{
  int across[2];
  int64_t size[2];
  triad_slice_across(slice->axis, across);
  return triad_slice_pixels(axis, across, size);
}

int64_t triad_slice_list_bytes(const triad_slice *list, int n, const triad_axis axis[3])
{
  int64_t bytes = 0;
  for (int i = 0; i < n; i++)
    bytes += FILE_BYTES +
             list[i].n * (triad_slice_points(&list[i], axis) * (int64_t)sizeof(double) + pixels_of(&list[i], axis));
  return bytes;
}

triad_slice_most triad_slice_list_most(const triad_slice *list, int n, const triad_axis axis[3])
{
  triad_slice_most most = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    int64_t points = triad_slice_points(&list[i], axis), pixels = pixels_of(&list[i], axis);
    most.points = points > most.points ? points : most.points;
    most.pixels = pixels > most.pixels ? pixels : most.pixels;
    most.quantities = list[i].n > most.quantities ? list[i].n : most.quantities;
  }
  return most;
}

static void warn_of_place(triad_case_warnings *d, const char *what, int axis, double at, double length)
{
  if (at >= -length * (1 + 1e-9) && at <= length * (1 + 1e-9)) return;
  triad_case_warn(d, "%s: %c = %g is outside the box of length %.6g: %c = %.6g is used", what, "xyz"[axis], at, length,
                  "xyz"[axis], at - length * floor(at / length));
}

void triad_places_warn(const triad_case *given, const double length[3], const int periodic[3],
                       triad_case_warnings *warnings)
{
  triad_slice list[TRIAD_SLICES];
  triad_probe probes[TRIAD_PROBES];
  int n = 0;
  if (triad_slice_list_read(given, list, &n) != TRIAD_OK) triad_message_clear();
  for (int i = 0; i < n; i++)
    if (!periodic || periodic[list[i].axis])
      warn_of_place(warnings, "output.slices", list[i].axis, list[i].at, length[list[i].axis]);
  n = triad_probe_list(given, probes);
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3 && !probes[i].lattice; a++)
      if (!periodic || periodic[a]) warn_of_place(warnings, "output.probes", a, probes[i].x[a], length[a]);
}
