/* Subcommands of `triad`: one file each, registered by one word in main.c. */
#ifndef TRIAD_COMMAND_COMMAND_H
#define TRIAD_COMMAND_COMMAND_H

#include "base/log.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

typedef struct triad_command {
  const char *name, *summary;
  const char *help;                  /* what `triad NAME --help` prints */
  int (*run)(int argc, char **argv); /* arguments after the name; returns the exit code */
  int alone;                         /* without MPI: of the processes of a launcher the first one alone does it */
} triad_command;

/* Before MPI is initialised: this process' rank from the environment of its launcher; -1 without a
 * launcher. session.c */
int triad_launched_as(void);

/* All of them, in the order of `triad --help`: main.c. */
enum { TRIAD_MAX_COMMANDS = 32 };
extern const triad_command *const triad_commands[];
extern const int triad_n_commands;

/* What the grid of a case is, for reports: "64 x 64 x 1", or the name of its file. info_run.c */
struct triad_case;
void triad_grid_words(const struct triad_case *c, char *text, size_t size);

#endif
