/* Parameters of a compressible flow: its gas, scheme and boundaries. triad_compressible_setup_read fills them from a
 * case; other programs call triad_compressible_setup_init and set members.
 *
 * Units are the user's own. The temperature is T = gamma p/rho, which is the square of the speed of sound. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_SETUP_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_SETUP_H

#include "solvers/gas/kinds.h"
#include "case/case.h"
#include "base/precision.h"
#include "grid/partition.h"
#include "solvers/schemes.h"

#include <stddef.h>

enum { TRIAD_COMPRESSIBLE_FIELDS = 5 /* rho, rho u, rho v, rho w, e; or rho, u, v, w, p */ };

/* How fluxes are made (docs/methods/compressible.md). */
typedef enum triad_compressible_form {
  /* WENO's edges, joined by a Riemann solver; viscous terms by differences of order four */
  TRIAD_COMPRESSIBLE_UPWIND,
  /* pairs of cells, without dissipation: shock-free turbulence; viscous fluxes at faces */
  TRIAD_COMPRESSIBLE_CENTRAL,
  /* the first where a sensor finds shocks, the second elsewhere; viscous fluxes at faces */
  TRIAD_COMPRESSIBLE_HYBRID
} triad_compressible_form;

/* Weights of the three parabolas of five points (docs/methods/compressible.md). */
typedef enum triad_compressible_weights {
  TRIAD_WENO_JS,             /* Jiang and Shu 1996                                            */
  TRIAD_WENO_M,              /* Henrick, Aslam and Powers 2005: the map of those               */
  TRIAD_WENO_Z,              /* Borges, Carmona, Costa and Don 2008                            */
  TRIAD_COMPRESSIBLE_LINEAR, /* the upwind scheme of order five: smooth flows only             */
  TRIAD_WENO_TENO            /* Fu, Hu and Adams 2016: parabolas are taken whole or left out   */
} triad_compressible_weights;

typedef enum triad_compressible_variables {
  TRIAD_COMPRESSIBLE_COMPONENTS,
  TRIAD_COMPRESSIBLE_CHARACTERISTIC
} triad_compressible_variables;

typedef enum triad_compressible_riemann {
  TRIAD_COMPRESSIBLE_ROE,     /* |A| of Roe's average of the two cells, with Harten's fix       */
  TRIAD_COMPRESSIBLE_LLF,     /* the same with the largest |lambda| of average and both cells, wave by wave */
  TRIAD_COMPRESSIBLE_RUSANOV, /* the largest |u| + c of average and both cells for all waves    */
  TRIAD_COMPRESSIBLE_LISTED   /* a row of TRIAD_GAS_FLUXES, between the reconstructed states */
} triad_compressible_riemann;

typedef enum triad_compressible_law {
  TRIAD_COMPRESSIBLE_CONSTANT,  /* mu = 1                                                       */
  TRIAD_COMPRESSIBLE_POWER,     /* mu = T^power, T in units of the reference temperature        */
  TRIAD_COMPRESSIBLE_SUTHERLAND /* mu = T^(3/2) (1 + S)/(T + S), likewise                       */
} triad_compressible_law;

typedef enum triad_compressible_side_kind {
  TRIAD_COMPRESSIBLE_PERIODIC,
  TRIAD_COMPRESSIBLE_EXTRAPOLATE, /* points beyond the face mirror those inside                          */
  TRIAD_COMPRESSIBLE_REFLECTING,  /* the same with the normal velocity reversed: a slip wall or a plane of symmetry */
  TRIAD_COMPRESSIBLE_ADIABATIC,   /* a wall that the gas sticks to; no heat passes                       */
  TRIAD_COMPRESSIBLE_ISOTHERMAL,  /* a wall that the gas sticks to, of given temperature                 */
  TRIAD_COMPRESSIBLE_INFLOW,      /* the given state                                                     */
  TRIAD_COMPRESSIBLE_OUTFLOW      /* supersonic: the last point's state                                  */
} triad_compressible_side_kind;

typedef struct triad_compressible_side {
  triad_compressible_side_kind kind;
  double state[TRIAD_COMPRESSIBLE_FIELDS]; /* inflow: rho, u, v, w, p                                    */
  double temperature, velocity[3];         /* of a wall                                                  */
} triad_compressible_side;

typedef struct triad_compressible_setup {
  int64_t n[3];
  double length[3];      /* points lie at i L/n on a periodic axis, at (i + 1/2) L/n on another      */
  double gamma, prandtl; /* prandtl = mu cp/k                                                         */
  double viscosity;      /* factor of the stress, 1/Re; 0: Euler                                      */
  triad_compressible_law law;
  double power, sutherland; /* exponent of the power law; S in units of the reference temperature        */
  double reference;         /* the temperature at which mu = 1                                           */
  triad_compressible_form form;
  triad_compressible_weights weights; /* this and the next three: of upwind fluxes                              */
  triad_compressible_variables variables;
  triad_compressible_riemann riemann;
  triad_gas_riemann listed;   /* the row, for TRIAD_COMPRESSIBLE_LISTED */
  double entropy_fix;         /* the least of Harten's deltas, a velocity                                  */
  int published;              /* as compatibility has it: entropy_fix is delta, epsilon is in the user's units */
  int positivity;             /* limit fluxes so that density and pressure stay positive                   */
  const triad_scheme *scheme; /* of TRIAD_SCHEME_START                                                    */
  triad_compressible_side side[3][2]; /* below and above along x, y, z                                             */
  const struct triad_closure_model *closure; /* subgrid model; NULL: none */
  double closure_constant, closure_width;    /* width: 0: the spacing of the points */
  int particles; /* are there some? They read points that lie across corners                  */
} triad_compressible_setup;

/* Periodic box of n points, inviscid, gamma = 1.4, prandtl = 0.72, Z weights by components, Roe with delta = 1e-6,
 * ssprk3, power law. Not collective. */
void triad_compressible_setup_init(triad_compressible_setup *setup, const int64_t n[3], const double length[3]);

/* What a case asks for: grid.n and grid.length, [equations] and [boundaries] as keys.c of this folder has them,
 * initial.re_lambda, which sets the viscosity, and time.scheme. That they fit together is for the rules of keys.c.
 * TRIAD_ERR_INTERNAL where a word of keys.c has no meaning here. Not collective. */
int triad_compressible_setup_read(triad_compressible_setup *setup, const triad_case *given);

/* Kinematic viscosity at density 1 and temperature T = 1, where turbulence starts: `viscosity` times the law's
 * mu(1). */
double triad_compressible_start_viscosity(const triad_compressible_setup *setup);

/* The scheme in a line, "js weights of components, roe flux, ssprk3; viscosity 0.003 T^0.76". Returns text. */
const char *triad_compressible_setup_text(const triad_compressible_setup *setup, char *text, size_t size);

/* Points of halo that the stencils need: 3, and 4 (with edges) where there is viscosity or fluxes are central or
 * hybrid, or particles (with corners): 3 of a polynomial through 6 points, and 1 that they may move by in a step. */
int64_t triad_compressible_halo(const triad_compressible_setup *setup);

/* Is axis i periodic? For triad_partition_init. */
void triad_compressible_periodic(const triad_compressible_setup *setup, int periodic[3]);

/* Position of point i of an axis [length]. */
double triad_compressible_position(const triad_compressible_setup *setup, int axis, int64_t i);

#endif
