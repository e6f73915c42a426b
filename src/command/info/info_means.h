/* means.h5, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_MEANS_H
#define TRIAD_COMMAND_INFO_INFO_MEANS_H

#include "command/info/info.h"

/* Report on a file of running means. */
int triad_inspect_means(triad_inspection *k);

#endif
