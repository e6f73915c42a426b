/* Velocity fields of a few modes, given by name: Taylor-Green and ABC, as initial fields and as forcing. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_ANALYTIC_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_ANALYTIC_H

#include "base/precision.h"
#include "grid/grid.h"

/* One Fourier coefficient of (u, v, w); both k and -k are listed. */
typedef struct triad_mode {
  int64_t k[3];
  double re[3], im[3];
} triad_mode;

enum { TRIAD_ANALYTIC_MODES = 12 };

/* With k_i = 2 pi m/L_i and amplitude U:
 *   Taylor-Green  u = U (sin k1 x cos k2 y cos k3 z, -(k1/k2) cos k1 x sin k2 y cos k3 z, 0)
 *   plane         the same without cos k3 z
 *   ABC           u = U (A sin k3 z + C cos k2 y, B sin k1 x + A cos k3 z, C sin k2 y + B cos k1 x)
 * Fill list[TRIAD_ANALYTIC_MODES] and *count. TRIAD_ERR_CASE, naming `key`, where the grid does not keep a mode.
 * Taylor and Green 1937, Proc. R. Soc. A 158, 499; Dombre et al. 1986, J. Fluid Mech. 167, 353. Not collective. */
int triad_taylor_green_modes(const triad_grid *grid, int64_t m, double amplitude, int plane, const char *key,
                             triad_mode *list, int *count);
int triad_abc_modes(const triad_grid *grid, int64_t m, double amplitude, const double abc[3], const char *key,
                    triad_mode *list, int *count);

#endif
