/* Meshes made here: a lattice of cubes, each of which becomes one or several cells, shaken, and bent to a shape.
 * Patches xmin, xmax, ymin, ymax, zmin, zmax. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GENERATE_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GENERATE_H

#include "solvers/unstructured/mesh.h"

typedef enum triad_fct_cells {
  TRIAD_FCT_TETS,     /* six a cube round its diagonal, alike in all cubes: they join, also across periodic ends */
  TRIAD_FCT_HEXES,
  TRIAD_FCT_PRISMS,   /* two a cube, along z                                                                     */
  TRIAD_FCT_PYRAMIDS, /* six a cube, over its middle                                                             */
  TRIAD_FCT_HYBRID    /* hexes in the lower half along x, tets in the upper one                                  */
} triad_fct_cells;

typedef struct triad_fct_generator {
  triad_fct_cells cells;
  int64_t n[3];     /* cubes                                                                          */
  double length[3];
  double shake;     /* inner points are moved by up to so many spacings along each axis               */
  double corner, angle; /* from x = corner on the floor ymin rises with this angle [radians]; 0: flat */
} triad_fct_generator;

/* Cells, faces and patches; not measured, and no patches joined. The same on every rank, whatever machine. TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. Not collective. */
int triad_fct_generate(triad_fct_mesh **out, triad_memory *memory, const triad_fct_generator *given);

#endif
