/* Rows of faces: lanes side by side, each a face of its own. */
#ifndef TRIAD_SOLVERS_WENO_FACE_ROW_H
#define TRIAD_SOLVERS_WENO_FACE_ROW_H

#include "solvers/weno/tile.h"


typedef struct triad_weno_faces {
  triad_weno_gas gas;
  triad_weno_weights weights;
  triad_weno_variables variables;
  triad_weno_riemann riemann;
  int positivity;
  triad_real ratio; /* 2 (number of axes) dt/h */
} triad_weno_faces;

/* U and point fluxes of the six cells around a face, lowest first, in the order of flux_points.h; the two cells that touch
 * it as (rho, u_n, u_s, u_t, T). Pointers to lane 0. */
typedef struct triad_weno_stencil {
  const triad_real *u[6][5], *f[6][5], *a[5], *b[5];
} triad_weno_stencil;

/* Both edges of n cells, which are number 2 + first of the six. */
void triad_weno_edges_row(const triad_weno_faces *p, const triad_weno_stencil *c, int first, int64_t n,
                          triad_weno_row below[10], triad_weno_row above[10]);

/* Fluxes of n faces from the upper edges of the cells below them and the lower edges, `shift` lanes further, of those
 * above. */
void triad_weno_faces_row(const triad_weno_faces *p, const triad_weno_stencil *c, int64_t n, triad_weno_row above[10],
                          triad_weno_row below[10], int64_t shift, triad_weno_row face[5]);

/* Fluxes of n faces from all six cells, reconstructed as wave strengths. */
void triad_weno_waves_row(const triad_weno_faces *p, const triad_weno_stencil *c, int64_t n, triad_weno_scratch *s,
                          triad_weno_row face[5]);

/* Bring the fluxes of n faces towards those of first order as far as density and pressure of the two cells need it (Hu,
 * Adams and Shu 2013, J. Comput. Phys. 242, 169). */
void triad_weno_limit_row(const triad_weno_faces *p, const triad_weno_stencil *c, int64_t n, triad_weno_row face[5]);

#endif
