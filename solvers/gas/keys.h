/* Words of the keys of a gas, for families whose cases have them. They know no precision. */
#ifndef TRIAD_SOLVERS_GAS_KEYS_H
#define TRIAD_SOLVERS_GAS_KEYS_H

#include "case/part.h"
#include "solvers/gas/kinds.h"

/* Return word i of a key that names a Riemann solver, in the order of TRIAD_GAS_FLUXES; NULL behind the last. */
const triad_word *triad_gas_flux_word(int i);

/* Return the Riemann solver of a word; TRIAD_GAS_RIEMANN_KINDS, which is no kind, if no row has it. */
triad_gas_riemann triad_gas_flux_named(const char *word);

/* Return the Courant number up to which a first-order step keeps density and pressure positive; 0: none does. */
double triad_gas_positive_courant(triad_gas_riemann kind);

/* Keys of an acceleration and a heating by formula (force.h), for the table of a family on cells; and their rule.
 * steady: a steady flow has no time, so no formula may depend on t. */
extern const char *const triad_gas_formula_names[];
enum { TRIAD_GAS_FORMULAS = 4 };
extern const char *const triad_gas_force_keys[TRIAD_GAS_FORMULAS];
#define TRIAD_GAS_FORCE_KEYS \
  {"forcing.kind", WORD, WORDS(W("none"), W("formula")), .preset = "none", \
   .help = "Body force and heating. formula: user-defined, on CPUs only."}, \
    {"forcing.u", \
     TEXT, \
     .formula = triad_gas_formula_names, \
     .preset = "", \
     .unit = "length/time^2", \
     .used = "forcing.kind=formula", \
     .help = "With kind formula, the acceleration along x."}, \
    {"forcing.v", \
     TEXT, \
     .formula = triad_gas_formula_names, \
     .preset = "", \
     .unit = "length/time^2", \
     .used = "forcing.kind=formula", \
     .help = "With kind formula, the acceleration along y."}, \
    {"forcing.w", \
     TEXT, \
     .formula = triad_gas_formula_names, \
     .preset = "", \
     .unit = "length/time^2", \
     .used = "forcing.kind=formula", \
     .help = "With kind formula, the acceleration along z."}, \
  { \
    "forcing.heat", TEXT, \
      .formula = triad_gas_formula_names, .preset = "", .unit = "energy/(volume time)", \
      .used = "forcing.kind=formula", \
      .help = "With kind formula, the source of energy per volume, in addition to the work of the acceleration." \
  }
void triad_gas_force_rules(triad_case *c, int steady);

/* The row of a reference in a family's table (case/part.h); before it a macro TRIAD_GAS_KEY "equations.riemann=". */
#define TRIAD_GAS_REFERENCE(kind, word, about, flux, courant, ...) {TRIAD_GAS_KEY word, __VA_ARGS__, NULL},

#endif
