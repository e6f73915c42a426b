/* Lists of OpenFOAM's files (foam_lists.h): UList, List and CompactIOList of OpenFOAM's sources. A list is "N(..)" or
 * "(..)"; "N{v}" has N equal values; in binary the bytes follow the bracket, and a list of nothing has no brackets. */
#include "mesh/read/foam/foam_lists.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words ---- */

void triad_foam_skip(triad_mesh_scan *s)
{
  for (;;) {
    triad_mesh_scan_skip(s);
    if (s->at + 1 >= s->size || s->text[s->at] != '/') return;
    if (s->text[s->at + 1] == '/') {
      triad_mesh_scan_skip_line(s);
    } else if (s->text[s->at + 1] == '*') {
      const char *end = memmem(s->text + s->at + 2, (size_t)(s->size - s->at - 2), "*/", 2);
      s->at = end ? end + 2 - s->text : s->size;
    } else {
      return;
    }
  }
}

int triad_foam_sign(triad_mesh_scan *s, char sign)
{
  triad_foam_skip(s);
  if (s->at >= s->size || s->text[s->at] != sign) return 0;
  s->at++;
  return 1;
}

static int is_end(char c, int quoted) { return quoted ? c == '"' : c == '\0' || strchr(" \t\r\n;{}()\"", c) != NULL; }

int triad_foam_word(triad_mesh_scan *s, char word[TRIAD_FOAM_WORD])
{
  int64_t n = 0;
  const int quoted = triad_foam_sign(s, '"');
  while (s->at + n < s->size && !is_end(s->text[s->at + n], quoted)) n++;
  if (s->at + n >= s->size) return triad_mesh_scan_bad(s, "the file ends here");
  if (n == 0 || n >= TRIAD_FOAM_WORD)
    return triad_mesh_scan_bad(s, "expected a word of 1 to %d bytes", TRIAD_FOAM_WORD - 1);
  memcpy(word, s->text + s->at, (size_t)n);
  word[n] = '\0';
  s->at += n + quoted;
  return TRIAD_OK;
}

int triad_foam_skip_entry(triad_mesh_scan *s)
{
  int depth = 0;
  for (; s->at < s->size; s->at++) {
    triad_foam_skip(s);
    if (s->at >= s->size) break;
    const char c = s->text[s->at];
    if (c == '"') {
      const char *end = memchr(s->text + s->at + 1, '"', (size_t)(s->size - s->at - 1));
      if (!end) break;
      s->at = end - s->text;
    }
    depth += (c == '{' || c == '(') - (c == '}' || c == ')');
    if (depth < 0) return TRIAD_OK; /* the end of the dictionary, which the caller reads */
    if (depth > 0 || (c != ';' && c != '}')) continue;
    s->at++;
    return TRIAD_OK;
  }
  return triad_mesh_scan_bad(s, "the file ends within an entry");
}

/* ---- header ---- */

static void take_arch(triad_foam_file *f, const char *arch)
{
  static const int32_t one = 1;
  const int little = *(const char *)&one == 1;
  const char *label = strstr(arch, "label="), *scalar = strstr(arch, "scalar=");
  f->label = label && strncmp(label + 6, "64", 2) == 0 ? 8 : label ? 4 : 0;
  f->scalar = scalar && strncmp(scalar + 7, "64", 2) == 0 ? 8 : scalar ? 4 : 0;
  f->s.swapped = strncmp(arch, little ? "MSB" : "LSB", 3) == 0;
}

static int take_header(triad_foam_file *f)
{
  char word[TRIAD_FOAM_WORD];
  TRIAD_TRY(triad_foam_word(&f->s, word));
  if (strcmp(word, "FoamFile") != 0 || !triad_foam_sign(&f->s, '{'))
    return triad_mesh_scan_bad(&f->s, "a file of OpenFOAM must begin with FoamFile {");
  while (!triad_foam_sign(&f->s, '}')) {
    char key[TRIAD_FOAM_WORD];
    TRIAD_TRY(triad_foam_word(&f->s, key));
    const int wanted = strcmp(key, "format") == 0 || strcmp(key, "class") == 0 || strcmp(key, "arch") == 0;
    if (wanted) TRIAD_TRY(triad_foam_word(&f->s, word));
    if (strcmp(key, "format") == 0) f->binary = strcmp(word, "binary") == 0;
    if (strcmp(key, "class") == 0) memcpy(f->class, word, sizeof word);
    if (strcmp(key, "arch") == 0) take_arch(f, word);
    TRIAD_TRY(triad_foam_skip_entry(&f->s));
  }
  f->s.binary = f->binary;
  return TRIAD_OK;
}

int triad_foam_open(triad_foam_file *f, const char *folder, const char *name, triad_guard *guard)
{
  *f = (triad_foam_file){.s.closers = "(){};/"};
  for (int packed = 0; packed < 2; packed++) {
    const int n = snprintf(f->path, sizeof f->path, "%s/%s%s", folder, name, packed ? ".gz" : "");
    if (n < 0 || n >= (int)sizeof f->path) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: the path is too long", folder);
    if (access(f->path, F_OK) == 0) break;
    if (packed)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: the file %s is missing: a mesh of OpenFOAM has points, faces, owner, neighbour "
                        "and boundary",
                        folder, name);
  }
  TRIAD_TRY(triad_mesh_scan_load(&f->s, f->path, guard));
  return take_header(f);
}

/* ---- lists ---- */

/* The beginning of a list. *n: its length, -1 if the file does not say. Returns '(' or '{', or 0 for a list of nothing
 * without brackets; -1 is an error. */
static int begin_list(triad_foam_file *f, int64_t *n)
{
  *n = -1;
  triad_foam_skip(&f->s);
  if (f->s.at < f->s.size && f->s.text[f->s.at] != '(') {
    if (triad_mesh_scan_integer(&f->s, n) != TRIAD_OK) return -1;
    if (*n < 0) {
      (void)triad_mesh_scan_bad(&f->s, "a list of %" PRId64 " items", *n);
      return -1;
    }
  }
  const int64_t before = f->s.at;
  if (triad_foam_sign(&f->s, '(')) return '(';
  if (triad_foam_sign(&f->s, '{')) return '{';
  f->s.at = before;
  if (*n == 0) return 0;
  (void)triad_mesh_scan_bad(&f->s, "expected a list: ( or {");
  return -1;
}

static int end_list(triad_foam_file *f, char sign)
{
  if (f->binary && f->s.at < f->s.size && f->s.text[f->s.at] == sign) {
    f->s.at++;
    return TRIAD_OK;
  }
  return !f->binary && triad_foam_sign(&f->s, sign)
           ? TRIAD_OK
           : triad_mesh_scan_bad(&f->s, "expected %c at the end of the list", sign);
}

/* Bytes of a number in a binary list of n items of `each` numbers: that of the header, or the size behind which a
 * bracket follows; 0: none. */
static int bytes_of(const triad_foam_file *f, int64_t n, int each, int given, const int sizes[2])
{
  for (int i = 0; i < 2; i++) {
    const int bytes = given ? given : sizes[i];
    if (n <= (f->s.size - f->s.at - 1) / (each * bytes) && f->s.text[f->s.at + n * each * bytes] == ')') return bytes;
  }
  return 0;
}

static int take_label(triad_foam_file *f, int bytes, int64_t *out)
{
  return f->binary ? triad_mesh_scan_binary_integer(&f->s, bytes, out)
                   : (triad_foam_skip(&f->s), triad_mesh_scan_integer(&f->s, out));
}

static int grow(triad_foam_file *f, triad_foam_list *list, int64_t *room)
{
  if (list->n < *room) return TRIAD_OK;
  const int64_t more = *room + *room / 2 + 1024;
  int64_t *at = realloc(list->at, (size_t)more * sizeof *at);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " numbers", f->path, more);
  list->at = at;
  *room = more;
  return TRIAD_OK;
}

static int add(triad_foam_file *f, triad_foam_list *list, int64_t *room, int64_t value)
{
  TRIAD_TRY(grow(f, list, room));
  list->at[list->n++] = value;
  if (list->n % 65536 == 0) triad_guard_alive(f->s.guard);
  return TRIAD_OK;
}

int triad_foam_labels(triad_foam_file *f, int64_t most, triad_foam_list *out)
{
  static const int sizes[2] = {4, 8};
  int64_t n, room = 0, value;
  const int kind = begin_list(f, &n);
  if (kind < 0) return TRIAD_ERR_CASE;
  if (n > most)
    return triad_mesh_scan_bad(&f->s, "a list of %" PRId64 " numbers, but at most %" PRId64 " are expected", n, most);
  if (kind == 0) return TRIAD_OK;
  const int bytes = !f->binary ? 0 : kind == '(' ? bytes_of(f, n, 1, f->label, sizes) : f->label ? f->label : 4;
  if (f->binary && (n < 0 || bytes == 0))
    return triad_mesh_scan_bad(&f->s, "a list of %" PRId64 " whole numbers of 4 or 8 bytes does not end here with )",
                               n);
  if (kind == '{') {
    TRIAD_TRY(take_label(f, bytes, &value));
    for (int64_t i = 0; i < n; i++) TRIAD_TRY(add(f, out, &room, value));
    return end_list(f, '}');
  }
  for (int64_t i = 0; n < 0 || i < n; i++) {
    if (n < 0 && triad_foam_sign(&f->s, ')')) return TRIAD_OK;
    if (i >= most) return triad_mesh_scan_bad(&f->s, "more than %" PRId64 " numbers", most);
    TRIAD_TRY(take_label(f, bytes, &value));
    TRIAD_TRY(add(f, out, &room, value));
  }
  return end_list(f, ')');
}

/* Offsets, then all points. */
static int take_compact(triad_foam_file *f, triad_foam_list *first, triad_foam_list *points)
{
  TRIAD_TRY(triad_foam_labels(f, INT32_MAX, first));
  TRIAD_TRY(triad_foam_labels(f, INT32_MAX, points));
  for (int64_t i = 0; i < first->n; i++)
    if (first->at[i] < (i > 0 ? first->at[i - 1] : 0) || first->at[i] > points->n || (i == 0 && first->at[0] != 0))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: the offset of face %" PRId64 " is %" PRId64 ", of %" PRId64 " points: damaged", f->path, i,
                        first->at[i], points->n);
  return TRIAD_OK;
}

int triad_foam_faces(triad_foam_file *f, triad_foam_list *first, triad_foam_list *points)
{
  int64_t n, room = 0, room_points = 0;
  if (strcmp(f->class, "faceCompactList") == 0) return take_compact(f, first, points);
  f->binary = f->s.binary = 0; /* lists of lists are always text */
  const int kind = begin_list(f, &n);
  if (kind != '(') return kind < 0 ? TRIAD_ERR_CASE : triad_mesh_scan_bad(&f->s, "there are no faces");
  if (n >= 0) TRIAD_TRY(triad_mesh_scan_check(&f->s, n, 2, "faces"));
  TRIAD_TRY(add(f, first, &room, 0));
  for (int64_t i = 0; n < 0 || i < n; i++) {
    int64_t k, point;
    if (n < 0 && triad_foam_sign(&f->s, ')')) return TRIAD_OK;
    const int of_face = begin_list(f, &k);
    if (of_face != '(')
      return of_face < 0 ? TRIAD_ERR_CASE : triad_mesh_scan_bad(&f->s, "expected a face, such as 3(0 1 2)");
    while (!triad_foam_sign(&f->s, ')')) {
      TRIAD_TRY(triad_mesh_scan_integer(&f->s, &point));
      TRIAD_TRY(add(f, points, &room_points, point));
    }
    if (k >= 0 && points->n - first->at[i] != k)
      return triad_mesh_scan_bad(&f->s, "the face has %" PRId64 " points, not %" PRId64, points->n - first->at[i], k);
    TRIAD_TRY(add(f, first, &room, points->n));
  }
  return end_list(f, ')');
}

static int take_vector(triad_foam_file *f, int bytes, double x[3])
{
  if (!f->binary && !triad_foam_sign(&f->s, '('))
    return triad_mesh_scan_bad(&f->s, "expected a point, such as (0 0 0)");
  for (int a = 0; a < 3; a++)
    TRIAD_TRY(f->binary ? triad_mesh_scan_binary_real(&f->s, bytes, &x[a]) : triad_mesh_scan_real(&f->s, &x[a]));
  if (!f->binary && !triad_foam_sign(&f->s, ')')) return triad_mesh_scan_bad(&f->s, "expected ) behind the point");
  return TRIAD_OK;
}

int triad_foam_points(triad_foam_file *f, double (**x)[3], int64_t *n)
{
  static const int sizes[2] = {8, 4};
  const int kind = begin_list(f, n);
  if (kind != '(' || *n < 0) return kind < 0 ? TRIAD_ERR_CASE : triad_mesh_scan_bad(&f->s, "expected a list of points");
  const int bytes = f->binary ? bytes_of(f, *n, 3, f->scalar, sizes) : 0;
  if (f->binary && bytes == 0)
    return triad_mesh_scan_bad(
      &f->s, "a list of %" PRId64 " points of 4 or 8 bytes a coordinate does not end here with )", *n);
  TRIAD_TRY(triad_mesh_scan_check(&f->s, *n, f->binary ? 3 * bytes : 7, "points"));
  *x = malloc(((size_t)*n + 1) * sizeof **x);
  if (!*x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", f->path, *n);
  for (int64_t i = 0; i < *n; i++) {
    TRIAD_TRY(take_vector(f, bytes, (*x)[i]));
    if (i % 65536 == 0) triad_guard_alive(f->s.guard);
  }
  return end_list(f, ')');
}
