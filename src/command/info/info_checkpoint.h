/* Describe a checkpoint in one line, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_CHECKPOINT_H
#define TRIAD_COMMAND_INFO_INFO_CHECKPOINT_H

#include "command/info/info.h"

/* "step-00000010  valid ..", for a list, and step and time of a valid one; the report is triad_info_checkpoint. */
int triad_info_checkpoint_brief(const char *folder, int64_t *step, double *t, int *settled);

#endif
