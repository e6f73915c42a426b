/* List the equation sets, find one by name, and compute decay rates. */
#include "solvers/spectral/equations/equations.h"

#include "solvers/spectral/equations/list.h"

#include <string.h>

#define DECLARE(name) extern const triad_equations triad_equations_##name;
#define ENTRY(name) &triad_equations_##name,
TRIAD_EQUATIONS(DECLARE)
static const triad_equations *const all[] = {TRIAD_EQUATIONS(ENTRY) NULL};

const triad_equations *triad_equations_find(const char *name)
{
  for (int i = 0; all[i]; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

const triad_equations *triad_equations_at(int i) { return all[i]; }

const triad_gpu_set *triad_equations_gpu(const triad_equations *equations, const void *self)
{
  const triad_gpu_set *set = equations->gpu ? equations->gpu(self) : NULL;
  return set && set->spectral ? set : NULL;
}

double triad_decay_rate(const triad_decay *d, double k2) { return triad_decay_of(d, k2); }
