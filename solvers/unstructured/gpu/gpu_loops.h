/* The loops of a stage on a GPU, called by files of this folder. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_LOOPS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_LOOPS_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_loops.c: the table. note: record the status of a launch, which settle returns. copy_twins: copy values of bricks
 * to their ghost copies. part_of: part number i of a share of the cells: rows, then zones without bricks; 0: there are
 * no more. listed = 0 leaves out the rows, for loops in which faces do the work of listed cells. */
extern const triad_unstructured_loops triad_unstructured_gpu_loops;
void triad_unstructured_gpu_note(triad_unstructured_flow *flow, int status);
void triad_unstructured_gpu_copy_twins(triad_unstructured_flow *flow);
int triad_unstructured_gpu_part_of(const triad_unstructured_flow *flow, triad_unstructured_share share, int listed,
                                   int i, triad_unstructured_gpu_cells *out);

#endif
