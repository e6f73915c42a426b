/* A run directory and its parts, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_RUN_H
#define TRIAD_COMMAND_INFO_INFO_RUN_H

#include "command/info/info.h"

int triad_info_run(const char *path);
int triad_info_is_part(const char *name);                                 /* does a run have a folder of this name? */
int triad_info_part(const char *path, const char *run, const char *part); /* a folder of a run directory */

#endif
