/* Faces between tetrahedra. No geometry is stored for them where loops use the corners (tets.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_TETS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_TETS_H

#include "solvers/unstructured/state/domain_internal.h"

/* domain_tets.c: find faces between tetrahedra that need no stored geometry, once faces are sorted; compute the
 * geometry of one of them. */
int triad_unstructured_find_pointed(triad_unstructured_making *k);
void triad_unstructured_pointed_geometry(const triad_unstructured_domain *d, int64_t face,
                                         triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY]);

#endif
