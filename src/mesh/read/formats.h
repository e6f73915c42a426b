/* The formats of mesh files: the table of their names, how each is recognised, and its reader. */
#ifndef TRIAD_MESH_READ_FORMATS_H
#define TRIAD_MESH_READ_FORMATS_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

enum { TRIAD_MESH_FORMATS_TEXT = 300 };

typedef struct triad_mesh_format {
  const char *name; /* as in messages: "SU2" */
  int (*is)(const triad_mesh_look *look);
  triad_mesh_parse *parse;
  int streams; /* 1: the reader fills a draft in the order of the file (draft.h) */
} triad_mesh_format;

/* find: the format of a file. TRIAD_ERR_INPUT: it does not exist; TRIAD_ERR_CASE: it is of no format that can be read,
 * with the formats that can. at: row i of the table, NULL behind the last one. */
int triad_mesh_format_find(const triad_mesh_format **format, const char *path);
const triad_mesh_format *triad_mesh_format_at(int i);

#endif
