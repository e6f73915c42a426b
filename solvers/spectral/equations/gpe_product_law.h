/* Gross-Pitaevskii at the points, the second pass of a stage: the density, dealiased, times psi, which the first kept. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_PRODUCT_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_PRODUCT_LAW_H

#include "solvers/spectral/equations/gpe_law.h"

enum {
  triad_gpe_product_in = 1,
  triad_gpe_product_held = 3,
  triad_gpe_product_keeps = 0,
  triad_gpe_product_results = 2,
  triad_gpe_product_carries = 0,
  triad_gpe_product_fused = 1,
  triad_gpe_product_shared = 0
};

typedef triad_gpe_law triad_gpe_product_law;

TRIAD_POINT void triad_gpe_product_point(const triad_gpe_product_law *law, double dt, const triad_real *in,
                                         triad_real *out)
{
  (void)law;
  (void)dt;
  out[0] = in[0] * in[1];
  out[1] = in[0] * in[2];
}

TRIAD_POINT triad_real triad_gpe_product_rate(const triad_gpe_product_law *law, const triad_real *in)
{
  (void)law;
  (void)in;
  return 0; /* the first pass has told it */
}

#endif
