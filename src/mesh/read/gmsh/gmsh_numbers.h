/* Numbers, lines and section marks of a Gmsh file, text or binary, with messages about errors. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_NUMBERS_H
#define TRIAD_MESH_READ_GMSH_GMSH_NUMBERS_H

#include "mesh/read/gmsh/gmsh_reader.h"

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

/* Move to the line after $NAME, anywhere in the file; 0: the section does not exist. */
int triad_gmsh_find_section(triad_gmsh_reader *reader, const char *name);
/* Error: the section that is missing has an end. */
int triad_gmsh_check_missing(triad_gmsh_reader *reader, const char *name);
int triad_gmsh_take_format(triad_gmsh_reader *reader);
/* Read the line that ends a section: any line that begins with $End, as in Gmsh. An error if the section is longer
 * than announced. */
int triad_gmsh_end_section(triad_gmsh_reader *reader);

#endif
