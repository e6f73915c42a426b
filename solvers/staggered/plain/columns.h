/* The columns of the series. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_COLUMNS_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_COLUMNS_H

#include "solvers/info.h"
#include "solvers/staggered/case/setup.h"

enum { TRIAD_STAGGERED_MAX_COLUMNS = 48 };

/* Return their number: of every flow, of a closure, of the temperature, Nusselt numbers, coefficients of solids. list:
 * their descriptions; NULL: count only. Not collective. */
int triad_staggered_columns(const triad_staggered_setup *setup, triad_column_info list[TRIAD_STAGGERED_MAX_COLUMNS]);

/* Where columns of coefficients begin. */
int triad_staggered_coefficients_at(const triad_staggered_setup *setup);

#endif
