/* The planes of a case, with their memory and files, for every family. The family computes the values on a plane. Not
 * collective. */
#ifndef TRIAD_SOLVERS_SLICE_LIST_H
#define TRIAD_SOLVERS_SLICE_LIST_H

#include "case/case.h"
#include "case/slice.h"
#include "grid/space.h"
#include "solvers/needs.h"

/* Does the case write slices at all? */
int triad_slice_list_wanted(const triad_case *given);

/* The entries of output.slices, "auto" as a plane at 0; *n = 0 where none are written. */
int triad_slice_list_read(const triad_case *given, triad_slice list[TRIAD_SLICES], int *n);

/* Case warnings: planes of output.slices and places of output.probes beyond a periodic box, by more than a period
 * below 0 or above its end, and where they come to lie. periodic: is axis i? NULL: all are. */
void triad_places_warn(const triad_case *given, const double length[3], const int periodic[3],
                       triad_case_warnings *warnings);

/* The axes p and q of a plane across `axis`: x never comes first. */
void triad_slice_across(int axis, int across[2]);

/* Points of a plane; what one time of slices takes on the disk, at most: HDF5 and pictures that do not compress. */
int64_t triad_slice_points(const triad_slice *slice, const triad_axis axis[3]);
int64_t triad_slice_list_bytes(const triad_slice *list, int n, const triad_axis axis[3]);

/* The most that one of them takes. */
typedef struct triad_slice_most {
  int64_t points, pixels;
  int quantities;
} triad_slice_most;
triad_slice_most triad_slice_list_most(const triad_slice *list, int n, const triad_axis axis[3]);

#endif
