/* Zones of bricks (boxes.c) as kernels have them, and how many of their layers are at work at a time: where all cells are bricks
 * without lists, transported values, bounds, limits and antidiffusive fluxes are kept of a window of layers, which goes through each
 * zone along its last axis. */
#include "solvers/unstructured/gpu_own.h"

#include <stdlib.h>

int triad_fct_gpu_boxes_make(triad_fct_flow *f)
{
  struct triad_fct_on_gpu *g = f->gpu;
  const triad_fct_domain *d = f->domain;
  if (!d->box) return TRIAD_OK;
  TRIAD_TRY(triad_device_table(g->device, "mesh", d->n_layers, sizeof *d->layers, d->layers, (void **)&g->layers));
  g->box = calloc((size_t)d->n_zones, sizeof *g->box);
  if (!g->box) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d zones of bricks", d->n_zones);
  for (int z = 0; z < d->n_zones; z++) {
    g->box[z] = d->box[z];
    for (int c = 0; c < 3 && d->box[z].layer[c]; c++) g->box[z].layer[c] = g->layers + (d->box[z].layer[c] - d->layers);
  }
  TRIAD_TRY(triad_fct_gpu_sides_make(f));
  for (int z = 0; z < d->n_zones && d->bare; z++) {
    const int64_t plane = d->zone[z].stride[2], cells = plane * triad_fct_window_layers(plane, d->zone[z].n[2], f->setup.layers);
    if (cells > g->window) g->window = cells;
  }
  return TRIAD_OK;
}

void triad_fct_gpu_boxes_drop(struct triad_fct_on_gpu *g)
{
  triad_device_free(g->device, (void **)&g->layers);
  triad_device_free(g->device, (void **)&g->sides);
  triad_device_free(g->device, (void **)&g->cut);
  for (int i = 0; i < 2; i++) triad_device_free(g->device, (void **)&g->row[i]);
  free(g->box);
  g->box = NULL;
}
