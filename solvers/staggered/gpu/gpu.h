/* Steps with the state on a GPU, as the files of the CPU call them: one table, NULL in a build without CUDA; who has
 * flow->gpu may call. The mesh, and all that begins and writes, stay with the host. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_H

#include "solvers/schemes.h"
#include "solvers/staggered/state/flow.h"

/* All that return a status are collective, and agree. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE, TRIAD_ERR_BLOWUP. */
typedef struct triad_staggered_gpu_part {
  /* flow->gpu for flow->device: its memory, and the device's copy of the state attached to flow->state */
  int (*make)(triad_staggered_flow *flow, const char *transport);
  void (*drop)(triad_staggered_flow *flow);
  int (*renew)(triad_staggered_flow *flow); /* faces have opened or closed */
  /* the box has the lengths of flow->setup; before: velocities are scaled from these lengths; NULL: they have been */
  int (*resize)(triad_staggered_flow *flow, const double before[3]);
  /* the state made free of divergence, as triad_staggered_make_solenoidal; it comes from the host and goes back
   * there */
  int (*solenoidal)(triad_staggered_flow *flow, double dt);
  int (*stage)(triad_staggered_flow *flow, const triad_scheme_update *update);
  /* halos and boundaries of the state; then what look_at finds: three sums and a maximum */
  int (*look)(triad_staggered_flow *flow, double results[4]);
  /* what the columns of the series are made of, of the state and all ranks: budget_points.h, forces_points.h */
  int (*measure)(triad_staggered_flow *flow, double *budget, double *forces);
  /* the state's numbers that flow->probes are made of, in the order of triad_staggered_probes_entries, until the
   * next call; version: as triad_staggered_probes_settle has it */
  int (*entries)(triad_staggered_flow *flow, int64_t version, const triad_real **numbers);
  /* sums of the state over planes across an axis, as profiles.h takes them: theirs until the next call */
  int (*planes)(triad_staggered_flow *flow, int axis, const double **planes);
  /* steps do one thing after the other, and add to flow->phases */
  void (*apart)(triad_staggered_flow *flow, int apart);
  /* bytes that this rank sends in one exchange of a velocity, and of one field; the word of their transport */
  void (*sent_bytes)(const triad_staggered_flow *flow, int64_t *velocity, int64_t *field);
  const char *(*transport)(const triad_staggered_flow *flow);
  /* time of steps that were timed apart by parts of the pressure's iterations, since it was last asked for */
  void (*parts)(triad_staggered_flow *flow, double part_s[TRIAD_SOLVE_PARTS]);
  /* 1: inner cells are computed while halos are communicated */
  int (*overlaps)(const triad_staggered_flow *flow);
  /* bytes that a rank with these cells takes of the GPU, without taking them */
  int64_t (*bytes)(const triad_partition *blocks, const triad_staggered_setup *setup);
} triad_staggered_gpu_part;
extern const triad_staggered_gpu_part *const triad_staggered_gpu_steps; /* device.c; the table is gpu_step.c's */

/* The transform on a GPU of a box of this kind, without solids: waves of Fourier along x and all other axes but one
 * at most, which is *line (-1: there is none); those of one GPU between walls along any axis that is uniform; or
 * none. Not collective. */
typedef enum triad_staggered_gpu_kind_of_waves {
  TRIAD_STAGGERED_GPU_NO_WAVES,
  TRIAD_STAGGERED_GPU_FOURIER,
  TRIAD_STAGGERED_GPU_COSINES
} triad_staggered_gpu_kind_of_waves;
triad_staggered_gpu_kind_of_waves triad_staggered_gpu_transforms(const triad_staggered_setup *setup, int *line);

#endif
