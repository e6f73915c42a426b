/* What the files of particles on a GPU share. Not for others. */
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

/* gpu_records.c: allocate memory for n particles of a group, with 10 % reserve if there are other ranks; existing ones
 * are kept. TRIAD_ERR_MEMORY. */
int triad_gpu_members_fit(triad_gpu_particles *p, int number, int64_t n);

/* gpu_order.c: to their owners and sorted, whole: records in order too. Collective. */
int triad_gpu_particles_order(triad_gpu_particles *p, int whole);

/* gpu_gather.c: is there a group that is summed from modes divided for this order (0: undivided); with added mass,
 * or any? The pass that makes these terms at the particles of such groups, to where p->arrival says. Collective. A
 * pass to be looked at, and its end. */
int triad_gpu_gather_has(const triad_gpu_particles *p, int divided, int mass);
int triad_gpu_gather_run(triad_gpu_particles *p, const triad_gpu_terms *terms, int divided);
void triad_gpu_gather_watch(triad_gpu_particles *p, triad_gpu_job *job);
int triad_gpu_gather_finish(triad_gpu_particles *p);

/* One term a field: derivative `along` (-1: itself) of the device's fields from[n]. */
triad_gpu_terms triad_gpu_gather_terms(int n, triad_cplx *const *from, int along);

static const int triad_gpu_gather_ways[] = {0, 4, 6};
enum { TRIAD_GPU_GATHER_WAYS = 3 };

/* gpu_planes.c: the planes and what carries them. Collective; agreed. */
int triad_gpu_planes_create(triad_gpu_particles *p, int order);
void triad_gpu_planes_destroy(triad_gpu_particles *p);
int64_t triad_gpu_planes_bytes(const triad_layout *layout, int order, int64_t batch);

/* `count` planes of three fields from number `first` on, of a chunk, to their places. */
int triad_gpu_planes_take(triad_gpu_particles *p, const triad_gpu_chunk *chunk, int fields);

/* Planes beyond this rank's ends: what is launched on the device's stream from here on finds them; and has read
 * them. Collective. */
int triad_gpu_planes_fetch(triad_gpu_particles *p);
int triad_gpu_planes_read(triad_gpu_particles *p);

#endif
