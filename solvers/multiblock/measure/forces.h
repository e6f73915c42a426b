/* Forces on walls. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MEASURE_FORCES_H
#define TRIAD_SOLVERS_MULTIBLOCK_MEASURE_FORCES_H

#include "solvers/multiblock/state/flow.h"

enum { TRIAD_MULTIBLOCK_COEFFICIENTS = 5 };

/* Sums over the faces of a wall, and the coefficients of lift, drag and moment, and of lift and drag by friction, of
 * flow->reference (0 without a stream). */
typedef struct triad_multiblock_forces {
  double force[3], friction[3], moment[3], out, through, coefficient[TRIAD_MULTIBLOCK_COEFFICIENTS];
} triad_multiblock_forces;

/* of[0]: all walls, and the mass out of all boundaries; of[1 + i]: wall i. All are 0 before. Collective. */
int triad_multiblock_find_forces(triad_multiblock_flow *f, triad_multiblock_forces *of);

/* Set flow->reference from the case and the first stream that a patch has. Not collective. */
void triad_multiblock_set_reference(triad_multiblock_flow *f);

#endif
