/* What the files of the magnetohydrodynamic set share. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_H

#include "solvers/spectral/equations/mhd_law.h"
#include "solvers/spectral/equations/velocity.h"


enum { TRIAD_MHD_B = 3, TRIAD_MHD_CURRENT = 6 }; /* first of the three fields b, of the three inputs curl b */

typedef struct triad_mhd {
  triad_velocity velocity;
  triad_decay decay; /* of b */
  triad_real mean_field[3], hall, whistler; /* whistler: 1 + hall times the largest wavenumber */
  const triad_comm *comm; /* of the run; NULL before prepare */
  triad_mhd_law law;
} triad_mhd;

/* Transfers and the observed production, as equations.h describes them. */
int triad_mhd_shape_transfers(const triad_mhd *mhd, triad_shape *shape);
void triad_mhd_transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *results, triad_lane_reals *transfers);
int triad_mhd_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed);

#endif
