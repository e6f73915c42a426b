/* Texts: cases, provenance, figures of bench, wisdom, logs, fields.xmf. */
#include "command/info_own.h"

#include "case/case.h"
#include "command/info_json.h"
#include "store/disk.h"
#include "base/guard.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_TEXT = 64 << 20 };

static void print_lines(const char *text)
{
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    triad_info_line("%.*s", (int)n, line);
    line += n + (line[n] == '\n');
  }
}

int triad_info_case(const char *path)
{
  char *text = NULL, *resolved = NULL;
  size_t length = 0, size = 0;
  triad_case *c = NULL;
  TRIAD_TRY(triad_case_load_text(path, &text, &length));
  int st = triad_case_parse(&c, path, text, length, NULL, 0);
  free(text);
  if (st == TRIAD_ERR_CASE && c) {
    triad_info_line("%s: a case that cannot run", path);
    print_lines(triad_case_errors(c));
    triad_message_clear();
  }
  if (st == TRIAD_OK) {
    FILE *f = open_memstream(&resolved, &size);
    st = f ? triad_case_write_resolved(c, f) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its resolved text", path);
    if (f && fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its resolved text", path);
    if (st == TRIAD_OK) {
      triad_info_line("%s: a good case", path);
      print_lines(resolved);
    }
    free(resolved);
  }
  triad_case_destroy(&c);
  return st;
}

/* ---- JSON ---- */

static const char *const bench_keys[] = {"solver",         "grid",         "precision",         "device",    "ranks",
                                         "threads",        "nstreams",     "transport",         "steps",     "step_s",
                                         "phases_s",       "transforms_per_step", "bytes_per_step", "flops_per_step",
                                         "copy_bandwidth", "floor_s",      "fraction_of_floor", "peak_memory_bytes"};
static const char *const provenance_keys[] = {"started", "version", "commit", "build_flags", "libraries", "command",
                                              "environment", "binding"};
enum {
  N_BENCH = sizeof bench_keys / sizeof *bench_keys,
  N_PROVENANCE = sizeof provenance_keys / sizeof *provenance_keys
};

typedef struct members {
  int bench[N_BENCH], provenance[N_PROVENANCE];
  int tell; /* print them */
} members;

static void mark(const char *const *keys, int n, int *found, const char *name, size_t length)
{
  for (int i = 0; i < n; i++)
    if (strlen(keys[i]) == length && memcmp(keys[i], name, length) == 0) found[i] = 1;
}

static void take_member(void *who, const char *name, size_t name_length, const char *value, size_t length)
{
  enum { SHOWN = 160 };
  members *m = who;
  mark(bench_keys, N_BENCH, m->bench, name, name_length);
  mark(provenance_keys, N_PROVENANCE, m->provenance, name, name_length);
  if (!m->tell) return;
  int name_shown = name_length > 40 ? 40 : (int)name_length, shown = length > SHOWN ? SHOWN : (int)length;
  char line[SHOWN + 1];
  for (int i = 0; i < shown; i++) line[i] = value[i] == '\n' ? ' ' : value[i];
  line[shown] = '\0';
  triad_info_line("  %-20.*s %s%s", name_shown, name, line, length > SHOWN ? " ..." : "");
}

static int count(const int *found, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) sum += found[i];
  return sum;
}

static int tell_missing(const char *const *keys, int n, const int *found)
{
  int st = TRIAD_OK;
  for (int i = 0; i < n; i++)
    if (!found[i]) st = triad_info_wrong("%s is missing", keys[i]);
  return st;
}

static int look_at_json(const char *path, const char *text, size_t length)
{
  members m = {.tell = 0};
  size_t bad = 0;
  int good = triad_json_look(text, length, take_member, &m, &bad);
  int bench = count(m.bench, N_BENCH), provenance = count(m.provenance, N_PROVENANCE);
  int is_bench = bench >= N_BENCH / 2, is_provenance = !is_bench && provenance >= N_PROVENANCE / 2;
  if (!is_bench && !is_provenance)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s, but not one of Triad's files", path,
                      good ? "JSON" : "it begins like JSON");
  triad_info_line("%s: %s", path, is_bench ? "figures that triad bench has measured" : "where a run came from");
  m.tell = 1;
  (void)triad_json_look(text, length, take_member, &m, &bad);
  if (!good) return triad_info_wrong("byte %zu: here it stops being JSON, or it is cut short", bad);
  return is_bench ? tell_missing(bench_keys, N_BENCH, m.bench)
                  : tell_missing(provenance_keys, N_PROVENANCE, m.provenance);
}

int triad_info_json(const char *path)
{
  char *text = NULL;
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_load(path, MOST_TEXT, &text, &bytes));
  int st = look_at_json(path, text, (size_t)bytes);
  free(text);
  return st;
}

/* ---- FFTW's plans ---- */

typedef struct plans {
  const char *path, *text;
  int single;
} plans;

static int import_plans(void *self, triad_guard *guard)
{
  (void)guard;
  const plans *p = self;
  if (p->single ? fftwf_import_wisdom_from_string(p->text) : fftw_import_wisdom_from_string(p->text)) {
    triad_info_line("  valid      this build of Triad can use them");
    return TRIAD_OK;
  }
  return triad_info_wrong("damaged: FFTW does not take them, plans will be made anew");
}

int triad_info_wisdom(const char *path)
{
  char *text = NULL, name[64] = "", version[64] = "";
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_load(path, MOST_TEXT, &text, &bytes));
  (void)sscanf(text, "(%63s %63s", version, name);
  plans p = {path, text, strcmp(name, "fftwf_wisdom") == 0};
  int st = TRIAD_OK;
  if (!p.single && strcmp(name, "fftw_wisdom") != 0) {
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not one of Triad's files", path);
  } else {
    triad_info_line("%s: remembered plans of %s, %s precision", path, version, p.single ? "single" : "double");
    int n = 0;
    for (const char *at = text + 1; (at = strchr(at, '(')); at++) n++;
    triad_info_line("  plans      %d", n);
    size_t length = strlen(version); /* fftw_version is "fftw-3.3.10-sse2-avx" */
    if (strncmp(fftw_version, version, length) == 0 && strchr("-", fftw_version[length]))
      st = triad_guard_run(path, import_plans, &p, NULL, 0);
    else
      triad_info_line("  not used   this build has %s, plans will be made anew", fftw_version);
  }
  free(text);
  return st;
}
