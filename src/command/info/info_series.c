/* Check and describe tables: series.csv, and the output of `triad spectra`. */
#include "command/info/info.h"
#include "command/info/info_series.h"
#include "command/info/info_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  const char *path;
  int is_series, torn;
  int n_columns; /* 0 before the row of names */
  int64_t tables, rows, undescribed;
  int64_t bad_rows, first_bad, not_increasing, first_back; /* how many, and the line of the first */
  double first[2], last[2];                                /* the first two columns: step and t of a series */
  char *names, *last_row, *comments;
} table;

static int append(char **text, const char *line)
{
  size_t old = *text ? strlen(*text) : 0, n = strlen(line);
  if (old + n > (size_t)1 << 20) return TRIAD_OK; /* comments of a foreign file; ours take 2 kB */
  char *longer = realloc(*text, old + n + 2);
  if (!longer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the comments of a table");
  memcpy(longer + old, line, n);
  memcpy(longer + old + n, "\n", 2);
  *text = longer;
  return TRIAD_OK;
}

static int copy_line(char **text, const char *line)
{
  free(*text);
  *text = strdup(line);
  return *text ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of a table");
}

/* A name at text[0 .. n-1] has a line "# name [unit]: formula". */
static int is_described(const table *t, const char *name, size_t n)
{
  for (const char *at = t->comments; at && *at; at = strchr(at, '\n') + 1)
    if (strncmp(at, "# ", 2) == 0 && strncmp(at + 2, name, n) == 0 && strncmp(at + 2 + n, " [", 2) == 0) return 1;
  return 0;
}

static int take_names(table *t, const char *line)
{
  TRIAD_TRY(copy_line(&t->names, line));
  t->n_columns = 0;
  t->tables++;
  for (const char *at = line;; at++) {
    size_t n = strcspn(at, ",");
    t->undescribed += !is_described(t, at, n);
    t->n_columns++;
    at += n;
    if (!*at) return TRIAD_OK;
  }
}

/* All numbers of a row; 0 when it is not one. */
static int parse_row(const table *t, const char *line, double first[2])
{
  const char *at = line;
  for (int i = 0; i < t->n_columns; i++) {
    char *end;
    double value = strtod(at, &end);
    const char after = i + 1 < t->n_columns ? ',' : '\0';
    int empty = t->is_series && i > 1 && *at == after; /* a number that means nothing there */
    if (*end != after || (end == at && !empty)) return 0;
    if (i < 2) first[i] = value;
    at = end + 1;
  }
  return 1;
}

static void note_line(int64_t *count, int64_t *first, const triad_info_lines *l)
{
  if ((*count)++ == 0) *first = l->number;
}

static int take_row(table *t, const triad_info_lines *l)
{
  double now[2] = {0, 0};
  if (strlen(l->text) != l->length || !parse_row(t, l->text, now)) {
    note_line(&t->bad_rows, &t->first_bad, l);
    return TRIAD_OK;
  }
  int goes_on = now[0] > t->last[0] && (!t->is_series || now[1] > t->last[1]);
  if (t->rows > 0 && !goes_on) note_line(&t->not_increasing, &t->first_back, l);
  if (t->rows++ == 0) memcpy(t->first, now, sizeof now);
  memcpy(t->last, now, sizeof now);
  return copy_line(&t->last_row, l->text);
}

static int take_line(table *t, const triad_info_lines *l)
{
  if (l->number == 1) t->is_series = strncmp(l->text, "# triad series", 14) == 0;
  if (!l->whole && l->length + 1 < TRIAD_INFO_LINE) { /* the last line of the file */
    t->torn = 1;
    return TRIAD_OK;
  }
  int between = l->text[0] == '#' || l->length == 0;
  if (between && t->rows > 0 && !t->is_series) t->rows = t->n_columns = 0; /* triad spectra begins a further table */
  if (l->text[0] == '#' && t->rows == 0) return append(&t->comments, l->text);
  if (l->length == 0 && t->rows == 0) return TRIAD_OK;
  return t->n_columns == 0 ? take_names(t, l->text) : take_row(t, l);
}

static int read_table(table *t)
{
  triad_info_lines *l = NULL;
  int st = triad_info_lines_open(&l, t->path);
  while (st == TRIAD_OK && triad_info_lines_next(l)) st = take_line(t, l);
  return triad_info_lines_close(&l, st);
}

static void print_comments(const table *t)
{
  for (const char *at = t->comments; at && *at;) {
    size_t n = strcspn(at, "\n");
    if (strncmp(at, "# triad ", 8) != 0) triad_info_line("  %.*s", (int)(n > 2 ? n - 2 : 0), at + (n > 2 ? 2 : n));
    at += n + 1;
  }
}

static void print_last(const table *t)
{
  const char *name = t->names, *value = t->last_row;
  triad_info_line("  last row");
  for (int i = 0; i < t->n_columns; i++) {
    size_t n = strcspn(name, ","), v = strcspn(value, ",");
    triad_info_line("    %-18.*s %.*s", (int)n, name, (int)v, value);
    name += n + 1;
    value += v + 1;
  }
}

static int judge(const table *t)
{
  int st = TRIAD_OK;
  if (t->n_columns == 0) st = triad_info_wrong("%s: no row with column names", t->path);
  if (t->undescribed)
    st = triad_info_wrong("%s: %" PRId64 " columns without unit and formula", t->path, t->undescribed);
  if (t->bad_rows)
    st = triad_info_wrong("%s: %" PRId64 " lines are not rows of %d numbers, first line %" PRId64, t->path, t->bad_rows,
                          t->n_columns, t->first_bad);
  if (t->not_increasing)
    st = triad_info_wrong("%s: %" PRId64 " rows where %s does not increase, first line %" PRId64, t->path,
                          t->not_increasing, t->is_series ? "step or t" : "k", t->first_back);
  return st;
}

static void print_brief(const table *t)
{
  const char *torn = t->torn ? "; the last line is incomplete and is dropped when the run resumes" : "";
  if (t->rows > 0)
    triad_info_line("  series       %" PRId64 " rows, steps %.0f to %.0f, t = %.8g to %.8g%s", t->rows, t->first[0],
                    t->last[0], t->first[1], t->last[1], torn);
  else triad_info_line("  series       no rows yet%s", torn);
}

static void print(const table *t)
{
  triad_info_line("%s: %s", t->path, t->is_series ? "the series of a run" : "shell spectra, printed by triad spectra");
  print_comments(t);
  if (t->tables > 1) triad_info_line("  tables     %" PRId64 "; the following describes the last", t->tables);
  triad_info_line("  rows       %" PRId64, t->rows);
  if (t->rows > 0 && t->is_series)
    triad_info_line("  range      steps %.0f to %.0f, t = %.17g to %.17g", t->first[0], t->last[0], t->first[1],
                    t->last[1]);
  if (t->torn) triad_info_line("  torn       the last line is incomplete and is dropped when the run resumes");
}

int triad_info_series(const char *path, int brief)
{
  table t = {.path = path};
  int st = read_table(&t);
  if (st == TRIAD_OK) {
    (brief ? print_brief : print)(&t);
    if (t.rows > 0) print_last(&t);
    st = judge(&t);
  }
  free(t.names);
  free(t.last_row);
  free(t.comments);
  return st;
}
