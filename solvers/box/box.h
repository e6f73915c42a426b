/* Flows on points of a box: the box of a case, memory and bytes of files, and slices, planes of points as HDF5 and
 * pictures (store/slicefile.h).
 *
 * Derivatives that slices show are differences of second order of neighbouring points, one-sided at a boundary that is
 * not periodic: of what is to be looked at, not of budgets. */
#ifndef TRIAD_SOLVERS_BOX_BOX_H
#define TRIAD_SOLVERS_BOX_BOX_H

#include "base/precision.h"
#include "solvers/box/files.h"

/* The points of the case's grid.n and grid.length with halos of `width` points, as `rank` of `size` has them,
 * divided as parallel.blocks asks where the solver has that key. periodic: is axis i? NULL: all are. TRIAD_ERR_CASE.
 * Not collective. */
int triad_box_of_case(triad_space *space, const triad_case *given, const int periodic[3], int64_t width, int rank,
                      int size);

/* Add what checkpoints, files of fields and slices of `fields` fields take, on the disk and of the memory of the rank
 * that has the most points, the last one, whose space this is. TRIAD_ERR_CASE as slices_read. Not collective. */
int triad_box_needs(triad_needs *needs, const triad_case *given, const triad_space *largest, int fields);

/* The planes that the case asks for, each moved to the nearest points: list[i].at is their position. TRIAD_ERR_CASE for
 * one that is not in the box. Not collective. */
int triad_box_slices_read(const triad_case *given, const triad_axis axis[3], triad_slice list[TRIAD_SLICES], int *n);

/* A quantity of the family's own kind (TRIAD_QUANTITY_OWN and above) at a point, of the values there of all the fields
 * of its values_info. */
typedef double triad_point_quantity(const void *flow, int kind, const double *values);

/* Write the planes; own may be NULL. The member `slices` of a family calls this. Collective. */
int triad_box_slices(const triad_simulation *sim, triad_point_quantity *own, const char *run_dir,
                     const triad_notes *notes);

/* One quantity at this rank's points, out[values' space.memory]: the member `quantity` of a family calls this.
 * Collective. */
int triad_box_quantity(const triad_simulation *sim, triad_point_quantity *own, const triad_slice_quantity *quantity,
                       triad_real *out);

/* ---- places of output.probes (box_probes.c) ----
 *
 * Values by the polynomial of third degree through the four points about a place along each axis, of fourth order in
 * the spacing; across the ends of a periodic axis, and at other ends the four points nearest to them. An axis of
 * fewer points has a polynomial of as many. Axes are evenly spaced. Each rank adds the points that it has, exactly
 * (parallel/sum.h): the same bits on any ranks. */
typedef struct triad_box_probes triad_box_probes;

/* Are all places in the box, where an axis is not periodic? TRIAD_ERR_CASE. Not collective. */
int triad_box_probes_check(const triad_case *given, const triad_axis axis[3]);

/* space: the points without ghosts. *out stays NULL where the case names none, which all others here take.
 * Collective. */
int triad_box_probes_create(triad_box_probes **out, triad_context *context, const triad_case *given,
                            const triad_space *space);
void triad_box_probes_destroy(triad_box_probes **probes);

/* For the member places_info of a family whose values_info has these fields. */
void triad_box_probes_info(const triad_box_probes *probes, const triad_field_info *fields, int n,
                           triad_places_info *info);

/* The indices of this rank's points used for interpolation, [z][y][x] of its own points, and their number: the same at
 * every call. */
int64_t triad_box_probes_points(const triad_box_probes *probes, const int64_t **at);

/* For the member places: of fields that are known[field][point] at these points. Collective. */
int triad_box_probes_values(triad_box_probes *probes, int fields, const triad_real *known, double *values);

#endif
