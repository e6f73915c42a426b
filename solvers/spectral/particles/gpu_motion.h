/* Declarations of the kernels of particles on a GPU (cuda/spectral/particles.cu): sorting, sums from planes, motion.
 * Launches are asynchronous; they return TRIAD_ERR_INTERNAL if a launch failed. Numbers of particles and tiles have 32
 * bits. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_MOTION_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_MOTION_H

#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/particles/motion_points.h"
#include "solvers/particles/spline_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where particles are: this rank's planes in slabs, the first `lower` of them, whose sums want planes below, and
 * from there on TRIAD_SLAB each; slabs in tiles of TRIAD_TILE x TRIAD_TILE points. Those of a tile come one after
 * the other, and those of a slab too. Plain data. */
enum { TRIAD_TILE = 8, TRIAD_SLAB = 8, TRIAD_TRAVEL_WIDTH = 16 };
typedef struct triad_gpu_tiles {
  int64_t points[3];
  double per_spacing[3]; /* spacings in a unit of length */
  int64_t first, planes; /* this rank's */
  int64_t lower, slabs;
  int64_t across, n; /* tiles along x, of a slab */
} triad_gpu_tiles;

/* The slab of local plane z; the first plane of a slab, and behind the last one `planes`. */
TRIAD_POINT int64_t triad_gpu_slab_of(const triad_gpu_tiles *t, int64_t z)
{
  return z < t->lower ? 0 : (t->lower > 0) + (z - t->lower) / TRIAD_SLAB;
}
TRIAD_POINT int64_t triad_gpu_slab_begin(const triad_gpu_tiles *t, int64_t slab)
{
  const int64_t z = t->lower > 0 && slab == 0 ? 0 : t->lower + (slab - (t->lower > 0)) * TRIAD_SLAB;
  return z < t->planes ? z : t->planes;
}

/* The particles of a group that are on this rank, number i from 0 to n - 1. Pointers are the GPU's; plain data. */
typedef struct triad_gpu_group {
  int64_t n; /* with those that have left, whose id is -1 */
  int32_t *id;
  int32_t *order, *end; /* [particles] by tiles; [slabs * tiles] where those of each tile end, in it */
  /* [particles] while they are sorted: tile << 32 | its number among the tile's; -1: has left */
  int64_t *place;
  double *x[3], *xq[3], *v[3], *vq[3]; /* places, velocities of inertial ones (else NULL), their registers */
  double *rest[3];                     /* and what the step's forces pull velocities to */
  /* for a stage, of those with added mass: the fluid's velocity, its acceleration; in a frame that turns: its
   * velocity; in a superfluid: its velocity, psi and its derivative along an axis; else NULL */
  double *u[3], *aside[4];
} triad_gpu_group;

/* Planes of this rank, with three fields each, as far as they exist: the first `edge`, [plane][field][y][x], and the
 * last `slots` computed, [field][z % slots][y][x]; those beyond its ends, from other ranks or periodic copies of its
 * own. Plain data. */
typedef struct triad_gpu_planes {
  const triad_real *ring, *head, *beyond;
  int64_t points; /* of a plane */
  int slots, edge, planes;
  int lower; /* planes below a particle's own that may be needed; edge - lower above it */
  /* of plane -lower .. -1, then planes, planes + 1, ..: its number in `beyond`, or -1 less its own number */
  int32_t from[TRIAD_WEIGHTS_MOST];
} triad_gpu_planes;

/* Use of the sums at a particle: stored to to[field] or, if that is NULL, a stage of its motion. fields 0: no sums are
 * needed. */
typedef struct triad_gpu_arrival {
  int fields;
  double *to[3];
  const double *times; /* that they are multiplied with; NULL: 1 */
  int adds;            /* 1: add to the stored values */
  triad_particle_stage stage;
} triad_gpu_arrival;

/* Modes of up to three fields: sums of terms, sign (d/dx_along) from, along -1 for itself; times across[column]
 * up[j] (NULL: 1). */
typedef struct triad_gpu_terms {
  int n;
  struct {
    int n;
    struct {
      const triad_cplx *from;
      int along;
      double sign;
    } term[2];
  } field[3];
  const double *across, *up;
} triad_gpu_terms;

/* order and end of a group, whose scratch[..] has room for triad_gpu_sort_room(tiles) numbers. */
int triad_gpu_particles_sort(const triad_gpu_tiles *tiles, const triad_gpu_group *group, int32_t *scratch,
                             void *stream);
int64_t triad_gpu_sort_room(const triad_gpu_tiles *tiles);

/* Number order[i] of `from` becomes number i of `to`, of n; numbers of `order` become those of places. */
int triad_gpu_particles_permute(int64_t n, const int32_t *order, const double *from, double *to, void *stream);
int triad_gpu_particles_permute_ids(int64_t n, const int32_t *order, const int32_t *from, int32_t *to, void *stream);
int triad_gpu_particles_count_up(int64_t n, int32_t *order, void *stream);

/* Those outside this rank's planes: *count of them; and, with rows [..][TRIAD_TRAVEL_WIDTH], what travels: id, x,
 * xq, v, vq, rest; their id is -1 from here on. *count was 0. Back: rows[n] become numbers `first` .. of the group. */
int triad_gpu_particles_leave(const triad_gpu_tiles *tiles, const triad_gpu_group *group, double *rows, int32_t *count,
                              void *stream);
int triad_gpu_particles_arrive(const triad_gpu_group *group, int64_t first, int64_t n, const double *rows,
                               void *stream);

/* Sums at the particles of slabs begin .. end - 1, of `order` points along an axis, by splines or by polynomials.
 * Where a tile's particles, the mean of these slabs, would read TRIAD_BRICK_GAIN times as much as the points of a
 * tile and those around it are, these are brought to shared memory once; to the same bits. */
#define TRIAD_BRICK_GAIN 2.
int triad_gpu_particles_sum(const triad_gpu_tiles *tiles, const triad_gpu_group *group, const triad_gpu_planes *planes,
                            int order, int splines, int64_t begin, int64_t end, const triad_gpu_arrival *arrival,
                            void *stream);

/* A stage of the motion of all, by velocities that were put aside in to[]. */
int triad_gpu_particles_move(const triad_gpu_group *group, const triad_gpu_arrival *arrival, void *stream);

/* Component `along` of a superfluid's velocity, of psi and its derivative along that axis. */
int triad_gpu_particles_superfluid(const triad_gpu_group *group, double two_alpha, double least, int along,
                                   void *stream);

/* rate[f] -= lambda(k) u[f] of three fields that decay alike. */
int triad_gpu_particles_decay(const triad_gpu_modes *modes, const triad_decay *decay, const triad_cplx *const *u,
                              triad_cplx *const *rate, void *stream);

int triad_gpu_particles_modes(const triad_gpu_modes *modes, const triad_gpu_terms *terms, triad_cplx *const *out,
                              void *stream);

#ifdef __cplusplus
}
#endif
#endif
