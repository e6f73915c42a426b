/* Stages of bricks on the CPU, layer by layer along the last axis of a zone: fluxes and transport of a layer, limits
 * of the layer below, which need its transported values, and the correction of the layer below that, which needs those
 * limits. Only some layers are stored, except state and values. The stored layers are padded with the cells across the
 * zone's sides, so all cells can be treated as inner ones. Values and the state are overwritten in place; layers that
 * are still needed have been copied.
 *
 * Order: bricks follow the limits of listed cells, whose bounds and limiter factors they read across interface faces
 * (seams), and precede the correction of listed cells, which reads the factors of bricks there. Bounds of ghost copies
 * (twins) are computed first and separately.
 *
 * A zone that is joined to another rank starts at the joined side, transports two layers and waits: for bounds of
 * ghosts, with which it computes the limits of its first layer, and for limits of ghosts, with which it continues
 * through all other layers. */
#include "solvers/unstructured/host/host_bricks.h"
#include "solvers/unstructured/host/host_after.h"
#include "solvers/unstructured/host/host_brick_rings.h"
#include "solvers/unstructured/host/host_brick_rows.h"
#include "solvers/unstructured/host/host_loops.h"
#include "solvers/unstructured/host/host_faces.h"
#include "solvers/unstructured/host/host_force.h"

#include <omp.h>

static int coordinate_of(const triad_unstructured_going *w, int axis)
{
  int c = 0;
  while (w->box->axis[c] != axis) c++;
  return c;
}

static const triad_real *numbers_of(const triad_unstructured_going *w, int axis, int64_t x)
{
  return w->box->layer[coordinate_of(w, axis)] + x * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
}

static triad_real length(const triad_unstructured_going *w, int axis, int64_t x)
{
  return numbers_of(w, axis, x)[TRIAD_UNSTRUCTURED_BOX_LENGTH];
}

/* ---- rows ---- */

static triad_unstructured_numbers shifted(triad_unstructured_numbers row, int64_t by)
{
  return (triad_unstructured_numbers){row.at + by, row.pitch};
}

/* Set the data that all rows share. */
static void start_rows(const triad_unstructured_going *w)
{
  *w->row = (triad_unstructured_cell_row){
    .v = w->flow->view, .dt = (triad_real)w->dt, .parts = w->parts, .n = w->zone->n[0], .last = w->last};
  for (int x = 0; x < w->zone->n[0]; x++)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_BOX_NUMBERS; k++) w->along[k][x] = numbers_of(w, 0, x)[k];
}

/* The row of cells, with fluxes of `faces` and the data of `near` across its sides; each may be NULL. */
static const triad_unstructured_cell_row *cells_of(const triad_unstructured_going *w,
                                                   const triad_unstructured_ring *faces,
                                                   const triad_unstructured_ring *near, int y, int z)
{
  const triad_unstructured_bricks *b = w->b;
  const triad_unstructured_view *v = &w->flow->view;
  triad_unstructured_cell_row *row = w->row;
  row->first = triad_unstructured_cell_at(w, y, z);
  row->v.u = shifted(v->u, row->first);
  row->v.value = shifted(v->value, row->first);
  row->v.per_volume = v->per_volume + row->first;
  row->v.td = triad_unstructured_ring_row(b, &b->td, y, z);
  row->v.bound = triad_unstructured_ring_row(b, &b->bound, y, z);
  row->v.limit = triad_unstructured_ring_row(b, &b->limit, y, z);
  row->before = triad_unstructured_ring_row(b, b->first ? &b->value : &b->before, y, z);
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES && faces; s++) {
    const int a = s >> 1, down = !(s & 1);
    row->side[s] = shifted(triad_unstructured_row_across(
                             triad_unstructured_ring_row(b, faces, y - (a == 1 && down), z - (a == 2 && down)), a),
                           a == 0 && down ? -1 : 0);
  }
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES && near; s++) {
    const int a = s >> 1, by = s & 1 ? 1 : -1;
    row->near[s] = shifted(triad_unstructured_ring_row(b, near, y + (a == 1) * by, z + (a == 2) * by), (a == 0) * by);
  }
  return row;
}

/* The upper faces of a row across an axis. */
static void fluxes_of(const triad_unstructured_going *w, int axis, int y, int z)
{
  const triad_unstructured_bricks *b = w->b;
  const int n = w->zone->n[0], dy = axis == 1, dz = axis == 2, x[3] = {0, y, z};
  const triad_unstructured_ring *before = b->first ? &b->value : &b->before;
  const triad_unstructured_numbers faces[2] = {triad_unstructured_ring_row(b, &b->low, y, z),
                                               triad_unstructured_ring_row(b, &b->anti, y, z)};
  const triad_real *own = numbers_of(w, axis, x[axis]);
  triad_unstructured_face_row row = {.low = triad_unstructured_row_across(faces[0], axis),
                                     .anti = triad_unstructured_row_across(faces[1], axis),
                                     .area = (axis == 1 ? 1 : length(w, 1, y)) * (axis == 2 ? 1 : length(w, 2, z)),
                                     .n = axis == 0 ? n - 1 : n,
                                     .coordinate = coordinate_of(w, axis),
                                     .riemann = w->flow->setup.riemann,
                                     .x = axis == 0};
  row.sign = w->box->sign[row.coordinate];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_BOX_NUMBERS; k++) row.along[k] = w->along[k];
  for (int j = 0; j < 2; j++)
    row.before[j] = shifted(triad_unstructured_ring_row(b, before, y + j * dy, z + j * dz), axis == 0 ? j : 0);
  for (int j = 0; j < 4; j++) {
    row.value[j] =
      shifted(triad_unstructured_ring_row(b, &b->value, y + (j - 1) * dy, z + (j - 1) * dz), axis == 0 ? j - 1 : 0);
    if (axis > 0)
      row.part[j] = own[(j < 2 ? 0 : TRIAD_UNSTRUCTURED_BOX_NUMBERS) +
                        (j & 1 ? TRIAD_UNSTRUCTURED_BOX_ABOVE : TRIAD_UNSTRUCTURED_BOX_BELOW)];
  }
  triad_unstructured_row_fluxes(&w->flow->gas, &row);
}

/* Fluxes of a row, and what they need of those above it: values two layers on; and at the start of the step, by the
 * state. */
static void flux_row(const triad_unstructured_going *w, int y, int z)
{
  const int32_t *n = w->zone->n;
  if (z + 2 <= n[2]) triad_unstructured_bricks_values(w, y, z + 2);
  if (!w->b->first && z + 1 < n[2])
    triad_unstructured_row_values(&w->flow->view, triad_unstructured_cell_at(w, y, z + 1), n[0],
                                  triad_unstructured_ring_row(w->b, &w->b->before, y, z + 1));
  if (z < 0 || z >= n[2]) return;
  fluxes_of(w, 0, y, z);
  if (y + 1 < n[1]) fluxes_of(w, 1, y, z);
  if (z + 1 < n[2]) fluxes_of(w, 2, y, z);
  triad_unstructured_bricks_outer(w, y, z);
}

/* Limit the fluxes of the upper faces of a row, and those on the zone's sides. */
static void cut_row(const triad_unstructured_going *w, int y, int z)
{
  const int32_t *n = w->zone->n;
  const triad_unstructured_cell_row *row = cells_of(w, &w->b->anti, &w->b->limit, y, z);
  const triad_real *per = row->v.per_volume;
  triad_unstructured_row_cut(row, n[0] - 1, row->side[1], row->near[1], per + 1, w->t);
  if (y + 1 < n[1]) triad_unstructured_row_cut(row, n[0], row->side[3], row->near[3], per + w->zone->stride[1], w->t);
  if (z + 1 < n[2]) triad_unstructured_row_cut(row, n[0], row->side[5], row->near[5], per + w->zone->stride[2], w->t);
  triad_unstructured_bricks_cut_outer(w, y, z);
}

/* ---- layers ---- */

/* Transport layer z; those below it follow. Each loop passes through a layer of few arrays, which the processor
 * prefetches. A thread waits for the others where it needs results of the rows before its own. */
static void transport_layer(const triad_unstructured_going *w, int z)
{
  for (int y = w->begin; y < w->end; y++) flux_row(w, y, z);
#pragma omp barrier
  triad_laps_charge(w->laps, TRIAD_UNSTRUCTURED_PHASE_BOTH);
  for (int y = w->begin; y < w->end && z < w->zone->n[2]; y++)
    triad_unstructured_row_transported(cells_of(w, &w->b->low, NULL, y, z));
  triad_laps_charge(w->laps, TRIAD_UNSTRUCTURED_PHASE_TRANSPORT);
}

static void bound_layer(const triad_unstructured_going *w, int z)
{
  for (int y = w->begin; y < w->end; y++) triad_unstructured_bricks_bounds(w, y, z);
}

static void limit_layer(const triad_unstructured_going *w, int z)
{
  for (int y = w->begin; y < w->end; y++) {
    triad_unstructured_row_limits(cells_of(w, &w->b->anti, &w->b->bound, y, z));
    triad_unstructured_bricks_tell_twins(w, y, z);
  }
}

enum { TIMED = 7 /* of layers, one is timed part by part */ };

static void take_layer(const triad_unstructured_going *w, int z)
{
  const int n = w->zone->n[2], bounded = w->flow->view.bounded, begin = w->begin, end = w->end;
  triad_laps_begin(w->laps, (z - 2) % TIMED == 0); /* layers with corrections */
  transport_layer(w, z);
  if (bounded && z <= n) bound_layer(w, z);
  if (bounded && z > 0 && z <= n) limit_layer(w, z - 1);
  if (z < 2) return;
  for (int y = begin; y < end && bounded; y++) cut_row(w, y, z - 2);
#pragma omp barrier
  triad_laps_charge(w->laps, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
  for (int y = begin; y < end; y++) triad_unstructured_row_corrected(cells_of(w, &w->b->anti, NULL, y, z - 2), w->t);
  triad_laps_charge(w->laps, TRIAD_UNSTRUCTURED_PHASE_CORRECTION);
}

/* Set the values below the first layer. */
static void enter_zone(const triad_unstructured_going *w)
{
  start_rows(w);
  for (int y = w->begin; y < w->end; y++) {
    for (int z = -1; z < 1; z++) triad_unstructured_bricks_values(w, y, z);
    flux_row(w, y, -1);
  }
}

static void take_zone(const triad_unstructured_going *w)
{
  enter_zone(w);
  if (w->flow->view.bounded) bound_layer(w, -1);
#pragma omp barrier
  for (int z = 0; z < w->zone->n[2] + 2; z++) take_layer(w, z);
}

/* ---- joined zones ---- */

enum { FIRST = 2 }; /* layers by which limits of the first one are found */

/* Transport the first layers of a joined zone. Bounds across the other sides are not all known yet. */
static void begin_joined(const triad_unstructured_going *w)
{
  enter_zone(w);
#pragma omp barrier
  for (int z = 0; z < FIRST; z++) transport_layer(w, z);
  for (int y = w->begin; y < w->end; y++) triad_unstructured_bricks_tell_bounds(w, y);
}

static void limit_joined(const triad_unstructured_going *w)
{
  start_rows(w);
  for (int z = -1; z < FIRST; z++) bound_layer(w, z);
  limit_layer(w, 0);
}

static void finish_joined(const triad_unstructured_going *w)
{
  start_rows(w);
  for (int z = FIRST; z < w->zone->n[2] + 2; z++) take_layer(w, z);
}

static void find_rates(const triad_unstructured_going *w)
{
  const triad_real *per[3];
  start_rows(w);
  for (int z = -1; z <= w->zone->n[2]; z++) {
    for (int y = w->begin; y < w->end; y++) {
      const int x[3] = {0, y, z - 1};
      triad_unstructured_bricks_values(w, y, z);
      if (z < 1) continue;
      for (int c = 0; c < 3; c++)
        per[c] = numbers_of(w, w->box->axis[c], x[w->box->axis[c]]) + TRIAD_UNSTRUCTURED_BOX_PER_LENGTH;
      triad_unstructured_row_rates(cells_of(w, NULL, &w->b->value, y, z - 1), per, w->box->axis, w->t);
    }
#pragma omp barrier
  }
}

/* ---- the loops ---- */

enum { PLAIN = 1, JOINED = 2, ALL = PLAIN | JOINED };

/* work: of a zone of those asked for, by all threads together. Its time is that of its layers' parts, or of `phase`. */
static void each_zone(triad_unstructured_flow *f, int which, void (*work)(const triad_unstructured_going *w), int phase,
                      double dt, int last)
{
  const double began = triad_now();
  double now = began;
  for (int z = 0; z < f->domain->n_boxes; z++) {
    if (!(which & (f->domain->joined[z] ? JOINED : PLAIN))) continue;
    triad_unstructured_bricks_lay_out(f->bricks, f->domain, z);
#pragma omp parallel num_threads(f->context->threads)
    {
      const unsigned as_it_was = flush_begin();
      const triad_mesh_zone *zone = &f->domain->zone[z];
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      tally t = tally_start();
      triad_laps laps = {0};
      triad_unstructured_cell_row row;
      triad_unstructured_going w = {.flow = f,
                                    .b = f->bricks,
                                    .zone = zone,
                                    .box = &f->domain->box[z],
                                    .row = &row,
                                    .t = &t,
                                    .laps = &laps,
                                    .dt = dt,
                                    .last = last,
                                    .begin = zone->n[1] * thread / threads,
                                    .end = zone->n[1] * (thread + 1) / threads};
      triad_real *room = f->bricks->room + thread * triad_unstructured_bricks_room(zone->n[0]);
      for (int i = 0; i < TRIAD_UNSTRUCTURED_BOX_NUMBERS; i++)
        w.along[i] = room + i * triad_unstructured_pitch(zone->n[0]);
      w.parts = room + TRIAD_UNSTRUCTURED_BOX_NUMBERS * triad_unstructured_pitch(zone->n[0]);
      work(&w);
      triad_unstructured_tell(f, t.most, t.limited, t.parts, t.bad);
#pragma omp critical(triad_unstructured_laps)
      triad_laps_join(&f->laps, &laps);
      flush_end(as_it_was);
    }
  }
  if (phase == TRIAD_UNSTRUCTURED_PHASE_LAYERS) triad_laps_add(&f->laps, &now);
  else triad_phases_charge(&f->phases, phase, &now);
  f->charged += now - began;
}

static void gradients(triad_unstructured_flow *f, triad_unstructured_share share)
{
  triad_unstructured_host_loops.gradients(f, share);
  if (share == TRIAD_UNSTRUCTURED_EARLY) triad_unstructured_twin_gradients(f);
  else triad_unstructured_joined_gradients(f);
}

static void widen(triad_unstructured_flow *f, triad_unstructured_share share)
{
  triad_unstructured_host_loops.widen(f, share);
}

/* Change the sign of fluxes on faces whose brick is the right cell, so that they point out of the zone as on all other
 * faces of its sides. */
static void reverse_fluxes(const triad_unstructured_domain *d, const triad_unstructured_numbers *flux)
{
  for (int64_t i = 0; i < d->n_seams; i++) {
    const int64_t face = d->seam[i].face;
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS && triad_unstructured_domain_turned(d, face); k++)
      flux->at[k * flux->pitch + face] *= -1;
  }
}

static void fluxes(triad_unstructured_flow *f, triad_unstructured_faces faces, int low)
{
  f->bricks->first = low;
  if (faces == TRIAD_UNSTRUCTURED_GHOST_FACES && !low) reverse_fluxes(f->domain, &f->view.low); /* as they were made */
  triad_unstructured_host_fluxes(f, faces, low);
  if (faces != TRIAD_UNSTRUCTURED_GHOST_FACES) return;
  reverse_fluxes(f->domain, &f->view.low);
  reverse_fluxes(f->domain, &f->view.anti);
}

static void rates(triad_unstructured_flow *f)
{
  triad_unstructured_host_loops.rates(f);
  each_zone(f, ALL, find_rates, TRIAD_UNSTRUCTURED_PHASE_CHECKS, 0, 0);
}

static void transported(triad_unstructured_flow *f, triad_unstructured_share share, double dt)
{
  triad_unstructured_host_loops.transported(f, share, dt);
  if (!f->view.bounded) return;
  if (share == TRIAD_UNSTRUCTURED_EARLY) triad_unstructured_twin_bounds(f, dt);
  else each_zone(f, JOINED, begin_joined, TRIAD_UNSTRUCTURED_PHASE_TRANSPORT, dt, 0);
}

static void limits(triad_unstructured_flow *f, triad_unstructured_share share, double dt, int last)
{
  triad_unstructured_host_loops.limits(f, share, dt, last);
  if (share == TRIAD_UNSTRUCTURED_EARLY) each_zone(f, PLAIN, take_zone, TRIAD_UNSTRUCTURED_PHASE_LAYERS, dt, last);
  else each_zone(f, JOINED, limit_joined, TRIAD_UNSTRUCTURED_PHASE_LIMITS, dt, last);
}

static void joined(triad_unstructured_flow *f, double dt, int last)
{
  each_zone(f, JOINED, finish_joined, TRIAD_UNSTRUCTURED_PHASE_LAYERS, dt, last);
}

static void corrected(triad_unstructured_flow *f, triad_unstructured_share share, double dt, int last)
{
  if (share == TRIAD_UNSTRUCTURED_LATE && !f->view.bounded)
    each_zone(f, ALL, take_zone, TRIAD_UNSTRUCTURED_PHASE_LAYERS, dt, last);
  triad_unstructured_host_loops.corrected(f, share, dt, last);
  if (share == TRIAD_UNSTRUCTURED_LATE) triad_unstructured_twin_values(f);
}

static void values(triad_unstructured_flow *f)
{
  triad_unstructured_host_loops.values(f);
  triad_unstructured_twin_values(f);
}

static void draw(triad_unstructured_flow *f, double dt)
{
  triad_unstructured_host_draw(f, dt);
  triad_unstructured_twin_values(f);
}

static void push(triad_unstructured_flow *f, double dt, int last, triad_sum sums[5])
{
  triad_unstructured_host_push(f, dt, last, sums);
  triad_unstructured_twin_values(f);
}

static void begin(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  triad_unstructured_host_loops.begin(f, numbers, n);
}
static void end(triad_unstructured_flow *f) { triad_unstructured_host_loops.end(f); }
static int settle_stage(triad_unstructured_flow *f) { return triad_unstructured_host_loops.settle(f); }

const triad_unstructured_loops triad_unstructured_brick_loops = {.beyond = triad_unstructured_host_beyond,
                                                                 .gradients = gradients,
                                                                 .widen = widen,
                                                                 .fluxes = fluxes,
                                                                 .rates = rates,
                                                                 .transported = transported,
                                                                 .limits = limits,
                                                                 .ghost_parts = triad_unstructured_host_ghost_parts,
                                                                 .joined = joined,
                                                                 .corrected = corrected,
                                                                 .values = values,
                                                                 .crossed = triad_unstructured_host_crossed,
                                                                 .sources = triad_unstructured_host_sources,
                                                                 .push = push,
                                                                 .draw = draw,
                                                                 .mean = triad_unstructured_host_mean,
                                                                 .look_over = triad_unstructured_host_look_over,
                                                                 .watch = triad_unstructured_host_watch,
                                                                 .pick = triad_unstructured_host_pick,
                                                                 .begin = begin,
                                                                 .end = end,
                                                                 .settle = settle_stage};
