/* The parts of the case (case/part.h) of all families, from the list of families. */
#include "solvers/list.h"

#include "case/part.h"

#include <stddef.h>

#define DECLARE(family) extern const triad_case_part triad_case_part_##family;
#define ENTRY(family) &triad_case_part_##family,
TRIAD_SOLVERS(DECLARE)

void triad_solvers_register(void)
{
  static const triad_case_part *const parts[] = {TRIAD_SOLVERS(ENTRY) NULL};
  triad_case_set_parts(parts);
}
