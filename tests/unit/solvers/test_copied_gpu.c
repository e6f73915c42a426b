/* What runs on a GPU copy between it and the host, by count (copied.h): of every solver a step after which nothing
 * is due copies less than a plane of the state, and rows of the series, of probes and of profiles, which come in
 * every step where a case says nothing or wants them so, no field either. A solver that is not here wants its GPU's
 * sources in the Makefile's list for this program, and a case. ranks: 1   timeout: 400 */
#include "copied.h"

#define TIME "[time]\nend = 40.0\ndt = 0.001\n"
static const char hd[] =
  NOTHING_DUE "[grid]\nn = [32, 24, 20]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" TIME
              "[equations]\nsolver = \"hd\"\nviscosity = 0.02\nscalars = [0.01, 0.02]\n";
static const char channel[] = NOTHING_DUE
  "[grid]\nn = [32, 24, 20]\nlength = [1, 0.9, 1.2]\nstretch = [0, 1.5, 0]\n[initial]\nkind = \"random\"\n" TIME
  "[equations]\nsolver = \"staggered\"\nviscosity = 0.02\n[boundaries]\ny = [\"wall\", \"wall\"]\n"
  "[forcing]\nkind = \"flow-rate\"\n";
static const char gas[] = NOTHING_DUE "[grid]\nn = [32, 24, 20]\n[initial]\nkind = \"taylor-green\"\n" TIME
                                      "[equations]\nsolver = \"compressible\"\nviscosity = 0.01\n";
static const char blocks[] = NOTHING_DUE
  "[equations]\nsolver = \"multiblock\"\nmodel = \"laminar\"\nviscosity_law = \"constant\"\nviscosity = 1e-3\n"
  "[grid]\nkind = \"box\"\nn = [32, 24, 20]\n[initial]\nkind = \"stream\"\nperturbation = 0.05\n"
  "[boundaries]\npatches = [\"zmin: wall\", \"*: farfield, mach=0.5, pressure=1e5, temperature=300, "
  "alpha=20\"]\n[time]\ncfl = 0.5\nmax_steps = 100\n";

static const char mesh[] = NOTHING_DUE
  "means = true\n[equations]\nsolver = \"fct\"\n[grid]\nkind = \"hexes\"\nn = [32, 24, 20]\nlength = [1, 0.8, 0.7]\n"
  "[initial]\nkind = \"blast\"\nenergy = 5\nradius = 0.3\ncentre = [0.5, 0.4, 0.3]\n[boundaries]\n"
  "patches = [\"xmin: inflow, pressure=1, density=1, u=0.5\", \"xmax: farfield, pressure=1, sponge=0.3, "
  "strength=20\"]\n"
  "[time]\nend = 40\ncfl = 0.1\n";

/* Of the four fields or more that a state has, the smallest planes of this grid; of one field. The staggered solver
 * brings scalars of its iterations, which are a few hundred bytes each time it looks. */
enum { PLANE = 4 * 24 * 20 * 8, FIELD = 32 * 24 * 20 * 8 };

#define PROBES "output.probes=[\"[0.1, 0.2, 0.3]\", \"[0.5, 0.3, 0.7]\"]"
#define OFTEN "output.probes_interval=0"
#define SELDOM "output.probes_interval=50"
#define MEANS "output.means=[\"moments\"]", "output.means_interval=50"
#define ROWS "output.series_interval=0"

static void no_field(int64_t copied, const char *what)
{
  TRIAD_HOLDS(copied < PLANE, "%s: %lld bytes are copied in a step, and a plane of the state has %d", what,
              (long long)copied, PLANE);
}

TRIAD_TEST(a_spectral_step_copies_no_field)
{
  no_field(COPIED(hd, PROBES, SELDOM, MEANS), "nothing is due");
  no_field(COPIED(hd, "forcing.kind=\"constant-power\"", "forcing.power=0.1", "time.dt=0", "time.cfl=0.1"),
           "a force, and dt by cfl");
  no_field(COPIED(hd, ROWS), "a row of the series");
  no_field(COPIED(hd, PROBES, OFTEN), "a row of probes");
}

#define PARTICLES "particles=[{name=\"a\", count=50}]", "output.particles_interval=50"
#define SPECTRAL(set) \
  NOTHING_DUE "[grid]\nn = [32, 24, 20]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" TIME \
              "[equations]\nviscosity = 0.02\n" set
static const char boussinesq[] = SPECTRAL("solver = \"boussinesq\"\nbuoyancy_frequency = 2.0\ndiffusivity = 0.03\n");
static const char mhd[] = SPECTRAL("solver = \"mhd\"\nresistivity = 0.02\nmean_field = [0.0, 0.3, 1.0]\n");
static const char gpe[] =
  NOTHING_DUE "[grid]\nn = [32, 24, 20]\n[initial]\nkind = \"formula\"\npsi_re = \"1+0.2*cos(x)\"\npsi_im = "
              "\"0.3*sin(x+y-z)\"\n" TIME "[equations]\nsolver = \"gpe\"\nhealing_length = 0.5\n";

TRIAD_TEST(nor_does_one_of_other_sets_with_forces_and_particles)
{
  no_field(COPIED(boussinesq, PROBES, SELDOM), "stratified");
  no_field(COPIED(mhd, PROBES, SELDOM), "mhd");
  no_field(COPIED(gpe, "output.series_interval=0"), "a superfluid, a row of the series");
  no_field(COPIED(hd, PARTICLES), "tracers");
  no_field(COPIED(hd, "forcing.kind=\"formula\"", "forcing.u=\"0.3*sin(z - 30*t)\""), "a formula");
  no_field(COPIED(hd, "grid.dealiasing=\"phase-shift\"", "time.dt=0", "time.cfl=0.1"), "phase shifts");
}

TRIAD_TEST(a_staggered_step_copies_no_field)
{
  no_field(COPIED(channel, PROBES, SELDOM, MEANS, "profiles.every=1000"), "nothing is due");
  no_field(COPIED(channel, "time.dt=0", "time.cfl=0.1", "solids.kind=\"boxes\"", "solids.boxes=[3,0,2,3,4,3]"),
           "solids, and dt by cfl");
  no_field(COPIED(channel, "profiles.every=1"), "a sample of profiles");
  no_field(COPIED(channel, "solver.diffusion=\"implicit\""), "implicit diffusion");
  no_field(COPIED(channel, "boundaries.wall_velocity=[0,0,0,0,0,0, 0.3,0,-0.1,1,0,0.2, 0,0,0,0,0,0]",
                  "boundaries.wall_frequency=2"),
           "walls that move");
  no_field(COPIED(channel, ROWS), "a row of the series");
  no_field(COPIED(channel, PROBES, OFTEN), "a row of probes");
  no_field(COPIED(channel, "output.means=[\"profiles y\"]", "output.means_interval=0"), "a sample of means: profiles");
}

TRIAD_TEST(a_step_of_a_gas_copies_no_field)
{
  no_field(COPIED(gas, PROBES, SELDOM), "nothing is due");
  no_field(COPIED(gas, "time.dt=0", "time.cfl=0.1"), "dt by cfl");
  no_field(COPIED(gas, PARTICLES), "tracers");
  no_field(COPIED(gas, PROBES, OFTEN), "a row of probes");
  no_field(COPIED(gas, "sponge.rate=\"max(0, x - 4)\""), "a sponge");
  /* of 480 blocks what each found, twice; then of each row along x some numbers, which the host adds exactly
   * (solvers/compressible/measure/budget.c) */
  const int64_t force = COPIED(gas, "forcing.kind=\"linear\"");
  TRIAD_HOLDS(force < FIELD, "a force copies %lld bytes", (long long)force);
  const int64_t row = COPIED(gas, ROWS);
  TRIAD_HOLDS(row < FIELD, "a row of the series copies %lld bytes", (long long)row);
}

TRIAD_TEST(a_step_on_blocks_copies_no_field)
{
  no_field(COPIED(blocks, "output.slices=[\"k=1\"]", "time.end=40"), "nothing is due");
  no_field(COPIED(blocks, "time.steady=true"), "steady");
  no_field(COPIED(blocks, "time.steady=true", "time.scheme=\"implicit\""), "implicit");
  /* of each face of the boundaries what goes through it */
  const int64_t row = COPIED(blocks, ROWS, "time.end=40");
  TRIAD_HOLDS(row < 8 * 6 * 32 * 24 * 8, "a row of the series copies %lld bytes", (long long)row);
}

#define A_LINE "output.probes=[\"axis: line, x=0.1, to_x=0.9, y=0.4, z=0.3, n=20\"]"

TRIAD_TEST(a_step_on_a_mesh_copies_no_field)
{
  no_field(COPIED(mesh, A_LINE, "output.probes_interval=50"), "nothing is due, with means and a sponge");
  no_field(COPIED(mesh, "equations.viscosity=0.001", "equations.limited=[\"components\"]", "equations.prelimit=true"),
           "viscosity, limits of components");
  no_field(COPIED(mesh, A_LINE, "output.probes_interval=0"), "a row of probes");
  /* of blocks of 128 cells, 512 at most, what each found */
  const int64_t row = COPIED(mesh, ROWS);
  TRIAD_HOLDS(row < FIELD, "a row of the series copies %lld bytes", (long long)row);
}

TRIAD_MAIN
