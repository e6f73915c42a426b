/* What the staggered solver adds to a case: its keys, what must hold between them, its quantities. */
#include "solvers/staggered/case/part.h"

#include "case/mean.h"
#include "case/rows.h"
#include "solvers/box/probe_keys.h"
#include "solvers/quantities.h"

#include <string.h>

static const char *const of_flow[] = {"x", "y", "z", "t", "u", "v", "w", NULL};

#define SIDES WORDS(W("periodic"), W("wall"), W("slip"), W("inflow"), W("outflow"))

static const triad_solver_row solvers[] = {
  {{"staggered", .about = "incompressible flow between walls and around solids, on a staggered mesh"}, NULL, "rest"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity. With 0 the flow is inviscid."},

  {"grid.stretch", REALS(3), BETWEEN(0, 10), .preset = "0 0 0",
   .help = "Clusters faces to both ends of x, y and z: face f of n stands at L/2 (1 + tanh(s (2 f/n - 1))/tanh s). "
           "With 0 cells are all of one size."},

  {"boundaries.x", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "What is at the lower and the upper end along x: the other end (periodic, both or none), a wall that the "
           "fluid sticks to (wall), one that it slides along (slip), fluid that comes in with a given velocity "
           "(inflow), or a way out (outflow, along one axis only), through which as much leaves as comes in."},
  {"boundaries.y", TWO_WORDS, SIDES, .preset = "periodic periodic", .help = "The same along y."},
  {"boundaries.z", TWO_WORDS, SIDES, .preset = "periodic periodic", .help = "The same along z."},
  {"boundaries.wall_velocity", REALS(18), ANY, .preset = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", .unit = "length/time",
   .used = "boundaries.x=wall or boundaries.y=wall or boundaries.z=wall",
   .help = "Velocity of the walls that the fluid sticks to: three components each, below and above along x, then y, "
           "then z. The component across a wall counts as 0."},
  {"boundaries.wall_frequency", REAL, AT_LEAST(0), .preset = "0", .unit = "1/time", .used = "boundaries.wall_velocity",
   .help = "The velocity of walls at time t is cos(2 pi wall_frequency t) times boundaries.wall_velocity."},
  {"boundaries.inflow", REALS(3), ANY, .preset = "1 0 0", .unit = "length/time",
   .used = "boundaries.x=inflow or boundaries.y=inflow or boundaries.z=inflow",
   .help = "Velocity along x, y and z of the fluid that comes in."},

  {"solids.kind", WORD,
   WORDS(W("none"), {"boxes", .about = "those of solids.boxes"},
         {"random-cubes", .about = "solids.count cubes at random places"},
         {"file", .about = "cells where dataset solid of solids.file is not 0", .needs = "solids.file"},
         {"formula", .about = "cells at whose centre solids.formula is not 0", .needs = "solids.formula"}),
   .preset = "none", .help = "Solid bodies, whose walls stand on faces of cells."},
  {"solids.boxes", REAL_LIST(TRIAD_STAGGERED_BOXES *TRIAD_STAGGERED_BOX), AT_LEAST(0), .preset = "",
   .used = "solids.kind=boxes",
   .help = "Of each box six whole numbers: its first cell along x, y and z, counted from 0, and how many cells along "
           "x, y and z."},
  {"solids.file", TEXT, .preset = "", .used = "solids.kind=file",
   .help = "HDF5 file whose dataset solid (z, y, x) has a number for each cell."},
  {"solids.formula", FORMULA, .preset = "", .used = "solids.kind=formula",
   .help = "With kind formula, what is not 0 in solids, such as (x - 1)^2 + (y - 1)^2 < 0.25."},
  {"solids.count", INTEGER, BETWEEN(1, 100000), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Number of random cubes."},
  {"solids.side", INTEGER, BETWEEN(1, 1048576), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Cells along the side of a random cube."},
  {"solids.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "solids.kind=random-cubes",
   .help = "Seed of the places of random cubes. The same seed gives the same places on any number of ranks."},
  {"solids.overlap", FLAG, .preset = "false", .used = "solids.kind=random-cubes", .help = "May random cubes overlap?"},
  {"solids.release", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "solids.kind!=none",
   .help = "From this time on the solids are fluid, at rest at first. With 0 they stay."},

  {"solver.pressure", WORD,
   WORDS(W("auto"), {"cg", .about = "conjugate gradients"},
         {"pcg-polynomial", .about = "preconditioned by a polynomial of the matrix"},
         {"pcg-transform", .about = "preconditioned by the transform's solve of the box without solids"},
         {"transform", .about =
                         "that solve, at once: by waves along axes that are uniform, and a tridiagonal solve along one "
                         "with walls, which may be stretched"}),
   .preset = "auto",
   .help =
     "How the pressure is found. auto takes the transform where it can, as preconditioner where there are "
     "solids, and else the polynomial, as with parallel.device = \"gpu\" where the transform has no GPU part: between "
     "walls along x or along two axes. There parallel.device = \"auto\" takes the CPU."},
  {"solver.diffusion", WORD,
   WORDS(W("auto"), {"explicit", .about = "in the stages of the scheme, which limits the step"},
         {"implicit", .about = "by the trapezoidal rule in each stage"}),
   .preset = "auto", .used = "equations.viscosity",
   .help =
     "How diffusion is stepped. auto is explicit, but implicit where time.dt or time.dt_max is beyond the explicit "
     "limit."},
  {"solver.tolerance", REAL, BETWEEN(0, 0.1), .above_min = 1, .preset = "1e-8",
   .help =
     "The residual of the pressure's equation, and of implicit diffusion's, is at most this times its right-hand side. "
     "Single precision takes 2e-6 where nothing is given."},

  {"solver.overlap", WORD,
   WORDS({"auto", .about = "where it pays"}, {"on", .about = "wherever there are planes to spare"}, W("off")),
   .preset = "auto",
   .help =
     "On several ranks, does an iteration work at inner cells while what others need travels? For measurements; values "
     "change by rounding only. With off, GPUs exchange messages where they would store into each other's memory."},

  {"initial.kind", WORD, .word_at = triad_staggered_start_word, .example = "rest", .help = "The initial field."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .used = "initial.kind=taylor-green|taylor-green-2d|poiseuille|random|channel",
   .help = "Velocity amplitude of taylor-green, taylor-green-2d and poiseuille; of random the root mean square of a "
           "component, of channel the mean velocity."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "initial.kind=taylor-green|taylor-green-2d",
   .help = "Periods of taylor-green and taylor-green-2d along each side of the box."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "initial.kind=random",
   .help = "Seed of random. The same seed gives the same field on any number of ranks."},
  {"initial.u", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along x, at the faces across x. 0 where there is none."},
  {"initial.v", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along y."},
  {"initial.w", FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along z."},
  {"initial.velocity", REALS(3), ANY, .preset = "1 0 0", .unit = "length/time", .used = "initial.kind=uniform",
   .help = "Velocity along x, y and z of uniform."},

  {"forcing.kind", WORD,
   WORDS(W("none"), {"pressure-gradient", .about = "a constant acceleration"},
         {"flow-rate", .about = "the acceleration that keeps the mean velocity"},
         {"stirring", .about = "pushes in random directions, then back to rest and to where it began"},
         {"formula", .about = "formulas of x, y, z, t and the velocity, on CPUs"}),
   .preset = "none", .help = "The acceleration of the fluid, the same everywhere but for formula."},
  {"forcing.u", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along x, at the faces across x, where other components of the velocity "
           "are means of "
           "the four faces around."},
  {"forcing.v", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along y."},
  {"forcing.w", TEXT, .formula = of_flow, .preset = "", .unit = "length/time^2", .used = "forcing.kind=formula",
   .help = "With kind formula, the acceleration along z."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .used = "forcing.kind=pressure-gradient|flow-rate|stirring",
   .help = "Acceleration of pressure-gradient and stirring; of flow-rate the mean velocity along "
           "forcing.direction."},
  {"forcing.direction", REALS(3), ANY, .preset = "1 0 0", .used = "forcing.kind=pressure-gradient|flow-rate",
   .help = "Direction of pressure-gradient and flow-rate."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "forcing.kind=stirring",
   .help = "Seed of the directions of stirring."},
  {"forcing.interval", REAL, ABOVE(0), .preset = "0.3", .unit = "time", .lasting = 1, .used = "forcing.kind=stirring",
   .help = "Time between new directions of stirring."},
  {"forcing.pushes", INTEGER, BETWEEN(0, 1000000), .preset = "17", .used = "forcing.kind=stirring",
   .help = "Number of directions of stirring."},
  {"forcing.restore", REAL, AT_LEAST(0), .preset = "1.9", .unit = "time", .used = "forcing.kind=stirring",
   .help = "After the last push, time in which mean flow and displacement are brought back to 0. With 0 they are left "
           "as they are."},

  {"profiles.every", INTEGER, BETWEEN(0, 1000000), .preset = "0",
   .help = "Steps between the states that profiles of means and stresses are made of, RUN/profiles.csv, between walls "
           "across one "
           "axis; written whenever output.spectra_interval is due. With 0 there are none."},
  {"profiles.start", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "profiles.every",
   .help = "The time from which states count."},

  {"strain.rates", REALS(3), ANY, .preset = "0 0 0", .unit = "1/time",
   .help = "Rates S along x, y and z of a mean flow U_i = S_i x_i, whose sum is 0. The box moves with it, and the "
           "velocity is "
           "what the flow has besides."},
  {"strain.start", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "strain.rates",
   .help = "When the strain begins."},
  {"strain.end", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "strain.rates",
   .help = "When it ends: the lengths of the box are then grid.length times exp(S (end - start))."},

  {"output.faces", FLAG, .preset = "false",
   .help = "Do files of fields have velocities on the lower faces of cells, too?"},

  TRIAD_PROBE_KEYS("Velocities come from the faces and the pressure from the centres of cells, by cubic polynomials "
                   "through four along "
                   "each axis, among them the walls; beside solids linearly, to 0 on their faces, and in a solid there "
                   "is no pressure: its "
                   "place stays empty."),
  {"output.means", TEXT_LIST(TRIAD_MEANS), .preset = "",
   .help = "Running means over time, in means.h5, with standard errors, of these and of all numbers of the series: "
           "\"spectra\" over "
           "shells, of a periodic uniform box without solids; \"moments\" up to four and \"pdfs\" of velocity, "
           "pressure and du/dx, "
           "dv/dy, dw/dz in the fluid's cells, by volume; \"profiles z\", or x, y, means and covariances over the "
           "fluid in planes. [] "
           "for none."},
  TRIAD_MEAN_TIME_KEYS,

  {"time.scheme", WORD, WORDS({"rk2-imaginary", .about = "three stages, stable to Courant numbers of 2"}),
   .preset = "rk2-imaginary", .help = "Runge-Kutta scheme."},

  {"parallel.blocks", INTEGERS(3), BETWEEN(0, 1048576), .preset = "0 0 0",
   .help = "Blocks that the grid is divided into along x, y and z, a rank each. Where 0 stands, the number that "
           "gives the least to compute and to exchange is taken."},
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
                        "%s: fluid flows out along one axis only: take \"slip\" or \"wall\" here",
                        boundary[out[2] ? 2 : 1]);
  if (out[0] + out[1] + out[2] > 0 || !triad_case_good(c, "boundaries.inflow")) return;
  triad_case_reals(c, "boundaries.inflow", velocity, 3);
  for (int i = 0; i < 3; i++)
    if (is_side(c, i, 0, "inflow") != is_side(c, i, 1, "inflow") && fabs(velocity[i]) > 0)
      triad_case_error_of(c, boundary[i], "%s: what comes in has no way out: make another end \"outflow\"",
                          boundary[i]);
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
                         "%s: nothing comes in through its %s end, \"inflow\": boundaries.inflow has %c = %g",
                         boundary[i], lower ? "lower" : "upper", "uvw"[i], velocity[i]);
  }
}

static void check_boundaries(triad_case *c)
{
  warn_inflow(c);
  for (int i = 0; i < 3; i++)
    if (is_side(c, i, 0, "periodic") != is_side(c, i, 1, "periodic"))
      triad_case_error_of(c, boundary[i], "%s: both ends are periodic, or none is", boundary[i]);
  check_way_out(c);
}

/* A direction, and boxes that are whole. */
static void check_lists(triad_case *c)
{
  double direction[3];
  int n = triad_case_good(c, "solids.boxes") ? triad_case_length(c, "solids.boxes") : 0;
  if (n % TRIAD_STAGGERED_BOX)
    triad_case_error_of(c, "solids.boxes", "solids.boxes: %d numbers, each box takes six", n);
  if (triad_case_good(c, "solids.kind") && triad_case_is(c, "solids.kind", "boxes") && n == 0)
    triad_case_error_of(c, "solids.kind", "solids.kind = \"boxes\" wants solids.boxes");
  if (!triad_case_good(c, "forcing.direction") || !triad_case_good(c, "forcing.kind")) return;
  triad_case_reals(c, "forcing.direction", direction, 3);
  int none = !(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2] > 0);
  if (none && (triad_case_is(c, "forcing.kind", "pressure-gradient") || triad_case_is(c, "forcing.kind", "flow-rate")))
    triad_case_error_of(c, "forcing.direction", "forcing.direction = [0, 0, 0] is no direction");
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
    triad_case_error_of(c, "strain.rates", "strain.rates = [%g, %g, %g] changes the volume: make their sum 0", rate[0],
                        rate[1], rate[2]);
  double start = triad_case_real(c, "strain.start"), end = triad_case_real(c, "strain.end");
  if (!(end > start))
    triad_case_error_of(c, "strain.end", "strain.end = %g is not after strain.start = %g", end, start);
  for (int i = 0; i < 3; i++)
    if (triad_case_good(c, boundary[i]) && !is_side(c, i, 0, "periodic"))
      triad_case_error_of(c, boundary[i], "%s: a strain wants periodic boundaries, which go with it", boundary[i]);
  if (!triad_case_good(c, "solids.kind") || !triad_case_good(c, "solids.release")) return;
  double release = triad_case_real(c, "solids.release");
  if (!triad_case_is(c, "solids.kind", "none") && !(release > 0 && release <= start))
    triad_case_error_of(c, "solids.kind", "solids do not go with a strain: release them by strain.start = %g", start);
  if (triad_case_good(c, "solver.diffusion") && triad_case_is(c, "solver.diffusion", "implicit"))
    triad_case_error_of(c, "solver.diffusion", "solver.diffusion = \"implicit\": a strain takes \"explicit\"");
}

/* Profiles are of the one axis that has ends. */
static void check_profiles(triad_case *c)
{
  int ends = 0;
  if (!triad_case_good(c, "profiles.every") || triad_case_integer(c, "profiles.every") == 0) return;
  for (int i = 0; i < 3; i++) ends += triad_case_good(c, boundary[i]) && !is_side(c, i, 0, "periodic");
  if (ends != 1)
    triad_case_error_of(c, "profiles.every",
                        "profiles.every: profiles are for flows that are periodic along two axes and not "
                        "along the third: leave it out");
}

static void check_force(triad_case *c)
{
  if (triad_case_good(c, "forcing.kind") && triad_case_is(c, "forcing.kind", "formula") &&
      !triad_case_given(c, "forcing.u") && !triad_case_given(c, "forcing.v") && !triad_case_given(c, "forcing.w"))
    triad_case_error_of(c, "forcing.kind", "forcing.kind \"formula\" needs a formula, such as forcing.u = \"sin(z)\"");
}

static void check_means(triad_case *c)
{
  triad_mean_rule(c);
  if (triad_case_good(c, "output.means") && triad_mean_asked(c).quantities)
    triad_case_error_of(c, "output.means",
                        "output.means: \"quantities\" are those of [[output.quantities]], which this solver has not");
}

static void rules(triad_case *c)
{
  triad_probe_rule(c);
  check_means(c);
  check_force(c);
  check_profiles(c);
  check_strain(c);
  check_boundaries(c);
  check_lists(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(NULL, 1),
  {"p", NULL, "M/(L T^2)", "pressure", .field = "p", .scale = TRIAD_SCALE_LEAST},
  {0}};

static const triad_reference references[] = {
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
