/* Check and describe HDF5 files of solvers without points of a box: cells of blocks and meshes, faces of walls,
 * probes. */
#include "command/info/info_cells.h"
#include "command/info/info.h"
#include "command/info/info_lines.h"
#include "command/info/info_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int has(const triad_inspection *k, const char *name) { return triad_inspection_find(k, name) != NULL; }

static int some_begins(const triad_inspection *k, const char *with)
{
  for (int i = 0; i < k->n_sets; i++)
    if (strncmp(k->sets[i].name, with, strlen(with)) == 0) return 1;
  return 0;
}

const char *triad_inspection_cells(const triad_inspection *k, int timed)
{
  char type[32] = "";
  double blocks, shape[2];
  const char *what = NULL;
  if (triad_h5_attribute_text(k->file, "VTKHDF", "Type", type, sizeof type))
    what = timed ? "fields in the cells of a mesh" : "the faces of a mesh, written by triad grid";
  else if (timed && has(k, "rho.1") && triad_h5_root_reals(k->file, "blocks", 1, &blocks) == TRIAD_OK)
    what = "fields in the cells of blocks, (k, j, i)";
  else if (timed && some_begins(k, "area_x.")) what = "the faces on walls";
  else if (has(k, "x.1") && has(k, "y.1") && has(k, "z.1") && !timed) what = "the nodes of a block grid, (k, j, i)";
  else if (has(k, "x") && has(k, "t") && has(k, "rho") && triad_h5_root_reals(k->file, "shape", 2, shape) == TRIAD_OK)
    what = "values at probe points, (row, point)";
  triad_message_clear();
  return what;
}

/* Rows of a probe are of many times, nodes of none. */
static void tell_time(const triad_inspection *k, int timed, double step, double t)
{
  const triad_dataset *rows = triad_inspection_find(k, "t"), *places = triad_inspection_find(k, "x");
  if (timed) triad_info_line("  time       step %.0f, t = %.17g", step, t);
  else if (rows && rows->values > 0)
    triad_info_line("  rows       %" PRId64 ", of %" PRId64 " points, t = %.8g to %.8g", rows->values,
                    places ? places->dims[0] : 0, rows->least, rows->most);
}

int triad_inspect_cells(triad_inspection *k, const char *what, int timed, double step, double t)
{
  static const char *const prefixes[] = {"fields-", "blocks-", "surface-"};
  int st = TRIAD_OK;
  for (int i = 0; i < k->n_sets && k->how == TRIAD_INFO_WHOLE; i++)
    TRIAD_TRY(triad_inspection_values(k, &k->sets[i], NULL));
  if (k->how == TRIAD_INFO_BRIEF && timed) triad_info_line("    step %.0f, t = %.8g", step, t);
  if (k->how == TRIAD_INFO_BRIEF && !timed) {
    const triad_dataset *rows = triad_inspection_find(k, "t");
    int64_t n = rows ? rows->values : 0;
    triad_info_line("    %s: %" PRId64 " row%s", triad_path_name(k->path), n, n == 1 ? "" : "s");
  }
  if (k->how == TRIAD_INFO_WHOLE) {
    triad_info_line("%s: %s", k->path, what);
    tell_time(k, timed, step, t);
    for (int i = 0; i < k->n_sets; i++) triad_inspection_print(k, &k->sets[i]);
    triad_inspection_print_notes(k);
    st = triad_inspection_check_finite(k);
  }
  for (size_t i = 0; timed && i < sizeof prefixes / sizeof *prefixes; i++) {
    int named = triad_inspection_check_step(k, prefixes[i], step);
    if (named > st) st = named;
  }
  return st;
}
