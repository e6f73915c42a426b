/* Declarations shared by the GPU files of the staggered solver. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_INTERNAL_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_INTERNAL_H

#include "grid/fields/gpu_gather.h"
#include "grid/fields/gpu_halo.h"
#include "solvers/staggered/gpu/device.h"
#include "solvers/staggered/gpu/gpu_cosines.h"
#include "solvers/staggered/gpu/gpu_surface.h"

typedef struct triad_staggered_gpu_transform triad_staggered_gpu_transform;

/* Of several ranks kernels may meet: what others need they store in the others' vectors, sums in boxes, and the last
 * block of each waits for those of all ranks. So iterations run without the host, as on one GPU. `put` is that;
 * `auto` takes it where each rank has a GPU of its own that the others reach, for blocks that wait would hold up the
 * one they wait for. Else halos are messages and the host adds up. */
typedef struct triad_staggered_gpu_windows {
  int meets;
  char *mine;                 /* on the GPU */
  char **there;               /* [rank] that of rank r as seen from here */
  int *ranks;                 /* [rank] 0, 1, .. */
  unsigned long long **boxes; /* on the GPU */
} triad_staggered_gpu_windows;

/* The cells of a rank in sweeps whose halos are sent by messages: inner ones, and planes that adjoin other ranks,
 * while halos are communicated; or all at once. */
typedef struct triad_staggered_gpu_parts {
  int apart, planes;
  const triad_real *sent; /* the vector whose halo is on its way; NULL: none is */
  triad_staggered_gpu_cells inner, plane[6];
} triad_staggered_gpu_parts;

/* The pressure's vectors on the GPU, as triad_staggered_gpu_cells has them. */
typedef struct triad_staggered_gpu_solver {
  triad_staggered_gpu_parts parts;
  double part_s[TRIAD_SOLVE_PARTS]; /* of steps that are timed apart, since they were last asked for */
  int at_work;                      /* between a solve's beginning and its end */
  triad_staggered_gpu_cells cells;
  uint8_t *open;             /* as vectors lie                                        */
  triad_real *table;         /* 1/diagonal                                            */
  triad_real *b, *x, *r, *z; /* z: NULL without preconditioner                        */
  triad_real *d[2];          /* the direction, and the one before; NULL: never needed */
  triad_staggered_gpu_results results;
  triad_staggered_gpu_scalars now;          /* as the host knows them                                */
  double fluid;                             /* cells of it, of all ranks                             */
  int expected;                             /* iterations that the last solve took                   */
  triad_staggered_gpu_transform *transform; /* NULL: none */
  triad_staggered_gpu_surface surface;      /* with it, around solids; charges NULL: never */
} triad_staggered_gpu_solver;

/* Vectors of implicit diffusion: residual, direction, matrix times direction, change of the pressure; or NULL. */
enum { TRIAD_STAGGERED_GPU_IMPLICIT = 4 };
typedef struct triad_staggered_gpu_implicit {
  triad_real *r, *d, *q, *change;
} triad_staggered_gpu_implicit;

/* Regions of fluid, if there are more than one: the region of each place of a vector, and how many cells each has. */
typedef struct triad_staggered_gpu_regions {
  int64_t n; /* 0: there is one */
  int32_t *region;
  double *cells;
} triad_staggered_gpu_regions;

struct triad_staggered_on_gpu {
  triad_device *device;
  triad_staggered_gpu kernel;
  double *faces[3]; /* positions of the mesh */
  triad_real *sizes;
  uint8_t *open;                                 /* with halos                           */
  triad_real *u[TRIAD_STAGGERED_VECTORS][3], *p; /* with halos; the state is u[0] and p  */
  triad_real *heat[TRIAD_STAGGERED_VECTORS];     /* temperatures; NULL: none             */
  triad_gpu_halo *velocities, *cells, *vectors;  /* vectors: of the pressure's; NULL on one rank */
  triad_staggered_gpu_windows windows;
  triad_staggered_gpu_solver solver;
  triad_staggered_gpu_implicit implicit;
  triad_staggered_gpu_regions regions;
  triad_real *plane[2];     /* velocities through the ends where fluid leaves; NULL: it does not */
  double *sums, *sums_here; /* of profiles over planes, there and on the host; NULL: none */
  triad_gpu_gather entries; /* what probes are made of, as of this version */
  int64_t entries_version;
  int live; /* the vector that a stage has computed, in addition to the state */
  int apart;
};

/* gpu_vectors.c: vectors of the pressure; renew: compute their matrix again after faces have opened or closed, or the
 * lengths of the box have changed. gpu_cg.c: compute p, with its halo, from the velocity u with its halo:
 * triad_staggered_source and triad_staggered_solve. Collective. */
int triad_staggered_gpu_solver_make(triad_staggered_flow *flow);
void triad_staggered_gpu_solver_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_solver_renew(triad_staggered_flow *flow);
int triad_staggered_gpu_solver_resize(triad_staggered_flow *flow);
int triad_staggered_gpu_solve(triad_staggered_flow *flow, triad_real *const u[3], double dt, triad_real *p,
                              triad_staggered_solved *solved);
int64_t triad_staggered_gpu_solver_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);

/* Numbers that a vector takes, which lies as triad_partition_divided has it; there, from a field of the host's with
 * numbers of so many bytes, halos too. fill_vector: the halos that it has; collective, and where it fails on several
 * ranks it ends them all. */
int64_t triad_staggered_gpu_vector_size(const triad_partition *blocks);
int triad_staggered_gpu_put_vector(triad_staggered_flow *flow, size_t size, const void *field, void *there);
void triad_staggered_gpu_fill_vector(const triad_staggered_flow *flow, triad_real *vector);

/* gpu_parts.c. at_once: a sweep over all cells of a rank whose kernels perform the reduction step, `after` it.
 * Otherwise, with messages: a sweep over all cells of a vector whose halo has not been filled but may have been sent.
 * Sent halos are received by a sweep, or by settle_sent. Collective. */
typedef int triad_staggered_gpu_sweep(triad_staggered_flow *flow, const triad_staggered_gpu_cells *cells,
                                      const triad_staggered_gpu_results *results);
void triad_staggered_gpu_parts_make(triad_staggered_flow *flow);
int triad_staggered_gpu_at_once(triad_staggered_flow *flow, triad_staggered_gpu_sweep *sweep,
                                triad_staggered_gpu_after after);
void triad_staggered_gpu_send(triad_staggered_flow *flow, triad_real *vector);
void triad_staggered_gpu_settle_sent(triad_staggered_flow *flow);
int triad_staggered_gpu_swept(triad_staggered_flow *flow, triad_real *vector, triad_staggered_gpu_sweep *sweep);

/* gpu_measure.c: as rows of step/loops.h. */
int triad_staggered_gpu_measure(triad_staggered_flow *flow, double *budget, double *forces);
int triad_staggered_gpu_entries(triad_staggered_flow *flow, int64_t version, const triad_real **numbers);

/* gpu_surface.c: renew: update the list of cells that adjoin solids. solve: x = x + a correction for the residual r,
 * which is changed, by conjugate gradients with the transform until the goal is reached. Collective. */
int triad_staggered_gpu_surface_renew(triad_staggered_flow *flow);
void triad_staggered_gpu_surface_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_surface_solve(triad_staggered_flow *flow);

#endif
