#include "solvers/weno/setup.h"

#include <stdio.h>
#include <string.h>

void triad_weno_setup_init(triad_weno_setup *s, const int64_t n[3], const double length[3])
{
  *s = (triad_weno_setup){.gamma = 1.4,
                          .prandtl = 0.72,
                          .law = TRIAD_WENO_POWER,
                          .power = 0.76,
                          .sutherland = 0.404, /* 110.4 K over 273.15 K */
                          .reference = 1,
                          .weights = TRIAD_WENO_Z,
                          .entropy_fix = 1e-6,
                          .scheme = triad_scheme_find("ssprk3", TRIAD_SCHEME_START)};
  for (int i = 0; i < 3; i++) {
    s->n[i] = n[i];
    s->length[i] = length[i];
    for (int upper = 0; upper < 2; upper++) s->side[i][upper] = (triad_weno_side){.temperature = 1};
  }
}

int64_t triad_weno_halo(const triad_weno_setup *s) { return s->viscosity > 0 || s->form == TRIAD_WENO_CENTRAL ? 4 : 3; }

void triad_weno_periodic(const triad_weno_setup *s, int periodic[3])
{
  for (int i = 0; i < 3; i++) periodic[i] = s->side[i][0].kind == TRIAD_WENO_PERIODIC;
}

double triad_weno_position(const triad_weno_setup *s, int axis, int64_t i)
{
  double shift = s->side[axis][0].kind == TRIAD_WENO_PERIODIC ? 0 : 0.5;
  return ((double)i + shift) * s->length[axis] / (double)s->n[axis];
}

static const char *const side_name[] = {
    [TRIAD_WENO_PERIODIC] = "periodic",     [TRIAD_WENO_EXTRAPOLATE] = "extrapolate",
    [TRIAD_WENO_REFLECTING] = "reflecting", [TRIAD_WENO_ADIABATIC] = "adiabatic",
    [TRIAD_WENO_ISOTHERMAL] = "isothermal", [TRIAD_WENO_INFLOW] = "inflow",
    [TRIAD_WENO_OUTFLOW] = "outflow",
};

int triad_weno_side_by_name(const char *name, triad_weno_side_kind *kind)
{
  for (size_t i = 0; i < sizeof side_name / sizeof side_name[0]; i++)
    if (strcmp(name, side_name[i]) == 0) {
      *kind = (triad_weno_side_kind)i;
      return 1;
    }
  return 0;
}

const char *triad_weno_setup_text(const triad_weno_setup *s, char *text, size_t size)
{
  static const char *const weights[] = {"js", "m", "z", "linear", "teno"}, *const riemann[] = {"roe", "llf", "rusanov"};
  int n = s->form == TRIAD_WENO_CENTRAL
              ? snprintf(text, size, "central flux that keeps kinetic energy, %s; ", s->scheme->name)
              : snprintf(text, size, "%s weights of %s, %s flux, %s; ", weights[s->weights],
                         s->variables == TRIAD_WENO_CHARACTERISTIC ? "characteristic variables" : "components",
                         riemann[s->riemann], s->scheme->name);
  if (n < 0 || (size_t)n >= size) return text;
  if (!(s->viscosity > 0))
    (void)snprintf(text + n, size - (size_t)n, "no viscosity");
  else if (s->law == TRIAD_WENO_POWER)
    (void)snprintf(text + n, size - (size_t)n, "viscosity %g T^%g", s->viscosity, s->power);
  else
    (void)snprintf(text + n, size - (size_t)n, "viscosity %g%s", s->viscosity,
                   s->law == TRIAD_WENO_SUTHERLAND ? " by Sutherland's law" : "");
  return text;
}
