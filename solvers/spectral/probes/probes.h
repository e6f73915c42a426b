/* Fields at the places of output.probes, from the modes: f(x) = sum_k f(k) exp(i k.x), exact to rounding.
 *
 * The sum along kz is taken once for each z of any place, in a fixed order in each column, then over columns for
 * each y and x, exactly (parallel/sum.h): so a lattice of N places costs a pass over the modes for each of its z
 * only, and the numbers are the same bits on any ranks and threads. Of u = f(kz) + f(-kz), d = f(kz) - f(-kz) the
 * sum along kz is f(0) + sum_{kz > 0} (u cos kz z + i d sin kz z), half of the products. A GPU that has the state
 * sums there (gpu_probes.h), over the columns of each rank in a fixed order: the same bits on as many ranks. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PROBES_PROBES_H
#define TRIAD_SOLVERS_SPECTRAL_PROBES_PROBES_H

#include "solvers/spectral/flow.h"

typedef struct triad_probes triad_probes;

/* Does the flow's grid allow what the case asks for? Modes at half the number of points (grid.truncation "none")
 * have no values between points. TRIAD_ERR_CASE. Bytes that a rank takes. Not collective. */
int triad_probes_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
int64_t triad_probes_memory(const triad_case *given, const triad_grid *grid, const triad_shape *shape, int threads);

/* *out stays NULL where the case names none; destroy accepts NULL. TRIAD_ERR_MEMORY. Collective. */
int triad_probes_create(triad_probes **out, triad_flow *flow);
void triad_probes_destroy(triad_probes **probes);

/* What solvers/solver.h asks. probes may be NULL: there are no places then. */
void triad_probes_info(const triad_probes *probes, triad_places_info *info);

/* values[place][field] of the state as it is. TRIAD_ERR_INTERNAL. Collective. */
int triad_probes_values(triad_probes *probes, double *values);

#endif
