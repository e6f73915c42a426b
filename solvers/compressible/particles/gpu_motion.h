/* Declarations of the kernels of particles in a gas (cuda/compressible/particles.cu), which use motion_points.h.
 * Pointers are GPU memory; records are stored number by number, so that step is 1. Launches are asynchronous; they
 * return TRIAD_ERR_INTERNAL if a launch failed. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_MOTION_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_MOTION_H

#include "solvers/compressible/particles/motion_points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GAS_TILE = 8 /* points per side: particles of a tile are adjacent */ };

/* What comes of a group, on the GPU: the largest of triad_gas_pace; has one left what its rank can see; how many
 * have left its block. */
typedef struct triad_gas_news {
  double pace;
  int32_t lost, leaving;
} triad_gas_news;

/* A stage of the motion of all that no boundary has taken. */
int triad_gas_gpu_stage(const triad_gas_points *points, const triad_gas_members *m, const triad_scheme_update *update,
                        triad_gas_news *news, void *stream);

/* velocity[n][3]: the gas's at each; 0 for those that a boundary has taken. */
int triad_gas_gpu_velocities(const triad_gas_points *points, const triad_gas_members *m, double *velocity,
                             triad_gas_news *news, void *stream);

/* Boundaries at the end of a step, and news->leaving; then news->pace. Both add to the previous values. */
int triad_gas_gpu_meet(const triad_gas_points *points, const triad_gas_members *m, triad_gas_news *news, void *stream);
int triad_gas_gpu_pace(const triad_gas_points *points, const triad_gas_members *m, triad_gas_news *news, void *stream);

/* rows[..][TRIAD_GAS_WIDTH] of those that leave, in any order (news->leaving counts them, and was 0), or of all, in
 * theirs; and from rows, as particles `first` and on. */
int triad_gas_gpu_leave(const triad_gas_points *points, const triad_gas_members *m, double *rows, triad_gas_news *news,
                        void *stream);
int triad_gas_gpu_rows(const triad_gas_members *m, double *rows, void *stream);
int triad_gas_gpu_take(const triad_gas_members *m, int64_t first, int64_t n, const double *rows, void *stream);

/* Those that stay, `staying` of them, into the order of tiles: to record[..], with the same distance of numbers.
 * end[tiles], place[n], order[n], scratch[triad_gas_gpu_scratch]: room for what is found on the way. */
int64_t triad_gas_gpu_tiles(const int64_t local[3]);
int64_t triad_gas_gpu_scratch(int64_t tiles);
int triad_gas_gpu_order(const triad_gas_points *points, const triad_gas_members *m, int64_t staying, double *record,
                        int32_t *end, int64_t *place, int32_t *order, int32_t *scratch, void *stream);

/* du/dt at own points, to where points->acceleration reads it, of rates of five fields and the density; then beyond
 * a boundary. */
int triad_gas_gpu_change(const triad_gas_points *points, triad_real *const *rate, const triad_real *density,
                         triad_real *const *acceleration, void *stream);
int triad_gas_gpu_change_face(const triad_gas_points *points, int kind, int axis, int upper,
                              triad_real *const *acceleration, void *stream);

#ifdef __cplusplus
}
#endif
#endif
