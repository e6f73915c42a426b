/* Write zones, patches, connections and cell values to a CGNS file. */
#ifndef TRIAD_STORE_FORMATS_CGNS_WRITE_H
#define TRIAD_STORE_FORMATS_CGNS_WRITE_H

#include "store/formats/cgns.h"

/* Cells of a structured zone along i, j, k; x: coordinates of its points, x fastest. */
int triad_cgns_put_zone(triad_cgns *file, const char *name, const int64_t cells[3], double *const x[3]);
/* Points low .. high, from 1, of a family; and joins, as triad_cgns_join_at gives them. */
int triad_cgns_put_patch(triad_cgns *file, int zone, const char *name, const char *family, const int64_t low[3],
                         const int64_t high[3]);
int triad_cgns_put_join(triad_cgns *file, int zone, const char *other, const triad_cgns_join *join);
/* cloud: a zone of points and cells without indices. section: n elements of a kind, numbered from `first`, with the
 * numbers (from 1) of their points, or of the faces of a polyhedron, in list[size]; begin[n + 1]: where each begins,
 * for polygons and polyhedra. sides: elements first .. last of the zone are a patch. All are of the zone that was
 * put last. */
int triad_cgns_put_cloud(triad_cgns *file, const char *name, int64_t points, int64_t cells, double *const x[3]);
int triad_cgns_put_section(triad_cgns *file, const char *name, triad_cgns_kind kind, int64_t first, int64_t n,
                           int64_t size, const int64_t *list, const int64_t *begin);
int triad_cgns_put_sides(triad_cgns *file, const char *name, int64_t first, int64_t last);
/* Values of the cells of all zones at a moment, or steady: put_moment once, then the values, in reals of `element`
 * bytes. */
int triad_cgns_put_moment(triad_cgns *file, int steady, int64_t step, double t);
int triad_cgns_put_values(triad_cgns *file, int zone, const char *name, int element, const void *values);

#endif
