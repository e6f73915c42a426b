/* Quantities that probes sum at every position, and those that they write: the fields; the derivatives that
 * output.probes_quantities also need; the quantities, which are computed from these. Not collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_PROBE_INPUTS_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_PROBE_INPUTS_H

#include "base/memory.h"
#include "case/slice.h"
#include "solvers/spectral/plain/quantity.h"

typedef struct triad_probe_input {
  int field, along; /* along: 0, 1, 2; -1: the field itself */
} triad_probe_input;

enum { TRIAD_PROBE_INPUTS = 256 };

typedef struct triad_probe_inputs {
  int n_fields, n, n_told;                  /* fields of the state; inputs; fields and quantities */
  triad_probe_input in[TRIAD_PROBE_INPUTS]; /* [n] of which the first are the fields */
  int own[TRIAD_OWN_QUANTITIES];            /* [n_told - n_fields] numbers of output.quantities */
} triad_probe_inputs;

/* Of a case whose keys are good, and its shape. TRIAD_ERR_CASE for more than TRIAD_PROBE_INPUTS. */
int triad_probe_inputs_of(triad_probe_inputs *out, const triad_case *given, const triad_shape *shape);

/* room: doubles of work space for n positions. The second function: values[place][n_told] <- sums[place][n] for
 * positions x[place][3] of a periodic box. */
int64_t triad_probe_inputs_room(const triad_probe_inputs *inputs, int64_t n);
void triad_probe_inputs_tell(const triad_probe_inputs *inputs, const triad_shape *shape, const double length[3],
                             int64_t n, const double *x, const double *sums, double *room, double *values);

#endif
