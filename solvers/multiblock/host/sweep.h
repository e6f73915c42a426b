/* A stage on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_SWEEP_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_SWEEP_H

#include "solvers/multiblock/step/loops.h"

/* triad_multiblock_loops.sweep: squares, bad and most of the stage grow. */
void triad_multiblock_sweep(triad_multiblock_flow *f, triad_multiblock_stage *stage, triad_multiblock_tiles tiles);

/* Numbers of flow->work that a thread needs. */
int64_t triad_multiblock_work_size(void);

#endif
