/* Taylor and Green's vortex in a box of any sides (1937, Proc. R. Soc. A 158, 499), for starts of several families:
 *
 *   u = (sin k_1 x cos k_2 y cos k_3 z, -(k_1/k_2) cos k_1 x sin k_2 y cos k_3 z, 0)
 *   p = k_1^2/8 [cos 2 k_1 x (1/k_1^2 + c/(k_1^2 + k_3^2)) + cos 2 k_2 y (1/k_2^2 + c/(k_2^2 + k_3^2))],  c = cos 2
 *   k_3 z,
 *
 * free of divergence, and the pressure of that flow at density 1, lap p = -d_i u_j d_j u_i, about its mean; in a
 * cube p is (cos 2 k x + cos 2 k y)(cos 2 k z + 2)/16. Of amplitude V: V u, and rho V^2 p. The plane vortex has k_3
 * = 0. */
#ifndef TRIAD_SOLVERS_TAYLOR_GREEN_H
#define TRIAD_SOLVERS_TAYLOR_GREEN_H

#include <math.h>

/* u at x; k > 0, except k[2] >= 0 [1/length]. Returns p there. */
static inline double triad_taylor_green(const double k[3], const double x[3], double u[3])
{
  const double a = k[0] * x[0], b = k[1] * x[1], c = k[2] * x[2], deep = cos(2 * c);
  const double r1 = k[1] * k[1] / (k[0] * k[0]), r2 = k[2] * k[2] / (k[0] * k[0]);
  u[0] = sin(a) * cos(b) * cos(c);
  u[1] = -k[0] / k[1] * cos(a) * sin(b) * cos(c);
  u[2] = 0;
  return (cos(2 * a) * (1 + deep / (1 + r2)) + cos(2 * b) * (1 / r1 + deep / (r1 + r2))) / 8;
}

#endif
