/* The reader of Gmsh's MSH format, versions 4.1 and 2.2, ASCII and binary (gmsh.info, Reference manual, section 10),
 * which runs in a separate process. It reads numbers and sections (gmsh_numbers.c), physical groups of surfaces, which
 * are patches (gmsh_groups.c), nodes (gmsh_nodes.c) and elements (gmsh_elements.c): tetrahedra, pyramids, prisms and
 * hexahedra; of second-order elements it uses the corners. Faults of single nodes and elements are counted
 * (gmsh_faults.c), and reading continues. */
#ifndef TRIAD_MESH_READ_GMSH_READER_H
#define TRIAD_MESH_READ_GMSH_READER_H

#include "mesh/read/meshfile.h"

/* Faults that are counted and reported with their first position after the file has been read; the rest of the file is
 * still valid. */
typedef enum triad_gmsh_kind {
  TRIAD_GMSH_NO_NUMBER, /* a node has a coordinate that is not finite */
  TRIAD_GMSH_TWICE,     /* two nodes have the same number */
  TRIAD_GMSH_UNKNOWN,   /* an element has a type that is not supported */
  TRIAD_GMSH_NO_NODE,   /* an element has a node that does not exist */
  TRIAD_GMSH_KINDS
} triad_gmsh_kind;

/* A surface in a physical group; a surface in several groups has an entry for each. */
typedef struct triad_gmsh_entity {
  int32_t tag, group;
} triad_gmsh_entity;

typedef struct triad_gmsh_reader {
  triad_guard *guard;
  const char *path;
  char *text;
  int64_t size, at;
  int binary, version; /* 4: 4.1, 2: 2.2 */
  triad_mesh_contents *out;
  int n_groups, group[TRIAD_MESH_PATCHES]; /* physical groups of surfaces: patch i is group[i] */
  char group_name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
  triad_gmsh_entity *entities;
  /* n_whole: entities of $Entities; those of $PartitionedEntities follow until all are sorted */
  int64_t n_entities, n_whole, room;
  int32_t *ghost; /* [n_ghosts] volumes of copies of cells that other partitions own */
  int64_t n_ghosts;
  int64_t n_plane;  /* elements on surfaces */
  double low, high; /* range of z of all nodes */
  int32_t *place;   /* [most_tag + 1] index of the node with this number; -1: no such node */
  int64_t most_tag;
  struct {
    int64_t n, at, number; /* at, number: position in the file of the first, and the node or element type */
  } fault[TRIAD_GMSH_KINDS];
} triad_gmsh_reader;

triad_mesh_parse triad_mesh_gmsh_parse; /* gmsh.c */

#endif
