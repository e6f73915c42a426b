/* What a step costs, counted. */
#include "solvers/weno/own.h"

/* Additions and multiplications of a point in each *_points.h; a division, a root and a power count one. FACE: average,
 * waves and flux from edges; WAVES: the same with twelve projections. */
enum { FACE = 143, WAVES = 429, FLUX = 8, DIFFERENCE = 15, STRESS = 58, STRESS_DIFFERENCE = 24, CENTRAL = 350, FACE_STRESS = 397, PRIMITIVES = 14, UPDATE = 25 };

/* A reconstruction of one quantity: at both edges of a cell, and at one. */
static const struct {
  int both, one;
} edges[] = {[TRIAD_WENO_JS] = {79, 56},
             [TRIAD_WENO_M] = {133, 83},
             [TRIAD_WENO_Z] = {89, 66},
             [TRIAD_WENO_LINEAR] = {22, 13},
             [TRIAD_WENO_TENO] = {101, 78}};

static double sweep(const triad_weno_setup *s)
{
  if (s->form == TRIAD_WENO_CENTRAL)
    return CENTRAL + DIFFERENCE + (s->viscosity > 0 ? FACE_STRESS + STRESS_DIFFERENCE : 0);
  double work = FLUX + DIFFERENCE + (s->viscosity > 0 ? STRESS + STRESS_DIFFERENCE : 0);
  return work + (s->variables == TRIAD_WENO_CHARACTERISTIC ? WAVES + 20 * edges[s->weights].one
                                                           : FACE + 10 * edges[s->weights].both);
}

triad_weno_costs triad_weno_cost(const triad_weno *w)
{
  const triad_weno_setup *s = &w->setup;
  int stages = s->scheme->n_stages, axes = 0, primitives = s->viscosity > 0 ? 5 : 4;
  double points = (double)triad_partition_points(&w->blocks);
  for (int i = 0; i < 3; i++) axes += s->n[i] > 1;
  /* each field once a pass: primitives are made of the state, then rates of both, then the update of two states */
  int fields = TRIAD_WENO_FIELDS + primitives + TRIAD_WENO_FIELDS + primitives + 3 * TRIAD_WENO_FIELDS;
  return (triad_weno_costs){.stages = stages,
                            .bytes = stages * points * fields * (double)sizeof(triad_real),
                            .sent_bytes = stages * (double)(w->gpu ? triad_gas_gpu->sent_bytes(w)
                                                                 : triad_halo_bytes(w->halo, TRIAD_WENO_FIELDS)),
                            .flops = stages * points * (axes * sweep(s) + PRIMITIVES + UPDATE)};
}

triad_phases triad_weno_phases(triad_weno *w)
{
  triad_phases p = w->phases;
  w->phases = (triad_phases){{0}};
  return p;
}

void triad_weno_apart(triad_weno *w, int apart)
{
  if (w->gpu) triad_gas_gpu->apart(w, apart);
}
