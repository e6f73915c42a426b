/* Read the gas, scheme and boundaries of a compressible flow from its case. */
#include "solvers/compressible/case/setup.h"
#include "solvers/closure/models.h"
#include "solvers/gas/keys.h"
#include "solvers/compressible/state/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void triad_compressible_setup_init(triad_compressible_setup *s, const int64_t n[3], const double length[3])
{
  *s = (triad_compressible_setup){.gamma = 1.4,
                                  .prandtl = 0.72,
                                  .law = TRIAD_COMPRESSIBLE_POWER,
                                  .power = 0.76,
                                  .sutherland = 0.404, /* 110.4 K over 273.15 K */
                                  .reference = 1,
                                  .weights = TRIAD_WENO_Z,
                                  .variables = TRIAD_COMPRESSIBLE_CHARACTERISTIC,
                                  .scheme = triad_scheme_find("ssprk3", TRIAD_SCHEME_START)};
  for (int i = 0; i < 3; i++) {
    s->n[i] = n[i];
    s->length[i] = length[i];
    for (int upper = 0; upper < 2; upper++) s->side[i][upper] = (triad_compressible_side){.temperature = 1};
  }
}

int64_t triad_compressible_halo(const triad_compressible_setup *s)
{
  return s->viscosity > 0 || s->form != TRIAD_COMPRESSIBLE_UPWIND || s->particles ? 4 : 3;
}

void triad_compressible_periodic(const triad_compressible_setup *s, int periodic[3])
{
  for (int i = 0; i < 3; i++) periodic[i] = s->side[i][0].kind == TRIAD_COMPRESSIBLE_PERIODIC;
}

double triad_compressible_position(const triad_compressible_setup *s, int axis, int64_t i)
{
  double shift = s->side[axis][0].kind == TRIAD_COMPRESSIBLE_PERIODIC ? 0 : 0.5;
  return ((double)i + shift) * s->length[axis] / (double)s->n[axis];
}

/* Words of a case, in the order of the enumerations. */
static const char *const weights[] = {"js", "m", "z", "linear", "teno", NULL};
static const char *const riemann[] = {"roe", "llf", "rusanov", NULL};
_Static_assert(sizeof riemann / sizeof riemann[0] == TRIAD_COMPRESSIBLE_LISTED + 1, "a word for each");
static const char *const laws[] = {"constant", "power", "sutherland", NULL};
static const char *const sides[] = {"periodic",   "extrapolate", "reflecting", "adiabatic",
                                    "isothermal", "inflow",      "outflow",    NULL};

const char *triad_compressible_setup_text(const triad_compressible_setup *s, char *text, size_t size)
{
  int n = s->form == TRIAD_COMPRESSIBLE_CENTRAL
            ? snprintf(text, size, "central flux that conserves kinetic energy, %s; ", s->scheme->word.name)
            : snprintf(text, size, "%s%s weights of %s, %s flux, %s; ",
                       s->form == TRIAD_COMPRESSIBLE_HYBRID ? "hybrid of central fluxes and " : "", weights[s->weights],
                       s->variables == TRIAD_COMPRESSIBLE_CHARACTERISTIC ? "characteristic variables" : "components",
                       s->riemann == TRIAD_COMPRESSIBLE_LISTED ? triad_gas_flux_word((int)s->listed)->name
                                                               : riemann[s->riemann],
                       s->scheme->word.name);
  if (n < 0 || (size_t)n >= size) return text;
  if (!(s->viscosity > 0)) (void)snprintf(text + n, size - (size_t)n, "no viscosity");
  else if (s->law == TRIAD_COMPRESSIBLE_POWER)
    (void)snprintf(text + n, size - (size_t)n, "viscosity %g T^%g", s->viscosity, s->power);
  else
    (void)snprintf(text + n, size - (size_t)n, "viscosity %g%s", s->viscosity,
                   s->law == TRIAD_COMPRESSIBLE_SUTHERLAND ? " by Sutherland's law" : "");
  return text;
}

/* A setup from a case. */
static const char *const axis_key[3] = {"boundaries.x", "boundaries.y", "boundaries.z"};

/* The place of a word among `words`, which the schema allows. */
static int choice(const char *word, const char *const *words)
{
  int i = 0;
  while (words[i] && strcmp(word, words[i]) != 0) i++;
  return i;
}

static void read_scheme(triad_compressible_setup *s, const triad_case *c)
{
  s->form = triad_case_is(c, "equations.flux", "central")  ? TRIAD_COMPRESSIBLE_CENTRAL
            : triad_case_is(c, "equations.flux", "hybrid") ? TRIAD_COMPRESSIBLE_HYBRID
                                                           : TRIAD_COMPRESSIBLE_UPWIND;
  s->weights = (triad_compressible_weights)choice(triad_case_word(c, "equations.weights"), weights);
  s->riemann = (triad_compressible_riemann)choice(triad_case_word(c, "equations.riemann"), riemann);
  s->listed = triad_gas_flux_named(triad_case_word(c, "equations.riemann"));
  s->variables = triad_case_is(c, "equations.reconstruction", "characteristic") ? TRIAD_COMPRESSIBLE_CHARACTERISTIC
                                                                                : TRIAD_COMPRESSIBLE_COMPONENTS;
  s->published = !triad_case_is(c, "equations.compatibility", "none");
  s->entropy_fix = triad_case_real(c, "equations.entropy_fix");
  s->positivity = triad_case_flag(c, "equations.positivity");
  s->scheme = triad_scheme_find(triad_case_word(c, "time.scheme"), TRIAD_SCHEME_START);
}

double triad_compressible_start_viscosity(const triad_compressible_setup *s)
{
  const triad_compressible_gas g = triad_compressible_gas_of(s);
  return s->viscosity * (double)triad_compressible_viscosity(&g, 1);
}

/* The viscosity that gives random velocities of rms u0 a component and spectrum (k/k0)^4 exp(-2 (k/k0)^2) the wanted
 * Re_lambda = u0 lambda/nu at density and temperature 1: lambda = 2/k0 (docs/methods/compressible.md), k0 in units of
 * the smallest wavenumber of the axes that have points. */
static void set_viscosity(triad_compressible_setup *s, const triad_case *c)
{
  double wanted = triad_case_real(c, "initial.re_lambda"), longest = 0;
  s->viscosity = triad_case_real(c, "equations.viscosity");
  if (!(wanted > 0) || !triad_case_is(c, "initial.kind", "turbulence")) return;
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1) longest = fmax(longest, s->length[i]);
  if (!(longest > 0)) return; /* one point has no turbulence, as the start will tell */
  double k0 = 2 * TRIAD_PI / longest * (double)triad_case_integer(c, "initial.wavenumber");
  s->viscosity = 1;
  s->viscosity =
    fabs(triad_case_real(c, "initial.amplitude")) * (2 / k0) / wanted / triad_compressible_start_viscosity(s);
}

static void read_gas(triad_compressible_setup *s, const triad_case *c)
{
  s->gamma = triad_case_real(c, "equations.gamma");
  s->prandtl = triad_case_real(c, "equations.prandtl");
  s->law = (triad_compressible_law)choice(triad_case_word(c, "equations.viscosity_law"), laws);
  s->power = triad_case_real(c, "equations.viscosity_power");
  s->sutherland = triad_case_real(c, "equations.sutherland_temperature");
  s->reference = triad_case_real(c, "equations.reference_temperature");
  set_viscosity(s, c);
}

static int read_side(triad_compressible_side *side, const triad_case *c, int axis, int upper)
{
  double temperature[6], velocity[18];
  const char *word = triad_case_word_of_pair(c, axis_key[axis], upper);
  const int kind = choice(word, sides);
  if (!sides[kind])
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: unknown boundary condition \"%s\"", axis_key[axis], word);
  side->kind = (triad_compressible_side_kind)kind;
  triad_case_reals(c, "boundaries.inflow", side->state, 5);
  triad_case_reals(c, "boundaries.wall_temperature", temperature, 6);
  triad_case_reals(c, "boundaries.wall_velocity", velocity, 18);
  side->temperature = temperature[2 * axis + upper];
  for (int i = 0; i < 3; i++) side->velocity[i] = i == axis ? 0 : velocity[3 * (2 * axis + upper) + i];
  return TRIAD_OK;
}

static int read_sides(triad_compressible_setup *s, const triad_case *c)
{
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) TRIAD_TRY(read_side(&s->side[i][upper], c, i, upper));
  return TRIAD_OK;
}

int triad_compressible_setup_read(triad_compressible_setup *s, const triad_case *c)
{
  int64_t n[3];
  double length[3];
  triad_case_integers(c, "grid.n", n, 3);
  triad_case_reals(c, "grid.length", length, 3);
  triad_compressible_setup_init(s, n, length);
  read_gas(s, c);
  read_scheme(s, c);
  TRIAD_TRY(read_sides(s, c));
  s->closure = triad_closure_model_of(c);
  s->closure_constant = s->closure ? triad_case_real(c, s->closure->constant) : 0;
  s->closure_width = s->closure ? triad_case_real(c, "closure.width") : 0;
  s->particles = triad_case_tables(c, "particles") > 0;
  return TRIAD_OK;
}
