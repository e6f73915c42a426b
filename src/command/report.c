/* The command `triad report`: find a Python that can run the report, start it with a time limit, and pass on its
 * messages. */
#include "command/report.h"
#include "command/command.h"

#include "base/status.h"
#include "base/child.h"
#include "command/python_code.h"
#include "command/session/session.h"
#include "store/disk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT = 120 /* [s] that a run waits */ };

/* The last line of the output of the script, without its name in front: the path, or the error. */
static void quote(char *text, size_t size, char *said)
{
  static const char name[] = "triad-plot: ";
  size_t length = strlen(said);
  while (length > 0 && (said[length - 1] == '\n' || said[length - 1] == ' ')) said[--length] = '\0';
  const char *line = strrchr(said, '\n');
  line = line ? line + 1 : said;
  if (strncmp(line, name, sizeof name - 1) == 0) line += sizeof name - 1;
  (void)snprintf(text, size, "%.1000s", line);
}

/* Checks of the page that failed, which it says before its path: a warning each. */
static void tell_failed(triad_log *log, const char *said)
{
  static const char name[] = "check failed: ";
  for (const char *at = strstr(said, name); at; at = strstr(at + 1, name)) {
    if (at > said && at[-1] != '\n') continue;
    triad_log_warning(log, "%.*s", (int)strcspn(at, "\n"), at);
  }
}

static void remove_unfinished(const char *dir, int pid)
{
  char path[TRIAD_PATH];
  if (triad_disk_path(path, "%s/report.html.%d.part", dir, pid) == TRIAD_OK) (void)unlink(path);
}

/* One try; TRIAD_ERR_FEATURE where this Python will not do. */
static int try_python(const char *python, const char *code, const char *self, const char *dir, triad_log *log,
                      double limit, const volatile sig_atomic_t *stop, char *text, size_t size)
{
  triad_child child;
  const char *argv[] = {python, "-B", code, "report", "--triad", self, "--", dir, NULL};
  triad_child_run(&child, argv, limit, stop);
  if (!child.started) return TRIAD_ERR_FEATURE;
  if (!child.in_time) {
    remove_unfinished(dir, child.pid);
    (void)snprintf(text, size,
                   stop && *stop ? "interrupted; triad report %.1000s writes it"
                                 : "time limit exceeded; triad report %.1000s has no limit",
                   dir);
    return TRIAD_ERR_INTERNAL;
  }
  if (child.code == TRIAD_OK) tell_failed(log, child.said);
  quote(text, size, child.said);
  if (child.code == TRIAD_OK || (child.code >= TRIAD_ERR_USAGE && child.code <= TRIAD_ERR_IO)) return child.code;
  /* a program that ends without output from Python is not Python */
  if (child.code < 128 && !strstr(child.said, "Traceback")) return TRIAD_ERR_FEATURE;
  char last[1024];
  (void)snprintf(last, sizeof last, "%.900s", text);
  (void)snprintf(text, size, "%s ended with %d: %.900s", python, child.code, last);
  return TRIAD_ERR_INTERNAL;
}

/* Write DIR/report.html, in at most `limit` seconds, less if *stop is set (NULL: never). The Python is the first of
 * $PYTHON, python3 in the PATH and the system's that has numpy, h5py and matplotlib. Its code is searched relative to
 * this program: ../tools/triad_plot in the source tree, ../share/triad/triad_plot when installed. Returns an exit code
 * (base/status.h): TRIAD_ERR_FEATURE without such a Python or code, else the exit code of that program. text[size]:
 * the page's path, or the fault and the remedy; never empty after a failure. No message is stored. Failed checks are
 * logged. Not collective. */
static int write_report(const char *dir, triad_log *log, double limit, const volatile sig_atomic_t *stop, char *text,
                        size_t size)
{
  char self[TRIAD_PATH], code[TRIAD_PATH];
  const char *pythons[TRIAD_PYTHONS];
  if (triad_python_code(self, code, text, size) != TRIAD_OK) return TRIAD_ERR_FEATURE;
  triad_pythons(pythons);
  for (int i = 0; i < TRIAD_PYTHONS; i++) {
    int st = try_python(pythons[i], code, self, dir, log, limit, stop, text, size);
    if (st != TRIAD_ERR_FEATURE) return st;
  }
  (void)snprintf(text, size, TRIAD_PYTHON_MISSING);
  return TRIAD_ERR_FEATURE;
}

/* A page that is younger than the last row of the series: no step has been taken since. */
static int stands(const char *dir)
{
  static const char *const names[] = {"series.csv", "report.html"};
  struct stat about[2];
  char path[TRIAD_PATH];
  for (int i = 0; i < 2; i++)
    if (triad_disk_path(path, "%s/%s", dir, names[i]) != TRIAD_OK || stat(path, &about[i]) != 0) return 0;
  const struct timespec *row = &about[0].st_mtim, *page = &about[1].st_mtim;
  return page->tv_sec > row->tv_sec || (page->tv_sec == row->tv_sec && page->tv_nsec > row->tv_nsec);
}

void triad_report_after_run(const char *dir, triad_log *log, const volatile sig_atomic_t *stop)
{
  char text[2048] = "";
  if (stands(dir)) {
    triad_log_info(log, "report: %s/report.html (unchanged)", dir);
    return;
  }
  int st = write_report(dir, log, LIMIT, stop, text, sizeof text);
  if (st == TRIAD_OK) triad_log_info(log, "report: %s", text);
  else triad_log_info(log, "no report.html: %s", text);
}

static int report(triad_log *log, triad_arguments *a, void *unused)
{
  char text[2048] = "";
  int st = triad_options_words(a, "report", 1, 1, "one run directory");
  (void)unused;
  if (st == TRIAD_OK && a->n_sets > 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad report does not accept --set: use it with run, bench, case and spectra");
  TRIAD_TRY(st);
  st = write_report(a->words[0], log, INT_MAX, NULL, text, sizeof text);
  if (st != TRIAD_OK) return TRIAD_FAIL(st, "%s", text);
  triad_log_info(log, "%s", text);
  return TRIAD_OK;
}

static int run_report(int argc, char **argv)
{
  const triad_option table[] = {{NULL, NULL, NULL}};
  return triad_session_alone(argc, argv, table, report, NULL);
}

const triad_command triad_command_report = {
  .name = "report",
  .summary = "write an HTML page with the figures and checks of a run",
  .help = "Usage: triad report DIR\n\nWrites DIR/report.html: the case, the hardware, the duration, the checks, "
          "figures and links to files. The page is\nself-contained: no network, no scripts. It is made from the files "
          "in the run directory that exist: series, spectra,\nslices or fields. `triad run` also writes it at its end "
          "(output.report).\n\nRequires Python 3.9 with numpy, h5py and matplotlib: $PYTHON, the python3 of the PATH, "
          "or that of the system.\nFor single figures use triad-plot (tools/triad-plot --help).\n\nExit codes: 0 "
          "written; 65 not a run directory; 66 missing; 69 no suitable Python; 74 I/O.\n",
  .run = run_report};
