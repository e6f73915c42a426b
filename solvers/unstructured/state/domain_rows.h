/* Lists of the sides of each listed cell, and the volumes of cells. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_ROWS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_ROWS_H

#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/state/domain_internal.h"

/* The position of the sides of an own cell, as functions of view.h need it, and their number. *zone: NULL for a
 * listed cell. */
int64_t triad_unstructured_domain_place(const triad_unstructured_domain *domain, int64_t cell,
                                        const triad_mesh_zone **zone, int *sides);

/* domain_rows.c: make the lists of cells' sides, and volumes. */
int triad_unstructured_make_rows(triad_unstructured_domain *d);

#endif
