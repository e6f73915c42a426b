/* Creation of a flow on blocks: case, grid, parts, memory, faces, columns, state, halos, and the device's loops. */
#include "solvers/multiblock/state/create.h"
#include "grid/zones_plan.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/gpu/device.h"
#include "solvers/multiblock/host/host_loops.h"
#include "solvers/multiblock/host/sweep.h"
#include "solvers/multiblock/measure/measure.h"
#include "solvers/multiblock/state/faces.h"
#include "solvers/multiblock/state/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const triad_field_info state_fields[TRIAD_MULTIBLOCK_FIELDS] = {
  {"rho", "density", "M/L^3", TRIAD_SCALAR},
  {"rho_u", "momentum along x", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 0, 0)},
  {"rho_v", "momentum along y", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 1, 0)},
  {"rho_w", "momentum along z", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 2, 0)},
  {"e", "total energy", "M/(L T^2)", TRIAD_SCALAR}};

static const triad_field_info frozen_fields[TRIAD_MULTIBLOCK_FIELDS] = {
  {"frozen_rho", "density at which limiters were frozen", "M/L^3", TRIAD_SCALAR},
  {"frozen_rho_u", "momentum along x at which limiters were frozen", "M/(L^2 T)",
   TRIAD_COMPONENT("frozen_momentum", 0, 0)},
  {"frozen_rho_v", "momentum along y at which limiters were frozen", "M/(L^2 T)",
   TRIAD_COMPONENT("frozen_momentum", 1, 0)},
  {"frozen_rho_w", "momentum along z at which limiters were frozen", "M/(L^2 T)",
   TRIAD_COMPONENT("frozen_momentum", 2, 0)},
  {"frozen_e", "total energy at which limiters were frozen", "M/(L T^2)", TRIAD_SCALAR}};

static int list_parts(triad_multiblock_flow *f)
{
  f->part = calloc((size_t)f->zones->n_parts + 1, sizeof *f->part);
  if (!f->part) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d parts", f->zones->n_parts);
  for (int i = 0; i < f->zones->n_parts; i++)
    if (f->zones->part[i].rank == f->context->comm.rank) f->part[f->n_parts++] = &f->zones->part[i];
  return TRIAD_OK;
}

/* Rows as long as they can be; so many rows that fluxes between them stay in the cache. */
static int cut_tiles(triad_multiblock_flow *f)
{
  static const int64_t most[3] = {TRIAD_MULTIBLOCK_ROW, TRIAD_MULTIBLOCK_ROWS, TRIAD_MULTIBLOCK_ROWS};
  for (int pass = 0; pass < 2; pass++) {
    int n = 0;
    for (int i = 0; i < f->n_parts; i++) {
      int64_t by[3];
      for (int a = 0; a < 3; a++) by[a] = (f->part[i]->n[a] + most[a] - 1) / most[a];
      for (int64_t t = 0; t < by[0] * by[1] * by[2]; t++, n++) {
        const int64_t place[3] = {t % by[0], t / by[0] % by[1], t / by[0] / by[1]};
        triad_multiblock_tile tile = {.part = i};
        for (int a = 0; a < 3; a++) {
          tile.low[a] = f->part[i]->n[a] * place[a] / by[a];
          tile.high[a] = f->part[i]->n[a] * (place[a] + 1) / by[a];
        }
        if (pass == 1) f->tile[n] = tile;
      }
    }
    if (pass == 0) TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "state", n, &f->tile));
    f->n_tiles = n;
  }
  return TRIAD_OK;
}

static int allocate_frozen(triad_multiblock_flow *f)
{
  if (!triad_multiblock_freezes(&f->setup)) return TRIAD_OK;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "frozen limiters", f->space.memory, &f->frozen_u[m]));
  return TRIAD_OK;
}

/* A GPU has factors of its own. */
static int allocate_factors(triad_multiblock_flow *f)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS && f->frozen_u[m] && !f->device; m++)
    for (int axis = 0; axis < 3; axis++)
      if (triad_multiblock_has_faces(f->zones, axis))
        TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "frozen limiters", f->space.memory, &f->kept[axis][m]));
  return TRIAD_OK;
}

static int allocate_changes(triad_multiblock_flow *f)
{
  if (!f->setup.implicit) return TRIAD_OK;
  for (int i = 0; i < 3; i++)
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
      TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "implicit steps", f->space.memory, &f->change[i][m]));
  return TRIAD_OK;
}

static int allocate_fields(triad_multiblock_flow *f)
{
  triad_memory *memory = f->context->memory;
  const int64_t n = f->space.memory;
  TRIAD_TRY(triad_multiblock_metrics_create(f));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->u[m]));
    TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->u0[m]));
    TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->q[m]));
    if (f->formulas ? m > 0 : f->setup.exact.kind && f->setup.exact.kind->source)
      TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->source[m]));
  }
  for (int a = 0; a < 3 && f->formulas; a++) TRIAD_TRY(TRIAD_ALLOC(memory, "forcing", n, &f->centre[a]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->step));
  if (f->setup.gas.viscous) {
    TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->temperature));
    TRIAD_TRY(TRIAD_ALLOC(memory, "state and stages", n, &f->viscosity));
  }
  TRIAD_TRY(allocate_frozen(f));
  TRIAD_TRY(allocate_changes(f));
  f->work_size = triad_multiblock_work_size();
  return TRIAD_ALLOC(memory, "state and stages", f->work_size * f->context->threads, &f->work);
}

/* Halos that nothing has set yet must hold numbers that do no harm: in q, and in the memory that q has in turn. */
static void fill_with_ones(triad_multiblock_flow *f)
{
  const int in_turn = triad_multiblock_leaves_of(&f->setup, 0) != TRIAD_MULTIBLOCK_STATE;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    for (int64_t i = 0; i < f->space.memory; i++) {
      f->q[m][i] = m == 0 || m == 4 ? 1 : 0;
      if (in_turn) f->u0[m][i] = f->q[m][i];
    }
}

/* Sources of a manufactured solution, times the volumes; or positions for sources by formula. */
static void set_sources(triad_multiblock_flow *f)
{
  const triad_multiblock_exact *e = &f->setup.exact;
  if (!f->source[0] && !f->formulas) return;
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
      const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1],
                            p->low[2] + l / p->n[0] / p->n[1]};
      int64_t at = triad_zone_part_at(p, c);
      double x[3], s[5];
      triad_blocks_cell_centre(f->grid, f->zones, p->zone, c, x);
      for (int a = 0; a < 3 && f->formulas; a++) f->centre[a][at] = x[a];
      if (f->formulas) continue;
      e->kind->source(e, x, s);
      for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) f->source[m][at] = (triad_real)(s[m] * (double)f->volume[at]);
    }
  }
}

/* All that a rank does for itself. */
static int prepare_rank(triad_multiblock_flow *f)
{
  const triad_comm *comm = &f->context->comm;
  TRIAD_TRY(triad_multiblock_setup_read(&f->setup, f->given));
  TRIAD_TRY(triad_gas_formulas_create(&f->formulas, f->given));
  TRIAD_TRY(triad_multiblock_zones_of(&f->grid, &f->zones, f->given, comm->size));
  triad_faults faults = {0};
  TRIAD_TRY(triad_multiblock_patches_read(&f->patches, f->given, f->grid, &f->setup.exact,
                                          triad_multiblock_up(f->given, f->grid), &faults));
  TRIAD_TRY(triad_multiblock_patches_check(&f->patches, &faults, f->grid, f->zones));
  TRIAD_TRY(triad_faults_tell(&faults));
  triad_multiblock_patches_number(&f->patches, f->grid);
  TRIAD_TRY(list_parts(f));
  TRIAD_TRY(triad_space_zones(&f->space, f->zones, comm->rank));
  TRIAD_TRY(cut_tiles(f));
  TRIAD_TRY(allocate_fields(f));
  TRIAD_TRY(triad_multiblock_metrics(f));
  TRIAD_TRY(triad_multiblock_faces_create(f));
  TRIAD_TRY(triad_multiblock_columns_create(f));
  const int freezes = triad_multiblock_freezes(&f->setup);
  memcpy(f->fields, state_fields, sizeof state_fields);
  memcpy(f->fields + TRIAD_MULTIBLOCK_FIELDS, frozen_fields, sizeof frozen_fields);
  TRIAD_TRY(
    triad_state_create(&f->state, f->context->memory, &f->space, f->fields, (1 + freezes) * TRIAD_MULTIBLOCK_FIELDS));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    triad_state_attach(f->state, m, TRIAD_HOST, f->u[m]);
    if (freezes) triad_state_attach(f->state, TRIAD_MULTIBLOCK_FIELDS + m, TRIAD_HOST, f->frozen_u[m]);
  }
  fill_with_ones(f);
  set_sources(f);
  return TRIAD_OK;
}

/* Volume of all cells. */
static int sum_volume(triad_multiblock_flow *f)
{
  double mine = 0;
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t l = 0; l < run.count; l++) mine += (double)f->volume[run.at + l];
  }
  return TRIAD_MPI(MPI_Allreduce(&mine, &f->volume_all, 1, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi));
}

/* Does a cell of a tile see one that a message fills? */
static int tile_waits(const triad_multiblock_flow *f, const triad_multiblock_tile *tile)
{
  const triad_zone_part *p = f->part[tile->part];
  for (int64_t k = tile->low[2] - p->halo[2]; k < tile->high[2] + p->halo[2]; k++)
    for (int64_t j = tile->low[1] - p->halo[1]; j < tile->high[1] + p->halo[1]; j++)
      for (int64_t i = tile->low[0] - p->halo[0]; i < tile->high[0] + p->halo[0]; i++)
        if (f->late[p->origin + i + j * p->stride[1] + k * p->stride[2]]) return 1;
  return 0;
}

/* Tiles that wait for no message come first. */
static int order_tiles(triad_multiblock_flow *f)
{
  triad_multiblock_tile *those = calloc((size_t)f->n_tiles + 1, sizeof *those);
  int n = 0;
  if (!those) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d tiles", f->n_tiles);
  f->n_inner = 0;
  for (int i = 0; i < f->n_tiles; i++) {
    const triad_multiblock_tile tile = f->tile[i];
    if (tile_waits(f, &tile)) those[n++] = tile;
    else f->tile[f->n_inner++] = tile;
  }
  memcpy(f->tile + f->n_inner, those, (size_t)n * sizeof *those);
  free(those);
  return TRIAD_OK;
}

/* Which halos messages fill. */
static int list_late(triad_multiblock_flow *f, const triad_exchange_plan *plan)
{
  int64_t received = 0;
  f->n_inner = f->n_tiles;
  if (plan->n_receive == 0) return TRIAD_OK;
  f->late = calloc((size_t)f->space.memory, sizeof *f->late);
  for (int i = 0; i < plan->n_receive; i++) received += plan->receive[i].count[0];
  f->late_at = calloc((size_t)(received + f->n_left) + 1, sizeof *f->late_at);
  if (!f->late || !f->late_at)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "offsets of %lld halo cells", (long long)f->space.memory);
  for (int i = 0; i < plan->n_receive; i++)
    for (int64_t n = 0; n < plan->receive[i].count[0]; n++) {
      f->late[plan->receive[i].list[n]] = 1;
      f->late_at[f->n_late++] = plan->receive[i].list[n];
    }
  for (int64_t i = 0; i < f->n_left; i++) f->late_at[f->n_late++] = f->left[i][0];
  return order_tiles(f);
}

int triad_multiblock_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir)
{
  triad_multiblock_flow *f = *flow = calloc(1, sizeof *f);
  triad_exchange_plan *plan = NULL;
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow");
  (void)run_dir;
  if (f) {
    f->context = context;
    f->given = given;
    f->loops = &triad_multiblock_host_loops;
    st = prepare_rank(f);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK)
    st = triad_zones_plan(&plan, f->zones, &context->comm, f->setup.gas.viscous, &f->left, &f->n_left);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, list_late(f, plan));
  if (st == TRIAD_OK) st = triad_halo_create(&f->halo, context, &plan, TRIAD_MULTIBLOCK_FIELDS);
  if (st == TRIAD_OK) st = sum_volume(f);
  if (st == TRIAD_OK) st = triad_multiblock_choose_device(f);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, allocate_factors(f));
  if (st == TRIAD_OK && f->device)
    st = triad_multiblock_gpu_steps->create(f, triad_case_word(given, "parallel.transport"));
  if (st != TRIAD_OK) triad_multiblock_destroy(flow);
  return st;
}

void triad_multiblock_destroy(void **flow)
{
  triad_multiblock_flow *f = *flow;
  *flow = NULL;
  if (!f) return;
  triad_memory *memory = f->context->memory;
  f->loops->free(f);
  triad_device_destroy(&f->device);
  triad_multiblock_faces_free(f);
  triad_halo_destroy(&f->halo);
  triad_state_destroy(&f->state);
  triad_multiblock_metrics_free(f);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    TRIAD_FREE(memory, &f->u[m]);
    TRIAD_FREE(memory, &f->u0[m]);
    TRIAD_FREE(memory, &f->q[m]);
    TRIAD_FREE(memory, &f->source[m]);
    if (m < 3) TRIAD_FREE(memory, &f->centre[m]);
    TRIAD_FREE(memory, &f->frozen_u[m]);
    for (int axis = 0; axis < 3; axis++) TRIAD_FREE(memory, &f->kept[axis][m]);
    for (int i = 0; i < 3; i++) TRIAD_FREE(memory, &f->change[i][m]);
  }
  triad_gas_formulas_destroy(&f->formulas);
  TRIAD_FREE(memory, &f->step);
  TRIAD_FREE(memory, &f->temperature);
  TRIAD_FREE(memory, &f->viscosity);
  TRIAD_FREE(memory, &f->work);
  TRIAD_FREE(memory, &f->tile);
  triad_space_zones_free(&f->space);
  triad_multiblock_patches_free(&f->patches);
  triad_zones_destroy(&f->zones);
  triad_blocks_grid_destroy(&f->grid);
  free(f->left);
  free(f->late);
  free(f->late_at);
  free(f->part);
  free(f->columns);
  free(f->column_names);
  free(f);
}
