/* The pressure's transform on one GPU between walls along more axes than one: as cosines.h, a real transform along
 * each axis but that of the tridiagonal systems. Its kernels are in cuda/staggered/cosines.cu. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_COSINES_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_COSINES_H

#include "parallel/device.h"
#include "solvers/staggered/gpu/gpu_staggered.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_staggered_setup triad_staggered_setup;
typedef struct triad_staggered_gpu_cosines triad_staggered_gpu_cosines;

/* Of vectors without halos, for a setup with line axis `line`. TRIAD_ERR_MEMORY. Not collective, as all here. */
int triad_staggered_gpu_cosines_create(triad_staggered_gpu_cosines **out, triad_device *device,
                                       const triad_staggered_setup *setup, const triad_staggered_gpu *kernel);
void triad_staggered_gpu_cosines_destroy(triad_staggered_gpu_cosines **cosines);
int triad_staggered_gpu_cosines_renew(triad_staggered_gpu_cosines *cosines, const triad_staggered_setup *setup);
int triad_staggered_gpu_cosines_solve(triad_staggered_gpu_cosines *cosines, const triad_real *r, triad_real *z);
int64_t triad_staggered_gpu_cosines_bytes(const triad_staggered_setup *setup);

/* Lines of n numbers along an axis: line (i, j) of count[0] x count[1] begins at i stride[0] + j stride[1] of a
 * vector, with stride `step`; it is row i + count[0] j of `rows`, 2 (n/2 + 1) numbers each, the size of a line or of
 * its modes as complex numbers. Between walls a row has the even-indexed numbers first and then the odd ones in
 * reverse; its Fourier transform V gives the cosines (Makhoul 1980, IEEE Trans. Acoust. Speech Signal Process. 28,
 * 27):
 *   sum over j of 2 x_j cos(pi k (j + 1/2)/n) = 2 Re(exp(-i pi k/2n) V_k). */
typedef struct triad_staggered_gpu_rows {
  int n, count[2], walls;
  int64_t step, stride[2];
  triad_real *rows;
} triad_staggered_gpu_rows;

/* A vector to rows; their modes to a vector, real: cosines, or those of Fourier as real parts 0 .. n/2, then
 * imaginary parts from the last to the first. And the way back: after all four a vector is 2 n times what it was, n
 * times where it is periodic. */
int triad_staggered_gpu_to_rows(const triad_staggered_gpu_rows *rows, const triad_real *vector, void *stream);
int triad_staggered_gpu_from_modes(const triad_staggered_gpu_rows *rows, triad_real *vector, void *stream);
int triad_staggered_gpu_to_modes(const triad_staggered_gpu_rows *rows, const triad_real *vector, void *stream);
int triad_staggered_gpu_from_rows(const triad_staggered_gpu_rows *rows, triad_real *vector, void *stream);

#ifdef __cplusplus
}
#endif
#endif
