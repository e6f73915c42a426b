/* Check the required keys and the rules between common keys of a case. */
#ifndef TRIAD_CASE_CASE_RULES_H
#define TRIAD_CASE_CASE_RULES_H

#include "case/case_internal.h"

/* Keys that are missing, and what must hold between keys. */
void triad_case_check_rules(triad_case *c);

#endif
