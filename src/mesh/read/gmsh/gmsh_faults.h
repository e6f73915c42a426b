/* Faults of a Gmsh file: count them, and report the first of each kind. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_FAULTS_H
#define TRIAD_MESH_READ_GMSH_GMSH_FAULTS_H

#include "mesh/read/gmsh/gmsh_reader.h"

/* note: count n more faults of a kind and store the position and number of the first. The second
 * function adds all counted faults to `faults`. */
void triad_gmsh_note(triad_gmsh_reader *reader, triad_gmsh_kind kind, int64_t n, int64_t number);
void triad_gmsh_tell(const triad_gmsh_reader *reader, triad_faults *faults);

/* A position in the file as text: "line 7" of an ASCII file, "byte 1234" of a binary one. */
enum { TRIAD_GMSH_PLACE = 40 };
void triad_gmsh_place(const triad_gmsh_reader *reader, int64_t at, char text[TRIAD_GMSH_PLACE]);

#endif
