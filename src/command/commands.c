/* The table of subcommands. */
#include "command/command.h"

/* The subcommands: one line each. */
#define TRIAD_COMMANDS(X) \
  X(new) \
  X(run) \
  X(bench) \
  X(plan) \
  X(tune) \
  X(case) X(grid) X(spectra) X(query) X(info) X(pack) X(report) X(archive) X(diff) X(export) X(far_field) X(import) \
    X(cite) X(stop) X(set) X(watch)

#define DECLARE(name) extern const triad_command triad_command_##name;
#define ENTRY(name) &triad_command_##name,
TRIAD_COMMANDS(DECLARE)

const triad_command *const triad_commands[] = {TRIAD_COMMANDS(ENTRY)};
const int triad_n_commands = sizeof triad_commands / sizeof *triad_commands;
