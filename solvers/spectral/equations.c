#include "solvers/spectral/equations.h"

#include "solvers/spectral/list.h"

#include <math.h>
#include <string.h>

#define DECLARE(name) extern const triad_equations TRIAD_NAME(equations_##name);
#define ENTRY(name) &TRIAD_NAME(equations_##name),
TRIAD_EQUATIONS(DECLARE)
static const triad_equations *const all[] = {TRIAD_EQUATIONS(ENTRY) NULL};

const triad_equations *triad_equations_find(const char *name)
{
  for (int i = 0; all[i]; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

double triad_decay_rate(const triad_decay *d, double k2)
{
  double rate = d->viscosity * k2;
  if (d->hyperviscosity > 0) rate += d->hyperviscosity * pow(k2, d->order);
  if (d->drag > 0 && (d->drag_wavenumber <= 0 || k2 <= d->drag_wavenumber * d->drag_wavenumber * (1 + 1e-12)))
    rate += d->drag;
  return rate;
}
