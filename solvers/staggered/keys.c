/* What the staggered solver adds to a case: its keys, what must hold between them, its quantities. */
#include "solvers/staggered/part.h"

#include "case/rows.h"
#include "solvers/quantities.h"

#include <string.h>

#define SIDES WORDS(W("periodic"), W("wall"), W("slip"))

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
           "fluid sticks to (wall), or one that it slides along (slip)."},
  {"boundaries.y", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "The same along y."},
  {"boundaries.z", TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "The same along z."},
  {"boundaries.wall_velocity", REALS(18), ANY, .preset = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
   .unit = "length/time",
   .help = "Velocity of the walls that the fluid sticks to: three components each, below and above along x, then y, "
           "then z. The component across a wall counts as 0."},

  {"solids.kind", WORD, WORDS(W("none"), {"boxes", .about = "those of solids.boxes"},
   {"random-cubes", .about = "solids.count cubes at random places"}), .preset = "none",
   .help = "Solid bodies, whose walls stand on faces of cells."},
  {"solids.boxes", REAL_LIST(TRIAD_STAGGERED_BOXES * TRIAD_STAGGERED_BOX), AT_LEAST(0), .preset = "",
   .help = "Of each box six whole numbers: its first cell along x, y and z, counted from 0, and how many cells along "
           "x, y and z."},
  {"solids.count", INTEGER, BETWEEN(1, 100000), .preset = "1",
   .help = "Number of random cubes."},
  {"solids.side", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "Cells along the side of a random cube."},
  {"solids.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of the places of random cubes. The same seed gives the same places on any number of ranks."},
  {"solids.overlap", FLAG, .preset = "false",
   .help = "May random cubes overlap?"},
  {"solids.release", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "From this time on the solids are fluid, at rest at first. With 0 they stay."},

  {"solver.pressure", WORD, WORDS(W("auto"), {"cg", .about = "conjugate gradients"},
   {"pcg-polynomial", .about = "preconditioned by a polynomial of the matrix"},
   {"pcg-transform", .about = "preconditioned by the transform's solve of the box without solids"},
   {"transform", .about = "the transform's solve"}), .preset = "auto",
   .help = "How the pressure is found. auto takes the transform where the box is uniform and periodic, as "
           "preconditioner where there are solids, and else the polynomial."},
  {"solver.diffusion", WORD, WORDS(W("auto"), {"explicit", .about = "in the stages of the scheme, which limits the step"},
   {"implicit", .about = "by the trapezoidal rule in each stage"}), .preset = "auto",
   .help = "How diffusion is stepped. auto is explicit, but implicit where time.dt or time.dt_max is beyond the explicit "
           "limit."},
  {"solver.tolerance", REAL, BETWEEN(0, 0.1), .above_min = 1, .preset = "1e-8",
   .help = "The residual of the pressure's equation is at most this times its right-hand side. Single precision takes "
           "2e-6 where nothing is given."},

  {"initial.kind", WORD, .word_at = triad_staggered_start_word, .example = "rest",
   .help = "The initial field."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .help = "Velocity amplitude of taylor-green, taylor-green-2d and poiseuille; of random the root mean square of a "
           "component."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "Periods of taylor-green and taylor-green-2d along each side of the box."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of random. The same seed gives the same field on any number of ranks."},
  {"initial.velocity", REALS(3), ANY, .preset = "1 0 0", .unit = "length/time",
   .help = "Velocity along x, y and z of uniform."},

  {"forcing.kind", WORD, WORDS(W("none"), {"pressure-gradient", .about = "a constant acceleration"},
   {"flow-rate", .about = "the acceleration that keeps the mean velocity"},
   {"stirring", .about = "pushes in random directions, then back to rest and to where it began"}), .preset = "none",
   .help = "The acceleration of the fluid, the same everywhere."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .help = "Acceleration of pressure-gradient and stirring; of flow-rate the mean velocity along "
           "forcing.direction."},
  {"forcing.direction", REALS(3), ANY, .preset = "1 0 0",
   .help = "Direction of pressure-gradient and flow-rate."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of the directions of stirring."},
  {"forcing.interval", REAL, ABOVE(0), .preset = "0.3", .unit = "time",
   .help = "Time between new directions of stirring."},
  {"forcing.pushes", INTEGER, BETWEEN(0, 1000000), .preset = "17",
   .help = "Number of directions of stirring."},
  {"forcing.restore", REAL, AT_LEAST(0), .preset = "1.9", .unit = "time",
   .help = "After the last push, time in which mean flow and displacement are brought back to 0. With 0 they are left "
           "as they are."},

  {"time.scheme", WORD, WORDS({"rk2-imaginary", .about = "three stages, stable to Courant numbers of 2"}),
   .preset = "rk2-imaginary",
   .help = "Runge-Kutta scheme."},

  {"parallel.blocks", INTEGERS(3), BETWEEN(0, 1048576), .preset = "0 0 0",
   .help = "Blocks that the grid is divided into along x, y and z, a rank each. Where 0 stands, the number that "
           "gives the least to compute and to exchange is taken."},
  {0}};

static int is_periodic(const triad_case *c, const char *key, int upper)
{
  return strcmp(triad_case_word_of_pair(c, key, upper), "periodic") == 0;
}

static void check_boundaries(triad_case *c)
{
  static const char *const axis[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  for (int i = 0; i < 3; i++)
    if (triad_case_good(c, axis[i]) && is_periodic(c, axis[i], 0) != is_periodic(c, axis[i], 1))
      triad_case_error_of(c, axis[i], "%s: both ends are periodic, or none is", axis[i]);
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

static void rules(triad_case *c)
{
  check_boundaries(c);
  check_lists(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(NULL, 1),
  {"p", NULL, "M/(L T^2)", "pressure", .field = "p", .scale = TRIAD_SCALE_LEAST},
  {0}};

static const triad_reference references[] = {
  {NULL, "HarlowWelch1965",
   "Harlow, Francis H. and Welch, J. Eddie",
   "Numerical calculation of time-dependent viscous incompressible flow of fluid with free surface",
   "Physics of Fluids", "8", "2182--2189", "1965", NULL},
  {NULL, "KhajehSaeed2013",
   "Khajeh-Saeed, Ali and Perot, J. Blair",
   "Direct numerical simulation of turbulence using GPU accelerated supercomputers",
   "Journal of Computational Physics", "235", "241--257", "2013", NULL},
  {0}};

const triad_case_part triad_case_part_staggered = {
  .family = "staggered", .solvers = solvers, .keys = keys, .rules = rules, .quantities = quantities,
  .references = references};
