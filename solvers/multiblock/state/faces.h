/* The boundary faces of a rank. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_FACES_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_FACES_H

#include "solvers/multiblock/points/boundary_points.h"
#include "solvers/multiblock/state/flow.h"

/* How many boundary faces a rank will have; lists of them need so many bytes for each. */
int64_t triad_multiblock_open_faces(const triad_zones *zones, int rank);
enum {
  TRIAD_MULTIBLOCK_FACE_BYTES =
    sizeof(triad_multiblock_face_of) + TRIAD_MULTIBLOCK_FIELDS * sizeof(triad_real) + sizeof(int32_t)
};

/* Lists of faces, exact values on them. Not collective. */
int triad_multiblock_faces_create(triad_multiblock_flow *f);
void triad_multiblock_faces_free(triad_multiblock_flow *f);

static inline triad_gas_state triad_multiblock_state_of_doubles(const double q[TRIAD_MULTIBLOCK_FIELDS])
{
  return (triad_gas_state){(triad_real)q[0], (triad_real)q[1], (triad_real)q[2], (triad_real)q[3], (triad_real)q[4]};
}

#endif
