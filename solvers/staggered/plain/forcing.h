/* The acceleration of the fluid, the same everywhere. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_FORCING_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_FORCING_H

#include "case/case.h"

#include <stdint.h>

typedef enum triad_staggered_force {
  TRIAD_STAGGERED_UNFORCED,
  TRIAD_STAGGERED_PRESSURE_GRADIENT,
  TRIAD_STAGGERED_FLOW_RATE,
  TRIAD_STAGGERED_STIRRING,
  TRIAD_STAGGERED_FORMULA /* not the same everywhere: force_formula.h */
} triad_staggered_force;

typedef struct triad_staggered_forcing {
  triad_staggered_force kind;
  double amplitude, direction[3]; /* of length 1 */
  uint64_t key;                   /* of the random directions */
  double interval, restore;
  int64_t pushes;
} triad_staggered_forcing;

/* Not collective, as all here. */
void triad_staggered_forcing_read(triad_staggered_forcing *forcing, const triad_case *given);

/* The acceleration in a step dt that begins at t with this mean velocity and displacement, except for a flow rate,
 * whose acceleration follows from each stage. While stirring restores the fluid: the mean over the step of the
 * acceleration, linear in time, that brings both to 0 at the end (docs/methods/staggered.md eq. (48)). *until: when it
 * changes, infinity: never. */
void triad_staggered_acceleration(const triad_staggered_forcing *forcing, double t, double dt, const double mean[3],
                                  const double moved[3], double out[3], double *until);

#endif
