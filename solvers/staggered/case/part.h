/* The part of a case of a flow on a staggered mesh (case/part.h), and declarations shared by keys.c and the sources of
 * either precision. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_PART_H
#define TRIAD_SOLVERS_STAGGERED_CASE_PART_H

#include "case/part.h"

extern const triad_case_part triad_case_part_staggered; /* keys.c, compiled once */

/* Row i of the table of starts (initial.c), as a word of initial.kind; NULL behind the last. */
const triad_word *triad_staggered_start_word(int i);

/* Most boxes that solids.boxes may list, and numbers of each. */
enum { TRIAD_STAGGERED_BOXES = 64, TRIAD_STAGGERED_BOX = 6 };

#endif
