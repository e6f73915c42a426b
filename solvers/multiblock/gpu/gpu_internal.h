/* The GPU memory of the multi-block solver, for files of this folder only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_INTERNAL_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_INTERNAL_H

#include "grid/fields/gpu_halo.h"
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/gpu/gpu_multiblock.h"

struct triad_multiblock_on_gpu {
  triad_device *device;
  triad_multiblock_gpu kernel;
  triad_real *metrics[13];                        /* 3 x 3 components of area vectors, nodes, volumes; NULL: not kept */
  triad_real *u[TRIAD_MULTIBLOCK_FIELDS];         /* the state */
  triad_real *stage[TRIAD_MULTIBLOCK_FIELDS];     /* that of a stage, of schemes that go on from it; NULL: none does */
  triad_real *change[3][TRIAD_MULTIBLOCK_FIELDS]; /* of an implicit step; NULL: explicit */
  triad_real *q[2][TRIAD_MULTIBLOCK_FIELDS];      /* of a stage, and of the one before or after */
  int now;                                        /* which q belongs to the state */
  triad_real *source[TRIAD_MULTIBLOCK_FIELDS];
  triad_multiblock_gpu_block *block;
  triad_multiblock_gpu_tile *tile;
  triad_multiblock_gpu_face *face;
  triad_multiblock_side *side;
  triad_gas_state *exact;
  int32_t *maps;
  int (*left)[4], *late; /* late: places that messages fill, and edges that follow from them */
  int n_left, n_late;
  triad_gpu_halo *halo;
  int apart;             /* do steps wait after each loop, to time it? */
  int failure;           /* status of the first kernel that failed in this step */
  int bad_set;           /* may kernel.bad on the GPU be set? */
  triad_real implicit_c; /* 1/(V/dt + rate) of an implicit step is this over the rate */
};

/* gpu_implicit.c: the members of triad_multiblock_loops of these names */
void triad_multiblock_gpu_implicit_steps(triad_multiblock_flow *flow, double c);
void triad_multiblock_gpu_first_change(triad_multiblock_flow *flow);
void triad_multiblock_gpu_exchange_change(triad_multiblock_flow *flow, int change);
void triad_multiblock_gpu_relax_change(triad_multiblock_flow *flow, int from, int to);
void triad_multiblock_gpu_apply_change(triad_multiblock_flow *flow, int change);

extern const triad_multiblock_loops triad_multiblock_gpu_loops; /* gpu_loops.c */

/* Launch something if nothing has failed before; its failure is kept until triad_multiblock_loops.settle. */
#define TRIAD_MULTIBLOCK_LAUNCH(g, call) \
  do { \
    if ((g)->failure == TRIAD_OK) (g)->failure = (call); \
  } while (0)

#endif
