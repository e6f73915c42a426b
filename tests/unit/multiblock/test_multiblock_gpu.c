/* The multi-block solver's kernels and what drives them, on the host (tests/help/fake): the same flow as on the CPU, of
 * every flux, between boundaries of all kinds, on blocks turned every way and flat along any axis, on any ranks. What
 * is concurrent on a GPU is for tests/gpu/check.   ranks: 1 2   waves: 64   timeout: 400 */
#include "multiblock_flow.h"

#include "solvers/multiblock/gpu/gpu_internal.h"
#include "solvers/multiblock/measure/measure.h"
#include "solvers/multiblock/state/faces.h"
#include "solvers/multiblock/state/metrics.h"
#include "solvers/multiblock/step/freeze.h"
#include "solvers/multiblock/step/halos.h"

#include <stdlib.h>

enum { STEPS = 2 };

/* The largest difference of own cells, each field's over its largest value, of momenta over the largest of all three.
 */
static double difference(test_blocks *a, test_blocks *b)
{
  const triad_space *s = &a->flow->space;
  double mine[2 * TRIAD_MULTIBLOCK_FIELDS] = {0}, all[2 * TRIAD_MULTIBLOCK_FIELDS], worst = 0, momentum = 0;
  TRIAD_CHECK(triad_state_read_all(a->flow->state, TRIAD_HOST));
  TRIAD_CHECK(triad_state_read_all(b->flow->state, TRIAD_HOST));
  for (int64_t i = 0; i < s->n_runs; i++) {
    triad_space_run run;
    s->kind->run(s, i, &run);
    for (int64_t at = run.at; at < run.at + run.count; at++)
      for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
        double d = fabs((double)(a->flow->u[m][at] - b->flow->u[m][at]));
        mine[m] = fmax(mine[m], isfinite(d) ? d : INFINITY);
        mine[TRIAD_MULTIBLOCK_FIELDS + m] = fmax(mine[TRIAD_MULTIBLOCK_FIELDS + m], fabs((double)a->flow->u[m][at]));
      }
  }
  TRIAD_CHECK(
    TRIAD_MPI(MPI_Allreduce(mine, all, 2 * TRIAD_MULTIBLOCK_FIELDS, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  for (int m = 1; m < 4; m++) momentum = fmax(momentum, all[TRIAD_MULTIBLOCK_FIELDS + m]);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    worst = fmax(worst, all[m] / (m > 0 && m < 4 ? momentum : all[TRIAD_MULTIBLOCK_FIELDS + m]));
  return worst;
}

/* Steps on both. They differ in the order of sums at a cell: a few units of rounding a step, of fluxes as large as the
 * state. */
static void agree(const char *const *sets)
{
  double of_a[64] = {0}, of_b[64] = {0};
  test_blocks cpu = make_flow(sets, "parallel.device=\"cpu\""), gpu = make_flow(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance_flow(&cpu, 0.7, STEPS);
  advance_flow(&gpu, 0.7, STEPS);
  TRIAD_WITHIN(difference(&gpu, &cpu), 0, 1e-12, sets[0]);
  TRIAD_CHECK(triad_multiblock_measure(cpu.flow, of_a));
  TRIAD_CHECK(triad_multiblock_measure(gpu.flow, of_b));
  double force = fmax(fabs(of_a[9]), fmax(fabs(of_a[10]), fabs(of_a[11])));
  for (int i = 0; i < cpu.flow->n_columns; i++) {
    const char *name = cpu.flow->columns[i].name;
    const int of_force = strncmp(name, "force", 5) == 0 || strncmp(name, "friction", 8) == 0;
    double scale = of_force ? fmax(force, 1e-30) : fmax(fabs(of_a[i]), 1e-3);
    TRIAD_WITHIN((of_b[i] - of_a[i]) / scale, 0, 1e-9, name);
  }
  drop_flow(&cpu);
  drop_flow(&gpu);
}

#define AGREE(...) agree((const char *const[]){__VA_ARGS__, NULL})
#define TURNED "grid.blocks=[2,2,2]", "grid.turned=true"

TRIAD_TEST(every_flux_on_blocks_turned_every_way)
{
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"roe\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"van-leer\"", "equations.limiter=\"minmod\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"steger-warming\"", "equations.limiter=\"none\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"ausm+\"", "equations.limiter=\"superbee\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"hllc\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"rusanov\"", "equations.limiter=\"ospre\"");
  AGREE("grid.n=[14,12,10]", TURNED, "equations.riemann=\"roe-sonic\"");
}

/* Tiles that no side divides evenly, and more than one of them along each axis. */
TRIAD_TEST(one_block_of_many_tiles)
{
  AGREE("grid.n=[70,13,5]", "equations.limiter=\"van-leer\"");
  AGREE("grid.n=[9,40,7]", "equations.limiter=\"ospre\"", "time.scheme=\"rk4\"");
  AGREE("grid.n=[4,5,70]", "time.scheme=\"rk1\"");
}

/* Local steps by rates that their first stage finds: boxes, flat blocks, one stage, laminar flow; and those that
 * every cell takes alike, whose rates must be known before. The largest rate is told as before. */
TRIAD_TEST(rates_in_the_first_stage)
{
  AGREE("grid.n=[14,12,10]", TURNED, "time.scheme=\"rk2\"");
  AGREE("grid.n=[30,24,1]", "grid.blocks=[3,2,1]", "grid.turned=true", "time.scheme=\"rk4\"");
  AGREE("grid.n=[4,5,70]", "time.scheme=\"rk1\"");
  AGREE("grid.n=[12,14,10]", "equations.model=\"laminar\"", "equations.viscosity=1", "time.scheme=\"rk2\"");
  AGREE("grid.n=[12,14,10]", "time.local=false", "time.scheme=\"rk2\"");
}

/* Without viscosity laminar flow is Euler's, and keeps its area vectors; that finds them from nodes, on boxes. */
static void same_on_nodes(const char *device, const char *more)
{
  const char *const nodes[] = {"grid.n=[35,12,10]", TURNED, more, NULL};
  const char *const areas[] = {"grid.n=[35,12,10]",     TURNED, more, "equations.model=\"laminar\"",
                               "equations.viscosity=0", NULL};
  test_blocks a = make_flow(nodes, device), b = make_flow(areas, device);
  TRIAD_HOLDS(a.flow->node[0] && !a.flow->s[0][0] && !b.flow->node[0] && b.flow->s[2][2], "nodes, then areas are kept");
  advance_flow(&a, 0.7, STEPS);
  advance_flow(&b, 0.7, STEPS);
  TRIAD_WITHIN(difference(&a, &b), 0, 1e-13, "on nodes and by areas");
  TRIAD_NEAR(a.flow->rate, b.flow->rate, 1e-12 * b.flow->rate, "the largest rate");
  drop_flow(&a);
  drop_flow(&b);
}

TRIAD_TEST(areas_that_follow_from_nodes_are_those_kept)
{
  same_on_nodes("parallel.device=\"cpu\"", "time.scheme=\"rk2\"");
  same_on_nodes("parallel.device=\"gpu\"", "time.scheme=\"rk2\"");
  same_on_nodes("parallel.device=\"gpu\"", "time.local=false");
}

/* An area vector across the axis that all blocks are flat along is nobody's. */
TRIAD_TEST(planes_keep_areas_of_two_axes)
{
  const char *const one_way[] = {"grid.n=[12,10,1]", "grid.blocks=[2,1,1]", NULL}, *const turned[] = {
                                                                                     "grid.n=[12,10,1]",
                                                                                     "grid.blocks=[2,2,1]",
                                                                                     "grid.turned=true", NULL};
  test_blocks a = make_flow(one_way, "parallel.device=\"gpu\""), b = make_flow(turned, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(a.flow->s[0][0] && a.flow->s[1][0] && !a.flow->s[2][0] && !a.flow->gpu->kernel.s[2][0],
              "areas of planes");
  TRIAD_HOLDS(b.flow->s[0][0] && b.flow->s[1][0] && b.flow->s[2][0], "areas of planes turned every way");
  TRIAD_EQUAL(triad_multiblock_metric_words(&a.flow->setup, a.flow->zones), 7, "numbers a cell");
  TRIAD_EQUAL(triad_multiblock_metric_words(&b.flow->setup, b.flow->zones), 10, "numbers a cell");
  drop_flow(&a);
  drop_flow(&b);
}

/* What is told before a run: boundary faces one by one, and the GPU's memory but for lists of tiles and sums over
 * them. */
static void foretold(const char *n, const char *blocks, const char *more)
{
  const char *const sets[] = {n, blocks, "grid.turned=true", more, NULL};
  test_blocks o = make_flow(sets, "parallel.device=\"gpu\"");
  const triad_multiblock_flow *f = o.flow;
  TRIAD_EQUAL(triad_multiblock_open_faces(f->zones, triad_test_comm()->rank), f->n_faces, "boundary faces");
  const double told = (double)triad_multiblock_gpu_steps->bytes(&f->setup, f->zones, f->space.memory, f->n_faces),
               taken = (double)triad_device_peak(f->device);
  TRIAD_HOLDS(taken >= told && taken < 1.06 * told, "%.0f bytes of a GPU are taken, %.0f were told", taken, told);
  drop_flow(&o);
}

TRIAD_TEST(memory_is_what_was_told)
{
  if (triad_test_comm()->size > 1) return; /* messages' buffers are the halos' */
  foretold("grid.n=[40,36,44]", "grid.blocks=[2,1,2]", "grid.period=[0,0,0]");
  foretold("grid.n=[40,36,44]", "grid.blocks=[1,2,1]", "equations.model=\"laminar\"");
  foretold("grid.n=[150,140,1]", "grid.blocks=[1,2,1]", "time.scheme=\"rk4\"");
  foretold("grid.n=[40,36,44]", "grid.blocks=[1,2,1]", "time.limiter_freeze=1");
}

static double rate_after(const char *const *sets, const char *device, int steps)
{
  test_blocks o = make_flow(sets, device);
  advance_flow(&o, 0.7, steps);
  const double rate = o.flow->rate;
  drop_flow(&o);
  return rate;
}

TRIAD_TEST(the_largest_rate_is_that_of_the_steps_start)
{
  const char *const sets[] = {"grid.n=[14,12,10]", TURNED, NULL};
  const double on_a_cpu = rate_after(sets, "parallel.device=\"cpu\"", 3);
  TRIAD_NEAR(rate_after(sets, "parallel.device=\"gpu\"", 3), on_a_cpu, 1e-12 * on_a_cpu, "the largest rate");
}

/* On several ranks some tiles, here and on the CPU, wait for no message, and some do. */
TRIAD_TEST(tiles_inside_wait_for_nobody)
{
  char n[32];
  (void)snprintf(n, sizeof n, "grid.n=[5,4,%d]", 80 * triad_test_comm()->size);
  const char *const sets[] = {n, NULL};
  const int alone = triad_test_comm()->size == 1;
  test_blocks gpu = make_flow(sets, "parallel.device=\"gpu\"");
  const triad_multiblock_flow *f = gpu.flow;
  TRIAD_HOLDS(f->n_inner > 0 && (alone ? f->n_inner == f->n_tiles : f->n_inner < f->n_tiles),
              "%d of %d tiles wait for nobody", f->n_inner, f->n_tiles);
  const triad_multiblock_gpu *k = &f->gpu->kernel;
  const int early = k->early[TRIAD_MULTIBLOCK_GPU_ROWS], all = k->begin[TRIAD_MULTIBLOCK_GPU_ROWS + 1];
  TRIAD_HOLDS(early > 0 && (alone ? early == all : early < all), "%d of %d tiles wait for nobody on the GPU", early,
              all);
  drop_flow(&gpu);
}

/* A few long marches behind the others would take as much time again. */
TRIAD_TEST(tiles_that_wait_are_short)
{
  char n[32];
  (void)snprintf(n, sizeof n, "grid.n=[%d,1000,1]", 480 * triad_test_comm()->size);
  const char *const sets[] = {n, NULL};
  if (triad_test_comm()->size == 1) return;
  test_blocks gpu = make_flow(sets, "parallel.device=\"gpu\"");
  const triad_multiblock_gpu *k = &gpu.flow->gpu->kernel;
  const int first = k->begin[TRIAD_MULTIBLOCK_GPU_PLANES], late = first + k->early[TRIAD_MULTIBLOCK_GPU_PLANES],
            end = k->begin[TRIAD_MULTIBLOCK_GPU_PLANES + 1];
  int longest = 0, cells = 0;
  for (int t = first; t < end; t++) {
    if (t >= late && k->tile[t].length > longest) longest = k->tile[t].length;
    cells += k->tile[t].length;
  }
  TRIAD_HOLDS(first < late && late < end, "%d of %d tiles wait", end - late, end - first);
  TRIAD_HOLDS(longest > 0 && 4 * longest <= k->tile[first].length, "marches of %d cells wait, those of %d do not",
              longest, k->tile[first].length);
  const int apart = TRIAD_MULTIBLOCK_GPU_LANES - 2;
  TRIAD_EQUAL(cells, 1000 * ((480 + 2 - 2 + apart - 1) / apart), "cells along all marches");
  drop_flow(&gpu);
}

TRIAD_TEST(planes_flat_along_each_axis)
{
  AGREE("grid.n=[30,24,1]", "grid.blocks=[3,2,1]", "grid.turned=true");
  AGREE("grid.n=[200,6,1]");
}

TRIAD_TEST(laminar_between_walls)
{
#define SIDES \
  "boundaries.patches=[\"ymin: wall, temperature=310\", \"ymax: wall, u=20\", \"zmin: symmetry\", \"zmax: slip\", "
  AGREE("grid.n=[12,14,10]", "equations.model=\"laminar\"", "equations.viscosity=1",
        SIDES "\"xmin: total, pressure=1.2e5, temperature=310\", \"xmax: farfield, pressure=1e5, mach=0.3, "
              "temperature=300\"]");
  AGREE(
    "grid.n=[12,14,10]", TURNED, "equations.model=\"laminar\"", "equations.viscosity=1",
    SIDES
    "\"xmin: subsonic-inflow, pressure=1e5, temperature=300, mach=0.3\", \"xmax: subsonic-outflow, pressure=1e5\"]");
  AGREE("grid.n=[16,18,1]", "grid.blocks=[2,2,1]", "grid.turned=true", "equations.model=\"laminar\"",
        "equations.viscosity=1", "equations.viscosity_law=\"power\"");
}

TRIAD_TEST(known_flows_and_their_sources)
{
  AGREE("grid.n=[20,16,1]", "solution.kind=\"manufactured-euler\"", "initial.kind=\"solution\"",
        "boundaries.patches=[\"*: exact\"]", "time.scheme=\"rk3\"");
  AGREE("grid.n=[20,16,1]", "solution.kind=\"manufactured-laminar\"", "initial.kind=\"solution\"",
        "equations.model=\"laminar\"", "equations.viscosity=10", "boundaries.patches=[\"*: exact\"]");
}

TRIAD_TEST(steps_in_time)
{
  AGREE("grid.n=[12,10,9]", TURNED, "time.steady=false", "time.end=1", "time.scheme=\"ssprk3\"");
  AGREE("grid.n=[12,10,9]", "time.steady=false", "time.end=1", "time.scheme=\"rk2\"");
  AGREE("grid.n=[12,10,9]", "time.local=false", "time.first_order=0.5");
  AGREE("grid.n=[12,10,9]", "equations.order=1");
}

TRIAD_TEST(implicit_steps)
{
  AGREE("grid.n=[12,10,9]", TURNED, "time.scheme=\"implicit\"");
  AGREE("grid.n=[16,18,1]", "grid.blocks=[2,2,1]", "grid.turned=true", "time.scheme=\"implicit\"", "time.sweeps=3",
        "equations.model=\"laminar\"", "equations.viscosity=1");
}

/* Limiters freeze after the first step; the second takes the factors that the device has found. */
TRIAD_TEST(frozen_limiters)
{
#define FROZEN "time.limiter_freeze=1"
  AGREE("grid.n=[14,12,10]", TURNED, FROZEN);
  AGREE("grid.n=[35,12,10]", FROZEN, "equations.limiter=\"superbee\"", "time.scheme=\"rk2\"", "time.local=false");
  AGREE("grid.n=[30,24,1]", "grid.blocks=[3,2,1]", "grid.turned=true", FROZEN, "equations.riemann=\"ausm+\"");
  AGREE("grid.n=[12,14,10]", TURNED, FROZEN, "equations.model=\"laminar\"", "equations.viscosity=1");
  AGREE("grid.n=[12,10,9]", TURNED, FROZEN, "time.scheme=\"implicit\"");
}

/* Freezing changes the second step: a GPU that went on with its limiters would differ from the CPU in the test above.
 */
TRIAD_TEST(frozen_limiters_are_others)
{
  const char *const with[] = {"grid.n=[12,10,9]", TURNED, FROZEN, NULL}, *const without[] = {"grid.n=[12,10,9]", TURNED,
                                                                                             NULL};
  test_blocks a = make_flow(with, "parallel.device=\"gpu\""), b = make_flow(without, "parallel.device=\"gpu\"");
  advance_flow(&a, 0.7, 1);
  advance_flow(&b, 0.7, 1);
  TRIAD_WITHIN(difference(&a, &b), 0, 0, "in the first step");
  TRIAD_HOLDS(a.flow->frozen && !b.flow->frozen, "which is frozen");
  advance_flow(&a, 0.7, 1);
  advance_flow(&b, 0.7, 1);
  TRIAD_HOLDS(difference(&a, &b) > 1e-7, "frozen limiters change nothing");
  drop_flow(&a);
  drop_flow(&b);
}

/* On from what a GPU has left, on the CPU, and on the GPU anew: the same bits there. */
static void goes_on(const char *more)
{
  const char *const sets[] = {"grid.n=[12,10,9]", TURNED, "equations.model=\"laminar\"", more, NULL};
  test_blocks cpu = make_flow(sets, "parallel.device=\"cpu\""), gpu = make_flow(sets, "parallel.device=\"gpu\"");
  test_blocks again = make_flow(sets, "parallel.device=\"gpu\"");
  advance_flow(&gpu, 0.7, 2);
  TRIAD_CHECK(triad_state_read_all(gpu.flow->state, TRIAD_HOST));
  test_blocks *const to[2] = {&cpu, &again};
  for (int i = 0; i < 2; i++) {
    TRIAD_CHECK(triad_state_overwrite_all(to[i]->flow->state, TRIAD_HOST));
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
      memcpy(to[i]->flow->u[m], gpu.flow->u[m], (size_t)gpu.flow->space.memory * sizeof(triad_real));
    to[i]->flow->at = gpu.flow->at;
    memcpy(to[i]->flow->first, gpu.flow->first, sizeof gpu.flow->first);
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS && gpu.flow->frozen; m++)
      memcpy(to[i]->flow->frozen_u[m], gpu.flow->frozen_u[m], (size_t)gpu.flow->space.memory * sizeof(triad_real));
    if (gpu.flow->frozen) TRIAD_CHECK(triad_multiblock_freeze_again(to[i]->flow));
    TRIAD_CHECK(triad_multiblock_refresh(to[i]->flow));
    advance_flow(to[i], 0.7, 2);
  }
  advance_flow(&gpu, 0.7, 2);
  TRIAD_WITHIN(difference(&again, &gpu), 0, 0, "from a state that was read");
  TRIAD_WITHIN(difference(&cpu, &gpu), 0, 1e-12, "on the CPU");
  drop_flow(&cpu);
  drop_flow(&gpu);
  drop_flow(&again);
}

TRIAD_TEST(the_state_comes_back_and_goes_there)
{
  goes_on("time.residual=0");
  goes_on(FROZEN);
}

TRIAD_TEST(a_cell_without_pressure_is_found)
{
  const char *const sets[] = {"grid.n=[12,10,9]", NULL};
  triad_step step = {.cfl = 0.7, .land_on = INFINITY};
  test_blocks gpu = make_flow(sets, "parallel.device=\"gpu\"");
  triad_multiblock_flow *f = gpu.flow;
  TRIAD_CHECK(triad_state_write_all(f->state, TRIAD_HOST));
  f->u[4][f->part[0]->origin + 1] = -1;
  TRIAD_CHECK(triad_multiblock_settle(f, NULL, NULL));
  TRIAD_FAILS(triad_multiblock_advance(f, &step), TRIAD_ERR_BLOWUP, "");
  TRIAD_HOLDS(f->bad_place >= 0, "no place of the bad cell");
  drop_flow(&gpu);
}

TRIAD_MAIN
