/* Requirements of MPI and hwloc, checked before they start, because their own messages would not explain the cause. Not
 * collective. */
#ifndef TRIAD_COMMAND_SESSION_STARTUP_H
#define TRIAD_COMMAND_SESSION_STARTUP_H

#include "base/log.h"

/* Where the stack is limited (ulimit -s) to less than MPI and HDF5 need, raise the limit as far as the system lets
 * this process, and begin the program again, since threads get stacks by the limit at its begin. TRIAD_ERR_MEMORY,
 * said on stderr, where the system does not let it. First of all in main. */
int triad_startup_stack(char **argv);

/* Before MPI starts: limits on files, on their size and on processes that MPI will fail on, a line each on stderr, from
 * the first rank. hwloc's own complaints are silenced (HWLOC_HIDE_ERRORS, unless it is set). */
void triad_startup_look(void);

/* Afterwards: what is not known of the machine for want of /sys. At level info. */
void triad_startup_tell(triad_log *log);

#endif
