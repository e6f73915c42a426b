/* Subcommands of `triad`: one file each, registered by one line in commands.c. */
#ifndef TRIAD_COMMAND_COMMAND_H
#define TRIAD_COMMAND_COMMAND_H

typedef struct triad_command {
  const char *name, *summary;
  const char *help; /* what `triad NAME --help` prints */
  int (*run)(int argc, char **argv); /* arguments after the name; returns the exit code */
} triad_command;

/* All of them, in the order of `triad --help`: commands.c. */
enum { TRIAD_MOST_COMMANDS = 32 };
extern const triad_command *const triad_commands[];
extern const int triad_n_commands;

#endif
