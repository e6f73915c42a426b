/* Coefficients of the forces on walls, in the last columns of the series of a case with reference.area. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_COEFFICIENTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_COEFFICIENTS_H

#include "solvers/unstructured/state/flow.h"

/* Set flow->reference, and append the columns: cl, cd, cm of all walls, strouhal, and with several walls cl, cd and
 * cm of each. Not collective. */
void triad_unstructured_coefficients_create(triad_unstructured_flow *flow);

/* Their values, of the last step: NAN before the first. All ranks have the same. Not collective. */
void triad_unstructured_coefficients(triad_unstructured_flow *flow, double *out);

#endif
