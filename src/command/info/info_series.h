/* Tables of numbers, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_SERIES_H
#define TRIAD_COMMAND_INFO_INFO_SERIES_H

#include "command/info/info.h"

int triad_info_series(const char *path, int brief);

#endif
