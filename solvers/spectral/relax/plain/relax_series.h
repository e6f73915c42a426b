/* Columns of the series for bodies and sponges: forces, fluxes, powers. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_RELAX_SERIES_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_RELAX_SERIES_H

#include "solvers/spectral/relax/relax.h"

/* Append the columns of bodies and sponges to a shape. Not collective. */
int triad_relaxation_columns(triad_shape *shape, const triad_case *given);

/* Their values, of the last measurement; NULL: no bodies and no sponges. Adds a row to Strouhal numbers, whose state
 * keep writes to notes and take reads. Not collective. */
void triad_relaxation_series(triad_relaxation *relaxation, const triad_flow *flow, double *columns);
int triad_relaxation_keep(const triad_relaxation *relaxation, triad_notes *notes);
void triad_relaxation_take(triad_relaxation *relaxation, const triad_notes *notes);

/* Is a field one of equations.scalars, which have no energy? */
int triad_relax_is_passive(const triad_field_info *field);

/* The power of item i on a field, or with -1 on all but passive scalars [U^2/T], and the mean of rate
 * (q - target), of the last measurement. */
double triad_relax_power(const triad_relaxation *relaxation, const triad_flow *flow, int i, int field);
double triad_relax_force(const triad_relaxation *relaxation, int i, int field);

#endif
