/* The loops of a stage on a GPU: loops.h's table. Launches that fail are told by settle. */
#include "solvers/unstructured/gpu_own.h"

#include <string.h>

static void *stream_of(const triad_fct_flow *f) { return triad_device_stream(f->device); }

static void note(triad_fct_flow *f, int status)
{
  if (f->gpu->status == TRIAD_OK) f->gpu->status = status;
}

/* picked: of the rim, which rows (gpu_own.h). */
static triad_fct_gpu_cells rows_of(const triad_fct_flow *f, int which, int picked)
{
  const triad_fct_rows *r = &f->domain->rows[which];
  triad_fct_gpu_cells c = {.first = r->first, .n = r->n, .cell = r->cell, .list = r->list ? f->gpu->rim : NULL};
  if (which != TRIAD_FCT_RIM || !f->gpu->sides) return c;
  c.n = f->gpu->n_rows[picked];
  c.row = f->gpu->row[picked];
  return c;
}

static triad_fct_gpu_cells zone_of(const triad_fct_flow *f, int z)
{
  const triad_fct_box *box = f->gpu->box && f->gpu->box[z].layer[0] ? &f->gpu->box[z] : NULL;
  return (triad_fct_gpu_cells){.zone = &f->domain->zone[z], .box = box, .list = f->gpu->rim};
}

/* Call number i of a share: parts of rows, then zones; 0: there are no more. Loops that faces do for listed cells leave out
 * their rows. */
static int picked_part_of(const triad_fct_flow *f, triad_fct_share share, int listed, int picked, int i, triad_fct_gpu_cells *out)
{
  if (share == TRIAD_FCT_LATE) {
    if (i == 0) *out = rows_of(f, TRIAD_FCT_RIM, picked);
    if (i == 1) *out = rows_of(f, TRIAD_FCT_EDGE, picked);
    return i < (listed ? 2 : 1);
  }
  if (i == 0) {
    *out = rows_of(f, TRIAD_FCT_INSIDE, picked);
    if (!listed) out->n = 0;
    return 1;
  }
  if (i > f->domain->n_zones) return 0;
  *out = zone_of(f, i - 1);
  return 1;
}

static int part_of(const triad_fct_flow *f, triad_fct_share share, int listed, int i, triad_fct_gpu_cells *out)
{
  return picked_part_of(f, share, listed, TRIAD_FCT_GPU_BY_LISTS, i, out);
}

static void gradients(triad_fct_flow *f, triad_fct_share share)
{
  triad_fct_gpu_cells c;
  for (int i = 0; picked_part_of(f, share, 1, TRIAD_FCT_GPU_WITH_GRADIENTS, i, &c); i++)
    note(f, c.box ? triad_fct_gpu_box_gradients(&f->gpu->view, &c, stream_of(f))
                  : triad_fct_gpu_gradients(&f->gpu->view, &c, stream_of(f)));
}

static void widen(triad_fct_flow *f, triad_fct_share share)
{
  triad_fct_gpu_cells c;
  for (int i = 0; picked_part_of(f, share, 1, TRIAD_FCT_GPU_WITH_GRADIENTS, i, &c); i++)
    if (!c.box) note(f, triad_fct_gpu_widen(&f->gpu->view, &c, stream_of(f)));
}

static void fluxes(triad_fct_flow *f, triad_fct_faces which, int low)
{
  const triad_fct_domain *d = f->domain;
  const triad_fct_view *v = &f->gpu->view;
  const int hllc = f->setup.hllc, high = (int)f->high;
  void *stream = stream_of(f);
  if (which == TRIAD_FCT_OUTER_FACES) {
    note(f, triad_fct_gpu_outer_fluxes(v, &f->gpu->outer, low, hllc, high, stream));
  } else if (which == TRIAD_FCT_GHOST_FACES) {
    note(f, triad_fct_gpu_fluxes(v, d->n_own, d->n_inner, NULL, low, hllc, high, stream));
  } else {
    if (!f->gpu->window && (low || f->wide)) note(f, triad_fct_gpu_no_flux(v, d->n_slots, low, stream)); /* other things lay there */
    note(f, triad_fct_gpu_fluxes(v, 0, d->n_own, NULL, low, hllc, high, stream));
    for (int z = 0; z < d->n_zones; z++) {
      const triad_fct_gpu_cells c = zone_of(f, z);
      note(f, c.box ? triad_fct_gpu_box_fluxes(v, &c, low, hllc, stream)
                    : triad_fct_gpu_fluxes(v, 0, 0, c.zone, low, hllc, high, stream));
    }
    f->gpu->first = low;
  }
}

static void rates(triad_fct_flow *f)
{
  triad_fct_gpu_cells c;
  note(f, triad_device_clear(f->device, &f->gpu->found->rate, sizeof f->gpu->found->rate));
  for (int share = TRIAD_FCT_EARLY; share <= TRIAD_FCT_LATE; share++)
    for (int i = 0; part_of(f, (triad_fct_share)share, 1, i, &c); i++)
      note(f, c.box ? triad_fct_gpu_box_rates(&f->gpu->view, &c, f->gpu->found, stream_of(f))
                    : triad_fct_gpu_rates(&f->gpu->view, &c, f->gpu->found, stream_of(f)));
}

/* ---- faces that add to listed cells ---- */

static void scatter(triad_fct_flow *f, double dt, int anti)
{
  const triad_fct_domain *d = f->domain;
  const triad_fct_view *v = &f->gpu->view;
  if (f->setup.loops == TRIAD_FCT_ATOMICS) {
    note(f, triad_fct_gpu_scatter(v, 0, d->n_faces, d->n_zoned, dt, anti, 1, stream_of(f)));
    return;
  }
  for (int g = 0; g < d->n_groups; g++)
    note(f, triad_fct_gpu_scatter(v, d->group[g], d->group[g + 1], d->n_zoned, dt, anti, 0, stream_of(f)));
}

/* ---- transport, limits, the correction: with a window all is done at the time of the correction ---- */

static void transported(triad_fct_flow *f, triad_fct_share share, double dt)
{
  const triad_fct_view *v = &f->gpu->view;
  const int gather = f->setup.loops == TRIAD_FCT_GATHER;
  void *stream = stream_of(f);
  triad_fct_gpu_cells c;
  if (share == TRIAD_FCT_LATE && !gather && !f->gpu->window) {
    note(f, triad_fct_gpu_restart(v, f->domain->n_zoned, stream));
    scatter(f, dt, 0);
    if (v->bounded) note(f, triad_fct_gpu_bounds(v, f->domain->n_zoned, stream));
  }
  for (int i = 0; part_of(f, share, gather, i, &c) && !f->gpu->window; i++)
    note(f, c.box ? triad_fct_gpu_box_transported(v, &c, dt, f->gpu->first, f->setup.hllc, stream)
                  : triad_fct_gpu_transported(v, &c, dt, stream));
  if (share == TRIAD_FCT_LATE && v->bounded) note(f, triad_fct_gpu_room_beyond(v, 0, stream));
}

static void limits(triad_fct_flow *f, triad_fct_share share, double dt)
{
  triad_fct_gpu_cells c;
  for (int i = 0; part_of(f, share, 1, i, &c) && !f->gpu->window; i++)
    note(f, triad_fct_gpu_limits(&f->gpu->view, &c, dt, stream_of(f)));
  if (share == TRIAD_FCT_LATE) note(f, triad_fct_gpu_room_beyond(&f->gpu->view, 1, stream_of(f)));
}

/* Bad cells and counts start anew; the rate, which stands before them, is kept. */
static void clear_counts(triad_fct_flow *f)
{
  triad_fct_gpu_found *found = f->gpu->found;
  note(f, triad_device_clear(f->device, &found->bad, 3 * (int64_t)sizeof found->bad));
}

/* Cells to which faces have added: what follows. */
static void finish(triad_fct_flow *f, double dt, int last)
{
  const triad_fct_view *v = &f->gpu->view;
  void *stream = stream_of(f);
  if (f->high != TRIAD_FCT_NO_HIGH && v->bounded && last)
    note(f, triad_fct_gpu_count(v, f->domain->n_zoned, dt, f->gpu->found, stream));
  if (f->high != TRIAD_FCT_NO_HIGH) scatter(f, dt, 1);
  for (int which = TRIAD_FCT_INSIDE; which <= TRIAD_FCT_EDGE; which++) {
    const triad_fct_gpu_cells c = rows_of(f, which, TRIAD_FCT_GPU_BY_LISTS);
    note(f, triad_fct_gpu_corrected(v, &c, dt, last, 0, f->gpu->found, stream));
  }
}

static void count_crossed(triad_fct_flow *f, double dt)
{
  const int high = f->high != TRIAD_FCT_NO_HIGH;
  note(f, triad_fct_gpu_crossed(&f->gpu->view, &f->gpu->outer, dt, high, f->gpu->found, stream_of(f)));
}

static void crossed(triad_fct_flow *f, double dt)
{
  if (!f->gpu->window) count_crossed(f, dt);
}

static void corrected(triad_fct_flow *f, triad_fct_share share, double dt, int last)
{
  const int gather = f->setup.loops == TRIAD_FCT_GATHER, high = f->high != TRIAD_FCT_NO_HIGH;
  triad_fct_gpu_cells c;
  if (share == TRIAD_FCT_LATE) clear_counts(f);
  if (f->gpu->window) {
    if (share == TRIAD_FCT_LATE) return;
    note(f, triad_fct_gpu_windows(f, dt, last));
    if (last) count_crossed(f, dt);
    return;
  }
  for (int i = 0; part_of(f, share, gather, i, &c); i++)
    note(f, triad_fct_gpu_corrected(&f->gpu->view, &c, dt, last, high, f->gpu->found, stream_of(f)));
  if (share == TRIAD_FCT_LATE && !gather) finish(f, dt, last);
}

/* ---- the state, its surroundings, what was found ---- */

static void values(triad_fct_flow *f)
{
  clear_counts(f);
  note(f, triad_fct_gpu_values(&f->gpu->view, f->gpu->found, stream_of(f)));
}

static void beyond(triad_fct_flow *f) { note(f, triad_fct_gpu_beyond(&f->gpu->view, &f->gpu->outer, stream_of(f))); }

/* numbers: of flow->view; the same ones on the GPU. */
static void begin(triad_fct_flow *f, const triad_fct_numbers *numbers, int n)
{
  const triad_fct_view *v = &f->view, *there = &f->gpu->view;
  const triad_fct_numbers *same = numbers == &v->slope      ? &there->slope
                                  : numbers == &v->gradient ? &there->gradient
                                  : numbers == &v->bound  ? &there->bound
                                  : numbers == &v->limit  ? &there->limit
                                                          : &there->value;
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  for (int i = 0; i < n; i++) fields[i] = same->at + i * same->pitch;
  if (f->gpu->halo) triad_gpu_halo_begin(f->gpu->halo, fields, n, stream_of(f));
}

static void end(triad_fct_flow *f)
{
  if (f->gpu->halo) triad_gpu_halo_end(f->gpu->halo, stream_of(f));
}

static int settle(triad_fct_flow *f)
{
  struct triad_fct_on_gpu *g = f->gpu;
  triad_fct_gpu_found found;
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

const triad_fct_loops triad_fct_gpu_loops = {.beyond = beyond,
                                             .gradients = gradients,
                                             .widen = widen,
                                             .fluxes = fluxes,
                                             .rates = rates,
                                             .transported = transported,
                                             .limits = limits,
                                             .corrected = corrected,
                                             .values = values,
                                             .crossed = crossed,
                                             .begin = begin,
                                             .end = end,
                                             .settle = settle};
