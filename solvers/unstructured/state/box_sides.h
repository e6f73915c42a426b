/* Faces on the sides of zones of bricks, in the order of the side. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_SIDES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_SIDES_H

#include "solvers/unstructured/state/domain_internal.h"

/* box_sides.c: find seams once faces are sorted, and replace their bricks by twins; find faces on sides of boxes once
 * these have geometry. */
int triad_unstructured_find_seams(triad_unstructured_domain *d);
int triad_unstructured_find_sides(triad_unstructured_domain *d);

#endif
