/* Keys of places and of running means, as rows for a family's table (case/rows.h, case/probe.h); how: what values
 * are, a sentence. */
#ifndef TRIAD_SOLVERS_BOX_PROBE_KEYS_H
#define TRIAD_SOLVERS_BOX_PROBE_KEYS_H

#include "case/probe.h"

#define TRIAD_PROBE_KEYS(how) \
  {"output.probes", TEXT_LIST(TRIAD_PROBES), .preset = "", \
   .help = \
     "Places where all fields are told at an interval of their own, in probes.csv: \"[1.0, pi/2, 3]\", a point, or " \
     "\"lattice 4 4 4\", points at L i/N along each axis. " how " [] for none."}, \
    {"output.probes_interval", \
     .used = "output.probes", \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "time", \
     .help = "Time between rows of probes: they are taken at the first step that reaches it. With 0 each step is."}, \
  { \
    "output.probes_format", \
      .used = "output.probes", WORD, WORDS(W("csv"), W("h5")), .preset = "csv", \
      .help = \
        "With h5 there is probes.h5 too, of places and times, made from the rows at each checkpoint and at the end." \
  }

/* When means are taken, whatever of. */
#define TRIAD_MEAN_TIME_KEYS \
  {"output.means_interval", \
   .used = "output.means", \
   REAL, \
   AT_LEAST(0), \
   .preset = "0.1", \
   .unit = "time", \
   .help = "Time between samples of the means. With 0 each step is one."}, \
    {"output.means_from", .used = "output.means",     REAL, AT_LEAST(0), .preset = "0", \
     .unit = "time",      .help = "When means begin."}, \
  { \
    "output.means_window", .used = "output.means", REAL, AT_LEAST(0), .preset = "0", .unit = "time", \
                           .help = "With a length of time, means begin anew after each, and a window has a file of " \
                                   "its own in means/. With 0 there is " \
                                   "one window, to the end." \
  }

#endif
