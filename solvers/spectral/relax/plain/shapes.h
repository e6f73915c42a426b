/* Signed distances to bodies: negative inside. Positions are in the periodic box, and bodies are repeated with it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_SHAPES_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_SHAPES_H

#include "case/case.h"
#include "grid/grid.h"
#include "parallel/comm.h"

typedef struct triad_shape_solid triad_shape_solid;

/* Create that of table "bodies[1]" of a case, with its file. TRIAD_ERR_CASE, TRIAD_ERR_INPUT, TRIAD_ERR_MEMORY.
 * ranks: those that create it at the same time; rank 0 reads the file for them. Collective, with the same status on all
 * ranks. NULL: this process alone; not collective, as everything else here. */
int triad_shape_solid_create(triad_shape_solid **out, const triad_comm *ranks, const triad_case *given,
                             const char *table, const triad_grid *grid);
void triad_shape_solid_destroy(triad_shape_solid **solid);

/* Does it depend on time? The thinnest extent, in length; 0: unknown. */
int triad_shape_solid_changes(const triad_shape_solid *solid);
double triad_shape_solid_thinnest(const triad_shape_solid *solid);

/* distance[nx] at the points of row (y, z) at time t, for a body that is displaced. Values beyond +-band may be any
 * that are farther. Returns 0 if all points are outside and beyond the band; distance is then not set. spare: [8][nx].
 */
int triad_shape_solid_row(const triad_shape_solid *solid, const triad_grid *grid, double t,
                          const double displacement[3], int64_t y, int64_t z, double band, double *spare,
                          double *distance);

#endif
