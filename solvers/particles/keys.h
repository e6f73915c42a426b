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
   .help = "Name of a group of particles, of letters, digits, _ and -; its file is particles/NAME.h5."}, \
    {"particles.count", \
     MANY, \
     .solvers = only, \
     INTEGER, \
     BETWEEN(0, 2e9), \
     .preset = "0", \
     .help = "How many there are. With start file, 0 takes all of the file."}, \
    {"particles.kind", \
     MANY, \
     .solvers = only, \
     WORD, \
     WORDS(W("tracer"), W("inertial")), \
     .preset = "tracer", \
     .help = "tracer moves with the fluid; inertial is a small sphere with Stokes' drag and weight."}, \
    {"particles.start", \
     MANY, \
     .solvers = only, \
     WORD, \
     WORDS(W("random"), W("lattice"), W("pairs"), W("file")), \
     .preset = "random", \
     .help = \
       "Where they start: anywhere with the same probability (random), evenly spaced (lattice), two by two at a " \
       "distance of each other (pairs), or at the positions of a file."}, \
    {"particles.seed", \
     MANY, \
     .solvers = only, \
     INTEGER, \
     AT_LEAST(0), \
     .preset = "1", \
     .help = "Seed of the places of random and pairs. Groups of one seed start at the same places."}, \
    {"particles.separation", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "length", \
     .help = "With start pairs, the distance of the two of a pair, whose direction is random."}, \
    {"particles.file", \
     MANY, \
     .solvers = only, \
     TEXT, \
     .preset = "", \
     .help = "With start file, an HDF5 file with a dataset position, (particle, 3); of one over time, as of another " \
             "run, its " \
             "last row is taken. A relative path starts at the folder of the case file."}, \
    {"particles.stokes_time", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "time", \
     .help = "With kind inertial, the response time of Stokes' drag, a^2 (2 R + 1)/(9 viscosity) of a sphere of " \
             "radius a and " \
             "density ratio R; of a heavy one the same as 2 R a^2/(9 viscosity)."}, \
    {"particles.density_ratio", \
     MANY, \
     .solvers = only, \
     REAL, \
     AT_LEAST(0), \
     WORDS(W("inf")), \
     .preset = "1e300", \
     .help = "Density of an inertial particle over that of the fluid. With \"inf\" drag and weight act alone; " \
             "otherwise the " \
             "fluid's acceleration and the added mass too."}, \
    {"particles.gravity", \
     MANY, \
     .solvers = only, \
     REALS(3), \
     ANY, \
     .preset = "0 0 0", \
     .unit = "length/time^2", \
     .help = "Acceleration of gravity that acts on inertial particles."}, \
  { \
    "output.particles_interval", \
      .solvers = only, REAL, AT_LEAST(0), .preset = "0", .unit = "time", \
      .help = "Time between rows of the files of particles. With 0 there are those of the start and the end alone." \
  }

#endif
