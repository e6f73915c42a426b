/* The numbers of the columns of the series, for the files that describe and fill them. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_COLUMN_NUMBERS_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_COLUMN_NUMBERS_H

enum {
  ENERGY,
  ENSTROPHY,
  DISSIPATION,
  INJECTION,
  PRODUCTION,
  EXPONENT,
  SCALE,
  REYNOLDS,
  MEAN,
  MOVED = MEAN + 3,
  DRAG = MOVED + 3,
  SHEAR = DRAG + 3,
  DIVERGENCE,
  ITERATIONS,
  RESIDUAL,
  WORK,
  RESOLUTION,
  COLUMNS,
  TEMPERATURE = COLUMNS,
  VARIANCE,
  LOSS,
  GAIN,
  FLUX,
  HEATING = FLUX + 3,
  BUOYANCY,
  WALL_HEAT,
  SOLID_HEAT,
  HEAT_COLUMNS,
  DRAIN = COLUMNS, /* with a closure, which excludes a temperature */
  NU_MEAN,
  NU_MAX,
  CLOSURE_COLUMNS,
  NUSSELT = HEAT_COLUMNS, /* lower, upper */
  NUSSELT_VOLUME = NUSSELT + 2,
  HEAT_AND_NUSSELT,
  LIFT = 0, /* of the columns of coefficients, behind all others */
  DRAGGED,
  TURNED,
  STROUHAL,
  COEFFICIENTS
};

#endif
