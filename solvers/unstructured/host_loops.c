/* The loops of a stage on the CPU. Cells and faces are taken LANES at a time, as many as a vector register has numbers; what one
 * of them does is in fct_loops_points.h and fct_outer_points.h. */
#include "solvers/unstructured/host_lanes.h"

void triad_fct_tell(triad_fct_flow *f, const triad_real *most, const int64_t *limited, const int64_t *parts, const int64_t *bad)
{
#pragma omp critical(triad_fct_tell)
  for (int l = 0; l < LANES; l++) {
    if ((double)most[l] / 2 > f->rate) f->rate = (double)most[l] / 2;
    f->limited += limited[l];
    f->parts += parts[l];
    if (bad[l] > f->bad) f->bad = bad[l];
  }
}

/* ---- gradients ---- */

ALWAYS_INLINE void gradients_of(const triad_fct_view *v, lanes h)
{
  triad_real sum[TRIAD_FCT_GRADIENT][LANES] = {{0}};
  double squares[TRIAD_FCT_SQUARES][LANES] = {{0}};
  for (int s = 0; s < h.n; s++)
    EACH_LANE(triad_fct_add_slope(v, h.zone, h.at + l, s, cell_of(h, l), &sum[0][l], &squares[0][l], LANES));
  EACH_LANE(triad_fct_solve_slope(&squares[0][l], &sum[0][l], LANES));
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) {
    triad_real *out = v->slope.at + j * v->slope.pitch;
    EACH_LANE(out[cell_of(h, l)] = sum[j][l]);
  }
}
CELL_LOOPS(gradients, gradients_of(v, h), triad_fct_flow *f)

static void gradients(triad_fct_flow *f, triad_fct_share share)
{
  if (share == TRIAD_FCT_LATE) {
    gradients_rows(&f->domain->rows[TRIAD_FCT_EDGE], f);
    gradients_listed(&f->domain->rows[TRIAD_FCT_RIM], f);
  } else {
    gradients_rows(&f->domain->rows[TRIAD_FCT_INSIDE], f);
    gradients_zones(f);
  }
}

ALWAYS_INLINE void flatten(const triad_fct_view *v, lanes h, triad_real *sum)
{
  triad_real range[10][LANES], part[LANES];
  EACH_LANE(triad_fct_start_range(v, cell_of(h, l), &range[0][l], LANES));
  EACH_LANE(part[l] = 1);
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_fct_add_range(v, h.zone, h.at + l, s, &range[0][l], LANES));
  for (int s = 0; s < h.n; s++)
    EACH_LANE(triad_fct_add_reach(v, h.zone, h.at + l, s, cell_of(h, l), sum + l, &range[0][l], &part[l], LANES));
  EACH_LANE(part[l] = triad_fct_cut(&range[0][l], part[l], LANES));
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) EACH_LANE(sum[j * LANES + l] *= part[l]);
}

ALWAYS_INLINE void widen_of(const triad_fct_view *v, lanes h)
{
  triad_real sum[TRIAD_FCT_GRADIENT][LANES], n[LANES];
  EACH_LANE(n[l] = 1);
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) {
    const triad_real *in = v->slope.at + j * v->slope.pitch;
    EACH_LANE(sum[j][l] = in[cell_of(h, l)]);
  }
  for (int s = 0; s < h.n && !h.zone; s++) /* one with enough sides counts itself alone */
    EACH_LANE(triad_fct_add_neighbour(v, h.at + l, s, cell_of(h, l), &sum[0][l], LANES, &n[l]));
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) {
    const triad_real *in = v->slope.at + j * v->slope.pitch;
    EACH_LANE(sum[j][l] = h.zone || h.sides[l] >= TRIAD_FCT_ENOUGH ? in[cell_of(h, l)] : sum[j][l] / n[l]);
  }
  if (v->flat) flatten(v, h, &sum[0][0]);
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) {
    triad_real *out = v->gradient.at + j * v->gradient.pitch;
    EACH_LANE(out[cell_of(h, l)] = sum[j][l]);
  }
}
CELL_LOOPS(widen, widen_of(v, h), triad_fct_flow *f)

static void widen(triad_fct_flow *f, triad_fct_share share)
{
  if (share == TRIAD_FCT_LATE) {
    widen_rows(&f->domain->rows[TRIAD_FCT_EDGE], f);
    widen_listed(&f->domain->rows[TRIAD_FCT_RIM], f);
  } else {
    widen_rows(&f->domain->rows[TRIAD_FCT_INSIDE], f);
    widen_zones(f);
  }
}

/* ---- rates ---- */

ALWAYS_INLINE void rates_of(const triad_fct_view *v, lanes h, triad_real *most)
{
  triad_real sum[LANES] = {0};
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_fct_add_speed(v, h.zone, h.at + l, s, &sum[l]));
  EACH_LANE(most[l] = triad_fct_larger(most[l], sum[l] * v->per_volume[cell_of(h, l)]));
}
CELL_LOOPS(rates, rates_of(v, h, t.most), triad_fct_flow *f)

/* Half of what passes a cell's faces with the fastest waves, over its volume: Rusanov's flux keeps density and pressure positive
 * where dt times this is at most 1. */
static void rates(triad_fct_flow *f)
{
  f->rate = 0;
  rates_rows(&f->domain->rows[TRIAD_FCT_INSIDE], f);
  rates_rows(&f->domain->rows[TRIAD_FCT_EDGE], f);
  rates_listed(&f->domain->rows[TRIAD_FCT_RIM], f);
  rates_zones(f);
}

/* ---- low-order transport ---- */

ALWAYS_INLINE void transported_of(const triad_fct_view *v, lanes h, triad_real dt)
{
  triad_real sum[TRIAD_FCT_FIELDS][LANES] = {{0}};
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_fct_add_low(v, h.zone, h.at + l, s, &sum[0][l], LANES));
  if (v->bounded) {
    EACH_LANE(triad_fct_transported(v, cell_of(h, l), dt, 1, &sum[0][l], LANES));
  } else {
    EACH_LANE(triad_fct_transported(v, cell_of(h, l), dt, 0, &sum[0][l], LANES));
  }
}
CELL_LOOPS(transported, transported_of(v, h, dt), triad_fct_flow *f, triad_real dt)

/* Does a listed cell ask what is beyond outer faces? */
static int lists_look(const triad_fct_flow *f) { return f->work && f->domain->n_cells > f->domain->n_bricks; }

static void transported(triad_fct_flow *f, triad_fct_share share, double step)
{
  if (share == TRIAD_FCT_LATE) {
    f->bad = -1;
    f->limited = f->parts = 0;
  }
  const triad_fct_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  if (share == TRIAD_FCT_EARLY) {
    if (f->setup.loops == TRIAD_FCT_GATHER) transported_rows(&d->rows[TRIAD_FCT_INSIDE], f, dt);
    transported_zones(f, dt);
    return;
  }
  if (f->setup.loops == TRIAD_FCT_GATHER)
    transported_rows(&d->rows[TRIAD_FCT_EDGE], f, dt);
  else
    triad_fct_scatter_low(f, dt);
  transported_listed(&d->rows[TRIAD_FCT_RIM], f, dt);
  for (int64_t face = d->n_inner; face < d->n_faces && f->view.bounded && lists_look(f); face++) triad_fct_set_room_beyond(&f->view, face);
}

/* ---- limits ---- */

/* Bodies of loops over lanes: arrays of theirs are registers. Numbers of a lane are LANES apart. */

/* Of the change at a side `at` has what triad_fct_wanted asks for. */
ALWAYS_INLINE void add_change(const triad_fct_view *v, const triad_fct_zone *zone, int64_t row, int s, const triad_real *own, triad_real *sum,
                              triad_real *at)
{
  triad_real sign;
  const int64_t face = triad_fct_face_at(v, zone, row, s, &sign);
  const triad_fct_change c = triad_fct_add_change(v, face, sign, own, sum, LANES);
  at[0] = c.density;
  at[LANES] = c.first;
  at[2 * LANES] = c.second;
}

ALWAYS_INLINE void find_rooms(const triad_fct_view *v, int64_t cell, triad_real n, const triad_real *b, const triad_real *own,
                              const triad_real *sum, triad_real *room, triad_real *still)
{
  triad_real gas[2], out[4];
  triad_fct_transported_gas(v, cell, own, LANES, gas);
  triad_fct_rooms(gas, b, sum, LANES, out);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 4; k++) room[k * LANES] = out[k];
  *still = triad_fct_still(gas[1], n);
}

ALWAYS_INLINE triad_real granted_at(const triad_real *at, triad_real n_per_rho, triad_real still, const triad_real *room, int limited)
{
  const triad_fct_change c = {at[0], at[LANES], at[2 * LANES]};
  const triad_real rise[2] = {room[0], room[2 * LANES]}, fall[2] = {room[LANES], room[3 * LANES]};
  return triad_fct_granted(triad_fct_wanted(c, n_per_rho, still), rise, fall, limited);
}

ALWAYS_INLINE void keep_limits(const triad_fct_view *v, int64_t cell, const triad_real *room, const triad_real *own, triad_real still)
{
  const triad_real of[4] = {room[0], room[LANES], room[2 * LANES], room[3 * LANES]};
  triad_fct_keep_limits(v, cell, of, own, still, LANES);
}

/* What a cell can take of each face's antidiffusive flux goes to the face: the cell across then asks for one number there, not for this cell's
 * limits. seen: do other ranks see the cells? */
ALWAYS_INLINE void limits_of(const triad_fct_view *v, lanes h, triad_real dt, int of, int seen)
{
  triad_real b[TRIAD_FCT_BOUNDS][LANES], own[5][LANES], sum[4][LANES] = {{0}}, sides[LANES], room[4][LANES], still[LANES], part[LANES];
  triad_real change[TRIAD_FCT_MOST_SIDES][3][LANES];
  EACH_LANE(sides[l] = h.zone ? (triad_real)TRIAD_FCT_ZONE_SIDES : (triad_real)h.sides[l]);
  for (int k = 0; k < TRIAD_FCT_BOUNDS; k++) {
    const triad_real *bound = v->bound.at + k * v->bound.pitch;
    EACH_LANE(b[k][l] = bound[cell_of(h, l)]);
  }
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_fct_widen(v, h.zone, h.at + l, s, &b[0][l], LANES));
  EACH_LANE(triad_fct_before_limits(v, cell_of(h, l), sides[l], dt, &b[0][l], &own[0][l], LANES));
  for (int s = 0; s < h.n; s++) EACH_LANE(add_change(v, h.zone, h.at + l, s, &own[0][l], &sum[0][l], &change[s][0][l]));
  EACH_LANE(find_rooms(v, cell_of(h, l), sides[l], &b[0][l], &own[0][l], &sum[0][l], &room[0][l], &still[l]));
  for (int s = 0; s < h.n; s++) {
    EACH_LANE(part[l] = granted_at(&change[s][0][l], own[3][l], still[l], &room[0][l], of));
    for (int l = 0; l < h.m; l++) { /* to faces here and there */
      triad_real sign;
      const int64_t face = triad_fct_face_at(v, h.zone, h.at + l, s, &sign);
      if (h.zone || s < h.sides[l]) *triad_fct_part_place(v, face, sign < 0) = part[l];
    }
  }
  if (seen) EACH_LANE(keep_limits(v, cell_of(h, l), &room[0][l], &own[0][l], still[l]));
}

enum { BOTH = TRIAD_FCT_LIMIT_DENSITY | TRIAD_FCT_LIMIT_PRESSURE }; /* the pressure is bounded where the density is too */

ALWAYS_INLINE void limits_chosen(const triad_fct_view *v, lanes h, triad_real dt, int seen)
{
  if (v->limited == BOTH) limits_of(v, h, dt, BOTH, seen);
  else limits_of(v, h, dt, TRIAD_FCT_LIMIT_DENSITY, seen);
}
CELL_LOOPS(limits, limits_chosen(v, h, dt, seen), triad_fct_flow *f, triad_real dt, int seen)

static void limits(triad_fct_flow *f, triad_fct_share share, double step, int last)
{
  (void)last;
  const triad_fct_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  const int seen = f->limits != NULL;
  if (share == TRIAD_FCT_EARLY) {
    limits_rows(&d->rows[TRIAD_FCT_INSIDE], f, dt, 0);
    limits_zones(f, dt, 0);
    return;
  }
  limits_rows(&d->rows[TRIAD_FCT_EDGE], f, dt, seen);
  limits_listed(&d->rows[TRIAD_FCT_RIM], f, dt, seen);
  for (int64_t face = d->n_inner; face < d->n_faces && lists_look(f); face++) triad_fct_set_part_beyond(&f->view, face);
  for (int side = 0; side < TRIAD_FCT_PARTS && f->work; side++) /* of the face without fluxes: other things lay there */
    *triad_fct_part_place(&f->view, d->n_slots, side) = 1;
}

/* ---- the correction ---- */

ALWAYS_INLINE triad_real add_part(const triad_fct_view *v, const triad_fct_zone *zone, int64_t row, int s, int bounded, triad_real *sum)
{
  triad_real sign;
  const int64_t face = triad_fct_face_at(v, zone, row, s, &sign);
  const triad_real part = bounded ? triad_fct_kept_part(v, face) : TRIAD_R(1);
  triad_fct_add_anti_at(v, face, sign * part, sum, LANES);
  return part;
}

/* Faces between cells are counted by the one on their left, at the end of a step: in a loop of its own, as integers among what is added up
 * would leave it without vector instructions. */
ALWAYS_INLINE void add_parts(const triad_fct_view *v, lanes h, int last, triad_real *sum, int64_t *limited, int64_t *parts)
{
  triad_real part[LANES];
  for (int s = 0; s < h.n; s++) {
    EACH_LANE(part[l] = add_part(v, h.zone, h.at + l, s, 1, sum + l));
    for (int l = 0; l < h.m && last; l++) {
      triad_real sign;
      const int64_t face = triad_fct_face_at(v, h.zone, h.at + l, s, &sign);
      const int counts = (sign > 0) & (h.zone || s < h.sides[l]) & ((face < v->n_inner) | (face >= v->n_faces));
      limited[l] += counts & (part[l] < TRIAD_R(0.999999));
      parts[l] += (int32_t)(part[l] * (triad_real)(counts << 20));
    }
  }
}

ALWAYS_INLINE void corrected_of(const triad_fct_view *v, lanes h, triad_real dt, int last, int high, int64_t *limited,
                                       int64_t *parts, int64_t *bad)
{
  triad_real sum[TRIAD_FCT_FIELDS][LANES] = {{0}};
  if (high && v->bounded && last) add_parts(v, h, 1, &sum[0][0], limited, parts);
  if (high && v->bounded && !last) add_parts(v, h, 0, &sum[0][0], limited, parts);
  for (int s = 0; s < h.n && high && !v->bounded; s++) EACH_LANE((void)add_part(v, h.zone, h.at + l, s, 0, &sum[0][l]));
  if (last) {
    EACH_LANE(triad_fct_corrected(v, cell_of(h, l), dt, 1, &sum[0][l], LANES));
  } else {
    EACH_LANE(triad_fct_corrected(v, cell_of(h, l), dt, 0, &sum[0][l], LANES));
  }
  EACH_LANE(bad[l] = triad_fct_holds_gas(v, cell_of(h, l)) ? bad[l] : cell_of(h, l));
}
CELL_LOOPS(corrected, corrected_of(v, h, dt, last, high, t.limited, t.parts, t.bad), triad_fct_flow *f, triad_real dt, int last,
           int high)

static void corrected(triad_fct_flow *f, triad_fct_share share, double step, int last)
{
  const triad_fct_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  const int gather = f->setup.loops == TRIAD_FCT_GATHER, high = f->high != TRIAD_FCT_NO_HIGH;
  if (share == TRIAD_FCT_EARLY) {
    if (gather) corrected_rows(&d->rows[TRIAD_FCT_INSIDE], f, dt, last, high);
    corrected_zones(f, dt, last, high);
    return;
  }
  corrected_listed(&d->rows[TRIAD_FCT_RIM], f, dt, last, high);
  if (!gather && high) triad_fct_scatter_anti(f, dt);
  corrected_rows(&d->rows[TRIAD_FCT_EDGE], f, dt, last, gather && high);
  if (!gather) corrected_rows(&d->rows[TRIAD_FCT_INSIDE], f, dt, last, 0); /* faces have added to them */
}

/* ---- the state as it is ---- */

static void values_of(const triad_fct_flow *f, int64_t c)
{
  triad_real u[TRIAD_FCT_FIELDS];
  triad_fct_load(&f->view.u, c, TRIAD_FCT_FIELDS, u);
  triad_fct_set_value(&f->view, c, u);
}

static void values(triad_fct_flow *f)
{
  int64_t bad = -1;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(max : bad)
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    values_of(f, c);
    if (!triad_fct_holds_gas(&f->view, c) && c > bad) bad = c;
  }
  f->bad = bad;
}

static void begin(triad_fct_flow *f, const triad_fct_numbers *numbers, int n)
{
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  for (int i = 0; i < n; i++) fields[i] = numbers->at + i * numbers->pitch;
  if (f->halo) triad_halo_begin(f->halo, fields, n);
}

static void end(triad_fct_flow *f)
{
  if (f->halo) triad_halo_end(f->halo);
}

static int settle(triad_fct_flow *f)
{
  (void)f;
  return TRIAD_OK;
}

const triad_fct_loops triad_fct_host_loops = {.beyond = triad_fct_host_beyond,
                                              .gradients = gradients,
                                              .widen = widen,
                                              .fluxes = triad_fct_host_fluxes,
                                              .viscous = triad_fct_host_viscous,
                                              .rates = rates,
                                              .transported = transported,
                                              .prelimit = triad_fct_host_prelimit,
                                              .component_bounds = triad_fct_host_component_bounds,
                                              .component_parts = triad_fct_host_component_parts,
                                              .component_limits = triad_fct_host_component_limits,
                                              .limits = limits,
                                              .ghost_parts = triad_fct_host_ghost_parts,
                                              .corrected = corrected,
                                              .values = values,
                                              .crossed = triad_fct_host_crossed,
                                              .draw = triad_fct_host_draw,
                                              .mean = triad_fct_host_mean,
                                              .look_over = triad_fct_host_look_over,
                                              .watch = triad_fct_host_watch,
                                              .pick = triad_fct_host_pick,
                                              .begin = begin,
                                              .end = end,
                                              .settle = settle};
