/* Keys of a case for flux-corrected transport on a mesh, and the rules between them. */
#include "case/rows.h"
#include "solvers/unstructured/case/part.h"
#include "solvers/unstructured/measure/probes.h"

#include <string.h>

static const triad_solver_row solvers[] = {
  {{"fct", .about = "an ideal gas by flux-corrected transport, on meshes of cells of any shape"}, NULL, "uniform"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.gamma", REAL, ABOVE(1), .preset = "1.4", .help = "Ratio of specific heats."},
  {"equations.transport", WORD,
   WORDS({"limited", .about = "the low-order flux, and as much of what the high-order one adds as the bounds allow"},
         {"low", .about = "the low-order flux alone"}, {"high", .about = "the high-order flux alone"}),
   .preset = "limited", .help = "Which fluxes are taken."},
  {"equations.low_order", WORD, WORDS(W("rusanov"), W("hllc")), .preset = "rusanov",
   .help =
     "The low-order flux, which keeps density and pressure positive: rusanov up to time.cfl = 1, hllc up to 0.5."},
  {"equations.high_order", WORD,
   WORDS({"linear", .about = "HLLC of values at the face, by gradients in both cells"},
         {"central", .about = "the mean of both cells' fluxes"}),
   .preset = "linear", .used = "equations.transport!=low",
   .help = "The high-order flux. central is of second order on regular hexahedra only."},
  {"equations.gradients", WORD,
   WORDS(
     {"wide", .about = "of cells of fewer than six faces the mean of the cell's and its neighbours'"},
     {"near", .about = "from the cells across faces alone"},
     {"limited", .about = "as wide, cut so that no value at a face is beyond those of the cell and its neighbours"}),
   .preset = "wide", .used = "equations.transport!=low equations.high_order=linear",
   .help =
     "Gradients of high_order = \"linear\". On tetrahedra, which have four neighbours, fluxes by near ones are not "
     "stable by themselves, and overshoot behind shocks; on hexahedra both are the same."},
  {"equations.limited", TEXT_LIST(2), .preset = "density pressure", .used = "equations.transport=limited",
   .help =
     "The variables whose bounds limit the fluxes: density, or density and pressure; one factor a face then holds for "
     "mass, momentum and energy. Or components: each of the five has bounds and a factor of its own, which keep no "
     "pressure positive."},
  {"equations.prelimit", FLAG, .preset = "false", .used = "equations.transport=limited",
   .help = "Cancel antidiffusive fluxes that flow down the gradient of the low-order solution."},
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "0", .unit = "mass/(length time)",
   .help = "Dynamic viscosity of laminar stress, and of the conduction of heat that goes with it; 0: neither."},
  {"equations.prandtl", REAL, ABOVE(0), .preset = "0.72", .used = "equations.viscosity", .help = "Prandtl number."},
  {"equations.slack", REAL, BETWEEN(0, 0.1), .preset = "1e-4", .used = "equations.transport=limited",
   .help = "What the low-order flux alone would give widens the bounds of density and pressure by this part of itself: "
           "where either is the same everywhere, as the pressure "
           "across a contact and the density of shear, there is no room else for what moves along with it. With 0 they "
           "hold to "
           "rounding. In flow without shocks 0.01 lets the high-order flux through, which small Mach numbers ask for."},

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .preset = "16 16 16", .used = "!grid.file",
   .help = "Cubes along x, y and z, of which the mesh is made."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length", .used = "!grid.file",
   .help = "Lengths of the box along x, y and z."},
  {"grid.file", TEXT, .preset = "",
   .help = "A mesh of Gmsh (MSH 4.1 or 2.2, ASCII or binary) or CGNS, which is then read and not made. Physical groups "
           "of surfaces, of CGNS "
           "families, or boundary conditions without one, are its patches, all of which boundaries.patches names. "
           "Names keep letters, digits and -; blanks and other signs become _. A group whose faces lie between "
           "cells is skipped with a warning. A relative path starts at the folder of the case file."},
  {"grid.kind", WORD,
   WORDS({"tets", .about = "six tetrahedra a cube"}, {"hexes", .about = "the cubes"},
         {"prisms", .about = "two a cube, along z"}, {"pyramids", .about = "six a cube, over its middle"},
         {"hybrid", .about = "hexahedra in the lower half along x, tetrahedra in the upper one"},
         {"polyhedra",
          .about =
            "hexagonal prisms along z, laid like bricks as long as a cube, halves of them at ends of every other row"},
         {"jet", .about = "grid.shape = \"jet\", of tetrahedra up to grid.joint and of hexahedra behind it"}),
   .preset = "tets", .used = "!grid.file",
   .help = "Cells of the mesh. Its patches are xmin, xmax, ymin, ymax, zmin and zmax."},
  {"grid.shake", REAL, BETWEEN(0, 0.25), .preset = "0", .used = "!grid.file",
   .help = "Inner points are moved by up to so many spacings along each axis, the same on any ranks."},
  {"grid.shape", WORD,
   WORDS(W("box"), {"wedge", .about = "a box whose floor rises from grid.corner on"},
         {"tube", .about = "round, of the diameter that grid.length has along y, about the x axis"},
         {"jet", .about = "round: a nozzle whose exit is at x = 0, and the space round and behind it"}),
   .preset = "box", .used = "!grid.file", .help = "What the cubes are bent to."},
  {"grid.corner", REAL, ANY, .preset = "0.5", .unit = "length", .used = "!grid.file grid.shape=wedge",
   .help = "Where along x the floor of a wedge begins to rise."},
  {"grid.angle", REAL, BETWEEN(-60, 60), .preset = "10", .unit = "degrees", .used = "!grid.file grid.shape=wedge",
   .help = "The angle of a wedge."},
  {"grid.cut", REALS(6), ANY, .preset = "0 0 0 0 0 0", .unit = "length", .used = "!grid.file",
   .help = "x0 x1 y0 y1 z0 z1: cubes whose middles are in this box, before they are bent, are left out; what bounds "
           "them is patch "
           "cut."},
  {"grid.nozzle", REALS(4), ABOVE(0), .preset = "1 1.5 1 1", .unit = "length",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet",
   .help = "The nozzle of a jet: its length, and its diameters at the inlet, the throat and the exit. With the throat "
           "as wide as the "
           "exit it is convergent, else the throat is half-way. grid.length is then the length in all, the nozzle's "
           "included, and "
           "the diameter of the space round it; patches are inlet, nozzle, ambient and outlet."},
  {"grid.lip", REAL, ABOVE(0), .preset = "0.05", .unit = "length",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet", .help = "Thickness of the nozzle's wall."},
  {"grid.across", INTEGER, BETWEEN(2, 65536), .preset = "8",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet",
   .help = "Cubes across the nozzle, of those that grid.n has along y and z; beside it they are as long as they are "
           "wide at its "
           "exit, and grow from there on."},
  {"grid.joint", REAL, ANY, .preset = "3", .unit = "length", .used = "!grid.file grid.kind=jet",
   .help = "Where along x the tetrahedra of a jet end."},
  {"grid.partition", WORD,
   WORDS({"planes", .about = "by planes that part them in two, and each side again"},
         {"curve", .about = "along Hilbert's curve through their middles"},
         {"metis", .about = "by METIS, which needs the graph of all cells on rank 0"},
         {"scotch", .about = "by PT-Scotch, whose graph is spread over the ranks"}),
   .preset = "planes",
   .help = "Whose each cell is, on several ranks: all get about equally many sides. The libraries look for parts with "
           "few sides between them; "
           "exit 69 in a build without the one that is asked for. Results are the same to rounding, files do not "
           "depend on it."},
  {"grid.numbering", WORD,
   WORDS({"rcm", .about = "reverse Cuthill-McKee"}, {"morton", .about = "along Morton's curve"},
         {"coalesced", .about = "left cells of consecutive faces of a colour in unit stride, then right ones"}),
   .preset = "rcm", .help = "The order of cells in memory. Files do not depend on it."},
  {"grid.loops", WORD,
   WORDS({"gather", .about = "each cell adds what passes its faces"},
         {"colours", .about = "faces add to both cells, colour by colour"},
         {"atomics", .about = "faces add to both cells as they come, in no order"}),
   .preset = "gather",
   .help = "How fluxes come to cells that stand in lists; structured zones gather. gather and colours each give their "
           "own bits "
           "on any number of threads; all agree to rounding."},
  {"grid.structured", WORD,
   WORDS({"auto", .about = "boxes of at least 4 x 4 x 4 hexahedra are found, and need no lists"},
         {"none", .about = "all cells stand in lists"}),
   .preset = "auto", .help = "Structured zones. The flow is the same to rounding."},
  {"grid.layers", INTEGER, BETWEEN(0, 1048576), .preset = "0",
   .help =
     "Layers of a structured zone of bricks that a GPU works on at a time: what steps need besides state and values is "
     "kept of "
     "these and three more. 0: a quarter of the zone's, of a million cells or more. Results do not depend on it."},
  {"grid.faces", WORD,
   WORDS(
     {"auto", .about = "geometry of all faces where it has room for that beside all else"},
     {"kept", .about = "geometry of all faces"},
     {"corners",
      .about = "of faces between tetrahedra their corners, a fifth less memory, and steps that take some 5 % longer"}),
   .preset = "auto", .help = "What a GPU has of listed faces. The flow is the same to rounding."},

  {"boundaries.patches", TEXT_LIST(TRIAD_MESH_PATCHES), .preset = "",
   .help =
     "What is at patches of the mesh: \"xmin: inflow, pressure=1, density=1.4, u=3\", \"xmax: outflow\". Kinds: slip "
     "or symmetry; inflow of a state; outflow, of what is inside; pressure, a subsonic outflow to that pressure; "
     "farfield, by characteristics, with sponge=WIDTH and strength=RATE drawing the gas near it to its state; noslip, "
     "a wall that holds the "
     "gas, of a temperature or not heated; total, from a reservoir of that pressure and temperature; periodic, "
     "with=the "
     "patch that it is joined to, of boxes the opposite one. temperature is p/rho, 1 where neither it nor density "
     "is given. A patch of a made mesh that is not named is a slip wall."},

  {"initial.kind", WORD, .word_at = triad_fct_start_word, .example = "sod", .help = "The initial field."},
  {"initial.density", REAL, ABOVE(0), .preset = "1", .unit = "mass/length^3",
   .used = "initial.kind!=sod|nearest|checkpoint",
   .help = "Density of uniform, blast, wave and vortex far from what is there."},
  {"initial.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .used = "initial.kind!=sod|nearest|checkpoint", .help = "Velocity of uniform, blast, wave and vortex."},
  {"initial.pressure", REAL, ABOVE(0), .preset = "1", .unit = "mass/(length time^2)",
   .used = "initial.kind!=sod|nearest|checkpoint", .help = "Pressure of uniform, blast, wave and vortex."},
  {"initial.left", REALS(5), ANY, .preset = "1 0 0 0 1", .used = "initial.kind=sod",
   .help = "Density, velocity and pressure below initial.position, of sod."},
  {"initial.right", REALS(5), ANY, .preset = "0.125 0 0 0 0.1", .used = "initial.kind=sod",
   .help = "Density, velocity and pressure above initial.position, of sod."},
  {"initial.position", REAL, ANY, .preset = "0.5", .unit = "length", .used = "initial.kind=sod",
   .help = "Place along x of the membrane of sod."},
  {"initial.centre", REALS(3), ANY, .preset = "0 0 0", .unit = "length", .used = "initial.kind=blast|vortex",
   .help = "Centre of blast and vortex."},
  {"initial.radius", REAL, ABOVE(0), .preset = "0.1", .unit = "length", .used = "initial.kind=blast|vortex",
   .help = "Radius of the sphere that the energy of blast is put into; of vortex, of its core."},
  {"initial.energy", REAL, AT_LEAST(0), .preset = "1", .unit = "mass length^2/time^2", .used = "initial.kind=blast",
   .help = "Energy of blast, of the whole sphere: where the centre lies on planes of symmetry, a part of it is in the "
           "mesh."},
  {"initial.amplitude", REAL, ANY, .preset = "0.1", .used = "initial.kind=wave|vortex|shear|taylor-green",
   .help = "Amplitude of wave, relative to the density; of vortex and shear, the largest velocity."},
  {"initial.waves", REAL, ABOVE(0), .preset = "2", .used = "initial.kind=shear",
   .help = "Half waves of shear in the height of the mesh."},

  {"output.means", FLAG, .preset = "false",
   .help = "Take means in time of density, velocity and pressure, of their stresses and of the pressure's variance, "
           "each step weighed "
           "with its length; they are in files of fields and in checkpoints."},
  {"output.means_from", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "output.means",
   .help = "From when on."},
  {"output.probes", TEXT_LIST(TRIAD_FCT_PROBES), .preset = "",
   .help = "Where density, velocity and pressure are written at an interval of their own: \"lip: point, x=0, y=0.5\", "
           "\"axis: line, "
           "x=0, to_x=20, n=101\", and on a surface round a jet for a far-field noise method, \"far: cylinder, x=0, "
           "to_x=20, radius=3, "
           "n=81, around=32\", about the x axis or one parallel to it. Coordinates that are not given are 0, of a "
           "line's end as its "
           "begin. Values are those of the cell that each place lies in."},
  {"output.probes_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "output.probes",
   .help = "Time between rows of probes: they are taken at the first step that reaches it. With 0 each step is."},

  {"time.scheme", WORD, WORDS({"two-stage", .about = "half a step, then the step by fluxes of its middle"}),
   .preset = "two-stage", .help = "The scheme in time."},
  {0}};

static void check_limited(triad_case *c)
{
  const char *text[2];
  int n = triad_case_good(c, "equations.limited") ? triad_case_texts(c, "equations.limited", text, 2) : 0, density = 0;
  int components = 0;
  for (int i = 0; i < n; i++) {
    density = density || strcmp(text[i], "density") == 0;
    components = components || strcmp(text[i], "components") == 0;
    if (strcmp(text[i], "density") != 0 && strcmp(text[i], "pressure") != 0 && strcmp(text[i], "components") != 0)
      triad_case_error_of_value(c, "equations.limited", i,
                                "equations.limited: \"%s\" is none of density, pressure, components", text[i]);
  }
  if (components && n > 1) triad_case_error_of(c, "equations.limited", "equations.limited: components stand alone");
  if (n > 0 && !density && !components)
    triad_case_error_of(c, "equations.limited", "equations.limited: the pressure is bounded where the density is too");
}

static void check_patches(triad_case *c)
{
  const char *text[TRIAD_MESH_PATCHES];
  char why[TRIAD_FCT_WHY];
  triad_fct_patch patch;
  int n =
    triad_case_good(c, "boundaries.patches") ? triad_case_texts(c, "boundaries.patches", text, TRIAD_MESH_PATCHES) : 0;
  for (int i = 0; i < n; i++)
    if (!triad_fct_patch_read(&patch, text[i], why))
      triad_case_error_of_value(c, "boundaries.patches", i, "boundaries.patches: %s", why);
}

static void check_probes(triad_case *c)
{
  const char *text[TRIAD_FCT_PROBES];
  char why[TRIAD_FCT_PROBE_WHY];
  triad_fct_probe probe;
  int n = triad_case_good(c, "output.probes") ? triad_case_texts(c, "output.probes", text, TRIAD_FCT_PROBES) : 0;
  for (int i = 0; i < n; i++)
    if (!triad_fct_probe_read(&probe, text[i], why))
      triad_case_error_of_value(c, "output.probes", i, "output.probes: %s", why);
}

static void check_states(triad_case *c)
{
  static const char *const key[2] = {"initial.left", "initial.right"};
  for (int i = 0; i < 2; i++) {
    double q[5];
    if (!triad_case_good(c, key[i])) continue;
    triad_case_reals(c, key[i], q, 5);
    if (!(q[0] > 0) || !(q[4] > 0)) triad_case_error_of(c, key[i], "%s: density and pressure must be positive", key[i]);
  }
}

static void rules(triad_case *c)
{
  check_limited(c);
  check_patches(c);
  check_probes(c);
  check_states(c);
}

static const triad_quantity quantities[] = {
  {"rho", NULL, "M/L^3", "density", TRIAD_QUANTITY_OWN + TRIAD_FCT_RHO, "rho", .scale = TRIAD_SCALE_LEAST},
  {"u", NULL, "U", "velocity along x", TRIAD_QUANTITY_OWN + TRIAD_FCT_U, .field = "u"},
  {"v", NULL, "U", "velocity along y", TRIAD_QUANTITY_OWN + TRIAD_FCT_V, .field = "v"},
  {"w", NULL, "U", "velocity along z", TRIAD_QUANTITY_OWN + TRIAD_FCT_W, .field = "w"},
  {"p", NULL, "M/(L T^2)", "pressure", TRIAD_QUANTITY_OWN + TRIAD_FCT_P, "p", .scale = TRIAD_SCALE_LEAST},
  {"T", NULL, "U^2", "temperature p/rho", TRIAD_QUANTITY_OWN + TRIAD_FCT_T, "T", .scale = TRIAD_SCALE_LEAST},
  {"mach", NULL, "1", "Mach number |u|/c", TRIAD_QUANTITY_OWN + TRIAD_FCT_MACH, "mach", .scale = TRIAD_SCALE_FROM_ZERO,
   .shown = 2},
  {"schlieren", NULL, "1/L", "density gradient over density |grad rho|/rho", TRIAD_QUANTITY_OWN + TRIAD_FCT_SCHLIEREN,
   "schlieren", .scale = TRIAD_SCALE_FROM_ZERO, .shown = 1},
  {0}};

static const triad_reference references[] = {
  {NULL, "BorisBook1973", "Boris, Jay P. and Book, David L.",
   "Flux-corrected transport. {I}. {SHASTA}, a fluid transport algorithm that works",
   "Journal of Computational Physics", "11", "38--69", "1973", NULL},
  {"equations.transport=limited", "Zalesak1979", "Zalesak, Steven T.",
   "Fully multidimensional flux-corrected transport algorithms for fluids", "Journal of Computational Physics", "31",
   "335--362", "1979", NULL},
  {"equations.high_order=linear", "Toro1994", "Toro, E. F. and Spruce, M. and Speares, W.",
   "Restoration of the contact surface in the {HLL}-{Riemann} solver", "Shock Waves", "4", "25--34", "1994", NULL},
  {"equations.high_order=central equations.low_order=hllc", "Toro1994", "Toro, E. F. and Spruce, M. and Speares, W.",
   "Restoration of the contact surface in the {HLL}-{Riemann} solver", "Shock Waves", "4", "25--34", "1994", NULL},
  {"equations.high_order=linear equations.gradients=wide", "Haider2009",
   "Haider, Florian and Croisille, Jean-Pierre and Courbet, Bernard",
   "Stability analysis of the cell centered finite-volume {MUSCL} method on unstructured grids",
   "Numerische Mathematik", "113", "555--600", "2009", NULL},
  {"equations.high_order=linear equations.gradients=limited", "BarthJespersen1989",
   "Barth, Timothy J. and Jespersen, Dennis C.", "The design and application of upwind schemes on unstructured meshes",
   NULL, NULL, "AIAA paper 89-0366", "1989", NULL},
  {"grid.partition=metis", "KarypisKumar1998", "Karypis, George and Kumar, Vipin",
   "A fast and high quality multilevel scheme for partitioning irregular graphs",
   "SIAM Journal on Scientific Computing", "20", "359--392", "1998", NULL},
  {"grid.partition=scotch", "ChevalierPellegrini2008", "Chevalier, C. and Pellegrini, F.",
   "{PT}-{Scotch}: A tool for efficient parallel graph ordering", "Parallel Computing", "34", "318--331", "2008", NULL},
  {0}};

const triad_case_part triad_case_part_unstructured = {.family = "unstructured",
                                                      .solvers = solvers,
                                                      .keys = keys,
                                                      .rules = rules,
                                                      .quantities = quantities,
                                                      .references = references};
