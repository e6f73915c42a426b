/* Memory of a planned rank, and the files of its run (plan.c): like check.c for a rank of this run, but without
 * allocating anything of the size of the grid. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAN_MEMORY_H
#define TRIAD_SOLVERS_SPECTRAL_PLAN_MEMORY_H

#include "solvers/plan.h"
#include "solvers/spectral/flow.h"

/* Columns that tables of a layout which is made for a plan may have. */
enum { TRIAD_PLAN_COLUMNS = 1 << 16 };

/* Of the last rank, in bytes; p has the layout of slabs. cut: planes of a chunk, chunks, chunks in flight. Of groups
 * so large, on grids so large, that tables of who has which lines would be (some 500 ranks that share planes of
 * 32768^2 points), memory is that of slabs. TRIAD_ERR_MEMORY. Not collective. */
int triad_flow_plan_memory(const triad_flow_plan *p, const triad_plan_ranks *r, const int64_t cut[3],
                           triad_needs *needs);

#endif
