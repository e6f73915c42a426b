/* triad tune --sizes (tune.c). */
#ifndef TRIAD_COMMAND_TUNE_TUNE_SIZES_H
#define TRIAD_COMMAND_TUNE_TUNE_SIZES_H

#include "command/command.h"
#include "command/session/session.h"

/* One step of the case at `path` on thin grids that take lines of each length of `list`, "480,500", along every
 * axis: kernels that are not built in are compiled and kept. TRIAD_ERR_USAGE for another list, TRIAD_ERR_FEATURE
 * where the case steps on the CPU. Collective. */
int triad_tune_sizes(triad_session *session, const triad_arguments *arguments, const char *path, const char *list);

#endif
