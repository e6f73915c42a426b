/* Recognise file formats by their first bytes or by their names, for messages about files that a reader cannot use. */
#ifndef TRIAD_STORE_FORMATS_FOREIGN_H
#define TRIAD_STORE_FORMATS_FOREIGN_H

#include <stdint.h>

/* format: with an article, "an STL surface"; NULL: it is none of those. is_mesh: the unstructured solver reads meshes
 * of this format. by_name: only the name says so. */
typedef struct triad_foreign {
  const char *format;
  int is_mesh, by_name;
} triad_foreign;

/* bytes: the begin of the file, `length` of them. */
triad_foreign triad_foreign_of(const char *path, const char *bytes, int64_t length);

#endif
