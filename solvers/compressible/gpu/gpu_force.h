/* Declarations of the kernels of forces, cooling and sponges (cuda/compressible/force.cu). */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_FORCE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_FORCE_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRIAD_GAS_GPU_WAVES = 256,   /* largest |k| along x and one                                          */
  TRIAD_GAS_GPU_BLOCKS = 1024, /* that add up, at most                                                */
  TRIAD_GAS_GPU_SUMS = 4       /* of density and density times change; of work and internal energy     */
};

/* Own points of the state: rows begin at origin + y stride[0] + z stride[1]. */
typedef struct triad_gas_gpu_points {
  triad_real *u[5];
  int64_t n[3], origin, stride[2];
} triad_gas_gpu_points;

/* A change of velocity: growth times itself; or dt times noise, of modes k[count] with numbers normal[count][3][re,
 * im] times `size`, each for its conjugate too, whose waves are wave[axis][kinds][points][re, im]. count 0: there is
 * no noise. */
typedef struct triad_gas_gpu_change {
  double growth, dt, size;
  const double *wave[3], *normal;
  const int32_t (*k)[3];
  int count, kinds; /* 1 + largest k along x */
} triad_gas_gpu_change;

/* What a block found: sums, and what rounding left out of them. */
typedef struct triad_gas_gpu_part {
  double sum[TRIAD_GAS_GPU_SUMS], rest[TRIAD_GAS_GPU_SUMS];
} triad_gas_gpu_part;

/* mean NULL: of rho, and rho times the change of velocity; else the change less its mean comes about: of what
 * kinetic energy gains, and of the internal energy after it. parts[blocks]. */
int triad_gas_gpu_push(const triad_gas_gpu_points *points, const triad_gas_gpu_change *change, const double *mean,
                       int blocks, triad_gas_gpu_part *parts, void *stream);
int triad_gas_gpu_scale_internal(const triad_gas_gpu_points *points, double factor, void *stream);
/* rate, to[5]: of own points, without halos */
int triad_gas_gpu_draw(const triad_gas_gpu_points *points, const triad_real *rate, triad_real *const to[5], double dt,
                       void *stream);

#ifdef __cplusplus
}
#endif
#endif
