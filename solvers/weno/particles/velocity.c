/* The gas's velocity at any place: at points with halos, and the polynomials between. */
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

static void fill_face(triad_gas_particles *p, int axis, int upper)
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
          triad_real *v = p->velocity[c];
          v[at - depth * inwards] = beyond(&p->setup->side[axis][upper], c, axis, v[at + (depth - 1) * inwards], v[at]);
        }
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
  triad_halo_exchange(p->halo, p->velocity, 3);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (b->n[axis] > 1 && p->setup->side[axis][upper].kind != TRIAD_WENO_PERIODIC && b->neighbour[axis][upper] == TRIAD_NO_NEIGHBOUR)
        fill_face(p, axis, upper);
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

/* Weights along an axis, and the first of their points here; 0 where this rank has not got them all. */
static int along(const triad_gas_particles *p, int axis, int points, double x, double *w, int64_t *first)
{
  const triad_partition *b = &p->blocks;
  double part;
  if (b->n[axis] == 1) {
    w[0] = 1;
    *first = 0;
    return 1;
  }
  int64_t i = cell(p, axis, x, &part) - b->begin[axis];
  /* one that has gone round the box within the step is next to this block all the same */
  if (is_periodic(p, axis) && i < -b->halo[axis]) i += b->n[axis];
  if (is_periodic(p, axis) && i >= b->local[axis] + b->halo[axis]) i -= b->n[axis];
  triad_lagrange_weights(points, part, w);
  *first = i - points / 2 + 1;
  return *first >= -b->halo[axis] && *first + points <= b->local[axis] + b->halo[axis];
}

int triad_gas_velocity_at(const triad_gas_particles *p, int points, const double x[3], double u[3])
{
  const triad_partition *b = &p->blocks;
  double w[3][TRIAD_WEIGHTS_MOST];
  int64_t first[3];
  int n[3];
  for (int a = 0; a < 3; a++) {
    if (!along(p, a, points, x[a], w[a], &first[a])) return 0;
    n[a] = b->n[a] == 1 ? 1 : points;
  }
  for (int c = 0; c < 3; c++) {
    u[c] = 0;
    for (int k = 0; k < n[2]; k++)
      for (int j = 0; j < n[1]; j++) {
        const triad_real *row = p->velocity[c] + triad_partition_at(b, first[0], first[1] + j, first[2] + k);
        double sum = 0;
        for (int i = 0; i < n[0]; i++) sum += w[0][i] * (double)row[i];
        u[c] += w[1][j] * w[2][k] * sum;
      }
  }
  return 1;
}
