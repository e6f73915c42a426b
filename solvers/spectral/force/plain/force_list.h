/* The kinds of forces that a case can name. A kind is a row here, the word of forcing.kind with its properties, and a
 * triad_force_kind with its functions in a file of force/. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_LIST_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCE_LIST_H

#include "case/part.h"

/* Properties of a kind. */
enum {
  TRIAD_FORCE_BAND = 1,    /* on the modes of forcing.k_range                               */
  TRIAD_FORCE_ACTS = 2,    /* by f, within stages                                           */
  TRIAD_FORCE_KICKS = 4,   /* by changing the field after a step                            */
  TRIAD_FORCE_FOLLOWS = 8, /* f, or what it needs at the start of a step, is of the state   */
  TRIAD_FORCE_COUNTS = 16, /* its mean power of each step is known: `injected`, or `power`  */
  TRIAD_FORCE_HELD = 32,   /* its power can be controlled                                   */
  TRIAD_FORCE_SHAPED = 64  /* it is defined for vector fields only                          */
};

/* ROW(name of the kind, properties, word, its help, a text key that it requires). The functions of a kind are
 * triad_force_NAME, so that a kind without them does not link. */
#define TRIAD_FORCES(ROW) \
  ROW(taylor_green, TRIAD_FORCE_ACTS | TRIAD_FORCE_SHAPED, "taylor-green", \
      "a steady acceleration, the Taylor-Green vortex", NULL) \
  ROW(abc, TRIAD_FORCE_ACTS | TRIAD_FORCE_SHAPED, "abc", "a steady acceleration, an ABC flow", NULL) \
  ROW(random, TRIAD_FORCE_BAND | TRIAD_FORCE_KICKS | TRIAD_FORCE_COUNTS | TRIAD_FORCE_HELD, "random", \
      "random, solenoidal and white in time, of constant power", NULL) \
  ROW(noisy, TRIAD_FORCE_BAND | TRIAD_FORCE_ACTS | TRIAD_FORCE_FOLLOWS | TRIAD_FORCE_COUNTS | TRIAD_FORCE_HELD, \
      "ornstein-uhlenbeck", "random, with a correlation time and a given mean square", NULL) \
  ROW(constant_power, \
      TRIAD_FORCE_BAND | TRIAD_FORCE_ACTS | TRIAD_FORCE_FOLLOWS | TRIAD_FORCE_COUNTS | TRIAD_FORCE_HELD, \
      "constant-power", "along the field, in a band of modes, with constant power", NULL) \
  ROW(constant_energy, TRIAD_FORCE_BAND | TRIAD_FORCE_KICKS | TRIAD_FORCE_FOLLOWS | TRIAD_FORCE_COUNTS, \
      "constant-energy", "rescales a band of modes to constant energy", NULL) \
  ROW(linear, 0, "linear", "along the field of all modes, at a constant rate", NULL) \
  ROW(formula, TRIAD_FORCE_ACTS, "formula", "formulas of x, y, z, t and the fields, one for each forced field", NULL) \
  ROW(file, TRIAD_FORCE_ACTS, "file", "modes as functions of time, from an HDF5 file", "forcing.file")

/* Word number i of forcing.kind, NULL after the last. Not collective, as everything here. */
const triad_word *triad_force_word(int i);

/* The row of the kind of a case, from 0; -1: no force. */
int triad_force_row(const triad_case *given);

/* The properties of a row. Has the kind of a case this property, 1 or 0? */
unsigned triad_force_properties(int row);
int triad_force_is(const triad_case *given, unsigned property);

#endif
