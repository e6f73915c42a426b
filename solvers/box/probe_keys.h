/* Keys of probe points and of running means, as rows for a family's table (case/rows.h, case/probe.h). how: a sentence
 * about the values at a point. */
#ifndef TRIAD_SOLVERS_BOX_PROBE_KEYS_H
#define TRIAD_SOLVERS_BOX_PROBE_KEYS_H

#include "case/probe.h"

#define TRIAD_PROBE_KEYS(how) \
  {"output.probes", TEXT_LIST(TRIAD_PROBES), .preset = "", \
   .help = "Points at which all fields are written to probes.csv, every output.probes_interval: \"[1.0, pi/2, 3]\" " \
           "is one point, \"lattice 4 4 4\" the points L i/N along each axis. " how " With [] there are none."}, \
    {"output.probes_interval", \
     .used = "output.probes", \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "time", \
     .help = "Time between rows of probes.csv. Each row is written after the first step that reaches its time. With " \
             "0, every step writes one."}, \
  { \
    "output.probes_format", .used = "output.probes", WORD, WORDS(W("csv"), W("h5")), .preset = "csv", \
                            .help = "File format of the probes. h5 also writes probes.h5, with the points and times, " \
                                    "from the rows of probes.csv at each checkpoint and at the end of the run." \
  }

/* When means are taken, whatever of. */
#define TRIAD_MEAN_TIME_KEYS \
  {"output.means_interval", \
   .used = "output.means", \
   REAL, \
   AT_LEAST(0), \
   .preset = "0.1", \
   .unit = "time", \
   .help = "Time between samples of the running means. With 0, every step is sampled."}, \
    {"output.means_from", \
     .used = "output.means", \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "time", \
     .help = "Time at which the running means start."}, \
  { \
    "output.means_window", \
      .used = "output.means", REAL, AT_LEAST(0), .preset = "0", .unit = "time", \
      .help = "Length in time of an averaging window. Means restart at the end of each window, and each window has " \
              "its own file in means/. With 0, one window extends to the end of the run." \
  }

#endif
