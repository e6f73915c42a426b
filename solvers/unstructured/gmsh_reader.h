/* What reads a file of Gmsh, in the process of its own: numbers and sections (gmsh_numbers.c), physical groups
 * (gmsh_groups.c), nodes (gmsh_nodes.c), elements (gmsh_elements.c). A file is read twice: counted, then taken into
 * arrays of that size, which a file that has grown meanwhile does not overrun. Not collective, as all here. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GMSH_READER_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GMSH_READER_H

#include "base/guard.h"
#include "solvers/unstructured/gmsh.h"

/* A side of a patch, as the file lists it. */
typedef struct triad_gmsh_side {
  int32_t patch, n, point[TRIAD_FCT_SIDE_POINTS];
} triad_gmsh_side;

/* All that is taken from a file; arrays are NULL while it is being counted. */
typedef struct triad_gmsh_contents {
  triad_fct_gmsh_counts n, room; /* room: for how many the arrays are */
  double (*x)[3];
  uint8_t *shape;
  int32_t *corner;
  triad_gmsh_side *side;
  char (*name)[TRIAD_FCT_NAME];
} triad_gmsh_contents;

typedef struct triad_gmsh_entity {
  int32_t dim, tag, group; /* group: its first physical group, 0: none */
} triad_gmsh_entity;

typedef struct triad_gmsh_reader {
  triad_guard *guard;
  const char *path;
  char *text;
  int64_t size, at;
  int binary, version; /* 4: 4.1, 2: 2.2 */
  triad_gmsh_contents *out;
  int n_groups, group[TRIAD_FCT_PATCHES]; /* physical groups of surfaces: patch i is group[i] */
  char group_name[TRIAD_FCT_PATCHES][TRIAD_FCT_NAME];
  triad_gmsh_entity *entities;
  int64_t n_entities;
  int32_t *place; /* [most_tag + 1] of a node's number, -1: there is none */
  int64_t most_tag;
} triad_gmsh_reader;

/* ---- gmsh_numbers.c ---- */

/* Fails with TRIAD_ERR_CASE, and says where and what. */
int triad_gmsh_bad(const triad_gmsh_reader *reader, const char *what);

/* What comes next; of an ASCII part a word. A size has 8 bytes in version 4.1, else 4; a text integer is one in binary files
 * too; a count is of things that take at least `least` bytes each of what is left of the file. */
int triad_gmsh_take_int(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_size(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_text_integer(triad_gmsh_reader *reader, int64_t *out);
int triad_gmsh_take_real(triad_gmsh_reader *reader, double *out);
int triad_gmsh_take_count(triad_gmsh_reader *reader, int64_t least, int64_t *out);
void triad_gmsh_skip_line(triad_gmsh_reader *reader);

/* Go behind the line $NAME, wherever it stands; 0: there is none. */
int triad_gmsh_find_section(triad_gmsh_reader *reader, const char *name);
int triad_gmsh_take_format(triad_gmsh_reader *reader);

/* ---- gmsh_groups.c ---- */
int triad_gmsh_take_groups(triad_gmsh_reader *reader);
int triad_gmsh_take_entities(triad_gmsh_reader *reader);
int64_t triad_gmsh_group_of(const triad_gmsh_reader *reader, int64_t surface);
/* The patch of a physical group, -1 of group 0; one without a name is called by its number. */
int triad_gmsh_patch_of(triad_gmsh_reader *reader, int64_t group, int32_t *patch);

/* ---- gmsh_nodes.c, gmsh_elements.c ---- */
int triad_gmsh_take_nodes(triad_gmsh_reader *reader);
int triad_gmsh_take_elements(triad_gmsh_reader *reader);

#endif
