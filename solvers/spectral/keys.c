/* What the spectral solvers add to a case: their keys, what their slices show; of all sets here, of one set in its
 * own source. What must hold between keys: rules.c. */
#include "case/mean.h"
#include "case/part.h"
#include "case/rows.h"
#include "solvers/particles/keys.h"
#include "solvers/box/probe_keys.h"
#include "solvers/quantities.h"
#include "solvers/spectral/equations/list.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/step/stepper.h"

#define FLUIDS "hd boussinesq mhd"

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
   .help = "With kind formula, the acceleration along x. Its part that is not free of divergence and its mean are " \
           "left out. " \
           "Sums of what is of x, y, z times what is of t, and of fields times what is of t, cost next to nothing; " \
           "others are " \
           "worked out at the points of every stage. On GPUs NVRTC compiles those, or the host works them out."}, \
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
    "forcing.scalars", \
      .solvers = set, TEXT_LIST(1000), .formula = variables, .preset = "", .unit = "scalar/time", \
      .used = "forcing.kind=formula", \
      .help = \
        "With kind formula, the sources of the passive scalars, one formula each; none for those behind the list." \
  }

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
                                       .help = "Its formula." \
  }

static const triad_key keys[] = {
  {"equations.viscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity nu of the term -nu k^2 u. With 0 the flow is inviscid."},
  {"equations.hyperviscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^(2 order)/time",
   .help = "Coefficient nu_h of the term -nu_h k^(2 order) u, which takes energy from the smallest scales only."},
  {"equations.hyperviscosity_order", .solvers = FLUIDS, INTEGER, BETWEEN(2, 16), .preset = "2",
   .used = "equations.hyperviscosity", .help = "Order of the hyperviscous term: 2 is the square of the Laplacian."},
  {"equations.drag", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/time",
   .help = "Linear drag, the term -drag u. It takes energy from the large scales of a forced flow."},
  {"equations.drag_wavenumber", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/length",
   .used = "equations.drag",
   .help = "The drag acts on modes with |k| up to this wavenumber. With 0 it acts on every mode."},
  {"equations.rotation", .solvers = FLUIDS, REALS(3), ANY, .preset = "0 0 0", .unit = "1/time",
   .help = "Angular velocity Omega of the frame along x, y and z: the term -2 Omega x u."},
  {"equations.scalars", .solvers = FLUIDS, REAL_LIST(1000), AT_LEAST(0), .preset = "", .unit = "length^2/time",
   .help = "Passive scalars that the flow carries, one for each value: its diffusivity. [] for none."},
  {"equations.scalar_gradients", .solvers = FLUIDS, REAL_LIST(3000), ANY, .preset = "", .unit = "scalar/length",
   .help = "Mean gradients of the scalars, x, y and z of the first, then of the second, and so on. [] for none."},

  {"grid.truncation", WORD, WORDS(W("sphere"), W("box"), W("none")), .preset = "sphere",
   .help = "Modes that are kept, with K_i = floor((n_i - 1)/3): sphere keeps the sum of (k_i/K_i)^2 up to 1, box "
           "keeps every |k_i| up to K_i; both are free of aliasing. With none every mode is kept and products "
           "alias: for tests. Random starts and forces on bands leave modes at |k_i| = n_i/2 alone."},
  {"grid.radius", REAL, AT_LEAST(0), .preset = "0",
   .help = "Radius of the sphere in modes of the axis with the most points n, in proportion along the others: below "
           "floor((n + 2)/3), with no |k_i| beyond K_i, or below sqrt(2)/3 n with phase shifts. With 0 it is K, or the "
           "largest with phase shifts."},
  {"grid.dealiasing", .solvers = FLUIDS, WORD, WORDS(W("truncation"), W("phase-shift")), .preset = "truncation",
   .help =
     "What keeps products free of aliases: truncation at a third of the points, or phase-shift, a sphere of radius "
     "sqrt(2)/3 n, 2.83 times the modes, whose products are taken on grids that are shifted against each other. gpe, "
     "whose "
     "product is of three, keeps to truncation."},
  {"grid.shifts", .solvers = FLUIDS, WORD, WORDS(W("random"), W("exact")), .preset = "random",
   .used = "grid.dealiasing=phase-shift",
   .help =
     "With phase-shift, random takes the products of a step on one grid, at places drawn anew for each four steps "
     "and arranged so that aliases cancel over them to the second order in dt; exact takes them on two grids half a "
     "cell apart, which removes aliases to round-off at twice the work."},

  {"initial.kind", WORD, .word_at = triad_spectral_start_word, .example = "taylor-green", .help = "The initial field."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .used = "initial.kind!=random|rest|formula|file|checkpoint",
   .help = "Velocity amplitude of taylor-green, abc, orszag-tang, shear-layer and the waves; height of the puff."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .used = "initial.kind!=random|rest|formula|file|checkpoint or initial.kind=random initial.spectrum=gaussian",
   .help = "For taylor-green, abc and orszag-tang, the periods of the flow along each side of the box; for "
           "shear-layer, those of its disturbance along x; for random fields, the peak k0 of the gaussian spectrum "
           "in units of the smallest wavenumber of the box."},
  {"initial.abc", REALS(3), ANY, .preset = "1 1 1", .used = "initial.kind=abc",
   .help = "Coefficients A, B and C of the ABC flow."},
  {"initial.two_dimensional", FLAG, .preset = "false", .used = "initial.kind=taylor-green|orszag-tang",
   .help = "With kind taylor-green, start from the plane vortex (sin x cos y, -cos x sin y, 0), which decays "
           "without becoming turbulent; with orszag-tang, from the plane vortex of 1979."},
  {"initial.energy", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2", .used = "initial.kind=random",
   .help = "Mean of |u|^2/2 of a random field."},
  {"initial.spectrum", WORD, WORDS(W("gaussian"), W("power-law")), .preset = "gaussian",
   .used = "initial.kind!=rest|formula|file|checkpoint",
   .help = "Energy spectrum of a random field: gaussian is E(k) ~ (k/k0)^4 exp(-2 (k/k0)^2), power-law is E(k) ~ "
           "k^slope for k within k_range and nothing outside."},
  {"initial.slope", REAL, ANY, .preset = "-5/3",
   .used = "initial.spectrum=power-law initial.kind!=rest|formula|file|checkpoint",
   .help = "Exponent of the power-law spectrum."},
  {"initial.k_range", REALS(2), .rising = 1, ABOVE(0), .preset = "1 4",
   .used = "initial.spectrum=power-law initial.kind!=rest|formula|file|checkpoint",
   .help = "Lowest and highest wavenumber of the power-law spectrum, in units of the smallest wavenumber of the box."},
  {"initial.helicity", REAL, BETWEEN(-1, 1), .preset = "0", .used = "initial.kind=random or initial.noise",
   .help = "Relative helicity of a random field: 0 for none, 1 or -1 for modes of one handedness only."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "initial.kind!=rest|formula|file|checkpoint",
   .help = "Seed of a random field. The same seed gives the same field on any number of ranks and on any grid that "
           "holds its modes."},
  {"initial.wave", .solvers = FLUIDS, INTEGERS(3), BETWEEN(-1048576, 1048576), .preset = "1 0 1",
   .used = "initial.kind=alfven-wave|inertial-wave|internal-wave",
   .help = "Periods of alfven-wave, inertial-wave and internal-wave along x, y and z."},
  {"initial.direction", .solvers = FLUIDS, WORD, WORDS(W("forward"), W("backward")), .preset = "forward",
   .used = "initial.kind=alfven-wave|inertial-wave|internal-wave",
   .help = "Phases of the wave move along its wavenumber (forward) or against it. A wave that grows, in unstable "
           "stratification, decays with backward."},
  {"initial.width", .solvers = FLUIDS, REAL, ABOVE(0), .preset = "0.3", .unit = "length",
   .used = "initial.kind=shear-layer|puff",
   .help = "Half the thickness of a shear layer, d of tanh(z/d), or the radius d of a puff, exp(-r^2/(2 d^2)). Keep "
           "some grid spacings in it."},
  {"initial.centre", .solvers = FLUIDS, REALS(3), BETWEEN(0, 1), .preset = "0.5 0.5 0.5", .used = "initial.kind=puff",
   .help = "Centre of the puff along x, y and z, in parts of the box."},
  {"initial.disturbance", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.01", .used = "initial.kind=shear-layer",
   .help = "Vertical velocity that disturbs a shear layer, a wave along x, in units of the amplitude."},
  {"initial.noise", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .used = "initial.kind=shear-layer|puff",
   .help = "Mean of |u|^2/2 of a random velocity that is added to a shear layer or a puff."},
  {"initial.scalar_variance", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.5", .unit = "scalar^2",
   .used = "equations.scalars initial.kind!=puff|rest|formula|file|checkpoint",
   .help = "Mean of s^2/2 of each passive scalar, random with the spectrum of random fields, for every kind but "
           "puff, rest, formula, file and checkpoint."},
  {"initial.u", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help =
     "With kind formula, the velocity along x. Its part that is not free of divergence and its mean are left out."},
  {"initial.v", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along y."},
  {"initial.w", .solvers = FLUIDS, FORMULA, .preset = "", .unit = "length/time", .used = "initial.kind=formula",
   .help = "With kind formula, the velocity along z."},
  {"initial.scalars", .solvers = FLUIDS, FORMULA_LIST(1000), .preset = "", .unit = "scalar",
   .used = "initial.kind=formula",
   .help = "With kind formula, the passive scalars, one formula each. Those behind the list start from zero."},
  {"initial.any_solver", FLAG, .preset = "false", .used = "initial.kind=checkpoint",
   .help = "With kind checkpoint, take the fields that the checkpoint of another solver has by the same names, and "
           "start the others from zero."},

  {"forcing.kind", WORD, .word_at = triad_force_word, .preset = "none",
   .help = "The force: a steady acceleration (taylor-green, abc), random ones (random, white in time; "
           "ornstein-uhlenbeck, with a "
           "correlation time), and those along the field itself (constant-power, constant-energy, linear); formulas "
           "(formula), or a file of modes over time (file)."},
  {"forcing.file", .solvers = FLUIDS, TEXT, .preset = "", .used = "forcing.kind=file",
   .help = "With kind file, an HDF5 file with datasets t (times), k (mode, 3) of whole numbers, and f (time, mode, "
           "component, 2), real "
           "and imaginary parts of what forcing.field names, three components or one. Each mode stands for its "
           "conjugate too. A relative path "
           "starts at the folder of the case file."},
  {"forcing.interpolation", .solvers = FLUIDS, WORD, WORDS(W("linear"), W("cubic")), .preset = "linear",
   .used = "forcing.kind=file",
   .help = "With kind file, what stands between its times: straight lines, or a cubic that has no kinks there."},
  {"forcing.field", .solvers = FLUIDS, WORD,
   WORDS(W("velocity"), W_FOR("magnetic", "mhd"), W_FOR("theta", "boussinesq")), .preset = "velocity",
   .used = "forcing.kind!=none",
   .help = "What the force drives: the velocity, the magnetic field (mhd), or theta (boussinesq; not taylor-green and "
           "abc). Powers are those of mean |b|^2/2 and mean theta^2/2 then."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .used = "forcing.kind=taylor-green|abc|ornstein-uhlenbeck",
   .help = "Acceleration amplitude of taylor-green and abc; of ornstein-uhlenbeck the rms over the box and over time, "
           "which injects about amplitude^2 times the correlation time where that is short."},
  {"forcing.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1", .used = "forcing.kind=taylor-green|abc",
   .help = "Periods of the taylor-green or abc force along each side of the box."},
  {"forcing.abc", REALS(3), ANY, .preset = "1 1 1", .used = "forcing.kind=abc",
   .help = "Coefficients A, B and C of the abc force."},
  {"forcing.power", REAL, AT_LEAST(0), .preset = "0.1", .unit = "length^2/time^3",
   .used = "forcing.kind=random|constant-power",
   .help = "Energy injected per unit time by random and constant-power; with forcing.hold at the start."},
  {"forcing.k_range", REALS(2), .rising = 1, AT_LEAST(0), .preset = "1 2",
   .used = "forcing.kind=random|ornstein-uhlenbeck|constant-power|constant-energy",
   .help = "Lowest and highest wavenumber of the modes forced by random, ornstein-uhlenbeck, constant-power and "
           "constant-energy, in units of the smallest wavenumber of the box."},
  {"forcing.helicity", REAL, BETWEEN(-1, 1), .preset = "0", .used = "forcing.kind=random|ornstein-uhlenbeck",
   .help = "Relative helicity of random and ornstein-uhlenbeck: 0 for none, 1 or -1 for modes of one handedness only."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1", .used = "forcing.kind=random|ornstein-uhlenbeck",
   .help = "Seed of random and ornstein-uhlenbeck."},
  {"forcing.correlation_time", .solvers = FLUIDS, REAL, ABOVE(0), .preset = "1", .unit = "time",
   .used = "forcing.kind=ornstein-uhlenbeck",
   .help = "Time in which the force of ornstein-uhlenbeck forgets itself, as exp(-t/correlation_time)."},
  {"forcing.rate", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.1", .unit = "1/time",
   .used = "forcing.kind=linear",
   .help = "Rate A of linear, the force A u of all modes, whose power is 2 A times the energy."},
  {"forcing.energy", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .used = "forcing.kind=constant-energy",
   .help = "Energy that constant-energy keeps in its band. With 0 it is what the band has at the start."},
  FORCE_KEYS("hd", of_hd),
  FORCE_KEYS("boussinesq", of_boussinesq),
  FORCE_KEYS("mhd", of_mhd),
  {"forcing.theta", .solvers = "boussinesq", TEXT, .formula = of_boussinesq, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, the rate of change of theta."},
  {"forcing.bx", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula",
   .help =
     "With kind formula, the rate of change of the magnetic field along x. Its part that is not free of divergence and "
     "its mean are left out."},
  {"forcing.by", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, that of the magnetic field along y."},
  {"forcing.bz", .solvers = "mhd", TEXT, .formula = of_mhd, .preset = "", .unit = "length/time^2",
   .used = "forcing.kind=formula", .help = "With kind formula, that of the magnetic field along z."},
  {"forcing.hold", .solvers = FLUIDS, WORD,
   WORDS(W("none"), W("energy"), W("dissipation"), W("re_lambda"), W("kmax_eta")), .preset = "none",
   .help =
     "Column of the series that the power of random, constant-power or ornstein-uhlenbeck is made to follow, so that "
     "its mean becomes hold_value: about once a turnover, from what it was."},
  {"forcing.hold_value", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .used = "forcing.hold!=none",
   .help = "The value that forcing.hold is to have, in its unit."},
  {"forcing.hold_interval", .solvers = FLUIDS, INTEGER, BETWEEN(1, 1048576), .preset = "10",
   .used = "forcing.hold!=none",
   .help =
     "Steps from one adjustment of the power by forcing.hold to the next; each takes a measurement of the series."},

  {"target.re_lambda", .solvers = "hd", REAL, AT_LEAST(0), .preset = "0",
   .help = "Reynolds number of Taylor's scale that forced turbulence shall have. Of grid.n, equations.viscosity, "
           "forcing.power and "
           "forcing.hold, those that the case does not give are chosen for it, and shown with their reason. With 0 "
           "nothing is."},
  {"target.kmax_eta", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0",
   .help = "k_max eta that it shall have, by the choice of grid.n; with target.grid \"follow\" that the flow shall "
           "have at all times."},
  {"target.grid", .solvers = FLUIDS, WORD, WORDS(W("fixed"), W("follow")), .preset = "fixed",
   .help = "follow: where k_max eta falls below target.kmax_eta the run goes on on a finer grid, and where the modes "
           "that a coarser grid "
           "leaves out are empty, on that one, from a checkpoint that it writes. grid.n is the first grid. A grid is "
           "fine enough too "
           "while its outermost fifth of wavenumbers is empty."},
  {"target.empty", .solvers = FLUIDS, REAL, BETWEEN(1e-12, 0.1), .preset = "1e-4", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": modes are empty that hold less than this part of mean(|grad f|^2) of each "
           "field f. A grid "
           "that has no k_max eta as wished must have a tenth of it in its outermost fifth."},
  {"target.interval", .solvers = FLUIDS, INTEGER, BETWEEN(1, 1048576), .preset = "5", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": steps from one look at the modes to the next."},
  {"target.n_least", .solvers = FLUIDS, INTEGER, BETWEEN(8, 65536), .preset = "32", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": fewest points along the longest axis."},
  {"target.n_most", .solvers = FLUIDS, INTEGER, BETWEEN(0, 65536), .preset = "0", .used = "target.grid=follow",
   .help = "With target.grid \"follow\": most points along the longest axis; 0: what the memory holds. Where they are "
           "not enough a "
           "warning tells, and the run goes on."},

  {"time.scheme", WORD, .word_at = scheme_word, .preset = "rk3",
   .help = "Runge-Kutta scheme, by order; the viscous term is integrated exactly in each."},

  TRIAD_PARTICLE_KEYS(NULL),
  {"particles.interpolation", MANY, WORD,
   WORDS(W("spline4"), W("spline6"), W("lagrange6"), W("lagrange8"), W("linear")), .preset = "spline4",
   .help =
     "B-splines of order 4 or 6, by whose transform the modes are divided first, in transforms of their own; "
     "polynomials "
     "through 6 or 8 points along each axis, which take the step's own points and no transforms: with kmax_eta = 1.5 "
     "the "
     "errors are 2.9e-4, 3.7e-5, 7.6e-4 and 3.6e-4 of the rms velocity. Linear, which is of order 2, for comparison."},
  {"particles.sample", MANY, TEXT_LIST(16), .preset = "",
   .help = "What is written beside position and velocity, of the fluid at the particle: velocity, vorticity, gradient "
           "(du_i/dx_j), and fields by name, such as theta or scalar1; in solver gpe velocity and density."},
  {"particles.least_density", MANY, .solvers = "gpe", REAL, BETWEEN(1e-6, 1), .preset = "0.1",
   .help = "Part of equations.density below which the superfluid's velocity, current over density, is the current over "
           "that part: the core of a vortex, where it has no velocity."},
  {"output.fields", TEXT_LIST(TRIAD_FIELD_LIST), .preset = "",
   .help = "What files of fields show: quantities that slices can show (`triad case --quantities`), such as [\"u\", "
           "\"pressure\", "
           "\"q\"]; three components of a vector in a row are one; \"modes 64\", filtered to modes with |k| up to 64 "
           "times the box's smallest, "
           "on as many points as those need; \"box 0 pi 0 2pi 1 2\", points in a part of the box. Without a quantity, "
           "and with [], it "
           "is the fields of the state."},
  {"output.fields_precision", WORD, WORDS(W("run"), W("single"), W("double")), .preset = "run",
   .help = "Precision of numbers in files of fields: that of the run, or the one named."},
  {"output.fields_error", REAL, BETWEEN(0, 0.1), .preset = "0",
   .help = "Above 0, files of fields are packed by zfp, and in every shell of wavenumbers the rms of the error's modes "
           "is at most this "
           "part of that of the field's modes, which is checked as each field is written. With 0 nothing is lost."},
  {"output.slices_points", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help =
     "Points of slices along the longest axis, in proportion along the others, where that is more than the grid has: "
     "between its points the fields are known exactly from their modes, and pictures are smooth. With 0 slices have "
     "the grid's points."},
  {"output.spectra_axis", WORD, WORDS(W("auto"), W("none"), W("x"), W("y"), W("z")), .preset = "auto",
   .help = "Axis about which spectra over k_perp, over k_par and over both are written besides shells. With auto it "
           "is z where there is buoyancy, else the axis along which the mean field, or else the rotation, points; "
           "none where neither lies along an axis."},
  {"output.aliasing", .solvers = FLUIDS, FLAG, .preset = "false",
   .help =
     "With phase-shift, a column aliasing in the series: which part of the rates of change are aliases on the grid of "
     "the next step, by two evaluations of the nonlinear term half a cell apart."},
  {"output.transfer", FLAG, .preset = "true",
   .help = "Write energy transfer and flux by shells with the spectra, at the cost of one or two evaluations of the "
           "nonlinear term. Without truncation products alias, and none is written."},
  {"output.line_spectra", FLAG, .preset = "false",
   .help = "Write 1-D spectra of each field along x, y and z with the spectra, longitudinal and transverse ones."},
  {"output.structure_functions", WORD, WORDS(W("none"), W("log"), W("all")), .preset = "none",
   .help = "Write structure functions of order 2 to 8 of each field with the spectra, and the 1-D spectra that they "
           "are checked against, for separations along x, y and z: half an octave apart with log, every one up to "
           "half the box with all."},
  {"output.increment_pdfs", INTEGER, BETWEEN(0, 100000), .preset = "0", .used = "output.structure_functions!=none",
   .help = "Bins of the PDFs of increments that are written with structure functions. With 0 there are none."},
  TRIAD_PROBE_KEYS("Values are sums over all modes, exact to rounding; a lattice costs what its points along z cost."),
  {"output.probes_quantities", TEXT_LIST(TRIAD_OWN_QUANTITIES), .solvers = FLUIDS, .preset = "",
   .help = "Names of [[output.quantities]] that probes tell besides, behind the fields: their derivatives are sums "
           "over all modes too."},
  {"output.means", TEXT_LIST(TRIAD_MEANS), .preset = "",
   .help =
     "Running means over time, in means.h5, with standard errors, of these and of all numbers of the series: "
     "\"spectra\" over "
     "shells and about an axis, with transfers and fluxes; \"moments\" up to four and \"pdfs\" of fields and velocity "
     "derivatives; \"profiles z\", or x, y, means and covariances over planes; with \"quantities\" these three also of "
     "[[output.quantities]]. [] for none."},
  TRIAD_MEAN_TIME_KEYS,

  {"output.quantities.name", MANY, .solvers = FLUIDS, TEXT, .example = "shear_work",
   .help = "A quantity of your own, for output.slices, output.fields, output.means and output.probes_quantities: its "
           "name, of letters, digits and _, 31 at most."},
  {"output.quantities.unit", MANY, .solvers = FLUIDS, TEXT, .preset = "",
   .help = "Its unit, as text, such as \"U^2/L\"; \"\" for none."},
  QUANTITY_KEY("hd", shown_hd),
  QUANTITY_KEY("boussinesq", shown_boussinesq),
  QUANTITY_KEY("mhd", shown_mhd),

  {"parallel.split", INTEGERS(2), BETWEEN(0, 1048576), WORDS(W("auto")), .preset = "0 0",
   .help =
     "Groups of ranks, and ranks in each: a group shares planes, so that there may be more ranks than planes. Their "
     "product is the number of ranks; where one is 0 it follows from the other. [0, 1] gives every rank planes of its "
     "own. With [0, 0] or \"auto\" it is what triad tune has found, or planes of its own. On CPUs and, without "
     "particles, on GPUs; not with parallel.device = \"offload\"."},
  {"parallel.gpu_memory", REAL, AT_LEAST(0), .preset = "0", .unit = "GB",
   .help = "GPU memory that each rank may take. With 0 it is all that is free; offload then takes 4 GB at most."},
  {0}};
static void choose(triad_case *c)
{
  if (triad_case_applies(c, "target.re_lambda")) triad_target_choose(c);
}

static const triad_quantity quantities[] = {
  TRIAD_VELOCITY_QUANTITIES(FLUIDS, 1),
  {"strain", FLUIDS, TRIAD_UNIT_RATE, "rate of strain (2 S:S)^(1/2)", TRIAD_SPECTRAL_STRAIN, "u",
   .scale = TRIAD_SCALE_FROM_ZERO},
  {"dissipation", FLUIDS, "U^2/T", "local dissipation 2 viscosity S:S", TRIAD_SPECTRAL_DISSIPATION, "u",
   .scale = TRIAD_SCALE_FROM_ZERO},
  {"q", FLUIDS, "1/T^2", "Q = (|curl u|^2/2 - S:S)/2, positive in vortices", TRIAD_SPECTRAL_Q, "u",
   .scale = TRIAD_SCALE_SIGNED},
  {"pressure", FLUIDS, "U^2", "pressure over density, its mean 0", TRIAD_SPECTRAL_PRESSURE, "u",
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
