/* Read a mesh of SU2 (su2.h). Sections begin with a key, KEY= value, in any order; inside a list there are no
 * comments. Points may follow elements, so numbers are checked at the end. */
#include "mesh/read/su2.h"
#include "mesh/read/draft.h"
#include "mesh/read/vtk/vtk_types.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"NDIME", "NZONE", "IZONE", "NELEM", "NPOIN", "NMARK", "MARKER_TAG"};

int triad_mesh_su2_is(const triad_mesh_look *look)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (triad_mesh_look_begins(look, '%', keys[i])) return 1;
  return triad_mesh_look_ends(look, ".su2");
}

typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  int64_t dim, zones, markers;
  int64_t announced, tags; /* NMARK=, -1 without it; MARKER_TAG= that have been read */
  int zone;                /* number of zones begun */
  int points, elements;    /* 1: the section has been read */
} reading;

/* Each item of a list is a line of this many numbers, or in all lines of the list of one more, which is its number.
 * *more: 0 or 1 for that, -1 before the first line. */
static int check_line(reading *r, int64_t numbers, int64_t *more)
{
  triad_mesh_scan_skip(r->s);
  const int64_t words = triad_mesh_scan_words_left(r->s);
  if (*more < 0) *more = words - numbers;
  if (words == numbers + *more && *more <= 1 && *more >= 0) return TRIAD_OK;
  return triad_mesh_scan_bad(r->s, "the line has %" PRId64 " words, but %" PRId64 " are expected%s", words,
                             numbers + (*more == 1),
                             *more == 1 ? ", the last being its number as in the lines before" : "");
}

static int take_points(reading *r)
{
  int64_t n;
  TRIAD_TRY(triad_mesh_scan_count(r->s, 2 * r->dim, "points", &n));
  triad_mesh_scan_skip_line(r->s); /* old files have a second number here */
  r->points = 1;
  int64_t more = -1;
  for (int64_t i = 0; i < n; i++) {
    double x[3] = {0, 0, 0};
    TRIAD_TRY(check_line(r, r->dim, &more));
    for (int a = 0; a < r->dim; a++) TRIAD_TRY(triad_mesh_scan_real(r->s, &x[a]));
    triad_mesh_scan_skip_line(r->s); /* the number of the point may follow */
    TRIAD_TRY(triad_mesh_draft_point(r->d, x));
  }
  return TRIAD_OK;
}

static int take_element(reading *r, int32_t group, int most, int64_t *more)
{
  int64_t type, point[TRIAD_MESH_CORNERS];
  triad_mesh_scan_skip(r->s);
  const int64_t begin = r->s->at;
  TRIAD_TRY(triad_mesh_scan_integer(r->s, &type));
  const triad_mesh_vtk_type *t = type == 1 || (type <= 14 && type >= 3) ? triad_mesh_vtk_type_of(type) : NULL;
  if (!t)
    return triad_mesh_scan_bad(r->s,
                               "elements of type %" PRId64 " are unknown to SU2 (3 line, 5 triangle, 9 "
                               "quadrilateral, 10 tetrahedron, 12 hexahedron, 13 prism, 14 pyramid)",
                               type);
  const int64_t behind = r->s->at;
  r->s->at = begin;
  TRIAD_TRY(check_line(r, 1 + t->nodes, more));
  r->s->at = behind;
  for (int i = 0; i < t->nodes; i++) TRIAD_TRY(triad_mesh_scan_integer(r->s, &point[i]));
  triad_mesh_scan_skip_line(r->s); /* the number of the element may follow */
  if (t->kind < 0) return TRIAD_OK;
  const int dim = triad_mesh_draft_dimension(t->kind);
  if (dim != most)
    return triad_mesh_scan_bad(r->s, "an element of type %" PRId64 " cannot be %s of a mesh in %" PRId64 " dimensions",
                               type, most == r->dim ? "a cell" : "a side", r->dim);
  return triad_mesh_draft_element(r->d, t->kind, point, group, 0);
}

static int take_elements(reading *r)
{
  int64_t n;
  TRIAD_TRY(triad_mesh_scan_count(r->s, 4, "elements", &n));
  triad_mesh_scan_skip_line(r->s);
  r->elements = 1;
  int64_t more = -1;
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(take_element(r, -1, (int)r->dim, &more));
  return TRIAD_OK;
}

/* The key at this line, without what follows "="; a comment line or a line of numbers has none. */
static int take_key(triad_mesh_scan *s, char key[32])
{
  int n = 0;
  triad_mesh_scan_skip(s);
  while (s->at + n < s->size && n < 31 &&
         (s->text[s->at + n] == '_' || (s->text[s->at + n] >= 'A' && s->text[s->at + n] <= 'Z'))) {
    key[n] = s->text[s->at + n];
    n++;
  }
  key[n] = '\0';
  int64_t at = s->at + n;
  while (at < s->size && (s->text[at] == ' ' || s->text[at] == '\t')) at++;
  if (n == 0 || at >= s->size || s->text[at] != '=') return 0;
  s->at = at + 1;
  return 1;
}

static int take_marker(reading *r)
{
  char name[256], key[32];
  int32_t group = -1;
  int64_t n;
  triad_mesh_scan_rest(r->s, name, sizeof name);
  if (!name[0]) return triad_mesh_scan_bad(r->s, "expected a name behind MARKER_TAG=, before this line");
  r->tags++;
  const int joined = strcmp(name, "SEND_RECEIVE") == 0; /* of old partitioned or periodic meshes */
  if (!take_key(r->s, key) || strcmp(key, "MARKER_ELEMS") != 0)
    return triad_mesh_scan_bad(r->s, "MARKER_ELEMS= must follow MARKER_TAG= %.60s", name);
  TRIAD_TRY(triad_mesh_scan_count(r->s, 4, "sides", &n));
  triad_mesh_scan_skip_line(r->s);
  if (!joined) TRIAD_TRY(triad_mesh_draft_group_of(r->d, (int)r->dim - 1, ++r->markers, name, &group));
  const int64_t at = r->s->at;
  if (joined && take_key(r->s, key) && strcmp(key, "SEND_RECV") == 0) triad_mesh_scan_skip_line(r->s);
  else r->s->at = at;
  int64_t more = -1;
  for (int64_t i = 0; i < n; i++) {
    if (joined) triad_mesh_scan_skip_line(r->s);
    else TRIAD_TRY(take_element(r, group, (int)r->dim - 1, &more));
  }
  return TRIAD_OK;
}

static int take_dimension(reading *r)
{
  TRIAD_TRY(triad_mesh_scan_integer(r->s, &r->dim));
  if (r->dim != 2 && r->dim != 3) return triad_mesh_scan_bad(r->s, "NDIME= %" PRId64 ": must be 2 or 3", r->dim);
  return TRIAD_OK;
}

/* One section; *end: the rest of the file is not read. */
static int take_section(reading *r, const char *key, int *end)
{
  const int lists = strcmp(key, "NPOIN") == 0 || strcmp(key, "NELEM") == 0 || strcmp(key, "MARKER_TAG") == 0;
  if (strncmp(key, "FFD_", 4) == 0) *end = 1; /* boxes of free-form deformation, with lists of their own */
  if (strcmp(key, "IZONE") == 0) *end = ++r->zone > 1;
  if (*end) return TRIAD_OK;
  if (strcmp(key, "NZONE") == 0) return triad_mesh_scan_integer(r->s, &r->zones);
  if (strcmp(key, "NMARK") == 0) return triad_mesh_scan_integer(r->s, &r->announced);
  if (strcmp(key, "NDIME") == 0) return take_dimension(r);
  if (lists && r->dim == 0) return triad_mesh_scan_bad(r->s, "NDIME= must come before %s=", key);
  if (strcmp(key, "NPOIN") == 0)
    return r->points ? triad_mesh_scan_bad(r->s, "a second list of points") : take_points(r);
  if (strcmp(key, "NELEM") == 0)
    return r->elements ? triad_mesh_scan_bad(r->s, "a second list of elements") : take_elements(r);
  if (strcmp(key, "MARKER_TAG") == 0) return take_marker(r);
  triad_mesh_scan_skip_line(r->s);
  return TRIAD_OK;
}

/* Lines that are no part of a list are skipped, but not numbers, which a list has more of than it declares. */
static int skip_other(triad_mesh_scan *s)
{
  if (strchr("0123456789+-.", s->text[s->at]) && s->text[s->at])
    return triad_mesh_scan_bad(s, "a line of numbers in no list: the list before has more lines than it declares");
  triad_mesh_scan_skip_line(s);
  return TRIAD_OK;
}

static int parse(reading *r)
{
  char key[32];
  for (int end = 0; !end && !triad_mesh_scan_at_end(r->s);) {
    if (take_key(r->s, key)) TRIAD_TRY(take_section(r, key, &end));
    else TRIAD_TRY(skip_other(r->s));
  }
  if (!r->points) return triad_mesh_scan_bad(r->s, "the file ends here without a list of points, NPOIN=");
  if (!r->elements) return triad_mesh_scan_bad(r->s, "the file ends here without a list of elements, NELEM=");
  if (r->announced < 0 && r->tags == 0)
    return triad_mesh_scan_bad(r->s,
                               "the file ends here without NMARK=: is it cut off? A mesh without markers has NMARK= 0");
  if (r->announced >= 0 && r->tags != r->announced)
    return triad_mesh_scan_bad(r->s, "NMARK= %" PRId64 ", but there are %" PRId64 " markers: is the file cut off?",
                               r->announced, r->tags);
  if (r->zones > 1)
    (void)snprintf(r->d->changes.note, sizeof r->d->changes.note,
                   "the file has %" PRId64 " zones: the first one is read", r->zones);
  return triad_mesh_draft_give(r->d);
}

int triad_mesh_su2_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.comment = '%'};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults, .either_prism = 1};
  reading r = {.s = &s, .d = &d, .announced = -1};
  int st = triad_mesh_scan_load(&s, path, guard);
  if (st == TRIAD_OK) st = parse(&r);
  triad_mesh_draft_free(&d);
  triad_mesh_scan_free(&s);
  return st;
}
