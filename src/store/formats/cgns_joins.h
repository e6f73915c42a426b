/* Connections between zones of a CGNS file: their number, faces, ranges and periodic shifts. */
#ifndef TRIAD_STORE_FORMATS_CGNS_JOINS_H
#define TRIAD_STORE_FORMATS_CGNS_JOINS_H

#include "store/formats/cgns.h"

int triad_cgns_joins(const triad_cgns *file, int zone, int *n);
/* Join number `join` of a zone; own[n], others[n]: points, or elements that are faces, from 1; NULL: only its size. */
int triad_cgns_join_at(const triad_cgns *file, int zone, int join, triad_cgns_join *out, int64_t *own, int64_t *others);

/* Of a join of boxes: the face that box 0 or 1 is, of a zone of n points along its axes, 0: it is none; how many points
 * it has; and point number i in both zones, from 0. */
int triad_cgns_join_face(const triad_cgns_join *join, int box, const int64_t n[3], triad_cgns_face *face);
int64_t triad_cgns_join_points(const triad_cgns_join *join);
void triad_cgns_join_point(const triad_cgns_join *join, int64_t i, int64_t here[3], int64_t there[3]);

#endif
