/* Find the Python code of figures and reports, and become a Python that runs a verb of it. */
#include "command/python_code.h"

#include "base/child.h"
#include "base/log.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UP = 4 /* build/x/bin/triad is three folders deep in the tree */, LOOK = 60 /* [s] for imports */, MOST = 512 };

static const char look[] = "import sys, numpy, h5py, matplotlib; sys.exit(sys.version_info < (3, 9))";

void triad_pythons(const char *pythons[TRIAD_PYTHONS])
{
  const char *chosen = getenv("PYTHON");
  pythons[0] = chosen && *chosen ? chosen : "python3";
  pythons[1] = "python3";
  pythons[2] = "/usr/bin/python3";
  pythons[3] = "/usr/local/bin/python3";
}

/* The program itself, so that the Python code can have checkpoints verified by it. */
static int find_self(char self[TRIAD_PATH])
{
  ssize_t n = readlink("/proc/self/exe", self, TRIAD_PATH - 1);
  if (n <= 0) return 0;
  self[n] = '\0';
  return 1;
}

/* The folder of the Python code, in the tree or where `make install` puts it. */
static int find_code(const char *self, char code[TRIAD_PATH])
{
  char top[TRIAD_PATH], probe[TRIAD_PATH];
  if (triad_disk_path(top, "%s", self) != TRIAD_OK) return 0;
  for (int up = 0; up < UP; up++) {
    char *slash = strrchr(top, '/');
    if (!slash) return 0;
    *slash = '\0';
    static const char *const places[] = {"tools/triad_plot", "share/triad/triad_plot"};
    for (size_t i = 0; up > 0 && i < sizeof places / sizeof *places; i++) {
      if (triad_disk_path(probe, "%s/%s/__main__.py", top, places[i]) != TRIAD_OK || access(probe, R_OK) != 0) continue;
      return triad_disk_path(code, "%s/%s", top, places[i]) == TRIAD_OK;
    }
  }
  return 0;
}

int triad_python_code(char self[TRIAD_PATH], char code[TRIAD_PATH], char *text, size_t size)
{
  static const char missing[] = "the Python code, triad_plot, is missing in ../tools and ../share/triad next to this "
                                "program: make install installs it";
  if (find_self(self) && find_code(self, code)) return TRIAD_OK;
  if (!text) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s", missing);
  (void)snprintf(text, size, "%s", missing);
  return TRIAD_ERR_FEATURE;
}

static int suits(const char *python)
{
  triad_child child;
  const char *argv[] = {python, "-c", look, NULL};
  triad_child_run(&child, argv, LOOK, NULL);
  return child.started && child.in_time && child.code == 0;
}

static int become(const char *verb, int argc, char **argv)
{
  char self[TRIAD_PATH], code[TRIAD_PATH];
  const char *pythons[TRIAD_PYTHONS], *words[MOST];
  int n = 0;
  if (argc > MOST - 8) return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s: at most %d arguments are possible", verb, MOST - 8);
  TRIAD_TRY(triad_python_code(self, code, NULL, 0));
  triad_pythons(pythons);
  for (int i = 0; i < TRIAD_PYTHONS; i++) {
    if (!suits(pythons[i])) continue;
    const char *head[] = {pythons[i], "-B", code, verb, "--triad", self};
    for (size_t k = 0; k < sizeof head / sizeof *head; k++) words[n++] = head[k];
    for (int k = 0; k < argc; k++) words[n++] = argv[k];
    words[n] = NULL;
    (void)execvp(pythons[i], (char *const *)words);
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s cannot be started", pythons[i]);
  }
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "triad %s: " TRIAD_PYTHON_MISSING, verb);
}

int triad_python_become(const char *verb, int argc, char **argv)
{
  int st = become(verb, argc, argv);
  triad_message_print(-1);
  return st;
}
