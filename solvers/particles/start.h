/* Initial positions of particles. */
#ifndef TRIAD_SOLVERS_PARTICLES_START_H
#define TRIAD_SOLVERS_PARTICLES_START_H

#include "solvers/particles/group.h"

/* The number of particles that a group of the case will have, for plans; if a file determines it, the number in the
 * file; 0 if the file cannot be read, which the run reports. Not collective. */
int64_t triad_start_planned(const triad_case *given, int number);

/* Of no flow: rows[end - begin][group->width] of particles begin .. end - 1 of a group, at their places in a box.
 * How many a group's file holds. Positions of a lattice of `count`: how many along each axis; 0 where that many make
 * none. Not collective. */
int triad_start_places(const triad_group *group, const triad_case *given, const double length[3], int64_t begin,
                       int64_t end, double *rows);
int triad_start_count(const triad_case *given, int number, int64_t *count);
int triad_start_lattice(int64_t count, const double length[3], int64_t n[3]);

#endif
