/* Read a mesh of medit (medit.h): sections with a keyword, a count, and items that end with a reference number. */
#include "mesh/read/medit.h"
#include "mesh/read/draft.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 4, END = 54, DIMENSION = 3 };

/* Sections of elements: their name, their number in binary files (-1: there is none), and the kind of element. Of
 * elements of higher order the corners come first. */
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
                {"EdgesP2", 25, TRIAD_MESH_LINE, 3, 1},
                {"TrianglesP2", 24, TRIAD_MESH_TRIANGLE, 6, 1},
                {"QuadrilateralsQ2", 27, TRIAD_MESH_QUAD, 9, 1},
                {"TetrahedraP2", 30, TRIAD_MESH_TET, 10, 1},
                {"PrismsP2", 86, TRIAD_MESH_PRISM, 18, 1},
                {"HexahedraQ2", 33, TRIAD_MESH_HEX, 27, 1},
                {"PyramidsP2", 87, TRIAD_MESH_PYRAMID, 14, 1}};
enum { SECTIONS = sizeof sections / sizeof *sections, MOST_NODES = 27 };

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
  int64_t n, point[MOST_NODES], reference;
  TRIAD_TRY(take_count(r, "elements", &n));
  for (int64_t i = 0; i < n; i++) {
    int32_t group = -1;
    for (int k = 0; k < sections[section].nodes; k++) {
      TRIAD_TRY(take_integer(r, &point[k]));
      point[k] = point[k] > 0 ? point[k] - 1 : -1;
    }
    TRIAD_TRY(take_integer(r, &reference));
    if (dim < 3) TRIAD_TRY(triad_mesh_draft_group_of(r->d, dim, reference, NULL, &group));
    TRIAD_TRY(triad_mesh_draft_element(r->d, kind, point, group, 0));
    r->d->curved[dim] += sections[section].curved;
  }
  return TRIAD_OK;
}

static int take_dimension(reading *r, int64_t dim)
{
  r->dim = dim;
  if (dim != 2 && dim != 3) return triad_mesh_scan_bad(r->s, "a dimension of %" PRId64 ": must be 2 or 3", dim);
  return TRIAD_OK;
}

/* The number of a section of elements; SECTIONS: it has none. */
static int section_of(const char *name, int64_t number)
{
  int section = 0;
  while (section < SECTIONS && (name ? strcmp(name, sections[section].name) != 0 : sections[section].number != number))
    section++;
  return section;
}

/* ---- text ---- */

static int is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/* Move to the next word that begins with a letter; 0: there is none. */
static int find_word(triad_mesh_scan *s)
{
  while (!triad_mesh_scan_at_end(s)) {
    if (is_letter(s->text[s->at])) return 1;
    while (s->at < s->size && !strchr(" \t\r\n", s->text[s->at])) s->at++;
    if (s->at < s->size && s->text[s->at] == '\0') s->at++;
  }
  return 0;
}

/* Elements such as TetrahedraP3 would be missing. */
static int is_unknown_element(const char *word)
{
  const char *end = strpbrk(word, "0123456789");
  if (!end || end - word < 2 || end[1] || !strchr("PQ", end[-1])) return 0;
  for (int i = 0; i < SECTIONS; i++)
    if (strlen(sections[i].name) == (size_t)(end - word) - 1 &&
        strncmp(word, sections[i].name, (size_t)(end - word) - 1) == 0)
      return 1;
  return 0;
}

static int take_text_section(reading *r, const char *word)
{
  int64_t dim;
  const int section = section_of(word, 0);
  if (strcmp(word, "Dimension") == 0) {
    TRIAD_TRY(triad_mesh_scan_integer(r->s, &dim));
    TRIAD_TRY(take_dimension(r, dim));
  } else if (strcmp(word, "Vertices") == 0) {
    TRIAD_TRY(take_vertices(r));
  } else if (section < SECTIONS) {
    TRIAD_TRY(take_elements(r, section));
  } else {
    return is_unknown_element(word) ? triad_mesh_scan_bad(r->s, "elements of %s cannot be read", word) : TRIAD_OK;
  }
  if (triad_mesh_scan_at_end(r->s) || is_letter(r->s->text[r->s->at])) return TRIAD_OK;
  return triad_mesh_scan_bad(r->s, "section %s contains more than it declares", word);
}

static int take_text(reading *r)
{
  char word[64];
  while (find_word(r->s)) {
    TRIAD_TRY(triad_mesh_scan_word(r->s, word, sizeof word));
    if (strcmp(word, "End") == 0) return TRIAD_OK;
    TRIAD_TRY(take_text_section(r, word));
  }
  return triad_mesh_scan_bad(r->s, "the file ends here without End: is it cut off?");
}

/* ---- binary ---- */

/* Polyhedra, and elements of third and fourth order. */
static int is_unknown_number(int64_t keyword)
{
  return keyword == 46 || (keyword >= 88 && keyword <= 93) || (keyword >= 96 && keyword <= 103);
}

static int take_binary(reading *r)
{
  int64_t keyword, next, dim, one;
  r->s->binary = 1;
  TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &one));
  r->s->swapped = one != 1;
  TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &r->version));
  while (r->s->at < r->s->size) {
    TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &keyword));
    if (keyword == END) return TRIAD_OK;
    TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, r->version >= 3 ? 8 : 4, &next));
    const int section = section_of(NULL, keyword), known = section < SECTIONS || keyword == VERTICES;
    if (keyword == DIMENSION) {
      TRIAD_TRY(triad_mesh_scan_binary_integer(r->s, 4, &dim));
      TRIAD_TRY(take_dimension(r, dim));
    } else if (keyword == VERTICES) {
      TRIAD_TRY(take_vertices(r));
    } else if (section < SECTIONS) {
      TRIAD_TRY(take_elements(r, section));
    } else if (is_unknown_number(keyword)) {
      return triad_mesh_scan_bad(
        r->s, "elements of section %" PRId64 " (of a higher order, or polyhedra) cannot be read", keyword);
    }
    if (next < r->s->at || next > r->s->size || (known && next != r->s->at))
      return triad_mesh_scan_bad(r->s, "the next section is said to begin at byte %" PRId64 ": damaged", next);
    r->s->at = next;
  }
  return triad_mesh_scan_bad(r->s, "the file ends here without End: is it cut off?");
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
  triad_mesh_scan_free(&s);
  return st;
}
