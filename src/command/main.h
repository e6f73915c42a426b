/* The command line of `triad`, without MPI. */
#ifndef TRIAD_COMMAND_MAIN_H
#define TRIAD_COMMAND_MAIN_H

#include "command/command.h"

/* The program: a subcommand and its arguments behind argv[0]; returns the exit code. main.c */
int triad_command_line(int argc, char **argv);

#endif
