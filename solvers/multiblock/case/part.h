/* The part of a case of flow on curvilinear blocks (case/part.h), and declarations shared by keys.c and the sources of
 * either precision. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_CASE_PART_H
#define TRIAD_SOLVERS_MULTIBLOCK_CASE_PART_H

#include "case/part.h"

extern const triad_case_part triad_case_part_multiblock; /* keys.c, compiled once */

/* Word i of keys whose rows are elsewhere; NULL behind the last. */
const triad_word *triad_multiblock_exact_word(int i);  /* solution.kind  */
const triad_word *triad_multiblock_scheme_word(int i); /* time.scheme   */

enum { TRIAD_MULTIBLOCK_PATCH_TEXTS = 64 };

/* Values of files of fields and of slices, in their order. */
enum {
  TRIAD_MULTIBLOCK_OUT_RHO,
  TRIAD_MULTIBLOCK_OUT_U,
  TRIAD_MULTIBLOCK_OUT_V,
  TRIAD_MULTIBLOCK_OUT_W,
  TRIAD_MULTIBLOCK_OUT_P,
  TRIAD_MULTIBLOCK_OUT_MACH,
  TRIAD_MULTIBLOCK_OUT_T
};

#endif
