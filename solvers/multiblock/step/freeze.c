/* Frozen limiters: the part that each cell's limiter leaves of the mean of its two differences is kept from one step
 * on, so that slopes follow the flow in proportion, a limiter no longer goes to and fro, and a residual can fall on.
 * A checkpoint has the state that the parts are of. */
#include "solvers/multiblock/host/rows.h"

#include <string.h>

const triad_field_info triad_mb_frozen_fields[TRIAD_MB_FIELDS] = {
  {"frozen_rho", "density at which limiters were frozen", "M/L^3", TRIAD_SCALAR},
  {"frozen_rho_u", "momentum along x then", "M/(L^2 T)", TRIAD_COMPONENT("frozen_momentum", 0, 0)},
  {"frozen_rho_v", "momentum along y then", "M/(L^2 T)", TRIAD_COMPONENT("frozen_momentum", 1, 0)},
  {"frozen_rho_w", "momentum along z then", "M/(L^2 T)", TRIAD_COMPONENT("frozen_momentum", 2, 0)},
  {"frozen_e", "total energy then", "M/(L T^2)", TRIAD_SCALAR}};

int triad_mb_freezes(const triad_mb_setup *s)
{
  return s->steady && s->freeze > 0 && s->limiter != TRIAD_MB_NO_LIMITER && s->order > 0;
}

int triad_mb_freeze_create(triad_mb_flow *f)
{
  if (!triad_mb_freezes(&f->setup)) return TRIAD_OK;
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "frozen limiters", f->space.memory, &f->frozen_u[m]));
    for (int axis = 0; axis < 3; axis++)
      if (triad_mb_has_faces(f->zones, axis))
        TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "frozen limiters", f->space.memory, &f->kept[axis][m]));
  }
  return TRIAD_OK;
}

void triad_mb_freeze_free(triad_mb_flow *f)
{
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    TRIAD_FREE(f->context->memory, &f->frozen_u[m]);
    for (int axis = 0; axis < 3; axis++) TRIAD_FREE(f->context->memory, &f->kept[axis][m]);
  }
}

/* Of all cells of a part and those of one layer around it along the axis, whose slopes count at the part's faces
 * too. */
static void find_parts(triad_mb_flow *f, const triad_zone_part *p, int axis)
{
  int64_t low[3] = {0, 0, 0}, high[3] = {p->n[0], p->n[1], p->n[2]};
  low[axis]--;
  high[axis]++;
#pragma omp parallel for collapse(2) schedule(static) num_threads(f->context->threads)
  for (int64_t k = low[2]; k < high[2]; k++)
    for (int64_t j = low[1]; j < high[1]; j++)
      for (int64_t i = low[0]; i < high[0]; i++)
        for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
          const int64_t at = p->origin + i + j * p->stride[1] + k * p->stride[2];
          const triad_real *q = f->q[m] + at;
          f->kept[axis][m][at] =
            triad_mb_limited_part(f->setup.limiter, q[0] - q[-p->stride[axis]], q[p->stride[axis]] - q[0]);
        }
}

static void find_all(triad_mb_flow *f)
{
  for (int i = 0; i < f->n_parts; i++)
    for (int axis = 0; axis < 3; axis++)
      if (axis != f->zones->zone[f->part[i]->zone].flat) find_parts(f, f->part[i], axis);
  f->frozen = 1;
}

void triad_mb_freeze(triad_mb_flow *f)
{
  for (int m = 0; m < TRIAD_MB_FIELDS; m++)
    memcpy(f->frozen_u[m], f->u[m], (size_t)f->space.memory * sizeof(triad_real));
  find_all(f);
}

int triad_mb_freeze_again(triad_mb_flow *f)
{
  triad_real *now[TRIAD_MB_FIELDS];
  memcpy(now, f->u, sizeof now);
  memcpy(f->u, f->frozen_u, sizeof now);
  int st = triad_mb_refresh(f);
  memcpy(f->u, now, sizeof now);
  find_all(f);
  return st;
}

void triad_mb_reach_frozen(const triad_mb_flow *f, int axis, int64_t at, int64_t stride, int64_t n, triad_mb_row down,
                           triad_mb_row up)
{
  const triad_real quarter = TRIAD_R(0.25), least = TRIAD_R(0.05);
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    const triad_real *restrict q = f->q[m] + at, *restrict part = f->kept[axis][m] + at;
    triad_real *restrict low = down[m], *restrict high = up[m];
    const int positive = m == 0 || m == 4;
#pragma omp simd
    for (int64_t l = 0; l < n; l++) {
      triad_real half_slope = quarter * part[l] * (q[l + stride] - q[l - stride]);
      low[l] = q[l] - half_slope;
      high[l] = q[l] + half_slope;
      if (positive) {
        low[l] = triad_mb_most(low[l], least * q[l]);
        high[l] = triad_mb_most(high[l], least * q[l]);
      }
    }
  }
}
