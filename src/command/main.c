/* triad: the command. Help and version need no MPI launch, no case and no device. */
#include "command/main.h"
#include "base/status.h"
#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "command/command.h"
#include "command/manual.h"
#include "command/session/startup.h"
#include "solvers/list.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under mpirun every rank comes here, and the first speaks for all. */
static int speaks(void) { return triad_launched_as() <= 0; }

static void print_help(FILE *out)
{
  (void)fprintf(
    out,
    "Usage: triad COMMAND [ARGUMENTS]      (mpirun -n P triad ... for P ranks)\n\n"
    "Direct numerical simulation of turbulent flows on CPUs and GPUs: periodic boxes, walls, blocks and meshes.\n\n");
  for (int i = 0; i < triad_n_commands; i++)
    (void)fprintf(out, "  %-9s %s\n", triad_commands[i]->name, triad_commands[i]->summary);
  (void)fprintf(out, "  %-9s %s\n\n", "help", "print this help, or that of a command: triad help COMMAND");
  (void)fprintf(
    out, "triad COMMAND --help explains a command, triad --version prints the version of this build, and\n"
         "triad help --manual and --completion print the manual page and the completion for bash. First run:\n"
         "  triad run runs/taylor-green-demo/case.toml --dir my-run\n\n"
         "Exit codes: 0 finished; 64 usage; 65 bad case or data; 66 input missing; 69 feature not built or not\n"
         "available; 70 internal error; 71 out of memory; 74 I/O error; 75 stopped early with a good checkpoint;\n"
         "80 blow-up.\n");
}

static const triad_command *find(const char *name)
{
  for (int i = 0; i < triad_n_commands; i++)
    if (strcmp(triad_commands[i]->name, name) == 0) return triad_commands[i];
  return NULL;
}

static int unknown(const char *name)
{
  const char *names[TRIAD_MAX_COMMANDS + 1] = {"help"};
  for (int i = 0; i < triad_n_commands; i++) names[i + 1] = triad_commands[i]->name;
  int nearest = triad_nearest(name, names, triad_n_commands + 1);
  if (!speaks()) return TRIAD_ERR_USAGE;
  if (nearest >= 0) (void)fprintf(stderr, "triad: unknown command %.80s, did you mean %s?\n", name, names[nearest]);
  else (void)fprintf(stderr, "triad: unknown command %.80s; triad --help lists them\n", name);
  return TRIAD_ERR_USAGE;
}

static int help_of(const char *name)
{
  const triad_command *command = find(name);
  const int of_help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
  if (of_help && speaks()) print_help(stdout);
  if (of_help) return TRIAD_OK;
  if (!command) return unknown(name);
  if (speaks()) (void)printf("%s", command->help);
  return TRIAD_OK;
}

static int written(int status)
{
  status = triad_output_end(stdout, status);
  triad_message_print(-1);
  return status;
}

static int wants_help(int argc, char **argv)
{
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
  return 0;
}

int triad_command_line(int argc, char **argv)
{
  triad_solvers_register();
  /* some launchers ignore it, and then nobody can wait for a process of his own, such as those that read others'
   * files */
  (void)signal(SIGCHLD, SIG_DFL);
  if (argc < 2) {
    if (speaks()) print_help(stderr);
    return TRIAD_ERR_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    if (speaks()) (void)printf("%s\n", triad_version_text());
    return TRIAD_OK;
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2)) {
    if (speaks()) print_help(stdout);
    return TRIAD_OK;
  }
  if (strcmp(name, "help") == 0 && strcmp(argv[2], "--manual") == 0) return written(triad_manual_write(stdout));
  if (strcmp(name, "help") == 0 && strcmp(argv[2], "--completion") == 0) return written(triad_completion_write(stdout));
  if (strcmp(name, "help") == 0) return help_of(argv[2]);
  const triad_command *command = find(name);
  if (!command) return unknown(name);
  if (wants_help(argc - 2, argv + 2)) return help_of(name);
  if (command->alone && !speaks()) return TRIAD_OK;
  return command->run(argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
  const int stack = triad_startup_stack(argv);
  return stack == TRIAD_OK ? triad_command_line(argc, argv) : stack;
}
