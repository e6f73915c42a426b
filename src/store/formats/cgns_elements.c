/* Read the elements of unstructured zones, section by section. */
#include "store/formats/cgns_elements.h"
#include "store/formats/cgns_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_CGNS

enum { MOST_CORNERS = 8 };

/* Nodes and corners of an element by its type; of second order those of the corners come first. */
static const struct {
  int8_t nodes, corners, curved;
  triad_cgns_kind kind;
} types[] = {[CGNS_ENUMV(NODE)] = {1, 1, 0, TRIAD_CGNS_OTHER},
             [CGNS_ENUMV(BAR_2)] = {2, 2, 0, TRIAD_CGNS_LINE},
             [CGNS_ENUMV(BAR_3)] = {3, 2, 1, TRIAD_CGNS_LINE},
             [CGNS_ENUMV(TRI_3)] = {3, 3, 0, TRIAD_CGNS_TRIANGLE},
             [CGNS_ENUMV(TRI_6)] = {6, 3, 1, TRIAD_CGNS_TRIANGLE},
             [CGNS_ENUMV(QUAD_4)] = {4, 4, 0, TRIAD_CGNS_QUADRILATERAL},
             [CGNS_ENUMV(QUAD_8)] = {8, 4, 1, TRIAD_CGNS_QUADRILATERAL},
             [CGNS_ENUMV(QUAD_9)] = {9, 4, 1, TRIAD_CGNS_QUADRILATERAL},
             [CGNS_ENUMV(TETRA_4)] = {4, 4, 0, TRIAD_CGNS_TET},
             [CGNS_ENUMV(TETRA_10)] = {10, 4, 1, TRIAD_CGNS_TET},
             [CGNS_ENUMV(PYRA_5)] = {5, 5, 0, TRIAD_CGNS_PYRAMID},
             [CGNS_ENUMV(PYRA_13)] = {13, 5, 1, TRIAD_CGNS_PYRAMID},
             [CGNS_ENUMV(PYRA_14)] = {14, 5, 1, TRIAD_CGNS_PYRAMID},
             [CGNS_ENUMV(PENTA_6)] = {6, 6, 0, TRIAD_CGNS_PRISM},
             [CGNS_ENUMV(PENTA_15)] = {15, 6, 1, TRIAD_CGNS_PRISM},
             [CGNS_ENUMV(PENTA_18)] = {18, 6, 1, TRIAD_CGNS_PRISM},
             [CGNS_ENUMV(HEXA_8)] = {8, 8, 0, TRIAD_CGNS_HEX},
             [CGNS_ENUMV(HEXA_20)] = {20, 8, 1, TRIAD_CGNS_HEX},
             [CGNS_ENUMV(HEXA_27)] = {27, 8, 1, TRIAD_CGNS_HEX}};
enum { TYPES = sizeof types / sizeof *types };

typedef struct section {
  const triad_cgns *f;
  triad_cgns_zone zone;
  char name[TRIAD_CGNS_NAME];
  CGNS_ENUMT(ElementType_t) type;
  /* offset: with libraries from 3.4 on; else NULL, and counts are in data */
  cgsize_t first, last, size, *data, *offset;
} section;

static int bad(const section *s, int64_t number, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, section %s, element %" PRId64 ": %s", s->f->path, s->zone.name,
                    s->name, number, what);
}

static int unknown(const section *s, int64_t number, int64_t type)
{
  const char *name =
    type >= 0 && type < NofValidElementTypes ? cg_ElementTypeName((CGNS_ENUMT(ElementType_t))type) : "no type";
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s: zone %s, section %s, element %" PRId64 ": unknown element type %s (%" PRId64 ")", s->f->path,
                    s->zone.name, s->name, number, name, type);
}

/* Polygons and polyhedra: how many things stand for element e, and where they begin. */
static int many_at(const section *s, int64_t e, int64_t *at, int64_t *begin, int64_t *n)
{
  if (s->offset) {
    *begin = s->offset[e];
    *n = (int64_t)s->offset[e + 1] - *begin;
  } else {
    if (*at >= s->size) return bad(s, s->first + e, "the section ends before all elements are named");
    *n = s->data[*at];
    *begin = *at + 1;
    *at = *begin + *n;
  }
  return *n < 1 || *begin < 0 || *n > s->size - *begin ? bad(s, s->first + e, "invalid number of faces or points")
                                                       : TRIAD_OK;
}

static int each_many(const section *s, triad_cgns_each *each, void *who)
{
  const int cells = s->type == CGNS_ENUMV(NFACE_n);
  int64_t room = 64, *of = malloc((size_t)room * sizeof *of), at = 0, begin = 0, n = 0;
  int st = of ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", s->f->path);
  for (int64_t e = 0; e <= (int64_t)s->last - s->first && st == TRIAD_OK; e++) {
    st = many_at(s, e, &at, &begin, &n);
    if (st == TRIAD_OK && n > room) {
      free(of);
      room = 2 * n;
      of = malloc((size_t)room * sizeof *of);
      if (!of) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", s->f->path);
    }
    for (int64_t i = 0; i < n && st == TRIAD_OK; i++) {
      of[i] = (int64_t)s->data[begin + i] - !cells;
      if (!cells && (of[i] < 0 || of[i] >= s->zone.n[0])) st = bad(s, s->first + e, "one of its points does not exist");
    }
    const triad_cgns_element element = {s->first + e, cells ? TRIAD_CGNS_POLYHEDRON : TRIAD_CGNS_POLYGON, 0, n, of};
    if (st == TRIAD_OK) st = each(who, &element);
  }
  free(of);
  return st;
}

static int each_plain(const section *s, triad_cgns_each *each, void *who)
{
  const int mixed = s->type == CGNS_ENUMV(MIXED);
  int64_t corner[MOST_CORNERS], at = 0;
  for (int64_t number = s->first; number <= s->last; number++) {
    if (at >= s->size) return bad(s, number, "the section ends before this element");
    int64_t type = mixed ? (int64_t)s->data[at++] : (int64_t)s->type;
    if (type < 0 || type >= TYPES || types[type].nodes == 0) return unknown(s, number, type);
    if (types[type].nodes > s->size - at) return bad(s, number, "the section ends within this element");
    for (int i = 0; i < types[type].corners; i++) {
      corner[i] = (int64_t)s->data[at + i] - 1;
      if (corner[i] < 0 || corner[i] >= s->zone.n[0]) return bad(s, number, "one of its points does not exist");
    }
    at += types[type].nodes;
    const triad_cgns_element element = {number, types[type].kind, types[type].curved, types[type].corners, corner};
    TRIAD_TRY(each(who, &element));
  }
  return TRIAD_OK;
}

static int read_data(section *s, int zone, int number)
{
  const int many = s->type == CGNS_ENUMV(NGON_n) || s->type == CGNS_ENUMV(NFACE_n),
            mixed = s->type == CGNS_ENUMV(MIXED);
  const int64_t elements = (int64_t)s->last - s->first + 1;
  if (s->first < 1 || elements < 1) return bad(s, s->first, "invalid range of elements");
  if (!many && !mixed && ((int)s->type < 0 || (int)s->type >= TYPES || types[s->type].nodes == 0))
    return unknown(s, s->first, (int64_t)s->type);
  TRIAD_CG(cg_ElementDataSize(s->f->file, s->f->base, zone + 1, number + 1, &s->size), s->f, s->zone.name, s->name);
  s->data = calloc((size_t)s->size + 1, sizeof *s->data);
  if (!s->data) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld numbers of elements", s->f->path, (long long)s->size);
#if CGNS_VERSION >= 3400
  if (many || mixed) { /* mixed sections have their types in the data all the same */
    s->offset = calloc((size_t)elements + 1, sizeof *s->offset);
    if (!s->offset) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld elements", s->f->path, (long long)elements);
    TRIAD_CG(cg_poly_elements_read(s->f->file, s->f->base, zone + 1, number + 1, s->data, s->offset, NULL), s->f,
             s->zone.name, s->name);
    return TRIAD_OK;
  }
#endif
  TRIAD_CG(cg_elements_read(s->f->file, s->f->base, zone + 1, number + 1, s->data, NULL), s->f, s->zone.name, s->name);
  return TRIAD_OK;
}

int triad_cgns_sections(const triad_cgns *f, int zone, int *n)
{
  TRIAD_CG(cg_nsections(f->file, f->base, zone + 1, n), f, NULL, "sections of elements");
  return TRIAD_OK;
}

int triad_cgns_elements(const triad_cgns *f, int zone, int number, char name[TRIAD_CGNS_NAME], triad_cgns_each *each,
                        void *who)
{
  section s = {.f = f};
  int edge, parents;
  TRIAD_TRY(triad_cgns_zone_at(f, zone, &s.zone));
  TRIAD_CG(cg_section_read(f->file, f->base, zone + 1, number + 1, s.name, &s.type, &s.first, &s.last, &edge, &parents),
           f, s.zone.name, "a section");
  memcpy(name, s.name, TRIAD_CGNS_NAME);
  triad_cgns_clean(name);
  int st = read_data(&s, zone, number);
  const int many = s.type == CGNS_ENUMV(NGON_n) || s.type == CGNS_ENUMV(NFACE_n);
  if (st == TRIAD_OK) st = many ? each_many(&s, each, who) : each_plain(&s, each, who);
  free(s.data);
  free(s.offset);
  return st;
}

#else

int triad_cgns_sections(const triad_cgns *f, int zone, int *n)
{
  return (void)f, (void)zone, *n = 0, TRIAD_ERR_FEATURE;
}

int triad_cgns_elements(const triad_cgns *f, int zone, int number, char name[TRIAD_CGNS_NAME], triad_cgns_each *each,
                        void *who)
{
  return (void)f, (void)zone, (void)number, (void)name, (void)each, (void)who, TRIAD_ERR_FEATURE;
}

#endif
