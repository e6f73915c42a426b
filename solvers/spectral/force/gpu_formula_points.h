/* Evaluate formulas at the points of a chunk on a GPU, within the x pass of the set or in a pass of their own. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_POINTS_H

#include "solvers/spectral/force/gpu_formula_internal.h"

/* gpu_formula_points.c: the x pass of the set with the formulas' (law: triad_gpu_formulas); what it needs, of a set
 * whose own is `visit`, and back; what a stage takes before it. */
int triad_gpu_formula_visit(const void *law, const triad_gpu_chunk *chunk);
int triad_gpu_formula_prepare(triad_gpu_formulas *formulas, triad_gpu_visit *visit, const void *law);
int triad_gpu_formula_tables(triad_gpu_formulas *formulas);
void triad_gpu_formula_drop(triad_gpu_formulas *formulas);

#endif
