/* Adaptive grid size: whether a case uses it, rules between its keys, and its column of the series. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_FOLLOW_COLUMN_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_FOLLOW_COLUMN_H

#include "solvers/spectral/follow.h"

int triad_follow_asked(const triad_case *given);

/* Rules between its keys and others. Not collective. */
void triad_follow_rules(triad_case *c);

/* The column of the series: append it where the case asks; fill it in. TRIAD_ERR_MEMORY. Not collective. */
int triad_follow_column(triad_shape *shape, const triad_case *given);
void triad_follow_measure(const triad_flow *flow, double *columns);

#endif
