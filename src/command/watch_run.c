#include "command/watch.h"

#include "command/rundir.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, MOST_COLUMNS = 512, MOST_ROWS = 10000000 };

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

static void forget(triad_watched *w)
{
  free(w->about);
  w->about = NULL;
  w->n_columns = 0;
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

/* Call `take` with each whole line behind *read of a file that grows; another file, or a shorter one, calls `anew`
 * first. One that is not there has no lines. */
typedef int take_line(triad_watched *w, char *line);
static int new_lines(triad_watched *w, const char *name, uint64_t *inode, int64_t *read, void (*anew)(triad_watched *),
                     take_line *take)
{
  char path[TRIAD_PATH];
  struct stat about;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", w->dir, name));
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), st = TRIAD_OK;
  if (fd < 0) return TRIAD_OK;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
    (void)close(fd);
    return TRIAD_OK;
  }
  if (*inode != about.st_ino || about.st_size < *read) {
    anew(w);
    *read = 0;
    *inode = about.st_ino;
  }
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
    if (line == text) line = got == PIECE ? text + got : text; /* no line is so long */
    *read += line - text;
    if (line == text || got < PIECE) break;
  }
  free(text);
  (void)close(fd);
  return st;
}

/* ---- the series ---- */

static void begin_series(triad_watched *w) { forget(w); }

/* "# name [unit]: formula" and the row of names: a JSON list of [name, unit, formula], the row of names last. */
static int take_header(triad_watched *w, const char *line)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
  if (w->about) (void)fputs(w->about, f);
  if (*line == '#') {
    const char *name = line + 2, *open = strstr(line, " ["), *close = open ? strstr(open, "]: ") : NULL;
    if (line[1] == ' ' && close && !memchr(name, ' ', (size_t)(open - name))) {
      (void)fputs(w->about && *w->about ? ", [" : "[", f);
      triad_watch_text(f, name, (size_t)(open - name));
      (void)fputs(", ", f);
      triad_watch_text(f, open + 2, (size_t)(close - open - 2));
      (void)fputs(", ", f);
      triad_watch_text(f, close + 3, strlen(close + 3));
      (void)fputc(']', f);
    }
  } else {
    (void)fputs("], \"names\": [", f);
    for (const char *name = line; name; ) {
      size_t n = strcspn(name, ",");
      if (w->n_columns++) (void)fputs(", ", f);
      triad_watch_text(f, name, n);
      name = name[n] ? name + n + 1 : NULL;
    }
  }
  if (fclose(f) != 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of a series");
  free(w->about);
  w->about = text;
  return TRIAD_OK;
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
  TRIAD_TRY(new_lines(w, "series.csv", &w->inode, &w->read, begin_series, take_series));
  return new_lines(w, "log.txt", &w->log_inode, &w->log_read, begin_log, take_log);
}
