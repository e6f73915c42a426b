/* Check and describe text files: cases, FFTW plans, log.txt, and fields.xmf with the files that it names. */
#include "command/info/info.h"
#include "command/info/info_text.h"
#include "command/info/info_lines.h"

#include "base/json.h"
#include "case/case.h"
#include "case/case_write.h"
#include "case/case_load.h"
#include "store/disk.h"

#include <fftw3.h>
#include <inttypes.h>
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
    st = triad_case_resolved(c, &resolved, &size);
    if (st == TRIAD_OK) triad_info_line("%s: a good case", path);
    if (st == TRIAD_OK) print_lines(resolved);
    free(resolved);
  }
  triad_case_destroy(&c);
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
  return triad_info_wrong("damaged: FFTW rejects the plans and will make new ones");
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
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a file of Triad", path);
  } else {
    triad_info_line("%s: stored FFT plans of %s, %s precision", path, version, p.single ? "single" : "double");
    int n = 0;
    for (const char *at = text + 1; (at = strchr(at, '(')); at++) n++;
    triad_info_line("  plans      %d", n);
    size_t length = strlen(version); /* fftw_version is "fftw-3.3.10-sse2-avx" */
    if (strncmp(fftw_version, version, length) == 0 && strchr("-", fftw_version[length]))
      st = triad_guard_run(path, import_plans, &p, NULL, 0);
    else triad_info_line("  not used   this build has %s, new plans will be made", fftw_version);
  }
  free(text);
  return st;
}

/* ---- log.txt ---- */

typedef struct tally {
  int64_t lines, warnings, errors, foreign;
  char first[32], last[32]; /* times */
} tally;

/* Copy a member that is text to out[size]; 0 if there is none, or it is longer. */
static int copy_member(triad_json_value object, const char *name, char *out, size_t size)
{
  triad_json_value value;
  char *text = triad_json_member(object, name, &value) ? triad_json_decode(value) : NULL;
  int good = text && strlen(text) < size;
  if (good) memcpy(out, text, strlen(text) + 1);
  free(text);
  return good;
}

/* "2030-01-31T23:59:59.123Z warning  ..." or {"time":"2030-01-31T23:59:59.123Z","level":"warning","text":"..."} */
static int parse_line(const char *line, char time[32], char level[16])
{
  triad_json_value object = {line, line + strlen(line)}; /* a long line is cut, and its members before that are found */
  if (line[0] != '{') return sscanf(line, "%24[0-9T:.Z-] %15[a-z]", time, level) == 2;
  return copy_member(object, "time", time, 32) && copy_member(object, "level", level, 16);
}

static void take_line(tally *t, const triad_info_lines *l)
{
  char time[32] = "", level[16] = "";
  if (!parse_line(l->text, time, level) || strlen(time) != 24) {
    t->foreign++;
    return;
  }
  if (t->lines++ == 0) memcpy(t->first, time, sizeof time);
  memcpy(t->last, time, sizeof time);
  t->warnings += strcmp(level, "warning") == 0;
  t->errors += strcmp(level, "error") == 0;
  if (strcmp(level, "warning") == 0 || strcmp(level, "error") == 0) triad_info_line("  %.300s", l->text);
}

int triad_info_log(const char *path)
{
  tally t = {0};
  triad_info_lines *l = NULL;
  TRIAD_TRY(triad_info_lines_open(&l, path));
  triad_info_line("%s: the log of a run; its warnings and errors:", path);
  while (triad_info_lines_next(l)) take_line(&t, l);
  triad_info_line("  messages   %" PRId64 ": %" PRId64 " warnings, %" PRId64 " errors, from %s to %s", t.lines,
                  t.warnings, t.errors, t.first, t.last);
  if (t.foreign) triad_info_line("  note       %" PRId64 " lines were not written by the log", t.foreign);
  return triad_info_lines_close(&l, TRIAD_OK);
}

/* ---- fields.xmf ---- */

static int is_there(const char *folder, const char *name)
{
  char path[TRIAD_PATH];
  struct stat about;
  int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  return n > 0 && n < TRIAD_PATH && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

int triad_info_xdmf(const char *path)
{
  char folder[TRIAD_PATH], name[64], last[64] = "";
  int64_t times = 0, missing = 0, named = 0;
  int closed = 0;
  triad_info_lines *l = NULL;
  TRIAD_TRY(triad_disk_path(folder, "%s", path));
  char *slash = strrchr(folder, '/');
  if (slash) *slash = '\0';
  TRIAD_TRY(triad_info_lines_open(&l, path));
  triad_info_line("%s: the fields of a run as one series in time, for ParaView and VisIt", path);
  while (triad_info_lines_next(l)) {
    const char *at = strstr(l->text, "fields-");
    times += strstr(l->text, "<Time ") != NULL;
    closed |= strstr(l->text, "</Xdmf>") != NULL;
    if (!at || sscanf(at, "%63[a-z0-9.-]", name) != 1 || !strstr(name, ".h5") || strcmp(name, last) == 0) continue;
    (void)strcpy(last, name);
    named++;
    if (is_there(slash ? folder : ".", name)) continue;
    if (missing++ < 5) (void)triad_info_wrong("%s is referenced, but missing", name);
  }
  triad_info_line("  times      %" PRId64 " in %" PRId64 " files", times, named);
  if (missing > 5) (void)triad_info_wrong("%" PRId64 " files are referenced, but missing", missing);
  if (!closed) (void)triad_info_wrong("the file is truncated: no </Xdmf>");
  return triad_info_lines_close(&l, missing || !closed ? TRIAD_ERR_CASE : TRIAD_OK);
}
