/* Forces, cooling and sponges between the steps of a gas on a GPU, for the table of internal.h. */
#include "solvers/compressible/gpu/gpu_force.h"
#include "solvers/compressible/gpu/gpu_internal.h"

#include <stdlib.h>

struct triad_gas_on_gpu {
  triad_device *device;
  triad_state *state;
  triad_gas_gpu_points points;
  triad_gas_gpu_change change;
  double *wave[3], *normal;
  int32_t (*k)[3];
  triad_gas_gpu_part *parts; /* [blocks] */
  int blocks;
  triad_real *rate, *to[TRIAD_COMPRESSIBLE_FIELDS]; /* of a sponge */
};

static void *stream_of(const triad_gas_on_gpu *g) { return triad_device_stream(g->device); }

void triad_gas_gpu_drop(triad_gas_on_gpu **gpu)
{
  triad_gas_on_gpu *g = *gpu;
  if (!g) return;
  for (int i = 0; i < 3; i++) triad_device_free(g->device, (void **)&g->wave[i]);
  triad_device_free(g->device, (void **)&g->normal);
  triad_device_free(g->device, (void **)&g->k);
  triad_device_free(g->device, (void **)&g->parts);
  triad_device_free(g->device, (void **)&g->rate);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) triad_device_free(g->device, (void **)&g->to[f]);
  free(g);
  *gpu = NULL;
}

static int make(triad_compressible *w, triad_gas_on_gpu **out)
{
  const triad_partition *b = &w->blocks;
  triad_gas_on_gpu *g = *out = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "forces on a GPU");
  g->device = w->gpu->device;
  g->state = w->state;
  g->points = (triad_gas_gpu_points){
    .n = {b->local[0], b->local[1], b->local[2]}, .origin = b->origin, .stride = {b->stride[1], b->stride[2]}};
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) g->points.u[f] = w->gpu->set[0][f];
  return TRIAD_OK;
}

static int take_waves(triad_gas_on_gpu *g, const triad_gas_waves *waves, triad_memory *memory)
{
  const int64_t n = waves->noise.count;
  int32_t(*k)[3] = NULL;
  if (waves->most[0] >= TRIAD_GAS_GPU_WAVES)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "forcing.k_range: its waves have %lld wavelengths along x, but a GPU supports at most %d: use "
                      "parallel.device = \"cpu\"",
                      (long long)waves->most[0], TRIAD_GAS_GPU_WAVES - 1);
  for (int i = 0; i < 3; i++) {
    TRIAD_TRY(triad_device_table(g->device, "forcing", 2 * (waves->most[i] + 1) * waves->points[i], sizeof(double),
                                 waves->wave[i], (void **)&g->wave[i]));
    g->change.wave[i] = g->wave[i];
  }
  TRIAD_TRY(triad_device_alloc(g->device, "forcing", 6 * n, sizeof *g->normal, (void **)&g->normal));
  TRIAD_TRY(TRIAD_ALLOC(memory, "forcing", n, &k));
  for (int64_t m = 0; m < n; m++)
    for (int i = 0; i < 3; i++) k[m][i] = (int32_t)waves->noise.k[m][i];
  int st = triad_device_table(g->device, "forcing", n, sizeof *k, k, (void **)&g->k);
  TRIAD_FREE(memory, &k);
  g->change.normal = g->normal;
  g->change.k = (const int32_t(*)[3])g->k;
  g->change.count = (int)n;
  g->change.kinds = (int)waves->most[0] + 1;
  g->change.size = waves->size;
  return st;
}

int triad_gas_gpu_force_make(triad_compressible *w, const triad_gas_waves *waves, triad_gas_on_gpu **out)
{
  const int64_t rows = w->blocks.local[1] * w->blocks.local[2];
  TRIAD_TRY(make(w, out));
  triad_gas_on_gpu *g = *out;
  g->blocks = rows < TRIAD_GAS_GPU_BLOCKS ? (int)(rows > 0 ? rows : 1) : TRIAD_GAS_GPU_BLOCKS;
  TRIAD_TRY(triad_device_alloc(g->device, "forcing", g->blocks, sizeof *g->parts, (void **)&g->parts));
  return waves ? take_waves(g, waves, w->context->memory) : TRIAD_OK;
}

int triad_gas_gpu_force_push(triad_gas_on_gpu *g, const triad_gas_waves *waves, double growth, double dt,
                             const double *mean, int n, triad_sum *sums)
{
  triad_gas_gpu_part parts[TRIAD_GAS_GPU_BLOCKS];
  TRIAD_TRY(triad_state_read_all(g->state, TRIAD_DEVICE));
  if (waves && !mean) /* the noise of this step */
    TRIAD_TRY(
      triad_device_put(g->device, g->normal, waves->noise.normal, 6 * waves->noise.count * (int64_t)sizeof *g->normal));
  g->change.growth = growth;
  g->change.dt = dt;
  TRIAD_TRY(triad_gas_gpu_push(&g->points, &g->change, mean, g->blocks, g->parts, stream_of(g)));
  TRIAD_TRY(triad_device_get(g->device, parts, g->parts, g->blocks * (int64_t)sizeof *parts));
  for (int b = 0; b < g->blocks; b++)
    for (int s = 0; s < n; s++) {
      triad_sum_add(&sums[s], parts[b].sum[s]);
      triad_sum_add(&sums[s], parts[b].rest[s]);
    }
  return TRIAD_OK;
}

int triad_gas_gpu_force_cool(triad_gas_on_gpu *g, double factor)
{
  return triad_gas_gpu_scale_internal(&g->points, factor, stream_of(g));
}

int triad_gas_gpu_sponge_make(triad_compressible *w, const triad_real *rate,
                              triad_real *const to[TRIAD_COMPRESSIBLE_FIELDS], triad_gas_on_gpu **out)
{
  const int64_t points = triad_partition_points(&w->blocks);
  TRIAD_TRY(make(w, out));
  triad_gas_on_gpu *g = *out;
  TRIAD_TRY(triad_device_table(g->device, "the sponge", points, sizeof *rate, rate, (void **)&g->rate));
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
    TRIAD_TRY(triad_device_table(g->device, "the sponge", points, sizeof *rate, to[f], (void **)&g->to[f]));
  return TRIAD_OK;
}

int triad_gas_gpu_sponge_draw(triad_gas_on_gpu *g, double dt)
{
  return triad_gas_gpu_draw(&g->points, g->rate, g->to, dt, stream_of(g));
}
