/* Groups of particles in a checkpoint: those that a run continues, and messages about the others. */
#ifndef TRIAD_SOLVERS_PARTICLES_RESTORE_H
#define TRIAD_SOLVERS_PARTICLES_RESTORE_H

#include "solvers/particles/group.h"

/* The table of a group in a checkpoint. Returns 1 if its particles continue from it, 0 if the group is new; *status:
 * TRIAD_ERR_CASE if it has another kind or number and the run resumes. A branch uses as many particles as the
 * checkpoint has; differences from the case are warnings. width: numbers of a row; kind: their name. Not collective:
 * all ranks read the same. */
int triad_group_goes_on(triad_group *group, const triad_case *given, const char *folder, const triad_notes *notes,
                        int width, int branch, triad_log *log, int *status);

/* Groups of the checkpoint that a branch has none of: a line. Not collective. */
void triad_groups_left_out(const triad_case *given, const triad_notes *notes, triad_log *log);

#endif
