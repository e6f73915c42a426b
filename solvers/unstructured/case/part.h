/* The part of a case of flux-corrected transport on a mesh (case/part.h), and declarations shared by keys.c and the
 * sources of either precision. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_CASE_PART_H
#define TRIAD_SOLVERS_UNSTRUCTURED_CASE_PART_H

#include "case/part.h"
#include "solvers/unstructured/plain/patches.h"

extern const triad_case_part triad_case_part_unstructured; /* keys.c, compiled once */

/* Row i of the table of starts (initial.c), as a word of initial.kind; NULL behind the last. */
const triad_word *triad_unstructured_start_word(int i);

#endif
