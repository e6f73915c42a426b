/* A mesh to be looked at: `triad grid` of a case of this solver. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FILES_LOOK_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FILES_LOOK_H

#include "case/case.h"

/* The faces of a case's mesh as `path`, a file named .vtkhdf (vtkhdf.h), with numbers of each: colour, that its loop
 * has with grid.loops = "colours" (faces of one share no cell; of its own for those between cells and for outer
 * ones), -1 within zones, which are in no list; cell and beyond, the two it lies between, -1 beyond an outer one;
 * patch, -1 between cells. A line to stdout tells how many there are. TRIAD_ERR_USAGE for another name, and for
 * ranks > 0: the whole is coloured. solver.h's grid_write: not collective. */
int triad_fct_grid_write(const triad_case *given, const char *path, int ranks);

#endif
