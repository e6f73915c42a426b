/* The loops of a stage on a GPU, as the table of loops.h. `settle` returns the error of a failed launch. */
#include "solvers/unstructured/gpu/gpu_loops.h"
#include "solvers/unstructured/gpu/gpu_internal.h"
#include "solvers/unstructured/gpu/gpu_boxes.h"
#include "solvers/unstructured/gpu/gpu_windows.h"
#include "solvers/unstructured/gpu/gpu_after.h"
#include "solvers/unstructured/gpu/gpu_terms.h"

#include <string.h>

static void *stream_of(const triad_unstructured_flow *f) { return triad_device_stream(f->device); }

void triad_unstructured_gpu_note(triad_unstructured_flow *f, int status)
{
  if (f->gpu->status == TRIAD_OK) f->gpu->status = status;
}

static void note(triad_unstructured_flow *f, int status) { triad_unstructured_gpu_note(f, status); }

static triad_unstructured_gpu_cells rows_of(const triad_unstructured_flow *f, int which)
{
  const triad_unstructured_rows *r = &f->domain->rows[which];
  return (triad_unstructured_gpu_cells){
    .first = r->first, .n = r->n, .cell = r->cell, .list = r->list ? f->gpu->rim : NULL};
}

int triad_unstructured_gpu_part_of(const triad_unstructured_flow *f, triad_unstructured_share share, int listed, int i,
                                   triad_unstructured_gpu_cells *out)
{
  const triad_unstructured_domain *d = f->domain;
  if (share == TRIAD_UNSTRUCTURED_LATE) {
    if (i == 0) *out = rows_of(f, TRIAD_UNSTRUCTURED_RIM);
    if (i == 1) *out = rows_of(f, TRIAD_UNSTRUCTURED_EDGE);
    return i < (listed ? 2 : 1);
  }
  if (i == 0) {
    *out = rows_of(f, TRIAD_UNSTRUCTURED_INSIDE);
    if (!listed) out->n = 0;
    return 1;
  }
  if (d->n_boxes + i > d->n_zones) return 0;
  *out = (triad_unstructured_gpu_cells){.zone = &d->zone[d->n_boxes + i - 1]};
  return 1;
}

/* Zone z of bricks, and its seams. */
static triad_unstructured_gpu_cells box_of(const triad_unstructured_flow *f, int z, triad_unstructured_gpu_seams *seams)
{
  const triad_unstructured_domain *d = f->domain;
  *seams = triad_unstructured_gpu_seams_of(f, z, 0, d->zone[z].n[2]);
  return (triad_unstructured_gpu_cells){.zone = &d->zone[z], .box = &f->gpu->box[z]};
}

static void gradients(triad_unstructured_flow *f, triad_unstructured_share share)
{
  triad_unstructured_gpu_cells c;
  triad_unstructured_gpu_seams seams;
  for (int i = 0; triad_unstructured_gpu_part_of(f, share, 1, i, &c); i++)
    note(f, triad_unstructured_gpu_gradients(&f->gpu->view, &c, stream_of(f)));
  for (int z = 0; z < f->domain->n_boxes && share == TRIAD_UNSTRUCTURED_EARLY; z++) {
    c = box_of(f, z, &seams);
    note(f, triad_unstructured_gpu_twin_gradients(&f->gpu->view, &c, &seams, stream_of(f)));
  }
}

static void widen(triad_unstructured_flow *f, triad_unstructured_share share)
{
  triad_unstructured_gpu_cells c;
  for (int i = 0; triad_unstructured_gpu_part_of(f, share, 1, i, &c); i++)
    note(f, triad_unstructured_gpu_widen(&f->gpu->view, &c, stream_of(f)));
}

static void fluxes(triad_unstructured_flow *f, triad_unstructured_faces which, int low)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_view *v = &f->gpu->view;
  const triad_gas_riemann riemann = f->setup.riemann;
  const int high = (int)f->high;
  void *stream = stream_of(f);
  if (which == TRIAD_UNSTRUCTURED_OUTER_FACES) {
    note(f, triad_unstructured_gpu_outer_fluxes(v, &f->gpu->outer, low, riemann, high, stream));
  } else if (which == TRIAD_UNSTRUCTURED_GHOST_FACES) {
    note(f, triad_unstructured_gpu_fluxes(v, d->n_own, d->n_inner, NULL, low, riemann, high, stream));
  } else {
    if (low || f->wide)
      note(f, triad_unstructured_gpu_no_flux(v, d->n_slots, low, stream)); /* other things lay there */
    note(f, triad_unstructured_gpu_fluxes(v, 0, d->n_own, NULL, low, riemann, high, stream));
    for (int z = d->n_boxes; z < d->n_zones; z++)
      note(f, triad_unstructured_gpu_fluxes(v, 0, 0, &d->zone[z], low, riemann, high, stream));
    f->gpu->first = low;
  }
}

static void viscous(triad_unstructured_flow *f, int low) { note(f, triad_unstructured_gpu_add_viscous(f, low)); }

static void rates(triad_unstructured_flow *f)
{
  triad_unstructured_gpu_cells c;
  triad_unstructured_gpu_seams seams;
  note(f, triad_device_clear(f->device, &f->gpu->found->rate, sizeof f->gpu->found->rate));
  for (int share = TRIAD_UNSTRUCTURED_EARLY; share <= TRIAD_UNSTRUCTURED_LATE; share++)
    for (int i = 0; triad_unstructured_gpu_part_of(f, (triad_unstructured_share)share, 1, i, &c); i++)
      note(f, triad_unstructured_gpu_rates(&f->gpu->view, &c, f->gpu->found, stream_of(f)));
  for (int z = 0; z < f->domain->n_boxes; z++) {
    c = box_of(f, z, &seams);
    note(f, triad_unstructured_gpu_box_rates(&f->gpu->view, &c, f->gpu->found, stream_of(f)));
  }
}

/* ---- faces that add to listed cells ---- */

static void scatter(triad_unstructured_flow *f, double dt, int anti)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_view *v = &f->gpu->view;
  if (f->setup.loops == TRIAD_UNSTRUCTURED_ATOMICS) {
    note(f, triad_unstructured_gpu_scatter(v, 0, d->n_faces, d->n_zoned, dt, anti, 1, stream_of(f)));
    return;
  }
  for (int g = 0; g < d->n_groups; g++)
    note(f, triad_unstructured_gpu_scatter(v, d->group[g], d->group[g + 1], d->n_zoned, dt, anti, 0, stream_of(f)));
}

/* ---- transport, limits, the correction ---- */

/* Reset counts of bad cells and limited faces; the rate, which precedes them in memory, is not reset. */
static void clear_counts(triad_unstructured_flow *f)
{
  triad_unstructured_gpu_found *found = f->gpu->found;
  note(f, triad_device_clear(f->device, &found->bad, 3 * (int64_t)sizeof found->bad));
}

static void bound_twins(triad_unstructured_flow *f, double dt)
{
  for (int z = 0; z < f->domain->n_boxes; z++) {
    triad_unstructured_gpu_seams seams;
    const triad_unstructured_gpu_cells c = box_of(f, z, &seams);
    note(f, triad_unstructured_gpu_twin_bounds(&f->gpu->view, &c, &seams, dt, f->gpu->first, f->setup.riemann,
                                               stream_of(f)));
  }
}

static void transported(triad_unstructured_flow *f, triad_unstructured_share share, double dt)
{
  const triad_unstructured_view *v = &f->gpu->view;
  const int gather = f->setup.loops == TRIAD_UNSTRUCTURED_GATHER;
  void *stream = stream_of(f);
  triad_unstructured_gpu_cells c;
  if (share == TRIAD_UNSTRUCTURED_LATE) clear_counts(f);
  if (share == TRIAD_UNSTRUCTURED_LATE && !gather) {
    note(f, triad_unstructured_gpu_restart(v, f->domain->n_zoned, stream));
    scatter(f, dt, 0);
    if (v->bounded) note(f, triad_unstructured_gpu_bounds(v, f->domain->n_zoned, stream));
  }
  for (int i = 0; triad_unstructured_gpu_part_of(f, share, gather, i, &c); i++)
    note(f, triad_unstructured_gpu_transported(v, &c, dt, stream));
  if (share == TRIAD_UNSTRUCTURED_LATE && v->bounded) note(f, triad_unstructured_gpu_room_beyond(v, 0, stream));
  if (share == TRIAD_UNSTRUCTURED_EARLY && v->bounded) bound_twins(f, dt);
}

static void prelimit(triad_unstructured_flow *f) { note(f, triad_unstructured_gpu_prelimit_all(f)); }
static void component_bounds(triad_unstructured_flow *f) { note(f, triad_unstructured_gpu_bound_components(f)); }
static void component_parts(triad_unstructured_flow *f, double dt)
{
  note(f, triad_unstructured_gpu_part_components(f, dt));
}
static void component_limits(triad_unstructured_flow *f) { note(f, triad_unstructured_gpu_cut_components(f)); }

static void limits(triad_unstructured_flow *f, triad_unstructured_share share, double dt, int last)
{
  triad_unstructured_gpu_cells c;
  triad_unstructured_view v = f->gpu->view;
  if (share == TRIAD_UNSTRUCTURED_EARLY) v.limits_from = INT64_MAX; /* no other rank sees these */
  for (int i = 0; triad_unstructured_gpu_part_of(f, share, 1, i, &c); i++)
    note(f, triad_unstructured_gpu_limits(&v, &c, dt, stream_of(f)));
  if (share == TRIAD_UNSTRUCTURED_LATE) note(f, triad_unstructured_gpu_room_beyond(&f->gpu->view, 1, stream_of(f)));
  if (share == TRIAD_UNSTRUCTURED_EARLY) note(f, triad_unstructured_gpu_windows(f, dt, last));
}

static void ghost_parts(triad_unstructured_flow *f, double dt)
{
  note(f, triad_unstructured_gpu_ghost_parts(&f->gpu->view, f->domain->n_own, f->domain->n_inner, dt, stream_of(f)));
}

/* Cells to which faces have added: what follows. */
static void finish(triad_unstructured_flow *f, double dt, int last)
{
  const triad_unstructured_view *v = &f->gpu->view;
  void *stream = stream_of(f);
  if (f->high != TRIAD_UNSTRUCTURED_NO_HIGH && v->bounded && last)
    note(f, triad_unstructured_gpu_count(v, f->domain->n_zoned, f->gpu->found, stream));
  if (f->high != TRIAD_UNSTRUCTURED_NO_HIGH) scatter(f, dt, 1);
  for (int which = TRIAD_UNSTRUCTURED_INSIDE; which <= TRIAD_UNSTRUCTURED_EDGE; which++) {
    const triad_unstructured_gpu_cells c = rows_of(f, which);
    note(f, triad_unstructured_gpu_corrected(v, &c, dt, last, 0, f->gpu->found, stream));
  }
}

static void crossed(triad_unstructured_flow *f, double dt)
{
  const int high = f->high != TRIAD_UNSTRUCTURED_NO_HIGH;
  note(f, triad_unstructured_gpu_crossed(&f->gpu->view, &f->gpu->outer, dt, high, f->gpu->found, stream_of(f)));
}

void triad_unstructured_gpu_copy_twins(triad_unstructured_flow *f)
{
  const triad_unstructured_gpu_seams all = {f->gpu->seam, f->domain->n_seams,
                                            triad_unstructured_domain_twins(f->domain)};
  note(f, triad_unstructured_gpu_twin_values(&f->gpu->view, &all, stream_of(f)));
}

/* Bricks have written their new values to the second array, since the transport of listed cells still read the old
 * ones; lists write there too. Exchange the two arrays. */
static void turn_values(triad_unstructured_flow *f)
{
  triad_unstructured_view *v = &f->gpu->view;
  const triad_unstructured_numbers in_use = v->value;
  if (!f->gpu->values[1]) return;
  v->value = v->before;
  v->before = in_use;
}

static void corrected(triad_unstructured_flow *f, triad_unstructured_share share, double dt, int last)
{
  const int gather = f->setup.loops == TRIAD_UNSTRUCTURED_GATHER, high = f->high != TRIAD_UNSTRUCTURED_NO_HIGH;
  triad_unstructured_gpu_cells c;
  if (share == TRIAD_UNSTRUCTURED_LATE && !f->gpu->view.bounded) note(f, triad_unstructured_gpu_windows(f, dt, last));
  if (share == TRIAD_UNSTRUCTURED_LATE) turn_values(f);
  for (int i = 0; triad_unstructured_gpu_part_of(f, share, gather, i, &c); i++)
    note(f, triad_unstructured_gpu_corrected(&f->gpu->view, &c, dt, last, high, f->gpu->found, stream_of(f)));
  if (share == TRIAD_UNSTRUCTURED_LATE && !gather) finish(f, dt, last);
  if (share == TRIAD_UNSTRUCTURED_EARLY) triad_unstructured_gpu_copy_twins(f);
}

/* ---- the state, its surroundings, what was found ---- */

static void values(triad_unstructured_flow *f)
{
  clear_counts(f);
  note(f, triad_unstructured_gpu_values(&f->gpu->view, f->gpu->found, stream_of(f)));
  triad_unstructured_gpu_copy_twins(f);
}

static void beyond(triad_unstructured_flow *f)
{
  note(f, triad_unstructured_gpu_beyond(&f->gpu->view, &f->gpu->outer, stream_of(f)));
}

/* numbers: of flow->view; the same ones on the GPU. */
static void begin(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  const triad_unstructured_view *v = &f->view, *there = &f->gpu->view;
  const triad_unstructured_numbers *same = numbers == &v->slope      ? &there->slope
                                           : numbers == &v->gradient ? &there->gradient
                                           : numbers == &v->bound    ? &there->bound
                                           : numbers == &v->limit    ? &there->limit
                                           : numbers == &v->td       ? &there->td
                                                                     : &there->value;
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  for (int i = 0; i < n; i++) fields[i] = same->at + i * same->pitch;
  if (f->gpu->halo) triad_gpu_halo_begin(f->gpu->halo, fields, n, stream_of(f));
}

static void end(triad_unstructured_flow *f)
{
  if (f->gpu->halo) triad_gpu_halo_end(f->gpu->halo, stream_of(f));
}

static int settle_stage(triad_unstructured_flow *f)
{
  struct triad_unstructured_on_gpu *g = f->gpu;
  triad_unstructured_gpu_found found;
  double rate;
  int st = g->status;
  g->status = TRIAD_OK;
  if (st == TRIAD_OK) st = triad_device_wait(f->device);
  if (st == TRIAD_OK) st = triad_device_get(f->device, &found, g->found, sizeof found);
  if (st != TRIAD_OK) return st;
  memcpy(&rate, &found.rate, sizeof rate);
  f->rate = rate / 2;
  f->bad = (int64_t)found.bad - 1;
  f->limited = (int64_t)found.limited;
  f->parts = (int64_t)found.parts;
  memcpy(f->passed, found.passed, sizeof f->passed); /* taken at the end of a step */
  return TRIAD_OK;
}

const triad_unstructured_loops triad_unstructured_gpu_loops = {.beyond = beyond,
                                                               .gradients = gradients,
                                                               .widen = widen,
                                                               .fluxes = fluxes,
                                                               .viscous = viscous,
                                                               .rates = rates,
                                                               .transported = transported,
                                                               .prelimit = prelimit,
                                                               .component_bounds = component_bounds,
                                                               .component_parts = component_parts,
                                                               .component_limits = component_limits,
                                                               .limits = limits,
                                                               .ghost_parts = ghost_parts,
                                                               .corrected = corrected,
                                                               .values = values,
                                                               .crossed = crossed,
                                                               .draw = triad_unstructured_gpu_draw_cells,
                                                               .mean = triad_unstructured_gpu_add_mean,
                                                               .look_over = triad_unstructured_gpu_look,
                                                               .watch = triad_unstructured_gpu_watch,
                                                               .pick = triad_unstructured_gpu_picked,
                                                               .begin = begin,
                                                               .end = end,
                                                               .settle = settle_stage};
