/* Sides of zones of bricks that are joined to other ranks, whose cells are ghosts of the zone. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_JOIN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_BOX_JOIN_H

#include "solvers/unstructured/state/domain_internal.h"

/* joints: [n_zones * TRIAD_MESH_ZONE_SIDES], zeroed; at: index of each cell of the mesh among cells of zones, -1:
 * none. */
void triad_unstructured_find_joints(const triad_unstructured_making *k, const int32_t *at,
                                    triad_unstructured_joint *joints);

/* The side to join: the largest one that consists of such faces only; -1: none. */
int triad_unstructured_joined_side(const triad_mesh_zone *zone,
                                   const triad_unstructured_joint joints[TRIAD_MESH_ZONE_SIDES]);

/* Reverse the order of n layers (box_points.h). */
void triad_unstructured_turn_layers(triad_real *layers, int64_t n);

#endif
