/* Apply the arguments of --set to a case. */
#ifndef TRIAD_CASE_READ_CASE_SET_H
#define TRIAD_CASE_READ_CASE_SET_H

#include "case/case_internal.h"

/* Read the arguments. */
int triad_case_read_sets(triad_case *c, int n_sets);

#endif
