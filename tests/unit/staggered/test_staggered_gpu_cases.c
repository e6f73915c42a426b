/* What the staggered solver's cases ask of a GPU besides steps between walls, with its kernels on the host
 * (tests/help/fake): the same flow as on the CPU with a box that strains, inflow and outflow, regions of fluid,
 * walls that swing, implicit diffusion; the release of solids in the middle of a run, and running profiles.   ranks:
 * 1 2 3   timeout: 400 */
#include "staggered_gpu.h"
#include "case/case_load.h"

#define AGREE(...) AGREE_FOR(2, __VA_ARGS__)

/* ---- a box that strains ---- */

/* Two steps before it begins and two in it. */
TRIAD_TEST(a_strained_box_by_conjugate_gradients)
{
  AGREE_FOR(4, "grid.n=[10,8,9]", "solver.pressure=\"pcg-polynomial\"", "strain.rates=[2,-3,1]", "strain.start=0.02",
            "strain.end=0.05");
}

TRIAD_TEST(a_strained_box_by_the_transform)
{
  AGREE_FOR(4, "grid.n=[10,8,9]", "solver.pressure=\"transform\"", "strain.rates=[2,-3,1]", "strain.start=0",
            "strain.end=0.03");
}

/* Cells of any size, whose matrix has a diagonal of its own. */
TRIAD_TEST(a_strained_box_that_is_stretched)
{
  AGREE_FOR(2, "grid.n=[10,8,9]", "grid.stretch=[0,1,0]", "solver.pressure=\"pcg-polynomial\"", "strain.rates=[2,-3,1]",
            "strain.start=0", "strain.end=1", "time.dt=0.005");
}

/* ---- ways in and out ---- */

TRIAD_TEST(a_stream_along_x)
{
  AGREE_FOR(3, "grid.n=[12,9,8]", "boundaries.x=[\"inflow\",\"outflow\"]", "boundaries.inflow=[1,0.2,-0.1]",
            "boundaries.y=[\"slip\",\"wall\"]", "solver.pressure=\"cg\"");
}

TRIAD_TEST(a_stream_down_z_past_a_body_that_touches_both_ends)
{
  AGREE_FOR(3, "grid.n=[8,9,12]", "boundaries.z=[\"outflow\",\"inflow\"]", "boundaries.inflow=[0.1,0.2,-1]",
            "solver.pressure=\"pcg-polynomial\"", "solids.kind=\"boxes\"", "solids.boxes=[1,2,0,3,2,4,5,5,9,2,2,3]");
}

/* What comes in along x leaves by both ends of y. */
TRIAD_TEST(two_ways_out)
{
  AGREE_FOR(3, "grid.n=[8,12,6]", "boundaries.x=[\"inflow\",\"wall\"]", "boundaries.y=[\"outflow\",\"outflow\"]",
            "boundaries.inflow=[1,0,0.3]", "solver.pressure=\"cg\"");
}

/* ---- regions ---- */

/* Slabs part the fluid. */
TRIAD_TEST(two_regions)
{
  AGREE("grid.n=[9,8,12]", "solver.pressure=\"cg\"", "solids.kind=\"boxes\"", "solids.boxes=[0,0,2,9,8,2,0,0,8,9,8,1]");
}

/* More than a kernel adds up at once. */
TRIAD_TEST(eight_regions_between_walls)
{
  AGREE("grid.n=[17,4,5]", "boundaries.x=[\"wall\",\"wall\"]", "solver.pressure=\"cg\"", "solids.kind=\"boxes\"",
        "solids.boxes=[2,0,0,1,4,5,4,0,0,1,4,5,6,0,0,1,4,5,8,0,0,1,4,5,10,0,0,1,4,5,12,0,0,1,4,5,14,0,0,1,4,5]");
}

/* ---- walls that swing, implicit diffusion ---- */

TRIAD_TEST(walls_that_swing)
{
  AGREE("grid.n=[8,12,6]", "boundaries.y=[\"wall\",\"slip\"]",
        "boundaries.wall_velocity=[0,0,0,0,0,0,1,0,-0.5,0,0,0,0,0,0,0,0,0]", "boundaries.wall_frequency=7",
        "solver.pressure=\"pcg-polynomial\"");
}

TRIAD_TEST(implicit_diffusion_in_a_periodic_box)
{
  AGREE("grid.n=[10,8,9]", "equations.viscosity=0.2", "solver.diffusion=\"implicit\"", "solver.pressure=\"cg\"");
}

TRIAD_TEST(implicit_diffusion_between_walls_that_swing_around_solids)
{
  AGREE("grid.n=[10,12,8]", "grid.stretch=[0,1,0]", "equations.viscosity=0.1", "solver.diffusion=\"implicit\"",
        "boundaries.y=[\"wall\",\"wall\"]", "boundaries.wall_velocity=[0,0,0,0,0,0,1,0,-0.5,0,0,0,0,0,0,0,0,0]",
        "boundaries.wall_frequency=7", "solver.pressure=\"pcg-polynomial\"", "solids.kind=\"boxes\"",
        "solids.boxes=[3,4,2,3,2,3]");
}

TRIAD_TEST(implicit_diffusion_of_a_stream_at_a_given_rate)
{
  AGREE("grid.n=[10,8,6]", "equations.viscosity=0.1", "solver.diffusion=\"implicit\"",
        "boundaries.x=[\"inflow\",\"outflow\"]", "boundaries.y=[\"wall\",\"slip\"]", "solver.pressure=\"cg\"");
}

/* ---- ready cases ---- */

/* With parallel.device = "auto" those that are meant for a GPU go there, and find their pressure by the transform. */
TRIAD_TEST(large_cases_go_to_a_gpu)
{
  static const char *const name[] = {"channel-180", "stirred-decay", "strained-decay", "staggered-tgv"};
  for (int i = 0; i < 4; i++) {
    char path[256], *text = NULL;
    size_t length;
    triad_case *given;
    triad_staggered_setup setup;
    triad_partition blocks;
    int expected = 0;
    (void)snprintf(path, sizeof path, "runs/%s/case.toml", name[i]);
    TRIAD_CHECK(triad_case_load_text(path, &text, &length));
    TRIAD_CHECK(triad_case_parse(&given, path, text, length, NULL, 0));
    TRIAD_CHECK(triad_staggered_read(given, 0, triad_test_comm()->size, &setup, &blocks));
    TRIAD_CHECK(triad_staggered_expects_gpu(given, &setup, &blocks, &expected));
    TRIAD_HOLDS(expected && !triad_staggered_devices.refusal(given), "%s stays on the CPU", name[i]);
    TRIAD_EQUAL(setup.pressure, setup.solids ? TRIAD_STAGGERED_CG_TRANSFORM : TRIAD_STAGGERED_TRANSFORM, name[i]);
    TRIAD_EQUAL(setup.implicit, 0, "implicit diffusion");
    triad_case_destroy(&given);
    free(text);
  }
}

/* AMD GPUs have no library of transforms: their pressure is iterated for, or the case is refused, and with "auto" stays
 * on the CPU. */
static int library = 1;
int __wrap_triad_device_transforms(void);
int __wrap_triad_device_transforms(void) { return library; }

static int pressure_without_library(const char *pressure, const char *device, const char **why)
{
  const char *const sets[] = {"grid.n=[16,16,16]", pressure, device};
  triad_case *given;
  triad_staggered_setup setup;
  triad_partition blocks;
  TRIAD_CHECK(triad_case_parse(&given, "test", common, strlen(common), sets, 3));
  library = 0;
  TRIAD_CHECK(triad_staggered_read(given, 0, triad_test_comm()->size, &setup, &blocks));
  *why = triad_staggered_devices.refusal(given);
  library = 1;
  triad_case_destroy(&given);
  return (int)setup.pressure;
}

TRIAD_TEST(without_a_library_of_transforms_pressure_is_iterated_for)
{
  const char *why, *gpu = "parallel.device=\"gpu\"";
  TRIAD_EQUAL(pressure_without_library("solver.pressure=\"auto\"", gpu, &why), TRIAD_STAGGERED_CG_POLYNOMIAL, "auto");
  TRIAD_HOLDS(!why, "%s", why);
  TRIAD_EQUAL(pressure_without_library("solver.pressure=\"cg\"", gpu, &why), TRIAD_STAGGERED_CG, "cg");
  TRIAD_HOLDS(!why, "%s", why);
  TRIAD_EQUAL(pressure_without_library("solver.pressure=\"transform\"", gpu, &why), TRIAD_STAGGERED_TRANSFORM, "named");
  TRIAD_HOLDS(why && strstr(why, "set solver.pressure = \"pcg-polynomial\""), "%s", why ? why : "a GPU takes it");
  TRIAD_EQUAL(pressure_without_library("solver.pressure=\"auto\"", "parallel.device=\"auto\"", &why),
              TRIAD_STAGGERED_TRANSFORM, "on the CPU");
  TRIAD_HOLDS(why, "with auto the flow stays on the CPU");
}

/* Once cubes are fluid the transform is the solve, at once in each of the three stages. */
TRIAD_TEST(a_solve_after_the_release_is_at_once)
{
  const char *const sets[] = {"grid.n=[8,7,9]",
                              "solver.pressure=\"pcg-transform\"",
                              "solids.kind=\"random-cubes\"",
                              "solids.count=3",
                              "solids.side=2",
                              "solids.release=0.01",
                              "forcing.kind=\"stirring\"",
                              "initial.kind=\"rest\"",
                              "solver.tolerance=1e-10",
                              NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  advance(&gpu, 1);
  TRIAD_HOLDS(gpu.flow->iterations > 3, "%d iterations around cubes", gpu.flow->iterations);
  advance(&gpu, 1);
  TRIAD_EQUAL(gpu.flow->iterations, 3, "iterations of a step");
  drop(&gpu);
}

/* ---- several ranks: kernels that meet, or messages and the host ---- */

/* Where nothing is said kernels meet, for each rank of the tests has a GPU of its own; a word, or no overlap, asks for
 * messages. */
TRIAD_TEST(kernels_of_ranks_meet)
{
  static const struct {
    const char *transport, *overlap;
    int meets;
  } row[] = {{"auto", "auto", 1}, {"auto", "on", 1}, {"auto", "off", 0},
             {"put", "auto", 1},  {"ipc", "on", 0},  {"staged", "auto", 0}};
  int several = triad_test_comm()->size > 1;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char transport[64], overlap[64];
    (void)snprintf(transport, sizeof transport, "parallel.transport=\"%s\"", row[i].transport);
    (void)snprintf(overlap, sizeof overlap, "solver.overlap=\"%s\"", row[i].overlap);
    const char *const sets[] = {"grid.n=[8,7,18]", transport, overlap, "solver.pressure=\"cg\"", NULL};
    test_cells gpu = make(sets, "parallel.device=\"gpu\"");
    TRIAD_EQUAL(gpu.flow->gpu->windows.meets, several && row[i].meets, row[i].transport);
    if (several && row[i].meets)
      TRIAD_HOLDS(strcmp(triad_solver_staggered.costs(gpu.flow).transport, "put") == 0, "the name of the transport");
    drop(&gpu);
  }
}

TRIAD_TEST(stores_without_overlap_are_refused)
{
  const char *const sets[] = {"grid.n=[8,7,18]", "parallel.transport=\"put\"", "solver.overlap=\"off\"",
                              "parallel.device=\"gpu\""};
  triad_case *given;
  triad_needs needs = {0};
  if (triad_test_comm()->size == 1) TRIAD_SKIP("one rank stores nowhere");
  TRIAD_CHECK(triad_case_parse(&given, "test", common, strlen(common), sets, 4));
  TRIAD_FAILS(triad_staggered_check(given, triad_test_comm()->size, 1, &needs), TRIAD_ERR_CASE, "solver.overlap");
  triad_case_destroy(&given);
}

/* Blocks of threads come in another order, ranks are added up elsewhere, halos arrive another way: two ranks find
 * the same numbers, for the sum of two is rounded once in any case; more than two add up in an order. */
static void same_as_by_messages(const char *const *sets)
{
  const char *with[SETS] = {NULL};
  int n = 0;
  for (; sets[n]; n++) with[n] = sets[n];
  with[n] = "parallel.transport=\"put\"";
  test_cells met = make(with, "parallel.device=\"gpu\"");
  with[n] = "parallel.transport=\"ipc\"";
  with[n + 1] = "solver.overlap=\"off\"";
  test_cells told = make(with, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(met.flow->gpu->windows.meets && !told.flow->gpu->windows.meets, "the same way twice");
  advance(&met, 2);
  advance(&told, 2);
  if (triad_test_comm()->size == 2) TRIAD_EQUAL(met.flow->all_iterations, told.flow->all_iterations, "iterations");
  compare(&met, &told, triad_test_comm()->size == 2 ? 0 : 1e-10);
  drop(&met);
  drop(&told);
}

#define SAME(...) same_as_by_messages((const char *const[]){__VA_ARGS__, NULL})

/* Divided along each axis, into blocks of several sizes, with an end that is a wall's; all kinds of coefficients. */
TRIAD_TEST(stores_and_messages_find_the_same)
{
  char along_x[64], along_y[64];
  int n = triad_test_comm()->size;
  if (n == 1) TRIAD_SKIP("one rank has nobody to tell");
  (void)snprintf(along_x, sizeof along_x, "parallel.blocks=[%d,1,1]", n);
  (void)snprintf(along_y, sizeof along_y, "parallel.blocks=[1,%d,1]", n);
  SAME("grid.n=[9,7,20]", "solver.pressure=\"pcg-polynomial\"");
  SAME("grid.n=[11,6,8]", "solver.pressure=\"cg\"", along_x);
  SAME("grid.n=[8,13,7]", "solver.pressure=\"pcg-polynomial\"", along_y, "solids.kind=\"boxes\"",
       "solids.boxes=[4,2,1,4,9,5]");
  SAME("grid.n=[13,8,7]", "solver.pressure=\"pcg-polynomial\"", along_x, "grid.stretch=[1,0,0]",
       "boundaries.x=[\"wall\",\"slip\"]", "time.dt=0.002");
  SAME("grid.n=[9,8,12]", "solver.pressure=\"pcg-transform\"", "solids.kind=\"random-cubes\"", "solids.count=3",
       "solids.side=2");
}

/* By messages inner cells are worked at while halos travel. All kinds of coefficients; are the cells in parts where
 * there is more than one rank, and each in one of them? */
TRIAD_TEST(cells_by_parts)
{
  const char *const sets[] = {"grid.n=[8,7,18]", "solver.overlap=\"on\"", "parallel.transport=\"ipc\"",
                              "solver.pressure=\"cg\"", NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_staggered_gpu_parts *p = &gpu.flow->gpu->solver.parts;
  int64_t cells = (int64_t)p->inner.local[0] * p->inner.local[1] * p->inner.local[2];
  for (int i = 0; i < p->planes; i++)
    cells += (int64_t)p->plane[i].local[0] * p->plane[i].local[1] * p->plane[i].local[2];
  TRIAD_EQUAL(p->apart, triad_test_comm()->size > 1, "in parts");
  if (p->apart) TRIAD_EQUAL(cells, triad_partition_points(&gpu.flow->blocks), "cells");
  drop(&gpu);
  if (triad_test_comm()->size == 1) return;
  AGREE("grid.n=[8,7,18]", "solver.overlap=\"on\"", "parallel.transport=\"ipc\"", "solver.pressure=\"pcg-polynomial\"");
  AGREE("grid.n=[18,7,8]", "solver.overlap=\"on\"", "parallel.transport=\"staged\"", "solver.pressure=\"cg\"",
        "solids.kind=\"boxes\"", "solids.boxes=[4,2,1,4,3,5]");
  AGREE("grid.n=[8,18,7]", "solver.overlap=\"on\"", "parallel.transport=\"ipc\"", "solver.pressure=\"pcg-polynomial\"",
        "grid.stretch=[0,1,0]", "boundaries.y=[\"wall\",\"slip\"]", "time.dt=0.002");
}

/* Timed apart, parts take no longer than the solves that they are of; and nothing is left for who asks again. Where
 * kernels meet, planes, copies and messages are no parts of their own, and the flow is the one that is not timed. */
static void parts_of(const char *transport, int meets)
{
  const char *const sets[] = {"grid.n=[8,7,18]", "solver.overlap=\"on\"", transport,
                              "solver.pressure=\"pcg-polynomial\"", NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  double all = 0;
  int several = triad_test_comm()->size > 1;
  triad_solver_staggered.apart(gpu.flow, 1);
  (void)triad_solver_staggered.costs(gpu.flow);
  advance(&gpu, 1);
  const triad_costs costs = triad_solver_staggered.costs(gpu.flow), again = triad_solver_staggered.costs(gpu.flow);
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) {
    int there = i == TRIAD_SOLVE_INTERIOR || (several && (!meets || i == TRIAD_SOLVE_SUMS));
    TRIAD_EQUAL(costs.solve_part_s[i] > 0, there, "does a part take time?");
    TRIAD_WITHIN(again.solve_part_s[i], 0, 0, "what is left");
    all += costs.solve_part_s[i];
  }
  TRIAD_HOLDS(all <= costs.solve_s, "%g s of %g", all, costs.solve_s);
  test_cells whole = make(sets, "parallel.device=\"gpu\"");
  advance(&whole, 1);
  compare(&gpu, &whole, meets ? 0 : 1e-10);
  drop(&whole);
  drop(&gpu);
}

TRIAD_TEST(parts_of_an_iteration)
{
  parts_of("parallel.transport=\"ipc\"", 0);
  parts_of("parallel.transport=\"auto\"", 1);
}

/* ---- a run goes on ---- */

/* On from what a run has left: its fields, its instant, its notes. */
static test_cells resumed(const char *const *sets, const test_cells *from)
{
  test_cells to = make(sets, "parallel.device=\"gpu\"");
  triad_manifest manifest = {0};
  TRIAD_CHECK(triad_notes_create(&manifest.notes));
  TRIAD_CHECK(triad_staggered_keep(from->flow, manifest.notes));
  TRIAD_CHECK(triad_state_overwrite_all(to.flow->state, TRIAD_HOST));
  for (int f = 0; f < TRIAD_STAGGERED_FIELDS; f++)
    memcpy(f < 3 ? to.flow->u[0][f] : to.flow->p, f < 3 ? from->flow->u[0][f] : from->flow->p,
           (size_t)to.flow->blocks.volume * sizeof(triad_real));
  to.flow->at = from->flow->at;
  TRIAD_CHECK(triad_staggered_settle(to.flow, &manifest, NULL));
  triad_notes_destroy(&manifest.notes);
  return to;
}

/* Five steps at once, or with a stop after `before` of them, are the same to the last bit. */
static void goes_on(const char *const *sets, int before)
{
  test_cells whole = make(sets, "parallel.device=\"gpu\""), first = make(sets, "parallel.device=\"gpu\"");
  advance(&whole, 5);
  advance(&first, before);
  test_cells second = resumed(sets, &first);
  advance(&second, 5 - before);
  TRIAD_EQUAL(second.flow->released, whole.flow->released, "released");
  compare(&whole, &second, 0);
  for (int i = 0; i < 3; i++) TRIAD_NEAR(second.flow->moved[i], whole.flow->moved[i], 0, "the displacement");
  drop(&whole);
  drop(&first);
  drop(&second);
}

/* Cubes are there for two steps: a stop at their release and after it. */
TRIAD_TEST(a_run_goes_on_across_the_release)
{
  const char *const sets[] = {"grid.n=[8,7,9]",
                              "solver.pressure=\"pcg-polynomial\"",
                              "solids.kind=\"random-cubes\"",
                              "solids.count=3",
                              "solids.side=2",
                              "solids.release=0.02",
                              "forcing.kind=\"stirring\"",
                              "forcing.interval=0.015",
                              "initial.kind=\"rest\"",
                              NULL};
  goes_on(sets, 2);
  goes_on(sets, 3);
}

TRIAD_TEST(a_run_goes_on_in_a_strain)
{
  const char *const sets[] = {"grid.n=[10,8,9]",    "solver.pressure=\"cg\"", "strain.rates=[2,-3,1]",
                              "strain.start=0.005", "strain.end=0.04",        NULL};
  goes_on(sets, 2);
}

/* ---- profiles ---- */

enum { DIGITS = 16 };

/* Running sums as checkpoints keep them: the largest difference over the largest value. */
static double between(const triad_notes *a, const triad_notes *b)
{
  const char *of_a, *of_b;
  double most = 0, apart = 0;
  TRIAD_CHECK(triad_notes_text(a, "profiles", &of_a));
  TRIAD_CHECK(triad_notes_text(b, "profiles", &of_b));
  TRIAD_EQUAL((int64_t)strlen(of_b), (int64_t)strlen(of_a), "sums");
  for (size_t i = 0; of_a[i]; i += DIGITS) {
    const char *const text[2] = {of_a + i, of_b + i};
    double value[2];
    for (int k = 0; k < 2; k++) {
      char digits[DIGITS + 1] = "";
      memcpy(digits, text[k], DIGITS);
      uint64_t bits = strtoull(digits, NULL, 16);
      memcpy(&value[k], &bits, sizeof bits);
    }
    most = fmax(most, fabs(value[0]));
    apart = fmax(apart, fabs(value[0] - value[1]));
  }
  TRIAD_HOLDS(most > 0, "no sums");
  return apart / most;
}

static void profiles_agree(const char *const *sets)
{
  triad_notes *of_cpu, *of_gpu, *of_second;
  test_cells cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\""),
             first = make(sets, "parallel.device=\"gpu\"");
  advance(&cpu, 4);
  advance(&gpu, 4);
  advance(&first, 3);
  test_cells second = resumed(sets, &first);
  advance(&second, 1);
  TRIAD_CHECK(triad_notes_create(&of_cpu));
  TRIAD_CHECK(triad_notes_create(&of_gpu));
  TRIAD_CHECK(triad_notes_create(&of_second));
  TRIAD_CHECK(triad_staggered_keep(cpu.flow, of_cpu));
  TRIAD_CHECK(triad_staggered_keep(gpu.flow, of_gpu));
  TRIAD_CHECK(triad_staggered_keep(second.flow, of_second));
  TRIAD_WITHIN(between(of_cpu, of_gpu), 0, 1e-10, "profiles");
  TRIAD_WITHIN(between(of_gpu, of_second), 0, 0, "profiles after a restart");
  triad_notes_destroy(&of_cpu);
  triad_notes_destroy(&of_gpu);
  triad_notes_destroy(&of_second);
  drop(&cpu);
  drop(&gpu);
  drop(&first);
  drop(&second);
}

/* Every second state counts: one before the restart, one after it; across each axis. */
TRIAD_TEST(profiles_of_a_channel)
{
  const char *const along_y[] = {"grid.n=[8,12,6]",
                                 "grid.stretch=[0,1,0]",
                                 "boundaries.y=[\"wall\",\"wall\"]",
                                 "profiles.every=2",
                                 "solver.pressure=\"cg\"",
                                 "time.dt=0.002",
                                 NULL};
  const char *const along_x[] = {"grid.n=[9,6,8]",
                                 "boundaries.x=[\"wall\",\"slip\"]",
                                 "profiles.every=2",
                                 "solver.pressure=\"cg\"",
                                 "solids.kind=\"boxes\"",
                                 "solids.boxes=[3,2,2,2,2,2]",
                                 NULL};
  profiles_agree(along_y);
  profiles_agree(along_x);
}

TRIAD_MAIN
