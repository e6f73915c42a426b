/* Keys of groups of particles that all families share which carry some, as rows for a family's table (case/rows.h);
 * only: the solvers of the family that do, NULL for all. A family adds those of its interpolation and samples. */
#ifndef TRIAD_SOLVERS_PARTICLES_KEYS_H
#define TRIAD_SOLVERS_PARTICLES_KEYS_H

#include "case/case.h"

/* Rules between them, for keys.c of a family. */
void triad_particles_rules(triad_case *c);

#define TRIAD_PARTICLE_KEYS(only) \
  {"particles.name", \
   MANY, \
   .solvers = only, \
   TEXT, \
   .example = "tracers", \
   .help = "Name of a group of particles: letters, digits, _ and -. Its file is particles/NAME.h5."}, \
    {"particles.count", \
     MANY, \
     .solvers = only, \
     INTEGER, \
     BETWEEN(0, 2e9), \
     .preset = "0", \
     .help = "Number of particles in the group. With start file, 0 means all particles in the file."}, \
    {"particles.kind", \
     MANY, \
     .solvers = only, \
     WORD, \
     WORDS(W("tracer"), W("inertial")), \
     .preset = "tracer", \
     .help = \
       "Equation of motion. tracer: moves with the fluid. inertial: a small sphere with Stokes drag and weight."}, \
    {"particles.start", \
     MANY, \
     .solvers = only, \
     WORD, \
     WORDS(W("random"), W("lattice"), W("pairs"), W("file")), \
     .preset = "random", \
     .help = "Initial positions. random: uniformly distributed. lattice: evenly spaced. pairs: pairs at the distance " \
             "particles.separation. file: read from particles.file."}, \
    {"particles.seed", \
     MANY, \
     .solvers = only, \
     INTEGER, \
     AT_LEAST(0), \
     .preset = "1", \
     .help = \
       "Seed of the initial positions for random and pairs. Groups with the same seed start at the same positions."}, \
    {"particles.separation", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "length", \
     .help = \
       "With start pairs, the distance between the two particles of a pair. The direction of each pair is random."}, \
    {"particles.file", \
     MANY, \
     .solvers = only, \
     TEXT, \
     .preset = "", \
     .help = \
       "With start file, an HDF5 file with a dataset position, (particle, 3). If the dataset has a time axis, as the " \
       "particle file of a run has, its last row is used. A relative path starts at the folder of the case file."}, \
    {"particles.stokes_time", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "time", \
     .help = "With kind inertial, the response time of Stokes drag: a^2 (2 R + 1)/(9 viscosity) for a sphere of " \
             "radius a and density ratio R. For a heavy sphere this equals 2 R a^2/(9 viscosity)."}, \
    {"particles.density_ratio", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     WORDS(W("inf")), \
     .preset = "1e300", \
     .help = "Density of an inertial particle divided by that of the fluid. With \"inf\" only drag and weight act; " \
             "otherwise also the acceleration of the fluid and the added mass."}, \
    {"particles.gravity", \
     MANY, \
     .solvers = only, \
     REALS(3), \
     ANY, \
     .preset = "0 0 0", \
     .unit = "length/time^2", \
     .help = "Gravitational acceleration of inertial particles."}, \
  { \
    "output.particles_interval", \
      .solvers = only, REAL, AT_LEAST(0), .preset = "0", .unit = "time", \
      .help = "Time between rows in the particle files. With 0, only the start and the end of the run are written." \
  }

#endif
