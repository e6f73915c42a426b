/* The reader of unstructured CGNS files (store/formats/cgns.h), which runs in a separate process: points, cells and
 * faces of all zones (cgnsfile.c); boundary conditions, and points that zones share (cgns_faces.c); conversion of
 * cells to known shapes or polyhedra (cgns_cells.c). Not collective. */
#ifndef TRIAD_MESH_READ_CGNS_CGNS_READER_H
#define TRIAD_MESH_READ_CGNS_CGNS_READER_H

#include "mesh/read/meshfile.h"
#include "store/formats/cgns.h"

/* A list of numbers that grows. */
typedef struct triad_mesh_list {
  int64_t *at, n, room;
} triad_mesh_list;

static inline int64_t triad_mesh_list_length(const triad_mesh_list *first, int64_t i)
{
  return first->at[i + 1] - first->at[i];
}

/* Points are numbered through all zones. Cell c has the corners of its shape or, with shape -1, the faces from
 * first_cell.at[c] of `cell` on. Face f has the points from first_face.at[f] of `face` on, and a patch or -1. */
typedef struct triad_mesh_cgns {
  const char *path;
  triad_guard *guard;
  triad_cgns *file;
  triad_mesh_contents *out;
  /* faults of a zone's points, sections, conditions or connections; the rest of the file is read all the same */
  triad_faults *faults;
  int n_zones, n_patches;
  triad_cgns_zone *zone;
  int64_t *points, *cells, *faces; /* [n_zones + 1] first number of each zone */
  triad_mesh_list *of_number;      /* [zone] 1 + the face that an element is */
  double (*x)[3];
  int64_t *same; /* number of the point that this one coincides with, or its own */
  triad_mesh_list shape, first_cell, cell, first_face, face, patch;
  int64_t curved;
  int plane;     /* 1: faces of three or four points are the cells of a plane, and faces of two its lines */
  int polyhedra; /* 1: cells are given by their faces */
  int left_out;  /* number of sections with a fault */
  /* `given`: the name as in the file */
  char name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME], given[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
} triad_mesh_cgns;

triad_mesh_parse triad_mesh_cgns_parse;

int triad_mesh_cgns_bounds(triad_mesh_cgns *c, int zone); /* boundary conditions */
int triad_mesh_cgns_joins(triad_mesh_cgns *c, int zone);  /* coincident points, and patches that a period joins */
int triad_mesh_cgns_give(triad_mesh_cgns *c);             /* move the result to c->out */
int triad_mesh_cgns_give_plane(triad_mesh_cgns *c);       /* the same, extruded by one layer: cgns_plane.c */

#endif
