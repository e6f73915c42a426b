/* The part of the case of the staggered solver: its keys, the rules between them, its quantities. */
#include "solvers/staggered/case/part.h"

#include "case/mean.h"
#include "case/rows.h"
#include "solvers/box/probe_keys.h"
#include "solvers/closure/keys.h"
#include "solvers/quantities.h"

#include <math.h>
#include <string.h>

static const char *const of_flow[] = {"x", "y", "z", "t", "u", "v", "w", NULL};

/* Cases in which solids have a stream that their coefficients may refer to. */
#define IN_STREAM \
  "solids.kind!=none boundaries.x=inflow or solids.kind!=none boundaries.y=inflow or solids.kind!=none " \
  "boundaries.z=inflow or solids.kind!=none forcing.kind=flow-rate or solids.kind!=none reference.velocity"

#define THERMAL WORDS(W("adiabatic"), W("isothermal"))
#define SIDES WORDS(W("periodic"), W("wall"), W("slip"), W("inflow"), W("outflow"))

static const triad_solver_row solvers[] = {
  {{"staggered", .about = "incompressible flow between walls and around solids, on a staggered mesh"}, NULL, "rest"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity. With 0, the flow is inviscid."},
  {"equations.temperature", FLAG, .preset = "false",
   .help = "Also compute the temperature T, which the flow carries. With equations.thermal_expansion it drives the "
           "flow by buoyancy, otherwise it is a passive scalar."},
  {"equations.diffusivity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time", .used = "equations.temperature",
   .help = "Thermal diffusivity kappa."},
  {"equations.thermal_expansion", REAL, ANY, .preset = "0", .unit = "1/temperature", .used = "equations.temperature",
   .help = "Thermal expansion coefficient beta. Buoyancy accelerates the fluid by -beta (T - T_0) g (Boussinesq "
           "approximation)."},
  {"equations.gravity", REALS(3), ANY, .preset = "0 0 -1", .unit = "length/time^2",
   .used = "equations.temperature equations.thermal_expansion", .help = "Acceleration of gravity g along x, y and z."},
  {"equations.reference_temperature", REAL, ANY, .preset = "0", .unit = "temperature", .used = "equations.temperature",
   .help = "Temperature T_0 at which there is no buoyancy. Variance and fluxes in the series are those of T - T_0."},
  {"equations.temperature_gradient", REALS(3), ANY, .preset = "0 0 0", .unit = "temperature/length",
   .used = "equations.temperature",
   .help = "Mean temperature gradient G along x, y and z, on periodic axes only. T is then the deviation from G . x, "
           "with the source -u . G."},
  {"equations.heat_source", REAL, ANY, .preset = "0", .unit = "temperature/time", .used = "equations.temperature",
   .help = "Uniform heating of the fluid, divided by its density and specific heat."},

  {"grid.stretch", REALS(3), BETWEEN(0, 10), .preset = "0 0 0",
   .help = "Stretching factor s, which clusters cells towards both ends of x, y and z: face f of n is at L/2 (1 + "
           "tanh(s (2 f/n - 1))/tanh s). With 0, cells have equal size."},

  {"boundaries.x", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help =
     "Boundary conditions at the lower and upper end along x. periodic: both ends or none. wall: no-slip wall. slip: "
     "free-slip wall. inflow: given velocity. outflow: on one axis only; its flow rate balances the inflow."},
  {"boundaries.y", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "Boundary conditions along y, as boundaries.x."},
  {"boundaries.z", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "Boundary conditions along z, as boundaries.x."},
  {"boundaries.wall_velocity", REALS(18), ANY, .preset = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", .unit = "length/time",
   .used = "boundaries.x=wall or boundaries.y=wall or boundaries.z=wall",
   .help = "Velocity of no-slip walls: three components per wall, lower and upper end along x, then y, then z. The "
           "component normal to a wall is ignored."},
  {"boundaries.wall_frequency", REAL, AT_LEAST(0), .preset = "0", .unit = "1/time", .used = "boundaries.wall_velocity",
   .help = "Frequency of oscillating walls: at time t their velocity is boundaries.wall_velocity times cos(2 pi "
           "wall_frequency t)."},
  {"boundaries.inflow", REALS(3), ANY, .preset = "1 0 0", .unit = "length/time",
   .used = "boundaries.x=inflow or boundaries.y=inflow or boundaries.z=inflow",
   .help = "Velocity of the inflow along x, y and z."},
  {"boundaries.thermal_x", TWO_WORDS, THERMAL, .preset = "adiabatic adiabatic",
   .used = "equations.temperature boundaries.x=wall|slip",
   .help = "Thermal conditions of the walls at the lower and upper end along x, no-slip or free-slip. adiabatic: no "
           "heat flux. isothermal: held at boundaries.wall_temperature. At an outflow there is no conduction."},
  {"boundaries.thermal_y", TWO_WORDS, THERMAL, .preset = "adiabatic adiabatic",
   .used = "equations.temperature boundaries.y=wall|slip",
   .help = "Thermal conditions of the walls along y, as boundaries.thermal_x."},
  {"boundaries.thermal_z", TWO_WORDS, THERMAL, .preset = "adiabatic adiabatic",
   .used = "equations.temperature boundaries.z=wall|slip",
   .help = "Thermal conditions of the walls along z, as boundaries.thermal_x."},
  {"boundaries.wall_temperature", REALS(6), ANY, .preset = "0 0 0 0 0 0", .unit = "temperature",
   .used = "equations.temperature boundaries.thermal_x=isothermal or equations.temperature "
           "boundaries.thermal_y=isothermal or equations.temperature boundaries.thermal_z=isothermal or "
           "equations.temperature boundaries.x=inflow or equations.temperature boundaries.y=inflow or "
           "equations.temperature boundaries.z=inflow",
   .help = "Temperature of isothermal walls and of inflows: lower and upper end along x, then y, then z."},

  {"solids.kind", WORD,
   WORDS(W("none"), {"boxes", .about = "the boxes of solids.boxes"},
         {"random-cubes", .about = "solids.count cubes at random positions"},
         {"file", .about = "cells where dataset solid of solids.file is not 0", .needs = "solids.file"},
         {"formula", .about = "cells at whose centre solids.formula is not 0", .needs = "solids.formula"}),
   .preset = "none", .help = "Solid bodies in the flow. Their walls are on cell faces."},
  {"solids.boxes", REAL_LIST(TRIAD_STAGGERED_BOXES *TRIAD_STAGGERED_BOX), AT_LEAST(0), .preset = "",
   .used = "solids.kind=boxes",
   .help = "Six whole numbers per box: its first cell along x, y and z, counted from 0, and its number of cells along "
           "x, y and z."},
  {"solids.file", TEXT, .preset = "", .used = "solids.kind=file",
   .help = "HDF5 file whose dataset solid (z, y, x) has one number per cell."},
  {"solids.formula", FORMULA, .preset = "", .used = "solids.kind=formula",
   .help = "With kind formula, an expression that is not 0 in solids, such as (x - 1)^2 + (y - 1)^2 < 0.25."},
  {"solids.count", INTEGER, BETWEEN(1, 100000), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Number of random cubes."},
  {"solids.side", INTEGER, BETWEEN(1, 1048576), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Side of a random cube, in cells."},
  {"solids.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Seed of the positions of random cubes. A seed gives the same positions on any number of ranks."},
  {"solids.overlap", FLAG, .preset = "false", .used = "solids.kind=random-cubes",
   .help = "Allow random cubes to overlap."},
  {"solids.release", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "solids.kind!=none",
   .help = "Time at which the solids are removed. Their cells then contain fluid at rest. With 0, the solids remain."},
  {"solids.thermal", WORD, THERMAL, .preset = "adiabatic", .used = "equations.temperature solids.kind!=none",
   .help = "Thermal condition on the faces of solids. adiabatic: no heat flux. isothermal: held at "
           "solids.temperature."},
  {"solids.temperature", REAL, ANY, .preset = "0", .unit = "temperature",
   .used = "equations.temperature solids.kind!=none",
   .help = "Temperature of isothermal solids, and of the fluid that replaces solids of either kind at solids.release."},

  {"reference.area", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2", .used = IN_STREAM,
   .help = "Reference area of the force coefficients of the solids. With 0, the area of the solids seen along the axis "
           "closest to the stream."},
  {"reference.length", REAL, AT_LEAST(0), .preset = "0", .unit = "length", .used = IN_STREAM,
   .help = "Reference length of moment coefficients and of the Strouhal number. With 0, the extent of the solids along "
           "reference.up."},
  {"reference.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time", .used = "solids.kind!=none",
   .help = "Velocity of the stream that force coefficients of the solids refer to. With 0 0 0, that of the inflow, or "
           "the mean velocity of forcing.kind \"flow-rate\"; without these there are no coefficients."},
  {"reference.centre", REAL_LIST(3), ANY, .preset = "", .unit = "length", .used = IN_STREAM,
   .help = "Reference point of moments, 3 numbers. Empty: the middle of the smallest box around the solids."},
  {"reference.up", WORD, WORDS(W("auto"), W("y"), W("z")), .preset = "auto", .used = IN_STREAM,
   .help = "Direction of lift in a stream along x. auto is y in two dimensions, otherwise z."},

  {"solver.pressure", WORD,
   WORDS(W("auto"), {"cg", .about = "conjugate gradients"},
         {"pcg-polynomial", .about = "conjugate gradients, preconditioned by a polynomial of the matrix"},
         {"pcg-transform", .about = "conjugate gradients, preconditioned by transform for the box without solids"},
         {"transform", .about = "direct solve: Fourier transforms along uniform axes, and a tridiagonal solve along "
                                "one axis with walls, which may be stretched"}),
   .preset = "auto",
   .help = "Solver of the pressure equation. auto: transform where possible, pcg-transform with solids, otherwise "
           "pcg-polynomial. On GPUs transform is not available between walls along x or along two axes: there "
           "parallel.device = \"gpu\" uses the polynomial, and \"auto\" uses the CPU."},
  {"solver.diffusion", WORD,
   WORDS(W("auto"), {"explicit", .about = "in the stages of the scheme; limits the time step"},
         {"implicit", .about = "trapezoidal rule in each stage"}),
   .preset = "auto", .used = "equations.viscosity or equations.temperature equations.diffusivity",
   .help = "Time integration of diffusion, of momentum and of heat. auto: explicit, or implicit if time.dt or "
           "time.dt_max exceeds the explicit limit."},
  {"solver.tolerance", REAL, BETWEEN(0, 0.1), .above_min = 1, .preset = "1e-8",
   .help = "Relative tolerance of the pressure equation and of implicit diffusion: the residual is at most this times "
           "the right-hand side. In single precision the default is 2e-6."},

  {"solver.overlap", WORD,
   WORDS({"auto", .about = "if it reduces the time"}, {"on", .about = "if there are enough planes"}, W("off")),
   .preset = "auto",
   .help =
     "Overlap computation and communication in solver iterations on several ranks. Use it for measurements; results "
     "change by rounding only. With off, GPUs exchange messages even where they could store into each other's memory."},

  {"initial.kind", WORD, .word_at = triad_staggered_start_word, .example = "rest", .help = "Initial condition."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .used = "initial.kind=taylor-green|taylor-green-2d|poiseuille|random|channel",
   .help = "Velocity amplitude of taylor-green, taylor-green-2d and poiseuille. For random, the rms of one component; "
           "for channel, the mean velocity."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "initial.kind=taylor-green|taylor-green-2d",
   .help = "Periods of taylor-green and taylor-green-2d along each side of the box."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "initial.kind=random",
   .help = "Seed of random. A seed gives the same field on any number of ranks."},
  {"initial.u", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along x, at faces normal to x. Empty means 0."},
  {"initial.v", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along y, at faces normal to y. Empty means 0."},
  {"initial.w", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along z, at faces normal to z. Empty means 0."},
  {"initial.temperature", FORMULA, .preset = "", .unit = "temperature",
   .used = "equations.temperature initial.kind!=checkpoint",
   .help = "Initial temperature, with any kind. Empty means equations.reference_temperature, or with kind file the "
           "field temperature of the file."},
  {"initial.velocity", REALS(3), ANY, .preset = "1 0 0", .unit = "length/time", .used = "initial.kind=uniform",
   .help = "Velocity of uniform along x, y and z."},

  {"forcing.kind", WORD,
   WORDS(W("none"), {"pressure-gradient", .about = "a constant acceleration"},
         {"flow-rate", .about = "the acceleration that maintains the mean velocity"},
         {"stirring", .about = "random pushes, then a return to rest and to the initial position"},
         {"formula", .about = "formulas of x, y, z, t and the velocity, on CPUs only"}),
   .preset = "none", .help = "Acceleration of the fluid. It is uniform in space, except for formula."},
  {"forcing.u", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along x, at faces normal to x. The other velocity components are "
           "averages of the four nearest faces."},
  {"forcing.v", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along y, at faces normal to y."},
  {"forcing.w", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along z, at faces normal to z."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .used = "forcing.kind=pressure-gradient|flow-rate|stirring",
   .help = "Acceleration of pressure-gradient and stirring. For flow-rate, the mean velocity along forcing.direction."},
  {"forcing.direction", REALS(3), ANY, .preset = "1 0 0", .used = "forcing.kind=pressure-gradient|flow-rate",
   .help = "Direction of pressure-gradient and flow-rate."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "forcing.kind=stirring",
   .help = "Seed of the directions of stirring."},
  {"forcing.interval", REAL, ABOVE(0), .preset = "0.3", .unit = "time", .lasting = 1, .used = "forcing.kind=stirring",
   .help = "Time between changes of the stirring direction."},
  {"forcing.pushes", INTEGER, BETWEEN(0, 1000000), .preset = "17", .used = "forcing.kind=stirring",
   .help = "Number of directions of stirring."},
  {"forcing.restore", REAL, AT_LEAST(0), .preset = "1.9", .unit = "time", .used = "forcing.kind=stirring",
   .help = "Time after the last push in which the mean velocity and displacement return to 0. With 0, they are left "
           "unchanged."},

  TRIAD_CLOSURE_KEYS(NULL, TRIAD_CLOSURE_POINT_WORDS,
                     "Subgrid model of a large-eddy simulation, on CPUs. It excludes solids and equations.temperature.",
                     "it is that of each cell: the sizes along the axes, and their geometric mean."),

  {"profiles.every", INTEGER, BETWEEN(0, 1000000), .preset = "0",
   .help = "Steps between samples of the mean and stress profiles, profiles.csv, for walls across one axis. Profiles "
           "are written every output.spectra_interval. With 0, there are none."},
  {"profiles.start", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "profiles.every",
   .help = "Time at which sampling for the profiles starts."},

  {"strain.rates", REALS(3), ANY, .preset = "0 0 0", .unit = "1/time",
   .help = "Rates S along x, y and z of a mean flow U_i = S_i x_i, with sum 0. The box deforms with the mean flow, and "
           "the velocity is that relative to it."},
  {"strain.start", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "strain.rates",
   .help = "Time at which the strain starts."},
  {"strain.end", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "strain.rates",
   .help = "Time at which the strain ends. The lengths of the box are then grid.length times exp(S (end - start))."},

  {"output.faces", FLAG, .preset = "false",
   .help = "Also write the velocities on the lower faces of cells to field files."},

  TRIAD_PROBE_KEYS("Velocities are interpolated from faces and pressure from cell centres, by cubic polynomials "
                   "through four points per axis, including the walls. Near solids interpolation is linear, to 0 on "
                   "their faces; pressure in solids is left empty."),
  {"output.means", TEXT_LIST(TRIAD_MEANS), .preset = "",
   .help = "Running means over time with standard errors, in means.h5. All series columns are included. Shell spectra, "
           "in a periodic uniform box without solids: \"spectra\". Velocity, pressure, du/dx, dv/dy and dw/dz in fluid "
           "cells, weighted by volume: \"moments\" (up to four) and \"pdfs\". Means and covariances over fluid in "
           "planes: \"profiles z\" (or x, y). With [], there are no means."},
  TRIAD_MEAN_TIME_KEYS,

  {"time.scheme", WORD, WORDS({"rk2-imaginary", .about = "three stages, stable up to a Courant number of 2"}),
   .preset = "rk2-imaginary", .help = "Runge-Kutta scheme."},

  {"parallel.blocks", INTEGERS(3), BETWEEN(0, 1048576), .preset = "0 0 0",
   .help = "Number of blocks along x, y and z into which the grid is divided, one block per rank. A 0 is replaced by "
           "the number that minimises computation and communication."},
  {0}};

static const char *const boundary[] = {"boundaries.x", "boundaries.y", "boundaries.z"};

static int is_side(const triad_case *c, int axis, int upper, const char *word)
{
  return triad_case_good(c, boundary[axis]) && strcmp(triad_case_word_of_pair(c, boundary[axis], upper), word) == 0;
}

/* What comes in must go out: through an outflow, along one axis, or by the other end's inflow. */
static void check_way_out(triad_case *c)
{
  double velocity[3];
  int out[3];
  for (int i = 0; i < 3; i++) out[i] = is_side(c, i, 0, "outflow") || is_side(c, i, 1, "outflow");
  if (out[0] + out[1] + out[2] > 1)
    triad_case_error_of(c, boundary[out[2] ? 2 : 1],
                        "%s: \"outflow\" is allowed on one axis only: use \"slip\" or \"wall\" here",
                        boundary[out[2] ? 2 : 1]);
  if (out[0] + out[1] + out[2] > 0 || !triad_case_good(c, "boundaries.inflow")) return;
  triad_case_reals(c, "boundaries.inflow", velocity, 3);
  for (int i = 0; i < 3; i++)
    if (is_side(c, i, 0, "inflow") != is_side(c, i, 1, "inflow") && fabs(velocity[i]) > 0)
      triad_case_error_of(c, boundary[i], "%s: the inflow has no outlet: set another end to \"outflow\"", boundary[i]);
}

/* What is called an inflow should come in; with one at the other end as well it may be the one through which it
 * leaves. */
static void warn_inflow(triad_case *c)
{
  double velocity[3];
  if (!triad_case_good(c, "boundaries.inflow")) return;
  triad_case_reals(c, "boundaries.inflow", velocity, 3);
  for (int i = 0; i < 3; i++) {
    const int lower = is_side(c, i, 0, "inflow"), upper = is_side(c, i, 1, "inflow");
    const int enters = lower && upper ? fabs(velocity[i]) > 0 : lower ? velocity[i] > 0 : velocity[i] < 0;
    if ((lower || upper) && !enters)
      triad_case_warn_of(c, boundary[i],
                         "%s: nothing enters through the \"inflow\" at the %s end, because boundaries.inflow has %c = "
                         "%g: reverse the velocity, or use another boundary",
                         boundary[i], lower ? "lower" : "upper", "uvw"[i], velocity[i]);
  }
}

static void check_boundaries(triad_case *c)
{
  warn_inflow(c);
  for (int i = 0; i < 3; i++)
    if (is_side(c, i, 0, "periodic") != is_side(c, i, 1, "periodic"))
      triad_case_error_of(c, boundary[i], "%s: \"periodic\" must be set at both ends or at none", boundary[i]);
  check_way_out(c);
}

/* A direction, a point, and boxes that are whole. */
static void check_lists(triad_case *c)
{
  double direction[3];
  const int given = triad_case_good(c, "reference.centre") ? triad_case_length(c, "reference.centre") : 0;
  if (given != 0 && given != 3)
    triad_case_error_of(c, "reference.centre", "reference.centre has %d numbers, but a point requires three", given);
  int n = triad_case_good(c, "solids.boxes") ? triad_case_length(c, "solids.boxes") : 0;
  if (n % TRIAD_STAGGERED_BOX)
    triad_case_error_of(c, "solids.boxes", "solids.boxes has %d numbers, but each box requires six", n);
  if (triad_case_good(c, "solids.kind") && triad_case_is(c, "solids.kind", "boxes") && n == 0)
    triad_case_error_of(c, "solids.kind", "solids.kind = \"boxes\" requires solids.boxes");
  if (!triad_case_good(c, "forcing.direction") || !triad_case_good(c, "forcing.kind")) return;
  triad_case_reals(c, "forcing.direction", direction, 3);
  int none = !(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2] > 0);
  if (none && (triad_case_is(c, "forcing.kind", "pressure-gradient") || triad_case_is(c, "forcing.kind", "flow-rate")))
    triad_case_error_of(c, "forcing.direction",
                        "forcing.direction = [0, 0, 0] is not a direction: give a vector that is not 0");
}

static int has_temperature(const triad_case *c)
{
  return triad_case_good(c, "equations.temperature") && triad_case_flag(c, "equations.temperature");
}

/* A strain keeps the volume, and what is in the box goes with it. */
static void check_strain(triad_case *c)
{
  double rate[3], most = 0;
  if (!triad_case_good(c, "strain.rates") || !triad_case_good(c, "strain.start") || !triad_case_good(c, "strain.end"))
    return;
  triad_case_reals(c, "strain.rates", rate, 3);
  for (int i = 0; i < 3; i++) most = fmax(most, fabs(rate[i]));
  if (!(most > 0)) return;
  if (fabs(rate[0] + rate[1] + rate[2]) > 1e-12 * most)
    triad_case_error_of(c, "strain.rates", "strain.rates = [%g, %g, %g] changes the volume: their sum must be 0",
                        rate[0], rate[1], rate[2]);
  double start = triad_case_real(c, "strain.start"), end = triad_case_real(c, "strain.end");
  if (!(end > start))
    triad_case_error_of(c, "strain.end", "strain.end = %g must be later than strain.start = %g", end, start);
  for (int i = 0; i < 3; i++)
    if (triad_case_good(c, boundary[i]) && !is_side(c, i, 0, "periodic"))
      triad_case_error_of(c, boundary[i],
                          "%s: strain requires periodic boundaries, because the box deforms with the mean flow",
                          boundary[i]);
  if (!triad_case_good(c, "solids.kind") || !triad_case_good(c, "solids.release")) return;
  double release = triad_case_real(c, "solids.release");
  if (!triad_case_is(c, "solids.kind", "none") && !(release > 0 && release <= start))
    triad_case_error_of(c, "solids.kind",
                        "solids cannot be strained: set solids.release above 0 and at most strain.start = %g", start);
  if (triad_case_good(c, "solver.diffusion") && triad_case_is(c, "solver.diffusion", "implicit"))
    triad_case_error_of(c, "solver.diffusion",
                        "solver.diffusion = \"implicit\" is not available with strain: use \"explicit\"");
  if (has_temperature(c))
    triad_case_error_of(c, "equations.temperature",
                        "equations.temperature is not available with strain.rates: remove one of them");
}

/* A slice of what the flow does not have. */
static void check_slices(triad_case *c)
{
  const char *text[TRIAD_SLICES];
  char why[200];
  triad_slice slice;
  if (!triad_case_good(c, "output.slices") || has_temperature(c)) return;
  const int n = triad_case_texts(c, "output.slices", text, TRIAD_SLICES);
  for (int i = 0; i < n; i++) {
    if (!triad_slice_read(text[i], "staggered", NULL, &slice, why, sizeof why)) continue; /* has been reported */
    for (int q = 0; q < slice.n; q++)
      if (strcmp(slice.quantity[q].name, "temperature") == 0)
        triad_case_error_of_value(c, "output.slices", i,
                                  "output.slices: value %d of %d shows the temperature, which requires "
                                  "equations.temperature = true",
                                  i + 1, n);
  }
}

/* The mean gradient of the temperature continues across the ends of its axis. */
static void check_temperature(triad_case *c)
{
  double gradient[3];
  if (!has_temperature(c) || !triad_case_good(c, "equations.temperature_gradient")) return;
  triad_case_reals(c, "equations.temperature_gradient", gradient, 3);
  for (int i = 0; i < 3; i++)
    if (fabs(gradient[i]) > 0 && triad_case_good(c, boundary[i]) && !is_side(c, i, 0, "periodic"))
      triad_case_error_of(c, "equations.temperature_gradient",
                          "equations.temperature_gradient has a component along %c, where the box is not periodic: "
                          "set it to 0, and give the temperature of walls in boundaries.wall_temperature",
                          "xyz"[i]);
}

/* Profiles are of the one axis that has ends. */
static void check_profiles(triad_case *c)
{
  int ends = 0;
  if (!triad_case_good(c, "profiles.every") || triad_case_integer(c, "profiles.every") == 0) return;
  for (int i = 0; i < 3; i++) ends += triad_case_good(c, boundary[i]) && !is_side(c, i, 0, "periodic");
  if (ends != 1)
    triad_case_error_of(
      c, "profiles.every",
      "profiles.every requires a flow that is periodic along two axes and not along the third: remove it");
}

/* The subgrid stress acts between cells of fluid, on the velocity alone, in a box at rest: flows that need more are
 * refused. */
static void check_closure(triad_case *c)
{
  if (!triad_case_good(c, "closure.model") || triad_case_is(c, "closure.model", "none")) return;
  if (has_temperature(c))
    triad_case_error_of(c, "closure.model",
                        "closure.model has no subgrid heat flux in this solver: remove equations.temperature, or use "
                        "solver boussinesq");
  if (triad_case_good(c, "solids.kind") && !triad_case_is(c, "solids.kind", "none"))
    triad_case_error_of(c, "closure.model", "closure.model cannot be used with solids: remove solids.kind");
  double rates[3] = {0, 0, 0};
  if (triad_case_good(c, "strain.rates")) triad_case_reals(c, "strain.rates", rates, 3);
  if (fabs(rates[0]) + fabs(rates[1]) + fabs(rates[2]) > 0)
    triad_case_error_of(c, "closure.model",
                        "closure.model does not include the mean strain: remove strain.rates, or closure.model");
}

static void check_force(triad_case *c)
{
  if (triad_case_good(c, "forcing.kind") && triad_case_is(c, "forcing.kind", "formula") &&
      !triad_case_given(c, "forcing.u") && !triad_case_given(c, "forcing.v") && !triad_case_given(c, "forcing.w"))
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"formula\" requires a formula, such as forcing.u = \"sin(z)\"");
}

static void rules(triad_case *c)
{
  triad_probe_rule(c);
  triad_mean_rule_of_fields(c);
  check_force(c);
  check_profiles(c);
  check_strain(c);
  check_temperature(c);
  check_closure(c);
  triad_closure_rule(c);
  check_slices(c);
  check_boundaries(c);
  check_lists(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(NULL, 1),
  {"p", NULL, "M/(L T^2)", "pressure", .field = "p", .scale = TRIAD_SCALE_LEAST},
  {"temperature", NULL, "K", "temperature", .field = "temperature", .scale = TRIAD_SCALE_LEAST},
  {0}};

static const triad_reference references[] = {
  TRIAD_CLOSURE_REFERENCES(NULL),
  {NULL, "HarlowWelch1965", "Harlow, Francis H. and Welch, J. Eddie",
   "Numerical calculation of time-dependent viscous incompressible flow of fluid with free surface",
   "Physics of Fluids", "8", "2182--2189", "1965", NULL},
  {NULL, "KhajehSaeed2013", "Khajeh-Saeed, Ali and Perot, J. Blair",
   "Direct numerical simulation of turbulence using GPU accelerated supercomputers", "Journal of Computational Physics",
   "235", "241--257", "2013", NULL},
  {0}};

const triad_case_part triad_case_part_staggered = {.family = "staggered",
                                                   .solvers = solvers,
                                                   .keys = keys,
                                                   .rules = rules,
                                                   .quantities = quantities,
                                                   .references = references};
