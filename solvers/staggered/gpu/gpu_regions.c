/* Remove the mean of the pressure and of its source in each region of fluid, on a GPU (regions.h). */
#include "solvers/staggered/gpu/gpu_regions.h"
#include "solvers/staggered/gpu/gpu_boundary.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/plain/rows.h"

#include <stdlib.h>

enum { AT_ONCE = TRIAD_STAGGERED_GPU_SUMS };

typedef struct counting {
  const triad_staggered_mesh *m;
  int64_t first;
} counting;

static void count_row(void *self, int64_t y, int64_t z, double *results)
{
  const counting *w = self;
  int64_t first = triad_partition_at(&w->m->blocks, 0, y, z);
  for (int64_t at = first; at < first + w->m->blocks.local[0]; at++) {
    int64_t region = w->m->region[at] - w->first;
    if (!(w->m->open[at] & TRIAD_STAGGERED_SOLID) && region >= 0 && region < AT_ONCE) results[region] += 1;
  }
}

void triad_staggered_gpu_regions_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_regions *r = &f->gpu->regions;
  triad_device_free(f->device, (void **)&r->region);
  free(r->cells);
  *r = (triad_staggered_gpu_regions){0};
}

static int allocate_tables(triad_staggered_flow *f)
{
  triad_staggered_gpu_regions *r = &f->gpu->regions;
  int64_t room = f->mesh->regions + AT_ONCE;
  if (!(r->cells = calloc((size_t)room, sizeof *r->cells)))
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld regions", (long long)room);
  TRIAD_TRY(triad_device_alloc(f->device, "regions of fluid", triad_staggered_gpu_vector_size(&f->blocks),
                               sizeof(int32_t), (void **)&r->region));
  return triad_staggered_gpu_put_vector(f, sizeof(int32_t), f->mesh->region, r->region);
}

int triad_staggered_gpu_regions_renew(triad_staggered_flow *f)
{
  triad_staggered_gpu_regions *r = &f->gpu->regions;
  triad_staggered_gpu_regions_drop(f);
  if (f->mesh->regions <= 1) return TRIAD_OK;
  TRIAD_TRY(triad_agree(&f->context->comm, allocate_tables(f)));
  r->n = f->mesh->regions;
  for (int64_t first = 0; first < r->n; first += AT_ONCE) {
    counting w = {f->mesh, first};
    TRIAD_TRY(triad_staggered_rows(f->mesh, count_row, &w, AT_ONCE, 0, r->cells + first));
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_regions_level(triad_staggered_flow *f, triad_real *vector)
{
  const triad_staggered_gpu_regions *r = &f->gpu->regions;
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  void *stream = triad_device_stream(f->device);
  for (int64_t first = 0; first < r->n; first += AT_ONCE) {
    TRIAD_TRY(triad_staggered_gpu_region_sums(&s->cells, r->region, first, vector, &s->results, stream));
    TRIAD_TRY(triad_staggered_gpu_of_all(f, AT_ONCE, 0, TRIAD_STAGGERED_AFTER_SUMS));
    TRIAD_TRY(
      triad_staggered_gpu_region_level(&s->cells, r->region, first, r->cells + first, vector, &s->results, stream));
  }
  return TRIAD_OK;
}
