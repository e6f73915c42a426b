/* Gather single values of GPU fields (gpu_gather.h). */
#include "grid/fields/gpu_gather.h"

#include "grid/gpu_halo_copy.h"

#include <stdlib.h>
#include <string.h>

void triad_gpu_gather_drop(triad_gpu_gather *g)
{
  if (!g->device) return;
  triad_device_free(g->device, (void **)&g->at);
  triad_device_free(g->device, (void **)&g->packed);
  free(g->brought);
  memset(g, 0, sizeof *g);
}

int triad_gpu_gather_places(triad_gpu_gather *g, triad_device *device, int fields, const int64_t *first,
                            const int64_t *at)
{
  triad_gpu_gather_drop(g);
  const int64_t n = first[fields];
  if (fields > TRIAD_GPU_GATHER_FIELDS) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "offsets of %d fields", fields);
  g->device = device;
  g->fields = fields;
  memcpy(g->first, first, (size_t)(fields + 1) * sizeof *first);
  if (n == 0) return TRIAD_OK;
  g->brought = calloc((size_t)n, sizeof *g->brought);
  int st = g->brought ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at %lld offsets", (long long)n);
  if (st == TRIAD_OK) st = triad_device_table(device, "places", n, sizeof *at, at, (void **)&g->at);
  if (st == TRIAD_OK) st = triad_device_alloc(device, "values at offsets", n, sizeof *g->packed, (void **)&g->packed);
  return st;
}

/* One field's places are a run of places that a list names, as messages of halos have them. */
static int pack(const triad_gpu_gather *g, int f, triad_real *field)
{
  const int64_t n = g->first[f + 1] - g->first[f];
  triad_gpu_halo_list list = {.n = 1, .n_fields = 1, .field = {field}};
  list.run[0] = (triad_gpu_halo_run){
    .here = {.list = g->at + g->first[f]}, .numbers = n, .count = {(uint32_t)n, 1, 1}, .all = (uint32_t)n};
  list.blocks = (uint32_t)((n + TRIAD_GPU_HALO_BLOCK - 1) / TRIAD_GPU_HALO_BLOCK);
  return n > 0
           ? triad_gpu_halo_copy(&list, TRIAD_GPU_HALO_PACK, g->packed + g->first[f], triad_device_stream(g->device))
           : TRIAD_OK;
}

int triad_gpu_gather_bring(triad_gpu_gather *g, triad_real *const *field, const triad_real **values)
{
  const int64_t bytes = g->first[g->fields] * (int64_t)sizeof *g->brought;
  for (int f = 0; f < g->fields; f++) TRIAD_TRY(pack(g, f, field[f]));
  *values = g->brought;
  return bytes > 0 ? triad_device_get(g->device, g->brought, g->packed, bytes) : TRIAD_OK;
}
