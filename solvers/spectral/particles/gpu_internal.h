/* Data of particles on a GPU, for files of this folder only. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_INTERNAL_H

#include "parallel/transports/messages.h"
#include "solvers/spectral/particles/gpu_motion.h"
#include "solvers/spectral/particles/gpu_particles.h"
#include "solvers/spectral/particles/particles_internal.h"

/* A group on the device. */
typedef struct triad_gpu_members {
  triad_gpu_group at;
  double *block;      /* that all its arrays but `end` are parts of */
  int64_t room, live; /* records there is room for; that have not left */
  double *spare;      /* [room] changes places with an array that is put in order; has at.place while that is found */
  triad_row_buffers buffers;
} triad_gpu_members;

/* Tables of a spline's transform, 1/transform, by columns and along z; NULL: no group needs them. */
typedef struct triad_gpu_divisors {
  double *across, *up;
} triad_gpu_divisors;

/* Whose pass is looked at. */
typedef struct triad_gpu_watch {
  triad_gpu_particles *self;
  triad_gpu_visit *visit; /* the pass's own; NULL: it has none */
  const void *law;
} triad_gpu_watch;

struct triad_gpu_particles {
  triad_flow *flow;
  triad_device *device;
  const triad_gpu_state *state;
  const triad_layout *layout; /* of the device's fields */
  int n;
  triad_group *group;        /* [n] the host's */
  triad_gpu_members *member; /* [n] */
  triad_gpu_tiles tiles;
  int32_t *scratch; /* of sorting */
  int32_t *count;   /* of those that leave */
  double *rows;     /* that travel */
  int64_t rows_room;
  int sorts;

  /* planes */
  triad_gpu_planes planes;
  triad_real *ring, *head, *leaving;
  char *beyond;                 /* what arrives, and behind it the transport's flags */
  triad_gpu_messages *messages; /* NULL on one rank */
  triad_gpu_message *list;      /* [peers] */
  cudaEvent_t seen, packed, read;
  int n_peers;

  /* modes made for a pass */
  triad_cplx *made[3];            /* NULL: not needed */
  triad_gpu_divisors divisors[2]; /* of order 4, 6 */

  /* the fluid's acceleration */
  /* modes of du/dt of a stage, and a field for what other fields have; NULL: no group has added mass */
  triad_cplx *rate[4];
  triad_cplx **rates; /* [n_fields] which of those */
  double two_alpha;   /* as in particles_internal.h */

  /* the run at hand */
  triad_gpu_watch watch;
  triad_gpu_arrival *arrival;   /* [n] */
  int divided, fields, watches; /* watches: a stage's pass, at this time */
  int64_t done;                 /* slabs whose particles have been summed, except the first */
};

/* Does a group keep the fluid's velocity for the stage, whose motion then comes after the sums? In a frame that
 * turns an axis moves by the others'. */
static inline int triad_gpu_members_keep(const triad_group *g) { return g->mass > 0 || g->least > 0 || g->turns; }

/* Doubles of a particle: numbers that are kept, and one that is spare. */
static inline int triad_gpu_members_numbers(const triad_group *g)
{
  return (g->kind == TRIAD_TRACER ? 7 : 16) + (g->least > 0 ? 7 : g->mass > 0 ? 6 : triad_gpu_members_keep(g) ? 3 : 0);
}

static const int triad_gpu_gather_ways[] = {0, 4, 6};
enum { TRIAD_GPU_GATHER_WAYS = 3 };

#endif
