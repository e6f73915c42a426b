/* Write the faces of a mesh for inspection: `triad grid` for a case of this solver. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FILES_LOOK_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FILES_LOOK_H

#include "case/case.h"

/* Write the faces of a case's mesh to `path`, a .vtkhdf file (vtkhdf.h), with these values per face. colour: that of
 * its loop with grid.loops = "colours" (faces of a colour share no cell; faces between cells and outer faces are
 * coloured separately), -1 within zones, whose faces are not listed. cell, beyond: the two cells; -1 beyond an outer
 * face. patch: -1 between cells. A line on stdout gives their number. A file named .su2, .msh or .cgns has the cells
 * and patches instead (mesh/write/meshwrite.h). TRIAD_ERR_USAGE for another extension, or for ranks > 0, since the
 * whole mesh is coloured. It is grid_write of solver.h: not collective. */
int triad_unstructured_grid_write(const triad_case *given, const char *path, int ranks);

#endif
