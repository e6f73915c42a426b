/* Data of the groups of particles in a gas, for files of this folder only. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_INTERNAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_INTERNAL_H

#include "grid/fields/halo.h"
#include "grid/layout.h"
#include "solvers/particles/group.h"
#include "solvers/compressible/particles/motion_points.h"
#include "solvers/compressible/particles/particles.h"

/* Vectors of the scheme besides the record's own place and velocity. */
enum { TRIAD_GAS_VECTORS = TRIAD_SCHEME_VECTORS - 1 };

enum { TRIAD_GAS_REACH = 4 /* points of halo: 3 of a polynomial through 6, and 1 that it may move by in a step */ };

typedef struct triad_gas_group {
  triad_group about; /* what the case says; its own records are not used */
  int points;        /* of a polynomial, along an axis */
  enum triad_gas_meeting meets[3][2];
  int64_t n, room;
  double *record;   /* [room][TRIAD_GAS_WIDTH]; where steps are taken on a GPU, for files and from them */
  double *vector;   /* [room][TRIAD_GAS_VECTORS][TRIAD_GAS_MOVING]; NULL there */
  int placed, lost; /* it came from a checkpoint; one has left what its rank can see */
  struct triad_growfile *file;
  int64_t rows; /* of it */
  double *kept; /* rows of a checkpoint, until the next one */
} triad_gas_group;

typedef struct triad_gas_on_gpu triad_gas_on_gpu;

struct triad_gas_particles {
  triad_context *context;
  const triad_case *given;
  const triad_compressible_setup *setup;
  triad_compressible *weno;
  triad_partition blocks; /* the flow's */
  int64_t *begin[3];      /* [dims + 1] where blocks begin along an axis */
  /* what the state's fields change by, where steps are taken; NULL: no group has added mass */
  triad_real *rate[TRIAD_COMPRESSIBLE_FIELDS];
  triad_real *acceleration[3]; /* du/dt at points and halos; likewise */
  triad_halo *halo;            /* of it, on the host */
  triad_gas_points points;     /* where steps are taken, but for triad_gas_owner on the host: `here` */
  triad_gas_points here;
  int n;
  triad_gas_group *group;                       /* [n] */
  const struct triad_gas_particle_loops *loops; /* of the device that takes the steps */
  triad_gas_on_gpu *gpu;                        /* memory of the loops on a GPU; NULL: the CPU */
};

/* What the GPU has of a group, as the records on the host; then the gas's velocity at each of these, velocity[n][3],
 * of the state that was brought last (0 for those that a boundary has taken). TRIAD_ERR_INTERNAL; TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_gas_group_get(triad_gas_particles *p, triad_gas_group *g);
int triad_gas_group_velocities(triad_gas_particles *p, triad_gas_group *g, double *velocity);

/* What steps do with particles on one device: motion.c's table on the CPU, gpu_particles.c's on a GPU. settle is
 * collective and agrees. */
typedef struct triad_gas_particle_loops {
  /* vectors of a group with room for so many records on the host */
  int (*fit)(const triad_gas_particles *p, triad_gas_group *g, int64_t room);
  /* records of the host to the device; back; velocities as above */
  int (*put)(triad_gas_particles *p, triad_gas_group *g);
  int (*get)(triad_gas_particles *p, triad_gas_group *g);
  int (*velocities)(triad_gas_particles *p, triad_gas_group *g, double *velocity);
  /* as the functions of particles.h, of all groups; the largest rate of this rank */
  int (*stage)(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *update);
  int (*settle)(triad_gas_particles *p);
  int (*pace)(triad_gas_particles *p, double *rate);
  void (*free)(triad_gas_particles *p);
} triad_gas_particle_loops;
extern const triad_gas_particle_loops triad_gas_particles_on_host;

/* The same on a GPU, for the files of the CPU: NULL in a build without CUDA. */
typedef struct triad_gas_gpu_part {
  /* p->gpu, its memory, p->loops, p->points as the GPU has them, rates and accelerations where some want them.
   * Collective; agrees. */
  int (*make)(triad_gas_particles *p, triad_device *device, const char *transport, int has_mass);
  /* bytes of the GPU that a rank with these blocks will take for a group of n on it; for all groups together besides */
  int64_t (*group_bytes)(const triad_compressible_setup *setup, const triad_partition *blocks, int64_t n);
  int64_t (*field_bytes)(const triad_partition *blocks, int has_mass);
} triad_gas_gpu_part;
extern const triad_gas_gpu_part *const triad_gas_particles_gpu; /* particles.c; the table is gpu_particles.c's */

#endif
