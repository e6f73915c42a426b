/* Write the fields of all cells to a file. Collective. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FILES_OUTPUT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FILES_OUTPUT_H

#include "solvers/unstructured/points/kinds.h"
#include "solvers/unstructured/state/flow.h"

/* Cells that a rank exchanges and writes at a time. */
enum { TRIAD_UNSTRUCTURED_FILE_CELLS = 1 << 16 };

/* Collective; solver.h. */
int triad_unstructured_write_fields(void *flow, const char *run_dir, const triad_notes *notes);
/* A value of own cell c from the current state, by its number in files of fields (points/kinds.h). Not collective. */
triad_real triad_unstructured_value(const triad_unstructured_flow *flow, int which, int64_t c);

#endif
