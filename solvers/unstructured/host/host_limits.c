/* Limits of listed cells and of zones that are not bricks, their limiter factors, and the correction, on the CPU, in
 * vector lanes (host_loops.c). */
#include "solvers/unstructured/host/host_limits.h"
#include "solvers/unstructured/host/host_lanes.h"
#include "solvers/unstructured/host/host_faces.h"

/* ---- limits ---- */

/* Bodies of loops over lanes: arrays of theirs are registers. Numbers of a lane are LANES apart. */

/* Add the change through side s to the sums; `at` gets the arguments of triad_unstructured_wanted. */
ALWAYS_INLINE void add_change(const triad_unstructured_view *v, const triad_mesh_zone *zone, int64_t row, int s,
                              const triad_real *own, triad_real *sum, triad_real *at)
{
  triad_real sign;
  const int64_t face = triad_unstructured_face_at(v, zone, row, s, &sign);
  const triad_unstructured_change c = triad_unstructured_add_change(v, face, sign, own, sum, LANES);
  at[0] = c.density;
  at[LANES] = c.first;
  at[2 * LANES] = c.second;
}

ALWAYS_INLINE void find_rooms(const triad_unstructured_view *v, int64_t cell, triad_real n, const triad_real *b,
                              const triad_real *own, const triad_real *sum, triad_real *room, triad_real *still)
{
  triad_real gas[2], out[4];
  triad_unstructured_transported_gas(v, cell, own, LANES, gas);
  triad_unstructured_rooms(gas, b, sum, LANES, out);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 4; k++) room[k * LANES] = out[k];
  *still = triad_unstructured_still(gas[1], n);
}

ALWAYS_INLINE triad_real granted_at(const triad_real *at, triad_real n_per_rho, triad_real still,
                                    const triad_real *room, int limited)
{
  const triad_unstructured_change c = {at[0], at[LANES], at[2 * LANES]};
  const triad_real rise[2] = {room[0], room[2 * LANES]}, fall[2] = {room[LANES], room[3 * LANES]};
  return triad_unstructured_granted(triad_unstructured_wanted(c, n_per_rho, still), rise, fall, limited);
}

ALWAYS_INLINE void keep_limits(const triad_unstructured_view *v, int64_t cell, const triad_real *room,
                               const triad_real *own, triad_real still)
{
  const triad_real of[4] = {room[0], room[LANES], room[2 * LANES], room[3 * LANES]};
  triad_unstructured_keep_limits(v, cell, of, own, still, LANES);
}

/* Store this cell's limiter factor of each face's antidiffusive flux with the face: the cell across then reads one
 * number there instead of this cell's limits. seen: 1 if other ranks see these cells. */
ALWAYS_INLINE void limits_of(const triad_unstructured_view *v, lanes h, triad_real dt, int of, int seen)
{
  triad_real b[TRIAD_UNSTRUCTURED_BOUNDS][LANES], own[5][LANES], sum[4][LANES] = {{0}}, sides[LANES], room[4][LANES],
                                                                 still[LANES], part[LANES];
  triad_real change[TRIAD_MESH_MAX_SIDES][3][LANES];
  EACH_LANE(sides[l] = h.zone ? (triad_real)TRIAD_MESH_ZONE_SIDES : (triad_real)h.sides[l]);
  for (int k = 0; k < TRIAD_UNSTRUCTURED_BOUNDS; k++) {
    const triad_real *bound = v->bound.at + k * v->bound.pitch;
    EACH_LANE(b[k][l] = bound[cell_of(h, l)]);
  }
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_unstructured_widen(v, h.zone, h.at + l, s, &b[0][l], LANES));
  EACH_LANE(triad_unstructured_before_limits(v, cell_of(h, l), sides[l], dt, &b[0][l], &own[0][l], LANES));
  for (int s = 0; s < h.n; s++) EACH_LANE(add_change(v, h.zone, h.at + l, s, &own[0][l], &sum[0][l], &change[s][0][l]));
  EACH_LANE(find_rooms(v, cell_of(h, l), sides[l], &b[0][l], &own[0][l], &sum[0][l], &room[0][l], &still[l]));
  for (int s = 0; s < h.n; s++) {
    EACH_LANE(part[l] = granted_at(&change[s][0][l], own[3][l], still[l], &room[0][l], of));
    for (int l = 0; l < h.m; l++) { /* to faces here and there */
      triad_real sign;
      const int64_t face = triad_unstructured_face_at(v, h.zone, h.at + l, s, &sign);
      if (h.zone || s < h.sides[l]) *triad_unstructured_part_place(v, face, sign < 0) = part[l];
    }
  }
  if (seen) EACH_LANE(keep_limits(v, cell_of(h, l), &room[0][l], &own[0][l], still[l]));
}

/* the pressure is bounded where the density is too */
enum { BOTH = TRIAD_UNSTRUCTURED_LIMIT_DENSITY | TRIAD_UNSTRUCTURED_LIMIT_PRESSURE };

ALWAYS_INLINE void limits_chosen(const triad_unstructured_view *v, lanes h, triad_real dt, int seen)
{
  if (v->limited == BOTH) limits_of(v, h, dt, BOTH, seen);
  else limits_of(v, h, dt, TRIAD_UNSTRUCTURED_LIMIT_DENSITY, seen);
}
CELL_LOOPS(limits, limits_chosen(v, h, dt, seen), triad_unstructured_flow *f, triad_real dt, int seen)

void triad_unstructured_host_limits(triad_unstructured_flow *f, triad_unstructured_share share, double step, int last)
{
  (void)last;
  const triad_unstructured_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  const int seen = f->limits != NULL;
  if (share == TRIAD_UNSTRUCTURED_EARLY) {
    limits_rows(&d->rows[TRIAD_UNSTRUCTURED_INSIDE], f, dt, 0);
    limits_zones(f, dt, 0);
    return;
  }
  limits_rows(&d->rows[TRIAD_UNSTRUCTURED_EDGE], f, dt, seen);
  limits_listed(&d->rows[TRIAD_UNSTRUCTURED_RIM], f, dt, seen);
  for (int64_t face = d->n_inner; face < d->n_faces && triad_unstructured_lists_look(f); face++)
    triad_unstructured_set_part_beyond(&f->view, face);
  for (int side = 0; side < TRIAD_UNSTRUCTURED_PARTS && f->work;
       side++) /* of the face without fluxes: other things lay there */
    *triad_unstructured_part_place(&f->view, d->n_slots, side) = 1;
}

/* ---- the correction ---- */

ALWAYS_INLINE triad_real add_part(const triad_unstructured_view *v, const triad_mesh_zone *zone, int64_t row, int s,
                                  int bounded, triad_real *sum)
{
  triad_real sign;
  const int64_t face = triad_unstructured_face_at(v, zone, row, s, &sign);
  const triad_real part = bounded ? triad_unstructured_kept_part(v, face) : TRIAD_R(1);
  triad_unstructured_add_anti_at(v, face, sign * part, sum, LANES);
  return part;
}

/* Faces between cells are counted by the one on their left, at the end of a step: in a loop of its own, as integers
 * among what is added up would leave it without vector instructions. */
ALWAYS_INLINE void add_parts(const triad_unstructured_view *v, lanes h, int last, triad_real *sum, int64_t *limited,
                             int64_t *parts)
{
  triad_real part[LANES];
  for (int s = 0; s < h.n; s++) {
    EACH_LANE(part[l] = add_part(v, h.zone, h.at + l, s, 1, sum + l));
    for (int l = 0; l < h.m && last; l++) {
      triad_real sign;
      const int64_t face = triad_unstructured_face_at(v, h.zone, h.at + l, s, &sign);
      const int counts = (sign > 0) & (h.zone || s < h.sides[l]) & ((face < v->n_inner) | (face >= v->n_faces));
      limited[l] += counts & (part[l] < TRIAD_R(0.999999));
      parts[l] += (int32_t)(part[l] * (triad_real)(counts << 20));
    }
  }
}

ALWAYS_INLINE void corrected_of(const triad_unstructured_view *v, lanes h, triad_real dt, int last, int high,
                                int64_t *limited, int64_t *parts, int64_t *bad)
{
  triad_real sum[TRIAD_UNSTRUCTURED_FIELDS][LANES] = {{0}};
  if (high && v->bounded && last) add_parts(v, h, 1, &sum[0][0], limited, parts);
  if (high && v->bounded && !last) add_parts(v, h, 0, &sum[0][0], limited, parts);
  for (int s = 0; s < h.n && high && !v->bounded; s++) EACH_LANE((void)add_part(v, h.zone, h.at + l, s, 0, &sum[0][l]));
  if (last) {
    EACH_LANE(triad_unstructured_corrected(v, cell_of(h, l), dt, 1, &sum[0][l], LANES));
  } else {
    EACH_LANE(triad_unstructured_corrected(v, cell_of(h, l), dt, 0, &sum[0][l], LANES));
  }
  EACH_LANE(bad[l] = triad_unstructured_holds_gas(v, cell_of(h, l)) ? bad[l] : cell_of(h, l));
}
CELL_LOOPS(corrected, corrected_of(v, h, dt, last, high, t.limited, t.parts, t.bad), triad_unstructured_flow *f,
           triad_real dt, int last, int high)

void triad_unstructured_host_corrected(triad_unstructured_flow *f, triad_unstructured_share share, double step,
                                       int last)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  const int gather = f->setup.loops == TRIAD_UNSTRUCTURED_GATHER, high = f->high != TRIAD_UNSTRUCTURED_NO_HIGH;
  if (share == TRIAD_UNSTRUCTURED_EARLY) {
    if (gather) corrected_rows(&d->rows[TRIAD_UNSTRUCTURED_INSIDE], f, dt, last, high);
    corrected_zones(f, dt, last, high);
    return;
  }
  corrected_listed(&d->rows[TRIAD_UNSTRUCTURED_RIM], f, dt, last, high);
  if (!gather && high) triad_unstructured_scatter_anti(f, dt);
  corrected_rows(&d->rows[TRIAD_UNSTRUCTURED_EDGE], f, dt, last, gather && high);
  if (!gather) corrected_rows(&d->rows[TRIAD_UNSTRUCTURED_INSIDE], f, dt, last, 0); /* faces have added to them */
}
