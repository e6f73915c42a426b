/* The staggered solver's kernels and what drives them, on the host (tests/unit/fake): the same flow as on the CPU, by each
 * solver of the pressure, between walls, around solids, on stretched axes, on any ranks. What is concurrent on a GPU is for
 * tests/gpu/check.   ranks: 1 2 3   timeout: 400 */
#include "test.h"

#include "case/case.h"
#include "solvers/staggered/gpu_own.h"

static const char common[] = "[equations]\nsolver = \"staggered\"\nviscosity = 0.02\n[initial]\nkind = \"random\"\n"
                             "[solver]\ntolerance = 1e-12\n[time]\nend = 1\ndt = 0.01\n[grid]\nlength = [1, 0.9, 1.2]\n";

enum { SETS = 12, STEPS = 4 };

typedef struct one {
  triad_case *given;
  triad_staggered_flow *flow;
} one;

static one make(const char *const *sets, const char *device)
{
  one o;
  const char *all[SETS + 2];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = device;
  int st = triad_case_parse(&o.given, "test", common, strlen(common), all, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", o.given ? triad_case_errors(o.given) : triad_message());
  TRIAD_CHECK(triad_staggered_create((void **)&o.flow, triad_test_now.context, o.given, NULL));
  TRIAD_CHECK(triad_staggered_initial(o.flow, NULL));
  TRIAD_CHECK(triad_staggered_settle(o.flow, NULL, NULL));
  return o;
}

static void drop(one *o)
{
  triad_staggered_destroy((void **)&o->flow);
  triad_case_destroy(&o->given);
}

static void advance(one *o, int steps)
{
  for (int i = 0; i < steps; i++) {
    triad_step step = {.dt = triad_case_real(o->given, "time.dt"), .cfl = 0.8, .land_on = INFINITY};
    TRIAD_CHECK(triad_staggered_advance(o->flow, &step));
  }
  TRIAD_CHECK(triad_state_read_all(o->flow->state, TRIAD_HOST));
}

/* The largest difference of own cells over the largest value: of velocities, and of the pressure. */
static void compare(const one *a, const one *b, double limit)
{
  const triad_partition *p = &a->flow->blocks;
  double mine[4] = {0}, all[4];
  for (int f = 0; f < TRIAD_STAGGERED_FIELDS; f++) {
    const triad_real *of_a = f < 3 ? a->flow->u[0][f] : a->flow->p, *of_b = f < 3 ? b->flow->u[0][f] : b->flow->p;
    for (int64_t z = 0; z < p->local[2]; z++)
      for (int64_t y = 0; y < p->local[1]; y++)
        for (int64_t x = 0; x < p->local[0]; x++) {
          int64_t at = triad_partition_at(p, x, y, z);
          double difference = fabs((double)(of_a[at] - of_b[at]));
          mine[f / 3] = fmax(mine[f / 3], isfinite(difference) ? difference : INFINITY);
          mine[2 + f / 3] = fmax(mine[2 + f / 3], fabs((double)of_a[at]));
        }
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_HOLDS(all[2] > 0 && all[3] > 0, "nothing moves");
  TRIAD_WITHIN(all[0] / all[2], 0, limit, "velocities");
  TRIAD_WITHIN(all[1] / all[3], 0, limit, "pressure");
}

/* Steps on both: the pressure is found to 1e-12 of its right-hand side, which leaves 1e-10. */
static void agree(const char *const *sets)
{
  double column_a[64], column_b[64];
  one cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance(&cpu, STEPS);
  advance(&gpu, STEPS);
  compare(&cpu, &gpu, 1e-10);
  /* the polynomial's diagonal knows walls there, on the CPU not */
  TRIAD_HOLDS(gpu.flow->iterations <= 1 + cpu.flow->iterations * 51 / 50, "%d iterations, %d on the CPU",
              gpu.flow->iterations, cpu.flow->iterations);
  TRIAD_NEAR(gpu.flow->look.rate, cpu.flow->look.rate, 1e-9, "the rate of advection");
  TRIAD_CHECK(triad_staggered_measure(cpu.flow, column_a));
  TRIAD_CHECK(triad_staggered_measure(gpu.flow, column_b));
  TRIAD_NEAR(column_b[0], column_a[0], 1e-10, "energy");
  TRIAD_NEAR(column_b[2], column_a[2], 1e-9, "dissipation");
  drop(&cpu);
  drop(&gpu);
}

#define AGREE(...) agree((const char *const[]){__VA_ARGS__, NULL})

static void on_one_rank(void)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("the transform on GPUs has one rank");
}

TRIAD_TEST(periodic_by_the_transform)
{
  on_one_rank();
  AGREE("grid.n=[16,14,11]", "solver.pressure=\"transform\"");
}

TRIAD_TEST(a_plane_by_the_transform)
{
  on_one_rank();
  AGREE("grid.n=[20,18,1]", "solver.pressure=\"transform\"");
  AGREE("grid.n=[1,18,20]", "solver.pressure=\"transform\"");
}

/* Asked for, a GPU takes a box whose transform it has not, by the polynomial. */
TRIAD_TEST(walls_along_x_without_a_word_on_the_pressure)
{
  const char *const sets[] = {"grid.n=[12,14,10]", "boundaries.x=[\"wall\",\"slip\"]", "boundaries.y=[\"wall\",\"wall\"]", NULL};
  one o = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(o.flow->gpu && o.flow->setup.pressure == TRIAD_STAGGERED_CG_POLYNOMIAL, "not by the polynomial on a GPU");
  drop(&o);
  o = make(sets, "parallel.device=\"auto\"");
  TRIAD_HOLDS(!o.flow->gpu && o.flow->setup.pressure == TRIAD_STAGGERED_TRANSFORM, "not by the transform on the CPU");
  drop(&o);
}

TRIAD_TEST(periodic_by_conjugate_gradients) { AGREE("grid.n=[16,14,12]", "solver.pressure=\"cg\""); }

/* Several blocks of threads along each axis. */
TRIAD_TEST(long_axes_by_the_polynomial) { AGREE("grid.n=[70,11,20]", "solver.pressure=\"pcg-polynomial\"", "time.dt=0.002"); }

TRIAD_TEST(cubes_by_the_polynomial)
{
  AGREE("grid.n=[16,15,12]", "solver.pressure=\"pcg-polynomial\"", "solids.kind=\"random-cubes\"", "solids.count=4",
        "solids.side=3");
}

TRIAD_TEST(cubes_by_the_transform)
{
  on_one_rank();
  AGREE("grid.n=[16,15,12]", "solver.pressure=\"pcg-transform\"", "solids.kind=\"random-cubes\"", "solids.count=4",
        "solids.side=3");
}

TRIAD_TEST(between_walls_that_move)
{
  AGREE("grid.n=[12,14,10]", "boundaries.y=[\"wall\",\"wall\"]", "boundaries.z=[\"slip\",\"wall\"]",
        "solver.pressure=\"pcg-polynomial\"",
        "boundaries.wall_velocity=[0,0,0,0,0,0, 0.3,0,-0.1,1,0,0.2, 0,0,0,0.2,-0.4,0]", "forcing.kind=\"pressure-gradient\"");
}

TRIAD_TEST(a_cavity_by_conjugate_gradients)
{
  AGREE("grid.n=[12,14,10]", "boundaries.x=[\"wall\",\"slip\"]", "boundaries.y=[\"wall\",\"wall\"]",
        "boundaries.z=[\"slip\",\"slip\"]", "solver.pressure=\"cg\"");
}

TRIAD_TEST(stretched_axes_and_a_flow_rate)
{
  AGREE("grid.n=[12,14,10]", "grid.stretch=[0,1.5,0]", "boundaries.y=[\"wall\",\"wall\"]", "forcing.kind=\"flow-rate\"",
        "solver.pressure=\"pcg-polynomial\"", "time.dt=0.002");
}

/* A channel whose pressure is found at once, where the solver does so on a CPU. */
TRIAD_TEST(a_channel_by_the_transform)
{
  const char *const sets[] = {"grid.n=[12,20,10]", "grid.stretch=[0,1.5,0]", "boundaries.y=[\"wall\",\"wall\"]",
                              "solver.pressure=\"transform\"", "time.dt=0.001", NULL};
  triad_staggered_setup setup;
  triad_case *given;
  on_one_rank();
  TRIAD_CHECK(triad_case_parse(&given, "test", common, strlen(common), sets, 5));
  int can = triad_staggered_setup_read(&setup, given) == TRIAD_OK;
  triad_case_destroy(&given);
  triad_message_clear();
  if (!can) TRIAD_SKIP("a transform has no walls here");
  agree(sets);
}

TRIAD_TEST(stretched_axes_and_cubes)
{
  AGREE("grid.n=[14,14,12]", "grid.stretch=[0.5,0,1]", "boundaries.z=[\"slip\",\"wall\"]", "solver.pressure=\"cg\"",
        "solids.kind=\"boxes\"", "solids.boxes=[3,4,2,3,2,4]", "time.dt=0.002");
}

/* Stirring, and after two steps the cubes are fluid. */
TRIAD_TEST(released_cubes)
{
  AGREE("grid.n=[14,12,13]", "solver.pressure=\"pcg-polynomial\"", "solids.kind=\"random-cubes\"", "solids.count=3",
        "solids.side=3", "solids.release=0.02", "forcing.kind=\"stirring\"", "forcing.interval=0.015", "initial.kind=\"rest\"");
}

/* Of each kind of box: A z = r to rounding, which a sum over the longest axis of 20 and the matrix's condition of 1e3 make
 * 1e-11. */
static void solves(const char *const *sets)
{
  one gpu = make(sets, "parallel.device=\"gpu\"");
  triad_staggered_flow *f = gpu.flow;
  triad_staggered_gpu_transform *t;
  const triad_partition *b = &f->blocks;
  double worst = 0, most = 0, mean = 0, points = (double)triad_partition_points(b);
  TRIAD_CHECK(triad_staggered_gpu_transform_create(&t, f->device, &f->setup, &f->gpu->kernel));
  triad_real *r = f->gpu->solver.r, *z = f->gpu->solver.x, *spread = f->b;
  for (int64_t i = 0; i < triad_partition_points(b); i++) mean += (double)(r[i] = (triad_real)triad_test_random(5, (uint64_t)i)) / points;
  for (int64_t i = 0; i < triad_partition_points(b); i++) r[i] -= (triad_real)mean;
  TRIAD_CHECK(triad_staggered_gpu_transform_solve(t, r, z));
  mean = 0;
  for (int64_t i = 0; i < triad_partition_points(b); i++) {
    spread[triad_partition_at(b, i % b->local[0], i / b->local[0] % b->local[1], i / b->local[0] / b->local[1])] = z[i];
    mean += (double)z[i] / points;
    most = fmax(most, fabs((double)z[i]));
  }
  triad_staggered_fill_cells(f->mesh, spread);
  for (int64_t i = 0; i < triad_partition_points(b); i++) {
    triad_real side[6];
    int64_t x = i % b->local[0], y = i / b->local[0] % b->local[1], k = i / b->local[0] / b->local[1];
    int64_t at = triad_partition_at(b, x, y, k);
    const triad_staggered_row row = triad_staggered_row_of(&f->mesh->sizes, y, k);
    triad_staggered_sides(1, &f->mesh->sizes, &row, at, x, side);
    worst = fmax(worst, fabs((double)(triad_staggered_matrix(&f->mesh->sizes, side, spread, at) - r[i])));
  }
  TRIAD_WITHIN(worst, 0, 1e-11, "A z - r, of numbers up to 1");
  TRIAD_WITHIN(mean / most, 0, 1e-11, "the mean");
  triad_staggered_gpu_transform_destroy(&t);
  drop(&gpu);
}

#define SOLVES(...) solves((const char *const[]){"solver.pressure=\"cg\"", "time.dt=1e-4", __VA_ARGS__, NULL})

TRIAD_TEST(one_solve_by_the_transform_is_exact)
{
  on_one_rank();
  SOLVES("grid.n=[12,10,15]");
  SOLVES("grid.n=[12,15,10]", "boundaries.y=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[13,20,10]", "boundaries.y=[\"slip\",\"wall\"]", "grid.stretch=[0,1.7,0]");
  SOLVES("grid.n=[12,11,18]", "boundaries.z=[\"slip\",\"slip\"]", "grid.stretch=[0,0,1]");
  SOLVES("grid.n=[14,20,1]", "boundaries.y=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[14,1,9]", "boundaries.z=[\"wall\",\"slip\"]");
}

/* A step on the CPU from what a GPU has left, and the other way round. */
TRIAD_TEST(the_state_comes_back_and_goes_there)
{
  const char *const sets[] = {"grid.n=[12,10,14]", "solver.pressure=\"cg\"", NULL};
  one cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  advance(&gpu, 3);
  TRIAD_CHECK(triad_state_overwrite_all(cpu.flow->state, TRIAD_HOST));
  for (int f = 0; f < TRIAD_STAGGERED_FIELDS; f++)
    memcpy(f < 3 ? cpu.flow->u[0][f] : cpu.flow->p, f < 3 ? gpu.flow->u[0][f] : gpu.flow->p,
           (size_t)cpu.flow->blocks.volume * sizeof(triad_real));
  cpu.flow->at = gpu.flow->at;
  TRIAD_CHECK(triad_staggered_settle(cpu.flow, NULL, NULL));
  TRIAD_CHECK(triad_staggered_settle(gpu.flow, NULL, NULL));
  advance(&cpu, 3);
  advance(&gpu, 3);
  compare(&cpu, &gpu, 1e-10);
  drop(&cpu);
  drop(&gpu);
}

TRIAD_TEST(a_velocity_that_is_not_finite_is_found)
{
  const char *const sets[] = {"grid.n=[12,10,14]", "solver.pressure=\"cg\"", NULL};
  one gpu = make(sets, "parallel.device=\"gpu\"");
  gpu.flow->u[0][1][triad_partition_at(&gpu.flow->blocks, 2, 1, 0)] = (triad_real)NAN;
  TRIAD_FAILS(triad_staggered_settle(gpu.flow, NULL, NULL), TRIAD_ERR_BLOWUP, "");
  drop(&gpu);
}

/* A matrix that has negative eigenvalues is none for conjugate gradients. */
TRIAD_TEST(a_pressure_that_is_not_found_ends_the_run_with_its_history)
{
  const char *const sets[] = {"grid.n=[12,10,14]", "solver.pressure=\"cg\"", NULL};
  one gpu = make(sets, "parallel.device=\"gpu\"");
  triad_step step = {.dt = 0.01, .cfl = 0.8, .land_on = INFINITY};
  gpu.flow->gpu->solver.cells.side[0] *= -3;
  TRIAD_FAILS(triad_staggered_advance(gpu.flow, &step), TRIAD_ERR_BLOWUP, "residuals by iteration: 0: ");
  drop(&gpu);
}

/* What has no GPU part is refused by its key, and left to the CPU by "auto". */
static void refused(const char *set, const char *word)
{
  const char *const sets[] = {"grid.n=[12,10,14]", set, NULL};
  triad_needs needs;
  one o;
  const char *all[] = {sets[0], sets[1], "parallel.device=\"gpu\""};
  TRIAD_CHECK(triad_case_parse(&o.given, "test", common, strlen(common), all, 3));
  memset(&needs, 0, sizeof needs);
  TRIAD_FAILS(triad_staggered_check(o.given, triad_test_comm()->size, 1, &needs), TRIAD_ERR_FEATURE, word);
  triad_case_destroy(&o.given);
  o = make(sets, "parallel.device=\"auto\"");
  TRIAD_HOLDS(!o.flow->gpu, "a GPU that cannot");
  drop(&o);
}

TRIAD_TEST(what_a_gpu_cannot_is_refused)
{
  refused("solver.diffusion=\"implicit\"", "solver.diffusion");
  refused("parallel.reproducible=true", "parallel.reproducible");
  if (triad_test_comm()->size > 1) refused("solver.pressure=\"transform\"", "pcg-polynomial");
}

TRIAD_MAIN
