/* Viscosity, prelimiting and limits by components on a GPU, for cells outside zones of bricks. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_TERMS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_TERMS_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_terms.c: viscous fluxes, prelimiting; bounds, factors and limiting by components. Not collective. */
int triad_unstructured_gpu_add_viscous(triad_unstructured_flow *flow, int low);
int triad_unstructured_gpu_prelimit_all(triad_unstructured_flow *flow);
int triad_unstructured_gpu_bound_components(triad_unstructured_flow *flow);
int triad_unstructured_gpu_part_components(triad_unstructured_flow *flow, double dt);
int triad_unstructured_gpu_cut_components(triad_unstructured_flow *flow);

#endif
