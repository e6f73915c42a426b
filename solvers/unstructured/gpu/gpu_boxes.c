/* Zones of bricks (boxes.c) on a GPU, and the number of layers that are processed at a time: transported values,
 * bounds, limiter factors and antidiffusive fluxes are stored only for a window of layers, which moves through each
 * zone along its last axis. */
#include "solvers/unstructured/gpu/gpu_boxes.h"
#include "solvers/unstructured/gpu/gpu_internal.h"

#include <stdlib.h>

static int copy_tables(const triad_unstructured_domain *d, struct triad_unstructured_on_gpu *g)
{
  const int64_t outer = d->n_faces - d->n_inner;
  TRIAD_TRY(triad_device_table(g->device, "mesh", d->n_layers, sizeof *d->layers, d->layers, (void **)&g->layers));
  TRIAD_TRY(triad_device_table(g->device, "mesh", d->n_sides, sizeof *d->on_side, d->on_side, (void **)&g->sides));
  TRIAD_TRY(triad_device_table(g->device, "mesh", d->n_seams, sizeof *d->seam, d->seam, (void **)&g->seam));
  TRIAD_TRY(
    triad_device_table(g->device, "mesh", outer, sizeof *d->opposite, d->opposite, (void **)&g->outer.opposite));
  return triad_device_table(g->device, "mesh", outer, sizeof *d->part, d->part, (void **)&g->outer.part);
}

int triad_unstructured_gpu_boxes_make(triad_unstructured_flow *f)
{
  struct triad_unstructured_on_gpu *g = f->gpu;
  const triad_unstructured_domain *d = f->domain;
  if (d->n_boxes == 0) return TRIAD_OK;
  TRIAD_TRY(copy_tables(d, g));
  g->box = calloc((size_t)d->n_boxes, sizeof *g->box);
  if (!g->box) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d zones of bricks", d->n_boxes);
  for (int z = 0; z < d->n_boxes; z++) {
    const int64_t plane = d->zone[z].stride[2],
                  cells = plane * triad_unstructured_window_layers(plane, d->zone[z].n[2], f->setup.layers);
    g->box[z] = d->box[z];
    for (int c = 0; c < 3; c++) g->box[z].layer[c] = g->layers + (d->box[z].layer[c] - d->layers);
    for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) g->box[z].outer[s] = g->sides + (d->box[z].outer[s] - d->on_side);
    if (cells > g->window) g->window = cells;
  }
  return TRIAD_OK;
}

void triad_unstructured_gpu_boxes_drop(struct triad_unstructured_on_gpu *g)
{
  triad_device_free(g->device, (void **)&g->layers);
  triad_device_free(g->device, (void **)&g->sides);
  triad_device_free(g->device, (void **)&g->seam);
  free(g->box);
  g->box = NULL;
}

/* The first interface face (seam) of the zone whose brick is not below `cell`. */
static int64_t first_seam(const triad_unstructured_domain *d, const triad_unstructured_box *box, int64_t cell)
{
  int64_t low = box->seam, high = box->seam + box->n_seams;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (d->seam[middle].cell < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

triad_unstructured_gpu_seams triad_unstructured_gpu_seams_of(const triad_unstructured_flow *f, int z, int begin,
                                                             int end)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_mesh_zone *zone = &d->zone[z];
  const int64_t first = first_seam(d, &d->box[z], zone->cell + begin * zone->stride[2]);
  const int64_t last = first_seam(d, &d->box[z], zone->cell + end * zone->stride[2]);
  return (triad_unstructured_gpu_seams){f->gpu->seam + first, last - first, triad_unstructured_domain_twins(d) + first};
}
