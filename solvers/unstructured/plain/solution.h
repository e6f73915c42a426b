/* The solution in a file of fields on any mesh: centres of its cells, and density, velocity and pressure there. A
 * separate process reads the file. Not collective. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_SOLUTION_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_SOLUTION_H

#include "base/memory.h"

typedef struct triad_unstructured_solution {
  int64_t n;
  double (*x)[3], (*q)[5];
  void *block; /* that both lie in */
} triad_unstructured_solution;

/* TRIAD_ERR_INPUT: there is no such file; TRIAD_ERR_CASE: it is not what files of fields of fct are;
 * TRIAD_ERR_MEMORY. */
int triad_unstructured_solution_read(triad_unstructured_solution *out, triad_memory *memory, const char *path);
void triad_unstructured_solution_free(triad_unstructured_solution *solution, triad_memory *memory);

#endif
