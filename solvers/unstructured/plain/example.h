/* A case for a mesh file, to be completed. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_EXAMPLE_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_EXAMPLE_H

#include <stdio.h>

/* Print a case of this solver for the mesh of a file: every patch has a condition that follows from its name where it
 * says one, and a comment with its faces and area. It is print_case of triad_mesh_part in solver.h. TRIAD_ERR_CASE for
 * a mesh with errors. Not collective. */
int triad_unstructured_example(FILE *out, const char *path);

#endif
