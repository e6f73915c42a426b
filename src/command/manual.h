/* The manual page triad(1) and the bash completion, as text. */
#ifndef TRIAD_COMMAND_MANUAL_H
#define TRIAD_COMMAND_MANUAL_H

#include "command/command.h"

/* manual.c, made of the help texts: the manual page triad(1), and completion for bash. TRIAD_ERR_IO. */
int triad_manual_write(FILE *file);
int triad_completion_write(FILE *file);

#endif
