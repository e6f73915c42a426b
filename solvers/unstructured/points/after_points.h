/* Operations on a cell after a step, on any device: relaxation towards a far field, accumulation of time averages,
 * terms of the series. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_AFTER_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_AFTER_POINTS_H

#include "solvers/unstructured/points/loops_points.h"

enum {
  TRIAD_UNSTRUCTURED_MEANS = 12, /* of the five primitive values; six stresses, and the pressure's variance        */
  TRIAD_UNSTRUCTURED_SUMS = 6,   /* of a cell's volume times mass, momentum, energy; and times kinetic energy      */
  TRIAD_UNSTRUCTURED_MAX = 5     /* largest Mach number, -density, density, -pressure, pressure                    */
};

/* dU/dt = s (U_far - U) over dt, implicit: (U + r U_far)/(1 + r), r = s dt; between two gases that is a gas.
 * taken[5]: what it took of the cell, to which is added. */
TRIAD_POINT_INLINE void triad_unstructured_draw(const triad_unstructured_view *v, int64_t cell, triad_real r,
                                                const triad_real far[5], double taken[5])
{
  const double volume = 1 / (double)v->per_volume[cell];
  triad_real u[5];
  triad_unstructured_load(&v->u, cell, 5, u);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real before = u[k];
    u[k] = (before + r * far[k]) / (1 + r);
    taken[k] += (double)(before - u[k]) * volume;
  }
  triad_unstructured_store(&v->u, cell, 5, u);
  triad_unstructured_set_value(v, cell, u);
}

/* mean[12] of a cell whose values are q, with the share w of the new time in all of it: m + w (q - m), and (1 - w)
 * (c + w d d') with d = q - m, m before (West 1979, Commun. ACM 22, 532). Covariances: uu, vv, ww, uv, uw, vw, pp. */
TRIAD_POINT_INLINE void triad_unstructured_add_mean(const triad_unstructured_view *v,
                                                    const triad_unstructured_numbers *mean, int64_t cell, triad_real w)
{
  triad_real d[5], m[TRIAD_UNSTRUCTURED_MEANS];
  triad_unstructured_load(&v->value, cell, 5, d);
  triad_unstructured_load(mean, cell, TRIAD_UNSTRUCTURED_MEANS, m);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    d[k] -= m[k];
    m[k] += w * d[k];
  }
  const triad_real both[TRIAD_UNSTRUCTURED_MEANS - 5] = {d[1] * d[1], d[2] * d[2], d[3] * d[3], d[1] * d[2],
                                                         d[1] * d[3], d[2] * d[3], d[4] * d[4]};
  TRIAD_UNSTRUCTURED_UNROLL
  for (int i = 5; i < TRIAD_UNSTRUCTURED_MEANS; i++) m[i] = (1 - w) * (m[i] + w * both[i - 5]);
  triad_unstructured_store(mean, cell, TRIAD_UNSTRUCTURED_MEANS, m);
}

/* Compute a cell's terms of the sums, and update the maxima most[]. */
TRIAD_POINT_INLINE void triad_unstructured_terms(const triad_unstructured_view *v, int64_t cell,
                                                 double terms[TRIAD_UNSTRUCTURED_SUMS],
                                                 double most[TRIAD_UNSTRUCTURED_MAX])
{
  const double volume = 1 / (double)v->per_volume[cell];
  triad_real u[5], q[TRIAD_UNSTRUCTURED_VALUES];
  triad_unstructured_load(&v->u, cell, 5, u);
  triad_unstructured_load(&v->value, cell, TRIAD_UNSTRUCTURED_VALUES, q);
  const double square = (double)triad_gas_dot3(q + 1, q + 1),
               own[TRIAD_UNSTRUCTURED_MAX] = {sqrt(square) / (double)q[5], -(double)q[0], (double)q[0], -(double)q[4],
                                              (double)q[4]};
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) terms[k] = (double)u[k] * volume;
  terms[5] = (double)q[0] * square / 2 * volume;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) most[i] = fmax(most[i], own[i]);
}

#endif
