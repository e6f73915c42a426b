/* Initial fields that are sums of a few waves in any of the fields: exact waves of the equations, the Orszag-Tang
 * vortex, the magnetic Taylor-Green field (docs/methods/spectral-sets.md eq. 18 and 19). */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_WAVES_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_WAVES_H

#include "solvers/spectral/flow.h"

/* Part `part` of the fields called `of` ("velocity", a vector; "theta", a scalar: grid/field.h) has the coefficient re
 * + i im at the integer wavenumbers k and its conjugate at -k. */
typedef struct triad_wave {
  int64_t k[3];
  const char *of;
  int part;
  double re, im;
} triad_wave;

enum { TRIAD_INITIAL_WAVES = 16 };

/* The waves of a built-in initial condition (initial.c). With A = initial.amplitude, k = initial.wave in units 2
 * pi/L_i, and phases that move along k (or, with initial.direction = "backward", against it):
 *
 *   inertial-wave  u = A Re (i e1 + e2) exp(i k.x) or its mirror image, omega = 2 |Omega.k|/|k|
 *   internal-wave  the eigenmode of omega^2 = (2 Omega.k/|k|)^2 +- (N k_h/|k|)^2, A along e2; growing if that is < 0
 *   alfven-wave    u = -+ b, b = A e cos(k.x), e across k and B0, omega = |k.B0|; with the Hall term the circular
 *                  wave
 *                  b = A (e1 cos k.x -+ e2 sin k.x), u = -(k.B0/omega) b of the branch initial.branch,
 *                  omega = |k.B0| (sqrt(4 + d^2 k^2) +- d |k|)/2 (Mahajan and Krishan 2005, MNRAS 359, L27)
 *   orszag-tang    u = A (-2 sin y, 2 sin x, 0), b = 0.8 B (-2 sin 2y + sin z, 2 sin x + sin z, sin x + sin y), of
 *                  x -> 2 pi m x/L and so on (Mininni et al. 2006, Phys. Rev. Lett. 97, 244503);
 *                  initial.two_dimensional:
 *                  b = B (-2 sin 2y, 2 sin x, 0) (Orszag and Tang 1979, J. Fluid Mech. 90, 129)
 *   taylor-green   of mhd, in addition to the velocity: b = (B/sqrt 3) (cos x sin y sin z, (k1/k2) sin x cos y sin z,
 *                  -2 (k1/k3) sin x sin y cos z) (Lee et al. 2008, Phys. Rev. E 78, 066401: insulating walls)
 *
 * e1, e2 and k are a right-handed frame, e1 horizontal. Each wave solves the nonlinear equations for any A.
 * list[TRIAD_INITIAL_WAVES]. TRIAD_ERR_CASE if the grid does not keep a wave, or it would not move. Not collective. */
typedef int triad_waves(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count);
triad_waves triad_waves_gravity; /* inertial-wave, internal-wave */
triad_waves triad_waves_alfven, triad_waves_orszag_tang, triad_waves_magnetic_taylor_green;

/* Add them to the fields of the flow, where they are held here. TRIAD_ERR_INTERNAL where it has no such field. Not
 * collective. */
int triad_initial_waves_add(triad_flow *flow, const triad_wave *list, int count);

#endif
