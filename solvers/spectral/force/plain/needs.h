/* Memory that forces by formula and from a file need on a rank, known before a grid exists. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_NEEDS_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_NEEDS_H

#include "solvers/spectral/force/forcing.h"

/* Bytes of a rank of this layout that lists of modes of formulas and the numbers of a file take, at most; 0 for
 * others. Formulas are sampled on a few points: where they have few waves along an axis those are counted, else all
 * that the grid keeps. Not collective. */
int64_t triad_force_memory(const triad_case *given, const triad_layout *layout, const triad_shape *shape);

/* How many fields of modes a GPU has of formulas whose modes are an eighth or more of all, by the same samples. Not
 * collective. */
int triad_force_whole_fields(const triad_case *given, const triad_layout *layout, const triad_shape *shape);

/* Are forces of `parts` parts, with `modes` modes of `all`, for whole fields of modes on a GPU? */
int triad_force_fills(double modes, double all, int parts);

#endif
