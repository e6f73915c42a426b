/* Outflow boundaries: velocities through the boundary are advected outwards, such that outflow equals inflow
 * (docs/methods/staggered.md eq. 51).
 *
 * These faces are closed for the pressure. At the end of a step their velocities follow from zero divergence in the
 * cells before them, so they depend on the state alone, and checkpoints need not contain them. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_OUTFLOW_H
#define TRIAD_SOLVERS_STAGGERED_STATE_OUTFLOW_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_outflow triad_staggered_outflow;

/* *out NULL where nothing flows out, which all others here take and do nothing. TRIAD_ERR_MEMORY. Collective, as all
 * here but carry and destroy. */
int triad_staggered_outflow_create(triad_staggered_outflow **out, const triad_staggered_mesh *mesh);
void triad_staggered_outflow_destroy(triad_staggered_outflow **outflow);

/* Solids have come or gone. TRIAD_ERR_CASE where solids close all of the outflow, or fluid would come in there. */
int triad_staggered_outflow_renew(triad_staggered_outflow *outflow);

/* The same of a box that nothing flows out of: TRIAD_ERR_CASE where through the fluid sides of its inflows more
 * comes in than goes out, or less. */
int triad_staggered_inflow_balances(const triad_staggered_mesh *mesh);

/* What comes in, and the area of the outflow that fluid can take, for who carries it on a GPU. Not collective. */
void triad_staggered_outflow_totals(const triad_staggered_outflow *outflow, double *comes_in, double *area);

/* Remember x - dt U (in - in of the face before)/h at the faces of the boundary, U the mean speed there; with x NULL,
 * the velocity of the face before. Halos of x and `in` are filled. */
void triad_staggered_outflow_carry(triad_staggered_outflow *outflow, triad_real *const *x, triad_real *const in[3],
                                   double dt);

/* Set these faces of u to the saved velocities plus a constant, such that outflow equals inflow. */
int triad_staggered_outflow_put(triad_staggered_outflow *outflow, triad_real *const u[3]);

/* Set these faces of u, whose halos are filled, such that the cells before them have no divergence, and fill the halos
 * again. scratch: a free field. */
void triad_staggered_outflow_continue(triad_staggered_outflow *outflow, triad_real *const u[3], triad_real *scratch);

#endif
