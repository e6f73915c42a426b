/* Flows of the staggered solver on the CPU and on a GPU that is the host (tests/help/fake), for tests of the latter. */
#ifndef TRIAD_TESTS_UNIT_STAGGERED_GPU_H
#define TRIAD_TESTS_UNIT_STAGGERED_GPU_H

#include "test.h"
#include "families.h"

#include "case/case.h"
#include "case/mean.h"
#include "solvers/staggered/case/check.h"
#include "solvers/staggered/case/initial.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/measure/budget.h"
#include "solvers/staggered/measure/samples.h"
#include "solvers/staggered/step/step.h"
#include "solvers/staggered/host/host_loops.h"

static const char common[] =
  "[equations]\nsolver = \"staggered\"\nviscosity = 0.02\n[initial]\nkind = \"random\"\n"
  "[solver]\ntolerance = 1e-12\n[time]\nend = 1\ndt = 0.01\n[grid]\nlength = [1, 0.9, 1.2]\n";

enum { SETS = 16 };

typedef struct test_cells {
  triad_case *given;
  triad_staggered_flow *flow;
} test_cells;

static inline test_cells make(const char *const *sets, const char *device)
{
  test_cells o;
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

static inline void drop(test_cells *o)
{
  triad_staggered_destroy((void **)&o->flow);
  triad_case_destroy(&o->given);
}

static inline void advance(test_cells *o, int steps)
{
  for (int i = 0; i < steps; i++) {
    triad_step step = {.dt = triad_case_real(o->given, "time.dt"), .cfl = 0.8, .land_on = INFINITY};
    TRIAD_CHECK(triad_staggered_advance(o->flow, &step));
  }
  TRIAD_CHECK(triad_state_read_all(o->flow->state, TRIAD_HOST));
}

/* The largest difference of own cells over the largest value: of velocities, and of the pressure. */
static inline void compare(const test_cells *a, const test_cells *b, double limit)
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

/* The largest difference of temperatures of own cells, over the largest temperature. */
static inline void compare_heat(const test_cells *a, const test_cells *b, double limit)
{
  const triad_partition *p = &a->flow->blocks;
  double mine[2] = {0}, all[2];
  for (int64_t z = 0; z < p->local[2]; z++)
    for (int64_t y = 0; y < p->local[1]; y++)
      for (int64_t x = 0; x < p->local[0]; x++) {
        const int64_t at = triad_partition_at(p, x, y, z);
        const double difference = fabs((double)(a->flow->heat[0][at] - b->flow->heat[0][at]));
        mine[0] = fmax(mine[0], isfinite(difference) ? difference : INFINITY);
        mine[1] = fmax(mine[1], fabs((double)a->flow->heat[0][at]));
      }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_WITHIN(all[0] / all[1], 0, limit, "temperatures");
}

/* Probes of the numbers that a GPU brings beside those of whole fields: the same bits, and none in a solid. */
static inline void same_places(test_cells *gpu)
{
  double by_gpu[64], by_host[64];
  triad_places_info info;
  const triad_staggered_loops *const held = gpu->flow->loops;
  triad_solver_staggered.places_info(gpu->flow, &info);
  TRIAD_HOLDS(info.n > 0 && info.n * info.n_fields <= 64, "places");
  TRIAD_CHECK(triad_solver_staggered.places(gpu->flow, by_gpu));
  gpu->flow->loops = &triad_staggered_host_loops;
  TRIAD_CHECK(triad_solver_staggered.places(gpu->flow, by_host));
  gpu->flow->loops = held;
  for (int64_t i = 0; i < info.n * info.n_fields; i++) {
    const int empty =
      i % info.n_fields >= 3 && isnan(by_host[i]) && isnan(by_gpu[i]); /* the pressure or temperature in a solid */
    TRIAD_HOLDS(empty || (!isnan(by_host[i]) && memcmp(&by_gpu[i], &by_host[i], sizeof *by_gpu) == 0),
                "number %d of probes is %.17g, by the host %.17g", (int)i, by_gpu[i], by_host[i]);
  }
}

/* Samples of profiles across each axis: sums over a plane by a kernel beside exact ones. The case asks for them. */
static inline void same_profiles(test_cells *gpu)
{
  double columns[64] = {1};
  triad_contents *by_gpu = NULL, *by_host = NULL;
  const triad_staggered_loops *const held = gpu->flow->loops;
  TRIAD_CHECK(triad_staggered_samples(gpu->flow, columns, &by_gpu));
  TRIAD_CHECK(triad_state_read_all(gpu->flow->state, TRIAD_HOST));
  gpu->flow->loops = &triad_staggered_host_loops;
  TRIAD_CHECK(triad_staggered_samples(gpu->flow, columns, &by_host));
  gpu->flow->loops = held;
  TRIAD_HOLDS(by_gpu->n > 0 && by_gpu->n == by_host->n, "arrays");
  for (int i = 0; i < by_host->n; i++)
    for (int64_t k = 0; k < by_host->list[i].dims[0]; k++)
      TRIAD_WITHIN(by_gpu->list[i].values[k], by_host->list[i].values[k], 1e-12, by_host->list[i].name);
  triad_contents_destroy(&by_gpu);
  triad_contents_destroy(&by_host);
}

/* Columns of the series by kernels beside those by the host's loops, of the same state: a few thousand terms of
 * order one, rounded. */
static inline void same_columns(test_cells *gpu)
{
  double by_gpu[64], by_host[64];
  const triad_staggered_loops *const held = gpu->flow->loops;
  const triad_column_info *columns = gpu->flow->columns;
  const int n = gpu->flow->n_columns;
  TRIAD_CHECK(triad_staggered_measure(gpu->flow, by_gpu));
  TRIAD_CHECK(triad_state_read_all(gpu->flow->state, TRIAD_HOST));
  gpu->flow->loops = &triad_staggered_host_loops;
  TRIAD_CHECK(triad_staggered_measure(gpu->flow, by_host));
  gpu->flow->loops = held;
  if (gpu->flow->probes) same_places(gpu);
  if (triad_mean_asked(gpu->flow->given).profiles[1]) same_profiles(gpu);
  for (int i = 0; i < n; i++) {
    const int may_be_empty = test_may_be_empty(columns[i].name) || strcmp(columns[i].name, "strouhal") == 0;
    TRIAD_HOLDS((may_be_empty && isnan(by_gpu[i]) && isnan(by_host[i])) ||
                  fabs(by_gpu[i] - by_host[i]) <= 1e-11 * fmax(1, fabs(by_host[i])),
                "%s is %.17g, by the host %.17g", columns[i].name, by_gpu[i], by_host[i]);
  }
}

/* Steps on both: the pressure is found to 1e-12 of its right-hand side, which leaves 1e-10. */
static inline void agree(const char *const *sets, int steps)
{
  double column_a[64], column_b[64];
  test_cells cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance(&cpu, steps);
  advance(&gpu, steps);
  compare(&cpu, &gpu, 1e-10);
  if (cpu.flow->heat[0]) compare_heat(&cpu, &gpu, 1e-10);
  /* the polynomial's diagonal knows walls there, on the CPU not */
  TRIAD_HOLDS(gpu.flow->iterations <= 1 + cpu.flow->iterations * 51 / 50, "%d iterations, %d on the CPU",
              gpu.flow->iterations, cpu.flow->iterations);
  TRIAD_NEAR(gpu.flow->look.rate, cpu.flow->look.rate, 1e-9, "the rate of advection");
  TRIAD_CHECK(triad_staggered_measure(cpu.flow, column_a));
  TRIAD_CHECK(triad_staggered_measure(gpu.flow, column_b));
  TRIAD_NEAR(column_b[0], column_a[0], 1e-10, "energy");
  TRIAD_NEAR(column_b[2], column_a[2], 1e-9, "dissipation");
  same_columns(&gpu);
  drop(&cpu);
  drop(&gpu);
}

#define AGREE_FOR(steps, ...) agree((const char *const[]){__VA_ARGS__, NULL}, steps)

static inline void on_one_rank(const char *why)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("%s", why);
}

#endif
