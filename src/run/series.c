/* Write series.csv row by row, resume it behind the row of a checkpoint, and keep rows of an abandoned start in a
 * separate file. */
#include "run/series.h"
#include "run/outputs.h"

#include "store/disk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NUMBER = 32 /* bytes, in a row */ };
static const int64_t FILE_LIMIT = (int64_t)1 << 36; /* what memory holds */

struct triad_series {
  const triad_comm *comm;
  triad_series_info info;
  char *rows; /* not yet in the file: `kept` bytes of `room` */
  int64_t kept, room;
  int fd;
  int64_t end;                /* bytes written */
  int64_t in_file, in_memory; /* rows */
  int changes;                /* of the case, by triad set: the last column; 0: there is none */
  triad_log *log;
  const char *name; /* "series": of the files, and of what their first line says */
  char dir[TRIAD_PATH], path[TRIAD_PATH], file[32], discarded[48];
};

/* "#" lines and the names row, as triad_series_open writes them. */
static int format_header(const triad_series *s, int changes, char **text, size_t *size)
{
  const triad_series_info *info = &s->info;
  FILE *f = open_memstream(text, size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the header of the series");
  (void)fprintf(f, "# triad series%s, solver %s. Units: L length, T time, U velocity. k: wavenumber 2 pi n/L\n",
                strcmp(s->name, "series") == 0 ? "" : " of probes", info->solver);
  (void)fprintf(f, "# step [1]: steps taken\n# t [T]: time\n# dt [T]: length of the last step\n");
  for (int i = 0; i < info->n; i++) {
    const triad_column_info *c = &info->columns[i];
    char limit[TRIAD_LIMIT_TEXT];
    (void)fprintf(f, "# %s [%s]: %s%s\n", c->name, c->unit, c->formula, triad_column_limit_text(c, limit));
  }
  if (changes)
    (void)fprintf(f, "# case [1]: number of changes of the case by triad set before this step; see case.set.csv\n");
  (void)fprintf(f, "step,t,dt");
  for (int i = 0; i < info->n; i++) (void)fprintf(f, ",%s", info->columns[i].name);
  (void)fprintf(f, changes ? ",case\n" : "\n");
  int failed = ferror(f);
  if (fclose(f) != 0 || failed) {
    free(*text);
    *text = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the header of the series");
  }
  return TRIAD_OK;
}

/* The end of the last row whose step is at most `step`; whatever follows, a torn row too, is to be discarded. */
static const char *kept_end(const char *rows, const char *end, int64_t step)
{
  const char *kept = rows;
  for (const char *row = rows; row < end;) {
    const char *line_end = memchr(row, '\n', (size_t)(end - row));
    char *after;
    int64_t row_step = strtoll(row, &after, 10);
    if (!line_end || after == row || *after != ',' || row_step > step) break;
    row = kept = line_end + 1;
  }
  return kept;
}

/* Rows of a text that begins behind the header. */
static int64_t count_rows(const char *rows, const char *end)
{
  int64_t n = 0;
  for (const char *c = rows; c < end && (c = memchr(c, '\n', (size_t)(end - c))); c++) n++;
  return n;
}

/* Behind the comments and the names row; `end` where that is not whole. */
static const char *behind_header(const char *text, const char *end)
{
  const char *at = text;
  for (int names = 0; at < end && !names;) {
    names = *at != '#';
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    at = line_end ? line_end + 1 : end;
  }
  return at;
}

int triad_series_count(const char *run_dir, int64_t step, int64_t *rows)
{
  char path[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0;
  *rows = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/series.csv", run_dir));
  int st = triad_disk_load(path, FILE_LIMIT, &text, &bytes);
  if (st == TRIAD_ERR_INPUT) {
    triad_message_clear();
    return TRIAD_OK;
  }
  TRIAD_TRY(st);
  const char *begin = behind_header(text, text + bytes);
  *rows = count_rows(begin, kept_end(begin, text + bytes, step));
  free(text);
  return TRIAD_OK;
}

static int append(const char *run_dir, const char *name, const char *text, int64_t bytes)
{
  char path[TRIAD_PATH];
  int fd = -1;
  int64_t end = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", run_dir, name));
  int st = triad_disk_open(path, 1, &fd);
  if (st == TRIAD_ERR_INPUT) {
    triad_message_clear();
    st = triad_disk_create(path, &fd);
  }
  if (st == TRIAD_OK) st = triad_disk_size(fd, path, &end);
  if (st == TRIAD_OK) st = triad_disk_write(fd, path, text, bytes, end);
  int closed = triad_disk_close(&fd, path);
  return st == TRIAD_OK ? closed : st;
}

/* Create a new series; rows of an existing one, from a start without a checkpoint, are saved elsewhere. */
static int create(triad_series *s, const char *run_dir)
{
  char *header = NULL, *old = NULL;
  size_t size = 0;
  int64_t bytes = 0;
  TRIAD_TRY(format_header(s, s->changes, &header, &size));
  int st = triad_disk_load(s->path, FILE_LIMIT, &old, &bytes);
  if (st == TRIAD_ERR_INPUT) {
    triad_message_clear();
    st = TRIAD_OK;
  }
  const char *rows = old ? behind_header(old, old + bytes) : NULL;
  if (st == TRIAD_OK && rows < old + bytes) st = append(run_dir, s->discarded, rows, old + bytes - rows);
  if (st == TRIAD_OK) st = triad_disk_replace(run_dir, s->file, header, (int64_t)size);
  free(header);
  free(old);
  if (st == TRIAD_OK) st = triad_disk_open(s->path, 1, &s->fd);
  s->end = (int64_t)size;
  return st;
}

/* A series of the time before the first change, with the column that it lacks; any other text stays. */
static int add_case(const triad_series *s, char **text, int64_t *bytes)
{
  char *plain = NULL, *header = NULL, *out = NULL;
  size_t plain_size = 0, header_size = 0, size = 0;
  if (!s->changes) return TRIAD_OK;
  int st = format_header(s, 0, &plain, &plain_size);
  if (st == TRIAD_OK) st = format_header(s, s->changes, &header, &header_size);
  const int lacks = st == TRIAD_OK && *bytes >= (int64_t)plain_size && memcmp(*text, plain, plain_size) == 0;
  FILE *f = lacks ? open_memstream(&out, &size) : NULL;
  if (f) (void)fwrite(header, 1, header_size, f);
  for (const char *row = lacks ? *text + plain_size : NULL, *end;
       f && (end = memchr(row, '\n', (size_t)(*text + *bytes - row))); row = end + 1)
    (void)fprintf(f, "%.*s,0\n", (int)(end - row), row);
  if (lacks && (!f || fclose(f) != 0)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of the series");
  free(plain);
  free(header);
  if (!lacks || st != TRIAD_OK) return st;
  free(*text);
  *text = out;
  *bytes = (int64_t)size;
  return TRIAD_OK;
}

static int reopen(triad_series *s, const char *run_dir, int64_t step)
{
  char *header = NULL, *text = NULL;
  size_t header_size = 0;
  int64_t bytes = 0;
  int st = triad_disk_load(s->path, FILE_LIMIT, &text, &bytes);
  if (st == TRIAD_ERR_INPUT) { /* a run whose series was taken away starts a new one */
    triad_message_clear();
    return create(s, run_dir);
  }
  const int64_t had = bytes;
  if (st == TRIAD_OK) st = add_case(s, &text, &bytes);
  if (st == TRIAD_OK) st = format_header(s, s->changes, &header, &header_size);
  if (st == TRIAD_OK && (bytes < (int64_t)header_size || memcmp(text, header, header_size) != 0))
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s is not a series of solver %s in the format of this version%s: move it away to resume", s->path,
                    s->info.solver, strcmp(s->name, "series") == 0 ? "" : ", with these points");
  if (st == TRIAD_OK) {
    const char *kept = kept_end(text + header_size, text + bytes, step);
    s->end = kept - text;
    s->in_file = count_rows(text + header_size, kept);
    if (s->end < bytes) st = append(run_dir, s->discarded, kept, bytes - s->end);
    if (st == TRIAD_OK && s->end != had) st = triad_disk_replace(run_dir, s->file, text, s->end);
  }
  if (st == TRIAD_OK) st = triad_disk_open(s->path, 1, &s->fd);
  free(header);
  free(text);
  return st;
}

int triad_series_open(triad_series **out, const triad_comm *comm, const triad_series_info *info, const char *run_dir,
                      const char *name, int64_t resumed, int changes)
{
  triad_series *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the series");
  if (s) {
    s->comm = comm;
    s->info = *info;
    s->changes = changes;
    s->fd = -1;
    s->name = name;
    (void)snprintf(s->file, sizeof s->file, "%s.csv", name);
    (void)snprintf(s->discarded, sizeof s->discarded, "%s.discarded.csv", name);
  }
  if (st == TRIAD_OK && comm->rank == 0) {
    st = triad_disk_path(s->dir, "%s", run_dir);
    if (st == TRIAD_OK) st = triad_disk_path(s->path, "%s/%s", run_dir, s->file);
    if (st == TRIAD_OK) st = resumed >= 0 ? reopen(s, run_dir, resumed) : create(s, run_dir);
  }
  st = triad_agree(comm, st);
  if (st != TRIAD_OK) triad_series_close(out);
  return st;
}

void triad_series_close(triad_series **series)
{
  if (!series || !*series) return;
  (void)triad_disk_close(&(*series)->fd, (*series)->path);
  free((*series)->rows);
  free(*series);
  *series = NULL;
}

/* Room for one more row. */
static int make_room(triad_series *s)
{
  int64_t row = (int64_t)NUMBER * (s->info.n + 4);
  if (s->room - s->kept >= row) return TRIAD_OK;
  char *larger = realloc(s->rows, (size_t)(2 * s->room + row));
  if (!larger) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of the series");
  s->rows = larger;
  s->room = 2 * s->room + row;
  return TRIAD_OK;
}

int triad_series_add(triad_series *s, const triad_instant *at, const double *columns)
{
  int st = TRIAD_OK;
  if (s->comm->rank == 0) st = make_room(s);
  if (s->comm->rank == 0 && st == TRIAD_OK) {
    char *end = s->rows + s->kept;
    end += sprintf(end, "%" PRId64 ",%.17g,%.17g", at->step, at->t, at->dt);
    for (int i = 0; i < s->info.n; i++)
      end += isnan(columns[i]) ? sprintf(end, ",") : sprintf(end, ",%.17g", columns[i]); /* empty: it means nothing */
    if (s->changes) end += sprintf(end, ",%d", s->changes);
    *end++ = '\n';
    s->kept = end - s->rows;
    s->in_memory++;
  }
  return triad_agree(s->comm, st);
}

/* Somebody has written to the file, as editors do that save in place, and what the run had put behind is gone: whole
 * rows that are left stay, and new ones come behind them. */
static int mend(triad_series *s, int64_t bytes)
{
  char *header = NULL, *text = malloc((size_t)bytes + 1);
  size_t size = 0;
  int st = text ? format_header(s, s->changes, &header, &size)
                : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld bytes of the series", (long long)bytes);
  if (st == TRIAD_OK) st = triad_disk_read(s->fd, s->path, text, bytes, 0);
  if (st == TRIAD_OK) {
    text[bytes] = '\0'; /* where the last number may end */
    const int64_t had = s->in_file;
    const int begins = bytes >= (int64_t)size && memcmp(text, header, size) == 0;
    const char *kept = begins ? kept_end(text + size, text + bytes, INT64_MAX) : text;
    s->in_file = begins ? count_rows(text + size, kept) : 0;
    s->end = begins ? kept - text : (int64_t)size;
    if (!begins) st = triad_disk_write(s->fd, s->path, header, s->end, 0);
    if (st == TRIAD_OK) st = triad_disk_resize(s->fd, s->path, s->end);
    triad_log_warning(s->log,
                      "%s was truncated by another program while the run had it open: %" PRId64 " of its %" PRId64
                      " rows remain",
                      s->path, s->in_file, had);
  }
  free(header);
  free(text);
  return st;
}

static int flush(triad_series *s)
{
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_size(s->fd, s->path, &bytes));
  if (bytes < s->end) TRIAD_TRY(mend(s, bytes));
  if (s->kept == 0) return TRIAD_OK;
  TRIAD_TRY(triad_disk_write(s->fd, s->path, s->rows, s->kept, s->end));
  s->end += s->kept;
  s->in_file += s->in_memory;
  s->kept = s->in_memory = 0;
  return TRIAD_OK;
}

int triad_series_flush(triad_series *s) { return triad_agree(s->comm, s->comm->rank == 0 ? flush(s) : TRIAD_OK); }

void triad_series_log(triad_series *s, triad_log *log) { s->log = log; }

static int is_in_place(const triad_series *s)
{
  struct stat there, here;
  return stat(s->path, &there) == 0 && fstat(s->fd, &here) == 0 && there.st_dev == here.st_dev &&
         there.st_ino == here.st_ino;
}

/* The file that this run has open has lost its name; what it holds can still be read. */
static int make_again(triad_series *s)
{
  char *text = malloc((size_t)s->end + 1);
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld bytes of the series", (long long)s->end);
  int st = triad_disk_read(s->fd, s->path, text, s->end, 0);
  if (st == TRIAD_OK) st = triad_disk_replace(s->dir, s->file, text, s->end);
  free(text);
  int fd = -1;
  if (st == TRIAD_OK) st = triad_disk_open(s->path, 1, &fd);
  if (st != TRIAD_OK) return st;
  (void)triad_disk_close(&s->fd, s->path);
  s->fd = fd;
  triad_log_warning(
    s->log, "%s was deleted or replaced while the run had it open: it is written again, with all its rows", s->path);
  return TRIAD_OK;
}

static int sync_rows(triad_series *s, int64_t *rows)
{
  TRIAD_TRY(flush(s));
  if (!is_in_place(s)) TRIAD_TRY(make_again(s));
  *rows = s->in_file;
  return triad_disk_sync(s->fd, s->path);
}

int triad_series_sync(triad_series *s, int64_t *rows)
{
  return triad_agree(s->comm, s->comm->rank == 0 ? sync_rows(s, rows) : TRIAD_OK);
}
