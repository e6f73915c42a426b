/* Faults of a Gmsh file: count them, and report the first of each kind. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_FAULTS_H
#define TRIAD_MESH_READ_GMSH_GMSH_FAULTS_H

#include "mesh/read/gmsh/gmsh_reader.h"

/* note: count n more faults of a kind and store the position and number of the first. The second
 * function adds all counted faults to `faults`. */
void triad_gmsh_note(triad_gmsh_reader *reader, triad_gmsh_kind kind, int64_t n, int64_t number);
void triad_gmsh_tell(const triad_gmsh_reader *reader, triad_faults *faults);

#endif
