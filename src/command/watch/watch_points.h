/* Points in space of a run for the page of `triad watch`: particles, faces of walls and outer faces of a mesh. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_POINTS_H
#define TRIAD_COMMAND_WATCH_WATCH_POINTS_H

#include "base/json.h"

/* Write the member "points": of each group of particles the newest positions with the speed, of each wall of blocks and
 * of a mesh the centres of faces with the pressure; of many points a sample. Its "stamp" changes with the files;
 * nothing is written if it is `have`. */
void triad_watch_points(const char *dir, int64_t have, triad_json *j);

#endif
