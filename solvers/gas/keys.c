/* Words of the keys of a gas, from the rows of kinds.h. */
#include "solvers/gas/keys.h"

#include "base/status.h"

#include <string.h>

#define FLUX(kind, word, meaning, ...) {.name = (word), .about = (meaning)},
static const triad_word fluxes[] = {TRIAD_GAS_FLUXES(FLUX)};
#undef FLUX

const triad_word *triad_gas_flux_word(int i) { return i < TRIAD_GAS_RIEMANN_KINDS ? &fluxes[i] : NULL; }

triad_gas_riemann triad_gas_flux_named(const char *word)
{
  int i = 0;
  while (i < TRIAD_GAS_RIEMANN_KINDS && strcmp(fluxes[i].name, word) != 0) i++;
  return (triad_gas_riemann)i;
}

#define COURANT(kind, word, meaning, flux, courant, ...) [kind] = (courant),
double triad_gas_positive_courant(triad_gas_riemann kind)
{
  static const double courant[TRIAD_GAS_RIEMANN_KINDS] = {TRIAD_GAS_FLUXES(COURANT)};
  return courant[kind];
}
#undef COURANT

const char *const triad_gas_formula_names[] = {"x", "y", "z", "t", "rho", "u", "v", "w", "p", NULL};

const char *const triad_gas_force_keys[TRIAD_GAS_FORMULAS] = {"forcing.u", "forcing.v", "forcing.w", "forcing.heat"};

void triad_gas_force_rules(triad_case *c, int steady)
{
  const char *const *keys = triad_gas_force_keys;
  enum { TIME = 3 };
  int given = 0;
  if (!triad_case_good(c, "forcing.kind") || !triad_case_is(c, "forcing.kind", "formula")) return;
  for (int i = 0; i < TRIAD_GAS_FORMULAS; i++) {
    triad_formula *formula = NULL;
    given |= triad_case_given(c, keys[i]);
    if (!steady || !triad_case_good(c, keys[i]) || triad_case_formula(c, keys[i], 0, &formula) != TRIAD_OK) continue;
    if (formula && triad_formula_uses(formula, TIME))
      triad_case_error_of(
        c, keys[i], "%s depends on t, but a steady flow has no time: remove t, or set time.steady = false", keys[i]);
    triad_formula_destroy(&formula);
  }
  if (!given)
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"formula\" requires a formula, such as forcing.v = \"-9.81\"");
}
