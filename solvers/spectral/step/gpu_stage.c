/* Allocate modes on a GPU and fill in the arguments of a stage's update. */
#include "solvers/spectral/step/gpu_stage.h"
#include "solvers/spectral/step/gpu_stepper.h"

static int64_t columns_of(const triad_layout *l) { return l->n_blocks * l->lanes; }

int triad_gpu_modes_alloc(triad_gpu_modes *m, triad_device *device, const triad_layout *l)
{
  const int64_t columns = columns_of(l);
  *m = (triad_gpu_modes){.n = l->modes, .columns = columns, .nkz = l->nkz};
  TRIAD_TRY(triad_device_table(device, "wavenumbers", columns, sizeof *l->wx, l->wx, (void **)&m->wx));
  TRIAD_TRY(triad_device_table(device, "wavenumbers", columns, sizeof *l->wy, l->wy, (void **)&m->wy));
  TRIAD_TRY(triad_device_table(device, "wavenumbers", l->nkz, sizeof *l->wz, l->wz, (void **)&m->wz));
  m->size_x = m->wx;
  m->size_y = m->wy;
  m->size_z = m->wz;
  if (triad_grid_has_nyquist(&l->grid)) {
    TRIAD_TRY(triad_device_table(device, "wavenumbers", columns, sizeof *l->size_x, l->size_x, (void **)&m->size_x));
    TRIAD_TRY(triad_device_table(device, "wavenumbers", columns, sizeof *l->size_y, l->size_y, (void **)&m->size_y));
    TRIAD_TRY(triad_device_table(device, "wavenumbers", l->nkz, sizeof *l->size_z, l->size_z, (void **)&m->size_z));
  }
  TRIAD_TRY(triad_device_table(device, "wavenumbers", columns, sizeof *l->weight, l->weight, (void **)&m->weight));
  TRIAD_TRY(
    triad_device_table(device, "wavenumbers", columns, sizeof *l->kz_extent, l->kz_extent, (void **)&m->extent));
  return triad_device_table(device, "wavenumbers", l->nkz, sizeof *l->kz, l->kz, (void **)&m->kz);
}

void triad_gpu_modes_free(triad_gpu_modes *m, triad_device *device)
{
  if (m->size_x == m->wx) m->size_x = NULL;
  if (m->size_y == m->wy) m->size_y = NULL;
  if (m->size_z == m->wz) m->size_z = NULL;
  void **taken[] = {(void **)&m->size_x, (void **)&m->size_y, (void **)&m->size_z, (void **)&m->wx, (void **)&m->wy,
                    (void **)&m->wz,     (void **)&m->weight, (void **)&m->extent, (void **)&m->kz};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(device, taken[i]);
}

int64_t triad_gpu_modes_bytes(const triad_layout *l)
{
  const int more = triad_grid_has_nyquist(&l->grid);
  return columns_of(l) * (int64_t)((size_t)(3 + 2 * more) * sizeof(double) + sizeof(int32_t)) +
         l->nkz * (int64_t)((size_t)(1 + more) * sizeof(double) + sizeof(int32_t));
}

triad_gpu_modes triad_gpu_modes_part(const triad_gpu_modes *m, int64_t first, int64_t count)
{
  return (triad_gpu_modes){.n = m->nkz * count,
                           .columns = count,
                           .nkz = m->nkz,
                           .wx = m->wx + first,
                           .wy = m->wy + first,
                           .wz = m->wz,
                           .size_x = m->size_x + first,
                           .size_y = m->size_y + first,
                           .size_z = m->size_z,
                           .weight = m->weight + first,
                           .extent = m->extent + first,
                           .kz = m->kz};
}

triad_gpu_update triad_gpu_stage_update(const triad_flow *flow, const triad_scheme *scheme, int stage, double dt,
                                        double tau)
{
  const triad_stage *g = &scheme->stage[stage];
  const triad_equations *eq = flow->equations;
  triad_turn turn = eq->turn ? eq->turn(flow->self) : (triad_turn){0, 0};
  return (triad_gpu_update){.n_fields = flow->shape.n_fields,
                            .a = g->a,
                            .b = g->b * dt,
                            .d = g->d,
                            .e = g->e * dt,
                            .tau = tau,
                            .first = stage == 0,
                            .last = stage == scheme->n_stages - 1,
                            .turns = eq->turn != NULL,
                            .alpha = turn.alpha,
                            .mu = turn.mu};
}
