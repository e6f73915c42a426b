/* Write the fields of all cells to a file. Collective. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FILES_OUTPUT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FILES_OUTPUT_H

#include "solvers/unstructured/state/flow.h"

/* Collective; solver.h. */
int triad_unstructured_write_fields(void *flow, const char *run_dir, const triad_notes *notes);
/* A value of own cell c from the current state, by its number in files of fields (output.c). Not collective. */
enum {
  TRIAD_UNSTRUCTURED_RHO,
  TRIAD_UNSTRUCTURED_U,
  TRIAD_UNSTRUCTURED_V,
  TRIAD_UNSTRUCTURED_W,
  TRIAD_UNSTRUCTURED_P,
  TRIAD_UNSTRUCTURED_T,
  TRIAD_UNSTRUCTURED_MACH,
  TRIAD_UNSTRUCTURED_SCHLIEREN,
  TRIAD_UNSTRUCTURED_OUTPUTS
};
triad_real triad_unstructured_value(const triad_unstructured_flow *flow, int which, int64_t c);

#endif
