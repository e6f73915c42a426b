/* Allocate the fields and tables of the compressible solver in GPU memory, and copy states between host and GPU. */
#include "solvers/compressible/gpu/gpu_fields.h"
#include "solvers/compressible/gpu/gpu_internal.h"

#include <stdlib.h>
#include <string.h>

/* Points along x that are worked at together: a box with fewer wastes lanes. */
enum { LANES = 32 };

/* Points of the interior from which on it is worth its launches to be done while halos travel: the thin boxes that
 * are left for afterwards each take a launch's 0.03 ms a sweep and direction, however few their points. On four
 * H200, within the node, that was more than the messages took at 128^3 a GPU, about as much at 512 x 512 x 128, and
 * less at 512^3. */
enum { WORTH_SPLITTING = 1 << 17, WORTH_SPLITTING_DIRECT = 1 << 26 };

/* Fields begin on lines of 128 bytes. */
static int64_t spread(const triad_partition *b) { return (b->volume + 31) / 32 * 32; }

static int64_t fields_of(const triad_compressible_setup *s)
{
  return (triad_scheme_vectors(s->scheme) + 1) * TRIAD_COMPRESSIBLE_FIELDS + 4 + (s->viscosity > 0);
}

int64_t triad_compressible_gpu_row_bytes(const triad_compressible *w)
{
  return w->blocks.local[1] * w->blocks.local[2] * TRIAD_COMPRESSIBLE_GPU_NUMBERS * (int64_t)sizeof(double);
}

int64_t triad_compressible_gpu_bytes(const triad_partition *b, const triad_compressible_setup *s)
{
  return fields_of(s) * spread(b) * (int64_t)sizeof(triad_real) +
         b->local[1] * b->local[2] * TRIAD_COMPRESSIBLE_GPU_NUMBERS * (int64_t)sizeof(double) +
         triad_gpu_halo_needs(b, triad_compressible_halo(s), TRIAD_COMPRESSIBLE_FIELDS, triad_compressible_reach(s));
}

static triad_compressible_gpu kernel_of(const triad_compressible *w)
{
  const triad_partition *b = &w->blocks;
  triad_compressible_gpu k = {.gas = w->gas,
                              .origin = b->origin,
                              .volume = b->volume,
                              .form = (int)w->setup.form,
                              .weights = (int)w->setup.weights,
                              .variables = (int)w->setup.variables,
                              .riemann = (int)w->setup.riemann,
                              .listed = (int)w->setup.listed,
                              .limits = w->setup.positivity || !w->setup.published,
                              .positivity = w->setup.positivity,
                              .viscous = w->setup.viscosity > 0};
  for (int i = 0; i < 6; i++) k.wall[i / 2][i % 2] = (int)triad_compressible_wall_at(w, i / 2, i % 2);
  for (int i = 0; i < 3; i++) {
    k.local[i] = b->local[i];
    k.halo[i] = b->halo[i];
    k.stride[i] = b->stride[i];
    k.per_spacing[i] = w->per_spacing[i];
  }
  return k;
}

/* Which points are worked at when. */
static void divide(triad_compressible *w, struct triad_compressible_on_gpu *g)
{
  const triad_partition *b = &w->blocks;
  const int64_t margin[3] = {b->halo[0] > LANES ? b->halo[0] : LANES, b->halo[1], b->halo[2]};
  g->own = triad_box_own(b);
  g->near = triad_box_near(b);
  g->padded = triad_box_padded(b);
  g->inner = triad_box_inner(b, margin);
  int64_t worth = triad_gpu_halo_is_direct(g->halo) ? WORTH_SPLITTING_DIRECT : WORTH_SPLITTING;
  if (w->context->comm.size > 1 && triad_box_points(&g->inner) < worth) g->inner = (triad_box){{0}, {0}};
}

static int allocate_fields(triad_compressible *w, struct triad_compressible_on_gpu *g)
{
  const triad_partition *b = &w->blocks;
  int sets = triad_scheme_vectors(w->setup.scheme), primitives = 4 + g->kernel.viscous;
  int64_t step = spread(b);
  TRIAD_TRY(triad_device_alloc(g->device, "compressible fields", fields_of(&w->setup) * step, sizeof *g->memory,
                               (void **)&g->memory));
  TRIAD_TRY(triad_device_alloc(g->device, "compressible extremes", 5, sizeof *g->worst, (void **)&g->worst));
  TRIAD_TRY(triad_device_alloc(g->device, "compressible budgets",
                               b->local[1] * b->local[2] * TRIAD_COMPRESSIBLE_GPU_NUMBERS, sizeof *g->rows,
                               (void **)&g->rows));
  TRIAD_TRY(triad_device_alloc(g->device, "compressible budgets", 1, sizeof *g->count, (void **)&g->count));
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "sums of budgets",
                        triad_compressible_gpu_row_bytes(w) / (int64_t)sizeof *g->rows_here, &g->rows_here));
  TRIAD_TRY(triad_device_pin(g->device, g->rows_here, triad_compressible_gpu_row_bytes(w)));
  triad_real *at = g->memory;
  for (int s = 0; s < sets; s++)
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++, at += step) g->set[s][f] = at;
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++, at += step) g->kernel.rate[f] = at;
  for (int f = 0; f < primitives; f++, at += step) g->kernel.primitive[f] = at;
  return TRIAD_OK;
}

/* triad_state_copy of the state. */
static int copy_field(void *self, int f, triad_where to)
{
  const triad_compressible *w = self;
  int64_t bytes = w->blocks.volume * (int64_t)sizeof(triad_real);
  if (to == TRIAD_DEVICE) return triad_device_put(w->gpu->device, w->gpu->set[0][f], w->u[f], bytes);
  return triad_device_get(w->gpu->device, w->u[f], w->gpu->set[0][f], bytes);
}

int triad_compressible_gpu_make(triad_compressible *w, triad_device *device, const char *transport)
{
  struct triad_compressible_on_gpu *g = w->gpu = calloc(1, sizeof *g);
  int st = g ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the compressible solver on a GPU");
  if (g) {
    w->loops = &triad_compressible_gpu_loops;
    g->device = device;
    g->kernel = kernel_of(w);
    st = allocate_fields(w, g);
  }
  TRIAD_TRY(triad_agree(&w->context->comm, st));
  TRIAD_TRY(triad_gpu_halo_create_of(&g->halo, w->context, device, &w->blocks, triad_compressible_halo(&w->setup),
                                     TRIAD_COMPRESSIBLE_FIELDS, triad_compressible_reach(&w->setup), transport));
  divide(w, g);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) triad_state_attach(w->state, f, TRIAD_DEVICE, g->set[0][f]);
  triad_state_set_copy(w->state, copy_field, w);
  return TRIAD_OK;
}

void triad_compressible_gpu_drop(triad_compressible *w)
{
  struct triad_compressible_on_gpu *g = w->gpu;
  if (!g) return;
  triad_gpu_halo_destroy(&g->halo);
  triad_gpu_gather_drop(&g->points);
  triad_device_unpin(g->device, g->rows_here, triad_compressible_gpu_row_bytes(w));
  TRIAD_FREE(w->context->memory, &g->rows_here);
  triad_device_free(g->device, (void **)&g->memory);
  triad_device_free(g->device, (void **)&g->worst);
  triad_device_free(g->device, (void **)&g->rows);
  triad_device_free(g->device, (void **)&g->count);
  free(g);
  w->gpu = NULL;
}

/* The same points of each field, which are told at the first call. */
static int list_points(triad_compressible *w, int64_t n, const int64_t *at)
{
  int64_t first[TRIAD_COMPRESSIBLE_FIELDS + 1],
    *all = malloc((size_t)(n * TRIAD_COMPRESSIBLE_FIELDS + 1) * sizeof *all);
  if (!all) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld points", (long long)n);
  for (int f = 0; f <= TRIAD_COMPRESSIBLE_FIELDS; f++) first[f] = f * n;
  for (int64_t i = 0; i < n * TRIAD_COMPRESSIBLE_FIELDS; i++) all[i] = triad_compressible_own_point(w, at[i % n]);
  int st = triad_gpu_gather_places(&w->gpu->points, w->gpu->device, TRIAD_COMPRESSIBLE_FIELDS, first, all);
  free(all);
  return st;
}

int triad_compressible_gpu_conserved_at(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out)
{
  struct triad_compressible_on_gpu *g = w->gpu;
  const triad_real *brought = NULL;
  TRIAD_TRY(triad_state_read_all(w->state, TRIAD_DEVICE));
  if (!g->points.device) TRIAD_TRY(list_points(w, n, at));
  TRIAD_TRY(triad_gpu_gather_bring(&g->points, g->set[0], &brought));
  if (n > 0) memcpy(out, brought, (size_t)(n * TRIAD_COMPRESSIBLE_FIELDS) * sizeof *out);
  return TRIAD_OK;
}
