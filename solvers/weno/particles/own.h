/* What the files of this room share. Not for others. */
#ifndef TRIAD_SOLVERS_WENO_PARTICLES_OWN_H
#define TRIAD_SOLVERS_WENO_PARTICLES_OWN_H

#include "grid/halo.h"
#include "grid/layout.h"
#include "solvers/particles/group.h"
#include "solvers/weno/particles/particles.h"

enum { TRIAD_GAS_REACH = 4 /* points of halo: 3 of a polynomial through 6, and 1 that it may move by in a step */ };

/* What becomes of one that meets a boundary. */
enum triad_gas_meeting { TRIAD_MEETS_AUTO, TRIAD_MEETS_REFLECT, TRIAD_MEETS_ABSORB, TRIAD_MEETS_REENTER };

/* A record: its number, place (not folded back along periodic axes), velocity, the gas's velocity at it when the last step
 * began, by which the next one's length is found, whether a boundary has taken it. */
enum { TRIAD_GAS_ID, TRIAD_GAS_X, TRIAD_GAS_V = 4, TRIAD_GAS_U = 7, TRIAD_GAS_TAKEN = 10, TRIAD_GAS_WIDTH };

/* The first six numbers behind the record's own place and velocity, in each further vector of the scheme. */
enum { TRIAD_GAS_VECTORS = TRIAD_SCHEME_VECTORS - 1, TRIAD_GAS_MOVING = 6 };

typedef struct triad_gas_group {
  triad_group about; /* what the case says; its own records are not used */
  int points;        /* of a polynomial, along an axis */
  enum triad_gas_meeting meets[3][2];
  int64_t n, room;
  double *record;    /* [room][TRIAD_GAS_WIDTH] */
  double *vector;    /* [room][TRIAD_GAS_VECTORS][TRIAD_GAS_MOVING] */
  int placed, lost;  /* it came from a checkpoint; one has left what its rank can see */
  struct triad_growfile *file;
  int64_t rows;      /* of it */
  double *kept;      /* rows of a checkpoint, until the next one */
} triad_gas_group;

struct triad_gas_particles {
  const triad_context *context;
  const triad_case *given;
  const triad_weno_setup *setup;
  triad_partition state, blocks; /* of the flow's fields; the same with this room's halo */
  int64_t *begin[3];             /* [dims + 1] where blocks begin along an axis */
  triad_real *velocity[3];       /* of `blocks` */
  triad_real *rate[TRIAD_WENO_FIELDS]; /* of `state`: what its fields change by; NULL: no group has added mass */
  triad_real *acceleration[3];   /* of `blocks`: du/dt; likewise */
  triad_halo *halo;
  int n;
  triad_gas_group *group; /* [n] */
};

/* velocity.c: u/rho of a state at own points, halos and beyond boundaries. Collective. Then that at a place which this rank owns, or is
 * next to; 0 where it sees too little of it. */
void triad_gas_velocity_bring(triad_gas_particles *p, triad_real *const *u);
int triad_gas_velocity_at(const triad_gas_particles *p, int points, const double x[3], double u[3]);

/* du/dt of a state from its rates, likewise; then Du/Dt at a place where the velocity is v. */
void triad_gas_acceleration_bring(triad_gas_particles *p, triad_real *const *u);
int triad_gas_acceleration_at(const triad_gas_particles *p, int points, const double x[3], const double v[3], double a[3]);

/* Where x lies: the point below, in the whole grid, in 0 .. n - 1; the rank that has it. */
int triad_gas_owner(const triad_gas_particles *p, const double x[3]);

/* rows[n][TRIAD_GAS_WIDTH] of any ranks, each to its owner, in the place of what was there. Collective. */
int triad_gas_group_take(triad_gas_particles *p, triad_gas_group *g, int64_t n, const double *rows);

/* files.c */
void triad_gas_particles_close(triad_gas_particles *p);

#endif
