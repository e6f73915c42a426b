/* The state of the solver on a CPU, for files of this solver only. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_INTERNAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_INTERNAL_H

#include "grid/box.h"
#include "grid/fields/halo.h"
#include "parallel/device.h"
#include "parallel/sum.h"
#include "solvers/compressible/points/boundary_points.h"
#include "solvers/compressible/points/budget_points.h"
#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/plain/force_rows.h"
#include "solvers/compressible/points/gas_points.h"
#include "solvers/compressible/state/compressible.h"
#include "solvers/compressible/state/phases.h"

/* Work is cut into tiles that fit a core's second cache level; lanes lie along x. */
enum { TRIAD_COMPRESSIBLE_LANES = 64, TRIAD_COMPRESSIBLE_TILE_Y = 16, TRIAD_COMPRESSIBLE_TILE_Z = 16 };

enum {
  TRIAD_COMPRESSIBLE_U,
  TRIAD_COMPRESSIBLE_V,
  TRIAD_COMPRESSIBLE_W,
  TRIAD_WENO_T,
  TRIAD_COMPRESSIBLE_MU,
  TRIAD_COMPRESSIBLE_PRIMITIVES
};

/* What becomes of the rates L: out = x_part x + y_part y + rate_part L, and sum = from + sum_part L where sum is not
 * NULL. */
typedef struct triad_compressible_update {
  triad_real *const *out, *const *x, *const *y; /* y may be NULL */
  triad_real x_part, y_part, rate_part;
  triad_real *const *sum, *const *from;
  triad_real sum_part;
  triad_real dt; /* of an Euler step of this stage, for the positivity limiter */
} triad_compressible_update;

/* The worst of a state: rates for the step's length, and how many points are not a gas. */
typedef struct triad_compressible_state_check {
  double advective, wave, sum; /* the largest of triad_compressible_pace                             */
  double viscous;              /* max of the diffusivity sum_i 1/dx_i^2 [1/time]             */
  int64_t bad;
} triad_compressible_state_check;

typedef struct triad_compressible_scratch triad_compressible_scratch;
typedef struct triad_compressible_on_gpu triad_compressible_on_gpu;
typedef struct triad_gas_on_gpu triad_gas_on_gpu;

struct triad_compressible {
  triad_context *context;
  triad_partition blocks;
  triad_compressible_setup setup;
  triad_compressible_gas gas;
  triad_real per_spacing[3];
  triad_halo *halo;
  triad_halo *mu_halo; /* of the viscosity of points, for a closure; NULL: none */
  triad_real *memory;  /* all fields */
  triad_space space;   /* of the points */
  triad_state *state;
  triad_real *u[TRIAD_COMPRESSIBLE_FIELDS];                               /* host copies of the state */
  triad_real *stage[TRIAD_SCHEME_VECTORS - 1][TRIAD_COMPRESSIBLE_FIELDS]; /* the scheme's other vectors */
  triad_real *primitive[TRIAD_COMPRESSIBLE_PRIMITIVES];                   /* of the state at hand */
  triad_compressible_scratch *scratch;                                    /* [threads] */
  triad_compressible_state_check look;
  triad_phases phases;
  triad_laps laps; /* parts of the rates, of a sample of the tiles */
  /* Collective: what happens before (0) and after (1) the scheme's step of length dt that ends as step `step`, where
   * steps are taken; *changed: the state is another now. NULL: nothing. */
  int (*between)(void *self, int after, int64_t step, double dt, int *changed);
  void *between_self;
  struct triad_gas_particles *particles;        /* that each stage carries on; NULL without */
  struct triad_compressible_walls *walls;       /* by formula (walls.h); NULL: none. Not owned */
  double t;                                     /* at the begin of the step */
  int changed;                                  /* since primitives of own points were made */
  const struct triad_compressible_loops *loops; /* step/loops.h: of the device that takes the steps */
  triad_compressible_on_gpu *gpu;               /* memory of the loops on a GPU; NULL: the CPU */
  double charged;                               /* when the last phase was charged [s] */
};

/* 1: a subgrid model adds to the viscosity of the points. */
static inline int triad_compressible_has_closure(const triad_compressible *w) { return w->mu_halo != NULL; }

/* Threads for work on so many points: one where it is over before others have woken up. */
static inline int triad_compressible_threads(const triad_compressible *w, int64_t points)
{
  return points < 8192 ? 1 : w->context->threads;
}

/* Which neighbours halos come from. */
static inline triad_halo_reach triad_compressible_reach(const triad_compressible_setup *setup)
{
  return setup->particles ? TRIAD_HALO_CORNERS : TRIAD_HALO_EDGES;
}

/* Kernels' numbers from a setup. */
triad_compressible_gas triad_compressible_gas_of(const triad_compressible_setup *setup);

/* u, v, w, T and mu of the points of a box, from the state `u`. */
void triad_compressible_primitives_of(triad_compressible *w, triad_real *const *u, const triad_box *box);

/* Rates and bad points of the own points, from primitives and the state; this rank's. */
triad_compressible_state_check triad_compressible_state_check_at(const triad_compressible *w, triad_real *const *u);

/* From max mu/rho to the rate of triad_compressible_state_check: the larger diffusivity, and sum_i 1/dx_i^2. */
double triad_compressible_viscous_factor(const triad_compressible *w);

/* What faces at this end of the block's axis are; TRIAD_COMPRESSIBLE_OPEN where another rank's points follow. */
static inline triad_compressible_wall_kind triad_compressible_wall_at(const triad_compressible *w, int axis, int upper)
{
  if (w->setup.n[axis] == 1 || w->blocks.neighbour[axis][upper] != TRIAD_NO_NEIGHBOUR) return TRIAD_COMPRESSIBLE_OPEN;
  switch (w->setup.side[axis][upper].kind) {
  case TRIAD_COMPRESSIBLE_REFLECTING: return TRIAD_COMPRESSIBLE_SLIPS;
  case TRIAD_COMPRESSIBLE_ADIABATIC: return TRIAD_COMPRESSIBLE_STICKS_WITHOUT_HEAT;
  case TRIAD_COMPRESSIBLE_ISOTHERMAL: return TRIAD_COMPRESSIBLE_STICKS;
  case TRIAD_COMPRESSIBLE_PERIODIC:
  case TRIAD_COMPRESSIBLE_EXTRAPOLATE:
  case TRIAD_COMPRESSIBLE_INFLOW:
  case TRIAD_COMPRESSIBLE_OUTFLOW: break;
  }
  return TRIAD_COMPRESSIBLE_OPEN;
}

/* A boundary as kernels take it. */
triad_compressible_rule triad_compressible_rule_of(const triad_compressible *w, int axis, int upper);

/* Apply the boundaries of this block to the halo points of `u`: x, then y, then z, over the whole extent of the
 * others. */
void triad_compressible_fill(const triad_compressible *w, triad_real *const *u);

/* Halos of the state and primitives of all its points, boundaries included, where steps are taken. Collective. */
int triad_compressible_bring(triad_compressible *w);

/* Rates of the points of a box, from the state `u` and its primitives, put to use. */
void triad_compressible_tiles(triad_compressible *w, triad_real *const *u, const triad_box *box,
                              const triad_compressible_update *update);

/* The solver on a GPU, for the files of the CPU: NULL in a build without CUDA. What has w->gpu may call; its loops are
 * step/loops.h's. TRIAD_ERR_FEATURE, TRIAD_ERR_MEMORY. */
typedef struct triad_compressible_gpu_part {
  /* w->gpu, its memory and w->loops, the device's copy of the state attached; transport: of halos between GPUs.
   * Collective; agreed. */
  int (*make)(triad_compressible *w, triad_device *device, const char *transport);
  /* What acts between steps, not collective. A force, of noise by its waves or NULL: memory; force.c's walk of the
   * state, as it adds to sums[n]; the internal energy times a number. A sponge: its state, and what it does in dt. */
  int (*force_make)(triad_compressible *w, const triad_gas_waves *waves, triad_gas_on_gpu **out);
  int (*force_push)(triad_gas_on_gpu *gpu, const triad_gas_waves *waves, double growth, double dt, const double *mean,
                    int n, triad_sum *sums);
  int (*force_cool)(triad_gas_on_gpu *gpu, double factor);
  int (*sponge_make)(triad_compressible *w, const triad_real *rate, triad_real *const to[TRIAD_COMPRESSIBLE_FIELDS],
                     triad_gas_on_gpu **out);
  int (*sponge_draw)(triad_gas_on_gpu *gpu, double dt);
  void (*between_drop)(triad_gas_on_gpu **gpu);
  /* bytes a rank with these blocks will take of the GPU, without taking it */
  int64_t (*bytes)(const triad_partition *blocks, const triad_compressible_setup *setup);
} triad_compressible_gpu_part;
extern const triad_compressible_gpu_part *const triad_gas_gpu; /* compressible.c; the table is gpu_loops.c's */

/* Where own point number `at` [z][y][x] stands in a field's memory. */
static inline int64_t triad_compressible_own_point(const triad_compressible *w, int64_t at)
{
  const int64_t *n = w->blocks.local;
  return triad_partition_at(&w->blocks, at % n[0], at / n[0] % n[1], at / n[0] / n[1]);
}

#endif
