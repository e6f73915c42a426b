/* Rows of cells and faces of a sweep. Lane l of a row is the cell or face at index `at` + l. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_ROWS_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_ROWS_H

#include "solvers/multiblock/state/flow.h"
#include "solvers/multiblock/points/viscous_points.h"

/* Lanes: how many numbers an instruction may take at once. Processors that can take eight are left with four by a
 * compiler that is not asked. */
enum { TRIAD_MULTIBLOCK_WIDTH = TRIAD_MULTIBLOCK_ROW + 8, TRIAD_MULTIBLOCK_LANES = 64 / sizeof(triad_real) };

/* Five numbers a lane. */
typedef triad_real triad_multiblock_row[TRIAD_MULTIBLOCK_FIELDS][TRIAD_MULTIBLOCK_WIDTH];

/* States that n cells have at their lower and upper faces across an axis of the given stride. */
void triad_multiblock_reach_row(const triad_multiblock_flow *f, int axis, int64_t at, int64_t stride, int64_t n,
                                triad_multiblock_row down, triad_multiblock_row up);

/* Area vectors of n lower faces of cells across an axis: where they are kept, or found from nodes and put in room. */
typedef triad_real triad_multiblock_area_row[3][TRIAD_MULTIBLOCK_WIDTH];
void triad_multiblock_area_rows(const triad_multiblock_flow *f, const triad_zone_part *p, int axis, int64_t at,
                                int64_t n, triad_multiblock_area_row room, const triad_real *s[3]);

/* Fluxes through n faces of these area vectors between states l and r; those of r begin `skip_r` lanes into its row. */
void triad_multiblock_face_row(const triad_multiblock_flow *f, const triad_real *const s[3], int64_t n,
                               triad_multiblock_row l, triad_multiblock_row r, int skip_r, triad_multiblock_row flux);

/* Take from the fluxes of these faces what diffuses through them. */
void triad_multiblock_diffuse_row(const triad_multiblock_flow *f, const triad_zone_part *p, int axis, int64_t at,
                                  int64_t n, triad_multiblock_row flux);

/* Primitives of n states; how many have no positive density or pressure. */
int64_t triad_multiblock_primitive_row(triad_real *const u[TRIAD_MULTIBLOCK_FIELDS],
                                       triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], triad_real gamma, int64_t n);

/* What gradients see of a flow. */
triad_multiblock_sight triad_multiblock_sight_of(const triad_multiblock_flow *f);

#endif
