/* What the multi-block solver adds to a case: its keys, what must hold between them. */
#include "solvers/multiblock/case/part.h"
#include "blocks/make/shapes.h"
#include "solvers/multiblock/points/kinds.h"

#include "case/case.h"
#include "case/rows.h"
#include "case/slice.h"

#include <math.h>
#include <stdio.h>

/* Kinds of grids: those made by a formula, and files. */
static const triad_word *grid_word(int i)
{
  static const triad_word file = {"file", NULL, "PLOT3D nodes, or CGNS", "grid.file"};
  return i == 0 ? &file : triad_blocks_shape_word(i - 1);
}

#define FLUX(kind, word, meaning, flux) {.name = (word), .about = (meaning)},
const triad_word *triad_mb_flux_word(int i)
{
  static const triad_word words[] = {TRIAD_MB_FLUXES(FLUX)};
  return i < TRIAD_MB_RIEMANN_KINDS ? &words[i] : NULL;
}
#undef FLUX

#define LIMITER(kind, word, meaning) {.name = (word), .about = (meaning)},
const triad_word *triad_mb_limiter_word(int i)
{
  static const triad_word words[] = {TRIAD_MB_LIMITER_ROWS(LIMITER)};
  return i < TRIAD_MB_LIMITERS ? &words[i] : NULL;
}
#undef LIMITER

static const triad_solver_row solvers[] = {
  {{"multiblock", .about = "compressible flow on curvilinear grids of many blocks"}, NULL, "stream"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.model", WORD, WORDS(W("euler"), W("laminar")), .preset = "euler",
   .help = "Without or with viscosity and conduction."},
  {"equations.riemann", WORD, .word_at = triad_mb_flux_word, .preset = "roe",
   .help = "Flux through the face between two cells."},
  {"equations.limiter", WORD, .word_at = triad_mb_limiter_word, .preset = "van-albada", .used = "equations.order=2",
   .help = "Limiter of the slopes in a cell."},
  {"equations.kappa", REAL, BETWEEN(-1, 1), .preset = "1/3", .used = "equations.limiter=none equations.order=2",
   .help =
     "Which slopes there are without limiter: -1 from upwind, 0 from both sides, 1/3 the parabola of third order. The "
     "limiters are symmetric, so that it makes no difference with one."},
  {"equations.order", INTEGER, BETWEEN(1, 2), .preset = "2", .help = "1: cells without slopes."},
  {"equations.gamma", REAL, BETWEEN(1, 10), .above_min = 1, .preset = "1.4", .help = "Ratio of specific heats."},
  {"equations.gas_constant", REAL, ABOVE(0), .preset = "287", .unit = "energy/(mass temperature)",
   .help = "R of p = rho R T."},
  {"equations.prandtl", REAL, ABOVE(0), .preset = "0.72", .used = "equations.model=laminar", .help = "Prandtl number."},
  {"equations.viscosity_law", WORD, WORDS(W("sutherland"), W("power"), W("constant")), .preset = "sutherland",
   .used = "equations.model=laminar", .help = "How the viscosity depends on the temperature."},
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "1.716e-5", .unit = "mass/(length time)",
   .used = "equations.model=laminar", .help = "Viscosity at equations.viscosity_temperature."},
  {"equations.viscosity_temperature", REAL, ABOVE(0), .preset = "273.15", .unit = "temperature",
   .used = "equations.model=laminar equations.viscosity_law=sutherland|power",
   .help = "The temperature that equations.viscosity is of."},
  {"equations.viscosity_power", REAL, ANY, .preset = "0.76",
   .used = "equations.model=laminar equations.viscosity_law=power", .help = "Exponent of the law \"power\"."},
  {"equations.sutherland", REAL, ABOVE(0), .preset = "110.4", .unit = "temperature",
   .used = "equations.model=laminar equations.viscosity_law=sutherland", .help = "Sutherland's temperature."},

  {"grid.kind", WORD, .word_at = grid_word, .preset = "box",
   .help = "Where the grid comes from: a file, or a formula."},
  {"grid.file", TEXT, .preset = "",
   .help = "PLOT3D file of nodes, formatted or unformatted, of one block or more; or a CGNS file of structured zones, "
           "which names its "
           "patches (families, or boundary conditions without one), joins and periods itself. A relative path starts "
           "at the folder of "
           "the case file. With it alone grid.kind is \"file\"."},
  {"grid.map", TEXT, .preset = "",
   .help = "Neutral map file (.nmf) that names the faces of the blocks; in boundaries.patches, upper and lower case "
           "count as equal. Without one they are called 1.imin, 1.imax, "
           "1.jmin and so on. Blocks are joined where their nodes coincide either way."},
  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .preset = "64 64 1", .used = "grid.kind!=file",
   .help = "Cells along i, j and k of a grid that is made here. With one cell along k the flow is two-dimensional."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "1 1 1", .unit = "length", .used = "grid.kind!=file",
   .help = "Sides of a box; of a wedge the ramp's length along x, the height, the span; of others the span alone."},
  {"grid.origin", REALS(3), ANY, .preset = "0 0 0", .unit = "length", .used = "grid.kind=box",
   .help = "Lower corner of a box."},
  {"grid.angle", REAL, BETWEEN(-80, 80), .preset = "10", .unit = "degree", .used = "grid.kind=wedge",
   .help = "Angle of a wedge, negative where the wall turns away."},
  {"grid.upstream", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length", .used = "grid.kind=wedge",
   .help = "Length of the plate before a wedge."},
  {"grid.radii", REALS(2), ABOVE(0), .rising = 1, .preset = "2 3", .unit = "length", .used = "grid.kind=annulus",
   .help = "Radii of an annulus."},
  {"grid.angles", REALS(2), BETWEEN(-360, 360), .rising = 1, .preset = "0 90", .unit = "degree",
   .used = "grid.kind=annulus", .help = "Angles of an annulus; its inflow is at the second."},
  {"grid.section", TEXT, .preset = "0012", .used = "grid.kind=aerofoil|aerofoil-c",
   .help = "Section of an aerofoil: four digits of NACA's, its trailing edge sharp."},
  {"grid.far", REAL, ABOVE(1), .preset = "50", .unit = "length", .used = "grid.kind=aerofoil|aerofoil-c|wing",
   .help = "Distance of the far field about an aerofoil, in chords, or about a wing, in chords of its root."},
  {"grid.stretch", REAL, BETWEEN(0, 20), .preset = "0", .used = "grid.kind!=file|annulus|inlet",
   .help =
     "Clusters cells of an aerofoil's grid to the wall: distances across it are (exp(s j/n) - 1)/(exp(s) - 1) of the "
     "logarithm of the radius; of a C-grid, a wedge or a box nodes cluster to the wall likewise, in plain distances. "
     "With 0 they are even."},
  {"grid.smooth", REAL, BETWEEN(-0.1, 0.1), .preset = "0", .used = "grid.kind=box|annulus",
   .help = "Nodes of a box or annulus are pushed by a product of sines, of this amplitude relative to the sides."},
  {"grid.random", REAL, BETWEEN(0, 0.4), .preset = "0", .used = "grid.kind!=file",
   .help = "Inner nodes are pushed at random, by this part of a cell at most."},
  {"grid.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "grid.kind!=file grid.random",
   .help = "Seed of grid.random."},
  {"grid.blocks", INTEGERS(3), BETWEEN(1, 1024), .preset = "1 1 1", .used = "grid.kind!=file",
   .help = "Blocks that a grid made here is cut into along i, j and k. Four along i of a C-grid are its wake below, "
           "the lower side, the upper "
           "side, the wake above."},
  {"grid.turned", FLAG, .preset = "false", .used = "grid.kind!=file",
   .help = "Turn the axes of each block another way. This changes nothing but rounding, and is for tests."},
  {"grid.period", REALS(3), AT_LEAST(0), .preset = "0 0 0", .unit = "length",
   .help = "Faces that coincide after a shift by this along x, y or z are joined. With 0 there is no such shift."},

  {"boundaries.patches", TEXT_LIST(TRIAD_MB_PATCH_TEXTS), .preset = "",
   .help =
     "What is at the faces: \"wing + tip: slip\", \"far: farfield, mach=0.8, pressure=1e5, temperature=300, alpha=2\". "
     "Kinds: slip, symmetry, wall (temperature=, u=, v=, w=), farfield, supersonic-inflow and subsonic-inflow (mach=, "
     "pressure=, temperature=, alpha=, beta=), supersonic-outflow, subsonic-outflow (pressure=), total (pressure=, "
     "temperature=), exact. * stands for all faces that no other text names."},

  {"solution.kind", WORD, .word_at = triad_mb_exact_word, .preset = "none",
   .help =
     "A flow that is known: of exact patches, of the start \"solution\", and what columns of errors compare with."},
  {"solution.mach", REAL, ABOVE(0), .preset = "2",
   .used = "solution.kind=uniform|supersonic-vortex|oblique-shock|fan|isentropic-vortex",
   .help = "Mach number of the solution."},
  {"solution.angle", REAL, BETWEEN(-180, 180), .preset = "0", .unit = "degree",
   .used = "solution.kind=uniform|oblique-shock|fan|isentropic-vortex",
   .help = "Angle of the solution: of its stream, or by how much it is turned."},
  {"solution.pressure", REAL, ABOVE(0), .preset = "1e5", .unit = "pressure",
   .used = "solution.kind=uniform|oblique-shock|fan", .help = "Pressure of the solution's stream."},
  {"solution.temperature", REAL, ABOVE(0), .preset = "300", .unit = "temperature",
   .used = "solution.kind=uniform|oblique-shock|fan", .help = "Temperature of the solution's stream."},
  {"solution.radius", REAL, ABOVE(0), .preset = "1", .unit = "length",
   .used = "solution.kind=supersonic-vortex|isentropic-vortex", .help = "Radius of a vortex."},
  {"solution.strength", REAL, ANY, .preset = "5", .used = "solution.kind=isentropic-vortex",
   .help = "Strength of the isentropic vortex."},

  {"reference.area", REAL, ABOVE(0), .preset = "1", .unit = "length^2",
   .help = "Area that coefficients of forces refer to."},
  {"reference.length", REAL, ABOVE(0), .preset = "1", .unit = "length",
   .help = "Length that the coefficient of the moment refers to."},
  {"reference.centre", REALS(3), ANY, .preset = "0.25 0 0", .unit = "length",
   .help = "Point that the moment is taken about."},

  {"reference.up", WORD, WORDS(W("auto"), W("y"), W("z")), .preset = "auto",
   .help = "Where lift points when alpha is 0, and alpha turns to. auto is y in two dimensions, else z."},

  {"initial.kind", WORD,
   WORDS(
     {"stream", .about = "that of the first patch with a stream, everywhere"},
     {"solution", .about = "that of solution.kind"}, {"checkpoint", NULL, "the state of a checkpoint", "initial.file"},
     {"coarser", .about = "of fields/blocks-<step>.h5 of a run on a coarser grid of the same blocks, or a finer one",
      .needs = "initial.file"}),
   .preset = "stream", .help = "The initial field."},
  {"initial.perturbation", REAL, AT_LEAST(0), .preset = "0", .used = "initial.kind!=checkpoint|coarser",
   .help = "Each number of the start is multiplied by 1 and a random number of this size."},

  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "",
   .help = "Layers of cells that are written as HDF5 and PNG, each with what to show on it: \"k=1\", the first one "
           "along k of every block, "
           "\"3.j=20: mach, p\", one of the third block. Pictures show cells where they are, seen along the axis in "
           "which they extend "
           "least. \"auto\" is \"k=1\"."},
  {"output.window", REALS(4), ANY, .preset = "0 0 0 0", .unit = "length", .used = "output.slices",
   .help = "Left and right end, lower and upper end of what pictures of slices show. With 0 0 0 0 it is all of them."},
  {"output.cgns", FLAG, .preset = "false",
   .help = "Write fields as CGNS too, nodes, joins and patches with them: fields/blocks-<step>.cgns. Exit 69 in a "
           "build without its library."},

  {"time.steady", FLAG, .preset = "false",
   .help =
     "Each cell takes the step that it can, towards a flow that does not change. t then counts steps, and so do all "
     "intervals; the run ends at time.residual, or after time.max_steps."},
  {"time.local", FLAG, .preset = "true", .used = "time.steady",
   .help = "Of a steady flow: with false all cells take the same step."},
  {"time.end", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "The run ends at this time. Required unless time.steady is true."},
  {"time.scheme", WORD, .word_at = triad_mb_scheme_word, .preset = "rk2",
   .help = "Runge-Kutta scheme: rk1 to rk5 are those of Jameson, of order 2 at most in time."},
  {"time.first_order", REAL, BETWEEN(0, 1), .preset = "0", .used = "time.steady",
   .help =
     "Cells of a steady flow have no slopes until the residual of the mass is below this times that of the first step: "
     "for starts that are far from what the flow comes to. With 0 they have slopes from the first step on."},
  {"time.limiter_freeze", REAL, BETWEEN(0, 1), .preset = "0", .used = "time.steady",
   .help = "Limiters of a steady flow are frozen when the residual of the mass is below this times that of the first "
           "step: each cell "
           "keeps the part that its limiter leaves of its slopes, and the residual can fall on. With 0 they never are. "
           "On CPUs."},
  {"time.sweeps", INTEGER, BETWEEN(0, 100), .preset = "12", .used = "time.scheme=implicit",
   .help = "Sweeps of an implicit step. With 12 of them time.cfl may be about 10."},
  {"time.residual", REAL, AT_LEAST(0), .preset = "1e-10", .used = "time.steady",
   .help = "A steady run ends when every equation's residual is below this times that of the first step. If "
           "time.max_steps are done before, it "
           "ends with a warning and exit code 75. With 0 all steps are done."},

  {"parallel.pieces", INTEGER, BETWEEN(0, 1048576), .preset = "0",
   .help = "Cut each block in as many pieces at least, where it has cells enough: a piece is two cells thick or more. "
           "With 0 blocks are cut as ranks need it."},
  {0}};

static void check_window(triad_case *c)
{
  double w[4];
  if (!triad_case_good(c, "output.window")) return;
  triad_case_reals(c, "output.window", w, 4);
  const int none = fabs(w[0]) + fabs(w[1]) + fabs(w[2]) + fabs(w[3]) <= 0;
  if (!none && !(w[1] > w[0] && w[3] > w[2]))
    triad_case_error_of(c, "output.window",
                        "output.window: left and right, lower and upper end are wanted, as in [-1, 2, -1, 1]");
}

/* A file is a grid by itself; nothing that names one is passed over. */
static void check_grid(triad_case *c)
{
  if (!triad_case_good(c, "grid.kind") || !triad_case_good(c, "grid.file") || !triad_case_good(c, "grid.map")) return;
  const int file = *triad_case_word(c, "grid.file") != '\0', map = *triad_case_word(c, "grid.map") != '\0';
  if (file && !triad_case_given(c, "grid.kind")) (void)triad_case_tune(c, "grid.kind", "file", "grid.file");
  if (triad_case_is(c, "grid.kind", "file")) return;
  if (file)
    triad_case_error_of(c, "grid.file", "grid.file is for grid.kind = \"file\", not \"%s\"",
                        triad_case_word(c, "grid.kind"));
  if (map)
    triad_case_error_of(c, "grid.map", "grid.map is of a grid.file: grid.kind is \"%s\"",
                        triad_case_word(c, "grid.kind"));
}

/* A steady run counts steps: its end is its last step. */
static void rules(triad_case *c)
{
  char text[32];
  check_window(c);
  check_grid(c);
  if (!triad_case_good(c, "time.steady") || !triad_case_good(c, "time.max_steps") || !triad_case_good(c, "time.end"))
    return;
  int64_t steps = triad_case_integer(c, "time.max_steps");
  if (!triad_case_flag(c, "time.steady")) {
    if (triad_case_good(c, "time.scheme") && triad_case_is(c, "time.scheme", "implicit"))
      triad_case_error_of(c, "time.scheme", "time.scheme = \"implicit\" is for steady flows: time.steady = true");
    if (!triad_case_given(c, "time.end"))
      triad_case_error_of(c, "time.end", "missing key \"time.end\": the flow is not steady");
    return;
  }
  if (triad_case_given(c, "time.end") && fabs(triad_case_real(c, "time.end") - (double)steps) > 0)
    triad_case_error_of(c, "time.end", "a steady run has no time.end: give time.max_steps");
  if (steps == 0) triad_case_error_of(c, "time.max_steps", "a steady run needs time.max_steps");
  if (triad_case_error_count(c) > 0) return;
  (void)snprintf(text, sizeof text, "%lld", (long long)steps);
  (void)triad_case_tune(c, "time.end", text, "time.max_steps");
  if (!triad_case_given(c, "output.series_interval"))
    (void)triad_case_tune(c, "output.series_interval", "10", "time.max_steps");
}

static const triad_quantity quantities[] = {
  {"rho", NULL, "M/L^3", "density", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_RHO, "rho", .scale = TRIAD_SCALE_LEAST},
  {"u", NULL, "U", "velocity along x", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_U, .field = "u"},
  {"v", NULL, "U", "velocity along y", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_V, .field = "v"},
  {"w", NULL, "U", "velocity along z", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_W, .field = "w"},
  {"p", NULL, "M/(L T^2)", "pressure", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_P, "p", .scale = TRIAD_SCALE_LEAST,
   .shown = 2},
  {"mach", NULL, "1", "Mach number |u|/c", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_MACH, "mach",
   .scale = TRIAD_SCALE_FROM_ZERO, .shown = 1},
  {"temperature", NULL, "K", "temperature", TRIAD_QUANTITY_OWN + TRIAD_MB_OUT_T, "temperature",
   .scale = TRIAD_SCALE_LEAST},
  {0}};

const triad_case_part triad_case_part_multiblock = {
  .family = "multiblock", .solvers = solvers, .keys = keys, .rules = rules, .layers = 1, .quantities = quantities};
