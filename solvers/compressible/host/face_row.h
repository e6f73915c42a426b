/* Fluxes at the faces of a row on the CPU: values at edges, upwind fluxes, wave speeds, the positivity limiter. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_HOST_FACE_ROW_H
#define TRIAD_SOLVERS_COMPRESSIBLE_HOST_FACE_ROW_H

#include "solvers/compressible/host/tile.h"

/* Both edges of n cells, which are number 2 + first of the stencil's six. */
void triad_compressible_edges_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int first,
                                  int64_t n, triad_compressible_row below[10], triad_compressible_row above[10]);

/* Fluxes of n faces from the upper edges of the cells below them and the lower edges, `shift` lanes further, of those
 * above. */
void triad_compressible_faces_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_row above[10], triad_compressible_row below[10], int64_t shift,
                                  triad_compressible_row face[5]);

/* Fluxes of n faces from all six cells, reconstructed as wave strengths. */
void triad_compressible_waves_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_scratch *s, triad_compressible_row face[5]);

/* Bring the fluxes of n faces towards those of first order as far as density and pressure of the two cells need it (Hu,
 * Adams and Shu 2013, J. Comput. Phys. 242, 169). */
void triad_compressible_limit_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_row face[5]);

#endif
