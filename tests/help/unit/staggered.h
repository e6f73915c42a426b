/* What tests of the staggered solver share: a mesh with two velocities and a scalar, random fields on any ranks
 * alike. */
#ifndef TRIAD_TESTS_UNIT_STAGGERED_H
#define TRIAD_TESTS_UNIT_STAGGERED_H

#include "test.h"

#include "solvers/staggered/host/momentum.h"

typedef struct test_staggered {
  triad_partition blocks;
  triad_staggered_mesh *mesh;
  triad_real *u[3], *v[3], *p, *b;
} test_staggered;

static inline triad_staggered_setup test_staggered_setup(int64_t nx, int64_t ny, int64_t nz, double lx, double ly,
                                                         double lz)
{
  triad_staggered_setup s;
  triad_staggered_setup_init(&s, (const int64_t[3]){nx, ny, nz}, (const double[3]){lx, ly, lz});
  return s;
}

/* solids: two cubes of two and three cells, one across the periodic boundary. wanted: blocks along each axis, NULL:
 * any. Collective. */
static inline test_staggered test_staggered_make_of(const triad_staggered_setup *setup, int solids, const int wanted[3])
{
  triad_context *context = triad_test_now.context;
  test_staggered t = {.mesh = NULL};
  TRIAD_CHECK(triad_staggered_blocks(setup, wanted, context->comm.rank, context->comm.size, &t.blocks));
  const triad_partition *b = &t.blocks;
  uint8_t *solid = calloc((size_t)triad_partition_points(b), 1);
  for (int64_t z = 0, i = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++, i++) {
        int64_t g[3] = {b->begin[0] + x, b->begin[1] + y, b->begin[2] + z};
        int one = g[0] >= 3 && g[0] < 5 && g[1] >= 3 && g[1] < 5 && g[2] >= 2 && g[2] < 4;
        int two = (g[0] >= 11 || g[0] < 2) && g[1] >= 5 && g[1] < 8 && g[2] >= 5 && g[2] < 8;
        solid[i] = (uint8_t)(one || two);
      }
  TRIAD_CHECK(triad_staggered_mesh_create(&t.mesh, context, setup, b, solids ? solid : NULL));
  free(solid);
  for (int a = 0; a < 3; a++) {
    TRIAD_CHECK(TRIAD_ALLOC(context->memory, "test", b->volume, &t.u[a]));
    TRIAD_CHECK(TRIAD_ALLOC(context->memory, "test", b->volume, &t.v[a]));
  }
  TRIAD_CHECK(TRIAD_ALLOC(context->memory, "test", b->volume, &t.p));
  TRIAD_CHECK(TRIAD_ALLOC(context->memory, "test", b->volume, &t.b));
  return t;
}

static inline test_staggered test_staggered_make(const triad_staggered_setup *setup, int solids)
{
  return test_staggered_make_of(setup, solids, NULL);
}

static inline void test_staggered_free(test_staggered *t)
{
  triad_memory *memory = triad_test_now.context->memory;
  for (int a = 0; a < 3; a++) {
    TRIAD_FREE(memory, &t->u[a]);
    TRIAD_FREE(memory, &t->v[a]);
  }
  TRIAD_FREE(memory, &t->p);
  TRIAD_FREE(memory, &t->b);
  triad_staggered_mesh_destroy(&t->mesh);
}

/* Random numbers in [-1, 1) in own cells, the same on any ranks. */
static inline void test_staggered_random(const test_staggered *t, triad_real *f, uint64_t stream)
{
  const triad_partition *b = &t->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        int64_t global = ((b->begin[2] + z) * b->n[1] + b->begin[1] + y) * b->n[0] + b->begin[0] + x;
        f[triad_partition_at(b, x, y, z)] = (triad_real)triad_test_random(stream, (uint64_t)global);
      }
}

/* Around an edge at c, along a, there is neither a boundary nor a solid: fluid may turn about it. */
static inline int test_staggered_free_edge(const test_staggered *t, int a, int64_t at)
{
  const triad_staggered_sizes *s = &t->mesh->sizes;
  int b = (a + 1) % 3, d = (a + 2) % 3;
  return (s->open[at] & TRIAD_STAGGERED_LOWER(b)) && (s->open[at] & TRIAD_STAGGERED_LOWER(d)) &&
         (s->open[at - s->step[d]] & TRIAD_STAGGERED_LOWER(b)) && (s->open[at - s->step[b]] & TRIAD_STAGGERED_LOWER(d));
}

/* u = curl of random numbers on edges, 0 on those that touch a boundary or a solid; halos filled. Circulations
 * around the sides of a face make its flux, so what goes into a cell goes out to rounding. Collective. */
static inline void test_staggered_solenoidal(test_staggered *t, triad_real *const u[3])
{
  const triad_partition *b = &t->blocks;
  const triad_staggered_sizes *s = &t->mesh->sizes;
  triad_real *edge[3] = {NULL, NULL, NULL};
  for (int a = 0; a < 3; a++) {
    TRIAD_CHECK(TRIAD_ALLOC(triad_test_now.context->memory, "test", b->volume, &edge[a]));
    test_staggered_random(t, edge[a], 10 + (uint64_t)a);
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          int64_t at = triad_partition_at(b, x, y, z);
          if (!test_staggered_free_edge(t, a, at)) edge[a][at] = 0;
          edge[a][at] *= t->mesh->sizes.h[a][(const int64_t[3]){x, y, z}[a]];
        }
  }
  triad_halo_exchange(t->mesh->velocities, edge, 3);
  for (int a = 0; a < 3; a++) {
    int c1 = (a + 1) % 3, c2 = (a + 2) % 3;
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          const int64_t at = triad_partition_at(b, x, y, z), c[3] = {x, y, z};
          u[a][at] = (edge[c2][at + s->step[c1]] - edge[c2][at] - edge[c1][at + s->step[c2]] + edge[c1][at]) *
                     s->per_h[c1][c[c1]] * s->per_h[c2][c[c2]];
        }
  }
  for (int a = 0; a < 3; a++) TRIAD_FREE(triad_test_now.context->memory, &edge[a]);
  triad_staggered_fill(t->mesh, u);
}

#endif
