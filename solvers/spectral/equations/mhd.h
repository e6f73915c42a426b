/* Declarations shared by the files of the magnetohydrodynamic set. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_H

#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/mhd_points.h"
#include "solvers/spectral/equations/velocity.h"

typedef struct triad_mhd {
  triad_mhd_constants constants; /* first: loops.h */
  triad_grid grid;
  const triad_comm *comm; /* of the run; NULL before prepare */
  triad_gpu_set gpu;
} triad_mhd;

/* Inputs of a pass: fields of the set, scalars, and where there is a Hall term curl b. */
static inline int triad_mhd_inputs(const triad_mhd *m)
{
  return TRIAD_MHD_FIELDS + m->constants.scalars.n + (m->constants.hall != 0 ? TRIAD_MHD_SOURCES : 0);
}

/* Transfers and the observed production, as equations.h describes them; the latter also on a GPU, where there is one.
 * */
int triad_mhd_shape_transfers(const triad_mhd *mhd, triad_shape *shape);
int triad_mhd_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed);
int triad_gpu_observe_mhd(const void *constants, const triad_gpu_state *state, double *observed);

#endif
