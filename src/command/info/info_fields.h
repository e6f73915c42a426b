/* Files of slices, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_FIELDS_H
#define TRIAD_COMMAND_INFO_INFO_FIELDS_H

#include "command/info/info.h"

/* Report on a slice at `step` and time t; axis: the name of the axis across it. */
int triad_inspect_slice(triad_inspection *k, double step, double t, const char *axis);

#endif
