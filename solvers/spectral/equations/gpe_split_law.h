/* Gross-Pitaevskii, the nonlinear part alone over dt: psi turns by its own density (docs/numerics.md eq. 21). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_SPLIT_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_SPLIT_LAW_H

#include "solvers/spectral/equations/gpe_law.h"

enum {
  triad_gpe_split_in = 2,
  triad_gpe_split_held = 2,
  triad_gpe_split_keeps = 0,
  triad_gpe_split_results = 2,
  triad_gpe_split_carries = 0,
  triad_gpe_split_fused = 1,
  triad_gpe_split_shared = 0
};

typedef triad_gpe_law triad_gpe_split_law;

TRIAD_POINT void triad_gpe_split_point(const triad_gpe_split_law *law, double dt, const triad_real *in, triad_real *out)
{
  out[0] = in[0];
  out[1] = in[1];
  triad_gpe_rotate(dt * triad_gpe_phase_rate(law->beta, law->density, in[0], in[1]), &out[0], &out[1]);
}

TRIAD_POINT triad_real triad_gpe_split_rate(const triad_gpe_split_law *law, const triad_real *in)
{
  return (triad_real)fabs(triad_gpe_phase_rate(law->beta, law->density, in[0], in[1]));
}

#endif
