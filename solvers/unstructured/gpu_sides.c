/* Rows of the rim beside zones of bricks: cells on sides that are of outer faces alone go by the kernels of bricks. */
#include "solvers/unstructured/gpu_own.h"

static int is_whole(const triad_fct_box *box)
{
  int all = 1;
  for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) all = all && box->outer[s];
  return all;
}

/* Rows of the rim that go by lists, or whose gradients these see. */
static int64_t pick(const triad_fct_domain *d, int which, int32_t *row)
{
  int64_t n = 0;
  for (int64_t i = 0; i < d->rows[TRIAD_FCT_RIM].n; i++) {
    const int number = triad_fct_domain_zone(d, d->rim[i]);
    const triad_fct_zone *zone = &d->zone[number];
    const int64_t at = d->rim[i] - zone->cell;
    const int x[3] = {(int)(at % zone->n[0]), (int)(at / zone->n[0] % zone->n[1]), (int)(at / zone->n[0] / zone->n[1])};
    const int left_out = which == TRIAD_FCT_GPU_BY_LISTS ? triad_fct_is_tiled(&d->box[number], x) : is_whole(&d->box[number]);
    if (!left_out) row[n++] = (int32_t)i;
  }
  return n;
}

static int make(const triad_fct_domain *d, struct triad_fct_on_gpu *g, int32_t *row)
{
  const int64_t outer = d->n_faces - d->n_inner;
  TRIAD_TRY(triad_device_table(g->device, "mesh", d->n_sides, sizeof *d->on_side, d->on_side, (void **)&g->sides));
  TRIAD_TRY(triad_device_table(g->device, "mesh", outer, sizeof *d->opposite, d->opposite, (void **)&g->outer.opposite));
  TRIAD_TRY(triad_device_table(g->device, "mesh", outer, sizeof *d->part, d->part, (void **)&g->outer.part));
  for (int z = 0; z < d->n_zones; z++)
    for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++)
      if (d->box[z].outer[s]) g->box[z].outer[s] = g->sides + (d->box[z].outer[s] - d->on_side);
  for (int which = 0; which < 2; which++) {
    g->n_rows[which] = pick(d, which, row);
    TRIAD_TRY(triad_device_table(g->device, "mesh", g->n_rows[which], sizeof *row, row, (void **)&g->row[which]));
  }
  return TRIAD_OK;
}

int triad_fct_gpu_sides_make(triad_fct_flow *f)
{
  const triad_fct_domain *d = f->domain;
  int32_t *row = NULL;
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "bricks being found", d->rows[TRIAD_FCT_RIM].n, &row));
  const int st = make(d, f->gpu, row);
  TRIAD_FREE(f->context->memory, &row);
  return st;
}
