/* What a step costs, counted. */
#include "solvers/weno/own.h"

/* Operations of a cell and stage, counted in the sources of the points; a division or a root is one. A reconstruction of
 * one quantity at both edges of a cell, and a face: its average, waves and flux. */
enum { EDGES_JS = 71, EDGES_M = 113, EDGES_Z = 75, EDGES_LINEAR = 22, EDGES_TENO = 88, FACE = 118, FLUX = 9, PROJECT = 28,
       STRESS = 74, VISCOUS = 16, PRIMITIVES = 14, UPDATE = 25 };

static double edges(triad_weno_weights weights)
{
  switch (weights) {
  case TRIAD_WENO_JS: return EDGES_JS;
  case TRIAD_WENO_M: return EDGES_M;
  case TRIAD_WENO_Z: return EDGES_Z;
  case TRIAD_WENO_TENO: return EDGES_TENO;
  case TRIAD_WENO_LINEAR: break;
  }
  return EDGES_LINEAR;
}

triad_weno_costs triad_weno_cost(const triad_weno *w)
{
  const triad_weno_setup *s = &w->setup;
  int stages = s->scheme == TRIAD_WENO_RK4 ? 4 : 3, axes = 0, viscous = s->viscosity > 0;
  double points = (double)triad_block_points(&w->blocks), flops = PRIMITIVES + UPDATE;
  for (int i = 0; i < 3; i++) axes += s->n[i] > 1;
  double face = 10 * edges(s->weights) + FACE + FLUX;
  if (s->variables == TRIAD_WENO_CHARACTERISTIC) face += 12 * PROJECT + 6 * edges(s->weights);
  flops += axes * face + (viscous ? axes * (STRESS + VISCOUS) : 0);
  /* primitives: state read, four or five written; fluxes: both read, two states read and one written for the update */
  int fields = 5 + (4 + viscous) + 5 + (4 + viscous) + 15;
  return (triad_weno_costs){.stages = stages,
                            .bytes = stages * points * fields * (double)sizeof(triad_real),
                            .sent_bytes = stages * (double)triad_halo_bytes(w->halo, TRIAD_WENO_FIELDS),
                            .flops = stages * points * flops};
}

triad_phases triad_weno_phases(triad_weno *w)
{
  triad_phases p = w->phases;
  w->phases = (triad_phases){{0}};
  return p;
}
