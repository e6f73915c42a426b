/* Parameters of a flow on a staggered mesh: its grid, boundaries, fluid, and pressure solver. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_SETUP_H
#define TRIAD_SOLVERS_STAGGERED_CASE_SETUP_H

#include "case/case.h"
#include "grid/partition.h"
#include "solvers/bodies.h"

#include <stdbool.h>

typedef enum triad_staggered_side {
  TRIAD_STAGGERED_PERIODIC,
  TRIAD_STAGGERED_WALL,   /* the fluid sticks to it; it may move along itself */
  TRIAD_STAGGERED_SLIP,   /* nothing goes through it, nor pulls at the fluid   */
  TRIAD_STAGGERED_INFLOW, /* fluid comes in with a given velocity            */
  TRIAD_STAGGERED_OUTFLOW /* fluid is carried out                            */
} triad_staggered_side;

typedef enum triad_staggered_pressure {
  TRIAD_STAGGERED_CG,
  TRIAD_STAGGERED_CG_POLYNOMIAL,
  TRIAD_STAGGERED_CG_TRANSFORM,
  TRIAD_STAGGERED_TRANSFORM
} triad_staggered_pressure;

/* Whether inner cells are computed while halos are communicated. */
typedef enum triad_staggered_overlap {
  TRIAD_STAGGERED_OVERLAP_AUTO, /* where it pays */
  TRIAD_STAGGERED_OVERLAP_ON,
  TRIAD_STAGGERED_OVERLAP_OFF
} triad_staggered_overlap;

/* The temperature: what it does, and what is known of it at boundaries and in solids. */
typedef struct triad_staggered_thermal {
  bool on; /* false: the flow has none, and all else here is 0 */
  double diffusivity, expansion, gravity[3];
  double reference;           /* T_0 */
  double gradient[3], source; /* mean gradient; uniform heating */
  bool held[3][2];            /* the temperature at this end is given, otherwise heat does not flow through it */
  double wall[3][2];          /* temperature of ends that are held */
  bool solids_held;
  double solids; /* temperature of solids */
} triad_staggered_thermal;

typedef struct triad_staggered_setup {
  int64_t n[3];
  double length[3], stretch[3]; /* stretch: faces cluster to both ends by tanh; 0: uniform */
  triad_staggered_side side[3][2];
  double wall[3][2][3];  /* velocity of each wall, and of what comes in */
  double wall_frequency; /* the walls' velocities times cos(2 pi frequency t) */
  double viscosity, tolerance;
  triad_staggered_pressure pressure;
  bool solids;       /* the box has solids */
  bool closure;      /* there is a subgrid model */
  bool chosen;       /* diffusion is as the program chooses: solver.diffusion is auto */
  bool implicit;     /* diffusion is trapezoidal, else explicit */
  bool reproducible; /* rows of cells are whole, so that sums are the same on any ranks */
  triad_staggered_overlap overlap;
  triad_staggered_thermal thermal;
  triad_body_reference
    reference; /* of coefficients of the solids; area, length 0, centre NAN: of the solids themselves */
} triad_staggered_setup;

/* A uniform periodic box without viscosity, pressure to 1e-8 by conjugate gradients with the polynomial. */
void triad_staggered_setup_init(triad_staggered_setup *setup, const int64_t n[3], const double length[3]);

/* The setup of a case, whose keys have been checked. TRIAD_ERR_CASE. Not collective, as all here. */
int triad_staggered_setup_read(triad_staggered_setup *setup, const triad_case *given);

/* Cells as `rank` of `size` holds them, with a halo of one. */
int triad_staggered_blocks(const triad_staggered_setup *setup, const int wanted[3], int rank, int size,
                           triad_partition *blocks);

/* Position of face f = 0 .. n along an axis: L f/n, or L/2 (1 + tanh(s (2 f/n - 1))/tanh s). */
double triad_staggered_face(const triad_staggered_setup *setup, int axis, int64_t f);

/* 4 max(nu, kappa) sum_i 1/min h_i^2, the fastest rate of diffusion. */
double triad_staggered_diffusion_rate(const triad_staggered_setup *setup);

/* "cg", "pcg-polynomial", .. */
const char *triad_staggered_pressure_name(triad_staggered_pressure pressure);

#endif
