/* A subgrid model on a staggered mesh: eddy viscosity in the centres of cells, its force at faces, its columns. On
 * CPUs. */
#ifndef TRIAD_SOLVERS_STAGGERED_CLOSURE_CLOSURE_H
#define TRIAD_SOLVERS_STAGGERED_CLOSURE_CLOSURE_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_closure triad_staggered_closure;

/* *out stays NULL without a closure. Collective. */
int triad_staggered_closure_create(triad_staggered_closure **out, const triad_staggered_mesh *mesh,
                                   const triad_case *given);
void triad_staggered_closure_destroy(triad_staggered_closure **closure, triad_memory *memory);

/* look: compute nu_t of a velocity whose halos are filled, and the largest rate nu_t 4 sum_i 1/h_i^2 of all ranks
 * [1/time]; 0 for NULL. Collective. rate: the latest of them, not collective. */
int triad_staggered_closure_look(triad_staggered_closure *closure, const triad_staggered_mesh *mesh,
                                 triad_real *const u[3]);
double triad_staggered_closure_rate(const triad_staggered_closure *closure);

/* out += dt times the force of the subgrid stress of `in`, whose halos are filled, at open faces; rows of out are left
 * closed. looked: `in` is the velocity of the latest look. Collective. */
int triad_staggered_closure_add(triad_staggered_closure *closure, const triad_staggered_mesh *mesh, int looked,
                                double dt, triad_real *const in[3], triad_real *const out[3]);

/* Of a velocity whose halos are filled: the sum over open faces of -V u . force, and over cells of V nu_t; the largest
 * nu_t. Collective. */
int triad_staggered_closure_measure(triad_staggered_closure *closure, const triad_staggered_mesh *mesh,
                                    triad_real *const u[3], double results[3]);

#endif
