/* Data of particles in a gas on a GPU, for files of this folder only.
 *
 * A group has two pieces of memory of as many numbers a particle, [number][room]. One has the records, and behind
 * them `order` while they are put in order; the other the scheme's vectors during a step, and between steps what
 * travels (rows), or the records in their new order and behind them `place`: then the two change places. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_INTERNAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_INTERNAL_H

#include "grid/fields/gpu_halo.h"
#include "solvers/compressible/particles/gpu_motion.h"
#include "solvers/compressible/particles/internal.h"

typedef struct triad_gas_gpu_group {
  int64_t room;
  double *record, *vector; /* [numbers][room] */
  triad_gas_news *news;    /* on the GPU */
} triad_gas_gpu_group;

struct triad_gas_on_gpu {
  triad_device *device;
  int numbers;                 /* of a particle in either piece */
  triad_gas_gpu_group *group;  /* [groups] */
  triad_gas_news *news, *seen; /* [groups] on the GPU; on the host */
  int64_t *dealt[3];
  int64_t tiles;
  int32_t *end, *scratch; /* [tiles], of sorting */
  triad_real *fields;     /* rates and accelerations; NULL: no group has added mass */
  triad_gpu_halo *halo;   /* of these */
  int64_t steps;
};

#endif
