/* Join pieces of series.csv in the order of their steps, drop rows that were computed again, and write the table as
 * HDF5. */
#include "store/rows/seriestable.h"

#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"
#include "store/hdf5/h5read.h"
#include "store/checkpoint/notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MOST_BYTES = (int64_t)1 << 36; /* what memory holds */

typedef struct piece {
  const char *path;
  int line;
  triad_series_table head; /* its columns; no rows */
  int named;
} piece;

static void free_columns(triad_series_table *t)
{
  for (int i = 0; i < t->n_columns; i++) {
    free(t->columns[i].name);
    free(t->columns[i].unit);
    free(t->columns[i].formula);
  }
  free(t->about);
  t->n_columns = 0;
  t->about = NULL;
}

void triad_series_table_free(triad_series_table *t)
{
  free_columns(t);
  free(t->values);
  *t = (triad_series_table){0};
}

static int bad(const piece *p, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %d: %s", p->path, p->line, what);
}

/* "# name [unit]: formula" */
static int take_comment(piece *p, const char *line)
{
  triad_series_table *t = &p->head;
  if (p->line == 1) {
    if (strncmp(line, "# triad series", 14) != 0) return bad(p, "not a series of Triad");
    t->about = strdup(line + 2);
    return t->about ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its first line", p->path);
  }
  const char *open = strstr(line, " ["), *close = open ? strstr(open, "]: ") : NULL;
  if (strncmp(line, "# ", 2) != 0 || !close || open < line + 2) return TRIAD_OK; /* a remark */
  if (t->n_columns == TRIAD_SERIES_COLUMNS) return bad(p, "more columns than a series has");
  triad_series_column *c = &t->columns[t->n_columns++];
  c->name = strndup(line + 2, (size_t)(open - line - 2));
  c->unit = strndup(open + 2, (size_t)(close - open - 2));
  c->formula = strdup(close + 3);
  if (!c->name || !c->unit || !c->formula) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a column", p->path);
  return triad_notes_good_name(c->name) ? TRIAD_OK : bad(p, "a column with an invalid name");
}

/* Read the row of names; their order is that of the "#" lines. */
static int take_names(piece *p, const char *line)
{
  const triad_series_table *t = &p->head;
  const char *at = line;
  for (int i = 0; i < t->n_columns; i++) {
    size_t n = strlen(t->columns[i].name);
    if (strncmp(at, t->columns[i].name, n) != 0 || at[n] != (i + 1 < t->n_columns ? ',' : '\0'))
      return bad(p, "column names that the comment lines do not explain");
    at += n + 1;
  }
  if (t->n_columns < 2 || strcmp(t->columns[0].name, "step") != 0 || strcmp(t->columns[1].name, "t") != 0)
    return bad(p, "step and t are not the first columns");
  p->named = 1;
  return TRIAD_OK;
}

static int take_row(const piece *p, const char *line, int n, double *values)
{
  const char *at = line;
  for (int i = 0; i < n; i++) {
    const char after = i + 1 < n ? ',' : '\0';
    char *end;
    values[i] = strtod(at, &end);
    if (i > 1 && *at == after) { /* a place that means nothing is empty */
      values[i] = NAN;
      end = (char *)at;
    } else if (end == at || *end != after) return bad(p, "not a row with one number per column");
    at = end + 1;
  }
  if (!(values[0] >= 0 && values[0] < 9e15)) return bad(p, "an invalid step");
  return TRIAD_OK;
}

static int is_text(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* The table takes the columns of the first piece; the others must have the same. */
static int join_columns(triad_series_table *t, piece *p)
{
  triad_series_table *h = &p->head;
  if (t->n_columns == 0) {
    memcpy(t->columns, h->columns, sizeof t->columns);
    t->n_columns = h->n_columns;
    t->about = h->about;
    h->n_columns = 0;
    h->about = NULL;
    return TRIAD_OK;
  }
  int most = t->n_columns > h->n_columns ? t->n_columns : h->n_columns;
  for (int i = 0; i < most; i++) {
    const triad_series_column *a = &t->columns[i], *b = &h->columns[i];
    if (i < t->n_columns && i < h->n_columns && is_text(a->name, b->name) && is_text(a->unit, b->unit) &&
        is_text(a->formula, b->formula))
      continue;
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: column %d is %s, but %s in the previous pieces: they are not series of one run", p->path,
                      i + 1, i < h->n_columns ? b->name : "missing", i < t->n_columns ? a->name : "there is none");
  }
  return TRIAD_OK;
}

static int add_row(triad_series_table *t, const double *row)
{
  if (t->rows == t->room) {
    int64_t room = t->room ? 2 * t->room : 256;
    double *values = realloc(t->values, (size_t)(room * t->n_columns) * sizeof *values);
    if (!values) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rows of a series", (long long)room);
    t->values = values;
    t->room = room;
  }
  memcpy(t->values + t->rows++ * t->n_columns, row, (size_t)t->n_columns * sizeof *row);
  return TRIAD_OK;
}

static int take_line(triad_series_table *t, piece *p, const char *line, int64_t *first)
{
  double row[TRIAD_SERIES_COLUMNS];
  if (line[0] == '#' && !p->named) return take_comment(p, line);
  if (p->line == 1) return bad(p, "not a series of Triad");
  if (!p->named) {
    TRIAD_TRY(take_names(p, line));
    return join_columns(t, p);
  }
  int n = t->n_columns;
  TRIAD_TRY(take_row(p, line, n, row));
  if (*first < 0) { /* rows of a part of the run that was computed again */
    const int64_t before = t->rows;
    while (t->rows > 0 && t->values[(t->rows - 1) * n] >= row[0]) t->rows--;
    *first = t->rows;
    t->gone = before - t->rows;
  }
  if (t->rows > 0 && t->values[(t->rows - 1) * n] >= row[0]) return bad(p, "the step does not increase");
  return add_row(t, row);
}

static int add_text(triad_series_table *t, piece *p, char *text, int64_t bytes)
{
  int64_t first = -1;
  int st = TRIAD_OK;
  for (char *line = text, *end; st == TRIAD_OK && line < text + bytes; line = end + 1) {
    end = memchr(line, '\n', (size_t)(text + bytes - line));
    if (!end) break; /* torn: a run that resumes drops it */
    *end = '\0';
    p->line++;
    if (strlen(line) != (size_t)(end - line)) st = bad(p, "a NUL byte");
    if (st == TRIAD_OK) st = take_line(t, p, line, &first);
  }
  if (st == TRIAD_OK && !p->named) st = bad(p, "the file ends before the row of names");
  return st;
}

int triad_series_table_add(triad_series_table *t, const char *path)
{
  piece p = {.path = path};
  char *text = NULL;
  int64_t bytes = 0;
  t->gone = 0;
  TRIAD_TRY(triad_disk_load(path, MOST_BYTES, &text, &bytes));
  int st = add_text(t, &p, text, bytes);
  free_columns(&p.head);
  free(text);
  return st;
}

static void gather(const triad_series_table *t, int column, double *out)
{
  for (int64_t i = 0; i < t->rows; i++) out[i] = t->values[i * t->n_columns + column];
}

static int put_column(triad_h5 *file, const triad_series_table *t, int column, double *values)
{
  static const char *const scale[1] = {"t"};
  const triad_series_column *c = &t->columns[column];
  gather(t, column, values);
  if (column == 0) {
    int64_t *steps = malloc((size_t)t->rows * sizeof *steps);
    if (!steps) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld steps", (long long)t->rows);
    for (int64_t i = 0; i < t->rows; i++) steps[i] = (int64_t)values[i];
    int st = triad_h5_put_longs(file, c->name, 1, &t->rows, steps);
    free(steps);
    TRIAD_TRY(st);
  } else {
    TRIAD_TRY(triad_h5_put_doubles(file, c->name, 1, &t->rows, values));
  }
  TRIAD_TRY(triad_h5_text(file, c->name, "units", c->unit));
  TRIAD_TRY(triad_h5_text(file, c->name, "long_name", c->formula));
  return column == 1  ? triad_h5_make_scale(file, c->name)
         : column > 1 ? triad_h5_use_scales(file, c->name, 1, scale)
                      : TRIAD_OK;
}

static int fill_file(triad_h5 *file, const triad_series_table *t, double *values)
{
  TRIAD_TRY(triad_h5_text(file, "/", "about", t->about));
  TRIAD_TRY(triad_h5_integers(file, "/", "rows", 0, &t->rows));
  for (int c = 0; c < t->n_columns; c++) TRIAD_TRY(put_column(file, t, c, values));
  return TRIAD_OK;
}

static int compare(triad_h5 *file, const triad_series_table *t, const char *path, double *values, double *back)
{
  const int64_t first = 0;
  for (int c = 0; c < t->n_columns; c++) {
    gather(t, c, values);
    TRIAD_TRY(triad_h5_read(file, t->columns[c].name, 1, &first, &t->rows, 8, back));
    if (memcmp(values, back, (size_t)t->rows * sizeof *back) != 0)
      return TRIAD_FAIL(TRIAD_ERR_IO, "%s: column %s differs when it is read back", path, t->columns[c].name);
  }
  return TRIAD_OK;
}

int triad_series_table_write(const triad_series_table *t, const char *path)
{
  triad_h5 *file = NULL;
  if (t->rows == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a series without rows", path);
  double *values = malloc((size_t)(2 * t->rows) * sizeof *values);
  int st = values ? triad_h5_create(&file, path) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rows", (long long)t->rows);
  int made = 0;
  if (st == TRIAD_OK) {
    st = triad_h5_close(&file, fill_file(file, t, values));
    made = st == TRIAD_OK;
  }
  if (st == TRIAD_OK) st = triad_h5_open(&file, path);
  if (st == TRIAD_OK) st = triad_h5_close(&file, compare(file, t, path, values, values + t->rows));
  if (st != TRIAD_OK && made) (void)remove(path);
  free(values);
  return st;
}
