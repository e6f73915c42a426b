/* What the files of the multi-block solver on a GPU share. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_OWN_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_OWN_H

#include "grid/fields/gpu_halo.h"
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/gpu/gpu_multiblock.h"

struct triad_mb_on_gpu {
  triad_device *device;
  triad_mb_gpu kernel;
  triad_real *metrics[13];                /* 3 x 3 components of area vectors, nodes, volumes; NULL: not kept */
  triad_real *u[TRIAD_MB_FIELDS];         /* the state */
  triad_real *stage[TRIAD_MB_FIELDS];     /* that of a stage, of schemes that go on from it; NULL: none does */
  triad_real *change[3][TRIAD_MB_FIELDS]; /* of an implicit step; NULL: explicit */
  triad_real *q[2][TRIAD_MB_FIELDS];      /* by turns */
  int now;                                /* which q belongs to the state */
  triad_real *source[TRIAD_MB_FIELDS];
  triad_mb_gpu_block *block;
  triad_mb_gpu_tile *tile;
  triad_mb_gpu_face *face;
  triad_mb_side *side;
  triad_mb_state *exact;
  int32_t *maps;
  int (*left)[4], *late; /* late: places that messages fill, and edges that follow from them */
  int n_left, n_late;
  triad_gpu_halo *halo;
  int apart;
};

/* gpu_fields.c */
int triad_mb_gpu_make(triad_mb_flow *flow, const char *transport);
void triad_mb_gpu_drop(triad_mb_flow *flow);
int64_t triad_mb_gpu_bytes(const triad_mb_setup *setup, const triad_zones *zones, int64_t memory, int64_t faces);

/* gpu_tiles.c: tiles and blocks of this rank on the GPU. Not collective. */
int triad_mb_gpu_tiles(triad_mb_flow *flow);

/* gpu_implicit.c: the state goes on by an implicit step, its primitives are the caller's to renew; sums of squares are
 * left by tiles. */
int triad_mb_gpu_implicit(triad_mb_flow *flow, double cfl);

/* Is the state of a stage kept: does one go on from the one before, and not from the start alone? */
int triad_mb_gpu_keeps_stages(const triad_mb_setup *setup);

#endif
