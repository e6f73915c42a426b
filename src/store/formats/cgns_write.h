/* Write structured zones, patches, connections and cell values to a CGNS file. */
#ifndef TRIAD_STORE_FORMATS_CGNS_WRITE_H
#define TRIAD_STORE_FORMATS_CGNS_WRITE_H

#include "store/formats/cgns.h"

/* Cells of a structured zone along i, j, k; x: coordinates of its points, x fastest. */
int triad_cgns_put_zone(triad_cgns *file, const char *name, const int64_t cells[3], double *const x[3]);
/* Points low .. high, from 1, of a family; and joins, as triad_cgns_join_at gives them. */
int triad_cgns_put_patch(triad_cgns *file, int zone, const char *name, const char *family, const int64_t low[3],
                         const int64_t high[3]);
int triad_cgns_put_join(triad_cgns *file, int zone, const char *other, const triad_cgns_join *join);
/* Values of the cells of all zones at a moment, or steady: put_moment once, then the values, in reals of `element`
 * bytes. */
int triad_cgns_put_moment(triad_cgns *file, int steady, int64_t step, double t);
int triad_cgns_put_values(triad_cgns *file, int zone, const char *name, int element, const void *values);

#endif
