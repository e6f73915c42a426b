/* The boundary faces of a rank. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_FACES_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_FACES_H

#include "solvers/multiblock/state/flow.h"

/* How many boundary faces a rank will have; lists of them need so many bytes for each. */
int64_t triad_mb_open_faces(const triad_zones *zones, int rank);
enum { TRIAD_MB_FACE_BYTES = sizeof(triad_mb_face_of) + TRIAD_MB_FIELDS * sizeof(triad_real) + sizeof(int32_t) };

/* Lists of faces, exact values on them. Not collective. */
int triad_mb_faces_create(triad_mb_flow *f);
void triad_mb_faces_free(triad_mb_flow *f);

static inline triad_mb_state triad_mb_state_of_doubles(const double q[TRIAD_MB_FIELDS])
{
  return (triad_mb_state){(triad_real)q[0], (triad_real)q[1], (triad_real)q[2], (triad_real)q[3], (triad_real)q[4]};
}

#endif
