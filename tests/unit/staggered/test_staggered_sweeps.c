/* The sweeps of conjugate gradients: their products against plain sums, on any blocks; the same bits whether
 * messages travel while rows are worked on or not. TRIAD_TEST_CELLS="64 128" prints what an iteration takes both
 * ways, and what of a processor.
 *   ranks: 1 2 4   threads: 1 2 */
#include "staggered.h"
#include "solvers/staggered/points/staggered_points.h"
#include "solvers/staggered/plain/rows.h"

#include "base/clock.h"
#include "solvers/staggered/pressure/sweeps.h"

#include <stdio.h>
#include <time.h>

/* The matrix times f in a cell, whose neighbours hold what they should. */
static double matrix_times(const test_staggered *t, const triad_real *f, const int64_t c[3])
{
  const triad_staggered_sizes *s = &t->mesh->sizes;
  const triad_staggered_row row = triad_staggered_row_of(s, c[1], c[2]);
  int64_t at = triad_partition_at(&t->blocks, c[0], c[1], c[2]);
  triad_real side[6];
  triad_staggered_sides(1, s, &row, at, c[0], side);
  return (double)triad_staggered_matrix(s, side, f, at);
}

typedef struct sum_of {
  const test_staggered *t;
  const triad_real *left, *f;
} sum_of;

static void times_matrix(void *self, int64_t y, int64_t z, double *results)
{
  const sum_of *s = self;
  for (int64_t x = 0; x < s->t->blocks.local[0]; x++)
    results[0] += (double)s->left[triad_partition_at(&s->t->blocks, x, y, z)] *
                  matrix_times(s->t, s->f, (const int64_t[3]){x, y, z});
}

static void times(void *self, int64_t y, int64_t z, double *results)
{
  const sum_of *s = self;
  int64_t first = triad_partition_at(&s->t->blocks, 0, y, z);
  for (int64_t x = 0; x < s->t->blocks.local[0]; x++)
    results[0] += (double)s->left[first + x] * (double)s->f[first + x];
}

static double product(const test_staggered *t, triad_staggered_row_job *job, const triad_real *left,
                      const triad_real *f)
{
  sum_of s = {t, left, f};
  double result;
  TRIAD_CHECK(triad_staggered_rows(t->mesh, job, &s, 1, 0, &result));
  return result;
}

/* d, from r = b and beta = 0, is z. Sums of some thousand terms: 1e-12 of them. */
static void products(const triad_staggered_setup *setup, int solids, const int wanted[3])
{
  test_staggered t = test_staggered_make_of(setup, solids, wanted);
  triad_staggered_sweeps s;
  double found[2], dq;
  TRIAD_CHECK(triad_staggered_sweeps_create(&s, t.mesh, setup->pressure));
  test_staggered_random(&t, t.b, 3);
  for (int64_t i = 0; i < t.blocks.volume; i++)
    if (t.mesh->open[i] & TRIAD_STAGGERED_SOLID) t.b[i] = 0;
  TRIAD_CHECK(triad_staggered_residual(&s, t.b, t.p, found));
  TRIAD_NEAR(found[0], product(&t, times, s.r, s.r), 1e-12, "r . r");
  TRIAD_CHECK(triad_staggered_direction(&s, setup->pressure == TRIAD_STAGGERED_CG ? s.r : NULL, 0, &dq));
  TRIAD_NEAR(found[1], product(&t, times, s.r, s.d), 1e-12, "r . z");
  TRIAD_NEAR(dq, product(&t, times_matrix, s.d, s.d), 1e-12, "d . A d");
  TRIAD_CHECK(triad_staggered_descent(&s, t.p, 0.01, found));
  for (int64_t i = 0; i < t.blocks.volume; i++) t.v[0][i] = t.v[1][i] = 0;
  for (int64_t z = 0; z < t.blocks.local[2]; z++)
    for (int64_t y = 0; y < t.blocks.local[1]; y++)
      for (int64_t x = 0; x < t.blocks.local[0]; x++) {
        int64_t at = triad_partition_at(&t.blocks, x, y, z);
        t.v[0][at] = t.b[at] - (triad_real)(0.01 * matrix_times(&t, s.d, (const int64_t[3]){x, y, z})) - s.r[at];
        t.v[1][at] = t.p[at] - (triad_real)0.01 * s.d[at];
      }
  TRIAD_WITHIN(product(&t, times, t.v[0], t.v[0]) / found[0], 0, 1e-26, "r = b - alpha A d");
  TRIAD_WITHIN(product(&t, times, t.v[1], t.v[1]), 0, 1e-26, "p = alpha d");
  triad_staggered_sweeps_destroy(&s);
  test_staggered_free(&t);
}

static void everywhere(int solids, triad_staggered_side side, double stretch)
{
  const int ranks = triad_test_comm()->size, wanted[4][3] = {{0, 0, 0}, {ranks, 1, 1}, {1, ranks, 1}, {1, 1, ranks}};
  triad_staggered_setup setup = test_staggered_setup(16, 14, 15, 1, 0.9, 1.2);
  setup.side[1][0] = setup.side[1][1] = side;
  setup.stretch[1] = stretch;
  for (int i = 0; i < 4; i++)
    for (int kind = 0; kind < 2; kind++) {
      setup.pressure = kind ? TRIAD_STAGGERED_CG_POLYNOMIAL : TRIAD_STAGGERED_CG;
      products(&setup, solids, wanted[i]);
    }
}

TRIAD_TEST(products_are_those_of_plain_sums) { everywhere(0, TRIAD_STAGGERED_PERIODIC, 0); }
TRIAD_TEST(products_are_those_of_plain_sums_between_walls) { everywhere(0, TRIAD_STAGGERED_WALL, 0); }
TRIAD_TEST(products_are_those_of_plain_sums_on_stretched_axes) { everywhere(0, TRIAD_STAGGERED_SLIP, 1.3); }
TRIAD_TEST(products_are_those_of_plain_sums_around_solids) { everywhere(1, TRIAD_STAGGERED_WALL, 0); }
TRIAD_TEST(products_are_those_of_plain_sums_around_solids_on_stretched_axes)
{
  everywhere(1, TRIAD_STAGGERED_WALL, 1.3);
}

/* ---- messages while rows are worked on ---- */

static double iterate(triad_staggered_sweeps *s, triad_real *p, int overlap, double found[3], double *processor)
{
  const int can = s->overlap;
  double slowest, begin;
  clock_t used = clock();
  s->overlap = overlap && can;
  TRIAD_CHECK(TRIAD_MPI(MPI_Barrier(triad_test_comm()->mpi)));
  begin = triad_now();
  TRIAD_CHECK(triad_staggered_direction(s, NULL, 0.5, &found[2]));
  TRIAD_CHECK(triad_staggered_descent(s, p, 1e-3, found));
  double took = triad_now() - begin;
  *processor = fmin(*processor, (double)(clock() - used) / CLOCKS_PER_SEC);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  s->overlap = can;
  return slowest;
}

static void both_ways(int64_t n, int repeats)
{
  triad_staggered_setup setup = test_staggered_setup(n, n, n, 1, 1, 1);
  test_staggered t = test_staggered_make(&setup, 0);
  triad_staggered_sweeps s[2];
  double best[2] = {INFINITY, INFINITY}, processor = INFINITY, found[2][3];
  for (int k = 0; k < 2; k++) {
    TRIAD_CHECK(triad_staggered_sweeps_create(&s[k], t.mesh, setup.pressure));
    test_staggered_random(&t, t.b, 3);
    TRIAD_CHECK(triad_staggered_residual(&s[k], t.b, k ? t.v[0] : t.p, found[k]));
  }
  for (int i = 0; i < repeats; i++) {
    for (int k = 0; k < 2; k++) best[k] = fmin(best[k], iterate(&s[k], k ? t.v[0] : t.p, k, found[k], &processor));
    for (int k = 0; k < 3; k++) TRIAD_EQUAL(found[0][k] - found[1][k], 0, "products");
  }
  TRIAD_HOLDS(memcmp(t.p, t.v[0], (size_t)t.blocks.volume * sizeof *t.p) == 0, "p differs");
  if (repeats > 3 && triad_test_comm()->rank == 0)
    (void)printf(
      "%lld^3 cells, %d ranks: an iteration takes %.3f ms, with messages under way meanwhile %.3f ms, of a processor "
      "%.3f ms: %.0f MCUPS\n",
      (long long)n, triad_test_comm()->size, 1e3 * best[0], 1e3 * best[1], 1e3 * processor,
      1e-6 * (double)triad_partition_points(&t.blocks) / processor);
  for (int k = 0; k < 2; k++) triad_staggered_sweeps_destroy(&s[k]);
  test_staggered_free(&t);
}

TRIAD_TEST(messages_under_way_change_no_bit)
{
  const char *cells = getenv("TRIAD_TEST_CELLS");
  char *end;
  both_ways(13, 3);
  for (long n = cells ? strtol(cells, &end, 10) : 0; n > 0; n = strtol(end, &end, 10)) both_ways(n, 30);
}

TRIAD_MAIN
