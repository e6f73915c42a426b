/* The part of the case of the compressible solver: its keys, the rules between them, the quantities of its slices. */
#include "solvers/compressible/case/keys.h"
#include "case/part.h"
#include "case/case_tune.h"
#include "case/rows.h"
#include "solvers/particles/keys.h"
#include "solvers/closure/keys.h"
#include "solvers/box/probe_keys.h"
#include "case/mean.h"
#include "solvers/gas/keys.h"
#include "solvers/quantities.h"
#include "solvers/schemes.h"
#include "solvers/compressible/case/part.h"

#include <stdio.h>
#include <string.h>

#define SIDES \
  WORDS(W("periodic"), W("extrapolate"), W("reflecting"), W("adiabatic"), W("isothermal"), W("inflow"), W("outflow"))

static const triad_solver_row solvers[] = {
  {{"compressible", .about = "compressible ideal gas, by WENO finite differences"}, NULL, "uniform"},
  {{0}, NULL, NULL}};

static const triad_word *scheme_word(int i) { return triad_scheme_word(TRIAD_SCHEME_START, i); }

/* What formulas of walls are of. */
static const char *const of_wall[] = {"x", "y", "z", "t", NULL};

/* What formulas of forces are of. */
static const char *const of_gas[] = {"x", "y", "z", "t", "rho", "u", "v", "w", "p", NULL};

/* The solver's own fluxes, then those of the gas under other words. */
static const triad_word own_fluxes[] = {
  {"roe", .about = "Roe's, with Harten's entropy fix; Rusanov's at faces with a strong jump"},
  {"llf", .about = "local Lax-Friedrichs, wave by wave"},
  {"rusanov", .about = "the fastest wave for all waves"}};
enum { OWN_FLUXES = sizeof own_fluxes / sizeof own_fluxes[0] };

static int is_own_flux(const char *word)
{
  for (int i = 0; i < OWN_FLUXES; i++)
    if (strcmp(own_fluxes[i].name, word) == 0) return 1;
  return 0;
}

const triad_word *triad_compressible_flux_word(int i)
{
  if (i < OWN_FLUXES) return &own_fluxes[i];
  for (int n = OWN_FLUXES, row = 0; row < TRIAD_GAS_RIEMANN_KINDS; row++)
    if (!is_own_flux(triad_gas_flux_word(row)->name) && n++ == i) return triad_gas_flux_word(row);
  return NULL;
}

static const triad_key keys[] = {
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .used = "initial.kind!=turbulence or !initial.re_lambda",
   .help =
     "Viscosity coefficient 1/Re, which multiplies the viscosity law in the viscous stress and heat flux. With 0, "
     "the flow is inviscid."},
  {"equations.compatibility", WORD, WORDS(W("none"), W("weno5-js-component")), .preset = "none",
   .help = "Reproduce a published scheme. weno5-js-component is that of HYPAR to round-off: JS weights by components, "
           "Roe flux with Harten's fix of 1e-6 only, no limiter, viscosity power law with exponent 0.76."},
  {"equations.flux", WORD, WORDS(W("weno"), W("central"), W("hybrid")), .preset = "weno",
   .help = "Flux at cell faces. weno: upwind-biased reconstruction, captures shocks. central: conserves kinetic energy "
           "to round-off except for viscosity and pressure work; for turbulence without shocks, preferably at low Mach "
           "number. hybrid: weno near shocks and contacts, central elsewhere; for turbulence with shocks."},
  {"equations.weights", WORD, WORDS(W("js"), W("m"), W("z"), W("linear"), W("teno")), .preset = "z",
   .used = "equations.flux!=central",
   .help = "Weights of the fifth-order reconstruction. js: WENO of Jiang and Shu. m: mapped WENO. z: WENO of Borges. "
           "linear: linear upwind scheme, for smooth flows. teno: targeted ENO, the least dissipative."},
  {"equations.reconstruction", WORD, WORDS(W("components"), W("characteristic")), .preset = "characteristic",
   .used = "equations.flux!=central",
   .help = "Variables that are reconstructed. characteristic: characteristic variables, for all flows. components: "
           "each component of the state and the flux; cheaper, for smooth flows below Mach 3 only."},
  {"equations.riemann", WORD, .word_at = triad_compressible_flux_word, .preset = "roe",
   .used = "equations.flux!=central",
   .help = "Upwind flux. rusanov is required for grid-aligned shocks at high Mach number. roe, llf and rusanov take "
           "their waves from the average of both cells, the others from the reconstructed states."},
  {"equations.entropy_fix", REAL, AT_LEAST(0), .preset = "0", .unit = "length/time", .used = "equations.flux!=central",
   .help = "Minimum width of Harten's entropy fix for roe. The width is at least the difference of the wave speed "
           "between the two cells, so that 0 is a good choice."},
  {"equations.positivity", FLAG, .preset = "false",
   .help =
     "Guarantee positive density and pressure, by a Courant number below 1/(2 axes) and a limiter on all fluxes. It "
     "requires time.scheme ssprk3. Without it upwind fluxes are limited too, but the time step is not reduced."},
  {"equations.gamma", REAL, ABOVE(1), .preset = "1.4", .help = "Ratio of specific heats."},
  {"equations.prandtl", REAL, ABOVE(0), .preset = "0.72",
   .used = "equations.viscosity or initial.kind=turbulence initial.re_lambda",
   .help = "Prandtl number, viscosity times specific heat at constant pressure divided by thermal conductivity."},
  {"equations.viscosity_law", WORD, WORDS(W("constant"), W("power"), W("sutherland")), .preset = "constant",
   .used = "equations.viscosity or initial.kind=turbulence initial.re_lambda",
   .help = "Dependence of viscosity on temperature T = gamma p/rho. constant: none. power: T^viscosity_power. "
           "sutherland: Sutherland's law."},
  {"equations.viscosity_power", REAL, ANY, .preset = "0.76", .used = "equations.viscosity_law=power",
   .help = "Exponent of the viscosity power law."},
  {"equations.sutherland_temperature", REAL, AT_LEAST(0), .preset = "0.404",
   .used = "equations.viscosity_law=sutherland",
   .help =
     "Sutherland's constant in units of the reference temperature. For air it is 0.404, which is 110.4 K/273.15 K."},
  {"equations.reference_temperature", REAL, ABOVE(0), .preset = "1", .used = "equations.viscosity_law=power|sutherland",
   .help = "Temperature gamma p/rho, the square of the speed of sound, at which the factor of the viscosity law is 1."},

  {"boundaries.x", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "Boundary conditions at the lower and upper end along x. periodic: both ends or none. extrapolate: mirror "
           "image. reflecting: slip wall. adiabatic, isothermal: no-slip wall without heat flux, or at a given "
           "temperature. inflow: given state. outflow: supersonic outflow."},
  {"boundaries.y", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "Boundary conditions along y, as boundaries.x."},
  {"boundaries.z", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "Boundary conditions along z, as boundaries.x."},
  {"boundaries.inflow", REALS(5), ANY, .preset = "1 0 0 0 1",
   .used = "boundaries.x=inflow or boundaries.y=inflow or boundaries.z=inflow",
   .help = "State of the inflow: density, velocity along x, y and z, and pressure."},
  {"boundaries.wall_temperature", REALS(6), ABOVE(0), .preset = "1 1 1 1 1 1",
   .used = "boundaries.x=isothermal or boundaries.y=isothermal or boundaries.z=isothermal",
   .help = "Temperature gamma p/rho of isothermal walls: lower and upper end along x, then y, then z."},
  {"boundaries.wall_velocity", REALS(18), ANY, .preset = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", .unit = "length/time",
   .used =
     "boundaries.x=adiabatic|isothermal or boundaries.y=adiabatic|isothermal or boundaries.z=adiabatic|isothermal",
   .help = "Velocity of no-slip walls: three components per wall, in the order of wall_temperature. The component "
           "normal to a wall is ignored."},
  {"boundaries.wall_temperature_at", TEXT_LIST(6), .formula = of_wall, .preset = "",
   .help = "Temperatures of isothermal walls as formulas of position and t, in the order of wall_temperature. If a "
           "formula is empty or missing, the number in wall_temperature applies. On CPUs only."},
  {"boundaries.wall_velocity_at", TEXT_LIST(18), .formula = of_wall, .preset = "", .unit = "length/time",
   .help = "Velocities of no-slip walls as formulas of position and t, in the order of wall_velocity. If a formula is "
           "empty or missing, the number in wall_velocity applies. On CPUs only."},

  {"initial.kind", WORD, .word_at = triad_gas_start_word, .example = "sod", .help = "Initial condition."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .used = "initial.kind=entropy-wave|isentropic-vortex|taylor-green|turbulence",
   .help = "Velocity amplitude of taylor-green and turbulence (default 1). For isentropic-vortex, its strength "
           "(default 0.5). For entropy-wave, the density amplitude (default 0.1)."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "initial.kind=entropy-wave|taylor-green|turbulence",
   .help = "Periods of taylor-green and entropy-wave along each side of the box. For turbulence, the peak k0 of the "
           "spectrum, in units of the smallest wavenumber of the box."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "initial.kind=turbulence",
   .help = "Seed of turbulence. A seed gives the same field on any number of ranks, and on any grid that contains its "
           "modes."},
  {"initial.rho", FORMULA, .preset = "1", .unit = "density", .used = "initial.kind=formula",
   .help = "With kind formula, the density."},
  {"initial.u", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along x. Empty means 0."},
  {"initial.v", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along y. Empty means 0."},
  {"initial.w", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along z. Empty means 0."},
  {"initial.p", FORMULA, .preset = "1", .unit = "pressure", .used = "initial.kind=formula",
   .help = "With kind formula, the pressure."},
  {"initial.mach", REAL, ABOVE(0), .preset = "1", .used = "initial.kind=taylor-green|shock-vortex",
   .help = "Mach number of taylor-green, amplitude divided by the speed of sound (default 1), or of the shock of "
           "shock-vortex (default 1.1)."},
  {"initial.state", REALS(5), ANY, .preset = "1 0 0 0 1", .used = "initial.kind=uniform",
   .help = "State of uniform: density, velocity along x, y and z, and pressure."},
  {"initial.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .used = "initial.kind=entropy-wave|isentropic-vortex|blast",
   .help = "Velocity along x, y and z with which entropy-wave, isentropic-vortex and blast are advected. The default "
           "is 1 along each axis for entropy-wave, and 0.5 along x for isentropic-vortex."},
  {"initial.radius", REAL, ABOVE(0), .preset = "0.1", .unit = "length", .used = "initial.kind=blast",
   .help = "Radius of the high-pressure sphere of blast."},
  {"initial.pressure_ratio", REAL, ABOVE(0), .preset = "100", .used = "initial.kind=blast",
   .help = "Ratio of the pressure inside a blast to that outside. The outside pressure and the density are 1."},
  {"initial.re_lambda", REAL, AT_LEAST(0), .preset = "0", .used = "initial.kind=turbulence",
   .help = "With kind turbulence, the Reynolds number of the Taylor microscale lambda = 2/k0, which determines the "
           "viscosity. With 0, the viscosity is equations.viscosity."},

  {"forcing.kind", WORD, WORDS(W("none"), W("ornstein-uhlenbeck"), W("linear"), W("formula")), .preset = "none",
   .help = "Force, in a periodic box. ornstein-uhlenbeck: random forcing of a band of modes with a correlation time. "
           "linear: along the velocity. formula: user-defined, on CPUs only. The mass-weighted mean of the force is "
           "removed; density and internal energy are unchanged."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2", .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Rms acceleration of ornstein-uhlenbeck, over the box and over time."},
  {"forcing.k_range", REALS(2), .rising = 1, AT_LEAST(0), .preset = "1 2", .used = "forcing.kind=ornstein-uhlenbeck",
   .help =
     "Lowest and highest wavenumber forced by ornstein-uhlenbeck, in units of the smallest wavenumber of the box."},
  {"forcing.correlation_time", REAL, ABOVE(0), .preset = "1", .unit = "time", .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Correlation time of ornstein-uhlenbeck: the correlation decays as exp(-t/correlation_time)."},
  {"forcing.solenoidal", REAL, BETWEEN(0, 1), .preset = "1", .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Solenoidal fraction of the mean square force of ornstein-uhlenbeck. The rest is free of curl and generates "
           "sound and shocks. 2/3 is isotropic, since two of three directions are perpendicular to a wavevector."},
  {"forcing.helicity", REAL, BETWEEN(-1, 1), .preset = "0", .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Relative helicity of the solenoidal part. 0 gives none; 1 or -1 gives modes of one handedness only."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Seed of ornstein-uhlenbeck."},
  {"forcing.rate", REAL, AT_LEAST(0), .preset = "0.1", .unit = "1/time", .used = "forcing.kind=linear",
   .help = "Rate A of linear, the acceleration A u."},
  {"sponge.rate", FORMULA, .preset = "", .unit = "1/time",
   .help = "Rate at which a sponge relaxes density, momentum and energy to the sponge state, such as 5*max(0, x - 9)^2 "
           "near an outflow at x = 10. There is no sponge where the rate is 0."},
  {"sponge.rho", FORMULA, .preset = "1", .unit = "density", .used = "sponge.rate",
   .help = "Density of the sponge state."},
  {"sponge.u", FORMULA, .preset = "", .unit = "length/time", .used = "sponge.rate",
   .help = "Velocity of the sponge state along x."},
  {"sponge.v", FORMULA, .preset = "", .unit = "length/time", .used = "sponge.rate",
   .help = "Velocity of the sponge state along y."},
  {"sponge.w", FORMULA, .preset = "", .unit = "length/time", .used = "sponge.rate",
   .help = "Velocity of the sponge state along z."},
  {"sponge.p", FORMULA, .preset = "1", .unit = "pressure", .used = "sponge.rate",
   .help = "Pressure of the sponge state."},
  {"forcing.u", TEXT, .formula = of_gas, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along x."},
  {"forcing.v", TEXT, .formula = of_gas, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along y."},
  {"forcing.w", TEXT, .formula = of_gas, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along z."},
  {"forcing.cooling", WORD, WORDS(W("none"), W("internal-energy")), .preset = "internal-energy",
   .used = "forcing.kind!=none",
   .help = "Cooling of forced flow. internal-energy: after each step, one factor for all cells restores the mean "
           "internal energy to its initial value, so that the gas does not heat up."},

  TRIAD_CLOSURE_KEYS(NULL, TRIAD_CLOSURE_POINT_WORDS,
                     "Subgrid model of a large-eddy simulation, on CPUs, in periodic boxes with viscosity. The "
                     "turbulent Prandtl number is equations.prandtl.",
                     "it is the spacing of the points: that along each axis, and their geometric mean."),

  {"time.scheme", WORD, .word_at = scheme_word, .preset = "ssprk3", .help = "Runge-Kutta scheme."},

  TRIAD_PARTICLE_KEYS(NULL),
  {"particles.interpolation", MANY, WORD, WORDS(W("lagrange4"), W("lagrange6"), W("linear")), .preset = "lagrange4",
   .help = "Interpolation of the fluid velocity to particles. lagrange4, lagrange6: polynomials through 4 or 6 points "
           "along each axis, of that order in smooth flow. linear: second order, without overshoots at shocks."},
  {"particles.sample", MANY, TEXT_LIST(16), .preset = "",
   .help = "Fluid quantities to write in addition to position and velocity. velocity: the fluid velocity at inertial "
           "particles."},
  {"particles.boundary", MANY, WORD, WORDS(W("auto"), W("reflect"), W("absorb"), W("reenter")), .preset = "auto",
   .help =
     "Action when a particle reaches a boundary that is not periodic. reflect: mirror. absorb: stop at the boundary. "
     "reenter: enter at the opposite end. auto: reflect at walls and symmetry planes, otherwise absorb."},

  TRIAD_PROBE_KEYS("Values come from cubic polynomials through the four nearest points along each axis."),
  {"output.means", TEXT_LIST(TRIAD_MEANS), .preset = "",
   .help = "Running means over time with standard errors, in means.h5. All series columns are included. Shell spectra "
           "of a periodic box: \"spectra\". Density and its logarithm, velocity, pressure and temperature at the "
           "points: \"moments\" (up to four) and \"pdfs\". Means and covariances over planes: \"profiles z\" (or x, "
           "y). With [], there are no means."},
  TRIAD_MEAN_TIME_KEYS,

  {"parallel.blocks", INTEGERS(3), BETWEEN(0, 1048576), .preset = "0 0 0",
   .help = "Number of blocks along x, y and z into which the grid is divided, one block per rank. A 0 is replaced by "
           "the number that minimises computation and communication."},
  {0}};

static int is_side(const triad_case *c, const char *key, int upper, const char *word)
{
  return strcmp(triad_case_word_of_pair(c, key, upper), word) == 0;
}

static int is_gas(const double state[5]) { return state[0] > 0 && state[4] > 0; }

/* An axis closes on itself at both ends or at none; what comes in is a gas. */
static void check_boundaries(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  double state[5];
  int inflow = 0;
  for (int i = 0; i < 3; i++) {
    if (!triad_case_good(c, axis[i])) continue;
    if (is_side(c, axis[i], 0, "periodic") != is_side(c, axis[i], 1, "periodic"))
      triad_case_error_of(c, axis[i], "%s: \"periodic\" must be set at both ends or at none", axis[i]);
    inflow |= is_side(c, axis[i], 0, "inflow") || is_side(c, axis[i], 1, "inflow");
  }
  if (!inflow || !triad_case_good(c, "boundaries.inflow")) return;
  triad_case_reals(c, "boundaries.inflow", state, 5);
  if (!is_gas(state))
    triad_case_error_of(c, "boundaries.inflow", "boundaries.inflow: density %g and pressure %g must be positive",
                        state[0], state[4]);
}

/* All of the state that comes in is fixed, which is right for what is faster than sound. */
static void warn_inflow(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  double state[5];
  if (!triad_case_good(c, "boundaries.inflow") || !triad_case_good(c, "equations.gamma")) return;
  triad_case_reals(c, "boundaries.inflow", state, 5);
  const double sound = sqrt(triad_case_real(c, "equations.gamma") * state[4] / state[0]);
  for (int side = 0; side < 6 && is_gas(state); side++) {
    const int i = side / 2, upper = side % 2;
    if (!triad_case_good(c, axis[i]) || !is_side(c, axis[i], upper, "inflow")) continue;
    const double speed = upper ? -state[1 + i] : state[1 + i];
    if (!(speed > 0))
      triad_case_warn_of(c, axis[i],
                         "%s: nothing enters through the \"inflow\" at the %s end, because boundaries.inflow has %c = "
                         "%g: reverse the velocity, or use another boundary",
                         axis[i], upper ? "upper" : "lower", "uvw"[i], state[1 + i]);
    else if (speed < sound)
      triad_case_warn_of(c, axis[i],
                         "%s: the \"inflow\" at the %s end is subsonic (Mach %.3g), but all of its state is fixed: "
                         "waves from inside the box are reflected there",
                         axis[i], upper ? "upper" : "lower", speed / sound);
  }
}

/* A formula is of a wall that has what it gives. */
static void check_walls(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  static const char *const of[] = {"boundaries.wall_temperature_at", "boundaries.wall_velocity_at"};
  const char *text[18];
  for (int k = 0; k < 2; k++) {
    const int n = triad_case_good(c, of[k]) ? triad_case_texts(c, of[k], text, k ? 18 : 6) : 0;
    for (int i = 0; i < n; i++) {
      const int side = k ? i / 3 : i, a = side / 2, upper = side % 2;
      if (!*text[i] || !triad_case_good(c, axis[a])) continue;
      const int isothermal = is_side(c, axis[a], upper, "isothermal"),
                sticks = isothermal || is_side(c, axis[a], upper, "adiabatic");
      if (k && i % 3 == a)
        triad_case_error_of_value(c, of[k], i, "%s: value %d of %d is the velocity normal to a wall, which must be 0",
                                  of[k], i + 1, n);
      else if (k ? !sticks : !isothermal)
        triad_case_error_of_value(c, of[k], i,
                                  "%s: value %d of %d belongs to the %s end of %s, which is not an %s wall", of[k],
                                  i + 1, n, upper ? "upper" : "lower", axis[a], k ? "no-slip" : "isothermal");
    }
  }
}

/* Is a key's value other than this word, or, of NULL, than the entropy fix that is there without being asked for? */
static int differs(const triad_case *c, const char *key, const char *word)
{
  return word ? !triad_case_is(c, key, word) : triad_case_real(c, key) > 0;
}

/* Central fluxes have none of what makes upwind ones: who asks for another than is there anyway, as a resolved case
 * does not, must mean something else. */
static void check_central(triad_case *c)
{
  static const struct {
    const char *key, *word;
  } upwind[] = {{"equations.weights", "z"},
                {"equations.reconstruction", "characteristic"},
                {"equations.riemann", "roe"},
                {"equations.entropy_fix", NULL}};
  if (!triad_case_good(c, "equations.flux") || !triad_case_is(c, "equations.flux", "central")) return;
  for (size_t i = 0; i < sizeof upwind / sizeof upwind[0]; i++)
    if (triad_case_good(c, upwind[i].key) && differs(c, upwind[i].key, upwind[i].word))
      triad_case_error_of(c, upwind[i].key,
                          "%s has no effect with equations.flux = \"central\": remove it, or use \"weno\"",
                          upwind[i].key);
  if (triad_case_good(c, "equations.positivity") && triad_case_flag(c, "equations.positivity"))
    triad_case_error_of(c, "equations.positivity",
                        "equations.positivity has no effect with equations.flux = \"central\": remove it, or use "
                        "\"weno\", which strong shocks require");
}

/* What weno5-js-component stands for; a key that was given otherwise contradicts it, and one that was not has it
 * from then on. */
static void check_compatible(triad_case *c)
{
  static const char *const word[][2] = {{"equations.flux", "weno"},
                                        {"equations.weights", "js"},
                                        {"equations.reconstruction", "components"},
                                        {"equations.riemann", "roe"},
                                        {"equations.viscosity_law", "power"}};
  static const struct {
    const char *key;
    double value;
  } number[] = {
    {"equations.entropy_fix", 1e-6}, {"equations.viscosity_power", 0.76}, {"equations.reference_temperature", 1}};
  if (!triad_case_good(c, "equations.compatibility") || triad_case_is(c, "equations.compatibility", "none")) return;
  for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
    if (triad_case_good(c, word[i][0]) && triad_case_given(c, word[i][0]) && !triad_case_is(c, word[i][0], word[i][1]))
      triad_case_error_of(
        c, word[i][0], "%s = \"%s\" contradicts equations.compatibility, which sets it to \"%s\": remove one of them",
        word[i][0], triad_case_word(c, word[i][0]), word[i][1]);
  for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
    double given = triad_case_good(c, number[i].key) && triad_case_given(c, number[i].key)
                     ? triad_case_real(c, number[i].key)
                     : number[i].value;
    if (given < number[i].value || given > number[i].value)
      triad_case_error_of(c, number[i].key,
                          "%s = %g contradicts equations.compatibility, which sets it to %g: remove one of them",
                          number[i].key, given, number[i].value);
  }
  if (triad_case_good(c, "equations.positivity") && triad_case_flag(c, "equations.positivity"))
    triad_case_error_of(c, "equations.positivity",
                        "equations.positivity contradicts equations.compatibility, which has "
                        "no limiter");
  for (size_t i = 0; i < sizeof word / sizeof word[0] && triad_case_error_count(c) == 0; i++)
    if (!triad_case_is(c, word[i][0], word[i][1]))
      (void)triad_case_tune(c, word[i][0], word[i][1], "equations.compatibility");
  if (triad_case_error_count(c) == 0 && !triad_case_given(c, number[0].key))
    (void)triad_case_tune(c, number[0].key, "1e-6", "equations.compatibility");
}

/* The limiter keeps positive what a step of Euler makes, and a scheme that is no mean of such steps may still leave
 * it. */
static void check_positivity(triad_case *c)
{
  if (!triad_case_good(c, "equations.positivity") || !triad_case_good(c, "time.scheme") ||
      !triad_case_flag(c, "equations.positivity"))
    return;
  const char *word = triad_case_word(c, "time.scheme");
  const triad_scheme *scheme = triad_scheme_find(word, TRIAD_SCHEME_START);
  if (scheme && !(scheme->ssp > 0))
    triad_case_error_of(
      c, "time.scheme",
      "time.scheme = \"%s\" does not consist of Euler steps, which equations.positivity limits: use \"ssprk3\"", word);
}

/* What a start is made of must be a gas, and a shock. */
static void check_start(triad_case *c)
{
  double state[5];
  if (!triad_case_good(c, "initial.kind")) return;
  if (!triad_case_good(c, "initial.state") || !triad_case_good(c, "initial.mach")) return;
  triad_case_reals(c, "initial.state", state, 5);
  if (triad_case_is(c, "initial.kind", "uniform") && !is_gas(state))
    triad_case_error_of(c, "initial.state", "initial.state: density %g and pressure %g must be positive", state[0],
                        state[4]);
  double mach = triad_case_real(c, "initial.mach");
  if (triad_case_is(c, "initial.kind", "shock-vortex") && mach < 1)
    triad_case_error_of(c, "initial.mach", "initial.mach = %g: the Mach number of a shock must be at least 1", mach);
}

/* The mean of a force is taken out of a box that closes on itself, and noise is made of its modes. */
static void check_force(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  double range[2];
  if (!triad_case_good(c, "forcing.kind") || triad_case_is(c, "forcing.kind", "none")) return;
  for (int i = 0; i < 3; i++)
    if (triad_case_good(c, axis[i]) && !is_side(c, axis[i], 0, "periodic"))
      triad_case_error_of(c, "forcing.kind", "forcing.kind = \"%s\" requires a periodic box, but %s is not periodic",
                          triad_case_word(c, "forcing.kind"), axis[i]);
  if (triad_case_is(c, "forcing.kind", "formula") && !triad_case_given(c, "forcing.u") &&
      !triad_case_given(c, "forcing.v") && !triad_case_given(c, "forcing.w"))
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"formula\" requires a formula, such as forcing.u = \"sin(z)\"");
  if (!triad_case_good(c, "forcing.k_range")) return;
  triad_case_reals(c, "forcing.k_range", range, 2);
  if (triad_case_is(c, "forcing.kind", "ornstein-uhlenbeck") && !(range[1] > 0))
    triad_case_error_of(c, "forcing.k_range",
                        "forcing.k_range contains only the mean mode, which is not forced: widen the range");
}

/* The gas's acceleration is that of its rates, in which a force that acts between steps is not. Drag is advanced as
 * the state is: all schemes are stable to twice its response time at least. */
static void check_particles(triad_case *c)
{
  char key[64];
  const double dt = triad_case_good(c, "time.dt") ? triad_case_real(c, "time.dt") : 0;
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    (void)snprintf(key, sizeof key, "particles[%d].density_ratio", i);
    if (triad_case_good(c, key) && triad_case_real(c, key) < 1e299 && triad_case_good(c, "forcing.kind") &&
        !triad_case_is(c, "forcing.kind", "none"))
      triad_case_error_of(c, key,
                          "%s: the added mass needs the acceleration of the fluid, but a force acts between the steps "
                          "and is not included: remove forcing.kind, or use \"inf\"",
                          key);
    (void)snprintf(key, sizeof key, "particles[%d].stokes_time", i);
    const double tau = triad_case_good(c, key) ? triad_case_real(c, key) : 0;
    if (tau > 0 && dt > 2 * tau)
      triad_case_error_of(c, key,
                          "%s: time.dt = %g is more than twice %g, so that the particle drag is unstable: use a "
                          "smaller time.dt, or time.cfl instead",
                          key, dt, tau);
  }
  triad_particles_rules(c);
}

/* rho nu_t adds to the viscosity of points, which flows without viscosity do not store. */
static void check_closure(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  if (!triad_case_good(c, "closure.model") || triad_case_is(c, "closure.model", "none")) return;
  for (int i = 0; i < 3; i++)
    if (triad_case_good(c, axis[i]) && !is_side(c, axis[i], 0, "periodic"))
      triad_case_error_of(c, "closure.model", "closure.model requires a periodic box, but %s is not periodic", axis[i]);
  if (triad_case_good(c, "equations.viscosity") && !(triad_case_real(c, "equations.viscosity") > 0) &&
      !(triad_case_applies(c, "initial.re_lambda") && triad_case_good(c, "initial.re_lambda") &&
        triad_case_real(c, "initial.re_lambda") > 0))
    triad_case_error_of(c, "closure.model",
                        "closure.model requires equations.viscosity, which may be as small as 1e-10");
  triad_closure_rule(c);
}

static void rules(triad_case *c)
{
  check_particles(c);
  check_force(c);
  check_boundaries(c);
  warn_inflow(c);
  check_walls(c);
  check_central(c);
  check_compatible(c);
  check_positivity(c);
  check_closure(c);
  check_start(c);
  triad_probe_rule(c);
  triad_mean_rule_of_fields(c);
  if (triad_case_error_count(c) == 0) triad_gas_start_own(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(NULL, 2),
  {"rho", NULL, "M/L^3", "density", .field = "rho", .scale = TRIAD_SCALE_LEAST},
  {"p", NULL, "M/(L T^2)", "pressure", .field = "p", .scale = TRIAD_SCALE_LEAST},
  {"mach", NULL, "1", "Mach number |u|/c", TRIAD_GAS_MACH, "u", .scale = TRIAD_SCALE_FROM_ZERO},
  {"dilatation", NULL, TRIAD_UNIT_RATE, "dilatation div u", TRIAD_QUANTITY_DIVERGENCE, .field = "u"},
  {"schlieren", NULL, "M/L^4", "density gradient |grad rho|", TRIAD_QUANTITY_GRADIENT_NORM, "rho",
   .scale = TRIAD_SCALE_FROM_ZERO, .shown = 1},
  {0}};

#define TRIAD_GAS_KEY "equations.flux=weno equations.riemann="
static const triad_reference references[] = {
  TRIAD_CLOSURE_REFERENCES(NULL),
  {"equations.flux=weno equations.compatibility=none equations.weights=js", "JiangShu1996",
   "Jiang, Guang-Shan and Shu, Chi-Wang", "Efficient implementation of weighted {ENO} schemes",
   "Journal of Computational Physics", "126", "202--228", "1996", NULL},
  {"equations.compatibility=weno5-js-component", "JiangShu1996", "Jiang, Guang-Shan and Shu, Chi-Wang",
   "Efficient implementation of weighted {ENO} schemes", "Journal of Computational Physics", "126", "202--228", "1996",
   NULL},
  {"equations.flux=weno equations.weights=m", "Henrick2005",
   "Henrick, Andrew K. and Aslam, Tariq D. and Powers, Joseph M.",
   "Mapped weighted essentially non-oscillatory schemes: achieving optimal order near critical points",
   "Journal of Computational Physics", "207", "542--567", "2005", NULL},
  {"equations.flux=weno equations.compatibility=none equations.weights=z", "Borges2008",
   "Borges, Rafael and Carmona, Monique and Costa, Bruno and Don, Wai Sun",
   "An improved weighted essentially non-oscillatory scheme for hyperbolic conservation laws",
   "Journal of Computational Physics", "227", "3191--3211", "2008", NULL},
  {"equations.flux=weno equations.weights=teno", "Fu2016", "Fu, Lin and Hu, Xiangyu Y. and Adams, Nikolaus A.",
   "A family of high-order targeted {ENO} schemes for compressible-fluid simulations",
   "Journal of Computational Physics", "305", "333--359", "2016", NULL},
  TRIAD_GAS_FLUXES(TRIAD_GAS_REFERENCE){
    "equations.positivity=true", "Hu2013", "Hu, Xiangyu Y. and Adams, Nikolaus A. and Shu, Chi-Wang",
    "Positivity-preserving method for high-order conservative schemes solving compressible {Euler} equations",
    "Journal of Computational Physics", "242", "169--180", "2013", NULL},
  {"equations.flux=central", "Pirozzoli2010", "Pirozzoli, Sergio",
   "Generalized conservative approximations of split convective derivative operators",
   "Journal of Computational Physics", "229", "7180--7190", "2010", NULL},
  {"time.scheme=ssprk3", "ShuOsher1988", "Shu, Chi-Wang and Osher, Stanley",
   "Efficient implementation of essentially non-oscillatory shock-capturing schemes",
   "Journal of Computational Physics", "77", "439--471", "1988", NULL},
  {"time.scheme=rk2-imaginary", "KhajehSaeed2013", "Khajeh-Saeed, Ali and Perot, J. Blair",
   "Direct numerical simulation of turbulence using GPU accelerated supercomputers", "Journal of Computational Physics",
   "235", "241--257", "2013", NULL},
  {0}};

const triad_case_part triad_case_part_compressible = {.family = "compressible",
                                                      .solvers = solvers,
                                                      .keys = keys,
                                                      .rules = rules,
                                                      .quantities = quantities,
                                                      .references = references};
