/* The GPU part of particles in a gas, in this build. */
#include "solvers/compressible/particles/internal.h"

#ifdef TRIAD_CUDA
extern const triad_gas_gpu_part triad_gas_particles_gpu_table;
const triad_gas_gpu_part *const triad_gas_particles_gpu = &triad_gas_particles_gpu_table;
#else
const triad_gas_gpu_part *const triad_gas_particles_gpu = NULL;
#endif
