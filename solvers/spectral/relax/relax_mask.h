/* Masks of bodies and rates of sponges, row by row. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_MASK_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_MASK_H

#include "solvers/spectral/relax/relax_internal.h"

/* The mask of an item at points x of row (y, z) at time t, mask[nx]; the range of points that are not 0.
 * spare: [8][nx]. value: that of a formula at `count` points from x = begin on. */
void triad_relax_mask_row(const triad_relax_item *item, const triad_grid *grid, double t, int64_t y, int64_t z,
                          double *mask, double *spare, triad_relax_row *row);
void triad_relax_value_row(const triad_relax_value *value, const triad_grid *grid, double t, int64_t y, int64_t z,
                           int64_t begin, int64_t count, double *spare, double *out);

/* Compute and store the masks at rest, and targets that do not depend on time. Collective. */
int triad_relax_store(triad_relaxation *relaxation, triad_flow *flow);

/* Set the largest rate of all ranks, of masks at rest. Collective. */
int triad_relax_fastest(triad_relaxation *relaxation, const triad_flow *flow);

/* Note an invalid value at a point; the first one, in the order of points, is reported. */
void triad_relax_note(triad_relaxation *relaxation, const triad_grid *grid, int item, const char *key, double value,
                      int64_t x, int64_t y, int64_t z);

#endif
