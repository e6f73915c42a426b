/* A stage on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_SWEEP_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_SWEEP_H

#include "solvers/multiblock/step/loops.h"

/* triad_mb_loops.sweep: squares, bad and most of the stage grow. */
void triad_mb_sweep(triad_mb_flow *f, triad_mb_stage *stage, triad_mb_tiles tiles);

/* Numbers of flow->work that a thread needs. */
int64_t triad_mb_work_size(void);

#endif
