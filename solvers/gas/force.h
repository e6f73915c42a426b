/* Acceleration and heating of a gas by formulas of x, y, z, t, rho, u, v, w, p (keys forcing.*), for families on cells.
 * They are evaluated on the CPU, in double precision. */
#ifndef TRIAD_SOLVERS_GAS_FORCE_H
#define TRIAD_SOLVERS_GAS_FORCE_H

#include "case/case.h"
#include "parallel/comm.h"

typedef struct triad_gas_formulas triad_gas_formulas;

/* Variables of a formula: x, y, z, t, rho, u, v, w, p. A row of cells, and its sources per volume: of momentum along x,
 * y and z, rho a; of energy, rho u . a + heat. */
enum { TRIAD_GAS_FORMULA_ROW = 128, TRIAD_GAS_FORMULA_VARIABLES = 9, TRIAD_GAS_FORMULA_SOURCES = 4 };
typedef double triad_gas_formula_row[TRIAD_GAS_FORMULA_ROW];

/* *out stays NULL unless forcing.kind is "formula". TRIAD_ERR_MEMORY. Not collective. */
int triad_gas_formulas_create(triad_gas_formulas **out, const triad_case *given);
void triad_gas_formulas_destroy(triad_gas_formulas **formulas);

/* Sources of n <= TRIAD_GAS_FORMULA_ROW cells. A value that is not finite is noted. Not collective; from any thread. */
void triad_gas_formulas_row(triad_gas_formulas *formulas, int n,
                            triad_gas_formula_row variable[TRIAD_GAS_FORMULA_VARIABLES],
                            triad_gas_formula_row source[TRIAD_GAS_FORMULA_SOURCES]);

/* TRIAD_ERR_CASE if a value since the last call was not finite, with its key and place. Collective; NULL: nothing. */
int triad_gas_formulas_check(triad_gas_formulas *formulas, const triad_comm *comm);

#endif
