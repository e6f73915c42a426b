/* What is made of the subcommands' help: the manual page triad(1), and completion for bash. */
#ifndef TRIAD_COMMAND_MANUAL_H
#define TRIAD_COMMAND_MANUAL_H

#include <stdio.h>

/* TRIAD_ERR_IO. */
int triad_manual_write(FILE *file);
int triad_completion_write(FILE *file);

#endif
