/* The part of the case of the spectral solvers: keys and quantities of slices that all sets share. Those of one set are
 * in its source, rules between keys in plain/rules.c. */
#include "case/mean.h"
#include "case/part.h"
#include "case/rows.h"
#include "solvers/particles/keys.h"
#include "solvers/box/probe_keys.h"
#include "solvers/closure/keys.h"
#include "solvers/quantities.h"
#include "solvers/spectral/equations/list.h"
#include "solvers/spectral/force/plain/force_list.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/relax/relax_keys.h"
#include "solvers/spectral/plain/rules.h"
#include "solvers/spectral/plain/shear_case.h"
#include "solvers/spectral/plain/target.h"
#include "solvers/spectral/step/stepper.h"

#define FLUIDS "hd boussinesq mhd"
#define CARRIERS "hd boussinesq mhd gpe text" /* of particles: the sets that have a velocity */

static const triad_solver_row solvers[] = {{{0}, NULL, NULL}}; /* all of them are in parts of their own */

static const triad_word *scheme_word(int i) { return triad_scheme_word(TRIAD_STEPPER_FORMS, i); }

/* What formulas of forces are of: a point, the time, the set's own fields in their order. */
static const char *const of_hd[] = {"x", "y", "z", "t", "u", "v", "w", NULL};
static const char *const of_boussinesq[] = {"x", "y", "z", "t", "u", "v", "w", "theta", NULL};
static const char *const of_mhd[] = {"x", "y", "z", "t", "u", "v", "w", "bx", "by", "bz", NULL};

#define FORCE_KEYS(set, variables) \
  {"forcing.u", \
   .solvers = set, \
   TEXT, \
   .formula = variables, \
   .preset = "", \
   .unit = "length/time^2", \
   .used = "forcing.kind=formula", \
   .help = "With kind formula, the acceleration along x. Its mean and the part with divergence are removed. Sums of " \
           "products f(x, y, z) g(t) or field times g(t) are cheap. Other formulas are evaluated at the grid points " \
           "in every stage; on GPUs NVRTC compiles them, or the host evaluates them."}, \
    {"forcing.v", \
     .solvers = set, \
     TEXT, \
     .formula = variables, \
     .preset = "", \
     .unit = "length/time^2", \
     .used = "forcing.kind=formula", \
     .help = "With kind formula, the acceleration along y."}, \
    {"forcing.w", \
     .solvers = set, \
     TEXT, \
     .formula = variables, \
     .preset = "", \
     .unit = "length/time^2", \
     .used = "forcing.kind=formula", \
     .help = "With kind formula, the acceleration along z."}, \
  { \
    "forcing.scalars", .solvers = set, TEXT_LIST(1000), .formula = variables, .preset = "", .unit = "scalar/time", \
                       .used = "forcing.kind=formula", \
                       .help = "With kind formula, the sources of the passive scalars, one formula per scalar. " \
                               "Scalars beyond the end of the list have no source." \
  }

/* What formulas of bodies and sponges are of. */
static const char *const triad_relax_space_time[] = {"x", "y", "z", "t", NULL};
static const char *const triad_relax_time[] = {"t", NULL};

/* What formulas of quantities are of (measure/quantity.h). */
#define SLOPES(field) field, "dx(" field ")", "dy(" field ")", "dz(" field ")"
static const char *const shown_hd[] = {"x", "y", "z", SLOPES("u"), SLOPES("v"), SLOPES("w"), NULL};
static const char *const shown_boussinesq[] = {"x", "y", "z", SLOPES("u"), SLOPES("v"), SLOPES("w"), SLOPES("theta"),
                                               NULL};
static const char *const shown_mhd[] = {"x",         "y",          "z",          SLOPES("u"),  SLOPES("v"),
                                        SLOPES("w"), SLOPES("bx"), SLOPES("by"), SLOPES("bz"), NULL};

#define QUANTITY_KEY(set, variables) \
  { \
    "output.quantities.formula", MANY, .solvers = set, TEXT, .formula = variables, .example = "u*dx(w)", \
                                       .help = "Formula of this quantity." \
  }

static const triad_key keys[] = {
  {"equations.viscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity nu, in the term -nu k^2 u. With 0, the flow is inviscid."},
  {"equations.hyperviscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^(2 order)/time",
   .help = "Coefficient nu_h of the term -nu_h k^(2 order) u, which dissipates energy at the smallest scales only."},
  {"equations.hyperviscosity_order", .solvers = FLUIDS, INTEGER, BETWEEN(2, 16), .preset = "2",
   .used = "equations.hyperviscosity", .help = "Order of the hyperviscous term. 2 is the square of the Laplacian."},
  {"equations.drag", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/time",
   .help =
     "Coefficient of the linear drag, the term -drag u. It dissipates energy at the large scales of a forced flow."},
  {"equations.drag_wavenumber", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/length",
   .used = "equations.drag", .help = "Highest wavenumber |k| on which the drag acts. With 0, it acts on every mode."},
  {"equations.rotation", .solvers = FLUIDS, REALS(3), ANY, .preset = "0 0 0", .unit = "1/time",
   .help = "Angular velocity Omega of the rotating frame along x, y and z, in the term -2 Omega x u."},
  {"equations.shear", .solvers = FLUIDS, REAL, ANY, .preset = "0", .unit = "1/time",
   .help = "Rate S of a mean shear flow U = S y along x, around which the flow in the box is homogeneous "
           "(docs/methods/shear.md). The fields are those of the fluctuations. With 0, there is no mean flow."},
  {"equations.mean_velocity", .solvers = FLUIDS, REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .help =
     "Mean velocity of the flow in the box, which is held: past bodies, a uniform acceleration makes up for their "
     "drag. Energies include that of the mean."},
  {"equations.scalars", .solvers = FLUIDS, REAL_LIST(1000), AT_LEAST(0), .preset = "", .unit = "length^2/time",
   .help = "Diffusivities of the passive scalars, one value per scalar. With [] there are no scalars."},
  {"equations.scalar_gradients", .solvers = FLUIDS, REAL_LIST(3000), ANY, .preset = "", .unit = "scalar/length",
   .help = "Mean gradients of the scalars: x, y and z components for the first, then for the second, and so on. With "
           "[] there are none."},

  {"grid.truncation", WORD, WORDS(W("sphere"), W("box"), W("none")), .preset = "sphere",
   .help = "Retained modes, with K_i = floor((n_i - 1)/3). sphere: the sum of (k_i/K_i)^2 is at most 1. box: every "
           "|k_i| is at most K_i. Both are free of aliasing. none: all modes, with aliasing, for tests; random fields "
           "and forces on bands then exclude |k_i| = n_i/2."},
  {"grid.radius", REAL, AT_LEAST(0), .preset = "0",
   .help = "Radius of the sphere in modes of the longest axis, of n points; scaled along the others. It must be below "
           "floor((n + 2)/3) with no |k_i| beyond K_i, or below sqrt(2)/3 n with phase-shift. With 0, it is K, or the "
           "maximum with phase-shift."},
  {"grid.dealiasing", .solvers = FLUIDS, WORD,
   WORDS({"truncation", .about = "discard modes above a third of the number of points"},
         {"phase-shift", .about =
                           "retain a sphere of radius sqrt(2)/3 n, 2.83 times as many modes, and evaluate products "
                           "on grids shifted relative to each other"}),
   .preset = "truncation",
   .help = "Method that removes aliasing errors. gpe has cubic products and requires truncation."},
  {"grid.shifts", .solvers = FLUIDS, WORD, WORDS(W("random"), W("exact")), .preset = "random",
   .used = "grid.dealiasing=phase-shift",
   .help =
     "Grids for phase-shift. random: one grid per step, shifted at random every four steps, so that aliases cancel to "
     "second order in dt. exact: two grids half a cell apart, which removes aliases to round-off at twice the cost."},

  {"initial.kind", WORD, .word_at = triad_spectral_start_word, .example = "taylor-green", .help = "Initial condition."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .used = "initial.kind!=random|rest|formula|file|checkpoint",
   .help = "Velocity amplitude of taylor-green, abc, orszag-tang, shear-layer and the waves; for puff, its height."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "initial.kind!=random|rest|formula|file|checkpoint or initial.kind=random initial.spectrum=gaussian",
   .help = "Initial wavenumber. taylor-green, abc and orszag-tang: periods along each side of the box. shear-layer: "
           "periods of the disturbance along x. random: peak k0 of the gaussian spectrum, in units of the smallest "
           "wavenumber of the box."},
  {"initial.abc", REALS(3), ANY, .preset = "1 1 1", .used = "initial.kind=abc",
   .help = "Coefficients A, B and C of the ABC flow."},
  {"initial.two_dimensional", FLAG, .preset = "false", .used = "initial.kind=taylor-green|orszag-tang",
   .help = "Start from a plane vortex. taylor-green: (sin x cos y, -cos x sin y, 0), which decays without becoming "
           "turbulent. orszag-tang: the plane vortex of 1979."},
  {"initial.energy", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2", .used = "initial.kind=random",
   .help = "Mean of |u|^2/2 of a random initial velocity."},
  {"initial.spectrum", WORD, WORDS(W("gaussian"), W("power-law")), .preset = "gaussian",
   .used = "initial.kind!=rest|formula|file|checkpoint",
   .help = "Energy spectrum of a random field. gaussian: E(k) ~ (k/k0)^4 exp(-2 (k/k0)^2). power-law: E(k) ~ k^slope "
           "for k within k_range and 0 elsewhere."},
  {"initial.slope", REAL, ANY, .preset = "-5/3",
   .used = "initial.spectrum=power-law initial.kind!=rest|formula|file|checkpoint",
   .help = "Exponent of the power-law spectrum."},
  {"initial.k_range", REALS(2), .rising = 1, ABOVE(0), .preset = "1 4",
   .used = "initial.spectrum=power-law initial.kind!=rest|formula|file|checkpoint",
   .help = "Lowest and highest wavenumber of the power-law spectrum, in units of the smallest wavenumber of the box."},
  {"initial.helicity", REAL, BETWEEN(-1, 1), .preset = "0", .used = "initial.kind=random or initial.noise",
   .help = "Relative helicity of a random field. 0 gives none; 1 or -1 gives modes of one handedness only."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "initial.kind!=rest|formula|file|checkpoint",
   .help = "Seed of a random field. A seed gives the same field on any number of ranks, and on any grid that contains "
           "its modes."},
  {"initial.wave", .solvers = FLUIDS, INTEGERS(3), BETWEEN(-1048576, 1048576), .preset = "1 0 1",
   .used = "initial.kind=alfven-wave|inertial-wave|internal-wave",
   .help = "Periods of alfven-wave, inertial-wave and internal-wave along x, y and z."},
  {"initial.direction", .solvers = FLUIDS, WORD, WORDS(W("forward"), W("backward")), .preset = "forward",
   .used = "initial.kind=alfven-wave|inertial-wave|internal-wave",
   .help = "Phase velocity of the wave, along its wavevector (forward) or against it (backward). With unstable "
           "stratification, forward grows and backward decays."},
  {"initial.width", .solvers = FLUIDS, REAL, ABOVE(0), .preset = "0.3", .unit = "length",
   .used = "initial.kind=shear-layer|puff",
   .help = "Half thickness d of a shear layer, tanh(z/d), or radius d of a puff, exp(-r^2/(2 d^2)). It should be "
           "several grid spacings."},
  {"initial.centre", .solvers = FLUIDS, REALS(3), BETWEEN(0, 1), .preset = "0.5 0.5 0.5", .used = "initial.kind=puff",
   .help = "Centre of the puff along x, y and z, as fractions of the box."},
  {"initial.disturbance", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.01", .used = "initial.kind=shear-layer",
   .help = "Amplitude of the perturbation of a shear layer, in units of initial.amplitude: a vertical velocity that is "
           "a wave along x."},
  {"initial.noise", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .used = "initial.kind=shear-layer|puff",
   .help = "Mean of |u|^2/2 of a random velocity that is added to a shear layer or a puff."},
  {"initial.scalar_variance", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.5", .unit = "scalar^2",
   .used = "equations.scalars initial.kind!=puff|rest|formula|file|checkpoint",
   .help = "Mean of s^2/2 of each passive scalar, a random field with the spectrum of random fields. It applies to "
           "every kind except puff, rest, formula, file and checkpoint."},
  {"initial.u", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along x. Its mean and the part with divergence are removed."},
  {"initial.v", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along y."},
  {"initial.w", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along z."},
  {"initial.scalars", .solvers = FLUIDS, FORMULA_LIST(1000), .preset = "", .unit = "scalar",
   .used = "initial.kind=formula",
   .help = "With kind formula, the passive scalars, one formula per scalar. Scalars beyond the end of the list start "
           "from zero."},
  {"initial.any_solver", FLAG, .preset = "false", .used = "initial.kind=checkpoint",
   .help = "With kind checkpoint, accept a checkpoint of another solver: fields with the same name are read, the "
           "others start from zero."},

  {"forcing.kind", WORD, .word_at = triad_force_word, .preset = "none",
   .help = "Force. Steady: taylor-green, abc. Random: random (white in time), ornstein-uhlenbeck (with a correlation "
           "time). Proportional to the velocity: constant-power (of given power), constant-energy (keeps the energy of "
           "a band), linear. User-defined: formula, or file "
           "(modes as functions of time)."},
  {"forcing.file", .solvers = FLUIDS, TEXT, .preset = "", .used = "forcing.kind=file",
   .help = "With kind file, an HDF5 file with datasets t (times), k (mode, 3), integer wavevectors, and f (time, mode, "
           "component, 2), real and imaginary parts for forcing.field, with three components or one. Conjugate modes "
           "are added. A relative path starts at the folder of the case file."},
  {"forcing.interpolation", .solvers = FLUIDS, WORD, WORDS(W("linear"), W("cubic")), .preset = "linear",
   .used = "forcing.kind=file",
   .help = "With kind file, interpolation between the times in the file: linear, or cubic, which has continuous "
           "derivatives."},
  {"forcing.field", .solvers = FLUIDS, WORD,
   WORDS(W("velocity"), W_FOR("magnetic", "mhd"), W_FOR("theta", "boussinesq")), .preset = "velocity",
   .used = "forcing.kind!=none",
   .help = "Field on which the force acts: velocity, magnetic (mhd), or theta (boussinesq; not with taylor-green or "
           "abc). Powers then refer to mean |b|^2/2 or mean theta^2/2."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .used = "forcing.kind=taylor-green|abc|ornstein-uhlenbeck",
   .help = "Acceleration amplitude of taylor-green and abc. For ornstein-uhlenbeck, the rms over the box and over "
           "time; its power is about amplitude^2 times the correlation time, if that time is short."},
  {"forcing.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1", .used = "forcing.kind=taylor-green|abc",
   .help = "Periods of the taylor-green or abc force along each side of the box."},
  {"forcing.abc", REALS(3), ANY, .preset = "1 1 1", .used = "forcing.kind=abc",
   .help = "Coefficients A, B and C of the abc force."},
  {"forcing.power", REAL, AT_LEAST(0), .preset = "0.1", .unit = "length^2/time^3",
   .used = "forcing.kind=random|constant-power",
   .help = "Power, the energy per unit time, that random and constant-power inject. With forcing.hold it is the "
           "initial power."},
  {"forcing.k_range", REALS(2), .rising = 1, AT_LEAST(0), .preset = "1 2",
   .used = "forcing.kind=random|ornstein-uhlenbeck|constant-power|constant-energy",
   .help = "Lowest and highest wavenumber forced by random, ornstein-uhlenbeck, constant-power and constant-energy, in "
           "units of the smallest wavenumber of the box."},
  {"forcing.helicity", REAL, BETWEEN(-1, 1), .preset = "0", .used = "forcing.kind=random|ornstein-uhlenbeck",
   .help =
     "Relative helicity of random and ornstein-uhlenbeck. 0 gives none; 1 or -1 gives modes of one handedness only."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "forcing.kind=random|ornstein-uhlenbeck",
   .help = "Seed of random and ornstein-uhlenbeck."},
  {"forcing.correlation_time", .solvers = FLUIDS, REAL, ABOVE(0), .preset = "1", .unit = "time",
   .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Correlation time of ornstein-uhlenbeck: the correlation decays as exp(-t/correlation_time)."},
  {"forcing.rate", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.1", .unit = "1/time",
   .used = "forcing.kind=linear",
   .help = "Rate A of linear, the force A u on all modes. Its power is 2 A times the energy."},
  {"forcing.energy", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .used = "forcing.kind=constant-energy",
   .help = "Energy that constant-energy maintains in the forced band. With 0, it is the initial energy of the band."},
  FORCE_KEYS("hd", of_hd),
  FORCE_KEYS("boussinesq", of_boussinesq),
  FORCE_KEYS("mhd", of_mhd),
  {"forcing.theta", .solvers = "boussinesq", TEXT, .formula = of_boussinesq, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, the source of theta, added to its rate of change."},
  {"forcing.bx", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula",
   .help =
     "With kind formula, the source of the magnetic field along x. Its mean and the part with divergence are removed."},
  {"forcing.by", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, the source of the magnetic field along y."},
  {"forcing.bz", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, the source of the magnetic field along z."},
  {"forcing.hold", .solvers = FLUIDS, WORD,
   WORDS(W("none"), W("energy"), W("dissipation"), W("re_lambda"), W("kmax_eta")), .preset = "none",
   .help = "Column of series.csv to control. The power of random, constant-power or ornstein-uhlenbeck is adjusted, "
           "about once per turnover time, until the mean of this column is forcing.hold_value."},
  {"forcing.hold_value", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .used = "forcing.hold!=none",
   .help = "Target value of the column in forcing.hold, in the unit of that column."},
  {"forcing.hold_interval", .solvers = FLUIDS, INTEGER, BETWEEN(1, 1048576), .preset = "10",
   .used = "forcing.hold!=none",
   .help =
     "Steps between adjustments of the power by forcing.hold. Each adjustment requires one measurement of the series."},

  TRIAD_CLOSURE_KEYS(
    "hd boussinesq",
    TRIAD_CLOSURE_BOX_WORDS, "Subgrid model of a large-eddy simulation.",
    "it is pi/k_c along each axis, k_c the largest retained wavenumber, and the geometric mean of the three."),
  TRIAD_CLOSURE_PRANDTL_KEY("hd boussinesq"),
  {"closure.kolmogorov_constant", .solvers = "hd boussinesq", REAL, ABOVE(0), .preset = "1.4",
   .used = "closure.model=spectral", .help = "Kolmogorov constant C_K of spectral."},
  {"closure.interval", .solvers = "hd boussinesq", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "closure.model=dynamic-smagorinsky",
   .help = "Steps between computations of the coefficient of dynamic-smagorinsky, which cost about a step."},
  TRIAD_BODY_KEYS(FLUIDS),
  TRIAD_SPONGE_KEYS(FLUIDS),
  TRIAD_BODY_REFERENCE_KEYS(FLUIDS),

  {"target.re_lambda", .solvers = "hd", REAL, AT_LEAST(0), .preset = "0",
   .help = "Target Taylor-scale Reynolds number of forced turbulence. Triad then chooses grid.n, equations.viscosity, "
           "forcing.power and forcing.hold, except those that the case gives, and prints the choice with its reason. "
           "With 0, nothing is chosen."},
  {"target.kmax_eta", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0",
   .help =
     "Target k_max eta, which determines grid.n. With target.grid \"follow\", the minimum k_max eta at all times."},
  {"target.grid", .solvers = FLUIDS, WORD, WORDS(W("fixed"), W("follow")), .preset = "fixed",
   .help = "Adaptive grid size. With follow, the run continues on a finer grid, from a checkpoint, if k_max eta falls "
           "below target.kmax_eta, and on a coarser grid if the modes it omits are empty. An empty outermost fifth of "
           "wavenumbers also counts as resolved. grid.n is the initial grid."},
  {"target.empty", .solvers = FLUIDS, REAL, BETWEEN(1e-12, 0.1), .preset = "1e-4", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": modes count as empty if they contain less than this fraction of mean(|grad "
           "f|^2), for each field f. A grid with k_max eta below the target needs less than a tenth of it in the "
           "outermost fifth of wavenumbers."},
  {"target.interval", .solvers = FLUIDS, INTEGER, BETWEEN(1, 1048576), .preset = "5", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": steps between checks of the grid size."},
  {"target.n_least", .solvers = FLUIDS, INTEGER, BETWEEN(8, 65536), .preset = "32", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": minimum number of points along the longest axis."},
  {"target.n_most", .solvers = FLUIDS, INTEGER, BETWEEN(0, 65536), .preset = "0", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": maximum number of points along the longest axis. With 0, the memory sets the "
           "maximum. If a larger grid is needed, the run continues with a warning."},

  {"time.scheme", WORD, .word_at = scheme_word, .preset = "rk3",
   .help = "Runge-Kutta scheme. The viscous term is integrated exactly."},

  TRIAD_PARTICLE_KEYS(CARRIERS),
  {"particles.interpolation", MANY, .solvers = CARRIERS, WORD,
   WORDS(W("spline4"), W("spline6"), W("lagrange6"), W("lagrange8"), W("linear")), .preset = "spline4",
   .help =
     "Interpolation of fields to particles. spline4, spline6: B-splines of order 4 or 6, with extra transforms. "
     "lagrange6, lagrange8: polynomials through 6 or 8 points per axis, without transforms. At kmax_eta = 1.5 their "
     "errors are 2.9e-4, 3.7e-5, 7.6e-4 and 3.6e-4 of the rms velocity. linear: second order, for comparison."},
  {"particles.sample", MANY, .solvers = CARRIERS, TEXT_LIST(16), .preset = "",
   .help = "Fluid quantities at each particle to write in addition to position and velocity: velocity, vorticity, "
           "gradient (du_i/dx_j), and fields by name, such as theta or scalar1. For solver gpe: velocity and density. "
           "For solver text, the first of equations.fields is the velocity."},
  {"particles.least_density", MANY, .solvers = "gpe", REAL, BETWEEN(1e-6, 1), .preset = "0.1",
   .help = "Minimum density for the superfluid velocity, current/density, as a fraction of equations.density. Below "
           "it, in vortex cores, the current is divided by this minimum."},
  {"output.fields", TEXT_LIST(TRIAD_FIELD_LIST), .preset = "",
   .help =
     "Quantities in field files, as for slices (`triad case --quantities`), such as [\"u\", \"pressure\", \"q\"]. "
     "Three consecutive components form a vector. \"modes 64\" filters to |k| up to 64 times the smallest wavenumber, "
     "on fewer points. \"box 0 pi 0 2pi 1 2\" selects the part with 0 < x < pi, 0 < y < 2pi, 1 < z < 2. Without a "
     "quantity, the fields of the state."},
  {"output.fields_precision", WORD, WORDS(W("run"), W("single"), W("double")), .preset = "run",
   .help = "Precision of the numbers in field files: the precision of the run, or the one named."},
  {"output.fields_error", REAL, BETWEEN(0, 0.1), .preset = "0",
   .help = "Relative error allowed in field files, which are then compressed by zfp. In every shell of wavenumbers the "
           "rms error is at most this fraction of the rms of the field, checked as each field is written. With 0, "
           "fields are written without loss."},
  {"output.slices_points", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help = "Points of a slice along its longest axis, scaled along the other, if this exceeds the grid. Fields are "
           "evaluated exactly from their modes, which gives smooth pictures. With 0, slices use the grid points."},
  {"output.spectra_axis", WORD, WORDS(W("auto"), W("none"), W("x"), W("y"), W("z")), .preset = "auto",
   .help = "Axis for spectra over k_perp, over k_par and over both, in addition to shells. auto: the vertical with "
           "buoyancy, else "
           "the axis of the mean magnetic field, otherwise of the rotation; none if these are not along an axis."},
  {"output.aliasing", .solvers = FLUIDS, FLAG, .preset = "false",
   .help = "With phase-shift, add the column aliasing to series.csv: the aliased fraction of the rates of change on "
           "the grid of the next step, from two evaluations of the nonlinear term half a cell apart."},
  {"output.transfer", FLAG, .preset = "true",
   .help = "Write the energy transfer and flux by shells with the spectra. This costs one or two evaluations of the "
           "nonlinear term. With grid.truncation \"none\" products are aliased and nothing is written."},
  {"output.line_spectra", FLAG, .preset = "false",
   .help = "Write 1-D spectra of each field along x, y and z, longitudinal and transverse, with the spectra."},
  {"output.structure_functions", WORD, WORDS(W("none"), W("log"), W("all")), .preset = "none",
   .help = "Write structure functions of order 2 to 8 of each field with the spectra, for separations along x, y and "
           "z. log: half an octave apart. all: every separation up to half the box. The 1-D spectra used to verify "
           "them are written too."},
  {"output.increment_pdfs", INTEGER, BETWEEN(0, 100000), .preset = "0", .used = "output.structure_functions!=none",
   .help =
     "Number of bins of the PDFs of increments, which are written with structure functions. With 0, there are none."},
  TRIAD_PROBE_KEYS("Values are sums over all modes, exact to rounding; a lattice costs as much as its points along z."),
  {"output.probes_quantities", TEXT_LIST(TRIAD_OWN_QUANTITIES), .solvers = FLUIDS, .preset = "",
   .help = "Names of [[output.quantities]] to write at probes after the fields. Their derivatives are also exact sums "
           "over all modes."},
  {"output.means", TEXT_LIST(TRIAD_MEANS), .preset = "",
   .help =
     "Running means over time with standard errors, in means.h5. All series columns are included. Shells and axis "
     "spectra, with transfers and fluxes: \"spectra\". Fields and velocity derivatives: \"moments\" (up to four) "
     "and \"pdfs\". Means and covariances over planes: \"profiles z\" (or x, y). The last three also of "
     "[[output.quantities]]: \"quantities\". With [], there are no means."},
  TRIAD_MEAN_TIME_KEYS,

  {"output.quantities.name", MANY, .solvers = FLUIDS, TEXT, .example = "shear_work",
   .help = "Name of a user-defined quantity for output.slices, output.fields, output.means and "
           "output.probes_quantities. It has letters, digits and _, at most 31."},
  {"output.quantities.unit", MANY, .solvers = FLUIDS, TEXT, .preset = "",
   .help = "Unit of the quantity, as text, such as \"U^2/L\"; \"\" for none."},
  QUANTITY_KEY("hd", shown_hd),
  QUANTITY_KEY("boussinesq", shown_boussinesq),
  QUANTITY_KEY("mhd", shown_mhd),

  {"parallel.split", INTEGERS(2), BETWEEN(0, 1048576), WORDS(W("auto")), .preset = "0 0",
   .help = "Number of groups of ranks, and of ranks per group. The ranks of a group share planes, so that there may be "
           "more ranks than planes. The product is the number of ranks; a 0 is computed from the other. [0, 1] gives "
           "every rank whole planes. [0, 0] or \"auto\" uses the result of triad tune, otherwise whole planes. On GPUs "
           "it excludes particles; it excludes parallel.device = \"offload\"."},
  {"parallel.lines", WORD,
   WORDS(
     {"auto", .about = "GPUs: built-in kernels, cuFFT for lengths without one; CPUs: the faster one by measurement"},
     {"own", .about = "built-in kernels; exit code 69 if there is none for a length of grid.n, unless device = "
                      "\"auto\" can take the CPU"},
     {"cufft", .about = "cuFFT in batches, one plan per stream; on GPUs and with offload only"},
     {"fftw", .about = "FFTW; on CPUs only"}),
   .preset = "auto",
   .help = "Library for the 1-D transforms along x, y and z. Change it to compare cuFFT or FFTW with the built-in "
           "kernels; results differ by rounding. auto may be replaced by the result of triad tune."},
  {"parallel.gpu_memory", REAL, AT_LEAST(0), .preset = "0", .unit = "GB",
   .help = "GPU memory that each rank may use. With 0, it is all free memory, but at most 4 GB for offload."},
  {0}};
static void choose(triad_case *c)
{
  if (triad_case_applies(c, "target.re_lambda")) triad_target_choose(c);
  triad_shear_choose(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(FLUIDS, 1),
  {"strain", FLUIDS, TRIAD_UNIT_RATE, "rate of strain (2 S:S)^(1/2)", TRIAD_SPECTRAL_STRAIN, "u",
   .scale = TRIAD_SCALE_FROM_ZERO},
  {"dissipation", FLUIDS, "U^2/T", "local dissipation 2 viscosity S:S", TRIAD_SPECTRAL_DISSIPATION, "u",
   .scale = TRIAD_SCALE_FROM_ZERO},
  {"q", FLUIDS, "1/T^2", "Q = (|curl u|^2/2 - S:S)/2, positive in vortices", TRIAD_SPECTRAL_Q, "u",
   .scale = TRIAD_SCALE_SIGNED},
  {"pressure", FLUIDS, "U^2", "pressure divided by density, with mean 0", TRIAD_SPECTRAL_PRESSURE, "u",
   .scale = TRIAD_SCALE_SIGNED},
  {"helicity", FLUIDS, "U^2/L", "helicity density u.curl u", TRIAD_SPECTRAL_HELICITY, "u", .scale = TRIAD_SCALE_SIGNED},
  {"scalar%d", FLUIDS, "S", "passive scalar %d", .field = "scalar%d", .most = 1000},
  {0}};

#define DECLARE(name) extern const triad_case_part triad_case_part_##name;
#define ENTRY(name) &triad_case_part_##name,
TRIAD_EQUATIONS(DECLARE)
static const triad_case_part *const sets[] = {TRIAD_EQUATIONS(ENTRY) NULL};

static const triad_reference references[] = {
  {NULL, "Orszag1971", "Orszag, Steven A.",
   "On the elimination of aliasing in finite-difference schemes by filtering high-wavenumber components",
   "Journal of the Atmospheric Sciences", "28", "1074", "1971", NULL},
  {"time.scheme=rk3", "Williamson1980", "Williamson, J. H.", "Low-storage {Runge-Kutta} schemes",
   "Journal of Computational Physics", "35", "48--56", "1980", NULL},
  {"time.scheme=rk4", "Gill1951", "Gill, S.",
   "A process for the step-by-step integration of differential equations in an automatic digital "
   "computing machine",
   "Mathematical Proceedings of the Cambridge Philosophical Society", "47", "96--108", "1951", NULL},
  {"time.scheme=split2", "Strang1968", "Strang, Gilbert", "On the construction and comparison of difference schemes",
   "SIAM Journal on Numerical Analysis", "5", "506--517", "1968", NULL},
  {"bodies[1].shape", "Angot1999", "Angot, Philippe and Bruneau, Charles-Henri and Fabrie, Pierre",
   "A penalization method to take into account obstacles in incompressible viscous flows", "Numerische Mathematik",
   "81", "497--520", "1999", "hd boussinesq mhd"},
  {"bodies[1].shape", "Hester2021", "Hester, Eric W. and Vasil, Geoffrey M. and Burns, Keaton J.",
   "Improving accuracy of volume penalised fluid-solid interactions", "Journal of Computational Physics", "430",
   "110043", "2021", "hd boussinesq mhd"},
  {"sponges[1].rate", "Nordstrom1999", "Nordstrom, Jan and Nordin, Niklas and Henningson, Dan",
   "The fringe region technique and the {Fourier} method used in the direct numerical simulation of spatially evolving "
   "viscous flows",
   "SIAM Journal on Scientific Computing", "20", "1365--1393", "1999", "hd boussinesq mhd"},
  TRIAD_CLOSURE_REFERENCES("hd boussinesq"),
  {"closure.model=dynamic-smagorinsky", "Germano1991",
   "Germano, Massimo and Piomelli, Ugo and Moin, Parviz and Cabot, William H.",
   "A dynamic subgrid-scale eddy viscosity model", "Physics of Fluids A", "3", "1760--1765", "1991", "hd boussinesq"},
  {"closure.model=dynamic-smagorinsky", "Lilly1992", "Lilly, D. K.",
   "A proposed modification of the {Germano} subgrid-scale closure method", "Physics of Fluids A", "4", "633--635",
   "1992", "hd boussinesq"},
  {"closure.model=spectral", "CholletLesieur1981", "Chollet, Jean-Pierre and Lesieur, Marcel",
   "Parameterization of small scales of three-dimensional isotropic turbulence utilizing spectral closures",
   "Journal of the Atmospheric Sciences", "38", "2747--2757", "1981", "hd boussinesq"},
  {NULL, "Nore1997", "Nore, C. and Abid, M. and Brachet, M. E.",
   "Decaying {Kolmogorov} turbulence in a model of superflow", "Physics of Fluids", "9", "2644--2669", "1997", "gpe"},
  {0}};

const triad_case_part triad_case_part_spectral = {.family = "spectral",
                                                  .solvers = solvers,
                                                  .sets = sets,
                                                  .keys = keys,
                                                  .choose = choose,
                                                  .rules = triad_spectral_rules,
                                                  .quantities = quantities,
                                                  .references = references};
