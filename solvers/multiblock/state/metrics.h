/* Area vectors and volumes of the cells of a rank. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_METRICS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_METRICS_H

#include "solvers/multiblock/points/boundary_points.h"
#include "solvers/multiblock/state/flow.h"

/* Memory; then area vectors and volumes of this rank's cells, halos of one layer included, or nodes and volumes of its
 * own cells. A cell without volume is TRIAD_ERR_CASE with block, cell and volume. Not collective. */
int triad_multiblock_metrics_create(triad_multiblock_flow *f);
void triad_multiblock_metrics_free(triad_multiblock_flow *f);
int triad_multiblock_metrics(triad_multiblock_flow *f);

/* Is some block not flat along an axis? */
int triad_multiblock_has_faces(const triad_zones *zones, int axis);

/* Are area vectors kept across an axis, or nodes instead? Nodes are three numbers a cell and not nine; an area vector
 * is found from four of them when it is needed. Gradients, implicit steps and single precision need areas; a block of
 * one layer has no place for the nodes above it. */
int triad_multiblock_keeps_areas(const triad_multiblock_setup *setup, const triad_zones *zones, int axis);
int triad_multiblock_keeps_nodes(const triad_multiblock_setup *setup, const triad_zones *zones);
int triad_multiblock_metric_words(const triad_multiblock_setup *setup, const triad_zones *zones); /* numbers a cell */

/* The area vector of the lower face of the cell at a place of a part across an axis. */
triad_gas_vector triad_multiblock_area_at(const triad_multiblock_flow *f, const triad_zone_part *part, int axis,
                                          int64_t at);

#endif
