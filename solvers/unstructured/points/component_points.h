/* Two options of the limiter (docs/methods/fct.md) for one face or cell, on any device: prelimiting, and a
 * separate factor for each component.
 *
 * Zalesak (1979, section 3): an antidiffusive flux down the gradient of the low-order solution would smooth it
 * further, and is cancelled. With limited = "components" each conserved variable has its own bounds and factors: those
 * of Zalesak for a single equation, which keep neither pressure nor velocity within bounds. They are stored in place
 * of those of density and pressure: view.bound has the maximum of each component, then of its negative; view.limit the
 * factors of rises, then of falls. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_COMPONENT_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_COMPONENT_POINTS_H

#include "solvers/unstructured/state/view.h"

enum { TRIAD_UNSTRUCTURED_COMPONENTS = 2 * TRIAD_UNSTRUCTURED_FIELDS /* numbers of a cell, of either kind */ };

/* How large component k is, squared, where the density is rho and the energy e; momentum may be next to nothing, and
 * its roundings are not. */
TRIAD_POINT_INLINE triad_real triad_unstructured_component_square(int k, triad_real rho, triad_real e)
{
  return (k < 4 ? rho : e) * (k == 0 ? rho : e);
}

/* ---- prelimiting ---- */

/* A difference below this part of how large a component is, is rounding: where the component is uniform its sign
 * must not decide whether what comes into it from elsewhere is cancelled. */
#ifdef TRIAD_SINGLE
#define TRIAD_UNSTRUCTURED_LEVEL TRIAD_R(1e-4)
#else
#define TRIAD_UNSTRUCTURED_LEVEL TRIAD_R(1e-12)
#endif

/* Prelimit the flux of a face between cells l and r. */
TRIAD_POINT_INLINE void triad_unstructured_cancel(const triad_unstructured_view *v, int64_t face, int64_t l, int64_t r)
{
  triad_real a[TRIAD_UNSTRUCTURED_FIELDS], left[TRIAD_UNSTRUCTURED_FIELDS], right[TRIAD_UNSTRUCTURED_FIELDS];
  triad_unstructured_load(&v->anti, face, TRIAD_UNSTRUCTURED_FIELDS, a);
  triad_unstructured_load(&v->td, l, TRIAD_UNSTRUCTURED_FIELDS, left);
  triad_unstructured_load(&v->td, r, TRIAD_UNSTRUCTURED_FIELDS, right);
  const triad_real rho = TRIAD_UNSTRUCTURED_LEVEL * (left[0] + right[0]),
                   e = TRIAD_UNSTRUCTURED_LEVEL * (left[4] + right[4]);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    const triad_real rise = right[k] - left[k];
    if (a[k] * rise < 0 && rise * rise > triad_unstructured_component_square(k, rho, e))
      v->anti.at[k * v->anti.pitch + face] = 0;
  }
}

/* ---- a factor for each component ---- */

/* Bounds of own cells, over state and low-order solution, and of what is beyond outer faces. */
TRIAD_POINT_INLINE void triad_unstructured_bound_components(const triad_unstructured_view *v, int64_t place)
{
  triad_real u[TRIAD_UNSTRUCTURED_FIELDS], t[TRIAD_UNSTRUCTURED_FIELDS], q[TRIAD_UNSTRUCTURED_FIELDS],
    b[TRIAD_UNSTRUCTURED_COMPONENTS];
  if (place < v->n_cells) {
    triad_unstructured_load(&v->u, place, TRIAD_UNSTRUCTURED_FIELDS, u);
    triad_unstructured_load(&v->td, place, TRIAD_UNSTRUCTURED_FIELDS, t);
  } else {
    triad_unstructured_load(&v->value, place, TRIAD_UNSTRUCTURED_FIELDS, q);
    triad_gas_values_conserved(&v->gas, q, u);
    triad_gas_values_conserved(&v->gas, q, t);
  }
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    b[k] = triad_max(u[k], t[k]);
    b[TRIAD_UNSTRUCTURED_FIELDS + k] = triad_max(-u[k], -t[k]);
  }
  triad_unstructured_store(&v->bound, place, TRIAD_UNSTRUCTURED_COMPONENTS, b);
}

/* Zalesak's factor; what changes a component by no more than rounding, `still` squared, asks for no room
 * (transport_points.h). */
TRIAD_POINT_INLINE triad_real triad_unstructured_component_room(triad_real room, triad_real sum, triad_real still)
{
  return sum * sum > still ? triad_unstructured_room(room, sum) : TRIAD_R(1);
}

/* Parts of an own cell, whose n sides begin at `at` (view.h), with bounds of its neighbours. */
TRIAD_POINT_INLINE void triad_unstructured_part_components(const triad_unstructured_view *v,
                                                           const triad_mesh_zone *zone, int64_t at, int n, int64_t cell,
                                                           triad_real dt)
{
  triad_real b[TRIAD_UNSTRUCTURED_COMPONENTS], rise[TRIAD_UNSTRUCTURED_FIELDS] = {0},
                                               fall[TRIAD_UNSTRUCTURED_FIELDS] = {0};
  triad_unstructured_load(&v->bound, cell, TRIAD_UNSTRUCTURED_COMPONENTS, b);
  for (int s = 0; s < n; s++) {
    triad_real sign;
    const int64_t near = triad_unstructured_near(v, zone, at, s),
                  face = triad_unstructured_face_at(v, zone, at, s, &sign);
    const triad_real scale = -sign * dt * v->per_volume[cell];
    TRIAD_UNSTRUCTURED_UNROLL
    for (int k = 0; k < TRIAD_UNSTRUCTURED_COMPONENTS; k++)
      b[k] = triad_max(b[k], v->bound.at[k * v->bound.pitch + near]);
    TRIAD_UNSTRUCTURED_UNROLL
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
      const triad_real change = scale * v->anti.at[k * v->anti.pitch + face];
      rise[k] += triad_max(change, 0);
      fall[k] += triad_max(-change, 0);
    }
  }
  triad_real t[TRIAD_UNSTRUCTURED_FIELDS], part[TRIAD_UNSTRUCTURED_COMPONENTS];
  triad_unstructured_load(&v->td, cell, TRIAD_UNSTRUCTURED_FIELDS, t);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    const triad_real still =
      triad_unstructured_component_square(k, TRIAD_UNSTRUCTURED_ROUNDING * t[0], TRIAD_UNSTRUCTURED_ROUNDING * t[4]);
    part[k] = triad_unstructured_component_room(b[k] - t[k], rise[k], still);
    part[TRIAD_UNSTRUCTURED_FIELDS + k] =
      triad_unstructured_component_room(t[k] + b[TRIAD_UNSTRUCTURED_FIELDS + k], fall[k], still);
  }
  triad_unstructured_store(&v->limit, cell, TRIAD_UNSTRUCTURED_COMPONENTS, part);
}

/* Cut the antidiffusive flux of a face, which leaves cell l and comes into cell r; r < 0: through an outer face.
 * Returns the least part. */
TRIAD_POINT_INLINE triad_real triad_unstructured_cut_components(const triad_unstructured_view *v, int64_t face,
                                                                int64_t l, int64_t r)
{
  triad_real least = 1;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    triad_real *a = &v->anti.at[k * v->anti.pitch + face];
    const triad_real *up = v->limit.at + k * v->limit.pitch,
                     *down = v->limit.at + (TRIAD_UNSTRUCTURED_FIELDS + k) * v->limit.pitch;
    const int lowers = *a > 0;
    triad_real part = lowers ? down[l] : up[l];
    if (r >= 0) part = triad_min(part, lowers ? up[r] : down[r]);
    *a *= part;
    least = triad_min(least, part);
  }
  return least;
}

#endif
