/* Quantities of a velocity u, v, w, as rows for a family's table (case/slice.h). */
#ifndef TRIAD_SOLVERS_QUANTITIES_H
#define TRIAD_SOLVERS_QUANTITIES_H

#include "case/slice.h"

#define TRIAD_UNIT_VELOCITY "U"
#define TRIAD_UNIT_RATE "1/T"

/* turn: when the vorticity is shown where nothing is asked for. */
#define TRIAD_VELOCITY_QUANTITIES(solvers, turn) \
  {"u", solvers, TRIAD_UNIT_VELOCITY, "velocity along x", .field = "u"}, \
    {"v", solvers, TRIAD_UNIT_VELOCITY, "velocity along y", .field = "v"}, \
    {"w", solvers, TRIAD_UNIT_VELOCITY, "velocity along z", .field = "w"}, \
    {"speed", solvers, TRIAD_UNIT_VELOCITY, "speed |u|", TRIAD_QUANTITY_NORM, "u", .scale = TRIAD_SCALE_FROM_ZERO}, \
    {"vorticity", \
     solvers, \
     TRIAD_UNIT_RATE, \
     "vorticity |curl u|", \
     TRIAD_QUANTITY_CURL_NORM, \
     "u", \
     .scale = TRIAD_SCALE_FROM_ZERO, \
     .shown = turn}, \
    {"vorticity_x", solvers, TRIAD_UNIT_RATE, "vorticity along x", TRIAD_QUANTITY_CURL, "u", .component = 0}, \
    {"vorticity_y", solvers, TRIAD_UNIT_RATE, "vorticity along y", TRIAD_QUANTITY_CURL, "u", .component = 1}, \
  { \
    "vorticity_z", solvers, TRIAD_UNIT_RATE, "vorticity along z", TRIAD_QUANTITY_CURL, "u", .component = 2 \
  }

#endif
