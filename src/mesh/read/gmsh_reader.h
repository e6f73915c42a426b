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

/* ---- gmsh_numbers.c ---- */

/* Report a message with its position and return TRIAD_ERR_CASE: the rest of the file cannot be interpreted. */
int triad_gmsh_bad(const triad_gmsh_reader *reader, const char *what);

/* Read the next value; in an ASCII part a word. A size has 8 bytes in version 4.1, else 4. A text integer is text in
 * binary files too. A count is the number of items, each of at least `least` bytes, that must fit in the rest of the
 * file. */
int triad_gmsh_take_int(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_size(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_text_integer(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_real(triad_gmsh_reader *reader, double *out);
int triad_gmsh_take_count(triad_gmsh_reader *reader, int64_t least, int64_t *out);
void triad_gmsh_skip_line(triad_gmsh_reader *reader);

/* Move to the line after $NAME, anywhere in the file; 0: the section does not exist. */
int triad_gmsh_find_section(triad_gmsh_reader *reader, const char *name);
int triad_gmsh_take_format(triad_gmsh_reader *reader);
/* Read the line that ends a section: any line that begins with $End, as in Gmsh. An error if the section is longer
 * than announced. */
int triad_gmsh_end_section(triad_gmsh_reader *reader);

/* ---- gmsh_groups.c ---- */
int triad_gmsh_take_groups(triad_gmsh_reader *reader);
int triad_gmsh_take_entities(triad_gmsh_reader *reader);
/* groups_of: the groups of a surface, the first of *n entries. is_ghost: 1 if a volume has ghost cells. */
const triad_gmsh_entity *triad_gmsh_groups_of(const triad_gmsh_reader *reader, int64_t surface, int64_t *n);
int triad_gmsh_is_ghost(const triad_gmsh_reader *reader, int64_t volume);
/* The patch of a physical group, -1 for group 0. A group without a name is named by its number. */
int triad_gmsh_patch_of(triad_gmsh_reader *reader, int64_t group, int32_t *patch);

/* ---- gmsh_faults.c ---- */

/* note: count n more faults of a kind and store the position and number of the first. The second
 * function adds all counted faults to `faults`. */
void triad_gmsh_note(triad_gmsh_reader *reader, triad_gmsh_kind kind, int64_t n, int64_t number);
void triad_gmsh_tell(const triad_gmsh_reader *reader, triad_faults *faults);

/* A position in the file as text: "line 7" of an ASCII file, "byte 1234" of a binary one. */
enum { TRIAD_GMSH_PLACE = 40 };
void triad_gmsh_place(const triad_gmsh_reader *reader, int64_t at, char text[TRIAD_GMSH_PLACE]);

/* ---- gmsh_nodes.c, gmsh_elements.c ---- */
int triad_gmsh_take_nodes(triad_gmsh_reader *reader, triad_faults *faults);
int triad_gmsh_take_elements(triad_gmsh_reader *reader, triad_faults *faults);

#endif
