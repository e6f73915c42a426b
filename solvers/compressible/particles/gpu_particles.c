/* Allocate particles in GPU memory, copy their records, and launch the stages of their motion. */
#include "solvers/compressible/particles/gpu_particles.h"
#include "solvers/compressible/particles/gpu_internal.h"
#include "solvers/compressible/particles/gpu_settle.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/compressible/particles/acceleration.h"

#include "parallel/cuda.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- memory ---- */

static int numbers_of(const triad_compressible_setup *setup)
{
  const int vectors = (triad_scheme_vectors(setup->scheme) - 1) * TRIAD_GAS_MOVING;
  return vectors > TRIAD_GAS_WIDTH + 1 ? vectors : TRIAD_GAS_WIDTH + 1;
}

static int64_t room_for(int ranks, int64_t n) { return ranks > 1 ? n + n / 10 + 64 : n; }

static int64_t group_bytes(const triad_compressible_setup *setup, const triad_partition *blocks, int64_t n)
{
  return 2 * numbers_of(setup) * room_for(blocks->size, n) * (int64_t)sizeof(double);
}

static int64_t field_bytes(const triad_partition *blocks, int has_mass)
{
  const int64_t tiles = triad_gas_gpu_tiles(blocks->local);
  int64_t bytes = (tiles + triad_gas_gpu_scratch(tiles)) * (int64_t)sizeof(int32_t);
  if (has_mass)
    bytes += (TRIAD_COMPRESSIBLE_FIELDS + 3) * blocks->volume * (int64_t)sizeof(triad_real) +
             triad_gpu_halo_needs(blocks, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS);
  return bytes;
}

static int number_of(const triad_gas_particles *p, const triad_gas_group *g) { return (int)(g - p->group); }

static void *stream(const triad_gas_particles *p) { return triad_device_stream(p->gpu->device); }

triad_gas_members triad_gas_gpu_members(const triad_gas_particles *p, int number)
{
  const triad_gas_gpu_group *there = &p->gpu->group[number];
  triad_gas_members m = triad_gas_members_of(&p->group[number]);
  m.record = there->record;
  m.vector = there->vector;
  m.step = m.vector_step = 1;
  m.number = there->room;
  return m;
}

int triad_gas_gpu_fit(triad_gas_particles *p, int number, int64_t n)
{
  triad_gas_on_gpu *g = p->gpu;
  triad_gas_gpu_group *there = &g->group[number];
  const int64_t room = room_for(p->blocks.size, n), used = p->group[number].n * (int64_t)sizeof(double);
  double *record = NULL;
  if (n <= there->room) return TRIAD_OK;
  if (room > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles on one GPU are too many: use more ranks", n);
  triad_device_free(g->device, (void **)&there->vector);
  TRIAD_TRY(triad_device_alloc(g->device, "particles", g->numbers * room, sizeof *record, (void **)&record));
  for (int k = 0; k < TRIAD_GAS_WIDTH && there->room > 0 && used > 0; k++)
    TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(record + k * room, there->record + k * there->room, (size_t)used,
                                       cudaMemcpyDeviceToDevice, (cudaStream_t)stream(p))));
  TRIAD_TRY(triad_device_wait(g->device));
  triad_device_free(g->device, (void **)&there->record);
  there->record = record;
  there->room = room;
  return triad_device_alloc(g->device, "particles", g->numbers * room, sizeof *record, (void **)&there->vector);
}

static int take_fields(triad_gas_particles *p)
{
  triad_gas_on_gpu *g = p->gpu;
  const int64_t volume = p->blocks.volume;
  TRIAD_TRY(triad_device_alloc(g->device, "particles", (TRIAD_COMPRESSIBLE_FIELDS + 3) * volume, sizeof *g->fields,
                               (void **)&g->fields));
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) p->rate[f] = g->fields + f * volume;
  for (int c = 0; c < 3; c++)
    p->points.acceleration[c] = p->acceleration[c] = g->fields + (TRIAD_COMPRESSIBLE_FIELDS + c) * volume;
  return TRIAD_OK;
}

static int take(triad_gas_particles *p)
{
  triad_gas_on_gpu *g = p->gpu;
  g->numbers = numbers_of(p->setup);
  g->tiles = triad_gas_gpu_tiles(p->blocks.local);
  g->group = calloc((size_t)p->n, sizeof *g->group);
  g->seen = calloc((size_t)p->n, sizeof *g->seen);
  if (!g->group || !g->seen) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d groups of particles", p->n);
  TRIAD_TRY(triad_device_alloc(g->device, "particles", p->n, sizeof *g->news, (void **)&g->news));
  for (int i = 0; i < p->n; i++) g->group[i].news = g->news + i;
  TRIAD_TRY(triad_device_alloc(g->device, "particles", g->tiles, sizeof *g->end, (void **)&g->end));
  TRIAD_TRY(triad_device_alloc(g->device, "particles", triad_gas_gpu_scratch(g->tiles), sizeof *g->scratch,
                               (void **)&g->scratch));
  for (int a = 0; a < 3; a++) {
    TRIAD_TRY(triad_device_table(g->device, "particles", p->blocks.dims[a], sizeof *g->dealt[a], p->begin[a],
                                 (void **)&g->dealt[a]));
    p->points.dealt[a] = g->dealt[a];
  }
  return TRIAD_OK;
}

static int make(triad_gas_particles *p, triad_device *device, const char *transport, int has_mass)
{
  triad_gas_on_gpu *g = p->gpu = calloc(1, sizeof *g);
  int st = g ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "particles on a GPU");
  if (g) {
    g->device = device;
    st = take(p);
    if (st == TRIAD_OK && has_mass) st = take_fields(p);
  }
  TRIAD_TRY(triad_agree(&p->context->comm, st));
  if (!has_mass) return TRIAD_OK;
  return triad_gpu_halo_create_of(&g->halo, p->context, device, &p->blocks, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS,
                                  transport);
}

static void drop(triad_gas_particles *p)
{
  triad_gas_on_gpu *g = p->gpu;
  if (!g) return;
  triad_gpu_halo_destroy(&g->halo);
  for (int i = 0; g->group && i < p->n; i++) {
    triad_device_free(g->device, (void **)&g->group[i].record);
    triad_device_free(g->device, (void **)&g->group[i].vector);
  }
  for (int a = 0; a < 3; a++) triad_device_free(g->device, (void **)&g->dealt[a]);
  triad_device_free(g->device, (void **)&g->news);
  triad_device_free(g->device, (void **)&g->end);
  triad_device_free(g->device, (void **)&g->scratch);
  triad_device_free(g->device, (void **)&g->fields);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) p->rate[f] = NULL;
  for (int c = 0; c < 3; c++) p->acceleration[c] = NULL;
  free(g->group);
  free(g->seen);
  free(g);
  p->gpu = NULL;
}

/* ---- records ---- */

static int put(triad_gas_particles *p, triad_gas_group *g)
{
  const int number = number_of(p, g);
  const int64_t n = g->n;
  g->n = 0; /* nothing there is kept */
  const int st = triad_gas_gpu_fit(p, number, n);
  g->n = n;
  if (st != TRIAD_OK || n == 0) return st;
  const triad_gas_members m = triad_gas_gpu_members(p, number);
  TRIAD_TRY(triad_device_put(p->gpu->device, m.vector, g->record, n * (int64_t)(TRIAD_GAS_WIDTH * sizeof *g->record)));
  return triad_gas_gpu_take(&m, 0, n, m.vector, stream(p));
}

static int get(triad_gas_particles *p, triad_gas_group *g)
{
  TRIAD_TRY(triad_gas_group_fit(p, g, g->n));
  if (g->n == 0) return TRIAD_OK;
  const triad_gas_members m = triad_gas_gpu_members(p, number_of(p, g));
  TRIAD_TRY(triad_gas_gpu_rows(&m, m.vector, stream(p)));
  return triad_device_get(p->gpu->device, g->record, m.vector, g->n * (int64_t)(TRIAD_GAS_WIDTH * sizeof *g->record));
}

static int velocities(triad_gas_particles *p, triad_gas_group *g, double *velocity)
{
  const int number = number_of(p, g);
  if (g->n == 0) return TRIAD_OK;
  const triad_gas_members m = triad_gas_gpu_members(p, number);
  TRIAD_TRY(triad_gas_gpu_velocities(&p->points, &m, m.vector, p->gpu->group[number].news, stream(p)));
  return triad_device_get(p->gpu->device, velocity, m.vector, g->n * (int64_t)(3 * sizeof *velocity));
}

/* ---- stages ---- */

static int bring_acceleration(triad_gas_particles *p, triad_real *const *u)
{
  triad_gas_on_gpu *g = p->gpu;
  TRIAD_TRY(triad_gas_gpu_change(&p->points, p->rate, u[0], p->acceleration, stream(p)));
  triad_gpu_halo_begin(g->halo, p->acceleration, 3, stream(p));
  triad_gpu_halo_end(g->halo, stream(p));
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_gas_has_face(p, axis, upper))
        TRIAD_TRY(triad_gas_gpu_change_face(&p->points, (int)p->setup->side[axis][upper].kind, axis, upper,
                                            p->acceleration, stream(p)));
  return TRIAD_OK;
}

static int stage_of_all(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *s)
{
  if (p->gpu->fields) TRIAD_TRY(bring_acceleration(p, u));
  for (int i = 0; i < p->n; i++) {
    if (p->group[i].n == 0) continue;
    const triad_gas_members m = triad_gas_gpu_members(p, i);
    TRIAD_TRY(triad_gas_gpu_stage(&p->points, &m, s, p->gpu->group[i].news, stream(p)));
  }
  return TRIAD_OK;
}

/* Once a GPU has failed, others wait for its halos in vain. */
static int stage(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *s)
{
  const int st = stage_of_all(p, u, s);
  if (p->context->comm.size > 1) triad_must(&p->context->comm, st);
  return st;
}

int triad_gas_gpu_news(triad_gas_particles *p)
{
  triad_gas_on_gpu *g = p->gpu;
  const int64_t bytes = p->n * (int64_t)sizeof *g->news;
  TRIAD_TRY(triad_device_get(g->device, g->seen, g->news, bytes));
  for (int i = 0; i < p->n; i++) p->group[i].lost |= g->seen[i].lost > 0;
  return triad_device_clear(g->device, g->news, bytes);
}

static int pace(triad_gas_particles *p, double *rate)
{
  for (int i = 0; i < p->n; i++) {
    if (p->group[i].n == 0) continue;
    const triad_gas_members m = triad_gas_gpu_members(p, i);
    TRIAD_TRY(triad_gas_gpu_pace(&p->points, &m, p->gpu->group[i].news, stream(p)));
  }
  TRIAD_TRY(triad_gas_gpu_news(p));
  for (int i = 0; i < p->n; i++) *rate = fmax(*rate, p->gpu->seen[i].pace);
  return TRIAD_OK;
}

/* Vectors are the GPU's own. */
static int fit_nothing(const triad_gas_particles *p, triad_gas_group *g, int64_t room)
{
  (void)p;
  (void)g;
  (void)room;
  return TRIAD_OK;
}

static const triad_gas_particle_loops loops_on_gpu = {.fit = fit_nothing,
                                                      .put = put,
                                                      .get = get,
                                                      .velocities = velocities,
                                                      .stage = stage,
                                                      .settle = triad_gas_gpu_settle,
                                                      .pace = pace,
                                                      .free = drop};

/* The flow's steps are on a GPU: particles go there, before anything else is done with them. */
static int make_on_gpu(triad_gas_particles *p, triad_device *device, const char *transport, int has_mass)
{
  p->loops = &loops_on_gpu;
  return make(p, device, transport, has_mass);
}

extern const triad_gas_gpu_part triad_gas_particles_gpu_table; /* particles.c */

const triad_gas_gpu_part triad_gas_particles_gpu_table = {
  .make = make_on_gpu, .group_bytes = group_bytes, .field_bytes = field_bytes};
