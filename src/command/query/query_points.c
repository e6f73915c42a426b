/* Read the points of a query from CSV, text or HDF5, or make a lattice. */
#include "command/query/query_points.h"
#include "command/query/query.h"
#include "store/hdf5/h5read.h"
#include "store/checkpoint/inspect.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int grow(triad_query_points *p, int64_t *room)
{
  if (p->n < *room) return TRIAD_OK;
  int64_t more = *room ? 2 * *room : 1024;
  double *x = realloc(p->x, (size_t)more * 3 * sizeof *x);
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld points", (long long)more);
  p->x = x;
  *room = more;
  return TRIAD_OK;
}

static const char *skip(const char *at)
{
  while (isspace((unsigned char)*at)) at++;
  return at;
}

/* Is it the header? Names x, y, z, in this order. */
static int is_header(const char *line)
{
  static const char names[] = "xyz";
  for (int i = 0; i < 3; i++) {
    line = skip(line);
    if (*line++ != names[i]) return 0;
    line = skip(line);
    if (i < 2 && *line++ != ',') return 0;
  }
  return *line == '\0';
}

/* Read three finite numbers separated by commas. */
static int take_row(const char *path, int64_t row, const char *line, double x[3])
{
  static const char names[] = "xyz";
  for (int i = 0; i < 3; i++) {
    char *end;
    x[i] = strtod(line, &end);
    if (end == line)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lld: no number for %c: each line requires x,y,z", path,
                        (long long)row, names[i]);
    if (!isfinite(x[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lld: %c is not finite", path, (long long)row, names[i]);
    line = skip(end);
    if (i < 2 && *line == ',') line = skip(line + 1);
    else if (i < 2 && line == end && *line)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lld: %c is not a number", path, (long long)row, names[i]);
  }
  if (*line) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lld: more than three numbers", path, (long long)row);
  return TRIAD_OK;
}

static int read_rows(triad_query_points *p, const char *path, FILE *file)
{
  char *line = NULL;
  size_t size = 0;
  int64_t room = 0, row = 0;
  int st = TRIAD_OK, begun = 0;
  for (ssize_t got; st == TRIAD_OK && (got = getline(&line, &size, file)) >= 0;) {
    row++;
    /* spreadsheets begin a text with a mark of its encoding */
    const char *text = skip(row == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line);
    if (strlen(line) != (size_t)got)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lld: a zero byte: this is not a text file", path, (long long)row);
    if (st != TRIAD_OK || *text == '\0' || *text == '#') continue;
    if (!begun++ && is_header(text)) continue;
    st = grow(p, &room);
    if (st == TRIAD_OK) st = take_row(path, row, text, p->x + 3 * p->n);
    p->n += st == TRIAD_OK;
  }
  if (st == TRIAD_OK && ferror(file)) st = TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(errno));
  if (st == TRIAD_OK && p->n == 0) st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file contains no points", path);
  free(line);
  return st;
}

static int read_file(triad_query_points *p, const char *path)
{
  FILE *file = fopen(path, "r");
  if (!file && errno == ENOENT) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file of points", path);
  if (!file) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(errno));
  int st = triad_path_look(path) == TRIAD_PATH_FOLDER || triad_path_look(path) == TRIAD_PATH_RUN ||
               triad_path_look(path) == TRIAD_PATH_CHECKPOINT
             ? TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a file of points x,y,z", path)
             : read_rows(p, path, file);
  (void)fclose(file);
  return st;
}

/* position (point, 3), or (time, point, 3), of which the last time is taken. */
static int take_positions(triad_query_points *p, const char *path, triad_h5 *file)
{
  int n_dims;
  int64_t dims[TRIAD_H5_DIMS], first[3] = {0, 0, 0}, count[3];
  TRIAD_TRY(triad_h5_dims(file, "position", &n_dims, dims, NULL));
  if ((n_dims != 2 && n_dims != 3) || dims[n_dims - 1] != 3)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: position must have shape (point, 3) or (time, point, 3)", path);
  if (dims[0] == 0 || dims[n_dims - 2] == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file contains no points", path);
  if (n_dims == 3) first[0] = dims[0] - 1;
  for (int i = 0; i < n_dims; i++) count[i] = n_dims == 3 && i == 0 ? 1 : dims[i];
  p->n = dims[n_dims - 2];
  p->x = malloc((size_t)p->n * 3 * sizeof *p->x);
  if (!p->x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld points", (long long)p->n);
  TRIAD_TRY(triad_h5_read(file, "position", n_dims, first, count, sizeof *p->x, p->x));
  for (int64_t i = 0; i < 3 * p->n; i++)
    if (!isfinite(p->x[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: position of point %lld, counted from 0, is not finite", path,
                        (long long)(i / 3));
  return TRIAD_OK;
}

static int read_h5(triad_query_points *p, const char *path)
{
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, path));
  return triad_h5_close(&file, take_positions(p, path, file));
}

static int make_lattice(triad_query_points *p, const char *at, const double length[3])
{
  static const double most = 1e12;
  long long n[3];
  int used = 0;
  if (sscanf(at, "lattice %lld %lld %lld%n", &n[0], &n[1], &n[2], &used) != 3 || *skip(at + used))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at %.80s: use the form \"lattice NX NY NZ\"", at);
  for (int i = 0; i < 3; i++)
    if (n[i] < 1) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at %.80s: each axis requires at least one point", at);
  if ((double)n[0] * (double)n[1] * (double)n[2] > most)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at %.80s: more than %g points", at, most);
  p->n = n[0] * n[1] * n[2];
  p->x = malloc((size_t)p->n * 3 * sizeof *p->x);
  if (!p->x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld points", (long long)p->n);
  double *x = p->x;
  for (int64_t k = 0; k < n[2]; k++)
    for (int64_t j = 0; j < n[1]; j++)
      for (int64_t i = 0; i < n[0]; i++) {
        *x++ = length[0] * (double)i / (double)n[0];
        *x++ = length[1] * (double)j / (double)n[1];
        *x++ = length[2] * (double)k / (double)n[2];
      }
  return TRIAD_OK;
}

/* Positions of a file of particles may have left the box; a table was written by hand. */
void triad_query_points_warn(const triad_query_points *points, const char *at, const double length[3], triad_log *log)
{
  const size_t n = strlen(at);
  int64_t outside = 0, first = -1;
  int axis = 0;
  if (n > 3 && strcmp(at + n - 3, ".h5") == 0) return;
  for (int64_t i = 0; i < points->n; i++)
    for (int a = 0; a < 3; a++) {
      const double x = points->x[3 * i + a];
      if (x >= -length[a] * (1 + 1e-9) && x <= length[a] * (1 + 1e-9)) continue;
      if (outside++ == 0) first = i, axis = a;
      break;
    }
  if (outside == 0) return;
  const double x = points->x[3 * first + axis];
  triad_log_warning(log,
                    "%.200s: %lld of %lld points are outside the periodic box: %c = %g of point %lld, counted from 0, "
                    "is equivalent to %.6g",
                    at, (long long)outside, (long long)points->n, "xyz"[axis], x, (long long)first,
                    x - length[axis] * floor(x / length[axis]));
}

int triad_query_points_make(triad_query_points *points, const char *at, const double length[3])
{
  *points = (triad_query_points){0};
  if (strncmp(at, "lattice", 7) == 0 && (at[7] == '\0' || at[7] == ' ')) return make_lattice(points, at, length);
  size_t n = strlen(at);
  return n > 3 && strcmp(at + n - 3, ".h5") == 0 ? read_h5(points, at) : read_file(points, at);
}
