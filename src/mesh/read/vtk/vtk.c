/* Read a legacy file of VTK (vtk.h). Binary arrays are big-endian and begin behind the end of the line of their
 * keyword. Up to version 4.2, CELLS lists the number of points of each cell and then these; since 5.0, offsets and
 * points are arrays of their own. */
#include "mesh/read/vtk/vtk.h"
#include "mesh/read/vtk/vtk_grid.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char begin[] = "# vtk DataFile";

int triad_mesh_vtk_is(const triad_mesh_look *look) { return triad_mesh_look_begins(look, 0, begin); }

typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  triad_vtk_grid grid;
  int binary;
  int64_t n_cells; /* number of items of arrays of cells; -1: not among these */
} reading;

enum { WORD = 128 };

/* Names of types, bytes, and are they whole? long has 8 bytes, as on the machines that write such files. */
static const struct {
  const char *name;
  int8_t bytes, is_whole;
} types[] = {{"char", 1, 1},           {"signed_char", 1, 1},   {"unsigned_char", 1, 1}, {"short", 2, 1},
             {"unsigned_short", 2, 1}, {"int", 4, 1},           {"unsigned_int", 4, 1},  {"vtkIdType", 4, 1},
             {"long", 8, 1},           {"unsigned_long", 8, 1}, {"vtktypeint64", 8, 1},  {"vtktypeuint64", 8, 1},
             {"vtktypeint32", 4, 1},   {"float", 4, 0},         {"double", 8, 0}};
enum { TYPES = sizeof types / sizeof *types };

static int find_type(const reading *r, const char *name, int *type)
{
  for (*type = 0; *type < TYPES; ++*type)
    if (strcasecmp(types[*type].name, name) == 0) return TRIAD_OK;
  return triad_mesh_scan_bad(r->s, "numbers of type %.40s cannot be read", name);
}

/* n numbers of a type; array NULL: they are skipped. */
static int take_numbers(reading *r, int64_t n, int type, triad_vtk_array *array)
{
  const int bytes = types[type].bytes;
  TRIAD_TRY(triad_mesh_scan_check(r->s, n, r->binary ? bytes : 2, "numbers"));
  if (!array && r->binary) {
    r->s->at += n * bytes;
    return TRIAD_OK;
  }
  if (array) {
    free(array->at);
    array->at = malloc(((size_t)n + 1) * sizeof *array->at);
    if (!array->at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " numbers", r->s->path, n);
    array->n = n;
  }
  for (int64_t i = 0; i < n; i++) {
    double value;
    int64_t number = 0;
    if (!r->binary) {
      TRIAD_TRY(triad_mesh_scan_real(r->s, &value));
    } else if (types[type].is_whole) {
      TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, bytes, &number));
      value = (double)number;
    } else {
      TRIAD_TRY(triad_mesh_scan_binary_real(r->s, bytes, &value));
    }
    if (array) array->at[i] = value;
    if (i % 65536 == 0) triad_guard_alive(r->s->guard);
  }
  return TRIAD_OK;
}

/* The type at the end of this line, then n numbers of it. */
static int take_typed(reading *r, int64_t n, triad_vtk_array *array)
{
  char word[WORD];
  int type;
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  TRIAD_TRY(find_type(r, word, &type));
  triad_mesh_scan_skip_line(r->s);
  return take_numbers(r, n, type, array);
}

static int take_points(reading *r)
{
  int64_t n;
  TRIAD_TRY(triad_mesh_scan_count(r->s, 3, "points", &n));
  return take_typed(r, 3 * n, &r->grid.array[TRIAD_VTK_POINTS]);
}

/* From "k p0 .. pk-1" of each cell to points and ends. */
static int split_cells(reading *r, int64_t n, triad_vtk_array *mixed)
{
  triad_vtk_array *ends = &r->grid.array[TRIAD_VTK_OFFSETS], *points = &r->grid.array[TRIAD_VTK_CONNECTIVITY];
  free(ends->at);
  free(points->at);
  ends->at = malloc(((size_t)n + 1) * sizeof *ends->at);
  *points = *mixed;
  mixed->at = NULL;
  ends->n = n;
  if (!ends->at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " cells", r->s->path, n);
  int64_t from = 0, to = 0;
  for (int64_t i = 0; i < n; i++) {
    const double k = from < points->n ? points->at[from] : -1;
    if (!(k >= 0) || k > (double)(points->n - from - 1))
      return triad_mesh_scan_bad(r->s, "cell %" PRId64 " has more points than CELLS declares", i);
    memmove(points->at + to, points->at + from + 1, (size_t)k * sizeof *points->at);
    to += (int64_t)k;
    from += (int64_t)k + 1;
    ends->at[i] = (double)to;
  }
  points->n = to;
  return TRIAD_OK;
}

/* Offsets begin with 0, which is dropped. */
static int take_offsets(reading *r, int64_t n, int64_t size)
{
  char word[WORD];
  triad_vtk_array *ends = &r->grid.array[TRIAD_VTK_OFFSETS];
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  TRIAD_TRY(take_typed(r, n, ends));
  if (ends->n > 0) memmove(ends->at, ends->at + 1, (size_t)(--ends->n) * sizeof *ends->at);
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "CONNECTIVITY") != 0) return triad_mesh_scan_bad(r->s, "CONNECTIVITY must follow OFFSETS");
  return take_typed(r, size, &r->grid.array[TRIAD_VTK_CONNECTIVITY]);
}

static int take_cells(reading *r)
{
  int64_t n, size;
  TRIAD_TRY(triad_mesh_scan_count(r->s, 1, "cells", &n));
  TRIAD_TRY(triad_mesh_scan_count(r->s, 2, "points of cells", &size));
  triad_mesh_scan_skip_line(r->s);
  static const char offsets[] = "OFFSETS";
  if (r->s->size - r->s->at > (int64_t)sizeof offsets &&
      strncasecmp(r->s->text + r->s->at, offsets, sizeof offsets - 1) == 0)
    return take_offsets(r, n, size);
  int type = 0;
  TRIAD_TRY(find_type(r, "int", &type));
  triad_vtk_array mixed = {.n = 0};
  int st = take_numbers(r, size, type, &mixed);
  if (st == TRIAD_OK) st = split_cells(r, n, &mixed);
  free(mixed.at);
  return st;
}

static int take_types(reading *r)
{
  int64_t n;
  int type = 0;
  TRIAD_TRY(triad_mesh_scan_count(r->s, 2, "types of cells", &n));
  triad_mesh_scan_skip_line(r->s);
  TRIAD_TRY(find_type(r, "int", &type));
  return take_numbers(r, n, type, &r->grid.array[TRIAD_VTK_TYPES]);
}

/* ---- arrays of cells ---- */

/* Numbers of an array; those of the best name give the patches. */
static int take_array(reading *r, const char *name, int64_t n, int64_t components, const char *word)
{
  int type;
  const int rank = r->n_cells == n && components == 1 ? triad_vtk_rank(name) : 0;
  TRIAD_TRY(find_type(r, word, &type));
  if (components < 1 || components > 1 << 20 || n < 0 || n > INT64_MAX / components)
    return triad_mesh_scan_bad(r->s, "an array of %" PRId64 " x %" PRId64 " numbers", n, components);
  if (rank <= r->grid.rank) return take_numbers(r, n * components, type, NULL);
  r->grid.rank = rank;
  (void)snprintf(r->grid.array[TRIAD_VTK_CELLS].name, TRIAD_MESH_NAME, "%.63s", name);
  return take_numbers(r, n, type, &r->grid.array[TRIAD_VTK_CELLS]);
}

static int take_field(reading *r)
{
  char name[WORD], type[WORD];
  int64_t n, components, tuples;
  TRIAD_TRY(triad_mesh_scan_word(r->s, name, sizeof name));
  TRIAD_TRY(triad_mesh_scan_count(r->s, 4, "arrays", &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_mesh_scan_word(r->s, name, sizeof name));
    TRIAD_TRY(triad_mesh_scan_integer(r->s, &components));
    TRIAD_TRY(triad_mesh_scan_integer(r->s, &tuples));
    TRIAD_TRY(triad_mesh_scan_word(r->s, type, sizeof type));
    triad_mesh_scan_skip_line(r->s);
    TRIAD_TRY(take_array(r, name, tuples, components, type));
  }
  return TRIAD_OK;
}

static int take_scalars(reading *r, int64_t n)
{
  char name[WORD], type[WORD], rest[WORD];
  TRIAD_TRY(triad_mesh_scan_word(r->s, name, sizeof name));
  TRIAD_TRY(triad_mesh_scan_word(r->s, type, sizeof type));
  triad_mesh_scan_rest(r->s, rest, sizeof rest);
  const long components = rest[0] ? strtol(rest, NULL, 10) : 1;
  const int64_t at = r->s->at;
  TRIAD_TRY(triad_mesh_scan_word(r->s, rest, sizeof rest));
  if (strcasecmp(rest, "LOOKUP_TABLE") == 0) triad_mesh_scan_skip_line(r->s);
  else r->s->at = at;
  return take_array(r, name, n, components, type);
}

static void skip_metadata(triad_mesh_scan *s)
{
  char line[WORD];
  do triad_mesh_scan_rest(s, line, sizeof line);
  while (line[0] && s->at < s->size);
}

/* One section; *end: what follows is not needed, or cannot be read. */
static int take_section(reading *r, const char *word, int64_t *n, int *end)
{
  if (strcasecmp(word, "POINTS") == 0) return take_points(r);
  if (strcasecmp(word, "CELLS") == 0) return take_cells(r);
  if (strcasecmp(word, "CELL_TYPES") == 0) return take_types(r);
  if (strcasecmp(word, "FIELD") == 0) return take_field(r);
  if (strcasecmp(word, "CELL_DATA") == 0 || strcasecmp(word, "POINT_DATA") == 0) {
    TRIAD_TRY(triad_mesh_scan_integer(r->s, n));
    r->n_cells = strcasecmp(word, "CELL_DATA") == 0 ? *n : -1;
    return TRIAD_OK;
  }
  if (strcasecmp(word, "SCALARS") == 0) return take_scalars(r, *n);
  if (strcasecmp(word, "METADATA") == 0) {
    triad_mesh_scan_skip_line(r->s);
    skip_metadata(r->s);
    return TRIAD_OK;
  }
  *end = r->grid.array[TRIAD_VTK_TYPES].n > 0;
  return *end ? TRIAD_OK : triad_mesh_scan_bad(r->s, "unknown section %.40s", word);
}

static int parse(reading *r)
{
  char word[WORD];
  int64_t n = 0;
  for (int i = 0; i < 2; i++) triad_mesh_scan_skip_line(r->s); /* the version and a title */
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  r->binary = strcasecmp(word, "BINARY") == 0;
  static const int32_t one = 1;
  r->s->swapped = *(const char *)&one == 1;
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "DATASET") == 0) TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "UNSTRUCTURED_GRID") != 0)
    return triad_mesh_scan_bad(r->s, "a file of %.40s: only UNSTRUCTURED_GRID can be read", word);
  for (int end = 0; !end && !triad_mesh_scan_at_end(r->s);) {
    TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
    TRIAD_TRY(take_section(r, word, &n, &end));
  }
  TRIAD_TRY(triad_vtk_grid_give(&r->grid, r->d));
  return triad_mesh_draft_give(r->d);
}

int triad_mesh_vtk_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.text = NULL};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults, .either_prism = 1};
  reading r = {.s = &s, .d = &d, .n_cells = -1};
  int st = triad_mesh_scan_load(&s, path, guard);
  if (st == TRIAD_OK) st = parse(&r);
  triad_vtk_grid_free(&r.grid);
  triad_mesh_draft_free(&d);
  free(s.text);
  return st;
}
