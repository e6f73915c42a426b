/* The staggered solver's kernels and what drives them, on the host (tests/help/fake): the same flow as on the CPU,
 * by each solver of the pressure, between walls, around solids, on stretched axes, on any ranks. What is concurrent
 * on a GPU is for tests/gpu/check.   ranks: 1 2 3   timeout: 400 */
#include "staggered_gpu.h"
#include "solvers/staggered/gpu/gpu_transform.h"

enum { STEPS = 4 };
#define AGREE(...) AGREE_FOR(STEPS, __VA_ARGS__)

TRIAD_TEST(periodic_by_the_transform)
{
  AGREE("grid.n=[16,14,11]", "solver.pressure=\"transform\"");
  AGREE("grid.n=[10,9,16]", "solver.pressure=\"transform\""); /* lines along z by a kernel of ours */
}

TRIAD_TEST(a_plane_by_the_transform)
{
  on_one_rank("a plane is one slab");
  AGREE("grid.n=[20,18,1]", "solver.pressure=\"transform\"");
  AGREE("grid.n=[1,18,20]", "solver.pressure=\"transform\"");
}

/* Without a word on the pressure one GPU takes it by cosines, several, whose transform has none, by the polynomial. */
TRIAD_TEST(walls_along_x_without_a_word_on_the_pressure)
{
  const char *const sets[] = {"grid.n=[12,14,10]", "boundaries.x=[\"wall\",\"slip\"]",
                              "boundaries.y=[\"wall\",\"wall\"]", NULL};
  int several = triad_test_comm()->size > 1;
  test_cells o = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(o.flow->gpu != NULL, "not on a GPU");
  TRIAD_EQUAL(o.flow->setup.pressure, several ? TRIAD_STAGGERED_CG_POLYNOMIAL : TRIAD_STAGGERED_TRANSFORM,
              "the pressure");
  drop(&o);
  o = make(sets, "parallel.device=\"auto\"");
  TRIAD_HOLDS((o.flow->gpu == NULL) == several && o.flow->setup.pressure == TRIAD_STAGGERED_TRANSFORM,
              "not by the transform");
  drop(&o);
}

TRIAD_TEST(walls_along_several_axes_by_cosines)
{
  on_one_rank("a transform of several has waves of Fourier");
  AGREE_FOR(2, "grid.n=[9,12,10]", "boundaries.x=[\"wall\",\"slip\"]", "boundaries.y=[\"wall\",\"wall\"]",
            "solver.pressure=\"transform\"");
  AGREE_FOR(2, "grid.n=[12,8,11]", "boundaries.x=[\"wall\",\"slip\"]", "boundaries.y=[\"slip\",\"slip\"]",
            "boundaries.z=[\"wall\",\"wall\"]", "grid.stretch=[0,0,1]", "solver.pressure=\"pcg-transform\"",
            "solids.kind=\"boxes\"", "solids.boxes=[3,3,2,3,4,3]", "time.dt=0.001");
}

TRIAD_TEST(periodic_by_conjugate_gradients) { AGREE("grid.n=[16,14,12]", "solver.pressure=\"cg\""); }

/* Several blocks of threads along each axis. */
TRIAD_TEST(long_axes_by_the_polynomial)
{
  AGREE("grid.n=[70,11,20]", "solver.pressure=\"pcg-polynomial\"", "time.dt=0.002");
}

TRIAD_TEST(cubes_by_the_polynomial)
{
  AGREE("grid.n=[16,15,12]", "solver.pressure=\"pcg-polynomial\"", "solids.kind=\"random-cubes\"", "solids.count=4",
        "solids.side=3");
}

TRIAD_TEST(cubes_by_the_transform)
{
  AGREE("grid.n=[16,15,12]", "solver.pressure=\"pcg-transform\"", "solids.kind=\"random-cubes\"", "solids.count=4",
        "solids.side=3");
  AGREE_FOR(2, "grid.n=[12,15,16]", "solver.pressure=\"pcg-transform\"", "solids.kind=\"random-cubes\"",
            "solids.count=4", "solids.side=3");
}

/* Coefficients of closed sides differ from cell to cell; a box stands on a wall, and one across the ends of x and z. */
TRIAD_TEST(boxes_in_a_channel_by_the_transform)
{
  AGREE_FOR(2, "grid.n=[12,10,9]", "grid.stretch=[0,1.5,0]", "boundaries.y=[\"wall\",\"slip\"]",
            "solver.pressure=\"pcg-transform\"", "solids.kind=\"boxes\"", "solids.boxes=[3,0,2,3,4,3,10,5,7,4,2,4]",
            "reference.velocity=[1,0.2,0]", "time.dt=0.002");
}

/* Beside walls, beside a solid and in one, across the ends of x, on the border of blocks; solids go after two steps. */
#define PLACES \
  "output.probes=[\"[0.01, 0.02, 0.6]\", \"[0.36, 0.2, 0.5]\", \"[0.35, 0.35, 0.35]\", \"[0.99, 0.88, 1.19]\"]"
TRIAD_TEST(probes_and_profiles_beside_walls_and_solids)
{
  const char *const sets[] = {"grid.n=[12,14,10]",
                              "boundaries.y=[\"wall\",\"slip\"]",
                              "solver.pressure=\"cg\"",
                              "solids.kind=\"boxes\"",
                              "solids.boxes=[3,4,2,3,3,2]",
                              "solids.release=0.02",
                              "time.dt=0.01",
                              PLACES,
                              "output.means=[\"profiles x\",\"profiles y\",\"profiles z\"]",
                              NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  for (int i = 0; i < 3; i++) {
    same_columns(&gpu);
    advance(&gpu, 1);
  }
  TRIAD_HOLDS(gpu.flow->released, "the solids are still there");
  same_columns(&gpu);
  drop(&gpu);
}

TRIAD_TEST(between_walls_that_move)
{
  AGREE("grid.n=[12,14,10]", "boundaries.y=[\"wall\",\"wall\"]", "boundaries.z=[\"slip\",\"wall\"]",
        "solver.pressure=\"pcg-polynomial\"",
        "boundaries.wall_velocity=[0,0,0,0,0,0, 0.3,0,-0.1,1,0,0.2, 0,0,0,0.2,-0.4,0]",
        "forcing.kind=\"pressure-gradient\"");
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

/* A channel whose pressure is found at once: its profile's axis by tridiagonal systems. */
TRIAD_TEST(a_channel_by_the_transform)
{
  AGREE("grid.n=[12,20,10]", "grid.stretch=[0,1.5,0]", "boundaries.y=[\"wall\",\"wall\"]",
        "solver.pressure=\"transform\"", "time.dt=0.001");
}

/* The axis of tridiagonal systems is that across which ranks have slabs. */
TRIAD_TEST(a_channel_across_z_by_the_transform)
{
  AGREE("grid.n=[9,7,12]", "grid.stretch=[0,0,1]", "boundaries.z=[\"wall\",\"slip\"]", "solver.pressure=\"transform\"",
        "time.dt=0.001");
  AGREE("grid.n=[8,1,12]", "boundaries.z=[\"wall\",\"wall\"]", "solver.pressure=\"transform\"");
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
        "solids.side=3", "solids.release=0.02", "forcing.kind=\"stirring\"", "forcing.interval=0.015",
        "initial.kind=\"rest\"");
}

/* Of each kind of box: A z = r to rounding, which a sum over the longest axis of 20 and the matrix's condition of
 * 1e3 make 1e-11. */
static void solves(const char *const *sets)
{
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  triad_staggered_flow *f = gpu.flow;
  triad_staggered_gpu_transform *t;
  const triad_partition *b = &f->blocks;
  double worst = 0, most = 0, mean = 0, points = (double)triad_partition_points(b);
  TRIAD_CHECK(triad_staggered_gpu_transform_create(&t, f));
  triad_real *r = f->gpu->solver.r, *z = f->gpu->solver.x, *spread = f->b;
  for (int64_t i = 0; i < triad_partition_points(b); i++)
    mean += (double)(r[i] = (triad_real)triad_test_random(5, (uint64_t)i)) / points;
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
  on_one_rank("the test knows one rank's vectors");
  SOLVES("grid.n=[12,10,15]");
  SOLVES("grid.n=[12,7,16]");
  SOLVES("grid.n=[5,6,96]");
  SOLVES("grid.n=[12,15,10]", "boundaries.y=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[13,20,10]", "boundaries.y=[\"slip\",\"wall\"]", "grid.stretch=[0,1.7,0]");
  SOLVES("grid.n=[12,11,18]", "boundaries.z=[\"slip\",\"slip\"]", "grid.stretch=[0,0,1]");
  SOLVES("grid.n=[14,20,1]", "boundaries.y=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[14,1,9]", "boundaries.z=[\"wall\",\"slip\"]");
  SOLVES("grid.n=[12,15,10]", "boundaries.x=[\"wall\",\"slip\"]");
  SOLVES("grid.n=[12,7,10]", "boundaries.x=[\"wall\",\"slip\"]", "grid.stretch=[1.2,0,0]");
  SOLVES("grid.n=[9,34,6]", "boundaries.y=[\"wall\",\"slip\"]", "boundaries.z=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[36,8,7]", "boundaries.x=[\"slip\",\"wall\"]", "boundaries.y=[\"wall\",\"wall\"]",
         "grid.stretch=[0,1.1,0]");
  SOLVES("grid.n=[10,8,7]", "boundaries.x=[\"slip\",\"wall\"]", "boundaries.y=[\"wall\",\"wall\"]",
         "boundaries.z=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[1,8,7]", "boundaries.y=[\"wall\",\"wall\"]");
  SOLVES("grid.n=[12,1,1]", "boundaries.x=[\"wall\",\"wall\"]");
}

/* A step on the CPU from what a GPU has left, and the other way round. */
TRIAD_TEST(the_state_comes_back_and_goes_there)
{
  const char *const sets[] = {"grid.n=[12,10,14]", "solver.pressure=\"cg\"", NULL};
  test_cells cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
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
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_CHECK(triad_state_write_all(gpu.flow->state, TRIAD_HOST));
  gpu.flow->u[0][1][triad_partition_at(&gpu.flow->blocks, 2, 1, 0)] = (triad_real)NAN;
  TRIAD_FAILS(triad_staggered_settle(gpu.flow, NULL, NULL), TRIAD_ERR_BLOWUP, "");
  drop(&gpu);
}

/* A matrix that has negative eigenvalues is none for conjugate gradients. */
TRIAD_TEST(a_pressure_that_is_not_found_ends_the_run_with_its_history)
{
  const char *const sets[] = {"grid.n=[12,10,14]", "solver.pressure=\"cg\"", NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
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
  test_cells o;
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
  refused("parallel.reproducible=true", "parallel.reproducible");
  char blocks[64];
  (void)snprintf(blocks, sizeof blocks, "parallel.blocks=[%d,1,1]", triad_test_comm()->size);
  if (triad_test_comm()->size > 1) refused(blocks, "slabs across z");
}

TRIAD_MAIN
