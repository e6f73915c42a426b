/* The first bytes of a mesh file and its name, by which its format is recognised. */
#ifndef TRIAD_MESH_READ_LOOK_H
#define TRIAD_MESH_READ_LOOK_H

#include <stdint.h>

enum { TRIAD_MESH_HEAD = 4096 };

/* What is known of a file before it is read. head: its first bytes, inflated if it is a gzip file, with a NUL behind
 * them; length: their number, 0 for a folder. */
typedef struct triad_mesh_look {
  const char *path;
  char head[TRIAD_MESH_HEAD + 1];
  int64_t length;
  int folder;
} triad_mesh_look;

/* ends: the path ends so, in any case of letters, before ".gz" if it has that. begins: the
 * first line that is not empty, and no comment after `comment`, begins so. */
int triad_mesh_look_ends(const triad_mesh_look *look, const char *ending);
int triad_mesh_look_begins(const triad_mesh_look *look, char comment, const char *word);

#endif
