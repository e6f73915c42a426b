/* Allocate the fields and tables of the staggered solver in GPU memory, copy states, and update the lengths of a
 * strained box. */
#include "solvers/staggered/gpu/gpu_fields.h"
#include "solvers/staggered/gpu/gpu_boundary.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_windows.h"
#include "solvers/staggered/gpu/gpu_transform.h"
#include "solvers/staggered/gpu/gpu_implicit.h"
#include "solvers/staggered/gpu/gpu_outflow.h"
#include "solvers/staggered/gpu/gpu_regions.h"

#include <stdlib.h>

static int64_t fields_of(const triad_staggered_setup *s)
{
  return (s->thermal.on ? 4 : 3) * TRIAD_STAGGERED_VECTORS + 1;
}

int64_t triad_staggered_gpu_bytes(const triad_partition *b, const triad_staggered_setup *setup)
{
  int64_t real = (int64_t)sizeof(triad_real);
  int64_t fields = fields_of(setup) + (setup->implicit ? TRIAD_STAGGERED_GPU_IMPLICIT : 0);
  const triad_partition vectors = triad_partition_divided(b, b->rank);
  int64_t halos = triad_gpu_halo_needs(b, 1, 3, TRIAD_HALO_EDGES) + triad_gpu_halo_needs(b, 1, 1, TRIAD_HALO_FACES) +
                  triad_gpu_halo_needs(&vectors, 1, 1, TRIAD_HALO_FACES);
  return fields * real * b->volume + b->volume + halos + triad_staggered_gpu_outflow_bytes(b, setup) +
         triad_staggered_gpu_solver_bytes(b, setup);
}

static int allocate_fields(triad_staggered_flow *f, struct triad_staggered_on_gpu *g)
{
  int64_t n = f->blocks.volume;
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS; v++)
    for (int a = 0; a < 3; a++)
      TRIAD_TRY(triad_device_alloc(g->device, v ? "stages" : "state", n, sizeof(triad_real), (void **)&g->u[v][a]));
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS && f->setup.thermal.on; v++)
    TRIAD_TRY(triad_device_alloc(g->device, v ? "stages" : "state", n, sizeof(triad_real), (void **)&g->heat[v]));
  TRIAD_TRY(triad_device_alloc(g->device, "state", n, sizeof(triad_real), (void **)&g->p));
  TRIAD_TRY(triad_staggered_gpu_implicit_make(f));
  TRIAD_TRY(triad_staggered_gpu_outflow_make(f));
  return triad_device_alloc(g->device, "open faces", n, 1, (void **)&g->open);
}

static int64_t numbers_of_sizes(const triad_staggered_flow *f)
{
  int64_t all = 0;
  for (int i = 0; i < 3; i++) all += 4 * (f->blocks.local[i] + 2);
  return all;
}

/* Sizes of cells as the mesh has them, at places on the GPU. */
static int copy_sizes(triad_staggered_flow *f, struct triad_staggered_on_gpu *g)
{
  const triad_staggered_mesh *m = f->mesh;
  triad_staggered_sizes *s = &g->kernel.sizes;
  TRIAD_TRY(triad_device_table(g->device, "sizes of cells", numbers_of_sizes(f), sizeof(triad_real), m->memory,
                               (void **)&g->sizes));
  for (int i = 0; i < 3; i++) {
    s->step[i] = m->sizes.step[i];
    s->h[i] = g->sizes + (m->sizes.h[i] - m->memory);
    s->d[i] = g->sizes + (m->sizes.d[i] - m->memory);
    s->per_h[i] = g->sizes + (m->sizes.per_h[i] - m->memory);
    s->per_d[i] = g->sizes + (m->sizes.per_d[i] - m->memory);
  }
  s->open = g->open;
  for (int i = 0; i < 3; i++)
    TRIAD_TRY(triad_device_table(g->device, "sizes of cells", f->setup.n[i] + 1, sizeof(double), m->face[i],
                                 (void **)&g->faces[i]));
  return TRIAD_OK;
}

/* Kernels find their way by 32 bits. */
static int check_volume(const triad_staggered_flow *f)
{
  if (f->blocks.volume <= INT32_MAX) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%.3g cells per GPU exceed 2^31: use more ranks, or parallel.device = \"cpu\"",
                    (double)f->blocks.volume);
}

static int prepare(triad_staggered_flow *f)
{
  struct triad_staggered_on_gpu *g = f->gpu = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the staggered solver on a GPU");
  g->device = f->device;
  g->kernel.origin = f->blocks.origin;
  for (int i = 0; i < 3; i++) {
    g->kernel.local[i] = f->blocks.local[i];
    g->kernel.halo[i] = f->blocks.halo[i];
    g->kernel.stride[i] = f->blocks.stride[i];
  }
  TRIAD_TRY(check_volume(f));
  TRIAD_TRY(allocate_fields(f, g));
  return copy_sizes(f, g);
}

/* triad_state_copy of the state: halos too. */
static int copy_field(void *self, int field, triad_where to)
{
  const triad_staggered_flow *f = self;
  const int heat = field == TRIAD_STAGGERED_HEAT;
  triad_real *host = field < 3 ? f->u[0][field] : heat ? f->heat[0] : f->p;
  triad_real *there = field < 3 ? f->gpu->u[0][field] : heat ? f->gpu->heat[0] : f->gpu->p;
  int64_t bytes = f->blocks.volume * (int64_t)sizeof(triad_real);
  if (to == TRIAD_DEVICE) return triad_device_put(f->device, there, host, bytes);
  return triad_device_get(f->device, host, there, bytes);
}

int triad_staggered_gpu_make(triad_staggered_flow *f, const char *run_dir)
{
  const char *transport = triad_case_word(f->given, "parallel.transport");
  const triad_partition vectors = triad_partition_divided(&f->blocks, f->blocks.rank);
  const char *word = triad_staggered_gpu_carrier(transport);
  (void)run_dir; /* cuFFT stores no plans */
  TRIAD_TRY(triad_agree(&f->context->comm, prepare(f)));
  struct triad_staggered_on_gpu *g = f->gpu;
  TRIAD_TRY(triad_gpu_halo_create_of(&g->velocities, f->context, f->device, &f->blocks, 1, 3, TRIAD_HALO_EDGES, word));
  TRIAD_TRY(triad_gpu_halo_create_of(&g->cells, f->context, f->device, &f->blocks, 1, 1, TRIAD_HALO_FACES, word));
  if (f->blocks.size > 1)
    TRIAD_TRY(triad_gpu_halo_create_of(&g->vectors, f->context, f->device, &vectors, 1, 1, TRIAD_HALO_FACES, word));
  TRIAD_TRY(triad_staggered_gpu_windows_make(f, transport));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_solver_make(f)));
  if (f->setup.pressure >= TRIAD_STAGGERED_CG_TRANSFORM)
    TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_transform_create(&g->solver.transform, f)));
  for (int i = 0; i < triad_staggered_fields_of(&f->setup); i++)
    triad_state_attach(f->state, i, TRIAD_DEVICE, i < 3 ? g->u[0][i] : i == TRIAD_STAGGERED_HEAT ? g->heat[0] : g->p);
  triad_state_set_copy(f->state, copy_field, f);
  return TRIAD_OK;
}

void triad_staggered_gpu_drop(triad_staggered_flow *f)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  if (!g) return;
  triad_staggered_gpu_solver_drop(f);
  triad_staggered_gpu_implicit_drop(f);
  triad_staggered_gpu_outflow_drop(f);
  triad_staggered_gpu_regions_drop(f);
  triad_device_free(g->device, (void **)&g->sums);
  free(g->sums_here);
  triad_gpu_gather_drop(&g->entries);
  triad_gpu_halo_destroy(&g->velocities);
  triad_gpu_halo_destroy(&g->cells);
  triad_gpu_halo_destroy(&g->vectors);
  for (int v = 0; v < TRIAD_STAGGERED_VECTORS; v++) {
    triad_device_free(g->device, (void **)&g->heat[v]);
    for (int a = 0; a < 3; a++) triad_device_free(g->device, (void **)&g->u[v][a]);
  }
  triad_device_free(g->device, (void **)&g->p);
  triad_device_free(g->device, (void **)&g->open);
  triad_device_free(g->device, (void **)&g->sizes);
  for (int i = 0; i < 3; i++) triad_device_free(g->device, (void **)&g->faces[i]);
  free(g);
  f->gpu = NULL;
}

int triad_staggered_gpu_renew(triad_staggered_flow *f)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  g->kernel.solids = f->mesh->solids;
  int st = triad_device_put(g->device, g->open, f->mesh->open, f->blocks.volume);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  return triad_staggered_gpu_solver_renew(f);
}

int triad_staggered_gpu_resize(triad_staggered_flow *f, const double before[3])
{
  struct triad_staggered_on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  int live[2] = {0, g->live};
  TRIAD_TRY(triad_device_put(g->device, g->sizes, f->mesh->memory, numbers_of_sizes(f) * (int64_t)sizeof(triad_real)));
  for (int i = 0; i < 3; i++)
    TRIAD_TRY(
      triad_device_put(g->device, g->faces[i], f->mesh->face[i], (f->setup.n[i] + 1) * (int64_t)sizeof(double)));
  for (int v = 0; before && v < (g->live > 0 ? 2 : 1); v++)
    for (int a = 0; a < 3; a++)
      TRIAD_TRY(triad_staggered_gpu_combine(f->blocks.volume, before[a] / f->setup.length[a], g->u[live[v]][a], NULL,
                                            g->u[live[v]][a], stream));
  return triad_staggered_gpu_solver_resize(f);
}

/* What they take is had when they are first asked for. */
int triad_staggered_gpu_sum_planes(triad_staggered_flow *f, int axis, const double **planes)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  const int64_t *local = f->blocks.local, sums = triad_staggered_profile_sums(&f->setup), n = sums * local[axis];
  int64_t longest = local[0];
  for (int i = 1; i < 3; i++) longest = local[i] > longest ? local[i] : longest;
  const int64_t room = sums * longest;
  int st = triad_state_read_all(f->state, TRIAD_DEVICE);
  if (st == TRIAD_OK && !g->sums)
    st = triad_device_alloc(f->device, "profiles", room, sizeof *g->sums, (void **)&g->sums);
  if (st == TRIAD_OK && !g->sums_here && !(g->sums_here = calloc((size_t)room, sizeof *g->sums_here)))
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles");
  if (st == TRIAD_OK)
    st =
      triad_staggered_gpu_planes(&g->kernel, axis, g->u[0], g->p, g->heat[0], g->sums, triad_device_stream(f->device));
  if (st == TRIAD_OK) st = triad_device_get(f->device, g->sums_here, g->sums, n * (int64_t)sizeof *g->sums);
  *planes = g->sums_here;
  return triad_agree(&f->context->comm, st);
}

void triad_staggered_gpu_fill_cells(const triad_staggered_flow *f, triad_real *p)
{
  triad_real *const fields[1] = {p};
  void *stream = triad_device_stream(f->device);
  triad_gpu_halo_begin(f->gpu->cells, fields, 1, stream);
  triad_gpu_halo_end(f->gpu->cells, stream);
}
