/* Rows of bricks on the CPU, LANES of them at a time (host_bricks.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICK_ROWS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_BRICK_ROWS_H

#include "solvers/unstructured/host/host_bricks.h"

/* host_brick_rows.c: a row of faces, or of cells. */
void triad_unstructured_row_fluxes(const triad_gas_constants *gas, const triad_unstructured_face_row *row);
/* Area times the faster wave over a cell's sides, divided by its volume: the maximum in each lane. per_length: for
 * each coordinate the layer number (box_points.h) of the row's first cell; axis: that of each coordinate. */
void triad_unstructured_row_rates(const triad_unstructured_cell_row *row, const triad_real *const per_length[3],
                                  const int axis[3], tally *t);
/* Values of n cells from their state; one division serves the speed of sound too. */
void triad_unstructured_row_values(const triad_unstructured_view *v, int64_t first, int n,
                                   triad_unstructured_numbers to);
void triad_unstructured_row_transported(const triad_unstructured_cell_row *row);
void triad_unstructured_row_limits(const triad_unstructured_cell_row *row);
/* Multiply the antidiffusive fluxes `anti` by the limiter factors; near, per_volume: limits and 1/V of the cells
 * across. */
void triad_unstructured_row_cut(const triad_unstructured_cell_row *row, int n, triad_unstructured_numbers anti,
                                triad_unstructured_numbers near, const triad_real *per_volume, tally *t);
void triad_unstructured_row_corrected(const triad_unstructured_cell_row *row, tally *t);

#endif
