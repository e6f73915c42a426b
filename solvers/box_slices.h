/* Slices of a flow whose values are points of a box, for every family of such flows: planes of points as HDF5 and
 * pictures (store/slicefile.h), and what files of a box take.
 *
 * Derivatives are differences of second order of neighbouring points, one-sided at a boundary that is not periodic: of
 * what is to be looked at, not of budgets. */
#ifndef TRIAD_SOLVERS_BOX_SLICES_H
#define TRIAD_SOLVERS_BOX_SLICES_H

#include "base/precision.h"
#include "solvers/files.h"

/* A quantity of the family's own kind (TRIAD_QUANTITY_OWN and above) at a point, of the values there of all the fields
 * of its values_info. */
typedef double triad_point_quantity(const void *flow, int kind, const double *values);

/* Write the planes that the case asks for; own may be NULL. The member `slices` of a family calls this. Collective. */
int triad_box_slices(const triad_simulation *sim, triad_point_quantity *own, const char *run_dir,
                     const triad_notes *notes);

/* The planes, each moved to the nearest points: list[i].at is their position. TRIAD_ERR_CASE for one that is not in the
 * box. Not collective. */
int triad_box_slices_read(const triad_case *given, const triad_axis axis[3], triad_slice list[TRIAD_SLICES], int *n);

/* Add what checkpoints, files of fields and slices of `fields` fields take, on the disk and of the memory of the rank
 * that has the most points, whose space this is. TRIAD_ERR_CASE as above. Not collective. */
int triad_box_needs(triad_needs *needs, const triad_case *given, const triad_space *largest, int fields);

#endif
