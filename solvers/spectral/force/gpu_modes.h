/* Forced modes of a state on a GPU: creation, copies to the host, addition of the force. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_MODES_H

#include "solvers/spectral/force/forcing.h"

/* *out stays NULL without forcing; every function accepts NULL. `layout`: of the device's fields. */
int triad_gpu_forced_create(triad_gpu_forced **out, triad_device *device, triad_flow *flow, const triad_layout *layout);
void triad_gpu_forced_destroy(triad_gpu_forced **forced);

/* As triad_forcing_prepare, _add and _kick, for all fields u[] of the flow on the device; those that are forced are
 * meant. */
int triad_gpu_forced_prepare(triad_gpu_forced *forced, triad_cplx *const *u);
int triad_gpu_forced_add(triad_gpu_forced *forced, triad_cplx *const *u, double tau, double weight);
int triad_gpu_forced_kick(triad_gpu_forced *forced, triad_cplx *const *u, double dt);

/* Copy the forced modes to flow->u on the host, for triad_forcing_injection. */
int triad_gpu_forced_show(triad_gpu_forced *forced, triad_cplx *const *u);

/* cuda/spectral/modes.cu: packed[c * n + m] = u[c][index[m]] for c < n_fields; and back, or added. */
int triad_gpu_modes_get(int n_fields, int64_t n, const int64_t *index, triad_cplx *const *u, triad_cplx *packed,
                        void *stream);
int triad_gpu_modes_put(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
                        triad_cplx *const *u, void *stream);

#endif
