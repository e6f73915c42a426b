/* What reads meshes of CGNS files (store/cgns.h), in a process of its own: points, cells and faces of all zones
 * (cgnsfile.c); what is at faces, and points that zones share (cgns_faces.c); cells by their shapes or as polyhedra
 * (cgns_cells.c). Not collective. */
#ifndef TRIAD_MESH_READ_CGNS_READER_H
#define TRIAD_MESH_READ_CGNS_READER_H

#include "mesh/read/meshfile.h"
#include "store/formats/cgns.h"

/* Numbers that come one by one. */
typedef struct triad_mesh_list {
  int64_t *at, n, room;
} triad_mesh_list;

static inline int64_t triad_mesh_list_length(const triad_mesh_list *first, int64_t i)
{
  return first->at[i + 1] - first->at[i];
}

/* Points are numbered through all zones. Cell c has the corners of its shape, or, of shape -1, faces, at
 * first_cell.at[c] of cell; face f the points first_face.at[f] .. of face, and a patch or -1. */
typedef struct triad_mesh_cgns {
  const char *path;
  triad_guard *guard;
  triad_cgns *file;
  triad_mesh_contents *out;
  /* what is wrong with a zone's points, a section, a condition or a join: the others are read all the same */
  triad_faults *faults;
  int n_zones, n_patches;
  triad_cgns_zone *zone;
  int64_t *points, *cells, *faces; /* [n_zones + 1] first of each zone              */
  triad_mesh_list *of_number;      /* of each zone: 1 + the face that an element is */
  double (*x)[3];
  int64_t *same; /* another point that it is, or itself           */
  triad_mesh_list shape, first_cell, cell, first_face, face, patch;
  int64_t curved;
  int polyhedra; /* cells given by their faces                    */
  int left_out;  /* sections with a fault                         */
  /* given: as the file has it */
  char name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME], given[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
} triad_mesh_cgns;

triad_mesh_parse triad_mesh_cgns_parse;

int triad_mesh_list_add(triad_mesh_list *list, int64_t value);
int triad_mesh_cgns_add_face(triad_mesh_cgns *c, int64_t n, const int64_t *point, int64_t patch);
int triad_mesh_cgns_patch(triad_mesh_cgns *c, const char *name, int64_t *patch);

int triad_mesh_cgns_bounds(triad_mesh_cgns *c, int zone); /* boundary conditions */
int triad_mesh_cgns_joins(triad_mesh_cgns *c, int zone);  /* points that are one, and patches that a period joins */
int triad_mesh_cgns_give(triad_mesh_cgns *c);             /* what was read, to c->out */

/* Corners of a cell that its faces say is of a known shape, which is returned; -1: it is none. */
int triad_mesh_cgns_shape(const triad_mesh_cgns *c, int64_t cell, int64_t corner[TRIAD_MESH_CORNERS]);

#endif
