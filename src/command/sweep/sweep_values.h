/* The argument of --sweep: keys, the values of each, and their combinations. */
#ifndef TRIAD_COMMAND_SWEEP_SWEEP_VALUES_H
#define TRIAD_COMMAND_SWEEP_SWEEP_VALUES_H

#include "command/sweep/sweep.h"

/* sweep_values.c: parse "KEY=V,V,..": values separated by commas outside of brackets, parentheses and quotes; "1..8"
 * means all integers from 1 to 8; no duplicates, also in another notation. TRIAD_ERR_USAGE, TRIAD_ERR_MEMORY. Clear it
 * after use, also after an error. Not collective. */
int triad_sweep_parse(triad_sweep *sweep, const char *const *texts, int n);
void triad_sweep_clear(triad_sweep *sweep);

/* The value of key k in run number `run`. */
const char *triad_sweep_value(const triad_sweep *sweep, int run, int k);

#endif
