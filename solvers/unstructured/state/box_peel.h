/* Remove the surface cells of zones of bricks on sides that are neither boundaries nor joined. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_PEEL_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_PEEL_H

#include "solvers/unstructured/state/domain_internal.h"

/* The zone of an index among cells of zones. */
int triad_unstructured_zone_at(const triad_mesh_zones *zones, int64_t at);

/* The side of a box with this outward normal or area vector, and its coordinate. */
int triad_unstructured_box_side_of(const triad_unstructured_box *box, const double normal[3], int *coordinate);

#endif
