/* What follows a step of flux-corrected transport on a GPU, on the host (tests/help/fake): sponges, means in time,
 * the series, values at probes, all as on the CPU, and without the state or the values coming to the host.   ranks:
 * 1 2 3   timeout: 200 */
#include "unstructured_gpu.h"
#include "solvers/unstructured/measure/budget.h"
#include "solvers/unstructured/host/host_after.h"

#define SPONGES \
  "output.means=true", "boundaries.patches=[\"xmin: inflow, pressure=1, density=1, u=0.5, v=0.2\", \"xmax: farfield, " \
                       "pressure=1, u=0.5, sponge=0.5, strength=30\", " \
                       "\"ymin: farfield, pressure=1, sponge=0.2, strength=50\"]"

static int column(const test_mesh *o, const char *name)
{
  for (int i = 0; i < o->flow->n_columns; i++)
    if (strcmp(o->flow->columns[i].name, name) == 0) return i;
  fail_msg("no column %s", name);
  return 0;
}

/* Both do the same at each cell; a compiler may take a product and a sum in one. */
static void both_agree(const char *const *sets)
{
  double row[TRIAD_UNSTRUCTURED_MAX_COLUMNS];
  test_mesh cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  take_steps(&cpu, STEPS);
  take_steps(&gpu, STEPS);
  columns_agree(&cpu, &gpu);
  TRIAD_CHECK(triad_unstructured_measure(gpu.flow, row));
  TRIAD_WITHIN(row[column(&gpu, "mass_drift")], 0, 1e-13, "what sponges took left through their patches");
  TRIAD_WITHIN(row[column(&gpu, "energy_drift")], 0, 1e-13, "what sponges took left through their patches");
  TRIAD_HOLDS(gpu.flow->stale, "steps with means, and the series, took values of all cells to the host");
  TRIAD_CHECK(triad_unstructured_refresh(gpu.flow));
  TRIAD_WITHIN(difference(&cpu, &cpu.flow->view.u, &gpu, &gpu.flow->view.u, TRIAD_UNSTRUCTURED_FIELDS, 0), 0, 1e-12,
               "the state");
  TRIAD_WITHIN(difference(&cpu, &cpu.flow->view.value, &gpu, &gpu.flow->view.value, TRIAD_UNSTRUCTURED_VALUES, 0), 0,
               1e-12, "values");
  TRIAD_WITHIN(difference(&cpu, &cpu.flow->mean, &gpu, &gpu.flow->mean, TRIAD_UNSTRUCTURED_MEANS, 0), 0, 1e-12,
               "means");
  drop(&cpu);
  drop(&gpu);
}

#define BOTH(...) both_agree((const char *const[]){SPONGES, __VA_ARGS__, NULL})

TRIAD_TEST(zones_and_lists) { BOTH("grid.structured=\"auto\""); }
TRIAD_TEST(bricks_alone)
{
  BOTH("grid.kind=\"hexes\"", "grid.n=[9,8,9]", "grid.shake=0", "equations.gradients=\"near\"");
}
TRIAD_TEST(tetrahedra_by_corners) { BOTH("grid.kind=\"tets\"", "grid.n=[5,4,3]", "grid.faces=\"corners\""); }
TRIAD_TEST(faces_that_add) { BOTH("grid.kind=\"tets\"", "grid.n=[5,4,3]", "grid.loops=\"colours\""); }
TRIAD_TEST(the_low_order_flux) { BOTH("equations.transport=\"low\""); }

/* What a sponge does is not nothing. */
TRIAD_TEST(sponges_draw)
{
  const char *const with[] = {SPONGES, "grid.kind=\"hexes\"", NULL},
                    *const without[] = {"grid.kind=\"hexes\"",
                                        "boundaries.patches=[\"xmin: inflow, pressure=1, density=1, u=0.5, v=0.2\", "
                                        "\"xmax: farfield, pressure=1, u=0.5\", \"ymin: farfield, pressure=1\"]",
                                        NULL};
  test_mesh a = make(with, "parallel.device=\"gpu\""), b = make(without, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(a.flow->gpu->sponge.cell && !b.flow->gpu->sponge.cell, "cells of sponges");
  take_steps(&a, STEPS);
  take_steps(&b, STEPS);
  TRIAD_CHECK(triad_unstructured_refresh(a.flow));
  TRIAD_CHECK(triad_unstructured_refresh(b.flow));
  TRIAD_HOLDS(difference(&a, &a.flow->view.u, &b, &b.flow->view.u, TRIAD_UNSTRUCTURED_FIELDS, 0) > 1e-3,
              "the state is as without a sponge");
  drop(&a);
  drop(&b);
}

/* The state on the host is the newest. */
static void write_on_host(triad_unstructured_flow *f)
{
  void *memory;
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
    TRIAD_CHECK(triad_state_overwrite(f->state, k, TRIAD_HOST, &memory));
}

/* A flow that is set anew begins its means anew. */
TRIAD_TEST(means_begin_anew)
{
  const char *const sets[] = {SPONGES, "grid.kind=\"tets\"", "grid.n=[5,4,3]", NULL};
  test_mesh twice = make(sets, "parallel.device=\"gpu\""), once = make(sets, "parallel.device=\"gpu\"");
  take_steps(&twice, STEPS);
  write_on_host(twice.flow);
  TRIAD_CHECK(triad_unstructured_initial(twice.flow, NULL));
  twice.flow->at = once.flow->at;
  TRIAD_CHECK(triad_unstructured_settle(twice.flow, NULL, NULL));
  take_steps(&twice, 1);
  take_steps(&once, 1);
  TRIAD_CHECK(triad_unstructured_refresh(once.flow));
  TRIAD_CHECK(triad_unstructured_refresh(twice.flow));
  TRIAD_WITHIN(difference(&once, &once.flow->mean, &twice, &twice.flow->mean, TRIAD_UNSTRUCTURED_MEANS, 0), 0, 0,
               "means");
  drop(&once);
  drop(&twice);
}

/* The mean over steps of different lengths is their sum over the time, and a covariance that of its definition, by
 * means on a CPU that have seen each state. */
TRIAD_TEST(means_are_those_of_all_states)
{
  const char *const sets[] = {SPONGES, "grid.kind=\"tets\"", "grid.n=[5,4,3]", NULL};
  test_mesh o = make(sets, "parallel.device=\"gpu\"");
  triad_unstructured_flow *f = o.flow;
  const int64_t n = f->domain->n_cells, pitch = f->view.value.pitch;
  double *sum = calloc((size_t)n * 3, sizeof *sum), time = 0; /* of u, v, u v */
  for (int i = 0; i < STEPS; i++) {
    triad_step step = {.cfl = 0.1 * (1 + i), .dt_max = 1, .land_on = INFINITY};
    const double before = f->at.t;
    TRIAD_CHECK(triad_unstructured_advance(f, &step));
    TRIAD_CHECK(triad_unstructured_refresh(f));
    const double dt = f->at.t - before;
    time += dt;
    for (int64_t c = 0; c < n; c++) {
      const double u = (double)f->view.value.at[pitch + c], v = (double)f->view.value.at[2 * pitch + c];
      sum[c] += dt * u;
      sum[n + c] += dt * v;
      sum[2 * n + c] += dt * u * v;
    }
  }
  for (int64_t c = 0; c < n; c++) {
    const double u = sum[c] / time, v = sum[n + c] / time;
    TRIAD_WITHIN((double)f->mean.at[f->mean.pitch + c], u, 1e-14 * (1 + fabs(u)), "mean of u");
    TRIAD_WITHIN((double)f->mean.at[8 * f->mean.pitch + c], sum[2 * n + c] / time - u * v,
                 1e-14 * (1 + fabs(sum[2 * n + c]) / time), "covariance of u and v");
  }
  free(sum);
  drop(&o);
}

/* Momenta that cancel but for their last digits: sums of doubles alone would leave none of them. */
TRIAD_TEST(sums_of_the_series_lose_nothing)
{
  const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[6,5,4]", NULL};
  test_mesh o = make(sets, "parallel.device=\"gpu\"");
  triad_unstructured_flow *f = o.flow;
  triad_sum there[TRIAD_UNSTRUCTURED_SUMS], here[TRIAD_UNSTRUCTURED_SUMS];
  double most[2][TRIAD_UNSTRUCTURED_MAX], sums[2][TRIAD_UNSTRUCTURED_SUMS];
  for (int64_t c = 0; c < f->domain->n_cells; c++)
    f->u[1][c] = (c % 2 ? 1e9 : -1e9) / triad_unstructured_domain_volume(f->domain, c) + 1e-6 * (double)c;
  for (int64_t c = 0; c < f->domain->n_cells; c++) f->u[4][c] = 1e25;
  write_on_host(f);
  TRIAD_CHECK(triad_unstructured_look(f));
  TRIAD_CHECK(triad_unstructured_refresh(f));
  for (int i = 0; i < 2; i++) {
    triad_sum *of = i ? here : there;
    for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) triad_sum_clear(&of[k]);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_MAX; k++) most[i][k] = -INFINITY;
    TRIAD_CHECK(i ? triad_unstructured_host_look_over(f, of, most[i]) : f->loops->look_over(f, of, most[i]));
    TRIAD_CHECK(triad_sum_all(triad_test_comm(), of, TRIAD_UNSTRUCTURED_SUMS, sums[i]));
    for (int k = 0; k < TRIAD_UNSTRUCTURED_MAX; k++) TRIAD_HOLDS(isfinite(most[i][k]), "extreme %d", k);
  }
  for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++)
    TRIAD_WITHIN(sums[0][k], sums[1][k], 4e-16 * fabs(sums[1][k]), "a sum");
  for (int k = 0; k < TRIAD_UNSTRUCTURED_MAX; k++)
    TRIAD_WITHIN(most[0][k], most[1][k], 4e-16 * fabs(most[1][k]), "an extreme");
  TRIAD_HOLDS(fabs(sums[1][1]) < 1, "they do not cancel: %g", sums[1][1]);
  drop(&o);
}

TRIAD_TEST(probes_bring_values_of_their_cells)
{
  const char *const sets[] = {"grid.kind=\"hybrid\"", NULL};
  const int32_t cells[] = {3, 0, 7, 3}, fewer[] = {5};
  triad_real mine[TRIAD_UNSTRUCTURED_FIELDS * 4];
  test_mesh o = make(sets, "parallel.device=\"gpu\"");
  triad_unstructured_flow *f = o.flow;
  const triad_unstructured_numbers *value = &f->view.value;
  take_steps(&o, 1);
  TRIAD_CHECK(f->loops->watch(f, fewer, 1));
  TRIAD_CHECK(f->loops->watch(f, cells, 4));
  TRIAD_CHECK(f->loops->pick(f, mine));
  TRIAD_HOLDS(f->stale, "values of all cells came to the host");
  TRIAD_CHECK(triad_unstructured_refresh(f));
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
    for (int i = 0; i < 4; i++)
      TRIAD_NEAR((double)mine[4 * k + i], (double)value->at[k * value->pitch + cells[i]], 0, "a value");
  TRIAD_CHECK(f->loops->watch(f, NULL, 0));
  TRIAD_CHECK(f->loops->pick(f, mine));
  drop(&o);
}

TRIAD_MAIN
