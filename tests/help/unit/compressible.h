/* What tests of the compressible solver share: a flow from a setup and a start, steps, errors against exact
 * solutions. */
#ifndef TRIAD_TESTS_UNIT_WENO_H
#define TRIAD_TESTS_UNIT_WENO_H

#include "test.h"

#include "solvers/compressible/case/initial.h"
#include "solvers/compressible/state/compressible.h"

typedef struct test_gas {
  triad_compressible *w;
  triad_partition blocks;
  triad_compressible_setup setup;
  triad_compressible_start start;
} test_gas;

static inline triad_compressible_setup test_gas_setup(int64_t nx, int64_t ny, int64_t nz, double lx, double ly,
                                                      double lz)
{
  triad_compressible_setup s;
  triad_compressible_setup_init(&s, (const int64_t[3]){nx, ny, nz}, (const double[3]){lx, ly, lz});
  return s;
}

/* The published scheme's variables, entropy fix and epsilon, without a limiter. */
static inline void test_gas_published(triad_compressible_setup *s)
{
  s->published = 1;
  s->variables = TRIAD_COMPRESSIBLE_COMPONENTS;
  s->entropy_fix = 1e-6;
}

static inline void test_gas_sides(triad_compressible_setup *s, int axis, triad_compressible_side_kind kind)
{
  s->side[axis][0].kind = s->side[axis][1].kind = kind;
}

static inline triad_compressible_start test_gas_start(const char *kind)
{
  triad_compressible_start s = {.amplitude = 1,
                                .mach = 1,
                                .radius = 0.1,
                                .pressure_ratio = 100,
                                .state = {1, 0, 0, 0, 1},
                                .wavenumber = 1,
                                .seed = 1};
  (void)snprintf(s.kind, sizeof s.kind, "%s", kind);
  return s;
}

/* On the ranks of `context`, blocks as `wanted` (NULL: chosen). Collective. */
static inline test_gas test_gas_make(triad_context *context, const triad_compressible_setup *setup,
                                     const triad_compressible_start *start, const int wanted[3])
{
  test_gas g = {.setup = *setup, .start = *start};
  int periodic[3];
  triad_compressible_periodic(setup, periodic);
  TRIAD_CHECK(triad_partition_init(&g.blocks, setup->n, periodic, triad_compressible_halo(setup), context->comm.rank,
                                   context->comm.size, wanted));
  TRIAD_CHECK(triad_compressible_create(&g.w, context, &g.blocks, setup, NULL, NULL));
  TRIAD_CHECK(triad_compressible_start_set(g.w, start, NULL, 0));
  TRIAD_CHECK(triad_compressible_begin(g.w, 0));
  return g;
}

static inline void test_gas_free(test_gas *g) { triad_compressible_destroy(&g->w); }

/* The largest difference of a primitive field of two gases with these blocks, over the largest value of all. */
static inline double test_gas_apart(triad_compressible *a, triad_compressible *b, const triad_partition *blocks)
{
  const int64_t n = triad_partition_points(blocks);
  double mine[2] = {0, 0}, all[2];
  triad_real *of_a = malloc((size_t)(n + 1) * sizeof *of_a), *of_b = malloc((size_t)(n + 1) * sizeof *of_b);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) {
    TRIAD_CHECK(triad_compressible_get(a, f, of_a));
    TRIAD_CHECK(triad_compressible_get(b, f, of_b));
    for (int64_t i = 0; i < n; i++) {
      const double difference = fabs((double)(of_a[i] - of_b[i]));
      mine[0] = fmax(mine[0], isfinite(difference) ? difference : INFINITY);
      mine[1] = fmax(mine[1], fabs((double)of_a[i]));
    }
  }
  free(of_a);
  free(of_b);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  return all[0] / all[1];
}

static inline triad_context *test_gas_together(void) { return triad_test_now.context; }

/* Steps of dt until `end`, which is a whole number of them. */
static inline void test_gas_run(test_gas *g, double dt, double end)
{
  int64_t steps = (int64_t)llround(end / dt);
  for (int64_t i = 0; i < steps; i++) TRIAD_CHECK(triad_compressible_advance(g->w, i + 1, end / (double)steps));
}

/* Where an own point lies. */
static inline void test_gas_position(const test_gas *g, int64_t x, int64_t y, int64_t z, double at[3])
{
  const int64_t own[3] = {x, y, z};
  for (int i = 0; i < 3; i++) at[i] = triad_compressible_position(&g->setup, i, g->blocks.begin[i] + own[i]);
}

/* rho, u, v, w and p at a place. */
typedef void (*test_gas_value)(const double x[3], const void *what, double q[5]);

/* Sets every own point, at step 0. */
static inline void test_gas_set(test_gas *g, test_gas_value value, const void *what)
{
  const triad_partition *b = &g->blocks;
  triad_real *const *u = triad_compressible_fields(g->w);
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        double at[3], q[5];
        test_gas_position(g, x, y, z, at);
        value(at, what, q);
        int64_t i = triad_partition_at(b, x, y, z);
        u[0][i] = (triad_real)q[0];
        for (int k = 1; k < 4; k++) u[k][i] = (triad_real)(q[0] * q[k]);
        u[4][i] = (triad_real)(q[4] / (g->setup.gamma - 1) + q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / 2);
      }
  TRIAD_CHECK(triad_compressible_begin(g->w, 0));
}

typedef double (*test_gas_exact)(const double x[3], const void *what);

/* Mean over all points of |rho - exact|^power, to the power 1/power. Collective. */
static inline double test_gas_error(const test_gas *g, test_gas_exact exact, const void *what, int power)
{
  const triad_partition *b = &g->blocks;
  double mine = 0, all = 0, n = (double)(b->n[0] * b->n[1] * b->n[2]);
  triad_real *const *u = triad_compressible_fields(g->w);
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        double at[3];
        test_gas_position(g, x, y, z, at);
        double e = fabs((double)u[0][triad_partition_at(b, x, y, z)] - exact(at, what));
        mine += power == 1 ? e : e * e;
      }
  (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, g->w ? triad_test_comm()->mpi : MPI_COMM_SELF);
  return power == 1 ? all / n : sqrt(all / n);
}

/* rho, u, v, w, p of a point. */
typedef void (*test_gas_point)(const double x[3], double q[5]);

static inline void test_gas_at(const double x[3], const void *f, double q[5]) { (*(const test_gas_point *)f)(x, q); }

static inline test_gas test_gas_of(const triad_compressible_setup *s, test_gas_point f)
{
  triad_compressible_start start = test_gas_start("uniform");
  test_gas g = test_gas_make(test_gas_together(), s, &start, NULL);
  test_gas_set(&g, test_gas_at, &f);
  return g;
}

/* A smooth flow of period 2 pi. */
static inline void test_gas_smooth(const double x[3], double q[5])
{
  q[0] = 1 + 0.2 * sin(x[0] + 0.3) * cos(x[1]) + 0.1 * sin(x[2] - x[0]);
  q[1] = 0.5 * cos(x[1] + x[2]) + 0.2 * sin(x[0]);
  q[2] = 0.4 * sin(x[0] - 2 * x[2]) + 0.1 * cos(x[1]) + 0.2;
  q[3] = 0.3 * cos(x[0] + x[1] + 0.5) - 0.2 * sin(x[2]);
  q[4] = 0.7 + 0.1 * cos(x[0]) * sin(x[1] + x[2]) + 0.05 * cos(x[0]);
}

/* Of the numbers of a look. */
static inline int test_gas_column(const char *name)
{
  int n;
  const triad_column_info *c = triad_compressible_columns(&n);
  for (int i = 0; i < n; i++)
    if (strcmp(c[i].name, name) == 0) return i;
  fail_msg("no column is called %s", name);
  return -1;
}

#endif
