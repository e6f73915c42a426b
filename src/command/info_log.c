/* log.txt, and fields.xmf with the files that it names. */
#include "command/info_own.h"

#include "command/info_lines.h"
#include "store/disk.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

typedef struct tally {
  int64_t lines, warnings, errors, foreign;
  char first[32], last[32]; /* times */
} tally;

/* "2030-01-31T23:59:59.123Z warning  ..." or {"time":"2030-01-31T23:59:59.123Z","level":"warning", */
static int parse_line(const char *line, char time[32], char level[16])
{
  int json = line[0] == '{';
  return json ? sscanf(line, "{\"time\":\"%24[0-9T:.Z-]\",\"level\":\"%15[a-z]\"", time, level) == 2
              : sscanf(line, "%24[0-9T:.Z-] %15[a-z]", time, level) == 2;
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
  if (t.foreign) triad_info_line("  note       %" PRId64 " lines are not the log's own", t.foreign);
  return triad_info_lines_close(&l, TRIAD_OK);
}

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
    if (missing++ < 5) (void)triad_info_wrong("%s is named, but not there", name);
  }
  triad_info_line("  times      %" PRId64 " in %" PRId64 " files", times, named);
  if (missing > 5) (void)triad_info_wrong("%" PRId64 " files are named, but not there", missing);
  if (!closed) (void)triad_info_wrong("it is cut short: no </Xdmf>");
  return triad_info_lines_close(&l, missing || !closed ? TRIAD_ERR_CASE : TRIAD_OK);
}
