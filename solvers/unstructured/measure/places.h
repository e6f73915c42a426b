/* The cell and the rank of a point in a mesh. A point belongs to the cell with the nearest centre; it is outside if it
 * lies beyond an outer face of that cell. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PLACES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PLACES_H

#include "solvers/unstructured/state/domain.h"

typedef struct triad_unstructured_places {
  int64_t n;
  int32_t *cell;   /* [n] of this rank; -1: another rank's, or outside */
  int64_t outside; /* how many are                                     */
} triad_unstructured_places;

/* Find the cells of points x[n], which are the same on all ranks. Allocates memory; TRIAD_ERR_MEMORY. Collective. */
int triad_unstructured_places_find(triad_unstructured_places *out, const triad_unstructured_domain *domain,
                                   const double (*x)[3], int64_t n);
void triad_unstructured_places_free(triad_unstructured_places *places, const triad_unstructured_domain *domain);

#endif
