/* The phases of a step of one family of solvers: which slots of triad_phases it charges, and their names. */
#ifndef TRIAD_SOLVERS_PHASES_H
#define TRIAD_SOLVERS_PHASES_H

#include "base/clock.h"

/* A phase, in the order in which tables list them. */
typedef struct triad_phase_row {
  int slot;         /* of triad_phases: enum triad_phase, or the family's own */
  const char *name; /* in tables and JSON */
} triad_phase_row;

/* All phases of a family. The last row is TRIAD_PHASE_REST: time that belongs to no other phase. */
typedef struct triad_phase_list {
  int n;
  const triad_phase_row *row; /* [n] */
} triad_phase_list;

/* The phases of a family without a list: those of base/clock.h. */
extern const triad_phase_list triad_common_phases;

/* Charge the time since *since to a slot, and set *since to the present time [s]. */
static inline void triad_phases_charge(triad_phases *phases, int slot, double *since)
{
  const double now = triad_now();
  phases->s[slot] += now - *since;
  *since = now;
}

#endif
