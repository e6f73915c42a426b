#include "base/text.h"
#include "case/case.h"
#include "command/command.h"
#include "command/options.h"
#include "solvers/solver.h"

#include <stdio.h>
#include <stdlib.h>

static int write_grid(const triad_arguments *a, const char *path, int ranks)
{
  char *text = NULL;
  size_t length = 0;
  triad_case *given = NULL;
  const triad_solver *solver;
  TRIAD_TRY(triad_case_load_text(a->words[0], &text, &length));
  int st = triad_case_parse(&given, a->words[0], text, length, a->sets, a->n_sets);
  free(text);
  if (st == TRIAD_ERR_CASE && given) {
    (void)fprintf(stderr, "%s", triad_case_errors(given));
    triad_message_clear();
  }
  if (st == TRIAD_OK) st = triad_solver_find(&solver, given);
  if (st == TRIAD_OK)
    st = solver->grid_write ? solver->grid_write(given, path, ranks)
                            : TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s has no grid to write",
                                         triad_case_word(given, "equations.solver"));
  triad_case_destroy(&given);
  return st;
}

static int run(int argc, char **argv)
{
  const char *path = NULL, *text = NULL;
  int ranks = 0;
  const triad_option table[] = {{"--write", &path, NULL}, {"--ranks", &text, NULL}, {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_options_words(&a, "grid", 1, 1, "one case file");
  if (st == TRIAD_OK && !path) st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad grid wants --write FILE");
  if (st == TRIAD_OK && text) st = triad_options_count("--ranks", text, &ranks);
  if (st == TRIAD_OK) st = write_grid(&a, path, ranks);
  st = triad_output_end(stdout, st);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_grid = {
    .name = "grid",
    .summary = "write the grid of a case to be looked at or used elsewhere",
    .help =
      "Usage: triad grid CASE --write FILE [--ranks N] [--set KEY=VALUE]...\n\n"
      "Writes the blocks of a case's grid as FILE: CGNS where it is named .cgns, with joins, patches and periods\n"
      "inside; else PLOT3D (unformatted, double, three coordinates), and beside it, named .nmf instead of what\n"
      "follows the last dot, the neutral map file of its joins and patches. A case that names it, or both,\n"
      "grid.kind = \"file\", computes the same. With --ranks also a table named .parts: which cells of which blocks\n"
      "each of N ranks has, as `mpirun -n N triad run CASE` deals them; triad-plot parts draws it.\n"
      "Of a mesh of cells of any shape FILE is named .vtkhdf and has its faces, with the colour, the two cells and\n"
      "the patch of each; ParaView opens it, triad-plot faces draws it by colours.\n"
      "Exit 69 for solvers whose grid is neither, and for FILE named .cgns in a build without that library.\n\n"
      "  --write FILE       where to\n"
      "  --ranks N          how it is cut and dealt to N ranks\n"
      "  --set KEY=VALUE    change the case\n",
    .alone = 1,
    .run = run};
