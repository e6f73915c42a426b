/* Tables of numbers: series.csv, and what triad spectra prints. */
#ifndef TRIAD_COMMAND_INFO_INFO_SERIES_H
#define TRIAD_COMMAND_INFO_INFO_SERIES_H

#include "command/info/info.h"

int triad_info_series(const char *path, int brief);

#endif
