/* Random solenoidal vector fields, and scalars: the same on any number of ranks and threads, and on any grid that
 * holds the modes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_RANDOMFIELD_H
#define TRIAD_SOLVERS_SPECTRAL_START_RANDOMFIELD_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/context.h"

typedef struct triad_random_spectrum {
  uint64_t seed;
  double energy, helicity;
  /* E ~ s^slope for lowest <= s <= highest; else E ~ (s/peak)^4 exp(-2 (s/peak)^2), s <= 4 peak */
  int power_law;
  double slope, lowest, highest, peak; /* wavenumbers in units of the smallest one of the box */
} triad_random_spectrum;

/* Set u, v, w so that every shell s = round(|k|/k_min) that the grid has holds exactly its share of the energy.
 * TRIAD_ERR_CASE where no kept mode lies in the spectrum. Collective. */
int triad_random_field(triad_context *context, const triad_layout *layout, const triad_random_spectrum *spectrum,
                       triad_cplx *const *u);

/* The same for one scalar, whose energy is mean s^2/2; `number`, 0 to 1023, gives the scalars of a flow independent
 * values. */
int triad_random_scalar(triad_context *context, const triad_layout *layout, const triad_random_spectrum *spectrum,
                        int number, triad_cplx *s);

/* A velocity and a magnetic field, each of its own spectrum (of one shape) and helicity, such that every shell has the
 * relative cross-helicity asked for: the shell's sum of u.b is `cross` (-1 to 1) times sqrt(sum |u|^2 sum |b|^2). The
 * part of b that is not along u is drawn by itself and made orthogonal to u in each shell. u is that of
 * triad_random_field. */
int triad_random_pair(triad_context *context, const triad_layout *layout, const triad_random_spectrum *of_u,
                      const triad_random_spectrum *of_b, double cross, triad_cplx *const *u, triad_cplx *const *b);

#endif
