/* Launches for the observed numbers of a superfluid (gpe_observe.c, gpu_gpe.c): cuda/gpe.cu. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_GPE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_GPE_H

#include "solvers/spectral/equations/gpe_law.h"
#include "solvers/spectral/equations/gpu_set.h"

#ifdef __cplusplus
extern "C" {
#endif


/* made[f] = i k u[f], k along `direction`, f < 2. */
int triad_gpu_gpe_slope(const triad_gpu_modes *modes, int direction, const triad_cplx *const *u, triad_cplx *const *made,
                        void *stream);

/* A visit: inputs psi and its derivative along one direction, result that component of sqrt(rho) u. Squares of the
 * derivatives of |psi| and along its phase are added to partial[block][2], at most `partial_most` numbers. */
typedef struct triad_gpu_gpe_gradient_law {
  double alpha;
  double *partial;
} triad_gpu_gpe_gradient_law;
triad_gpu_visit triad_gpu_gpe_gradient;

/* flux += k w, square.re += |w|^2 for result 0, w; begin: they are set to that. */
int triad_gpu_gpe_momentum(const triad_gpu_modes *modes, const triad_gpu_results *results, int direction, int begin,
                           triad_cplx *flux, triad_cplx *square, void *stream);

/* out[0..1] = the sums of partial[block][2]. */
int triad_gpu_gpe_fold(const double *partial, double *out, void *stream);

/* out[0..2]: interaction and incompressible energy, enstrophy, of what was observed. */
int triad_gpu_gpe_energies(const triad_gpe_law *law, const triad_gpu_measure *measure);

#ifdef __cplusplus
}
#endif
#endif
