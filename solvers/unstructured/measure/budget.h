/* The columns of the series, as members of triad_solver (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_BUDGET_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_BUDGET_H

#include "solvers/unstructured/state/flow.h"

/* Write the columns of the series, and the names of those of patches, to list and names; returns their number. mesh
 * NULL: the maximum number. */
int triad_unstructured_columns(triad_column_info *list, char (*names)[TRIAD_MESH_NAME + 16], const triad_mesh *mesh);
int triad_unstructured_totals(triad_unstructured_flow *flow, double totals[5]);
int triad_unstructured_measure(void *flow, double *columns);
int triad_unstructured_conserved_columns(const void *flow, const double *first, triad_conserved *list); /* solver.h */

#endif
