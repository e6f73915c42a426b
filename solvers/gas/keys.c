/* Words of the keys of a gas, from the rows of kinds.h. */
#include "solvers/gas/keys.h"

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
