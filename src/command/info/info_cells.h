/* HDF5 files whose values are on cells, walls or probe points, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_CELLS_H
#define TRIAD_COMMAND_INFO_INFO_CELLS_H

#include "command/info/info.h"

/* The kind of a file of cells, walls, nodes or probes in words; NULL if it is none of these. timed: it has a step and a
 * time. */
const char *triad_inspection_cells(const triad_inspection *k, int timed);

/* Report on a file of cells, walls, nodes or places. what, timed: as triad_inspection_cells returned them; step, t: of
 * the file, if timed. */
int triad_inspect_cells(triad_inspection *k, const char *what, int timed, double step, double t);

#endif
