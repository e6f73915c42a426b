/* The staggered mesh's discrete operators: what they conserve on any velocity without divergence, on uniform and
 * stretched axes, among walls and solids; identities of gradient, divergence and curl; second order. ranks: 1 3
 * threads: 2   precision: both   timeout: 120 quick: 1 */
#include "staggered.h"
#include "solvers/staggered/points/volume_points.h"
#include "solvers/staggered/plain/rows.h"

/* Sums of the momentum that advection makes, and of the kinetic energy, relative to those of their terms' sizes. */
typedef struct budget {
  const triad_staggered_mesh *m;
  triad_real *const *u, *const *rate;
} budget;

static void budget_row(void *self, int64_t y, int64_t z, double *results)
{
  const budget *g = self;
  for (int64_t x = 0; x < g->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&g->m->blocks, x, y, z);
    for (int a = 0; a < 3; a++) {
      double momentum = triad_staggered_volume(&g->m->sizes, a, c) * (double)g->rate[a][at];
      double energy = momentum * (double)g->u[a][at];
      results[2 * a] += momentum;
      results[2 * a + 1] += fabs(momentum);
      results[6] += energy;
      results[7] += fabs(energy);
    }
  }
}

/* The rate of a velocity without divergence: from the curl of random numbers on edges, so that only rounding is
 * left. */
static void conserves(double stretch, triad_staggered_side side, int solids)
{
  triad_staggered_setup setup = test_staggered_setup(12, 10, 9, 1.0, 1.3, 0.8);
  for (int i = 0; i < 3; i++) setup.stretch[i] = stretch;
  setup.side[0][0] = setup.side[0][1] = setup.side[2][0] = setup.side[2][1] = side;
  test_staggered t = test_staggered_make(&setup, solids);
  test_staggered_solenoidal(&t, t.u);
  const triad_staggered_update update = {.in = t.u, .diffused = t.u, .x = t.u, .out = t.v, .rate = 1};
  TRIAD_CHECK(triad_staggered_momentum(t.mesh, &update));
  budget g = {t.mesh, t.u, t.v};
  double sums[8];
  TRIAD_CHECK(triad_staggered_rows(t.mesh, budget_row, &g, 8, 0, sums));
  TRIAD_HOLDS(sums[7] > 0, "the flow is at rest");
  TRIAD_WITHIN(sums[6] / sums[7], 0, 40 * TRIAD_EPSILON, "rate of the kinetic energy");
  for (int a = 0; a < 3 && side == TRIAD_STAGGERED_PERIODIC && !solids; a++)
    TRIAD_WITHIN(sums[2 * a] / sums[2 * a + 1], 0, 40 * TRIAD_EPSILON, "rate of the momentum");
  test_staggered_free(&t);
}

TRIAD_TEST(advection_conserves_momentum_and_energy) { conserves(0, TRIAD_STAGGERED_PERIODIC, 0); }
TRIAD_TEST(advection_conserves_on_stretched_axes) { conserves(1.5, TRIAD_STAGGERED_PERIODIC, 0); }
TRIAD_TEST(advection_conserves_energy_between_walls) { conserves(1.5, TRIAD_STAGGERED_WALL, 0); }
TRIAD_TEST(advection_conserves_energy_around_solids) { conserves(0, TRIAD_STAGGERED_PERIODIC, 1); }

/* sum V u . lap u = -sum V gradients: the dissipation is what diffusion takes, where walls are at rest. */
static void dissipation_row(void *self, int64_t y, int64_t z, double *results)
{
  const budget *g = self;
  const triad_staggered_sizes *s = &g->m->sizes;
  for (int64_t x = 0; x < g->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&g->m->blocks, x, y, z);
    double gradients[3] = {(double)triad_staggered_gradients(0, s, g->u[0], at, c),
                           (double)triad_staggered_gradients(1, s, g->u[1], at, c),
                           (double)triad_staggered_gradients(2, s, g->u[2], at, c)};
    for (int a = 0; a < 3; a++) {
      double volume = triad_staggered_volume(s, a, c), open = s->open[at] & TRIAD_STAGGERED_LOWER(a) ? 1 : 0;
      results[0] += volume * (double)g->u[a][at] * (double)g->rate[a][at];
      results[1] += open * volume * gradients[a];
    }
  }
}

static void dissipates(double stretch, triad_staggered_side side, int solids)
{
  triad_staggered_setup setup = test_staggered_setup(12, 10, 9, 1.0, 1.3, 0.8);
  for (int i = 0; i < 3; i++) setup.stretch[i] = stretch;
  setup.side[1][0] = setup.side[1][1] = side;
  test_staggered t = test_staggered_make(&setup, solids);
  test_staggered_solenoidal(&t, t.u);
  const triad_staggered_update with = {.in = t.u, .diffused = t.u, .x = t.u, .out = t.v, .rate = 1, .viscosity = 1e3};
  TRIAD_CHECK(triad_staggered_momentum(t.mesh, &with));
  budget g = {t.mesh, t.u, t.v};
  double sums[2];
  TRIAD_CHECK(triad_staggered_rows(t.mesh, dissipation_row, &g, 2, 0, sums));
  /* advection adds nothing to the energy, but rounding a thousandth the size of diffusion */
  TRIAD_NEAR(-sums[0], 1e3 * sums[1], 60 * TRIAD_EPSILON, "dissipation");
  test_staggered_free(&t);
}

TRIAD_TEST(diffusion_takes_the_squares_of_gradients) { dissipates(0, TRIAD_STAGGERED_PERIODIC, 0); }
TRIAD_TEST(diffusion_takes_the_squares_of_gradients_at_walls) { dissipates(1.2, TRIAD_STAGGERED_WALL, 0); }
TRIAD_TEST(diffusion_takes_the_squares_of_gradients_at_solids) { dissipates(0, TRIAD_STAGGERED_PERIODIC, 1); }

/* Fluid between plates: a shear, u = distance from the nearer plate, whose surface lies half a cell off the next
 * centres. Only in the middle, where the two meet, is there anything to diffuse. */
TRIAD_TEST(a_shear_at_a_flat_solid_does_not_diffuse)
{
  enum { N = 8, MIDDLE = 4 };
  const triad_staggered_setup setup = test_staggered_setup(6, N, 5, 1.0, 1.6, 0.8);
  const double h = 0.2;
  triad_context *context = triad_test_now.context;
  triad_staggered_mesh *mesh = NULL;
  triad_partition b;
  triad_real *u = NULL;
  TRIAD_CHECK(triad_staggered_blocks(&setup, NULL, context->comm.rank, context->comm.size, &b));
  uint8_t *solid = calloc((size_t)triad_partition_points(&b), 1);
  for (int64_t i = 0; i < triad_partition_points(&b); i++) solid[i] = b.begin[1] + i / b.local[0] % b.local[1] == 0;
  TRIAD_CHECK(triad_staggered_mesh_create(&mesh, context, &setup, &b, solid));
  free(solid);
  TRIAD_CHECK(TRIAD_ALLOC(context->memory, "test", b.volume, &u));
  for (int64_t z = -1; z <= b.local[2]; z++)
    for (int64_t y = -1; y <= b.local[1]; y++)
      for (int64_t x = -1; x <= b.local[0]; x++) {
        int64_t row = (b.begin[1] + y + N) % N;
        u[triad_partition_at(&b, x, y, z)] =
          (triad_real)(row == 0 ? 0 : h * ((double)(row < MIDDLE ? row : N - row) - 0.5));
      }
  for (int64_t z = 0; z < b.local[2]; z++)
    for (int64_t y = 0; y < b.local[1]; y++)
      for (int64_t x = 0; x < b.local[0]; x++) {
        const int64_t c[3] = {x, y, z}, at = triad_partition_at(&b, x, y, z), row = b.begin[1] + y;
        if (row == 0 || row == MIDDLE) continue;
        TRIAD_WITHIN(triad_staggered_diffusion(0, 1, &mesh->sizes, u, at, c), 0, 40 * TRIAD_EPSILON / h,
                     "div grad of a shear");
      }
  TRIAD_FREE(context->memory, &u);
  triad_staggered_mesh_destroy(&mesh);
}

/* curl grad p = 0 and div curl a = 0, to rounding. */
static void identity_row(void *self, int64_t y, int64_t z, double *results)
{
  const budget *g = self;
  const triad_staggered_sizes *s = &g->m->sizes;
  const triad_real *const u[3] = {g->u[0], g->u[1], g->u[2]}, *const v[3] = {g->rate[0], g->rate[1], g->rate[2]};
  for (int64_t x = 0; x < g->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&g->m->blocks, x, y, z);
    results[0] = fmax(results[0], fabs((double)triad_staggered_divergence(s, u, at, c)));
    results[1] = fmax(results[1], fabs((double)triad_staggered_vorticity(0, s, v, at, c)));
    results[1] = fmax(results[1], fabs((double)triad_staggered_vorticity(1, s, v, at, c)));
    results[1] = fmax(results[1], fabs((double)triad_staggered_vorticity(2, s, v, at, c)));
    for (int a = 0; a < 3; a++) {
      results[2] = fmax(results[2], fabs((double)u[a][at]) * (double)s->per_h[a][c[a]]);
      results[3] = fmax(results[3], fabs((double)v[a][at]) * (double)s->per_h[a][c[a]]);
    }
  }
}

TRIAD_TEST(gradients_have_no_curl_and_curls_no_divergence)
{
  triad_staggered_setup setup = test_staggered_setup(12, 10, 9, 1.0, 1.3, 0.8);
  setup.stretch[0] = setup.stretch[1] = 1.1;
  test_staggered t = test_staggered_make(&setup, 0);
  test_staggered_solenoidal(&t, t.u);
  for (int a = 0; a < 3; a++) memset(t.v[a], 0, (size_t)t.blocks.volume * sizeof(triad_real));
  test_staggered_random(&t, t.p, 77);
  triad_staggered_fill_cells(t.mesh, t.p);
  TRIAD_CHECK(triad_staggered_project(t.mesh, t.p, -1, t.v));
  triad_staggered_fill(t.mesh, t.v);
  budget g = {t.mesh, t.u, t.v};
  double most[4];
  TRIAD_CHECK(triad_staggered_rows(t.mesh, identity_row, &g, 0, 4, most));
  TRIAD_HOLDS(most[2] > 0 && most[3] > 0, "nothing to differentiate");
  TRIAD_WITHIN(most[0] / most[2], 0, 16 * TRIAD_EPSILON, "div curl");
  TRIAD_WITHIN(most[1] / most[3], 0, 16 * TRIAD_EPSILON, "curl grad");
  test_staggered_free(&t);
}

/* Of a component of the vorticity, its edges' areas and the sum's terms. */
static void vorticity_row(void *self, int64_t y, int64_t z, double *results)
{
  const budget *g = self;
  const triad_staggered_sizes *s = &g->m->sizes;
  const triad_real *const u[3] = {g->u[0], g->u[1], g->u[2]};
  for (int64_t x = 0; x < g->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&g->m->blocks, x, y, z);
    double w[3] = {(double)triad_staggered_vorticity(0, s, u, at, c), (double)triad_staggered_vorticity(1, s, u, at, c),
                   (double)triad_staggered_vorticity(2, s, u, at, c)};
    for (int a = 0; a < 3; a++) {
      double share = w[a];
      for (int b = 0; b < 3; b++) share *= (double)(b == a ? s->h : s->d)[b][c[b]];
      results[2 * a] += share;
      results[2 * a + 1] += fabs(share);
    }
  }
}

TRIAD_TEST(vorticity_of_a_periodic_box_sums_to_0)
{
  triad_staggered_setup setup = test_staggered_setup(12, 10, 9, 1.0, 1.3, 0.8);
  setup.stretch[0] = setup.stretch[2] = 1.1;
  test_staggered t = test_staggered_make(&setup, 0);
  for (int a = 0; a < 3; a++) test_staggered_random(&t, t.u[a], 40 + (uint64_t)a);
  triad_staggered_fill(t.mesh, t.u);
  budget g = {t.mesh, t.u, NULL};
  double sums[6];
  TRIAD_CHECK(triad_staggered_rows(t.mesh, vorticity_row, &g, 6, 0, sums));
  for (int a = 0; a < 3; a++) {
    TRIAD_HOLDS(sums[2 * a + 1] > 0, "no vorticity");
    TRIAD_WITHIN(sums[2 * a] / sums[2 * a + 1], 0, 16 * TRIAD_EPSILON, "sum of the vorticity");
  }
  test_staggered_free(&t);
}

TRIAD_MAIN
