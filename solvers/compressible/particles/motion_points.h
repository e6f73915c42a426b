/* The arithmetic of one particle in a gas, on any device: its cell, sums of fields at its position, a stage of its
 * motion, boundaries. `lanes` threads can share a sum; each then adds every lanes-th point along x. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_MOTION_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_MOTION_POINTS_H

#include "base/point.h"
#include "solvers/particles/spline_points.h"
#include "solvers/schemes.h"
#include "solvers/compressible/case/setup.h"

/* A record: its number, place (not folded back along periodic axes), velocity, the gas's velocity at it when the
 * last step began, by which the next one's length is found, whether a boundary has taken it. */
enum { TRIAD_GAS_ID, TRIAD_GAS_X, TRIAD_GAS_V = 4, TRIAD_GAS_U = 7, TRIAD_GAS_TAKEN = 10, TRIAD_GAS_WIDTH };

/* Place and velocity are what the scheme's vectors are made of. MOST: points of a polynomial along an axis. */
enum { TRIAD_GAS_MOVING = 6, TRIAD_GAS_MOST = 6 };

/* What becomes of one that meets a boundary. */
enum triad_gas_meeting { TRIAD_MEETS_AUTO, TRIAD_MEETS_REFLECT, TRIAD_MEETS_ABSORB, TRIAD_MEETS_REENTER };

/* The points of a block, and what there is at them. Plain data. */
typedef struct triad_gas_points {
  int64_t n[3], begin[3], local[3], halo[3], stride[3], origin; /* as in grid/partition.h */
  double length[3];
  int periodic[3], dims[3], rank;
  const int64_t *dealt[3];                         /* [dims] where blocks begin along an axis */
  const triad_real *velocity[3], *acceleration[3]; /* at points and halos; du/dt: NULL where nobody has added mass */
} triad_gas_points;

/* The particles of a group on this rank. Number k of particle i is `step` i + `number` k from the first of the
 * records; of vector v > 0 of the scheme numbers k + 6 (v - 1) of `vector` are place and velocity. Plain data. */
typedef struct triad_gas_members {
  int64_t n, step, vector_step, number;
  double *record, *vector;
  int points, inertial; /* of the polynomial, along an axis */
  int meets[3][2];      /* triad_gas_meeting */
  double rate, mass, pull[3];
} triad_gas_members;

TRIAD_POINT double *triad_gas_number(const triad_gas_members *m, int64_t i, int k)
{
  return m->record + i * m->step + k * m->number;
}

TRIAD_POINT double *triad_gas_moving(const triad_gas_members *m, int64_t i, int vector, int k)
{
  return vector == 0 ? triad_gas_number(m, i, TRIAD_GAS_X + k)
                     : m->vector + i * m->vector_step + ((vector - 1) * TRIAD_GAS_MOVING + k) * m->number;
}

/* Has a boundary taken it? */
TRIAD_POINT int triad_gas_is_taken(const triad_gas_members *m, int64_t i)
{
  return *triad_gas_number(m, i, TRIAD_GAS_TAKEN) > 0;
}

/* ---- where ---- */

/* The point below, 0 .. n - 1 along a periodic axis, and the part of a spacing beyond it. Points lie at i h where
 * the axis is periodic, else at (i + 1/2) h. */
TRIAD_POINT int64_t triad_gas_cell(const triad_gas_points *p, int axis, double x, double *part)
{
  const int64_t n = p->n[axis];
  const double s = x * (double)n / p->length[axis] - (p->periodic[axis] ? 0 : 0.5), below = floor(s);
  int64_t i = (int64_t)below;
  *part = s - below;
  if (!p->periodic[axis] || (i >= 0 && i < n)) return i;
  i %= n;
  return i < 0 ? i + n : i;
}

/* The same, of those that a block can have. */
TRIAD_POINT int64_t triad_gas_own_cell(const triad_gas_points *p, int axis, double x)
{
  double part;
  const int64_t i = triad_gas_cell(p, axis, x, &part);
  return i < 0 ? 0 : i >= p->n[axis] ? p->n[axis] - 1 : i;
}

/* The rank that has the point below. */
TRIAD_POINT int triad_gas_owner(const triad_gas_points *p, const double x[3])
{
  int place[3];
  for (int a = 0; a < 3; a++) {
    const int64_t i = triad_gas_own_cell(p, a, x[a]);
    place[a] = 0;
    while (place[a] + 1 < p->dims[a] && p->dealt[a][place[a] + 1] <= i) place[a]++;
  }
  return place[0] + p->dims[0] * (place[1] + p->dims[1] * place[2]);
}

/* ---- sums ---- */

/* The points about a place: how many along each axis, where the first is, their weights and those of the derivative. */
typedef struct triad_gas_near {
  int n[3];
  int64_t first;
  double weight[3][TRIAD_GAS_MOST], slope[3][TRIAD_GAS_MOST];
} triad_gas_near;

TRIAD_POINT int triad_gas_find_along(const triad_gas_points *p, int m, int axis, double x, int slopes,
                                     triad_gas_near *to)
{
  double part;
  to->n[axis] = p->n[axis] == 1 ? 1 : m;
  to->weight[axis][0] = 1;
  if (p->n[axis] == 1) return 1;
  int64_t i = triad_gas_cell(p, axis, x, &part) - p->begin[axis];
  /* one that has gone round the box within the step is next to this block all the same: the image that is nearest to
   * it, as halos may be as wide as what lies between */
  const int64_t n = p->n[axis], local = p->local[axis];
  if (p->periodic[axis] && i < 0 && i + n - (local - 1) < -i) i += n;
  if (p->periodic[axis] && i >= local && n - i < i - (local - 1)) i -= n;
  triad_lagrange_weights_of(1, m, &part, to->weight[axis]);
  if (slopes) triad_lagrange_slopes(m, part, to->slope[axis]);
  i -= m / 2 - 1;
  to->first += i * p->stride[axis];
  return i >= -p->halo[axis] && i + m <= p->local[axis] + p->halo[axis];
}

/* Of m points along an axis; 0 where this rank has not got them all. */
TRIAD_POINT int triad_gas_find(const triad_gas_points *p, int m, const double x[3], int slopes, triad_gas_near *to)
{
  to->first = p->origin;
  for (int a = 0; a < 3; a++)
    if (!triad_gas_find_along(p, m, a, x[a], slopes, to)) return 0;
  return 1;
}

/* This lane's part of three fields at the place: themselves, or times a spacing their derivative along axis `slope`
 * (-1: none). */
TRIAD_POINT void triad_gas_sum(const triad_gas_points *p, const triad_real *const field[3], const triad_gas_near *at,
                               int m, int slope, int lane, int lanes, double sum[3])
{
  const double *wx = slope == 0 ? at->slope[0] : at->weight[0], *wy = slope == 1 ? at->slope[1] : at->weight[1];
  const double *wz = slope == 2 ? at->slope[2] : at->weight[2];
  for (int c = 0; c < 3; c++) sum[c] = 0;
  for (int k = 0; k < at->n[2]; k++)
    for (int j = 0; j < m; j++) {
      if (j >= at->n[1]) break;
      const int64_t row = at->first + j * p->stride[1] + k * p->stride[2];
      const double w = wy[j] * wz[k];
      for (int i = lane; i < at->n[0]; i += lanes)
        for (int c = 0; c < 3; c++) sum[c] += w * wx[i] * (double)field[c][row + i];
    }
}

/* This lane's part of Du/Dt = du/dt + (v.grad) u where the velocity is v (docs/methods/particles.md). */
TRIAD_POINT void triad_gas_acceleration(const triad_gas_points *p, const triad_gas_near *at, int m, const double v[3],
                                        int lane, int lanes, double sum[3])
{
  double part[3];
  triad_gas_sum(p, p->acceleration, at, m, -1, lane, lanes, sum);
  for (int axis = 0; axis < 3; axis++) {
    if (at->n[axis] == 1) continue;
    triad_gas_sum(p, p->velocity, at, m, axis, lane, lanes, part);
    for (int c = 0; c < 3; c++) sum[c] += v[axis] * ((double)p->n[axis] / p->length[axis]) * part[c];
  }
}

/* ---- motion ---- */

/* A stage for number k of place and velocity, where u and acceleration are the gas's along the same axis. `out` is
 * never `in`. */
TRIAD_POINT void triad_gas_move(const triad_gas_members *m, const triad_scheme_update *s, int64_t i, int k, double u,
                                double acceleration)
{
  const int axis = k % 3;
  double rate = u;
  if (m->inertial) {
    const double own = *triad_gas_moving(m, i, s->in, 3 + axis);
    rate = k < 3 ? own : (u - own) * m->rate + m->pull[axis] + m->mass * acceleration;
  }
  if (s->in == 0 && k < 3) *triad_gas_number(m, i, TRIAD_GAS_U + axis) = u; /* for the length of the next step */
  double next = s->x_part * *triad_gas_moving(m, i, s->x, k) + s->rate * s->rate_dt * rate;
  if (s->y >= 0) next += s->y_part * *triad_gas_moving(m, i, s->y, k);
  if (s->sum >= 0)
    *triad_gas_moving(m, i, s->sum, k) =
      (s->from >= 0 ? s->from_part * *triad_gas_moving(m, i, s->from, k) : 0) + s->weight * s->weight_dt * rate;
  *triad_gas_moving(m, i, s->out, k) = next;
}

/* One that has crossed a boundary: mirrored, taken there, or in at the other side. */
TRIAD_POINT void triad_gas_meet(const triad_gas_points *p, const triad_gas_members *m, int64_t i)
{
  for (int a = 0; a < 3; a++) {
    double *x = triad_gas_number(m, i, TRIAD_GAS_X + a);
    const int upper = *x > p->length[a];
    const double edge = upper ? p->length[a] : 0;
    if (p->periodic[a] || (*x >= 0 && *x <= p->length[a])) continue;
    switch (m->meets[a][upper]) {
    case TRIAD_MEETS_REENTER: *x -= upper ? p->length[a] : -p->length[a]; break;
    case TRIAD_MEETS_ABSORB:
      *x = edge;
      *triad_gas_number(m, i, TRIAD_GAS_TAKEN) = 1;
      for (int b = 0; b < 3; b++)
        *triad_gas_number(m, i, TRIAD_GAS_V + b) = *triad_gas_number(m, i, TRIAD_GAS_U + b) = 0;
      break;
    case TRIAD_MEETS_AUTO: /* replaced when the case was read */
    case TRIAD_MEETS_REFLECT:
      *x = 2 * edge - *x;
      *triad_gas_number(m, i, TRIAD_GAS_V + a) = -*triad_gas_number(m, i, TRIAD_GAS_V + a);
      break;
    }
  }
}

/* The rate of a step that moves it by 0.9 of a point's width at the most. */
TRIAD_POINT double triad_gas_pace(const triad_gas_points *p, const triad_gas_members *m, int64_t i)
{
  double most = 0;
  for (int a = 0; a < 3; a++)
    if (p->n[a] > 1)
      most = fmax(most, fabs(*triad_gas_number(m, i, (m->inertial ? TRIAD_GAS_V : TRIAD_GAS_U) + a)) * (double)p->n[a] /
                          (0.9 * p->length[a]));
  return most;
}

/* ---- the gas's acceleration at points ---- */

/* A component of du/dt of the rates of momentum and density: d(rho u)/dt = rho du/dt + u drho/dt. */
TRIAD_POINT triad_real triad_gas_change(triad_real momentum_rate, triad_real u, triad_real density_rate,
                                        triad_real density)
{
  return (momentum_rate - u * density_rate) / density;
}

/* The same beyond a boundary, where `mirror` is its mirror image inside and `last` the last point's: walls and what
 * flows in are steady. */
TRIAD_POINT triad_real triad_gas_change_beyond(int kind, int component, int axis, triad_real mirror, triad_real last)
{
  switch (kind) {
  case TRIAD_COMPRESSIBLE_REFLECTING: return component == axis ? -mirror : mirror;
  case TRIAD_COMPRESSIBLE_ADIABATIC:
  case TRIAD_COMPRESSIBLE_ISOTHERMAL: return -mirror;
  case TRIAD_COMPRESSIBLE_INFLOW: return 0;
  case TRIAD_COMPRESSIBLE_OUTFLOW: return last;
  default: return mirror;
  }
}

#endif
