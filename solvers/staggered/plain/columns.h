/* The columns of the series. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_COLUMNS_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_COLUMNS_H

#include "solvers/info.h"
#include "solvers/staggered/case/setup.h"

enum { TRIAD_STAGGERED_MAX_COLUMNS = 48 };

/* Return their number: of every flow, of a closure, of the temperature, Nusselt numbers, coefficients of solids. list:
 * their descriptions; NULL: count only. Not collective. */
int triad_staggered_columns(const triad_staggered_setup *setup, triad_column_info list[TRIAD_STAGGERED_MAX_COLUMNS]);

/* Where columns of coefficients begin. */
int triad_staggered_coefficients_at(const triad_staggered_setup *setup);

/* The axis whose two ends are held at different temperatures, -1: there is none, or more than one. */
int triad_staggered_heated_axis(const triad_staggered_setup *setup);

/* 1: the solids have force coefficients. */
int triad_staggered_has_coefficients(const triad_staggered_setup *setup);

#endif
