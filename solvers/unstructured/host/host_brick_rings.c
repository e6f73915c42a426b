/* Allocate buffers that store some layers of a zone of bricks at a time, and compute their offsets. */
#include "solvers/unstructured/host/host_brick_rings.h"
#include "solvers/unstructured/host/host_bricks.h"

#include <stdlib.h>

enum { FACES = 3 * TRIAD_UNSTRUCTURED_FIELDS };

static const struct {
  int n, depth;
} kept[] = {{TRIAD_UNSTRUCTURED_VALUES, 4},
            {TRIAD_UNSTRUCTURED_VALUES, 2},
            {FACES, 2},
            {FACES, 4},
            {TRIAD_UNSTRUCTURED_FIELDS, 3},
            {TRIAD_UNSTRUCTURED_BOUNDS, 3},
            {TRIAD_UNSTRUCTURED_LIMITS, 2}};
enum { RINGS = sizeof kept / sizeof *kept };

int64_t triad_unstructured_bricks_numbers(int64_t nx, int64_t ny)
{
  int64_t numbers = 0;
  for (int i = 0; i < RINGS; i++) numbers += kept[i].n * kept[i].depth;
  return numbers * triad_unstructured_pitch((nx + 2) * (ny + 2));
}

/* Numbers of layers along x, and parts. */
int64_t triad_unstructured_bricks_room(int64_t nx)
{
  return (TRIAD_UNSTRUCTURED_BOX_NUMBERS + 1) * triad_unstructured_pitch(nx);
}

int triad_unstructured_bricks_take(triad_unstructured_bricks **out, const triad_unstructured_domain *d)
{
  int64_t most = 0, own = 0;
  triad_unstructured_bricks *b = *out = calloc(1, sizeof *b);
  if (b) b->begin = calloc((size_t)d->n_boxes, sizeof *b->begin);
  if (!b || !b->begin) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "layers of bricks");
  for (int z = 0; z < d->n_boxes; z++) {
    const int32_t *n = d->zone[z].n;
    const int64_t numbers =
      triad_unstructured_bricks_numbers(n[0], n[1]) + d->context->threads * triad_unstructured_bricks_room(n[0]);
    b->begin[z] = own;
    if (d->joined[z]) own += numbers;
    else if (numbers > most) most = numbers;
  }
  for (int z = 0; z < d->n_boxes; z++)
    if (!d->joined[z]) b->begin[z] = own;
  return TRIAD_ALLOC(d->context->memory, "stages", own + most, &b->memory);
}

void triad_unstructured_bricks_drop(triad_unstructured_bricks **bricks, triad_memory *memory)
{
  if (*bricks) {
    TRIAD_FREE(memory, &(*bricks)->memory);
    free((*bricks)->begin);
  }
  free(*bricks);
  *bricks = NULL;
}

void triad_unstructured_bricks_lay_out(triad_unstructured_bricks *b, const triad_unstructured_domain *d, int z)
{
  const triad_mesh_zone *zone = &d->zone[z];
  triad_unstructured_ring *const ring[RINGS] = {&b->value, &b->before, &b->low, &b->anti, &b->td, &b->bound, &b->limit};
  triad_real *at = b->memory + b->begin[z];
  b->row = zone->n[0] + 2;
  b->layer = triad_unstructured_pitch(b->row * (zone->n[1] + 2));
  for (int i = 0; i < RINGS; i++) {
    *ring[i] = (triad_unstructured_ring){at, kept[i].n, kept[i].depth};
    at += kept[i].n * kept[i].depth * b->layer;
  }
  b->room = at;
}
