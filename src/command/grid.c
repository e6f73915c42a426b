/* The command `triad grid`: check the grid or mesh of a case and write it in another format. */
#include "base/output.h"
#include "case/case.h"
#include "case/case_load.h"
#include "command/command.h"
#include "command/mesh_report.h"
#include "command/options.h"
#include "mesh/write/meshwrite.h"
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
    st = solver->grid_write
           ? solver->grid_write(given, path, ranks)
           : TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s has no grid to write: triad grid is for block and mesh solvers",
                        triad_case_word(given, "equations.solver"));
  triad_case_destroy(&given);
  return st;
}

/* Report the mesh of a file, and write it in another format if a name is given. */
static int report_mesh(const char *path, const char *to)
{
  triad_memory *memory = NULL;
  triad_mesh *mesh = NULL;
  int st = triad_memory_create(&memory);
  if (st == TRIAD_OK) st = triad_mesh_report_read(&mesh, memory, path);
  if (st == TRIAD_OK) st = triad_mesh_report_print(stdout, mesh, path);
  if (st == TRIAD_OK && to) st = triad_mesh_write(mesh, to);
  if (st == TRIAD_OK && to) (void)printf("%s: written\n", to);
  triad_mesh_destroy(&mesh);
  triad_memory_destroy(&memory);
  return st;
}

static int run_grid(int argc, char **argv)
{
  const char *path = NULL, *text = NULL;
  int ranks = 0;
  const triad_option table[] = {{"--write", &path, NULL}, {"--ranks", &text, NULL}, {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_options_words(&a, "grid", 1, 1, "one case file or mesh");
  if (st == TRIAD_OK && text) st = triad_options_count("--ranks", text, &ranks);
  const int is_mesh = st == TRIAD_OK && triad_mesh_report_is(a.words[0], !path);
  if (st == TRIAD_OK && !is_mesh && !path)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad grid requires --write FILE for the grid of a case");
  if (st == TRIAD_OK) st = is_mesh ? report_mesh(a.words[0], path) : write_grid(&a, path, ranks);
  st = triad_output_end(stdout, st);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_grid = {
  .name = "grid",
  .summary = "report on a mesh file; write the grid of a case to files",
  .help =
    "Usage: triad grid MESH [--write FILE]\n"
    "       triad grid CASE --write FILE [--ranks N] [--set KEY=VALUE]...\n"
    "\n"
    "Reports on a mesh file: cells, volume, patches with their areas, and quality with the worst places. All errors "
    "are\n"
    "printed with their place. Formats are those of grid.file for unstructured meshes. --write converts the mesh to\n"
    "SU2 (FILE ends in .su2), Gmsh (.msh, MSH 2.2), CGNS (.cgns) or VTKHDF (.vtkhdf). Polyhedra require CGNS.\n"
    "\n"
    "Writes the grid of a case. A grid of blocks is written as CGNS, with joins, patches and periods, if FILE ends in\n"
    ".cgns; otherwise as PLOT3D (unformatted, double precision, three coordinates) with a neutral map file of its "
    "joins\n"
    "and patches, FILE with the ending .nmf. A case with grid.kind = \"file\" that names these files computes the same "
    "flow.\n"
    "An unstructured mesh is written as .su2, .msh or .cgns, or as .vtkhdf: its faces, each with its colour, its two\n"
    "cells and its patch. ParaView opens the file; triad-plot faces draws it.\n"
    "Exit 69 for solvers without such grids, and for .cgns in a build without the CGNS library.\n"
    "\n"
    "  --write FILE       output file\n"
    "  --ranks N          also write FILE with the ending .parts: the cells of each of N ranks, as `mpirun -n N triad "
    "run\n"
    "                     CASE` assigns them; triad-plot parts draws it\n"
    "  --set KEY=VALUE    change a key of the case\n",
  .alone = 1,
  .run = run_grid};
