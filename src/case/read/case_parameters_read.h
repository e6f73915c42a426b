/* Read the table [parameters] of a case. */
#ifndef TRIAD_CASE_READ_CASE_PARAMETERS_READ_H
#define TRIAD_CASE_READ_CASE_PARAMETERS_READ_H

#include "case/case_internal.h"

/* Read the table [parameters], before the keys. */
int triad_case_read_parameters(triad_case *c, const triad_toml *doc, int n_sets);

#endif
