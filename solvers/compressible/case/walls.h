/* Walls whose temperature or velocity is a formula of the position on them and of time (boundaries.wall_temperature_at,
 * wall_velocity_at): their values at the points of the layers in this rank's block. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_WALLS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_WALLS_H

#include "solvers/compressible/plain/wall_keys.h"
#include "solvers/compressible/state/compressible.h"

enum { TRIAD_COMPRESSIBLE_WALL_VALUES = 4 /* temperature, velocity along x, y, z */ };

/* At point i along the first of the other axes and j along the second, both counted from the halo's begin:
 * value[.][i + na j]. */
typedef struct triad_compressible_wall_values {
  int64_t na, nb;
  triad_real *value[TRIAD_COMPRESSIBLE_WALL_VALUES];
} triad_compressible_wall_values;

typedef struct triad_compressible_walls triad_compressible_walls;

/* Those of a case; *out stays NULL where it has none, which the others accept. TRIAD_ERR_MEMORY. Collective, and
 * destroy is not. */
int triad_compressible_walls_create(triad_compressible_walls **out, const triad_compressible *w,
                                    const triad_case *given);
void triad_compressible_walls_destroy(triad_compressible_walls **walls);

/* Their values at time t; first: also of those that time has no part in. TRIAD_ERR_CASE for one that is not finite,
 * or a temperature that is not positive, with the place. Collective. */
int triad_compressible_walls_at(triad_compressible_walls *walls, double t, int first);

/* Of an end of an axis; NULL: it has no formula, or lies on another rank. Not collective, as the others. */
const triad_compressible_wall_values *triad_compressible_walls_side(const triad_compressible_walls *walls, int axis,
                                                                    int upper);

int64_t triad_compressible_walls_bytes(const triad_case *given, const triad_partition *blocks);

#endif
