/* Describe a run directory: its case, its progress, and the validity of each file. */
#include "command/info/info.h"
#include "command/info/info_series.h"
#include "command/info/info_run.h"
#include "command/info/info_lines.h"
#include "command/info/info_checkpoint.h"

#include "case/case.h"
#include "case/case_load.h"
#include "command/command.h"
#include "run/output_kinds.h"
#include "solvers/solver.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/inspect.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 12 };

typedef struct report {
  const char *dir;
  int status;          /* the worst so far */
  int has_case, valid; /* valid: checkpoints found good */
  double end;          /* time.end */
  int64_t max_steps, step;
  double t;       /* step and t of the newest valid checkpoint */
  int settled;    /* its flow no longer changes                */
  char goal[160]; /* what it must come to, "" where the run ends by time or steps alone */
} report;

static void add(report *r, int status)
{
  status = triad_info_blame(status);
  if (status > r->status) r->status = status;
}

void triad_grid_words(const triad_case *c, char *text, size_t size)
{
  const char *file = triad_case_applies(c, "grid.file") ? triad_case_word(c, "grid.file") : "";
  const char *slash = strrchr(file, '/');
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  if (*file) (void)snprintf(text, size, "grid %s", slash ? slash + 1 : file);
  else (void)snprintf(text, size, "%" PRId64 " x %" PRId64 " x %" PRId64, n[0], n[1], n[2]);
}

static void describe_case(report *r, const triad_case *c)
{
  char grid[256];
  int truncated = triad_case_applies(c, "grid.truncation");
  triad_grid_words(c, grid, sizeof grid);
  r->has_case = 1;
  r->end = triad_case_real(c, "time.end");
  r->max_steps = triad_case_integer(c, "time.max_steps");
  const triad_solver *solver;
  if (triad_solver_find(&solver, c) != TRIAD_OK) triad_message_clear();
  else if (!solver->steady || !solver->steady->goal(c, NULL, r->goal, sizeof r->goal)) r->goal[0] = '\0';
  triad_info_line("  case         %s, %s%s%s, %s precision, initial %s, to t = %.8g",
                  triad_case_word(c, "equations.solver"), grid, truncated ? ", " : "",
                  truncated ? triad_case_word(c, "grid.truncation") : "", triad_case_word(c, "precision"),
                  triad_case_word(c, "initial.kind"), r->end);
}

/* A start that was ended before it began has left folders, a lock and a log at most. */
static int has_results(const report *r)
{
  char path[TRIAD_PATH];
  int64_t *steps = NULL;
  int count = 0, st = triad_commit_list(r->dir, &steps, &count);
  free(steps);
  if (st != TRIAD_OK || triad_disk_path(path, "%s/series.csv", r->dir) != TRIAD_OK) return 1;
  return count > 0 || triad_path_look(path) != TRIAD_PATH_MISSING;
}

static int load_case(report *r)
{
  char path[TRIAD_PATH], *text = NULL;
  size_t length = 0;
  triad_case *c = NULL;
  TRIAD_TRY(triad_disk_path(path, "%s/case.resolved.toml", r->dir));
  if (triad_path_look(path) == TRIAD_PATH_MISSING && !has_results(r)) {
    triad_info_line("  case         none: no run has started here");
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_case_load_text(path, &text, &length));
  int st = triad_case_parse(&c, path, text, length, NULL, 0);
  free(text);
  if (st == TRIAD_OK) describe_case(r, c);
  if (st == TRIAD_ERR_CASE) {
    triad_message_clear();
    st = triad_info_wrong("case.resolved.toml cannot be read as a case: run triad case %s to see why", path);
  }
  triad_case_destroy(&c);
  return st;
}

static int list_checkpoints(report *r)
{
  char temporary[TRIAD_PATH], folder[TRIAD_PATH];
  int64_t *steps = NULL;
  int count = 0;
  TRIAD_TRY(triad_commit_list(r->dir, &steps, &count));
  triad_info_line("  checkpoints  %d%s", count, count ? ", every byte verified" : "");
  int worst = TRIAD_OK;
  for (int i = 0; i < count; i++) {
    int64_t step = 0;
    double t = 0;
    int settled = 0;
    int st = triad_commit_names(r->dir, steps[i], temporary, folder);
    if (st == TRIAD_OK) st = triad_info_checkpoint_brief(folder, &step, &t, &settled);
    if (st > worst) worst = st;
    if (st != TRIAD_OK || r->valid++ > 0) continue;
    r->step = step;
    r->t = t;
    r->settled = settled;
  }
  free(steps);
  return worst;
}

static void print_state(const report *r)
{
  if (!r->valid) {
    triad_info_line("  state        no valid checkpoint: triad run starts at t = 0; if there were checkpoints, it "
                    "requires --from-start");
    return;
  }
  if (!r->has_case) return;
  if (r->settled) {
    triad_info_line("  state        finished: the flow is steady, step %" PRId64, r->step);
    return;
  }
  int finished = r->t >= r->end * (1 - 1e-12) || (r->max_steps > 0 && r->step >= r->max_steps);
  if (finished && r->goal[0]) {
    triad_info_line("  state        not converged: %s not reached after all steps, step %" PRId64
                    "; a larger time.max_steps continues the run",
                    r->goal, r->step);
    return;
  }
  triad_info_line("  state        %s: t = %.8g of %.8g, step %" PRId64 "%s", finished ? "finished" : "not finished",
                  r->t, r->end, r->step, finished ? "" : "; triad run resumes there");
}

/* One file of a list: `shown`, or only when something is wrong with it. */
static int check_file(const char *folder, const char *name, int shown)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  return triad_info_blame(triad_info_hdf5(path, shown ? TRIAD_INFO_BRIEF : TRIAD_INFO_SILENT));
}

/* Names of mesh files end as VTK requires. */
static int is_listed(const char *name, const char *prefix)
{
  char other[300];
  const char *end = strstr(name, ".vtkhdf");
  (void)snprintf(other, sizeof other, "%.*s.h5", end ? (int)(end - name) : 0, name);
  return triad_path_numbered(name, prefix) ||
         (end && strcmp(end, ".vtkhdf") == 0 && triad_path_numbered(other, prefix));
}

static int list_files(const report *r, const char *part, const char *prefix, const char *remark)
{
  char folder[TRIAD_PATH];
  struct dirent **list = NULL;
  TRIAD_TRY(triad_disk_path(folder, "%s/%s", r->dir, part));
  int n = scandir(folder, &list, NULL, alphasort), count = 0, left_over = 0, at = 0, worst = TRIAD_OK;
  if (n < 0 && errno != ENOENT) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", folder, strerror(errno));
  for (int i = 0; i < n; i++) {
    count += is_listed(list[i]->d_name, prefix);
    left_over += strncmp(list[i]->d_name, ".tmp-", 5) == 0;
  }
  triad_info_line("  %-12s %d file%s%s", part, count, count == 1 ? "" : "s", count ? remark : "");
  for (int i = 0; i < n; i++) {
    if (is_listed(list[i]->d_name, prefix)) {
      if (count > MOST_LISTED && at == MOST_LISTED / 2) triad_info_line("    ...");
      int shown = count <= MOST_LISTED || at < MOST_LISTED / 2 || at >= count - MOST_LISTED / 2;
      int st = check_file(folder, list[i]->d_name, shown);
      if (st > worst) worst = st;
      at++;
    }
    free(list[i]);
  }
  free(list);
  if (left_over) triad_info_line("    and %d incomplete, from a run that is active or was killed", left_over);
  return worst;
}

static int has_folder(const report *r, const char *part)
{
  char path[TRIAD_PATH];
  return triad_disk_path(path, "%s/%s", r->dir, part) == TRIAD_OK && triad_path_look(path) == TRIAD_PATH_FOLDER;
}

static const char headers[] = ", headers read; give a file name to read all of it";

/* Field files of block grids are in the folder of the grid's nodes. */
static int list_fields(const report *r)
{
  char grid[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(grid, "%s/fields/grid.h5", r->dir));
  return list_files(r, "fields", triad_path_look(grid) == TRIAD_PATH_FILE ? "blocks-" : "fields-", headers);
}

/* Of walls; nothing where the run has none. */
static int list_surfaces(const report *r)
{
  return has_folder(r, "surfaces") ? list_files(r, "surfaces", "surface-", headers) : TRIAD_OK;
}

/* A file that shows rows of particles has no number in its name; one of probes of a mesh is named by its first step.
 * Nothing is printed for a run without them. */
static int list_rows(const report *r, const char *part)
{
  char folder[TRIAD_PATH];
  struct dirent **list = NULL;
  TRIAD_TRY(triad_disk_path(folder, "%s/%s", r->dir, part));
  int n = scandir(folder, &list, NULL, alphasort), worst = TRIAD_OK;
  if (n >= 0) triad_info_line("  %s", part);
  for (int i = 0; i < n; i++) {
    const char *dot = strchr(list[i]->d_name, '.');
    if (dot && dot > list[i]->d_name && strcmp(dot, ".h5") == 0) {
      int st = check_file(folder, list[i]->d_name, 1);
      if (st > worst) worst = st;
    }
    free(list[i]);
  }
  free(list);
  return worst;
}

static int show_series(report *r, const char *part)
{
  (void)part;
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/series.csv", r->dir));
  if (triad_path_look(path) != TRIAD_PATH_FILE) {
    triad_info_line("  series       none");
    return TRIAD_OK;
  }
  return triad_info_series(path, 1);
}

/* means.h5, or means/ with a file for each window; nothing where the run has none. */
static int show_means(report *r, const char *part)
{
  (void)part;
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/means.h5", r->dir));
  int st = triad_path_look(path) == TRIAD_PATH_FILE ? check_file(r->dir, "means.h5", 1) : TRIAD_OK;
  TRIAD_TRY(triad_disk_path(path, "%s/means", r->dir));
  if (triad_path_look(path) != TRIAD_PATH_FOLDER) return st;
  int windows = list_files(r, "means", "means-", "");
  return windows > st ? windows : st;
}

/* ---- what a run has of each kind of output; part: only of this folder, NULL: of all ---- */

static int show_probes(report *r, const char *part)
{
  (void)part;
  return list_rows(r, "probes");
}

static int show_particles(report *r, const char *part)
{
  (void)part;
  return list_rows(r, "particles");
}

static int show_spectra(report *r, const char *part)
{
  (void)part;
  return list_files(r, "spectra", "spectra-", ", all values read");
}

static int show_slices(report *r, const char *part)
{
  (void)part;
  return list_files(r, "slices", "slice", ", all values read");
}

static int show_fields(report *r, const char *part)
{
  int fields = part && strcmp(part, "fields") != 0 ? TRIAD_OK : list_fields(r);
  int surfaces = part && strcmp(part, "surfaces") != 0 ? TRIAD_OK : list_surfaces(r);
  return surfaces > fields ? surfaces : fields;
}

static int show_checkpoint(report *r, const char *part) { return part ? list_checkpoints(r) : TRIAD_OK; }

static const struct {
  const char *files;
  int (*show)(report *r, const char *part);
} kinds[TRIAD_OUTPUT_N] = {
#define ROW(kind, name, key, files, by_step, phase, doing) {files, show_##name},
  TRIAD_OUTPUT_KINDS(ROW)
#undef ROW
};

/* Is `name` one of the files? */
static int has_name(const char *files, const char *name)
{
  char one[TRIAD_OUTPUT_NAME];
  while (triad_output_next_name(&files, one))
    if (strcmp(one, name) == 0) return 1;
  return 0;
}

int triad_info_is_part(const char *name)
{
  int found = 0;
  for (int i = 0; i < TRIAD_OUTPUT_N; i++) found |= has_name(kinds[i].files, name);
  return found;
}

int triad_info_part(const char *path, const char *run, const char *part)
{
  report r = {.dir = run};
  triad_info_line("%s: %s of the run in %s", path, part, run);
  for (int i = 0; i < TRIAD_OUTPUT_N; i++)
    if (has_name(kinds[i].files, part)) add(&r, kinds[i].show(&r, part));
  return r.status;
}

int triad_info_run(const char *path)
{
  report r = {.dir = path};
  triad_info_line("%s: a run directory", path);
  add(&r, load_case(&r));
  add(&r, list_checkpoints(&r));
  print_state(&r);
  for (int i = 0; i < TRIAD_OUTPUT_N; i++) add(&r, kinds[i].show(&r, NULL));
  return r.status;
}
