/* The key parallel.split: the number of ranks that share planes, and whole planes for code that needs them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_SPLIT_H
#define TRIAD_SOLVERS_SPECTRAL_SPLIT_H

#include "solvers/spectral/flow.h"

/* split.c: how many ranks share planes, of `size` (parallel.split); TRIAD_ERR_CASE with the nearest that divides
 * them, as refuse has it of a split that was `said` so. Does the case ask for it? How many ranks have no points. Not
 * collective. */
int triad_split_of(const triad_case *given, int size, int *group);
int triad_split_refuse(const char *said, const int64_t split[2], int size);
int triad_split_asked(const triad_case *given);
int64_t triad_split_idle(const triad_layout *layout);

/* Points as triad_flow_backward leaves them -> whole planes, real [z][y][x] of flow->planes; and the transform that
 * goes there at once. Collective. */
int triad_flow_planes(const triad_flow *flow, const triad_real *points, triad_real *planes);
int triad_flow_backward_planes(triad_flow *flow, const triad_cplx *field, triad_real *planes);

#endif
