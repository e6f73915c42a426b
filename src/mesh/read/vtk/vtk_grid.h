/* An unstructured grid of VTK while its arrays are read, and its move into a draft. */
#ifndef TRIAD_MESH_READ_VTK_VTK_GRID_H
#define TRIAD_MESH_READ_VTK_VTK_GRID_H

#include "mesh/read/draft.h"

/* An array of numbers of a file. name: of an array of cells. */
typedef struct triad_vtk_array {
  int64_t n;
  double *at;
  char name[TRIAD_MESH_NAME];
} triad_vtk_array;

enum {
  TRIAD_VTK_POINTS,
  TRIAD_VTK_CONNECTIVITY,
  TRIAD_VTK_OFFSETS,
  TRIAD_VTK_TYPES,
  TRIAD_VTK_CELLS,
  TRIAD_VTK_ARRAYS
};

/* Points, three numbers each; points of all cells; ends of the cells in them, without a leading 0; types; the array of
 * cells that gives the patches, with the rank of its name among those that are known, and copies of cells that other
 * pieces own. */
typedef struct triad_vtk_grid {
  triad_vtk_array array[TRIAD_VTK_ARRAYS], ghosts;
  int rank; /* of the name of array[TRIAD_VTK_CELLS]; 0: there is none */
} triad_vtk_grid;

/* rank: that of an array of cells that may give patches, by its name; 0: it does not. is_ghosts: does the array mark
 * copies of cells? */
int triad_vtk_rank(const char *name);
int triad_vtk_is_ghosts(const char *name);

/* Add the grid to a draft whose points before it are those of earlier pieces. All arrays must have the lengths that
 * points and types give. */
int triad_vtk_grid_give(const triad_vtk_grid *grid, triad_mesh_draft *draft);
void triad_vtk_grid_free(triad_vtk_grid *grid);

#endif
