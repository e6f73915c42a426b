/* The effect of a neighbour's change on a cell in an implicit step (step/implicit.h). */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_IMPLICIT_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_IMPLICIT_POINTS_H

#include "solvers/multiblock/points/multiblock_points.h"

/* (F(U + D) - F(U)).s - lambda D of a neighbour with primitives q, s out of the cell; diffusion: that part of lambda
 * over S^2. */
TRIAD_POINT_INLINE triad_gas_flux triad_multiblock_pulled(triad_gas_state q, triad_gas_flux d, const triad_real s[3],
                                                          triad_real gamma, triad_real diffusion)
{
  triad_gas_flux u = triad_gas_conserved(q, gamma), before = triad_gas_flux_of(q, s, gamma);
  triad_gas_flux sum = {u.mass + d.mass, u.x + d.x, u.y + d.y, u.z + d.z, u.energy + d.energy};
  triad_gas_flux after = triad_gas_flux_of(triad_gas_primitive(sum, gamma), s, gamma);
  triad_real wave = triad_multiblock_wave_rate(q, s, gamma) + diffusion * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  return (triad_gas_flux){after.mass - before.mass - wave * d.mass, after.x - before.x - wave * d.x,
                          after.y - before.y - wave * d.y, after.z - before.z - wave * d.z,
                          after.energy - before.energy - wave * d.energy};
}

/* How much of a change d of the state u a cell with primitives q takes: so much that two fifths of its density and
 * pressure stay. */
TRIAD_POINT_INLINE triad_real triad_multiblock_taken(triad_gas_state q, triad_gas_flux u, triad_gas_flux d,
                                                     triad_real gamma)
{
  const triad_real least = TRIAD_R(0.4), half = TRIAD_R(0.5);
  triad_real part = 1;
  for (int cut = 0; cut < 6; cut++) {
    triad_gas_state next =
      triad_gas_primitive((triad_gas_flux){u.mass + part * d.mass, u.x + part * d.x, u.y + part * d.y, u.z + part * d.z,
                                           u.energy + part * d.energy},
                          gamma);
    if (next.rho > least * q.rho && next.p > least * q.p) break;
    part *= half;
  }
  return part;
}

#endif
