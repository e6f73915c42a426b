/* Vectors of the pressure solver on a GPU: their memory, the order of their cells, and the matrix (gpu_internal.h). */
#include "solvers/staggered/gpu/gpu_boundary.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_windows.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/gpu/gpu_transform.h"
#include "solvers/staggered/gpu/gpu_regions.h"
#include "solvers/staggered/plain/rows.h"

#include <string.h>

/* ---- memory ---- */

int64_t triad_staggered_gpu_vector_size(const triad_partition *b) { return triad_partition_divided(b, b->rank).volume; }

static int is_uniform(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1 && s->stretch[i] > 0) return 0;
  return 1;
}

static int64_t table_size(const triad_partition *b, const triad_staggered_setup *s)
{
  return is_uniform(s) ? TRIAD_STAGGERED_ALL_OPEN + 1 : triad_staggered_gpu_vector_size(b);
}

/* With directions on all cells. */
static int iterates(const triad_staggered_setup *s) { return s->pressure < TRIAD_STAGGERED_CG_TRANSFORM; }

static int has_surface(const triad_staggered_setup *s) { return s->pressure == TRIAD_STAGGERED_CG_TRANSFORM; }

static int has_transform(const triad_staggered_setup *s) { return s->pressure >= TRIAD_STAGGERED_CG_TRANSFORM; }

int64_t triad_staggered_gpu_solver_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  int64_t real = (int64_t)sizeof(triad_real);
  int64_t vectors = 3 + 2 * iterates(s) + (s->pressure != TRIAD_STAGGERED_CG) + has_surface(s);
  int64_t partial = triad_staggered_gpu_blocks(b->local) * TRIAD_STAGGERED_GPU_SUMS * (int64_t)sizeof(double);
  int64_t n = triad_staggered_gpu_vector_size(b);
  return (vectors * n + table_size(b, s)) * real + n + partial + triad_staggered_gpu_windows_bytes(b, s) +
         (has_transform(s) ? triad_staggered_gpu_transform_bytes(b, s) : 0);
}

static int allocate_vectors(triad_staggered_gpu_solver *s, triad_device *device, const triad_partition *b,
                            const triad_staggered_setup *setup)
{
  int64_t n = triad_staggered_gpu_vector_size(b);
  struct {
    triad_real **at;
    int needed;
  } vector[] = {{&s->b, 1},
                {&s->x, 1},
                {&s->r, 1},
                {&s->z, setup->pressure != TRIAD_STAGGERED_CG},
                {&s->surface.charges, has_surface(setup)},
                {&s->d[0], iterates(setup)},
                {&s->d[1], iterates(setup)}};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (vector[i].needed && !*vector[i].at) /* r and z may lie where others see them */
      TRIAD_TRY(triad_device_alloc(device, "pressure", n, sizeof(triad_real), (void **)vector[i].at));
  TRIAD_TRY(
    triad_device_alloc(device, "pressure's diagonal", table_size(b, setup), sizeof(triad_real), (void **)&s->table));
  return triad_device_alloc(device, "open faces", n, 1, (void **)&s->open);
}

/* Set the memory layout of a vector, and its neighbours. */
static void lay_out(triad_staggered_gpu_cells *c, const triad_partition *blocks)
{
  const triad_partition b = triad_partition_divided(blocks, blocks->rank);
  c->origin = (int)b.origin;
  for (int i = 0; i < 3; i++) {
    const int closes = b.dims[i] == 1 && b.n[i] > 1 && blocks->periodic[i];
    c->local[i] = (int)b.local[i];
    c->stride[i] = (int)b.stride[i];
    c->below[i] = closes ? (int)(b.n[i] - 1) * c->stride[i] : 0;
    c->above[i] = -c->below[i];
    if (b.neighbour[i][0] != TRIAD_NO_NEIGHBOUR) c->below[i] = -c->stride[i];
    if (b.neighbour[i][1] != TRIAD_NO_NEIGHBOUR) c->above[i] = c->stride[i];
  }
}

int triad_staggered_gpu_solver_make(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(allocate_vectors(s, f->device, &f->blocks, &f->setup));
  TRIAD_TRY(triad_staggered_gpu_sums_make(f));
  lay_out(&s->cells, &f->blocks);
  s->cells.others = triad_staggered_gpu_windows_others(f);
  s->cells.sizes = f->gpu->kernel.sizes;
  s->cells.sizes.open = s->open;
  s->cells.table = s->table;
  return TRIAD_OK;
}

void triad_staggered_gpu_solver_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_real **vector[] = {&s->b, &s->x, &s->r, &s->z, &s->d[0], &s->d[1], &s->surface.charges, &s->table};
  triad_staggered_gpu_transform_destroy(&s->transform);
  triad_staggered_gpu_surface_drop(f);
  triad_staggered_gpu_windows_drop(f);
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) triad_device_free(f->device, (void **)vector[i]);
  triad_device_free(f->device, (void **)&s->open);
  triad_staggered_gpu_sums_drop(f);
}

/* ---- the matrix ---- */

/* Three coefficients, and 1/diagonal by which faces are open. */
static int put_uniform(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  const triad_staggered_setup *setup = &f->setup;
  triad_real table[TRIAD_STAGGERED_ALL_OPEN + 1];
  double h[3], volume = 1;
  for (int i = 0; i < 3; i++) volume *= h[i] = setup->length[i] / (double)setup->n[i];
  for (int i = 0; i < 3; i++) s->cells.side[i] = (triad_real)(setup->n[i] > 1 ? volume / (h[i] * h[i]) : 0);
  for (int bits = 0; bits <= TRIAD_STAGGERED_ALL_OPEN; bits++) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += (bits >> i & 1) * (double)s->cells.side[i / 2];
    table[bits] = (triad_real)(sum > 0 ? 1 / sum : 1);
  }
  s->cells.kind = f->mesh->closed ? TRIAD_STAGGERED_GPU_BITS : TRIAD_STAGGERED_GPU_OPEN;
  s->cells.per_diagonal = table[TRIAD_STAGGERED_ALL_OPEN];
  return triad_device_put(f->device, s->table, table, (int64_t)sizeof table);
}

/* A vector, [z][y][x] with the halos that it has, from a field with all. */
static void pack(const triad_partition *b, size_t size, const void *field, void *packed)
{
  const triad_partition v = triad_partition_divided(b, b->rank);
  size_t row = (size_t)v.stride[1] * size;
  char *to = packed;
  for (int64_t z = -v.halo[2]; z < v.local[2] + v.halo[2]; z++)
    for (int64_t y = -v.halo[1]; y < v.local[1] + v.halo[1]; y++, to += row)
      memcpy(to, (const char *)field + (size_t)triad_partition_at(b, -v.halo[0], y, z) * size, row);
}

int triad_staggered_gpu_put_vector(triad_staggered_flow *f, size_t size, const void *field, void *there)
{
  const triad_partition *b = &f->blocks;
  char *packed = NULL;
  int64_t bytes = triad_staggered_gpu_vector_size(b) * (int64_t)size;
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "a vector for the GPU", bytes, &packed));
  pack(b, size, field, packed);
  int st = triad_device_put(f->device, there, packed, bytes);
  TRIAD_FREE(f->context->memory, &packed);
  return st;
}

/* 1/diagonal of each cell. */
static int put_general(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  s->cells.kind = TRIAD_STAGGERED_GPU_GENERAL;
  TRIAD_TRY(triad_staggered_gpu_diagonal(&s->cells, s->table, triad_device_stream(f->device)));
  triad_staggered_gpu_fill_vector(f, s->table);
  return TRIAD_OK;
}

void triad_staggered_gpu_fill_vector(const triad_staggered_flow *f, triad_real *vector)
{
  triad_real *const fields[1] = {vector};
  void *stream = triad_device_stream(f->device);
  if (!f->gpu->vectors) return;
  triad_gpu_halo_begin(f->gpu->vectors, fields, 1, stream);
  triad_gpu_halo_end(f->gpu->vectors, stream);
}

int triad_staggered_gpu_solver_resize(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(is_uniform(&f->setup) ? put_uniform(f) : put_general(f));
  triad_staggered_gpu_parts_make(f);
  return s->transform ? triad_staggered_gpu_transform_renew(s->transform, &f->setup) : TRIAD_OK;
}

static void fluid_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  int64_t first = triad_partition_at(&f->blocks, 0, y, z);
  for (int64_t x = 0; x < f->blocks.local[0]; x++) results[0] += !(f->mesh->open[first + x] & TRIAD_STAGGERED_SOLID);
}

int triad_staggered_gpu_solver_renew(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_put_vector(f, 1, f->mesh->open, s->open)));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_solver_resize(f)));
  TRIAD_TRY(triad_staggered_gpu_regions_renew(f));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_staggered_gpu_surface_renew(f)));
  return triad_staggered_rows(f->mesh, fluid_row, f, 1, 0, &s->fluid);
}
