/* A stage before its pressure, the divergence of its velocities, and the projection, on the CPU. */
#ifndef TRIAD_SOLVERS_STAGGERED_HOST_MOMENTUM_H
#define TRIAD_SOLVERS_STAGGERED_HOST_MOMENTUM_H

#include "solvers/staggered/state/mesh.h"

/* out = x_part x + rate (-(in . grad) in + nu lap diffused + force) at faces that are open, 0 at others. The halos
 * of `in` and `diffused` are filled. out may be x, neither of these. Rows are left closed, as
 * triad_staggered_closes_rows has it. Not collective. */
typedef struct triad_staggered_update {
  triad_real *const *in, *const *diffused, *const *x, *const *out;
  double x_part, rate, viscosity, force[3];
} triad_staggered_update;

int triad_staggered_momentum(const triad_staggered_mesh *mesh, const triad_staggered_update *update);

/* b = -V div u/dt for a velocity with filled halos. *rounding: the norm of b if each of its terms, V |u|/h dt, had an
 * error of one unit in the last place. Collective. */
int triad_staggered_source(const triad_staggered_mesh *mesh, triad_real *const u[3], double dt, triad_real *b,
                           double *rounding);

/* u = u - dt grad p at open faces. p: its halo is filled. Rows are left closed. Not collective. */
int triad_staggered_project(const triad_staggered_mesh *mesh, const triad_real *p, double dt, triad_real *const u[3]);

#endif
