/* The reader of Gmsh's MSH format, versions 1 to 4.1, ASCII and binary of both byte orders (gmsh.info, Reference
 * manual, section 10), which runs in a separate process. It reads numbers and sections (gmsh_numbers.c), physical
 * groups of surfaces and curves (gmsh_groups.c), nodes (gmsh_nodes.c) and elements (gmsh_elements.c) into a draft
 * (draft.h). Of elements of higher order it uses the corners. Faults of single nodes and elements are counted
 * (gmsh_faults.c), and reading continues. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_READER_H
#define TRIAD_MESH_READ_GMSH_GMSH_READER_H

#include "mesh/read/draft.h"
#include "mesh/read/look.h"

/* Faults that are counted and reported with their first position after the file has been read; the rest of the file is
 * still valid. */
typedef enum triad_gmsh_kind {
  TRIAD_GMSH_NO_NUMBER, /* a node has a coordinate that is not finite */
  TRIAD_GMSH_TWICE,     /* two nodes have the same number */
  TRIAD_GMSH_UNKNOWN,   /* an element has a type that is not supported */
  TRIAD_GMSH_NO_NODE,   /* an element has a node that does not exist */
  TRIAD_GMSH_KINDS
} triad_gmsh_kind;

/* A surface or curve in a physical group; one in several groups has an entry for each. A piece of an entity that is in
 * no group has group -N, N the number of the whole entity; a surface between partitions has group 0. */
typedef struct triad_gmsh_entity {
  int32_t dim, tag, group;
} triad_gmsh_entity;

/* The name of a physical group. dim 0: of any dimension, in files of version 2.0. */
typedef struct triad_gmsh_name {
  int64_t dim, tag;
  char name[TRIAD_MESH_NAME];
} triad_gmsh_name;

/* A node's number and its index. */
typedef struct triad_gmsh_node {
  int64_t tag;
  int32_t place;
} triad_gmsh_node;

typedef struct triad_gmsh_reader {
  triad_mesh_scan s;
  triad_mesh_draft d;
  int version; /* ten times that of the file: 10 to 22, 40, 41 */
  triad_gmsh_name *name;
  int64_t n_names, room_names;
  triad_gmsh_entity *entities;
  /* n_whole: entities of $Entities; those of $PartitionedEntities follow until all are sorted */
  int64_t n_entities, n_whole, room;
  int32_t *ghost; /* [n_ghosts] volumes of copies of cells that other partitions own */
  int64_t n_ghosts;
  /* [n_nodes] in the order of the file; sorted by number if `place` is NULL. NULL while numbers rise by one from
   * first_tag */
  triad_gmsh_node *node;
  int64_t first_tag;
  int64_t n_nodes, room_nodes;
  int32_t *place; /* [most_tag + 1] index of the node with this number, -1: no such node; NULL: numbers are far apart */
  int64_t most_tag;
  struct {
    int64_t n, at, number; /* at, number: position in the file of the first, and the node or element type */
  } fault[TRIAD_GMSH_KINDS];
} triad_gmsh_reader;

int triad_mesh_gmsh_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_gmsh_parse; /* gmsh.c */

#endif
