/* The points of a query. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_POINTS_H
#define TRIAD_COMMAND_QUERY_QUERY_POINTS_H

#include "command/query/query.h"

/* query_points.c: from a file of rows x, y, z, an HDF5 file with a dataset `position`, or "lattice NX NY NZ" of a
 * box: points at L i/N, x fastest. Free points->x. TRIAD_ERR_INPUT, TRIAD_ERR_CASE with the row, TRIAD_ERR_USAGE,
 * TRIAD_ERR_MEMORY. */
int triad_query_points_make(triad_query_points *points, const char *at, const double length[3]);

/* Warn of points of a table that are not in the box, by more than a period below 0 or above its end. Not collective. */
void triad_query_points_warn(const triad_query_points *points, const char *at, const double length[3], triad_log *log);

#endif
