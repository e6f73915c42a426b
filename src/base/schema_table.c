#include "base/schema.h"

#include <math.h>

/* Equation sets that this build can solve. */
#define TRIAD_SOLVER_WORDS "hd", "boussinesq", "mhd", "gpe"
#define FLUIDS "hd boussinesq mhd"

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
#define TEXT .type = TRIAD_KEY_TEXT, .count = 1, ANY

/* Keys of a table stand together, those of the top level first. A key of some solvers only has
 * .solvers = "boussinesq mhd"; without it, it belongs to all. */
const triad_key triad_schema[] = {
  {"precision", WORD, WORDS("double", "single"), .preset = "double",
   .help = "Precision of all fields. Single halves memory and time; sums are kept in double either way."},

  {"equations.solver", WORD, WORDS(TRIAD_SOLVER_WORDS), .example = "hd",
   .help = "The set of equations: hd is incompressible Navier-Stokes, boussinesq adds a stratified buoyancy, mhd a "
           "magnetic field, and gpe is the Gross-Pitaevskii equation of a superfluid."},
  {"equations.viscosity", .solvers = FLUIDS, REAL, AT_LEAST(0), .preset = "0", .unit = "length^2/time",
   .help = "Kinematic viscosity nu of the term -nu k^2 u. With 0 the flow is inviscid."},
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
  {"equations.scalars", .solvers = "hd", REAL_LIST(8), AT_LEAST(0), .preset = "", .unit = "length^2/time",
   .help = "Passive scalars that the flow carries, one for each value: its diffusivity. [] for none."},
  {"equations.scalar_gradients", .solvers = "hd", REAL_LIST(24), ANY, .preset = "", .unit = "scalar/length",
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

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .example = "64 64 64",
   .help = "Points along x, y and z. Products of powers of 2, 3, 5 and 7 are fast."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length",
   .help = "Lengths of the periodic box along x, y and z."},
  {"grid.truncation", WORD, WORDS("sphere", "box", "none"), .preset = "sphere",
   .help = "Modes that are kept, with K_i = floor((n_i - 1)/3): sphere keeps the sum of (k_i/K_i)^2 up to 1, box keeps "
           "every |k_i| up to K_i; both are free of aliasing. With none every mode is kept and products alias: for "
           "tests."},

  {"initial.kind", WORD, WORDS("taylor-green", "abc", "random", "file", "checkpoint", "rest"),
   .example = "taylor-green",
   .help = "The initial field: the Taylor-Green vortex, the ABC flow, a random field of given spectrum, physical-space "
           "fields from an HDF5 file, the modes of a checkpoint, or no motion at all (rest), for forced runs."},
  {"initial.amplitude", REAL, ANY, .preset = "1", .unit = "length/time",
   .help = "Velocity amplitude of taylor-green and abc."},
  {"initial.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "For taylor-green and abc, the periods of the flow along each side of the box; for random fields, the peak "
           "k0 of the gaussian spectrum in units of the smallest wavenumber of the box."},
  {"initial.abc", REALS(3), ANY, .preset = "1 1 1",
   .help = "Coefficients A, B and C of the ABC flow."},
  {"initial.two_dimensional", FLAG, .preset = "false",
   .help = "With kind taylor-green, start from the plane vortex (sin x cos y, -cos x sin y, 0), which decays without "
           "becoming turbulent."},
  {"initial.energy", REAL, AT_LEAST(0), .preset = "0.5", .unit = "length^2/time^2",
   .help = "Mean of |u|^2/2 of a random field."},
  {"initial.spectrum", WORD, WORDS("gaussian", "power-law"), .preset = "gaussian",
   .help = "Energy spectrum of a random field: gaussian is E(k) ~ (k/k0)^4 exp(-2 (k/k0)^2), power-law is E(k) ~ "
           "k^slope for k within k_range and nothing outside."},
  {"initial.slope", REAL, ANY, .preset = "-5/3",
   .help = "Exponent of the power-law spectrum."},
  {"initial.k_range", REALS(2), ABOVE(0), .preset = "1 4",
   .help = "Lowest and highest wavenumber of the power-law spectrum, in units of the smallest wavenumber of the box."},
  {"initial.helicity", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative helicity of a random field: 0 for none, 1 or -1 for modes of one handedness only."},
  {"initial.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of a random field. The same seed gives the same field on any number of ranks and on any grid that "
           "holds its modes."},
  {"initial.file", TEXT, .preset = "",
   .help = "The HDF5 file with datasets u, v, w as (z, y, x) for kind file, or the checkpoint folder for kind "
           "checkpoint. A relative path starts at the folder of the case file."},

  {"forcing.kind", WORD, WORDS("none", "taylor-green", "abc", "random", "constant-power"), .preset = "none",
   .help = "The force: a steady Taylor-Green or ABC acceleration, a random one that is white in time, or one along "
           "the velocity of a band of modes that injects constant power."},
  {"forcing.amplitude", REAL, ANY, .preset = "1", .unit = "length/time^2",
   .help = "Acceleration amplitude of taylor-green and abc."},
  {"forcing.wavenumber", INTEGER, BETWEEN(1, 1048576), .preset = "1",
   .help = "Periods of the taylor-green or abc force along each side of the box."},
  {"forcing.abc", REALS(3), ANY, .preset = "1 1 1",
   .help = "Coefficients A, B and C of the abc force."},
  {"forcing.power", REAL, AT_LEAST(0), .preset = "0.1", .unit = "length^2/time^3",
   .help = "Energy injected per unit time by random and constant-power."},
  {"forcing.k_range", REALS(2), AT_LEAST(0), .preset = "1 2",
   .help = "Lowest and highest wavenumber of the modes forced by random and constant-power, in units of the smallest "
           "wavenumber of the box."},
  {"forcing.helicity", REAL, BETWEEN(-1, 1), .preset = "0",
   .help = "Relative helicity of the random force: 0 for none, 1 or -1 for modes of one handedness only."},
  {"forcing.seed", INTEGER, AT_LEAST(0), .preset = "1",
   .help = "Seed of the random force."},

  {"time.end", REAL, AT_LEAST(0), .example = "10", .unit = "time",
   .help = "The run ends at this time."},
  {"time.scheme", WORD, WORDS("rk3", "rk2", "rk4", "split2"), .preset = "rk3",
   .help = "Runge-Kutta scheme, by order; the viscous term is integrated exactly in each. split2, for gpe only, is "
           "Strang splitting, whose two halves are exact."},
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
  {"output.fields_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between snapshots of the physical fields. With 0 none are written."},
  {"output.checkpoint_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between checkpoints. With 0 only the one at the end is written."},
  {"output.keep", INTEGER, BETWEEN(2, 1000000), .preset = "3",
   .help = "Checkpoints kept; older ones are deleted. Two at least, so that one is good while the next is written."},

  {"parallel.device", WORD, WORDS("auto", "cpu", "gpu", "offload"), .preset = "auto",
   .help = "Where the arithmetic is done. With gpu the fields live on the GPU; with offload they live on the host and "
           "pass through the GPU, for grids larger than its memory. With auto it is the GPU where there is one."},
  {"parallel.nstreams", INTEGER, BETWEEN(0, 64), WORDS("auto"), .preset = "0",
   .help = "Chunks of planes in flight at once, so that the exchange of one overlaps the transforms of another. With 0 "
           "or \"auto\" it is tuned."},
  {"parallel.transport", WORD, WORDS("auto", "mpi", "nccl", "ipc", "cuda-mpi", "staged"), .preset = "auto",
   .help = "What carries the exchange between ranks: host buffers by MPI, NCCL, peer copies between GPUs of a node, "
           "MPI that takes device memory, or pinned host buffers."},
  {"parallel.reproducible", FLAG, .preset = "false",
   .help = "Give the same answer bit for bit on any number of ranks and threads, at some cost in speed."},
  {"parallel.threads", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help = "Threads of each rank. With 0 it is what OMP_NUM_THREADS says, or else the cores there are."},
};

const int triad_schema_size = (int)(sizeof triad_schema / sizeof triad_schema[0]);
