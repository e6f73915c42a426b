/* Operations of a stage on one outer face, on any device: the state beyond it, its fluxes, the flux
 * through the patch. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_OUTER_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_OUTER_POINTS_H

#include "solvers/unstructured/points/loops_points.h"

/* Values at an outer face of a cell whose gradient is a difference along a line of three entries: the cell opposite,
 * the cell, and the entry beyond the face. The face is halfway to the latter; `part`: fraction of the difference to
 * the cell opposite. */
TRIAD_POINT_INLINE void triad_unstructured_on_line(const triad_unstructured_view *v, int64_t cell, int64_t beyond,
                                                   int64_t opposite, triad_real part, triad_real out[5])
{
  triad_real q[5], far[5], back[5];
  triad_unstructured_load(&v->value, cell, 5, q);
  triad_unstructured_load(&v->value, beyond, 5, far);
  triad_unstructured_load(&v->value, opposite, 5, back);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = q[k] + (part * (q[k] - back[k]) + TRIAD_R(0.25) * (far[k] - q[k]));
  const int gas = (out[0] > 0) & (out[4] > 0);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = gas ? out[k] : q[k];
}

/* Fluxes of an outer face with a rule. At a wall there are fluxes of their own; elsewhere the central flux is the
 * low-order one. opposite: triad_unstructured_on_line's; -1: the cell's gradient is kept. */
TRIAD_POINT_INLINE void triad_unstructured_outer_fluxes(const triad_unstructured_view *v,
                                                        const triad_unstructured_rule *rule, int64_t face, int low,
                                                        triad_gas_riemann riemann, int high, int64_t opposite,
                                                        triad_real part)
{
  const int64_t l = v->cell[face][0], r = triad_unstructured_beyond_face(v, face);
  const int wall = triad_unstructured_is_wall(rule->kind);
  triad_real g[4], ql[6], qr[6], f[5], lower[5];
  triad_unstructured_normal(v, face, g);
  triad_unstructured_load(&v->value, l, 6, ql);
  triad_unstructured_load(&v->value, r, 6, qr);
  const triad_real speed =
    triad_max(TRIAD_ABS(triad_gas_dot3(ql + 1, g)) + ql[5], TRIAD_ABS(triad_gas_dot3(qr + 1, g)) + qr[5]);
  if (wall) triad_unstructured_wall(&v->gas, ql, g, lower);
  else triad_gas_values_between(riemann, &v->gas, ql, qr, speed, g, lower);
  for (int k = 0; k < 5; k++) f[k] = lower[k];
  if (high == TRIAD_UNSTRUCTURED_CENTRAL && wall)
    for (int a = 0; a < 3; a++) f[1 + a] = ql[4] * g[a];
  if (high == TRIAD_UNSTRUCTURED_LINEAR) {
    if (opposite >= 0) triad_unstructured_on_line(v, l, r, opposite, part, ql);
    else {
      triad_real from[3];
      triad_unstructured_to_face(v, face, 0, from);
      triad_unstructured_at_face(v, l, from, ql);
    }
    triad_unstructured_beyond(&v->gas, rule, ql, g, qr);
    if (wall) triad_unstructured_wall(&v->gas, ql, g, f);
    else triad_gas_values_hllc(&v->gas, ql, qr, g, f);
  }
  if (low) {
    v->speed[face] = g[3] * speed;
    for (int k = 0; k < 5; k++) v->low.at[k * v->low.pitch + face] = g[3] * lower[k];
  }
  if (high == TRIAD_UNSTRUCTURED_NO_HIGH) return;
  for (int k = 0; k < 5; k++) v->anti.at[k * v->anti.pitch + face] = g[3] * f[k] - v->low.at[k * v->low.pitch + face];
}

/* Set the state beyond an outer face from the condition of its patch. */
TRIAD_POINT_INLINE void triad_unstructured_set_beyond(const triad_unstructured_view *v,
                                                      const triad_unstructured_rule *rule, int64_t face)
{
  triad_real q[5], n[4], out[6];
  triad_unstructured_load(&v->value, v->cell[face][0], 5, q);
  triad_unstructured_normal(v, face, n);
  triad_unstructured_beyond(&v->gas, rule, q, n, out);
  out[5] = triad_gas_values_sound(&v->gas, out);
  triad_unstructured_store(&v->value, triad_unstructured_beyond_face(v, face), 6, out);
}

/* There: bounds as it comes in, and room for anything. */
TRIAD_POINT_INLINE void triad_unstructured_set_room_beyond(const triad_unstructured_view *v, int64_t face)
{
  const int64_t i = triad_unstructured_beyond_face(v, face);
  const triad_real rho = v->value.at[i], p = v->value.at[4 * v->value.pitch + i], b[4] = {rho, -rho, p, -p};
  triad_unstructured_store(&v->bound, i, 4, b);
}

TRIAD_POINT_INLINE void triad_unstructured_set_part_beyond(const triad_unstructured_view *v, int64_t face)
{
  *triad_unstructured_part_place(v, face, 1) = 1;
}

/* The flux through an outer face: the low-order flux, and the antidiffusive one times the limiter
 * factor of its cell. */
TRIAD_POINT_INLINE void triad_unstructured_passed(const triad_unstructured_view *v, int64_t face, int high,
                                                  triad_real out[5])
{
  triad_real a[5];
  triad_unstructured_load(&v->low, face, 5, out);
  if (!high) return;
  triad_unstructured_load(&v->anti, face, 5, a);
  const triad_real part = v->bounded ? *triad_unstructured_part_place(v, face, 0) : TRIAD_R(1);
  for (int k = 0; k < 5; k++) out[k] += part * a[k];
}

/* Add dt times what has passed an outer face: the fluxes, and the moments of the momentum about the centre from which
 * `arm` leads to the middle of the face; NULL: no moments. */
TRIAD_POINT_INLINE void triad_unstructured_add_passed(const triad_real passed[5], const double *arm, double dt,
                                                      double sum[TRIAD_UNSTRUCTURED_PASSED])
{
  for (int k = 0; k < 5; k++) sum[k] += dt * (double)passed[k];
  for (int a = 0; a < 3 && arm; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    sum[5 + a] += dt * (arm[b] * (double)passed[1 + c] - arm[c] * (double)passed[1 + b]);
  }
}

#endif
