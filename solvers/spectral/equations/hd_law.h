/* A velocity and what it carries, at the points: what cuda/points.cu compiles for hd and boussinesq (docs/numerics.md
 * eq. 7, 17). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_LAW_H

#include "solvers/spectral/equations/decay_points.h"
#include "solvers/spectral/equations/hd_points.h"

enum {
  triad_hd_in = 3,
  triad_hd_held = 3,
  triad_hd_keeps = 0,
  triad_hd_results = 5,
  triad_hd_carries = 1,
  triad_hd_fused = 1,
  triad_hd_shared = 0
};

typedef struct triad_hd_law {
  triad_real per_spacing[3], rotation[3];
  triad_decay decay;
  /* any number of scalars; the host's, [scalar] and [scalar][3] */
  int n_scalars;
  const triad_decay *scalar_decay;
  const double *gradient;
} triad_hd_law;

TRIAD_POINT void triad_hd_point(const triad_hd_law *law, double dt, const triad_real *in, triad_real *out)
{
  (void)law;
  (void)dt;
  triad_hd_products(in[0], in[1], in[2], out);
}

TRIAD_POINT triad_real triad_hd_rate(const triad_hd_law *law, const triad_real *in)
{
  return law->per_spacing[0] * (triad_real)fabs(in[0]) + law->per_spacing[1] * (triad_real)fabs(in[1]) +
         law->per_spacing[2] * (triad_real)fabs(in[2]);
}

#endif
