/* Data of a shear, for the files here. */
#ifndef TRIAD_SOLVERS_SPECTRAL_SHEAR_SHEAR_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_SHEAR_SHEAR_INTERNAL_H

#include "solvers/spectral/shear/shear.h"

/* The first of the columns of shear_columns.c, which follow each other. */
#define TRIAD_SHEAR_FIRST_COLUMN "shear_production"

struct triad_shear {
  double rate;           /* S */
  double period;         /* Lx/Ly, the skew that a remesh takes away */
  double origin, turns;  /* skew = S (t - origin) - turns period */
  double power, dropped; /* at the current state, NAN: not known; energy that remeshes have dropped [U^2] */
  int first_column;      /* of those of shear_columns.c in a series line */
  int n_energy;          /* the number of first fields whose squares make up the energy */
};

/* shear_columns.c: sums over modes that the columns need, and the power that follows from them. Collective. */
enum { TRIAD_SHEAR_UU, TRIAD_SHEAR_VV, TRIAD_SHEAR_WW, TRIAD_SHEAR_UV, TRIAD_SHEAR_BXBY, TRIAD_SHEAR_SUMS };
int triad_shear_sums(const triad_flow *flow, double sums[TRIAD_SHEAR_SUMS]);
double triad_shear_power(const triad_shear *shear, const double sums[TRIAD_SHEAR_SUMS]);

/* remesh.c: shift the modes by `turns` whole skews: (nx, ny, nz) becomes (nx, ny - turns nx, nz). *dropped: the energy
 * of the first n_energy fields in modes that are not kept. Collective. */
int triad_shear_remesh(triad_flow *flow, int64_t turns, int n_energy, triad_cplx *const *room, double *dropped);

#endif
