/* Flows on meshes on the CPU and on a GPU that is the host (tests/help/fake), for tests of the latter: flows of one
 * case, whether both devices agree, and whether the zones of a flow are bricks. */
#ifndef TRIAD_TESTS_UNIT_FCT_GPU_H
#define TRIAD_TESTS_UNIT_FCT_GPU_H

#include "test.h"
#include "solvers/unstructured/measure/budget.h"
#include "families.h"

#include "case/case.h"
#include "solvers/unstructured/gpu/gpu_internal.h"

#include <stdlib.h>

static const char common[] =
  "[equations]\nsolver = \"fct\"\n[grid]\nkind = \"hybrid\"\nn = [10, 6, 6]\nlength = [1, 0.7, 0.6]\nshake = 0.2\n"
  "[initial]\nkind = \"blast\"\nenergy = 5\nradius = 0.3\ncentre = [0.5, 0.4, 0.3]\nvelocity = [0.5, 0.2, 0]\n"
  "[boundaries]\npatches = [\"xmin: inflow, pressure=1, density=1, u=0.5, v=0.2\", \"xmax: outflow\", "
  "\"ymin: farfield, pressure=1\", \"zmin: pressure, pressure=1\"]\n[time]\nend = 1\n";

enum { SETS = 12, STEPS = 4 };

typedef struct test_mesh {
  triad_case *given;
  triad_unstructured_flow *flow;
} test_mesh;

static inline test_mesh make(const char *const *sets, const char *device)
{
  test_mesh o;
  const char *all[SETS + 2];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = device;
  int st = triad_case_parse(&o.given, "test", common, strlen(common), all, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", o.given ? triad_case_errors(o.given) : triad_message());
  TRIAD_CHECK(triad_unstructured_create((void **)&o.flow, triad_test_now.context, o.given, NULL));
  TRIAD_CHECK(triad_unstructured_initial(o.flow, NULL));
  TRIAD_CHECK(triad_unstructured_settle(o.flow, NULL, NULL));
  return o;
}

static inline void drop(test_mesh *o)
{
  triad_unstructured_destroy((void **)&o->flow);
  triad_case_destroy(&o->given);
}

static inline void take_steps(test_mesh *o, int steps)
{
  for (int i = 0; i < steps; i++) {
    triad_step step = {.cfl = 0.5, .dt_max = 1, .land_on = INFINITY};
    TRIAD_CHECK(triad_unstructured_advance(o->flow, &step));
  }
}

static inline void advance(test_mesh *o, int steps)
{
  take_steps(o, steps);
  TRIAD_CHECK(triad_state_read_all(o->flow->state, TRIAD_HOST));
}

/* Where cells of the whole mesh are among a rank's, -1: not. To be freed. */
static inline int32_t *places(const triad_unstructured_domain *d)
{
  int64_t all = 0;
  for (int64_t c = 0; c < d->n_cells; c++) all = d->global[c] >= all ? d->global[c] + 1 : all;
  int32_t *at = malloc((size_t)(all + 1) * sizeof *at);
  for (int64_t i = 0; i <= all; i++) at[i] = -1;
  for (int64_t c = 0; c < d->n_cells; c++) at[d->global[c]] = (int32_t)c;
  return at;
}

/* Of n numbers of each cell of both flows, on the host, the largest difference over the largest number, which is
 * above `least`: of all ranks. Sides that a CPU joins give its bricks another order. */
static inline double difference(const test_mesh *a, const triad_unstructured_numbers *of_a, const test_mesh *b,
                                const triad_unstructured_numbers *of_b, int n, double least)
{
  double mine[2] = {0, 0}, all[2];
  int32_t *at = places(b->flow->domain);
  TRIAD_HOLDS(a->flow->domain->n_cells == b->flow->domain->n_cells, "a rank's cells");
  for (int k = 0; k < n; k++)
    for (int64_t c = 0; c < a->flow->domain->n_cells; c++) {
      const double x = (double)of_a->at[k * of_a->pitch + c],
                   y = (double)of_b->at[k * of_b->pitch + at[a->flow->domain->global[c]]];
      mine[0] = fmax(mine[0], isfinite(x - y) ? fabs(x - y) : INFINITY);
      mine[1] = fmax(mine[1], fabs(x));
    }
  free(at);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_HOLDS(all[1] > least, "nothing moves");
  return all[0] / all[1];
}

static inline void columns_agree(const test_mesh *cpu, const test_mesh *gpu)
{
  double a[TRIAD_UNSTRUCTURED_MAX_COLUMNS], b[TRIAD_UNSTRUCTURED_MAX_COLUMNS];
  TRIAD_CHECK(triad_unstructured_measure(cpu->flow, a));
  TRIAD_CHECK(triad_unstructured_measure(gpu->flow, b));
  for (int i = 0; i < cpu->flow->n_columns; i++) {
    if (strcmp(cpu->flow->columns[i].name, "strouhal") == 0 && isnan(a[i]) && isnan(b[i])) continue;
    TRIAD_WITHIN(b[i], a[i], strstr(cpu->flow->columns[i].name, "limite") ? 1e-5 : 1e-11 * (1 + fabs(a[i])),
                 cpu->flow->columns[i].name);
  }
}

/* Both sum the same numbers in the same order; a compiler may take a product and a sum in one. */
static inline void agree(const char *const *sets)
{
  test_mesh cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance(&cpu, STEPS);
  advance(&gpu, STEPS);
  TRIAD_WITHIN(difference(&cpu, &cpu.flow->view.u, &gpu, &gpu.flow->view.u, TRIAD_UNSTRUCTURED_FIELDS, 2), 0, 1e-12,
               "the state");
  TRIAD_NEAR(gpu.flow->at.t, cpu.flow->at.t, 1e-12, "the time");
  columns_agree(&cpu, &gpu);
  drop(&cpu);
  drop(&gpu);
}

#define AGREE(...) agree((const char *const[]){__VA_ARGS__, NULL})

/* On several ranks planes leave some of them one kind of cells, or of so few cells layers that are too thin for
 * zones. */
#define ALONG "grid.partition=\"curve\""

/* ---- zones of bricks ---- */

/* How many zones a flow has, and how many of them are bricks, on all ranks. */
static inline void count_boxes(const char *const *sets, int64_t out[2])
{
  int64_t mine[2] = {0, 0};
  test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
  mine[0] = gpu.flow->domain->n_zones;
  mine[1] = gpu.flow->domain->n_boxes;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, out, 2, MPI_INT64_T, MPI_SUM, triad_test_comm()->mpi)));
  drop(&gpu);
}

static inline void agree_of_bricks(int bricks, const char *const *sets)
{
  int64_t n[2];
  count_boxes(sets, n);
  TRIAD_HOLDS(n[0] > 0, "no zone");
  TRIAD_EQUAL(n[1], bricks ? n[0] : 0, "zones of bricks");
  agree(sets);
}

#define BRICKS(...) agree_of_bricks(1, (const char *const[]){"grid.shake=0", __VA_ARGS__, NULL})

#define HEXES "grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[12,9,8]"

#endif
