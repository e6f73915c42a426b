/* The positivity limiter. With the flux G of Lax and Friedrichs of first order, both halves of
 *   U_a - r F and U_b + r F,   r = 2 (number of axes) dt/h,
 * whose mean over a cell's faces is the cell after an Euler step, keep rho and p positive if F = G and r (|u| + c) <= 1. F
 * is taken as near to the flux of high order as keeps them above a small part of their present values; the pressure is
 * concave in U, so that a linear estimate is on the safe side. */
#include "solvers/weno/face_row.h"

#include "solvers/weno/flux_points.h"

#define SMALL TRIAD_R(1e-6)


TRIAD_POINT_INLINE triad_real pressure(const triad_weno_gas *g, const triad_real u[5])
{
  return g->gm1 * (u[4] - TRIAD_R(0.5) * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
}

/* The part of the high order, 0 to 1, at which a value `good` at 0 and `now` at 1 stays above `least`. */
TRIAD_POINT_INLINE triad_real part(triad_real good, triad_real now, triad_real least)
{
  triad_real p = (good - least) / (good - now);
  p = p > 0 ? p : 0;
  return now < least ? (p < 1 ? p : 1) : 1;
}

TRIAD_POINT_INLINE triad_real smaller(triad_real a, triad_real b) { return a < b ? a : b; }

/* f towards g by the worse of the two cells' densities, then of their pressures. */
TRIAD_POINT_INLINE void limit(const triad_weno_gas *gas, triad_real r, const triad_real a[5], const triad_real b[5], triad_real pa,
                  triad_real pb, const triad_real g[5], triad_real f[5])
{
  triad_real keep = smaller(part(a[0] - r * g[0], a[0] - r * f[0], SMALL * a[0]),
                            part(b[0] + r * g[0], b[0] + r * f[0], SMALL * b[0]));
  triad_real low_a[5], low_b[5], now_a[5], now_b[5];
  for (int k = 0; k < 5; k++) {
    f[k] = g[k] + keep * (f[k] - g[k]);
    low_a[k] = a[k] - r * g[k];
    low_b[k] = b[k] + r * g[k];
    now_a[k] = a[k] - r * f[k];
    now_b[k] = b[k] + r * f[k];
  }
  keep = smaller(part(pressure(gas, low_a), pressure(gas, now_a), SMALL * pa),
                 part(pressure(gas, low_b), pressure(gas, now_b), SMALL * pb));
  for (int k = 0; k < 5; k++) f[k] = g[k] + keep * (f[k] - g[k]);
}

void triad_weno_limit_row(const triad_weno_faces *p, const triad_weno_stencil *c, int64_t n, triad_weno_row face[5])
{
  const triad_weno_gas g = p->gas;
  const triad_weno_stencil s = *c;
  for (int64_t i = 0; i < n; i++) {
    triad_weno_cell x = {s.a[0][i], s.a[1][i], s.a[2][i], s.a[3][i], s.a[4][i]};
    triad_weno_cell y = {s.b[0][i], s.b[1][i], s.b[2][i], s.b[3][i], s.b[4][i]};
    triad_real a[5], b[5], low[5], f[5];
    triad_real fast = triad_weno_larger(TRIAD_ABS(x.n) + TRIAD_SQRT(x.T), TRIAD_ABS(y.n) + TRIAD_SQRT(y.T));
    for (int k = 0; k < 5; k++) {
      a[k] = s.u[2][k][i];
      b[k] = s.u[3][k][i];
      low[k] = TRIAD_R(0.5) * (s.f[2][k][i] + s.f[3][k][i] - fast * (b[k] - a[k]));
      f[k] = face[k][i];
    }
    limit(&g, p->ratio, a, b, x.rho * x.T * g.per_gamma, y.rho * y.T * g.per_gamma, low, f);
    for (int k = 0; k < 5; k++) face[k][i] = f[k];
  }
}
