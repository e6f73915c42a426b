/* The quality of a measured mesh: how far faces and cells are from those of a cube. */
#ifndef TRIAD_MESH_QUALITY_H
#define TRIAD_MESH_QUALITY_H

#include "mesh/mesh.h"

/* A measure over all faces between cells, or all cells. cell: a cell at the worst place; -1: there are no such
 * faces. */
typedef struct triad_mesh_measured {
  double worst, mean;
  int64_t cell;
} triad_mesh_measured;

/* non_orthogonality: angle [degrees] between the normal of a face and the line that joins the centres of its cells.
 * skewness: distance of the point in which that line crosses the plane of the face from the centre of the face, as a
 * part of the length of the line. aspect: longest edge of a cell over its height above its largest side; 1 for a cube,
 * 1.22 for a regular tetrahedron. growth: ratio of the volumes of neighbours, at least 1. volume: the smallest. */
typedef struct triad_mesh_quality {
  triad_mesh_measured non_orthogonality, skewness, aspect, growth;
  double smallest, largest; /* volume of a cell */
  int64_t smallest_cell;
  int64_t shapes[TRIAD_MESH_SHAPES]; /* number of cells of each shape */
  double area[TRIAD_MESH_PATCHES];   /* of each patch */
  int64_t faces[TRIAD_MESH_PATCHES];
  double low[3], high[3], volume; /* bounding box of the cells' points, and volume of all cells */
} triad_mesh_quality;

/* Compute all of it, for a whole mesh after triad_mesh_measure. Not collective. */
void triad_mesh_quality_of(const triad_mesh *mesh, triad_mesh_quality *quality);

#endif
