/* Declarations for cuda/ in a set's points.h, which cuda/ compiles once per set; they expand to nothing for other
 * compilers. Numbers are named; those with a default may be omitted.
 *
 * TRIAD_GPU_PASS(name, constants, ...): cuda/spectral/points.cu generates the x pass triad_gpu_visit_<name> from the
 * functions
 *     void triad_<name>_point(const constants *, double dt, const triad_real *in, triad_real *out)
 *     triad_real triad_<name>_rate(const constants *, const triad_real *in)      its advection rate
 *   IN       inputs that are transformed
 *   HELD     values that the functions see: inputs, followed by those saved by an earlier pass [IN]
 *   KEEPS    number of inputs saved for a later pass [0]
 *   RESULTS  number of products
 *   CARRIES  1: every input after IN is advected by the first three, three more results each [0]
 *   BEHIND   how many of IN follow the advected inputs; not in one kernel with the transforms [0]
 *   RATES    0: there is no rate() [1]
 *   FUSED    0: never in one kernel with the transforms along x [1]
 *   SHIFTED  0: never on grids that are shifted for phase shifts [1]
 *   SHARED   number of held fields stored in shared memory (fft/gpu/device_fused.h) [0]
 *
 * TRIAD_GPU_MODES(name, constants, ...): cuda/spectral/spectral.cu generates triad_gpu_spectral_<name> (gpu_set.h) from
 *     void triad_<name>_mode(const constants *, const triad_real k[3], triad_real inverse_k2, u, t, triad_cplx *n)
 *     void triad_<name>_mode_sums(const constants *, const triad_wave_numbers *, u, double *sums)
 *     void triad_<name>_mode_densities(const constants *, const triad_wave_numbers *, u, double *densities)
 *     void triad_<name>_mode_transfers(const constants *, int part, k, inverse_k2, u, t, double *transfers)
 *     void triad_<name>_source(const constants *, const triad_real k[3], u, triad_cplx *made)
 *   with u the fields of a mode, t the results of the last pass (after chains were summed), k the wavenumber of
 *   derivatives, inverse_k2 = 1/k^2; where k = 0 it is 0 for the mean and 1 for other modes, all of whose components
 *   are 0 or n/2.
 *   FIELDS, TERMS, SUMS, DENSITIES  numbers of fields, results, sums and densities
 *   TRANSFERS  number of transfers [0: no such function]
 *   SOURCES    inputs of the first pass that are computed from the fields [0: no such function]
 *   OBSERVED   fields after these that densities read too [0]
 *   SCALARS    1: passive scalars follow, constants->scalars.n of them [0]
 *   JOINED     1: the update in one kernel with lines along z, where that is faster (device_joined.h) [0] */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_KERNELS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_KERNELS_H

#ifndef TRIAD_GPU_PASS
#define TRIAD_GPU_PASS(name, constants, ...)
#endif
#ifndef TRIAD_GPU_MODES
#define TRIAD_GPU_MODES(name, constants, ...)
#endif

#endif
