/* Subcommands of `triad`: one file each, registered by one line in main.c. */
#ifndef TRIAD_COMMAND_COMMAND_H
#define TRIAD_COMMAND_COMMAND_H

typedef struct triad_command {
  const char *name, *summary;
  const char *help; /* what `triad NAME --help` prints */
  int (*run)(int argc, char **argv); /* arguments after the name; returns the exit code */
} triad_command;

extern const triad_command triad_command_run, triad_command_bench, triad_command_case, triad_command_spectra,
    triad_command_info, triad_command_report, triad_command_stop, triad_command_tune;

#endif
