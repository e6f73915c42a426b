/* The part of the case of the multi-block solver: its keys and the rules between them. */
#include "solvers/multiblock/case/keys.h"
#include "solvers/multiblock/case/part.h"
#include "blocks/make/shapes.h"
#include "solvers/gas/keys.h"
#include "solvers/multiblock/points/kinds.h"

#include "case/case.h"
#include "case/case_tune.h"
#include "case/rows.h"
#include "case/slice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Kinds of grids: those made by a formula, and files. */
static const triad_word *grid_word(int i)
{
  static const triad_word file = {"file", NULL, "PLOT3D nodes, or CGNS", "grid.file"};
  return i == 0 ? &file : triad_blocks_shape_word(i - 1);
}

#define LIMITER(kind, word, meaning) {.name = (word), .about = (meaning)},
const triad_word *triad_multiblock_limiter_word(int i)
{
  static const triad_word words[] = {TRIAD_MULTIBLOCK_LIMITER_ROWS(LIMITER)};
  return i < TRIAD_MULTIBLOCK_LIMITERS ? &words[i] : NULL;
}
#undef LIMITER

static const triad_solver_row solvers[] = {
  {{"multiblock", .about = "compressible flow on curvilinear multiblock grids"}, NULL, "stream"}, {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.model", WORD, WORDS(W("euler"), W("laminar")), .preset = "euler",
   .help = "Equations of motion. euler: inviscid. laminar: with viscosity and heat conduction."},
  {"equations.riemann", WORD, .word_at = triad_gas_flux_word, .preset = "roe",
   .help = "Flux at the face between two cells."},
  {"equations.limiter", WORD, .word_at = triad_multiblock_limiter_word, .preset = "van-albada",
   .used = "equations.order=2", .help = "Slope limiter."},
  {"equations.kappa", REAL, BETWEEN(-1, 1), .preset = "1/3", .used = "equations.limiter=none equations.order=2",
   .help = "Kappa parameter of the unlimited reconstruction: -1 upwind, 0 central, 1/3 third order. The limiters are "
           "symmetric, so that kappa has no effect with a limiter."},
  {"equations.order", INTEGER, BETWEEN(1, 2), .preset = "2",
   .help = "Order of the reconstruction. 1: constant in each cell; 2: linear."},
  {"equations.gamma", REAL, BETWEEN(1, 10), .above_min = 1, .preset = "1.4", .help = "Ratio of specific heats."},
  {"equations.gas_constant", REAL, ABOVE(0), .preset = "287", .unit = "energy/(mass temperature)",
   .help = "Gas constant R in p = rho R T."},
  {"equations.prandtl", REAL, ABOVE(0), .preset = "0.72", .used = "equations.model=laminar", .help = "Prandtl number."},
  {"equations.viscosity_law", WORD, WORDS(W("sutherland"), W("power"), W("constant")), .preset = "sutherland",
   .used = "equations.model=laminar", .help = "Dependence of the viscosity on temperature."},
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "1.716e-5", .unit = "mass/(length time)",
   .used = "equations.model=laminar", .help = "Dynamic viscosity at equations.viscosity_temperature."},
  {"equations.viscosity_temperature", REAL, ABOVE(0), .preset = "273.15", .unit = "temperature",
   .used = "equations.model=laminar equations.viscosity_law=sutherland|power",
   .help = "Temperature at which the viscosity is equations.viscosity."},
  {"equations.viscosity_power", REAL, ANY, .preset = "0.76",
   .used = "equations.model=laminar equations.viscosity_law=power", .help = "Exponent of viscosity_law \"power\"."},
  {"equations.sutherland", REAL, ABOVE(0), .preset = "110.4", .unit = "temperature",
   .used = "equations.model=laminar equations.viscosity_law=sutherland", .help = "Temperature in Sutherland's law."},

  {"grid.kind", WORD, .word_at = grid_word, .preset = "box",
   .help = "Source of the grid: a file, or a built-in generator."},
  {"grid.file", TEXT, .preset = "",
   .help =
     "PLOT3D file of nodes with one or more blocks: formatted, unformatted or C binary, also packed by gzip; or a CGNS "
     "file of structured zones. A CGNS file also gives patches (families, otherwise boundary conditions), connections "
     "and periodicity. A relative "
     "path starts at the folder of the case file. If it is given, grid.kind is \"file\"."},
  {"grid.map", TEXT, .preset = "",
   .help = "Neutral map file (.nmf) with the names of block faces, which boundaries.patches matches without regard to "
           "case. Without it the names are 1.imin, 1.imax, 1.jmin and so on. In both cases blocks are connected where "
           "their nodes coincide."},
  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .preset = "64 64 1", .used = "grid.kind!=file",
   .help = "Number of cells along i, j and k of a generated grid. With one cell along k the flow is two-dimensional."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "1 1 1", .unit = "length", .used = "grid.kind!=file",
   .help = "Lengths of a generated grid. box: its sides. wedge: ramp length along x, height, span. Other kinds: the "
           "span only, as third number."},
  {"grid.origin", REALS(3), ANY, .preset = "0 0 0", .unit = "length", .used = "grid.kind=box",
   .help = "Lower corner of a box."},
  {"grid.angle", REAL, BETWEEN(-80, 80), .preset = "10", .unit = "degree", .used = "grid.kind=wedge",
   .help = "Angle of a wedge, negative for an expansion corner."},
  {"grid.upstream", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length", .used = "grid.kind=wedge",
   .help = "Length of the flat plate upstream of a wedge."},
  {"grid.radii", REALS(2), ABOVE(0), .rising = 1, .preset = "2 3", .unit = "length", .used = "grid.kind=annulus",
   .help = "Inner and outer radius of an annulus."},
  {"grid.angles", REALS(2), BETWEEN(-360, 360), .rising = 1, .preset = "0 90", .unit = "degree",
   .used = "grid.kind=annulus", .help = "Angles that bound an annulus. Its inflow is at the second."},
  {"grid.section", TEXT, .preset = "0012", .used = "grid.kind=aerofoil|aerofoil-c",
   .help = "Aerofoil section: four digits of the NACA series, with a sharp trailing edge."},
  {"grid.far", REAL, ABOVE(1), .preset = "50", .unit = "length", .used = "grid.kind=aerofoil|aerofoil-c|wing",
   .help = "Distance of the far field from an aerofoil, in chords, or from a wing, in root chords."},
  {"grid.stretch", REAL, BETWEEN(0, 20), .preset = "0", .used = "grid.kind!=file|annulus|inlet",
   .help = "Stretching factor s, which clusters cells towards the wall. For an aerofoil the distance from the wall is "
           "(exp(s j/n) - 1)/(exp(s) - 1) of the logarithm of the radius. For a C-grid, wedge or box this applies to "
           "the distance itself. With 0, the spacing is uniform."},
  {"grid.smooth", REAL, BETWEEN(-0.1, 0.1), .preset = "0", .used = "grid.kind=box|annulus",
   .help =
     "Amplitude of a smooth displacement of the nodes of a box or annulus, a product of sines, relative to the sides."},
  {"grid.random", REAL, BETWEEN(0, 0.4), .preset = "0", .used = "grid.kind!=file",
   .help = "Maximum random displacement of inner nodes, as a fraction of a cell."},
  {"grid.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "grid.kind!=file grid.random",
   .help = "Seed of grid.random."},
  {"grid.blocks", INTEGERS(3), BETWEEN(1, 1024), .preset = "1 1 1", .used = "grid.kind!=file",
   .help = "Number of blocks along i, j and k into which a generated grid is divided. Four along i of a C-grid are the "
           "lower wake, lower side, upper side and upper wake."},
  {"grid.turned", FLAG, .preset = "false", .used = "grid.kind!=file",
   .help = "Rotate the index axes of each block. This changes results by rounding only; it is for tests."},
  {"grid.period", REALS(3), AT_LEAST(0), .preset = "0 0 0", .unit = "length",
   .help = "Translation vector of periodic patches: faces that coincide after a shift by one of its components are "
           "connected. With 0, there is none."},

  {"boundaries.patches", TEXT_LIST(TRIAD_MULTIBLOCK_PATCH_TEXTS), .preset = "",
   .help =
     "Boundary conditions of patches: \"wing + tip: slip\", \"far: farfield, mach=0.8, pressure=1e5, "
     "temperature=300, alpha=2\". Kinds: slip, symmetry, exact, supersonic-outflow; wall (temperature=, u=, v=, "
     "w=); farfield, supersonic-inflow, subsonic-inflow (mach=, pressure=, temperature=, alpha=, beta=); "
     "subsonic-outflow (pressure=); total (pressure=, temperature=). A name counts before *, which means all patches "
     "that no text names, wherever it is in the list."},

  {"solution.kind", WORD, .word_at = triad_multiblock_exact_word, .preset = "none",
   .help = "Exact solution of the flow, for exact patches, for initial.kind \"solution\" and for error columns."},
  {"solution.mach", REAL, ABOVE(0), .preset = "2",
   .used = "solution.kind=uniform|supersonic-vortex|oblique-shock|fan|isentropic-vortex",
   .help = "Mach number of the solution."},
  {"solution.angle", REAL, BETWEEN(-180, 180), .preset = "0", .unit = "degree",
   .used = "solution.kind=uniform|oblique-shock|fan|isentropic-vortex",
   .help = "Flow direction of the solution, or the angle by which it turns."},
  {"solution.pressure", REAL, ABOVE(0), .preset = "1e5", .unit = "pressure",
   .used = "solution.kind=uniform|oblique-shock|fan", .help = "Pressure of the undisturbed flow of the solution."},
  {"solution.temperature", REAL, ABOVE(0), .preset = "300", .unit = "temperature",
   .used = "solution.kind=uniform|oblique-shock|fan", .help = "Temperature of the undisturbed flow of the solution."},
  {"solution.radius", REAL, ABOVE(0), .preset = "1", .unit = "length",
   .used = "solution.kind=supersonic-vortex|isentropic-vortex", .help = "Radius of the vortex in the solution."},
  {"solution.strength", REAL, ANY, .preset = "5", .used = "solution.kind=isentropic-vortex",
   .help = "Strength of the isentropic vortex."},

  {"reference.area", REAL, ABOVE(0), .preset = "1", .unit = "length^2",
   .help = "Reference area of force coefficients."},
  {"reference.length", REAL, ABOVE(0), .preset = "1", .unit = "length",
   .help = "Reference length of moment coefficients and of the Strouhal number."},
  {"reference.density", REAL, AT_LEAST(0), .preset = "0", .unit = "mass/length^3",
   .help = "Reference density of coefficients. With 0, that of the first stream that a patch has."},
  {"reference.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .help = "Reference velocity of coefficients, whose direction is that of drag. With 0 0 0, that of the first stream "
           "that a patch has."},
  {"reference.centre", REALS(3), ANY, .preset = "0.25 0 0", .unit = "length", .help = "Reference point of moments."},

  {"reference.up", WORD, WORDS(W("auto"), W("y"), W("z")), .preset = "auto",
   .help =
     "Direction of lift at alpha = 0, towards which alpha turns the flow. auto is y in two dimensions, otherwise z."},

  {"initial.kind", WORD,
   WORDS({"stream", .about = "state of the first patch with a stream, everywhere"},
         {"solution", .about = "state of solution.kind"},
         {"checkpoint", NULL, "the state of a checkpoint", "initial.file"},
         {"coarser", .about = "from fields/blocks-<step>.h5 of a run with the same blocks on a coarser or finer grid",
          .needs = "initial.file"}),
   .preset = "stream", .help = "Initial condition."},
  {"initial.perturbation", REAL, AT_LEAST(0), .preset = "0", .used = "initial.kind!=checkpoint|coarser",
   .help = "Relative size of random perturbations: each initial value is multiplied by 1 plus a random number up to "
           "this size."},

  TRIAD_GAS_FORCE_KEYS,

  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "",
   .help = "Layers of cells written as HDF5 and PNG, each with the quantities to show: \"k=1\" is the first layer "
           "along k of every block, \"3.j=20: mach, p\" a layer of the third block. Pictures show cells at their "
           "positions, seen along the axis of least extent. \"auto\" is \"k=1\"."},
  {"output.window", REALS(4), ANY, .preset = "0 0 0 0", .unit = "length", .used = "output.slices",
   .help = "Window of slice pictures: left, right, lower and upper end. With 0 0 0 0, the whole slice is shown."},
  {"output.cgns", FLAG, .preset = "false",
   .help = "Also write fields as CGNS, with nodes, connections and patches: fields/blocks-<step>.cgns. In a build "
           "without the CGNS library the run ends with exit code 69."},

  {"time.steady", FLAG, .preset = "false",
   .help = "Compute a steady flow with local time steps. Time t and all intervals then count steps. The run ends at "
           "time.residual, or after time.max_steps."},
  {"time.local", FLAG, .preset = "true", .used = "time.steady",
   .help = "Use the largest stable step of each cell in a steady flow. With false all cells use the same step."},
  {"time.end", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Final time: the run ends when t reaches it. Required unless time.steady is true."},
  {"time.scheme", WORD, .word_at = triad_multiblock_scheme_word, .preset = "rk2",
   .help = "Runge-Kutta scheme. rk1 to rk5 are the schemes of Jameson, at most second order in time."},
  {"time.first_order", REAL, BETWEEN(0, 1), .preset = "0", .used = "time.steady",
   .help =
     "Use first-order reconstruction until the mass residual has fallen to this fraction of its first value, for "
     "initial conditions far from the steady flow. With 0, second-order reconstruction is used from the first step."},
  {"time.limiter_freeze", REAL, BETWEEN(0, 1), .preset = "0", .used = "time.steady",
   .help = "Freeze the limiters once the mass residual has fallen to this fraction of its first value, so that the "
           "residual can decrease further. Each cell keeps its limiter values from then on. With 0, they are never "
           "frozen."},
  {"time.sweeps", INTEGER, BETWEEN(0, 100), .preset = "12", .used = "time.scheme=implicit",
   .help = "Number of sweeps per implicit step. With 12 sweeps time.cfl may be about 10."},
  {"time.residual", REAL, AT_LEAST(0), .preset = "1e-10", .used = "time.steady",
   .help =
     "Convergence criterion: a steady run ends when every residual has fallen to this fraction of its first value. If "
     "time.max_steps is reached first, it ends with a warning and exit code 75. With 0, it runs all steps."},

  {"parallel.pieces", INTEGER, BETWEEN(0, 1048576), .preset = "0",
   .help = "Minimum number of pieces per block. Pieces are at least two cells thick. With 0, blocks are divided as the "
           "number of ranks requires."},
  {"parallel.cut", WORD,
   WORDS({"auto", .about = "the axes that minimise computation and communication"}, W("i"), W("j"), W("k")),
   .preset = "auto",
   .help = "Axis along which blocks are divided among ranks, for grids from files too. With i, j or k, blocks are "
           "divided along that axis only, and fewer ranks can be used."},
  {0}};

static void check_window(triad_case *c)
{
  double w[4];
  if (!triad_case_good(c, "output.window")) return;
  triad_case_reals(c, "output.window", w, 4);
  const int none = fabs(w[0]) + fabs(w[1]) + fabs(w[2]) + fabs(w[3]) <= 0;
  if (!none && !(w[1] > w[0] && w[3] > w[2]))
    triad_case_error_of(c, "output.window",
                        "output.window requires left and right, then lower and upper end, as in [-1, 2, -1, 1]");
}

/* A file is a grid by itself; nothing that names one is passed over. */
static void check_grid(triad_case *c)
{
  if (!triad_case_good(c, "grid.kind") || !triad_case_good(c, "grid.file") || !triad_case_good(c, "grid.map")) return;
  const int file = *triad_case_word(c, "grid.file") != '\0', map = *triad_case_word(c, "grid.map") != '\0';
  if (file && !triad_case_given(c, "grid.kind")) (void)triad_case_tune(c, "grid.kind", "file", "grid.file");
  if (triad_case_is(c, "grid.kind", "file")) return;
  if (file)
    triad_case_error_of(c, "grid.file", "grid.file requires grid.kind = \"file\", not \"%s\": remove one of them",
                        triad_case_word(c, "grid.kind"));
  if (map)
    triad_case_error_of(c, "grid.map",
                        "grid.map requires a grid.file, but grid.kind is \"%s\": remove grid.map, or use kind \"file\"",
                        triad_case_word(c, "grid.kind"));
}

/* Manufactured solutions have sources of their own. */
static void check_force(triad_case *c)
{
  triad_gas_force_rules(c, triad_case_good(c, "time.steady") && triad_case_flag(c, "time.steady"));
  if (!triad_case_good(c, "forcing.kind") || !triad_case_good(c, "solution.kind")) return;
  if (triad_case_is(c, "forcing.kind", "formula") &&
      strncmp(triad_case_word(c, "solution.kind"), "manufactured", strlen("manufactured")) == 0)
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"formula\" cannot be combined with solution.kind = \"%s\", which has its own "
                        "sources: remove one of them",
                        triad_case_word(c, "solution.kind"));
}

/* A steady run counts steps: its end is its last step. */
static void rules(triad_case *c)
{
  char text[32];
  check_window(c);
  check_grid(c);
  check_force(c);
  if (!triad_case_good(c, "time.steady") || !triad_case_good(c, "time.max_steps") || !triad_case_good(c, "time.end"))
    return;
  int64_t steps = triad_case_integer(c, "time.max_steps");
  if (!triad_case_flag(c, "time.steady")) {
    if (triad_case_good(c, "time.scheme") && triad_case_is(c, "time.scheme", "implicit"))
      triad_case_error_of(c, "time.scheme",
                          "time.scheme = \"implicit\" requires a steady flow: set time.steady = true");
    if (!triad_case_given(c, "time.end"))
      triad_case_error_of(c, "time.end", "missing key \"time.end\": an unsteady flow requires it");
    return;
  }
  if (triad_case_given(c, "time.end") && fabs(triad_case_real(c, "time.end") - (double)steps) > 0)
    triad_case_error_of(c, "time.end", "time.end cannot be used with time.steady = true: use time.max_steps");
  if (steps == 0) triad_case_error_of(c, "time.max_steps", "time.steady = true requires time.max_steps");
  if (triad_case_error_count(c) > 0) return;
  (void)snprintf(text, sizeof text, "%lld", (long long)steps);
  (void)triad_case_tune(c, "time.end", text, "time.max_steps");
  if (!triad_case_given(c, "output.series_interval"))
    (void)triad_case_tune(c, "output.series_interval", "10", "time.max_steps");
}

static const triad_quantity quantities[] = {
  {"rho", NULL, "M/L^3", "density", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_RHO, "rho", .scale = TRIAD_SCALE_LEAST},
  {"u", NULL, "U", "velocity along x", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_U, .field = "u"},
  {"v", NULL, "U", "velocity along y", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_V, .field = "v"},
  {"w", NULL, "U", "velocity along z", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_W, .field = "w"},
  {"p", NULL, "M/(L T^2)", "pressure", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_P, "p", .scale = TRIAD_SCALE_LEAST,
   .shown = 2},
  {"mach", NULL, "1", "Mach number |u|/c", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_MACH, "mach",
   .scale = TRIAD_SCALE_FROM_ZERO, .shown = 1},
  {"temperature", NULL, "K", "temperature", TRIAD_QUANTITY_OWN + TRIAD_MULTIBLOCK_OUT_T, "temperature",
   .scale = TRIAD_SCALE_LEAST},
  {0}};

#define TRIAD_GAS_KEY "equations.riemann="
static const triad_reference references[] = {TRIAD_GAS_FLUXES(TRIAD_GAS_REFERENCE){0}};

const triad_case_part triad_case_part_multiblock = {.family = "multiblock",
                                                    .solvers = solvers,
                                                    .keys = keys,
                                                    .rules = rules,
                                                    .layers = 1,
                                                    .quantities = quantities,
                                                    .references = references};
