/* Derive the equations and the memory of a flow from its case, before the flow exists. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FLOW_PLAN_H
#define TRIAD_SOLVERS_SPECTRAL_FLOW_PLAN_H

#include "solvers/spectral/flow.h"

/* What a rank of `threads` threads will take, without taking it; gpu: steps are taken on a GPU. Not collective. */
void triad_flow_memory(const triad_flow_plan *plan, int threads, int gpu, triad_rank_needs *needs);

/* Add the memory that output needs if the case asks for it. Not collective. */
void triad_flow_output_memory(const triad_flow_plan *plan, int threads, triad_rank_needs *needs);

#endif
