/* Read a legacy file of VTK (vtk.h). Binary arrays are big-endian and begin behind the end of the line of their
 * keyword. Up to version 4.2, CELLS lists the number of points of each cell and then these; since 5.0, offsets and
 * points are arrays of their own. */
#include "mesh/read/vtk/vtk.h"
#include "mesh/read/vtk/vtk_grid.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
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
  int64_t n_cells; /* number of items of arrays of cells; -1: not among these */
} reading;

enum { WORD = 128 };

/* Names of types and their bytes. long has 8 bytes, as on the machines that write such files; an id has 4 in binary
 * files. */
enum { SIGNED, UNSIGNED, REAL, BIT, STRING };
static const struct {
  const char *name;
  int8_t bytes, kind;
} types[] = {{"char", 1, SIGNED},
             {"signed_char", 1, SIGNED},
             {"unsigned_char", 1, UNSIGNED},
             {"short", 2, SIGNED},
             {"unsigned_short", 2, UNSIGNED},
             {"int", 4, SIGNED},
             {"unsigned_int", 4, UNSIGNED},
             {"vtkIdType", 4, SIGNED},
             {"long", 8, SIGNED},
             {"unsigned_long", 8, UNSIGNED},
             {"vtktypeint64", 8, SIGNED},
             {"vtktypeuint64", 8, UNSIGNED},
             {"vtktypeint32", 4, SIGNED},
             {"vtktypeuint32", 4, UNSIGNED},
             {"float", 4, REAL},
             {"double", 8, REAL},
             {"bit", 0, BIT},
             {"string", 0, STRING}};
enum { TYPES = sizeof types / sizeof *types };

static int find_type(const reading *r, const char *name, int *type)
{
  for (*type = 0; *type < TYPES; ++*type)
    if (strcasecmp(types[*type].name, name) == 0) return TRIAD_OK;
  return triad_mesh_scan_bad(r->s, "numbers of type %.40s cannot be read", name);
}

static int skip_bytes(reading *r, int64_t n)
{
  TRIAD_TRY(triad_mesh_scan_check(r->s, n, 1, "bytes"));
  r->s->at += n;
  return TRIAD_OK;
}

/* A string of a binary file. The first two bits of its length say how many bytes that has: 8, 4, 2, 1. */
static int skip_string(reading *r)
{
  TRIAD_TRY(triad_mesh_scan_check(r->s, 1, 1, "strings"));
  const unsigned char *at = (const unsigned char *)r->s->text + r->s->at;
  const int bytes = 8 >> (at[0] >> 6);
  TRIAD_TRY(triad_mesh_scan_check(r->s, bytes, 1, "bytes"));
  int64_t length = at[0] & 63;
  for (int i = 1; i < bytes; i++) length = length << 8 | at[i];
  r->s->at += bytes;
  return skip_bytes(r, length);
}

/* Move over n numbers or strings. Numbers of fields may be nan. */
static int skip_numbers(reading *r, int64_t n, int type)
{
  char word[WORD];
  if (r->s->binary && types[type].kind == BIT) return skip_bytes(r, n / 8 + (n % 8 > 0));
  if (types[type].kind == STRING) {
    for (int64_t i = 0; i < n; i++)
      if (r->s->binary) TRIAD_TRY(skip_string(r));
      else if (r->s->at < r->s->size) triad_mesh_scan_skip_line(r->s);
      else return triad_mesh_scan_bad(r->s, "the file ends here, expected a string");
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_mesh_scan_check(r->s, n, r->s->binary ? types[type].bytes : 1, "numbers"));
  if (r->s->binary) return skip_bytes(r, n * types[type].bytes);
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
    if (i % 65536 == 0) triad_guard_alive(r->s->guard);
  }
  return TRIAD_OK;
}

static int take_number(reading *r, int type, double *value)
{
  const int bytes = types[type].bytes;
  int64_t number;
  if (types[type].kind == REAL)
    return r->s->binary ? triad_mesh_scan_binary_real(r->s, bytes, value) : triad_mesh_scan_real(r->s, value);
  TRIAD_TRY(r->s->binary ? triad_mesh_scan_binary_integer(r->s, bytes, &number)
                         : triad_mesh_scan_integer(r->s, &number));
  if (r->s->binary && types[type].kind == UNSIGNED && number < 0 && bytes < 8) number += INT64_C(1) << (8 * bytes);
  *value = (double)number;
  return TRIAD_OK;
}

static int take_numbers(reading *r, int64_t n, int type, triad_vtk_array *array)
{
  if (types[type].kind == BIT || types[type].kind == STRING)
    return triad_mesh_scan_bad(r->s, "numbers of type %s cannot be read here", types[type].name);
  TRIAD_TRY(triad_mesh_scan_check(r->s, n, r->s->binary ? types[type].bytes : 1, "numbers"));
  free(array->at);
  array->n = n;
  array->at = malloc(((size_t)n + 1) * sizeof *array->at);
  if (!array->at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " numbers", r->s->path, n);
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_number(r, type, &array->at[i]));
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
  if (r->grid.array[TRIAD_VTK_POINTS].at) return triad_mesh_scan_bad(r->s, "a second list of points");
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
  if (from != points->n)
    return triad_mesh_scan_bad(r->s, "CELLS declares %" PRId64 " numbers, but its %" PRId64 " cells have %" PRId64,
                               points->n, n, from);
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
  if (ends->n == 0 || fabs(ends->at[0]) > 0) return triad_mesh_scan_bad(r->s, "the first of OFFSETS must be 0");
  memmove(ends->at, ends->at + 1, (size_t)(--ends->n) * sizeof *ends->at);
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "CONNECTIVITY") != 0) return triad_mesh_scan_bad(r->s, "CONNECTIVITY must follow OFFSETS");
  return take_typed(r, size, &r->grid.array[TRIAD_VTK_CONNECTIVITY]);
}

static int take_cells(reading *r)
{
  int64_t n, size;
  if (r->grid.array[TRIAD_VTK_OFFSETS].at) return triad_mesh_scan_bad(r->s, "a second list of cells");
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
  if (r->grid.array[TRIAD_VTK_TYPES].at) return triad_mesh_scan_bad(r->s, "a second list of types of cells");
  TRIAD_TRY(triad_mesh_scan_count(r->s, 2, "types of cells", &n));
  triad_mesh_scan_skip_line(r->s);
  TRIAD_TRY(find_type(r, "int", &type));
  return take_numbers(r, n, type, &r->grid.array[TRIAD_VTK_TYPES]);
}

/* ---- arrays of cells and points ---- */

static void skip_metadata(triad_mesh_scan *s)
{
  char line[WORD];
  triad_mesh_scan_skip_line(s);
  do triad_mesh_scan_rest(s, line, sizeof line);
  while (line[0] && s->at < s->size);
}

/* Numbers of an array; those of the best name give the patches. */
static int take_array(reading *r, const char *name, int64_t n, int64_t components, const char *word)
{
  int type;
  TRIAD_TRY(find_type(r, word, &type));
  if (components < 1 || components > 1 << 20 || n < 0 || n > INT64_MAX / components / 8)
    return triad_mesh_scan_bad(r->s, "an array of %" PRId64 " x %" PRId64 " numbers", n, components);
  const int usable = r->n_cells >= 0 && components == 1 && types[type].kind != BIT && types[type].kind != STRING;
  const int rank = usable ? triad_vtk_rank(name) : 0;
  if (usable && triad_vtk_is_ghosts(name)) return take_numbers(r, n, type, &r->grid.ghosts);
  if (rank <= r->grid.rank) return skip_numbers(r, n * components, type);
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
    if (strcmp(name, "METADATA") == 0) {
      skip_metadata(r->s);
      TRIAD_TRY(triad_mesh_scan_word(r->s, name, sizeof name));
    }
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

/* Sections of arrays: how many numbers each item has, 0: the file says; the type of numbers in text and in binary
 * files, NULL: the file says. */
static const struct {
  const char *name;
  int64_t components;
  const char *type[2];
} attributes[] = {{"VECTORS", 3, {NULL, NULL}},
                  {"NORMALS", 3, {NULL, NULL}},
                  {"TENSORS", 9, {NULL, NULL}},
                  {"TENSORS6", 6, {NULL, NULL}},
                  {"GLOBAL_IDS", 1, {NULL, NULL}},
                  {"PEDIGREE_IDS", 1, {NULL, NULL}},
                  {"EDGE_FLAGS", 1, {NULL, NULL}},
                  {"TEXTURE_COORDINATES", 0, {NULL, NULL}},
                  {"COLOR_SCALARS", 0, {"float", "unsigned_char"}},
                  {"LOOKUP_TABLE", 0, {"float", "unsigned_char"}}};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static int take_attribute(reading *r, int which, int64_t n)
{
  char name[WORD], type[WORD];
  int64_t components = attributes[which].components;
  const char *given = attributes[which].type[r->s->binary];
  TRIAD_TRY(triad_mesh_scan_word(r->s, name, sizeof name));
  if (components == 0) TRIAD_TRY(triad_mesh_scan_integer(r->s, &components));
  if (!given) TRIAD_TRY(triad_mesh_scan_word(r->s, type, sizeof type));
  triad_mesh_scan_skip_line(r->s);
  if (strcmp(attributes[which].name, "LOOKUP_TABLE") == 0) { /* colours of four numbers */
    n = components;
    components = 4;
  }
  return take_array(r, name, n, components, given ? given : type);
}

/* CELL_DATA and POINT_DATA: of as many items as there are. */
static int begin_data(reading *r, int is_cells, int64_t *n)
{
  const int64_t all = is_cells ? r->grid.array[TRIAD_VTK_TYPES].n : r->grid.array[TRIAD_VTK_POINTS].n / 3;
  const int64_t at = r->s->at;
  TRIAD_TRY(triad_mesh_scan_integer(r->s, n));
  r->n_cells = is_cells ? *n : -1;
  if (*n == all) return TRIAD_OK;
  r->s->at = at;
  return triad_mesh_scan_bad(r->s, "%s of %" PRId64 " items, but the grid has %" PRId64,
                             is_cells ? "CELL_DATA" : "POINT_DATA", *n, all);
}

static int take_section(reading *r, const char *word, int64_t *n)
{
  if (strcasecmp(word, "POINTS") == 0) return take_points(r);
  if (strcasecmp(word, "CELLS") == 0) return take_cells(r);
  if (strcasecmp(word, "CELL_TYPES") == 0) return take_types(r);
  if (strcasecmp(word, "FIELD") == 0) return take_field(r);
  if (strcasecmp(word, "CELL_DATA") == 0) return begin_data(r, 1, n);
  if (strcasecmp(word, "POINT_DATA") == 0) return begin_data(r, 0, n);
  if (strcasecmp(word, "SCALARS") == 0) return take_scalars(r, *n);
  for (int i = 0; i < ATTRIBUTES; i++)
    if (strcasecmp(word, attributes[i].name) == 0) return take_attribute(r, i, *n);
  if (strcasecmp(word, "METADATA") != 0) return triad_mesh_scan_bad(r->s, "unknown section %.40s", word);
  skip_metadata(r->s);
  return TRIAD_OK;
}

static int parse(reading *r)
{
  char word[WORD];
  int64_t n = 0;
  for (int i = 0; i < 2; i++) triad_mesh_scan_skip_line(r->s); /* the version and a title */
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  r->s->binary = strcasecmp(word, "BINARY") == 0;
  if (!r->s->binary && strcasecmp(word, "ASCII") != 0) return triad_mesh_scan_bad(r->s, "expected ASCII or BINARY");
  static const int32_t one = 1;
  r->s->swapped = *(const char *)&one == 1;
  TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "DATASET") == 0) TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
  if (strcasecmp(word, "UNSTRUCTURED_GRID") != 0)
    return triad_mesh_scan_bad(r->s, "a file of %.40s: only UNSTRUCTURED_GRID can be read", word);
  while (!triad_mesh_scan_at_end(r->s)) {
    TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
    TRIAD_TRY(take_section(r, word, &n));
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
  triad_mesh_scan_free(&s);
  return st;
}
