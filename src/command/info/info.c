/* The command `triad info`: recognise the kind of each file from its name and first bytes, and call the function
 * that describes it. */
#include "command/info/info.h"
#include "command/info/info_json.h"
#include "command/info/info_text.h"
#include "command/info/info_series.h"
#include "command/info/info_run.h"
#include "command/info/info_lines.h"

#include "base/output.h"
#include "command/command.h"
#include "command/session/session.h"
#include "store/checkpoint/inspect.h"
#include "store/formats/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 64 };

/* Read the first bytes of a file, which identify its format. */
static int read_head(const char *path, char head[HEAD + 1])
{
  int fd = -1;
  int64_t bytes = 0;
  memset(head, 0, HEAD + 1);
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, &bytes);
  if (st == TRIAD_OK) st = triad_disk_read(fd, path, head, bytes < HEAD ? bytes : HEAD, 0);
  (void)triad_disk_close(&fd, path);
  return st;
}

static int begins(const char *head, const char *with) { return strncmp(head, with, strlen(with)) == 0; }

static int is_timed(const char *head)
{
  static const char pattern[] = "0000-00-00T00:00:00.000Z ";
  for (size_t i = 0; pattern[i]; i++)
    if (pattern[i] == '0' ? head[i] < '0' || head[i] > '9' : head[i] != pattern[i]) return 0;
  return 1;
}

static int ends(const char *path, const char *with)
{
  size_t n = strlen(path), m = strlen(with);
  return n >= m && strcmp(path + n - m, with) == 0;
}

static int foreign(const char *path) { return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a file of Triad", path); }

/* Small helpers of a run that need no words of their own but these. */
static int known_helper(const char *path, const char *head)
{
  static const struct {
    const char *name, *begin, *what;
  } helpers[] = {
    {"latest", "step-", "name of the newest checkpoint, for people and scripts; Triad itself searches the folders"},
    {"profiles.csv", "# means over planes and time", "means and covariances over planes between walls, and over time"},
    {"blocks.txt", "# step t", "index of the times of the field files, for fields.xmf"},
    {"times.txt", "", "index of the times of the field files, for fields.xmf"},
    {"index.txt", "# step bytes t ", "index of the contents of the field files, for fields.xmf"},
    {"report.html", "<!DOCTYPE html>", "report on the run, for a browser; triad report rewrites it"},
    {"case.changes.csv", "# changes of the case", "changes of keys of the case, with the step from which each applies"},
    {"status.json", "{", "progress of the run, as shown by triad watch"},
    {"case.set.csv", "# what triad set has changed", "changes by triad set, with the step from which each applies"},
    {"series.discarded.csv", "", "rows of series.csv after the checkpoint from which a run resumed"},
  };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    if (strcmp(triad_path_name(path), helpers[i].name) != 0 || !begins(head, helpers[i].begin)) continue;
    triad_info_line("%s: %s", path, helpers[i].what);
    return 1;
  }
  return 0;
}

/* Report a machine file of triad plan; 0 if it is none. */
static int is_machine(const char *path)
{
  triad_machine m;
  int st = triad_machine_read(path, &m);
  triad_message_clear();
  if (st != TRIAD_OK || !(m.cores > 0 || m.gpus > 0)) return 0;
  triad_info_line("%s: description of a machine, for triad plan", path);
  triad_info_line("  node         %s: %.0f cores, %.0f GPUs%s%s", m.name[0] ? m.name : "without a name", m.cores,
                  m.gpus, m.gpus > 0 && m.gpu_name[0] ? ", " : "", m.gpus > 0 ? m.gpu_name : "");
  return 1;
}

static int is_tuned(const char *path, const char *head)
{
  if (strcmp(triad_path_name(path), "tune.toml") != 0 || head[0] != '#') return 0;
  triad_info_line("%s: results of triad tune; triad run and triad bench use the entry that matches", path);
  return 1;
}

static int inspect_file(const char *path)
{
  char head[HEAD + 1];
  TRIAD_TRY(read_head(path, head));
  if (begins(head, "\x89HDF\r\n\x1a\n")) return triad_info_hdf5(path, 0);
  if (begins(head, "\x89PNG\r\n\x1a\n")) return triad_info_png(path);
  if (begins(head, "triad-checkpoint ")) return triad_info_checkpoint(path);
  if (begins(head, "# triad series") || begins(head, "# triad spectra")) return triad_info_series(path, 0);
  if (is_timed(head) || begins(head, "{\"time\":\"")) return triad_info_log(path);
  if (head[strspn(head, " \t\r\n")] == '{') return triad_info_json(path);
  if (head[strspn(head, " \t\r\n")] == '[' && triad_info_sessions(path)) return triad_info_json(path);
  if (begins(head, "(fftw-")) return triad_info_wisdom(path);
  if (begins(head, "<?xml") && ends(path, ".xmf")) return triad_info_xdmf(path);
  if (ends(path, ".toml")) return is_machine(path) || is_tuned(path, head) ? TRIAD_OK : triad_info_case(path);
  return known_helper(path, head) ? TRIAD_OK : foreign(path);
}

/* RUN/spectra and the like. */
static int inspect_folder(const char *path)
{
  char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
  int st = TRIAD_OK, found = 0;
  if (slash && slash > whole) {
    *slash = '\0';
    found = triad_info_is_part(slash + 1) && triad_path_look(whole) == TRIAD_PATH_RUN;
    if (found) st = triad_info_part(path, whole, slash + 1);
  }
  free(whole);
  if (found) return st;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a folder that is neither a run directory nor a checkpoint", path);
}

static int inspect(const char *path)
{
  switch (triad_path_look(path)) {
  case TRIAD_PATH_MISSING: return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file or folder", path);
  case TRIAD_PATH_RUN: return triad_info_run(path);
  case TRIAD_PATH_CHECKPOINT: return triad_info_checkpoint(path);
  case TRIAD_PATH_FILE: return inspect_file(path);
  case TRIAD_PATH_FOLDER: return inspect_folder(path);
  case TRIAD_PATH_OTHER: break;
  }
  return foreign(path);
}

static int inspect_all(const triad_arguments *a)
{
  int worst = TRIAD_OK;
  for (int i = 0; i < a->n_words; i++) {
    if (i > 0) (void)printf("\n");
    int st = inspect(a->words[i]);
    (void)fflush(stdout);
    triad_message_print(-1);
    triad_message_clear();
    if (st > worst) worst = st;
  }
  return triad_output_end(stdout, worst);
}

static int info(triad_log *log, triad_arguments *a, void *unused)
{
  int st = triad_options_words(a, "info", 1, TRIAD_MAX_ARGUMENTS, "a file or folder");
  (void)log, (void)unused;
  if (st == TRIAD_OK && a->n_sets > 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad info does not accept --set: use it with run, bench, case and spectra");
  return st == TRIAD_OK ? inspect_all(a) : st;
}

static int run_info(int argc, char **argv)
{
  const triad_option table[] = {{NULL, NULL, NULL}};
  return triad_session_alone(argc, argv, table, info, NULL);
}

const triad_command triad_command_info = {
  .name = "info",
  .summary = "describe and verify any file that Triad writes",
  .help =
    "Usage: triad info PATH...\n"
    "\n"
    "Prints what each PATH is and contains, and verifies it. PATH is one of\n"
    "  a run directory    the case, its progress, the last row of the series, every checkpoint (valid, or the\n"
    "                     reason why not), means, spectra, fields, slices, particles; or one of the folders in it\n"
    "  a checkpoint       its folder, modes.h5 or manifest.txt: step, grid, fields, every checksum verified\n"
    "  series.csv         columns with units and formulae, rows, the last one; steps must increase\n"
    "  spectra-*.h5       datasets with shape, unit and range; the sum of E, and the sum rules of other spectra\n"
    "  fields-*.h5        the same; every value is read and must be finite; of blocks and meshes blocks-*.h5,\n"
    "                     grid.h5, surface-*.h5, fields-*.vtkhdf\n"
    "  slice*-*.h5        the same; and slice*-*.png: quantity, time, smallest and largest value\n"
    "  means.h5, probes.csv, probes.h5, files of particles/ and of probes/\n"
    "  case.toml          and case.resolved.toml: every value, as triad case prints them\n"
    "  provenance.json, the JSON of triad bench, log.txt, fields.xmf, wisdom-*, tune.toml, machine files\n"
    "\n"
    "Exit codes: 0 everything is valid; 65 something is wrong, or a file is not one of Triad's; 66 missing; 74 I/O.\n"
    "Files are only read. No mpirun is needed.\n",
  .run = run_info};
