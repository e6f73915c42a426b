/* Stages of bricks in windows of layers. The limits of a cell depend on the transported values of its neighbours, and
 * its correction on their limits: limits are one layer behind transport, and the correction one layer behind these.
 * The last TRIAD_UNSTRUCTURED_KEPT layers, which the next window needs, are moved to the start of the memory. The state
 * is overwritten in place, since it is no longer needed by then; values are written to a second array
 * (triad_unstructured_view.before). Bounds of cells across the sides of the zone follow the window; limiter factors of
 * those faces are stored with the listed faces. */
#include "solvers/unstructured/gpu/gpu_windows.h"
#include "solvers/unstructured/gpu/gpu_internal.h"

/* Numbers of cells `at` lie so that the cell, or place beyond an outer face, with number `first` is the first one. */
static triad_unstructured_numbers from_cell(const triad_unstructured_numbers *numbers, triad_real *at, int64_t first)
{
  return (triad_unstructured_numbers){at - first, numbers->pitch};
}

/* A zone, the first layer of its window, and how many layers have been through each part of the stage. */
typedef struct going {
  const triad_unstructured_flow *flow;
  const triad_mesh_zone *zone;
  int number;
  int64_t first;
  int transported, limited, corrected;
} going;

static int64_t first_cell(const going *w) { return w->zone->cell + w->first * w->zone->stride[2]; }

/* As the kernels see it: numbers of cells are those of the zone. */
static triad_unstructured_view view_of(const going *w)
{
  const struct triad_unstructured_on_gpu *g = w->flow->gpu;
  triad_unstructured_view v = g->view;
  v.td = from_cell(&v.td, g->stages, first_cell(w));
  v.bound = from_cell(&v.bound, g->work, first_cell(w));
  return v;
}

static triad_unstructured_box box_of(const going *w)
{
  const struct triad_unstructured_on_gpu *g = w->flow->gpu;
  triad_unstructured_box box = g->box[w->number];
  box.behind = first_cell(w) + g->window - w->flow->domain->n_bricks;
  return box;
}

static triad_mesh_zone zone_of(const going *w)
{
  triad_mesh_zone zone = *w->zone;
  zone.cells = w->flow->gpu->window;
  zone.slot = w->flow->domain->n_slots + 1 - w->first * zone.stride[2];
  triad_unstructured_zone_sides(&zone);
  return zone;
}

/* Layers up to `end` have been transported. */
static int through(going *w, int end, double dt, int last)
{
  struct triad_unstructured_on_gpu *g = w->flow->gpu;
  void *stream = triad_device_stream(w->flow->device);
  const int n = w->zone->n[2], limited = end == n ? n : end - 1, corrected = end == n ? n : end - 2;
  const triad_mesh_zone zone = zone_of(w);
  triad_unstructured_view v = view_of(w);
  triad_unstructured_box box = box_of(w);
  const triad_unstructured_gpu_cells c = {.zone = &zone, .box = &box};
  box.begin = w->transported;
  box.end = w->transported = end;
  TRIAD_TRY(triad_unstructured_gpu_box_transported(&v, &c, dt, g->first, w->flow->setup.riemann, stream));
  box.begin = w->limited;
  box.end = w->limited = limited;
  if (v.bounded) TRIAD_TRY(triad_unstructured_gpu_limits(&v, &c, dt, stream));
  box.begin = w->corrected;
  box.end = w->corrected = corrected;
  /* the correction reads no values; transport of a step's second stage has seen those of its start */
  v.value = v.before;
  return triad_unstructured_gpu_corrected(&v, &c, dt, last, 1, g->found, stream);
}

static int move_on(going *w)
{
  const triad_unstructured_view v = view_of(w);
  const triad_mesh_zone zone = zone_of(w);
  const triad_unstructured_gpu_cells c = {.zone = &zone};
  const int64_t first = w->transported - TRIAD_UNSTRUCTURED_KEPT, plane = zone.stride[2],
                by = (first - w->first) * plane;
  w->first = first;
  return triad_unstructured_gpu_box_move(&v, &c, first * plane, TRIAD_UNSTRUCTURED_KEPT * plane, by,
                                         triad_device_stream(w->flow->device));
}

int triad_unstructured_gpu_windows(triad_unstructured_flow *f, double dt, int last)
{
  for (int z = 0; z < f->domain->n_boxes; z++) {
    going w = {.flow = f, .zone = &f->domain->zone[z], .number = z};
    const int64_t layers = triad_unstructured_window_layers(w.zone->stride[2], w.zone->n[2], f->setup.layers);
    for (;;) {
      const int64_t end = w.first + layers;
      TRIAD_TRY(through(&w, end < w.zone->n[2] ? (int)end : w.zone->n[2], dt, last));
      if (w.transported == w.zone->n[2]) break;
      TRIAD_TRY(move_on(&w));
    }
  }
  return TRIAD_OK;
}
