/* The families of solvers are known to the case in every program that includes this. */
#ifndef TRIAD_TESTS_UNIT_FAMILIES_H
#define TRIAD_TESTS_UNIT_FAMILIES_H

#include "solvers/list.h"

__attribute__((constructor)) static void triad_test_register_families(void) { triad_solvers_register(); }

#endif
