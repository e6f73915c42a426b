/* Buffers for some layers of zones of bricks on the CPU (host_bricks.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICK_RINGS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICK_RINGS_H

#include "solvers/unstructured/host/host_bricks.h"

/* host_brick_rings.c: take: allocate the rings for a domain's zones of bricks. numbers: entries for a zone with rows
 * of nx and layers of ny rows. room: entries per thread, which follow these. lay_out: point the rings to a zone's
 * memory. */
int triad_unstructured_bricks_take(triad_unstructured_bricks **bricks, const triad_unstructured_domain *domain);
int64_t triad_unstructured_bricks_numbers(int64_t nx, int64_t ny);
int64_t triad_unstructured_bricks_room(int64_t nx);
void triad_unstructured_bricks_lay_out(triad_unstructured_bricks *bricks, const triad_unstructured_domain *domain,
                                       int zone);
void triad_unstructured_bricks_drop(triad_unstructured_bricks **bricks, triad_memory *memory);

#endif
