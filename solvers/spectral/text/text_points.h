/* Arithmetic of equations as text that is the same for all of them: constants of a stage, the projection of
 * solenoidal vectors. For CPU and GPU; what differs from case to case is in code.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_TEXT_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_TEXT_POINTS_H

#include "solvers/spectral/equations/velocity_points.h"
#include "solvers/spectral/text/compile/matrix_points.h"

enum { TRIAD_TEXT_LAW_CLOCKS = 32, TRIAD_TEXT_LAW_FIELDS = 24 };

/* What changes from stage to stage: values of functions of time, rates of means. Plain data. */
typedef struct triad_text_law {
  double clock[TRIAD_TEXT_LAW_CLOCKS], constant[TRIAD_TEXT_LAW_FIELDS];
} triad_text_law;

/* Rates of a solenoidal vector less their part along k; 0 for its mean. */
TRIAD_POINT void triad_text_project_rates(const triad_real k[3], const triad_cplx n[3], triad_cplx r[3])
{
  const triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], some = k2 > 0 ? 1 : 0;
  triad_cplx s[3];
  for (int i = 0; i < 3; i++) {
    s[i].re = some * n[i].re;
    s[i].im = some * n[i].im;
  }
  triad_velocity_project(k, some / (k2 > 0 ? k2 : 1), s, r);
}

#endif
