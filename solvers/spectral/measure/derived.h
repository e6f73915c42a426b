/* Files of fields with the quantities of output.fields: those of slices (case/slice.h), as values at all points, or at
 * some of them (part_grid.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_DERIVED_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_DERIVED_H

#include "case/slice.h"
#include "solvers/spectral/flow.h"

typedef struct triad_derived triad_derived;

/* Check that the quantities of the case exist: TRIAD_ERR_CASE. Not collective, like the following functions. */
int triad_derived_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
int triad_derived_pressure(const triad_case *given); /* is it shown by these, or by slices? */
/* of a file, roughly */
int64_t triad_derived_bytes(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
int64_t triad_derived_memory(const triad_case *given, const triad_layout *layout);
/* Additional memory of output.fields_error on rank 0, which holds the whole file until it is on the disk: at most as
 * much as without packing. */
int64_t triad_derived_packing(const triad_case *given, const triad_layout *layout, const triad_shape *shape);
/* to make any of the case's own, with its values */
int64_t triad_derived_own_memory(const triad_case *given, const triad_layout *layout);

/* *out stays NULL where the case names nothing. Three components of a curl, or of a vector, in a row are a vector of
 * the file. destroy accepts NULL. */
int triad_derived_create(triad_derived **out, triad_flow *flow);
void triad_derived_destroy(triad_derived **derived);

/* What is shown, at which points. */
void triad_derived_info(const triad_derived *derived, const triad_flow *flow, triad_values_info *info);

/* Values of number `number` at this rank's points, of the flow's precision, of the state as it is. Collective. */
int triad_derived_values(const triad_derived *derived, triad_flow *flow, int number, triad_real *out);

/* The same of any quantity that triad_quantity_check finds good. Collective. */
int triad_derived_quantity(triad_flow *flow, const triad_slice_quantity *quantity, triad_real *out);

#endif
