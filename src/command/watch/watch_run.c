/* Open a run directory safely and read the new lines of its series and log. */
#include "command/watch/watch_run.h"
#include "command/watch/watch.h"

#include "command/session/rundir.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, MOST_COLUMNS = 512, MOST_ROWS = 10000000, MOST_ABOUT = 1 << 20, LONGEST_LINE = 16 << 20 };

int triad_watched_open(triad_watched *w, const char *dir)
{
  memset(w, 0, sizeof *w);
  TRIAD_TRY(triad_rundir_check(dir));
  TRIAD_TRY(triad_disk_path(w->dir, "%s", dir));
  size_t n = strlen(w->dir);
  while (n > 1 && w->dir[n - 1] == '/') w->dir[--n] = '\0';
  char real[TRIAD_PATH];
  const char *whole = realpath(w->dir, real), *slash = whole ? strrchr(whole, '/') : NULL;
  (void)snprintf(w->name, sizeof w->name, "%s", slash && slash[1] ? slash + 1 : w->dir);
  return TRIAD_OK;
}

/* ---- files below the directory, and no others ---- */

int triad_watch_open_folder(const char *dir, const char *name)
{
  const int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top < 0) return -1;
  const int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  (void)close(top);
  return fd;
}

int triad_watch_open(const char *dir, const char *name)
{
  const char *slash = strchr(name, '/');
  char folder[256];
  struct stat about;
  if (slash && (size_t)(slash - name) >= sizeof folder) return -1;
  (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) : 1, slash ? name : ".");
  const int in = triad_watch_open_folder(dir, folder);
  if (in < 0) return -1;
  const int fd = openat(in, slash ? slash + 1 : name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  (void)close(in);
  if (fd < 0 || (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))) return fd;
  (void)close(fd);
  return -1;
}

char *triad_watch_load(const char *dir, const char *name, int64_t limit, int64_t *bytes)
{
  struct stat about;
  const int fd = triad_watch_open(dir, name);
  if (fd < 0) return NULL;
  char *text = fstat(fd, &about) == 0 && about.st_size <= limit ? malloc((size_t)about.st_size + 1) : NULL;
  *bytes = text ? (int64_t)about.st_size : 0;
  if (text && triad_disk_read(fd, name, text, *bytes, 0) != TRIAD_OK) {
    triad_message_clear();
    free(text);
    text = NULL;
  }
  (void)close(fd);
  if (text) text[*bytes] = '\0';
  return text;
}

static void forget(triad_watched *w)
{
  free(w->about);
  free(w->names);
  w->about = w->names = NULL;
  w->n_about = w->n_columns = 0;
  w->n_rows = w->read = 0;
}

void triad_watched_close(triad_watched *w)
{
  forget(w);
  free(w->rows);
  w->rows = NULL;
  w->room = 0;
  for (int i = 0; i < TRIAD_WATCHED_LINES; i++) {
    free(w->said[i]);
    w->said[i] = NULL;
  }
}

/* ---- lines that are new ---- */

/* Call the first function with each complete line after *read of a growing file; if the file was replaced or
 * truncated, call the second one first. A missing file has no lines. */
typedef int take_line(triad_watched *w, char *line);
static int new_lines(triad_watched *w, const char *name, uint64_t *inode, int64_t *read, void (*anew)(triad_watched *),
                     take_line *take)
{
  struct stat about;
  int fd = triad_watch_open(w->dir, name), st = TRIAD_OK;
  int64_t begin, unended = 0; /* bytes read in which no line has ended */
  if (fd < 0) return TRIAD_OK;
  if (fstat(fd, &about) != 0) {
    (void)close(fd);
    return TRIAD_OK;
  }
  if (*inode != about.st_ino || about.st_size < *read) {
    anew(w);
    *read = 0;
    *inode = about.st_ino;
  }
  begin = *read;
  char *text = *read < about.st_size ? malloc(PIECE + 1) : NULL;
  if (*read < about.st_size && !text) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "lines of %s", name);
  while (text && st == TRIAD_OK) {
    ssize_t got = pread(fd, text, PIECE, *read);
    if (got <= 0) break;
    text[got] = '\0';
    char *line = text, *end;
    for (; st == TRIAD_OK && (end = memchr(line, '\n', (size_t)(text + got - line))); line = end + 1) {
      *end = '\0';
      st = take(w, line);
    }
    unended = line == text ? unended + got : 0;
    if (line == text) line = got == PIECE ? text + got : text; /* no line is so long */
    *read += line - text;
    if (unended >= LONGEST_LINE) *read = about.st_size; /* no file of Triad's: nothing more of it is read */
    if (line == text || got < PIECE) break;
    if (*read - begin < TRIAD_WATCHED_READ) continue;
    w->behind |= *read < about.st_size;
    break;
  }
  free(text);
  (void)close(fd);
  return st;
}

/* ---- the series ---- */

static void begin_series(triad_watched *w) { forget(w); }

/* Append the list [name, unit, formula] of a line "# name [unit]: formula" to w->about. Other lines have no column. */
static int read_column(triad_watched *w, const char *line)
{
  const char *name = line + 2, *open = strstr(line, " ["), *close = open ? strstr(open, "]: ") : NULL;
  if (line[1] != ' ' || !close || memchr(name, ' ', (size_t)(open - name))) return TRIAD_OK;
  char *text = NULL;
  size_t size = 0;
  triad_json j = {.out = open_memstream(&text, &size), .html = true};
  if (!j.out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
  triad_json_list(&j, NULL, TRIAD_JSON_LINE);
  triad_json_copy(&j, w->about);
  triad_json_list(&j, NULL, TRIAD_JSON_LINE);
  triad_json_chars(&j, NULL, name, (size_t)(open - name));
  triad_json_chars(&j, NULL, open + 2, (size_t)(close - open - 2));
  triad_json_text(&j, NULL, close + 3);
  triad_json_end(&j);
  triad_json_end(&j);
  if (fclose(j.out) != 0) {
    free(text);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
  }
  free(w->about);
  w->about = text;
  w->n_about++;
  return TRIAD_OK;
}

static int read_names(triad_watched *w, const char *line)
{
  size_t size = 0;
  triad_json j = {.out = open_memstream(&w->names, &size), .html = true};
  if (!j.out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
  triad_json_list(&j, NULL, TRIAD_JSON_LINE);
  for (const char *name = line; name; w->n_columns++) {
    size_t n = strcspn(name, ",");
    triad_json_chars(&j, NULL, name, n);
    name = name[n] ? name + n + 1 : NULL;
  }
  triad_json_end(&j);
  return fclose(j.out) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
}

/* "# name [unit]: formula" for each column, then the row of names. */
static int take_header(triad_watched *w, const char *line)
{
  if (*line != '#') return read_names(w, line);
  if (w->n_about == MOST_COLUMNS || (w->about && strlen(w->about) > MOST_ABOUT)) return TRIAD_OK;
  return read_column(w, line);
}

static int take_row(triad_watched *w, char *line)
{
  if (*line == '#' || w->n_columns == 0) return w->n_columns == 0 ? take_header(w, line) : TRIAD_OK;
  if (w->n_columns > MOST_COLUMNS || w->n_rows >= MOST_ROWS) return TRIAD_OK;
  if (w->n_rows == w->room) {
    int64_t room = w->room ? 2 * w->room : 256;
    double *more = realloc(w->rows, (size_t)(room * w->n_columns) * sizeof *more);
    if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rows of a series", (long long)room);
    w->rows = more;
    w->room = room;
  }
  double *row = w->rows + w->n_rows * w->n_columns;
  for (int i = 0; i < w->n_columns; i++) {
    char *after = line;
    row[i] = *line && *line != ',' ? strtod(line, &after) : NAN;
    line = after + strcspn(after, ",");
    if (*line == ',') line++;
  }
  w->n_rows++;
  return TRIAD_OK;
}

/* Rows of another width want other room. */
static int take_series(triad_watched *w, char *line)
{
  const int before = w->n_columns;
  TRIAD_TRY(take_row(w, line));
  if (before == 0 && w->n_columns > 0) w->room = 0;
  return TRIAD_OK;
}

/* ---- the log ---- */

static void begin_log(triad_watched *w) { w->n_said = 0; }

/* "TIME warning  text" or "TIME error .." */
static int take_log(triad_watched *w, char *line)
{
  const char *level = strchr(line, ' ');
  if (!level || (strncmp(level, " warning", 8) != 0 && strncmp(level, " error", 6) != 0)) return TRIAD_OK;
  char *copy = strndup(line, 600);
  if (!copy) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a line of the log");
  char **place = &w->said[w->n_said++ % TRIAD_WATCHED_LINES];
  free(*place);
  *place = copy;
  return TRIAD_OK;
}

int triad_watched_look(triad_watched *w)
{
  w->behind = 0;
  TRIAD_TRY(new_lines(w, "series.csv", &w->inode, &w->read, begin_series, take_series));
  return new_lines(w, "log.txt", &w->log_inode, &w->log_read, begin_log, take_log);
}
