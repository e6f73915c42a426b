/* Fields and tables of the compressible solver in GPU memory: creation, destruction, sizes. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_FIELDS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_FIELDS_H

#include "solvers/compressible/gpu/gpu_internal.h"

/* gpu_fields.c: as the table of internal.h has them. */
int triad_compressible_gpu_make(triad_compressible *w, triad_device *device, const char *transport);
void triad_compressible_gpu_drop(triad_compressible *w);
int triad_compressible_gpu_conserved_at(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out);
int64_t triad_compressible_gpu_row_bytes(const triad_compressible *w); /* of numbers of rows */
int64_t triad_compressible_gpu_bytes(const triad_partition *blocks, const triad_compressible_setup *setup);

#endif
