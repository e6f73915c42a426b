/* Loops of a stage over faces, for the CPU's table of loops. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_FACES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_FACES_H

#include "solvers/unstructured/host/host_lanes.h"

/* host_faces.c: loops over faces (loops.h); their fluxes added to listed cells, low ones to td = u. */
void triad_unstructured_host_beyond(triad_unstructured_flow *flow);
void triad_unstructured_host_fluxes(triad_unstructured_flow *flow, triad_unstructured_faces faces, int low);
void triad_unstructured_host_crossed(triad_unstructured_flow *flow, double dt);
void triad_unstructured_host_ghost_parts(triad_unstructured_flow *flow, double dt);
void triad_unstructured_scatter_low(triad_unstructured_flow *flow, triad_real dt);
void triad_unstructured_scatter_anti(triad_unstructured_flow *flow, triad_real dt);

#endif
