/* The gas's velocity and acceleration at any place: at points with halos, and the polynomials between. */
#include "solvers/weno/particles/own.h"
#include "solvers/particles/spline_points.h"

#include <math.h>

/* Beyond a boundary, `depth` points from the last one: what triad_weno_beyond makes of velocities. */
static triad_real beyond(const triad_weno_side *side, int component, int axis, triad_real mirror, triad_real last)
{
  switch (side->kind) {
  case TRIAD_WENO_REFLECTING: return component == axis ? -mirror : mirror;
  case TRIAD_WENO_ADIABATIC:
  case TRIAD_WENO_ISOTHERMAL: return (triad_real)(2 * side->velocity[component]) - mirror;
  case TRIAD_WENO_INFLOW: return (triad_real)side->state[1 + component];
  case TRIAD_WENO_OUTFLOW: return last;
  default: return mirror;
  }
}

/* Its change in time there: walls and what flows in are steady. */
static triad_real change_beyond(const triad_weno_side *side, int component, int axis, triad_real mirror, triad_real last)
{
  switch (side->kind) {
  case TRIAD_WENO_REFLECTING: return component == axis ? -mirror : mirror;
  case TRIAD_WENO_ADIABATIC:
  case TRIAD_WENO_ISOTHERMAL: return -mirror;
  case TRIAD_WENO_INFLOW: return 0;
  case TRIAD_WENO_OUTFLOW: return last;
  default: return mirror;
  }
}

typedef triad_real outside(const triad_weno_side *side, int component, int axis, triad_real mirror, triad_real last);

static void fill_face(triad_gas_particles *p, triad_real *const *field, outside *what, int axis, int upper)
{
  const triad_partition *b = &p->blocks;
  const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  const int64_t inwards = upper ? -b->stride[axis] : b->stride[axis];
  const int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  for (int c = 0; c < 3; c++)
    for (int64_t j = -b->halo[a2]; j < b->local[a2] + b->halo[a2]; j++)
      for (int64_t depth = 1; depth <= b->halo[axis]; depth++)
        for (int64_t i = -b->halo[a1]; i < b->local[a1] + b->halo[a1]; i++) {
          const int64_t at = last + i * b->stride[a1] + j * b->stride[a2];
          triad_real *v = field[c];
          v[at - depth * inwards] = what(&p->setup->side[axis][upper], c, axis, v[at + (depth - 1) * inwards], v[at]);
        }
}

/* Halos of other ranks, and points beyond boundaries. */
static void bring_halos(triad_gas_particles *p, triad_real *const *field, outside *what)
{
  const triad_partition *b = &p->blocks;
  triad_halo_exchange(p->halo, field, 3);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (b->n[axis] > 1 && p->setup->side[axis][upper].kind != TRIAD_WENO_PERIODIC && b->neighbour[axis][upper] == TRIAD_NO_NEIGHBOUR)
        fill_face(p, field, what, axis, upper);
}

void triad_gas_velocity_bring(triad_gas_particles *p, triad_real *const *u)
{
  const triad_partition *b = &p->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int64_t from = triad_partition_at(&p->state, x, y, z), to = triad_partition_at(b, x, y, z);
        for (int c = 0; c < 3; c++) p->velocity[c][to] = u[1 + c][from] / u[0][from];
      }
  bring_halos(p, p->velocity, beyond);
}

/* d(rho u)/dt = rho du/dt + u drho/dt */
void triad_gas_acceleration_bring(triad_gas_particles *p, triad_real *const *u)
{
  const triad_partition *b = &p->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int64_t from = triad_partition_at(&p->state, x, y, z), to = triad_partition_at(b, x, y, z);
        for (int c = 0; c < 3; c++)
          p->acceleration[c][to] = (p->rate[1 + c][from] - p->velocity[c][to] * p->rate[0][from]) / u[0][from];
      }
  bring_halos(p, p->acceleration, change_beyond);
}

static int is_periodic(const triad_gas_particles *p, int axis) { return p->setup->side[axis][0].kind == TRIAD_WENO_PERIODIC; }

/* Points from the first one on, as a whole number and a part. Points lie at i h where the axis is periodic, else at (i + 1/2) h. */
static int64_t cell(const triad_gas_particles *p, int axis, double x, double *part)
{
  const int64_t n = p->setup->n[axis];
  const double s = x * (double)n / p->setup->length[axis] - (is_periodic(p, axis) ? 0 : 0.5);
  const double below = floor(s);
  int64_t i = (int64_t)below;
  *part = s - below;
  if (!is_periodic(p, axis) || (i >= 0 && i < n)) return i;
  i %= n;
  return i < 0 ? i + n : i;
}

int triad_gas_owner(const triad_gas_particles *p, const double x[3])
{
  const triad_partition *b = &p->blocks;
  int place[3];
  for (int a = 0; a < 3; a++) {
    double part;
    int64_t i = cell(p, a, x[a], &part);
    if (i < 0) i = 0;
    if (i >= b->n[a]) i = b->n[a] - 1;
    place[a] = 0;
    while (place[a] + 1 < b->dims[a] && p->begin[a][place[a] + 1] <= i) place[a]++;
  }
  return place[0] + b->dims[0] * (place[1] + b->dims[1] * place[2]);
}

/* The points about a place along each axis: how many, the first here, their weights and those of the derivative. */
typedef struct near_points {
  int n[3];
  int64_t first[3];
  double weight[3][TRIAD_WEIGHTS_MOST], slope[3][TRIAD_WEIGHTS_MOST];
} near_points;

/* 0 where this rank has not got them all. */
static int along(const triad_gas_particles *p, int axis, int points, double x, int slopes, near_points *to)
{
  const triad_partition *b = &p->blocks;
  double part;
  to->n[axis] = 1;
  to->first[axis] = 0;
  to->weight[axis][0] = 1;
  to->slope[axis][0] = 0;
  if (b->n[axis] == 1) return 1;
  int64_t i = cell(p, axis, x, &part) - b->begin[axis];
  /* one that has gone round the box within the step is next to this block all the same */
  if (is_periodic(p, axis) && i < -b->halo[axis]) i += b->n[axis];
  if (is_periodic(p, axis) && i >= b->local[axis] + b->halo[axis]) i -= b->n[axis];
  triad_lagrange_weights(points, part, to->weight[axis]);
  if (slopes) triad_lagrange_slopes(points, part, to->slope[axis]);
  to->n[axis] = points;
  to->first[axis] = i - points / 2 + 1;
  return to->first[axis] >= -b->halo[axis] && to->first[axis] + points <= b->local[axis] + b->halo[axis];
}

static int find_points(const triad_gas_particles *p, int points, const double x[3], int slopes, near_points *to)
{
  for (int a = 0; a < 3; a++)
    if (!along(p, a, points, x[a], slopes, to)) return 0;
  return 1;
}

/* A field at the place, by these weights. */
static double sum_of(const triad_gas_particles *p, const triad_real *field, const near_points *at, const double *const w[3])
{
  double all = 0;
  for (int k = 0; k < at->n[2]; k++)
    for (int j = 0; j < at->n[1]; j++) {
      const triad_real *row = field + triad_partition_at(&p->blocks, at->first[0], at->first[1] + j, at->first[2] + k);
      double sum = 0;
      for (int i = 0; i < at->n[0]; i++) sum += w[0][i] * (double)row[i];
      all += w[1][j] * w[2][k] * sum;
    }
  return all;
}

int triad_gas_velocity_at(const triad_gas_particles *p, int points, const double x[3], double u[3])
{
  near_points at;
  if (!find_points(p, points, x, 0, &at)) return 0;
  const double *const w[3] = {at.weight[0], at.weight[1], at.weight[2]};
  for (int c = 0; c < 3; c++) u[c] = sum_of(p, p->velocity[c], &at, w);
  return 1;
}

int triad_gas_acceleration_at(const triad_gas_particles *p, int points, const double x[3], const double v[3], double a[3])
{
  near_points at;
  if (!find_points(p, points, x, 1, &at)) return 0;
  const double *const w[3] = {at.weight[0], at.weight[1], at.weight[2]};
  for (int c = 0; c < 3; c++) a[c] = sum_of(p, p->acceleration[c], &at, w);
  for (int axis = 0; axis < 3; axis++) {
    const double *d[3] = {w[0], w[1], w[2]};
    const double per_spacing = (double)p->setup->n[axis] / p->setup->length[axis];
    if (at.n[axis] == 1) continue;
    d[axis] = at.slope[axis];
    for (int c = 0; c < 3; c++) a[c] += v[axis] * per_spacing * sum_of(p, p->velocity[c], &at, d);
  }
  return 1;
}
