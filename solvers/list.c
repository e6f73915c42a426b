/* The parts of the case that the families bring (case/part.h), from the one list of families. */
#include "solvers/list.h"

#include "case/part.h"

#include <stddef.h>

#define DECLARE(family) extern const triad_case_part triad_case_part_##family;
#define ENTRY(family) &triad_case_part_##family,
TRIAD_SOLVERS(DECLARE)

const triad_case_part *const triad_case_parts[] = {TRIAD_SOLVERS(ENTRY) NULL};
