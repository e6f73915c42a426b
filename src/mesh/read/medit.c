/* Read a mesh of medit (medit.h): sections with a keyword, a count, and items that end with a reference number. */
#include "mesh/read/medit.h"
#include "mesh/read/draft.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 4, END = 54, DIMENSION = 3 };

/* Sections of elements: their name, their number in binary files, and the kind of element. */
static const struct {
  const char *name;
  int number, kind, nodes, curved;
} sections[] = {{"Edges", 5, TRIAD_MESH_LINE, 2, 0},
                {"Triangles", 6, TRIAD_MESH_TRIANGLE, 3, 0},
                {"Quadrilaterals", 7, TRIAD_MESH_QUAD, 4, 0},
                {"Tetrahedra", 8, TRIAD_MESH_TET, 4, 0},
                {"Prisms", 9, TRIAD_MESH_PRISM, 6, 0},
                {"Hexahedra", 10, TRIAD_MESH_HEX, 8, 0},
                {"Hexaedra", -1, TRIAD_MESH_HEX, 8, 0},
                {"Pyramids", 49, TRIAD_MESH_PYRAMID, 5, 0},
                {"TrianglesP2", 24, TRIAD_MESH_TRIANGLE, 6, 1},
                {"TetrahedraP2", 30, TRIAD_MESH_TET, 10, 1}};
enum { SECTIONS = sizeof sections / sizeof *sections };

static int is_binary(const char *head, int64_t length)
{
  int32_t word[2];
  if (length < 12) return 0;
  memcpy(word, head, sizeof word);
  if (word[0] == 0x01000000) word[1] = (int32_t)__builtin_bswap32((uint32_t)word[1]);
  return (word[0] == 1 || word[0] == 0x01000000) && word[1] >= 1 && word[1] <= 4;
}

int triad_mesh_medit_is(const triad_mesh_look *look)
{
  return triad_mesh_look_begins(look, '#', "MeshVersionFormatted") ||
         (triad_mesh_look_ends(look, ".meshb") && is_binary(look->head, look->length));
}

typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  int64_t version, dim;
} reading;

static int take_integer(reading *r, int64_t *out)
{
  return r->s->binary ? triad_mesh_scan_binary_integer(r->s, r->version == 4 ? 8 : 4, out)
                      : triad_mesh_scan_integer(r->s, out);
}

static int take_real(reading *r, double *out)
{
  return r->s->binary ? triad_mesh_scan_binary_real(r->s, r->version == 1 ? 4 : 8, out)
                      : triad_mesh_scan_real(r->s, out);
}

static int take_count(reading *r, const char *items, int64_t *n)
{
  TRIAD_TRY(take_integer(r, n));
  return triad_mesh_scan_check(r->s, *n, 4, items);
}

static int take_vertices(reading *r)
{
  int64_t n, reference;
  if (r->dim == 0) return triad_mesh_scan_bad(r->s, "Dimension must come before Vertices");
  TRIAD_TRY(take_count(r, "vertices", &n));
  if (r->d->n_points > 0) return triad_mesh_scan_bad(r->s, "a second list of vertices");
  for (int64_t i = 0; i < n; i++) {
    double x[3] = {0, 0, 0};
    for (int a = 0; a < r->dim; a++) TRIAD_TRY(take_real(r, &x[a]));
    TRIAD_TRY(take_integer(r, &reference));
    TRIAD_TRY(triad_mesh_draft_point(r->d, x));
  }
  return TRIAD_OK;
}

static int take_elements(reading *r, int section)
{
  const int kind = sections[section].kind, dim = triad_mesh_draft_dimension(kind);
  int64_t n, point[16], reference;
  TRIAD_TRY(take_count(r, "elements", &n));
  for (int64_t i = 0; i < n; i++) {
    int32_t group = -1;
    for (int k = 0; k < sections[section].nodes; k++) {
      TRIAD_TRY(take_integer(r, &point[k]));
      point[k]--;
    }
    TRIAD_TRY(take_integer(r, &reference));
    if (dim < 3) TRIAD_TRY(triad_mesh_draft_group_of(r->d, dim, reference, NULL, &group));
    TRIAD_TRY(triad_mesh_draft_element(r->d, kind, point, group, 0));
    r->d->changes.curved += sections[section].curved && dim == 3;
  }
  return TRIAD_OK;
}

static int take_dimension(reading *r, int64_t dim)
{
  r->dim = dim;
  if (dim != 2 && dim != 3) return triad_mesh_scan_bad(r->s, "a dimension of %" PRId64 ": must be 2 or 3", dim);
  return TRIAD_OK;
}

/* ---- text ---- */

/* Move to the next word that begins with a letter; 0: there is none. */
static int find_word(triad_mesh_scan *s)
{
  while (!triad_mesh_scan_at_end(s)) {
    const char c = s->text[s->at];
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) return 1;
    while (s->at < s->size && !strchr(" \t\r\n", s->text[s->at])) s->at++;
    if (s->at < s->size && s->text[s->at] == '\0') s->at++;
  }
  return 0;
}

static int take_text(reading *r)
{
  char word[64];
  int64_t dim;
  while (find_word(r->s)) {
    int section = 0;
    TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
    if (strcmp(word, "End") == 0) break;
    while (section < SECTIONS && strcmp(word, sections[section].name) != 0) section++;
    if (strcmp(word, "Dimension") == 0) {
      TRIAD_TRY(triad_mesh_scan_integer(r->s, &dim));
      TRIAD_TRY(take_dimension(r, dim));
    } else if (strcmp(word, "Vertices") == 0) {
      TRIAD_TRY(take_vertices(r));
    } else if (section < SECTIONS) {
      TRIAD_TRY(take_elements(r, section));
    }
  }
  return TRIAD_OK;
}

/* ---- binary ---- */

static int take_binary(reading *r)
{
  int64_t keyword, next, dim, one;
  r->s->binary = 1;
  TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &one));
  r->s->swapped = one != 1;
  TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &r->version));
  while (r->s->at < r->s->size) {
    int section = 0;
    TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &keyword));
    if (keyword == END) return TRIAD_OK;
    TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, r->version >= 3 ? 8 : 4, &next));
    while (section < SECTIONS && sections[section].number != keyword) section++;
    if (keyword == DIMENSION) {
      TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &dim));
      TRIAD_TRY(take_dimension(r, dim));
    } else if (keyword == VERTICES) {
      TRIAD_TRY(take_vertices(r));
    } else if (section < SECTIONS) {
      TRIAD_TRY(take_elements(r, section));
    }
    if (next == 0) return TRIAD_OK;
    if (next < r->s->at || next > r->s->size)
      return triad_mesh_scan_bad(r->s, "the next section is said to begin at byte %" PRId64 ": damaged", next);
    r->s->at = next;
  }
  return TRIAD_OK;
}

int triad_mesh_medit_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.comment = '#'};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults};
  reading r = {.s = &s, .d = &d};
  int st = triad_mesh_scan_load(&s, path, guard);
  if (st == TRIAD_OK) st = is_binary(s.text, s.size) ? take_binary(&r) : take_text(&r);
  if (st == TRIAD_OK) st = triad_mesh_draft_give(&d);
  triad_mesh_draft_free(&d);
  free(s.text);
  return st;
}
