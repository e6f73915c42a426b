/* The part of a case of a gas (case/part.h), and declarations shared by keys.c and the sources of either precision. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_PART_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_PART_H

#include "case/part.h"

extern const triad_case_part triad_case_part_compressible; /* keys.c, compiled once */

/* Row i of the table of starts (initial.c), as a word of initial.kind; NULL behind the last. */
const triad_word *triad_gas_start_word(int i);

/* Of a case without errors: amplitude, mach and velocity of initial.kind's own (initial.c) where it gives none, so
 * that the resolved case has them and starts the same flow when it is run. */
void triad_gas_start_own(triad_case *c);

/* A quantity that only a gas has: |u|/c. */
enum { TRIAD_GAS_MACH = TRIAD_QUANTITY_OWN };

#endif
