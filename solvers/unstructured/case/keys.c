/* Keys of a case for flux-corrected transport on a mesh, and the rules between them. */
#include "case/rows.h"
#include "solvers/gas/keys.h"
#include "solvers/unstructured/case/part.h"
#include "solvers/unstructured/points/kinds.h"
#include "solvers/unstructured/plain/probe_text.h"

#include <string.h>

static const triad_solver_row solvers[] = {
  {{"fct", .about = "compressible ideal gas by flux-corrected transport, on meshes of any cell shape"},
   NULL,
   "uniform"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.gamma", REAL, ABOVE(1), .preset = "1.4", .help = "Ratio of specific heats."},
  {"equations.transport", WORD,
   WORDS({"limited", .about = "low-order flux plus as much of the antidiffusive flux as the bounds allow"},
         {"low", .about = "low-order flux only"}, {"high", .about = "high-order flux only"}),
   .preset = "limited", .help = "Combination of low- and high-order fluxes."},
  {"equations.low_order", WORD, .word_at = triad_gas_flux_word, .preset = "rusanov",
   .help = "Low-order flux. rusanov keeps density and pressure positive up to time.cfl = 1; hllc, van-leer and "
           "steger-warming do up to time.cfl = 0.5; roe, roe-sonic and ausm+ need not at strong jumps."},
  {"equations.high_order", WORD,
   WORDS({"linear", .about = "HLLC flux of face values reconstructed with the gradients of both cells"},
         {"central", .about = "mean of the fluxes of both cells"}),
   .preset = "linear", .used = "equations.transport!=low",
   .help = "High-order flux. central is second order on regular hexahedra only."},
  {"equations.gradients", WORD,
   WORDS({"wide", .about = "for cells with fewer than six faces, mean over the cell and its neighbours"},
         {"near", .about = "from face neighbours only"},
         {"limited", .about = "as wide, limited so that no face value exceeds those of the cell and its neighbours"}),
   .preset = "wide", .used = "equations.transport!=low equations.high_order=linear",
   .help = "Gradient reconstruction of high_order = \"linear\". On tetrahedra, which have four neighbours, near is "
           "unstable without limiting and overshoots behind shocks. On hexahedra both are the same."},
  {"equations.limited", TEXT_LIST(2), .preset = "density pressure", .used = "equations.transport=limited",
   .help = "Variables whose bounds limit the fluxes. density, or density and pressure: one factor per face for mass, "
           "momentum and energy. components: bounds and a factor for each of the five variables, which does not keep "
           "the pressure positive."},
  {"equations.prelimit", FLAG, .preset = "false", .used = "equations.transport=limited",
   .help = "Cancel antidiffusive fluxes directed down the gradient of the low-order solution, which would smooth it "
           "(Zalesak 1979)."},
  {"equations.viscosity", REAL, AT_LEAST(0), .preset = "0", .unit = "mass/(length time)",
   .help = "Dynamic viscosity of the laminar stress and the heat conduction. With 0, there is neither."},
  {"equations.prandtl", REAL, ABOVE(0), .preset = "0.72", .used = "equations.viscosity", .help = "Prandtl number."},
  {"equations.slack", REAL, BETWEEN(0, 0.1), .preset = "1e-4", .used = "equations.transport=limited",
   .help =
     "Relative widening of the bounds of density and pressure, as a fraction of the low-order solution. A margin "
     "is needed where density or pressure is uniform, as the pressure is across a contact. With 0, bounds hold to "
     "rounding. 0.01 suits flow without shocks and small Mach numbers."},

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .preset = "16 16 16", .used = "!grid.file",
   .help = "Number of cubes along x, y and z from which the mesh is generated."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length", .used = "!grid.file",
   .help = "Lengths of the box along x, y and z."},
  {"grid.file", TEXT, .preset = "",
   .help =
     "Mesh file of Gmsh (MSH 1 to 4.1), SU2, UGRID, VTK, medit or CGNS, also packed by gzip, or the folder of a case "
     "of OpenFOAM. "
     "Patches are its groups of surfaces: "
     "physical groups, markers, families; surfaces in no group have names such as surface-5. A plane mesh is "
     "extruded by one layer, with patches back and front. boundaries.patches must name all. In names, characters "
     "other than letters, digits and - become _. A group inside the mesh is skipped with a warning. A relative "
     "path starts at the folder of the case file."},
  {"grid.kind", WORD,
   WORDS(
     {"tets", .about = "six tetrahedra per cube"}, {"hexes", .about = "hexahedra"},
     {"prisms", .about = "two prisms per cube, along z"},
     {"pyramids", .about = "six pyramids per cube, with tips at its centre"},
     {"hybrid", .about = "hexahedra in the lower half along x, tetrahedra in the upper half"},
     {"polyhedra",
      .about =
        "hexagonal prisms along z in a brick pattern, as long as a cube; half prisms at the ends of every second row"},
     {"jet", .about = "for grid.shape = \"jet\": tetrahedra up to grid.joint, hexahedra beyond it"}),
   .preset = "tets", .used = "!grid.file",
   .help = "Cell shape of a generated mesh. Its patches are xmin, xmax, ymin, ymax, zmin and zmax."},
  {"grid.shake", REAL, BETWEEN(0, 0.25), .preset = "0", .used = "!grid.file",
   .help = "Largest random displacement of inner points along each axis, as a fraction of the cube spacing. It is the "
           "same on any number of ranks."},
  {"grid.shape", WORD,
   WORDS(W("box"), {"wedge", .about = "a box whose bottom rises from grid.corner on"},
         {"tube", .about = "a cylinder about the x axis, with the y component of grid.length as diameter"},
         {"jet", .about = "axisymmetric: a nozzle with exit at x = 0, and the space around and behind it"}),
   .preset = "box", .used = "!grid.file", .help = "Shape of a generated mesh."},
  {"grid.corner", REAL, ANY, .preset = "0.5", .unit = "length", .used = "!grid.file grid.shape=wedge",
   .help = "Position along x at which the bottom of a wedge starts to rise."},
  {"grid.angle", REAL, BETWEEN(-60, 60), .preset = "10", .unit = "degrees", .used = "!grid.file grid.shape=wedge",
   .help = "Angle of a wedge."},
  {"grid.cut", REALS(6), ANY, .preset = "0 0 0 0 0 0", .unit = "length", .used = "!grid.file",
   .help = "Box x0 x1 y0 y1 z0 z1 that is cut out: cubes with centres in it, before the shape is applied, are removed. "
           "Its boundary is patch cut."},
  {"grid.nozzle", REALS(4), ABOVE(0), .preset = "1 1.5 1 1", .unit = "length",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet",
   .help = "Nozzle of a jet: length, then diameters at inlet, throat and exit. It is convergent if throat and exit are "
           "equal, otherwise the throat is half-way. grid.length is the total length with the nozzle, and the diameter "
           "of the space around it. Patches: inlet, nozzle, ambient, outlet."},
  {"grid.lip", REAL, ABOVE(0), .preset = "0.05", .unit = "length",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet", .help = "Thickness of the nozzle wall."},
  {"grid.across", INTEGER, BETWEEN(2, 65536), .preset = "8",
   .used = "!grid.file grid.shape=jet or !grid.file grid.kind=jet",
   .help = "Number of cubes across the nozzle, out of those along y and z in grid.n. Next to the nozzle cells are as "
           "long as they are wide at its exit; beyond it they grow."},
  {"grid.joint", REAL, ANY, .preset = "3", .unit = "length", .used = "!grid.file grid.kind=jet",
   .help = "Position along x at which the tetrahedra of a jet mesh end."},
  {"grid.partition", WORD,
   WORDS({"planes", .about = "recursive bisection by planes"},
         {"curve", .about = "along a Hilbert curve through cell centres"},
         {"metis", .about = "METIS, which needs the graph of all cells on rank 0; if it does not fit there, PT-Scotch "
                            "or planes, with a warning"},
         {"scotch", .about = "PT-Scotch, with a distributed graph"}),
   .preset = "planes",
   .help = "Partitioning method on several ranks, which balances the number of faces per rank. The libraries also "
           "minimise the faces between ranks; in a build without the selected library the run ends with exit code 69. "
           "Results are equal to rounding, files do not depend on it."},
  {"grid.numbering", WORD,
   WORDS({"rcm", .about = "reverse Cuthill-McKee"}, {"morton", .about = "along Morton's curve"},
         {"coalesced", .about = "left cells of consecutive faces of a colour at unit stride, then right cells"}),
   .preset = "rcm", .help = "Order of cells in memory. Files do not depend on it."},
  {"grid.loops", WORD,
   WORDS({"gather", .about = "each cell gathers the fluxes of its faces"},
         {"colours", .about = "faces add to both cells, one colour after another"},
         {"atomics", .about = "faces add to both cells, in no fixed order"}),
   .preset = "gather",
   .help = "Loop that adds fluxes to indirectly addressed cells; structured zones always gather. gather and colours "
           "each give the same bits on any number of threads; all three agree to rounding."},
  {"grid.structured", WORD,
   WORDS({"auto", .about = "use structured zones for boxes of at least 4 x 4 x 4 hexahedra"},
         {"none", .about = "address all cells indirectly"}),
   .preset = "auto",
   .help = "Detection of structured zones of hexahedra, which need no index lists. Results are equal to rounding."},
  {"grid.layers", INTEGER, BETWEEN(0, 1048576), .preset = "0",
   .help = "Layers of a structured zone that a GPU processes at a time. Work arrays cover these and three more layers, "
           "which reduces memory. With 0, a quarter of the zone is used, if it has a million cells or more. Results do "
           "not depend on it."},
  {"grid.faces", WORD,
   WORDS({"auto", .about = "geometry of all faces if it fits in memory"}, {"kept", .about = "geometry of all faces"},
         {"corners", .about = "corners of faces between tetrahedra: a fifth less memory, steps about 5 % longer"}),
   .preset = "auto",
   .help = "Geometry of indirectly addressed faces that a GPU stores. Results are equal to rounding."},

  {"boundaries.patches", TEXT_LIST(TRIAD_MESH_PATCHES), .preset = "",
   .help = "Boundary conditions of patches: \"xmin: inflow, pressure=1, density=1.4, u=3\", \"xmax + ymax: outflow\". "
           "Kinds: slip, symmetry; inflow: given state; outflow: extrapolation; pressure: subsonic outflow; farfield: "
           "characteristic, with optional sponge=WIDTH, strength=RATE; noslip: adiabatic, or with temperature=; total: "
           "reservoir with pressure=, temperature=; periodic: with=PATCH, for boxes the opposite one, or \"a + b: "
           "periodic\". "
           "temperature is p/rho, default 1. A name counts before \"*\", which means all patches that no text names, "
           "wherever it "
           "is in the list. Without it, those of generated meshes are slip walls. Patches back and front of an "
           "extruded plane "
           "mesh are slip walls unless a text names them; \"*\" does not mean them."},

  {"reference.area", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2",
   .help = "Reference area of the force coefficients of walls. With 0, there are no coefficients."},
  {"reference.length", REAL, ABOVE(0), .preset = "1", .unit = "length", .used = "reference.area",
   .help = "Reference length of moment coefficients and of the Strouhal number."},
  {"reference.density", REAL, AT_LEAST(0), .preset = "0", .unit = "mass/length^3", .used = "reference.area",
   .help = "Reference density of coefficients. With 0, that of the first inflow or far field with a velocity."},
  {"reference.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time", .used = "reference.area",
   .help = "Reference velocity of coefficients, whose direction is that of drag. With 0 0 0, that of the first inflow "
           "or far field with a velocity."},
  {"reference.centre", REALS(3), ANY, .preset = "0.25 0 0", .unit = "length", .used = "reference.area",
   .help = "Reference point of moments."},
  {"reference.up", WORD, WORDS(W("y"), W("z")), .preset = "y", .used = "reference.area",
   .help = "Direction of lift in a stream along x."},

  {"initial.kind", WORD, .word_at = triad_unstructured_start_word, .example = "sod", .help = "Initial condition."},
  {"initial.density", REAL, ABOVE(0), .preset = "1", .unit = "mass/length^3",
   .used = "initial.kind!=sod|nearest|checkpoint", .help = "Background density of uniform, blast, wave and vortex."},
  {"initial.velocity", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .used = "initial.kind!=sod|nearest|checkpoint",
   .help = "Background velocity of uniform, blast, wave and vortex along x, y and z."},
  {"initial.pressure", REAL, ABOVE(0), .preset = "1", .unit = "mass/(length time^2)",
   .used = "initial.kind!=sod|nearest|checkpoint", .help = "Pressure of uniform, blast, wave and vortex."},
  {"initial.left", REALS(5), ANY, .preset = "1 0 0 0 1", .used = "initial.kind=sod",
   .help = "State of sod below initial.position: density, velocity along x, y and z, and pressure."},
  {"initial.right", REALS(5), ANY, .preset = "0.125 0 0 0 0.1", .used = "initial.kind=sod",
   .help = "State of sod above initial.position: density, velocity along x, y and z, and pressure."},
  {"initial.position", REAL, ANY, .preset = "0.5", .unit = "length", .used = "initial.kind=sod",
   .help = "Position of the membrane of sod along x."},
  {"initial.centre", REALS(3), ANY, .preset = "0 0 0", .unit = "length", .used = "initial.kind=blast|vortex",
   .help = "Centre of blast and vortex."},
  {"initial.radius", REAL, ABOVE(0), .preset = "0.1", .unit = "length", .used = "initial.kind=blast|vortex",
   .help = "Radius of the sphere with the energy of blast, or of the core of vortex."},
  {"initial.energy", REAL, AT_LEAST(0), .preset = "1", .unit = "mass length^2/time^2", .used = "initial.kind=blast",
   .help =
     "Energy of blast in the whole sphere. If the centre is on symmetry planes, the mesh contains a fraction of it."},
  {"initial.amplitude", REAL, ANY, .preset = "0.1", .used = "initial.kind=wave|vortex|shear|taylor-green",
   .help = "Amplitude of the initial disturbance. wave: relative to the density. Others: maximum velocity."},
  {"initial.waves", REAL, ABOVE(0), .preset = "2", .used = "initial.kind=shear",
   .help = "Number of half waves of shear over the height of the mesh."},

  TRIAD_GAS_FORCE_KEYS,

  {"output.means", FLAG, .preset = "false",
   .help = "Compute time averages of density, velocity, pressure, the stresses and the pressure variance. Each step "
           "has its length as weight. They are written to field files and checkpoints."},
  {"output.means_from", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "output.means",
   .help = "Time at which averaging starts."},
  {"output.probes", TEXT_LIST(TRIAD_UNSTRUCTURED_PROBES), .preset = "",
   .help = "Probes of density, velocity and pressure: \"lip: point, x=0, y=0.5\", \"axis: line, x=0, to_x=20, n=101\", "
           "or, for triad far-field, \"far: cylinder, x=0, to_x=20, radius=3, n=81, around=32\" parallel to the x "
           "axis and \"end: disk, x=20, radius=3, n=12, around=32\" across it, with n rings. Missing coordinates are "
           "0; those of the end of a line equal those of its start. Values are those of the cell at each point."},
  {"output.probes_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "output.probes",
   .help = "Time between rows of probes. Each row is written after the first step that reaches its time. With 0, every "
           "step writes one."},

  {"time.scheme", WORD,
   WORDS({"two-stage", .about = "midpoint rule: half a step, then a full step with the midpoint fluxes"}),
   .preset = "two-stage", .help = "Time integration scheme."},
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
                                "equations.limited: unknown variable \"%s\": use density, pressure or components",
                                text[i]);
  }
  if (components && n > 1)
    triad_case_error_of(c, "equations.limited",
                        "equations.limited: \"components\" cannot be combined with other variables: use it alone");
  if (n > 0 && !density && !components)
    triad_case_error_of(c, "equations.limited", "equations.limited: \"pressure\" requires \"density\" too");
}

static void check_patches(triad_case *c)
{
  const char *text[TRIAD_MESH_PATCHES];
  char why[TRIAD_UNSTRUCTURED_WHY];
  triad_unstructured_patch patch[TRIAD_MESH_PATCHES];
  int n =
    triad_case_good(c, "boundaries.patches") ? triad_case_texts(c, "boundaries.patches", text, TRIAD_MESH_PATCHES) : 0;
  for (int i = 0; i < n; i++)
    if (!triad_unstructured_patches_read(patch, TRIAD_MESH_PATCHES, text[i], why))
      triad_case_error_of_value(c, "boundaries.patches", i, "boundaries.patches: %s", why);
}

static void check_probes(triad_case *c)
{
  const char *text[TRIAD_UNSTRUCTURED_PROBES];
  char why[TRIAD_UNSTRUCTURED_PROBE_WHY];
  triad_unstructured_probe probe;
  int n =
    triad_case_good(c, "output.probes") ? triad_case_texts(c, "output.probes", text, TRIAD_UNSTRUCTURED_PROBES) : 0;
  for (int i = 0; i < n; i++)
    if (!triad_unstructured_probe_read(&probe, text[i], why))
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
  triad_gas_force_rules(c, 0);
}

static const triad_quantity quantities[] = {
  {"rho", NULL, "M/L^3", "density", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_RHO, "rho", .scale = TRIAD_SCALE_LEAST},
  {"u", NULL, "U", "velocity along x", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_U, .field = "u"},
  {"v", NULL, "U", "velocity along y", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_V, .field = "v"},
  {"w", NULL, "U", "velocity along z", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_W, .field = "w"},
  {"p", NULL, "M/(L T^2)", "pressure", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_P, "p", .scale = TRIAD_SCALE_LEAST},
  {"T", NULL, "U^2", "temperature p/rho", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_T, "T", .scale = TRIAD_SCALE_LEAST},
  {"mach", NULL, "1", "Mach number |u|/c", TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_MACH, "mach",
   .scale = TRIAD_SCALE_FROM_ZERO, .shown = 2},
  {"schlieren", NULL, "1/L", "relative density gradient |grad rho|/rho",
   TRIAD_QUANTITY_OWN + TRIAD_UNSTRUCTURED_SCHLIEREN, "schlieren", .scale = TRIAD_SCALE_FROM_ZERO, .shown = 1},
  {0}};

#define TRIAD_GAS_KEY "equations.low_order="
static const triad_reference references[] = {
  {NULL, "BorisBook1973", "Boris, Jay P. and Book, David L.",
   "Flux-corrected transport. {I}. {SHASTA}, a fluid transport algorithm that works",
   "Journal of Computational Physics", "11", "38--69", "1973", NULL},
  {"equations.transport=limited", "Zalesak1979", "Zalesak, Steven T.",
   "Fully multidimensional flux-corrected transport algorithms for fluids", "Journal of Computational Physics", "31",
   "335--362", "1979", NULL},
  {"equations.high_order=linear", "Toro1994", "Toro, E. F. and Spruce, M. and Speares, W.",
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
  TRIAD_GAS_FLUXES(TRIAD_GAS_REFERENCE){"grid.partition=scotch", "ChevalierPellegrini2008",
                                        "Chevalier, C. and Pellegrini, F.",
                                        "{PT}-{Scotch}: A tool for efficient parallel graph ordering",
                                        "Parallel Computing", "34", "318--331", "2008", NULL},
  {0}};

const triad_case_part triad_case_part_unstructured = {.family = "unstructured",
                                                      .solvers = solvers,
                                                      .keys = keys,
                                                      .rules = rules,
                                                      .quantities = quantities,
                                                      .references = references};
