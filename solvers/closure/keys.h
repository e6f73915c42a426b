/* Keys of subgrid models, as rows for a family's table (case/rows.h). only: the solvers of the family that have them,
 * NULL for all. words: rows of the models that these solvers have. width: a sentence about the default of
 * closure.width. */
#ifndef TRIAD_SOLVERS_CLOSURE_KEYS_H
#define TRIAD_SOLVERS_CLOSURE_KEYS_H

#include "case/case.h"

/* The rule between these keys and the grid, for keys.c or rules.c of a family. */
void triad_closure_rule(triad_case *c);

#define TRIAD_CLOSURE_POINT_WORDS \
  {.name = "none", .about = "no model: a direct simulation"}, \
    {.name = "smagorinsky", .about = "nu_t = (C_s Delta)^2 |S|; also brakes laminar shear"}, \
    {.name = "vreman", .about = "nu_t from the products of gradients; 0 in plane shear"}, \
    {.name = "wale", .about = "nu_t from the squared gradient; 0 in plane shear, y^3 at walls"}, \
  { \
    .name = "sigma", .about = "nu_t from singular values of the gradient; 0 in plane and axisymmetric flow" \
  }

#define TRIAD_CLOSURE_BOX_WORDS \
  TRIAD_CLOSURE_POINT_WORDS, \
    {.name = "dynamic-smagorinsky", .about = "C_s^2 from a test filter at k_c/2, averaged over the box"}, \
  { \
    .name = "spectral", .about = "nu_t(k) of Chollet and Lesieur, which rises towards the cut-off k_c" \
  }

#define TRIAD_CLOSURE_KEYS(only, model_words, model_help, width_help) \
  {"closure.model", .solvers = only, WORD, WORDS(model_words), .preset = "none", .help = model_help}, \
    {"closure.smagorinsky_constant", \
     .solvers = only, \
     REAL, \
     ABOVE(0), \
     .preset = "0.17", \
     .used = "closure.model=smagorinsky", \
     .help = "Constant C_s of smagorinsky. 0.16 to 0.18 fit homogeneous turbulence, 0.065 to 0.1 channels."}, \
    {"closure.vreman_constant", \
     .solvers = only, \
     REAL, \
     ABOVE(0), \
     .preset = "0.07", \
     .used = "closure.model=vreman", \
     .help = "Constant c of vreman, about 2.5 C_s^2."}, \
    {"closure.wale_constant", \
     .solvers = only, \
     REAL, \
     ABOVE(0), \
     .preset = "0.55", \
     .used = "closure.model=wale", \
     .help = "Constant C_w of wale, about 3.26 C_s. Some codes use 0.325."}, \
    {"closure.sigma_constant", \
     .solvers = only, \
     REAL, \
     ABOVE(0), \
     .preset = "1.35", \
     .used = "closure.model=sigma", \
     .help = "Constant C_sigma of sigma."}, \
  { \
    "closure.width", .solvers = only, REAL, AT_LEAST(0), .preset = "0", .unit = "length", \
                     .used = "closure.model=smagorinsky|dynamic-smagorinsky|vreman|wale|sigma", \
                     .help = "Filter width Delta. With 0, " width_help \
  }

#define TRIAD_CLOSURE_PRANDTL_KEY(only) \
  { \
    "closure.turbulent_prandtl", .solvers = only, REAL, ABOVE(0), .preset = "0.6", .used = "closure.model!=none", \
                                 .help = "Turbulent Prandtl number Pr_t: scalars get the diffusivity nu_t/Pr_t. 0.4 " \
                                         "to 0.7 are usual." \
  }

/* Publications of the models. only: as above. */
#define TRIAD_CLOSURE_REFERENCES(only) \
  {"closure.model=smagorinsky", \
   "Smagorinsky1963", \
   "Smagorinsky, J.", \
   "General circulation experiments with the primitive equations: {I}. {The} basic experiment", \
   "Monthly Weather Review", \
   "91", \
   "99--164", \
   "1963", \
   only}, \
    {"closure.model=vreman", \
     "Vreman2004", \
     "Vreman, A. W.", \
     "An eddy-viscosity subgrid-scale model for turbulent shear flow: {Algebraic} theory and applications", \
     "Physics of Fluids", \
     "16", \
     "3670--3681", \
     "2004", \
     only}, \
    {"closure.model=wale", \
     "NicoudDucros1999", \
     "Nicoud, F. and Ducros, F.", \
     "Subgrid-scale stress modelling based on the square of the velocity gradient tensor", \
     "Flow, Turbulence and Combustion", \
     "62", \
     "183--200", \
     "1999", \
     only}, \
  { \
    "closure.model=sigma", "Nicoud2011", \
      "Nicoud, Franck and Baya Toda, Hubert and Cabrit, Olivier and Bose, Sanjeeb and Lee, Jungil", \
      "Using singular values to build a subgrid-scale model for large eddy simulations", "Physics of Fluids", "23", \
      "085106", "2011", only \
  }

#endif
