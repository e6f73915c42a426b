/* What reads meshes of Gmsh's format MSH, 4.1 and 2.2, ASCII and binary (gmsh.info, Reference manual, section 10),
 * in the process of its own: numbers and sections (gmsh_numbers.c), physical groups of surfaces, which are patches
 * (gmsh_groups.c), nodes (gmsh_nodes.c), elements (gmsh_elements.c): tetrahedra, pyramids, prisms and hexahedra, of
 * those of second order the corners. What is wrong with single nodes and elements is counted (gmsh_faults.c), and
 * the reader goes on. */
#ifndef TRIAD_MESH_READ_GMSH_READER_H
#define TRIAD_MESH_READ_GMSH_READER_H

#include "mesh/read/meshfile.h"

/* What is told as counts, with the first place, once the file has been gone through: the rest of it still makes
 * sense. */
typedef enum triad_gmsh_kind {
  TRIAD_GMSH_NO_NUMBER, /* a node has a coordinate that is not finite */
  TRIAD_GMSH_TWICE,     /* a node has another one's number            */
  TRIAD_GMSH_UNKNOWN,   /* an element is of a type that is not read   */
  TRIAD_GMSH_NO_NODE,   /* an element has a node that there is not    */
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
  /* n_whole: those of $Entities; those of $PartitionedEntities follow until all are sorted */
  int64_t n_entities, n_whole, room;
  int32_t *ghost; /* [n_ghosts] volumes of copies of cells that other partitions own */
  int64_t n_ghosts;
  int64_t n_plane;  /* elements of surfaces                           */
  double low, high; /* z of all nodes                                 */
  int32_t *place;   /* [most_tag + 1] of a node's number, -1: there is none */
  int64_t most_tag;
  struct {
    int64_t n, at, number; /* at, number: of the first, its place in the file and the node or type that it is about */
  } fault[TRIAD_GMSH_KINDS];
} triad_gmsh_reader;

triad_mesh_parse triad_mesh_gmsh_parse; /* gmsh.c */

/* ---- gmsh_numbers.c ---- */

/* Fails with TRIAD_ERR_CASE, and says where and what: nothing behind it could be understood. */
int triad_gmsh_bad(const triad_gmsh_reader *reader, const char *what);

/* What comes next; of an ASCII part a word. A size has 8 bytes in version 4.1, else 4; a text integer is one in
 * binary files too; a count is of things that take at least `least` bytes each of what is left of the file. */
int triad_gmsh_take_int(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_size(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_text_integer(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_real(triad_gmsh_reader *reader, double *out);
int triad_gmsh_take_count(triad_gmsh_reader *reader, int64_t least, int64_t *out);
void triad_gmsh_skip_line(triad_gmsh_reader *reader);

/* Go behind the line $NAME, wherever it stands; 0: there is none. */
int triad_gmsh_find_section(triad_gmsh_reader *reader, const char *name);
int triad_gmsh_take_format(triad_gmsh_reader *reader);
/* A line that begins with $End comes next, whatever section it names, as Gmsh reads it; or the section has more than
 * was announced. */
int triad_gmsh_end_section(triad_gmsh_reader *reader);

/* ---- gmsh_groups.c ---- */
int triad_gmsh_take_groups(triad_gmsh_reader *reader);
int triad_gmsh_take_entities(triad_gmsh_reader *reader);
/* The groups of a surface: the first entry of *n. And is a volume one of ghost cells? */
const triad_gmsh_entity *triad_gmsh_groups_of(const triad_gmsh_reader *reader, int64_t surface, int64_t *n);
int triad_gmsh_is_ghost(const triad_gmsh_reader *reader, int64_t volume);
/* The patch of a physical group, -1 of group 0; one without a name is called by its number. */
int triad_gmsh_patch_of(triad_gmsh_reader *reader, int64_t group, int32_t *patch);

/* ---- gmsh_faults.c ---- */

/* n more of a kind; of the first one the place and the number are kept. And all kinds become faults. */
void triad_gmsh_note(triad_gmsh_reader *reader, triad_gmsh_kind kind, int64_t n, int64_t number);
void triad_gmsh_tell(const triad_gmsh_reader *reader, triad_faults *faults);

/* "line 7" of an ASCII file, "byte 1234" of a binary one: where a place in the file is. */
enum { TRIAD_GMSH_PLACE = 40 };
void triad_gmsh_place(const triad_gmsh_reader *reader, int64_t at, char text[TRIAD_GMSH_PLACE]);

/* ---- gmsh_nodes.c, gmsh_elements.c ---- */
int triad_gmsh_take_nodes(triad_gmsh_reader *reader, triad_faults *faults);
int triad_gmsh_take_elements(triad_gmsh_reader *reader, triad_faults *faults);

#endif
