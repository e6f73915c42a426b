/* Text files of a run, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_TEXT_H
#define TRIAD_COMMAND_INFO_INFO_TEXT_H

#include "command/info/info.h"

int triad_info_case(const char *path);
int triad_info_wisdom(const char *path);
int triad_info_log(const char *path);
int triad_info_xdmf(const char *path);

#endif
