#include "case/schema.h"
#include "case/slice.h"

#include <math.h>

/* Equation sets that this build can solve. */
#define TRIAD_SOLVER_WORDS "hd", "boussinesq", "mhd", "gpe", "compressible"
#define FLUIDS "hd boussinesq mhd"
#define SPECTRAL "hd boussinesq mhd gpe" /* on Fourier modes */
#define GAS "compressible"

#define WORDS(...) .words = (const char *const[]){__VA_ARGS__, NULL}
#define ANY .min = -INFINITY, .max = INFINITY
#define AT_LEAST(a) .min = (a), .max = INFINITY
#define ABOVE(a) .min = (a), .above_min = 1, .max = INFINITY
#define BETWEEN(a, b) .min = (a), .max = (b)

#define REAL .type = TRIAD_KEY_REAL, .count = 1
#define REALS(n) .type = TRIAD_KEY_REAL, .count = (n)
#define REAL_LIST(n) .type = TRIAD_KEY_REAL, .count = (n), .list = 1
#define INTEGER .type = TRIAD_KEY_INTEGER, .count = 1
#define INTEGERS(n) .type = TRIAD_KEY_INTEGER, .count = (n)
#define FLAG .type = TRIAD_KEY_FLAG, .count = 1, ANY
#define WORD .type = TRIAD_KEY_WORD, .count = 1, ANY
#define SIDES WORDS("periodic", "extrapolate", "reflecting", "adiabatic", "isothermal", "inflow", "outflow")
#define TWO_WORDS .type = TRIAD_KEY_WORD, .count = 2, ANY
#define TEXT_LIST(n) .type = TRIAD_KEY_TEXT, .count = (n), .list = 1, ANY
#define TEXT .type = TRIAD_KEY_TEXT, .count = 1, ANY

/* Keys of a table stand together, those of the top level first. A key of some solvers only has
 * .solvers = "boussinesq mhd"; without it, it belongs to all. */
const triad_key triad_schema[] = {
  {"precision", WORD, WORDS("double", "single"), .preset = "double",
   .help = "Precision of all fields. Single halves memory and time; sums are kept in double either way."},

  {"equations.solver", WORD, WORDS(TRIAD_SOLVER_WORDS), .example = "hd",
   .help = "The set of equations: hd is incompressible Navier-Stokes, boussinesq adds a stratified buoyancy, mhd a "
           "magnetic field, gpe is the Gross-Pitaevskii equation of a superfluid, and compressible is an ideal gas by WENO "
           "finite differences."},
  {"equations.viscosity", .solvers = FLUIDS " " GAS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity nu of the term -nu k^2 u; of compressible the factor of the viscous stress and of the heat "
           "flux, 1/Re, times the viscosity law. With 0 the flow is inviscid."},
  {"equations.hyperviscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^(2 order)/time",
   .help = "Coefficient nu_h of the term -nu_h k^(2 order) u, which takes energy from the smallest scales only."},
  {"equations.hyperviscosity_order", .solvers = FLUIDS, INTEGER, BETWEEN(2, 16), .preset = "2",
   .help = "Order of the hyperviscous term: 2 is the square of the Laplacian."},
  {"equations.drag", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/time",
   .help = "Linear drag, the term -drag u. It takes energy from the large scales of a forced flow."},
  {"equations.drag_wavenumber", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "1/length",
   .help = "The drag acts on modes with |k| up to this wavenumber. With 0 it acts on every mode."},

  {"equations.rotation", .solvers = FLUIDS, REALS(3), ANY, .preset = "0 0 0", .unit = "1/time",
   .help = "Angular velocity Omega of the frame along x, y and z: the term -2 Omega x u."},
  {"equations.scalars", .solvers = "hd", REAL_LIST(1000), AT_LEAST(0), .preset = "", .unit = "length^2/time",
   .help = "Passive scalars that the flow carries, one for each value: its diffusivity. [] for none."},
  {"equations.scalar_gradients", .solvers = "hd", REAL_LIST(3000), ANY, .preset = "", .unit = "scalar/length",
   .help = "Mean gradients of the scalars, x, y and z of the first, then of the second, and so on. [] for none."},
  {"equations.diffusivity", .solvers = "boussinesq", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Diffusivity kappa of the buoyancy theta, the term -kappa k^2 theta."},
  {"equations.buoyancy_frequency", .solvers = "boussinesq", REAL, AT_LEAST(0), .preset = "1", .unit = "1/time",
   .help = "Brunt-Vaisala frequency N: theta has the unit of a velocity, and theta^2/2 is the potential energy."},
  {"equations.stratification", .solvers = "boussinesq", WORD, WORDS("stable", "unstable"), .preset = "stable",
   .help = "With unstable, N is imaginary: light fluid lies below heavy one and overturns at the rate N."},
  {"equations.resistivity", .solvers = "mhd", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Magnetic diffusivity eta of the term -eta k^2 b."},
  {"equations.hyperresistivity", .solvers = "mhd", REAL, AT_LEAST(0), .preset = "0", .unit = "length^(2 order)/time",
   .help = "Coefficient of the term -eta_h k^(2 order) b, with the order of the hyperviscosity."},
  {"equations.mean_field", .solvers = "mhd", REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .help = "Uniform magnetic field B0 along x, y and z, in units of velocity (Alfven units)."},
  {"equations.hall", .solvers = "mhd", REAL, AT_LEAST(0), .preset = "0", .unit = "length",
   .help = "Ion inertial length d_i of the Hall term, db/dt = ... - d_i curl((curl b) x b). With 0 there is none."},
  {"equations.sound_speed", .solvers = "gpe", REAL, ABOVE(0), .preset = "1", .unit = "length/time",
   .help = "Speed of sound c at the mean density."},
  {"equations.healing_length", .solvers = "gpe", REAL, ABOVE(0), .example = "0.1", .unit = "length",
   .help = "Healing length xi: the core size of a vortex. Keep k_max xi above 1."},
  {"equations.density", .solvers = "gpe", REAL, ABOVE(0), .preset = "1",
   .help = "Mean density rho0 of the fluid, mean |psi|^2."},
  {"equations.imaginary_time", .solvers = "gpe", FLAG, .preset = "false",
   .help = "Relax towards a state of least energy (the real Ginzburg-Landau equation) instead of evolving in time."},

  {"equations.compatibility", .solvers = GAS, WORD, WORDS("none", "weno5-js-component"), .preset = "none",
   .help = "With weno5-js-component the scheme is the published one of HYPAR to round-off: JS weights by components, Roe's "
           "flux with Harten's fix of 1e-6, and the power law of viscosity with exponent 0.76."},
  {"equations.flux", .solvers = GAS, WORD, WORDS("weno", "central"), .preset = "weno",
   .help = "Fluxes through faces: weno reconstructs upwind edges, which takes shocks; central keeps kinetic energy to round-off "
           "but for viscosity and pressure work, and viscous terms are sharper: for turbulence without shocks, the lower "
           "its Mach number the more."},
  {"equations.weights", .solvers = GAS, WORD, WORDS("js", "m", "z", "linear", "teno"), .preset = "z",
   .help = "Weights of the reconstruction of order five: WENO of Jiang and Shu (js), mapped (m) or of Borges (z), the linear "
           "upwind scheme (linear, for smooth flows), or targeted ENO (teno), which dissipates least."},
  {"equations.reconstruction", .solvers = GAS, WORD, WORDS("components", "characteristic"), .preset = "components",
   .help = "What is reconstructed: each component of the state and of the flux, which is fast and good for smooth flows, or "
           "the characteristic variables, for flows with strong shocks."},
  {"equations.riemann", .solvers = GAS, WORD, WORDS("roe", "llf", "rusanov"), .preset = "roe",
   .help = "Upwinding of the flux: Roe with Harten's entropy fix, local Lax-Friedrichs wave by wave, or Rusanov with the "
           "fastest wave for all."},
  {"equations.entropy_fix", .solvers = GAS, REAL, AT_LEAST(0), .preset = "1e-6", .unit = "length/time",
   .help = "Harten's delta: waves slower than this are given some dissipation."},
  {"equations.positivity", .solvers = GAS, FLAG, .preset = "false",
   .help = "Limit fluxes so that density and pressure stay positive."},
  {"equations.gamma", .solvers = GAS, REAL, ABOVE(1), .preset = "1.4",
   .help = "Ratio of specific heats."},
  {"equations.prandtl", .solvers = GAS, REAL, ABOVE(0), .preset = "0.72",
   .help = "Prandtl number, viscosity times specific heat at constant pressure over conductivity."},
  {"equations.viscosity_law", .solvers = GAS, WORD, WORDS("constant", "power", "sutherland"), .preset = "constant",
   .help = "How viscosity depends on temperature T = gamma p/rho: not at all, as T^viscosity_power, or by Sutherland's law."},
  {"equations.viscosity_power", .solvers = GAS, REAL, ANY, .preset = "0.76",
   .help = "Exponent of the power law."},
  {"equations.sutherland_temperature", .solvers = GAS, REAL, AT_LEAST(0), .preset = "0.404",
   .help = "Sutherland's constant in units of the reference temperature; 0.404 is 110.4 K over 273.15 K, of air."},
  {"equations.reference_temperature", .solvers = GAS, REAL, ABOVE(0), .preset = "1",
   .help = "Temperature gamma p/rho, the square of the speed of sound, at which the viscosity law gives 1."},

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .example = "64 64 64",
   .help = "Points along x, y and z. Products of powers of 2, 3, 5 and 7 are fast."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length",
   .help = "Lengths of the box along x, y and z."},
  {"grid.truncation", .solvers = SPECTRAL, WORD, WORDS("sphere", "box", "none"), .preset = "sphere",
   .help = "Modes that are kept, with K_i = floor((n_i - 1)/3): sphere keeps the sum of (k_i/K_i)^2 up to 1, box keeps "
           "every |k_i| up to K_i; both are free of aliasing. With none every mode is kept and products alias: for "
           "tests."},

  {"boundaries.x", .solvers = GAS, TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "What is beyond the lower and the upper end along x: the other end (periodic, both or none), a mirror image "
           "(extrapolate), the same with the normal velocity reversed (reflecting: a slip wall), a wall that the gas sticks "
           "to, without heat flux (adiabatic) or of given temperature (isothermal), a given state (inflow), or whatever "
           "leaves faster than sound (outflow)."},
  {"boundaries.y", .solvers = GAS, TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "The same along y."},
  {"boundaries.z", .solvers = GAS, TWO_WORDS, SIDES, .preset = "periodic periodic",
   .help = "The same along z."},
  {"boundaries.inflow", .solvers = GAS, REALS(5), ANY, .preset = "1 0 0 0 1",
   .help = "Density, velocity along x, y and z, and pressure of the gas that comes in."},
  {"boundaries.wall_temperature", .solvers = GAS, REALS(6), ABOVE(0), .preset = "1 1 1 1 1 1",
   .help = "Temperature gamma p/rho of isothermal walls: below and above along x, then y, then z."},
  {"boundaries.wall_velocity", .solvers = GAS, REALS(18), ANY, .preset = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
   .unit = "length/time",
   .help = "Velocity of the walls that the gas sticks to: three components each, in the order of wall_temperature. The "
           "component across a wall counts as 0."},

  {"initial.kind", WORD, WORDS("taylor-green", "abc", "random", "orszag-tang", "alfven-wave",
   "inertial-wave", "internal-wave", "shear-layer", "puff", "uniform", "plane-waves", "vortex-ring",
   "file", "checkpoint", "rest", "sod", "lax", "shu-osher", "isentropic-vortex", "entropy-wave", "shock-vortex", "blast",
   "turbulence"),
   .example = "taylor-green",
   .help = "The initial field: the Taylor-Green vortex, the ABC flow, a random field of given spectrum; the Orszag-Tang "
           "vortex or an Alfven wave (mhd); an inertial wave (hd, mhd) or an internal gravity wave (boussinesq); a shear "
           "layer along x with a disturbance; a smooth puff of theta or of the scalars in fluid at rest; for gpe, uniform "
           "density, plane-waves on it, a vortex-ring, and a random phase for random; for compressible, a uniform stream, the "
           "shock tubes sod, lax and shu-osher, an isentropic-vortex, an entropy-wave, taylor-green, a shock-vortex, a blast, "
           "and solenoidal turbulence; physical-space fields from an HDF5 file, the state of a checkpoint, or no motion at "
           "all (rest), for forced runs."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .help = "Velocity amplitude of taylor-green, abc, orszag-tang, shear-layer and the waves; height of the puff."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "For taylor-green, abc and orszag-tang, the periods of the flow along each side of the box; for shear-layer, "
           "those of its disturbance along x; for random fields, the peak "
           "k0 of the gaussian spectrum in units of the smallest wavenumber of the box."},
  {"initial.abc", .solvers = SPECTRAL, REALS(3), ANY, .preset = "1 1 1",
   .help = "Coefficients A, B and C of the ABC flow."},
  {"initial.two_dimensional", .solvers = SPECTRAL, FLAG, .preset = "false",
   .help = "With kind taylor-green, start from the plane vortex (sin x cos y, -cos x sin y, 0), which decays without "
           "becoming turbulent; with orszag-tang, from the plane vortex of 1979."},
  {"initial.energy", .solvers = SPECTRAL, REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2",
   .help = "Mean of |u|^2/2 of a random field."},
  {"initial.spectrum", .solvers = SPECTRAL, WORD, WORDS("gaussian", "power-law"), .preset = "gaussian",
   .help = "Energy spectrum of a random field: gaussian is E(k) ~ (k/k0)^4 exp(-2 (k/k0)^2), power-law is E(k) ~ "
           "k^slope for k within k_range and nothing outside."},
  {"initial.slope", .solvers = SPECTRAL, REAL, ANY, .preset = "-5/3",
   .help = "Exponent of the power-law spectrum."},
  {"initial.k_range", .solvers = SPECTRAL, REALS(2), ABOVE(0), .preset = "1 4",
   .help = "Lowest and highest wavenumber of the power-law spectrum, in units of the smallest wavenumber of the box."},
  {"initial.helicity", .solvers = SPECTRAL, REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative helicity of a random field: 0 for none, 1 or -1 for modes of one handedness only."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of a random field. The same seed gives the same field on any number of ranks and on any grid that "
           "holds its modes."},
  {"initial.magnetic_amplitude", .solvers = "mhd", REAL, ANY, .preset = "1", .unit = "length/time",
   .help = "Amplitude of the magnetic field b of taylor-green, abc and orszag-tang. With taylor-green b has, at equal "
           "amplitudes, the energy of the velocity and the symmetry of insulating walls; with abc it is the same flow."},
  {"initial.magnetic_energy", .solvers = "mhd", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2",
   .help = "Mean of |b|^2/2 of a random field."},
  {"initial.cross_helicity", .solvers = "mhd", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative cross-helicity of a random field, mean u.b over sqrt(mean |u|^2 mean |b|^2), in every shell. With 1 "
           "or -1, b is u times a constant."},
  {"initial.magnetic_helicity", .solvers = "mhd", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative helicity of a random magnetic field (of its part across u where cross_helicity is not 0)."},
  {"initial.potential_energy", .solvers = "boussinesq", REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .help = "Mean of theta^2/2 of a random theta, of the spectrum of random fields, for every kind but puff, rest, file "
           "and checkpoint."},
  {"initial.scalar_variance", .solvers = "hd", REAL, AT_LEAST(0), .preset = "0.5", .unit = "scalar^2",
   .help = "Mean of s^2/2 of each passive scalar, random with the spectrum of random fields, for every kind but puff, "
           "rest, file and checkpoint."},
  {"initial.wave", .solvers = FLUIDS, INTEGERS(3), BETWEEN(-1048576, 1048576), .preset = "1 0 1",
   .help = "Periods of alfven-wave, inertial-wave and internal-wave along x, y and z."},
  {"initial.direction", .solvers = FLUIDS, WORD, WORDS("forward", "backward"), .preset = "forward",
   .help = "Phases of the wave move along its wavenumber (forward) or against it. A wave that grows, in unstable "
           "stratification, decays with backward."},
  {"initial.branch", .solvers = "mhd", WORD, WORDS("whistler", "ion-cyclotron"), .preset = "whistler",
   .help = "The circular wave that alfven-wave is where there is a Hall term: the fast or the slow one."},
  {"initial.width", .solvers = FLUIDS, REAL, ABOVE(0), .preset = "0.3", .unit = "length",
   .help = "Half the thickness of a shear layer, d of tanh(z/d), or the radius d of a puff, exp(-r^2/(2 d^2)). Keep some "
           "grid spacings in it."},
  {"initial.centre", .solvers = FLUIDS, REALS(3), BETWEEN(0, 1), .preset = "0.5 0.5 0.5",
   .help = "Centre of the puff along x, y and z, in parts of the box."},
  {"initial.disturbance", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0.01",
   .help = "Vertical velocity that disturbs a shear layer, a wave along x, in units of the amplitude."},
  {"initial.theta_amplitude", .solvers = "boussinesq", REAL, ANY, .preset = "0", .unit = "length/time",
   .help = "Amplitude of theta in a shear layer, where it has the profile of the velocity."},
  {"initial.noise", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time^2",
   .help = "Mean of |u|^2/2 of a random velocity that is added to a shear layer or a puff."},
  {"initial.background", .solvers = "gpe", REAL, ANY, .preset = "1",
   .help = "With kind plane-waves, the uniform part of the wave function, in units of the square root of the density."},
  {"initial.waves", .solvers = "gpe", REAL_LIST(70), ANY, .preset = "",
   .help = "With kind plane-waves, five numbers a wave: its periods along x, y and z, and the real and imaginary part "
           "of its amplitude, in units of the square root of the density."},
  {"initial.rings", .solvers = "gpe", REAL_LIST(70), ANY, .preset = "", .unit = "length",
   .help = "With kind vortex-ring, seven numbers a ring: x, y and z of its centre, the components of its normal, along "
           "which it travels, and its radius."},
  {"initial.mach", .solvers = GAS, REAL, ABOVE(0), .preset = "1",
   .help = "Mach number of taylor-green (amplitude over the speed of sound) and of the shock of shock-vortex, which is 1.1 "
           "where nothing is given."},
  {"initial.state", .solvers = GAS, REALS(5), ANY, .preset = "1 0 0 0 1",
   .help = "Density, velocity along x, y and z, and pressure of a uniform stream."},
  {"initial.velocity", .solvers = GAS, REALS(3), ANY, .preset = "0 0 0", .unit = "length/time",
   .help = "Velocity along x, y and z with which an entropy-wave, an isentropic-vortex or a blast is carried along. Where "
           "nothing is given, 1 along each axis of the entropy-wave, and 0.5 along x of the vortex."},
  {"initial.radius", .solvers = GAS, REAL, ABOVE(0), .preset = "0.1", .unit = "length",
   .help = "Radius of the gas of high pressure in a blast."},
  {"initial.pressure_ratio", .solvers = GAS, REAL, ABOVE(0), .preset = "100",
   .help = "Pressure inside a blast over that outside, which is 1, as is the density."},
  {"initial.re_lambda", .solvers = GAS, REAL, AT_LEAST(0), .preset = "0",
   .help = "With kind turbulence, take the viscosity that gives the field this Reynolds number of Taylor's microscale, "
           "lambda = 2/k0 of its spectrum. With 0 it is equations.viscosity."},
  {"initial.any_solver", .solvers = SPECTRAL, FLAG, .preset = "false",
   .help = "With kind checkpoint, take the fields that the checkpoint of another solver has by the same names, and start "
           "the others from zero."},
  {"initial.file", TEXT, .preset = "",
   .help = "The HDF5 file with datasets u, v, w, theta, bx, by, bz, scalar1 and so on, psi_re, psi_im, or rho, u, v, w, p "
           "of compressible, as (z, y, x) for kind file, or the checkpoint folder for kind checkpoint. What it does not hold starts from "
           "zero. A relative path starts at the folder of the case file."},

  {"forcing.kind", .solvers = SPECTRAL, WORD, WORDS("none", "taylor-green", "abc", "random", "constant-power"), .preset = "none",
   .help = "The force: a steady Taylor-Green or ABC acceleration, a random one that is white in time, or one along "
           "the velocity of a band of modes that injects constant power."},
  {"forcing.field", .solvers = FLUIDS, WORD, WORDS("velocity", "magnetic", "theta"), .preset = "velocity",
   .help = "What the force drives: the velocity, the magnetic field (mhd), or theta (boussinesq; random and "
           "constant-power only). Powers are those of mean |b|^2/2 and mean theta^2/2 then."},
  {"forcing.amplitude", .solvers = SPECTRAL, REAL, ANY, .preset = "1", .unit = "length/time^2",
   .help = "Acceleration amplitude of taylor-green and abc."},
  {"forcing.wavenumber", .solvers = SPECTRAL, INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "Periods of the taylor-green or abc force along each side of the box."},
  {"forcing.abc", .solvers = SPECTRAL, REALS(3), ANY, .preset = "1 1 1",
   .help = "Coefficients A, B and C of the abc force."},
  {"forcing.power", .solvers = SPECTRAL, REAL, AT_LEAST(0), .preset = "0.1", .unit = "length^2/time^3",
   .help = "Energy injected per unit time by random and constant-power."},
  {"forcing.k_range", .solvers = SPECTRAL, REALS(2), AT_LEAST(0), .preset = "1 2",
   .help = "Lowest and highest wavenumber of the modes forced by random and constant-power, in units of the smallest "
           "wavenumber of the box."},
  {"forcing.helicity", .solvers = SPECTRAL, REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative helicity of the random force: 0 for none, 1 or -1 for modes of one handedness only."},
  {"forcing.seed", .solvers = SPECTRAL, INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of the random force."},

  {"time.end", REAL, AT_LEAST(0), .example = "10", .unit = "time",
   .help = "The run ends at this time."},
  {"time.scheme", WORD, WORDS("rk3", "rk2", "rk4", "split2", "ssprk3"), .preset = "rk3", .own_preset = GAS " ssprk3",
   .help = "Runge-Kutta scheme, by order; the viscous term is integrated exactly in each. split2, for gpe only, is "
           "Strang splitting, whose two halves are exact. compressible takes ssprk3, its default, the strong-stability-"
           "preserving scheme of order 3, or the classical rk4."},
  {"time.cfl", REAL, ABOVE(0), .preset = "0.5",
   .help = "Courant number: each step is the longest that it allows. Give this or time.dt, not both."},
  {"time.dt", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Fixed time step. With 0 the step follows from time.cfl."},
  {"time.dt_max", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "No step is longer than this. With 0 there is no such limit."},
  {"time.max_steps", INTEGER, AT_LEAST(0), .preset = "0",
   .help = "The run stops after this many steps even if time.end is not reached. With 0 there is no such limit."},

  {"output.series_interval", REAL, AT_LEAST(0), .preset = "0.1", .unit = "time",
   .help = "Time between lines of series.csv. With 0 every step writes one."},
  {"output.spectra_interval", REAL, AT_LEAST(0), .preset = "1", .unit = "time",
   .help = "Time between spectra. With 0 none are written."},
  {"output.spectra_axis", .solvers = SPECTRAL, WORD, WORDS("auto", "none", "x", "y", "z"), .preset = "auto",
   .help = "Axis about which spectra over k_perp, over k_par and over both are written besides shells. With auto it is "
           "z where there is buoyancy, else the axis along which the mean field, or else the rotation, points; none "
           "where neither lies along an axis."},
  {"output.transfer", .solvers = SPECTRAL, FLAG, .preset = "true",
   .help = "Write energy transfer and flux by shells with the spectra, at the cost of one or two evaluations of the "
           "nonlinear term. Without truncation products alias, and none is written."},
  {"output.line_spectra", .solvers = SPECTRAL, FLAG, .preset = "false",
   .help = "Write 1-D spectra of each field along x, y and z with the spectra, longitudinal and transverse ones."},
  {"output.structure_functions", .solvers = SPECTRAL, WORD, WORDS("none", "log", "all"), .preset = "none",
   .help = "Write structure functions of order 2 to 8 of each field with the spectra, and the 1-D spectra that they are "
           "checked against, for separations along x, y and z: half an octave apart with log, every one up to half the "
           "box with all."},
  {"output.increment_pdfs", .solvers = SPECTRAL, INTEGER, BETWEEN(0, 100000), .preset = "0",
   .help = "Bins of the PDFs of increments that are written with structure functions. With 0 there are none."},
  {"output.fields_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between snapshots of the physical fields. With 0 none are written."},
  {"output.slices_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between slices. With 0 none are written."},
  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "z=0",
   .help = "Planes that are written as HDF5 and PNG, each with what to show on it: \"z=0\", \"x=pi: speed, vorticity\". "
           "Without names it is what the solver is looked at by, such as the vorticity."},
  {"output.checkpoint_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between checkpoints. With 0 only the one at the end is written."},
  {"output.keep", INTEGER, BETWEEN(2, 1000000), .preset = "3",
   .help = "Checkpoints kept; older ones are deleted. Two at least, so that one is good while the next is written."},
  {"output.writer", WORD, WORDS("auto", "direct", "gather"), .preset = "auto",
   .help = "Who writes fields and checkpoints: every rank its own part of the file (direct, which is auto too), or rank 0 "
           "for all (gather), slower, for file systems that only one host can write. The bytes are the same."},
  {"output.report", FLAG, .preset = "true",
   .help = "Write report.html at the end of the run, where there is a Python that can. A report that fails changes nothing "
           "for the run."},

  {"output.retry_interval", REAL, AT_LEAST(0), .preset = "60", .unit = "s",
   .help = "Where the disk does not take a file, because it is full or away, the run goes on and tries again at this "
           "interval of wall-clock time."},
  {"output.retry_limit", REAL, AT_LEAST(0), .preset = "1800", .unit = "s",
   .help = "It gives up after this time, with exit code 74 and the last good checkpoint in place. With 0 it does at once."},
  {"output.watchdog", REAL, AT_LEAST(0), .preset = "600", .unit = "s",
   .help = "A step, or the writing of files, that makes no progress for this time and for 20 times what it usually takes "
           "ends the run with exit code 74, each rank saying where it stands. With 0 it waits for ever."},
  {"output.disk_check", WORD, WORDS("refuse", "warn"), .preset = "refuse",
   .help = "What to do before work where the planned output is more than the disk has free."},

  {"parallel.device", WORD, WORDS("auto", "cpu", "gpu", "offload"), .preset = "auto",
   .help = "Where the arithmetic is done. With gpu the fields live on the GPU; with auto it is the GPU where there is one. "
           "With offload the fields are on the host and pass through the GPU in pieces, for grids that do not fit there."},
  {"parallel.gpu_memory", .solvers = SPECTRAL, REAL, AT_LEAST(0), .preset = "0", .unit = "GB",
   .help = "GPU memory that each rank may take. With 0 it is all that is free; offload then takes 4 GB at most."},
  {"parallel.nstreams", INTEGER, BETWEEN(0, 64), WORDS("auto"), .preset = "0",
   .help = "Chunks of planes in flight at once, so that the exchange of one overlaps the transforms of another. With 0 "
           "or \"auto\" it is what triad tune has found, or four, between GPUs eight."},
  {"parallel.transport", WORD, WORDS("auto", "mpi", "nccl", "ipc", "put", "cuda-mpi", "staged"), .preset = "auto",
   .help = "What carries the exchange between ranks: host buffers by MPI, NCCL, copies (ipc) or stores of "
           "a kernel (put) into memory of the other GPUs of a node, "
           "MPI that takes device memory, or pinned host buffers. auto times those "
           "that are there between GPUs, and takes the fastest."},
  {"parallel.reproducible", FLAG, .preset = "false",
   .help = "Give the same answer bit for bit on any number of ranks and threads, at some cost in speed."},
  {"parallel.blocks", .solvers = GAS, INTEGERS(3), BETWEEN(0, 1048576), .preset = "0 0 0",
   .help = "Blocks that the grid is divided into along x, y and z, a rank each. Where 0 stands, the number that gives the "
           "least to compute and to exchange is taken."},
  {"parallel.threads", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help = "Threads of each rank. With 0 it is what OMP_NUM_THREADS says, or else the cores there are."},
};

const int triad_schema_size = (int)(sizeof triad_schema / sizeof triad_schema[0]);
