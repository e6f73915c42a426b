/* The default of one key of the schema. */
#ifndef TRIAD_CASE_CASE_DEFAULT_H
#define TRIAD_CASE_CASE_DEFAULT_H

#include "case/case_internal.h"

/* Put the default of a row into its slot, TRIAD_ERR_INTERNAL when the row is wrong. */
int triad_case_take_default(triad_case *c, int row);

#endif
