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

/* The program: a subcommand and its arguments behind argv[0]; returns the exit code. main.c */
int triad_command_line(int argc, char **argv);

/* manual.c, made of the help texts: the manual page triad(1), and completion for bash. TRIAD_ERR_IO. */
int triad_manual_write(FILE *file);
int triad_completion_write(FILE *file);

/* What the grid of a case is, for reports: "64 x 64 x 1", or the name of its file. info_run.c */
struct triad_case;
void triad_grid_words(const struct triad_case *c, char *text, size_t size);

/* report.c, after a run: write DIR/report.html and log it, in at most two minutes, less if *stop is set (NULL: never).
 * A report that includes the last row of the series is not written again. Failures do not affect the run. Not
 * collective: one rank calls. */
void triad_report_after_run(const char *dir, triad_log *log, const volatile sig_atomic_t *stop);

#endif
