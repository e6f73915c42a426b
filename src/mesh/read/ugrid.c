/* Read a UGRID mesh (ugrid.h). The numbers of a file are: 7 counts; coordinates; triangles; quadrilaterals; surfaces of
 * these; tetrahedra; pyramids, whose tip is the third of five points; prisms; hexahedra. What follows is not read. The
 * kind of a binary file follows from its size, since names are not reliable. */
#include "mesh/read/ugrid.h"
#include "mesh/read/draft.h"
#include "mesh/read/mapbc.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 7 };
enum { NODES, TRIANGLES, QUADS, TETS, PYRAMIDS, PRISMS, HEXES };

int triad_mesh_ugrid_is(const triad_mesh_look *look) { return triad_mesh_look_ends(look, ".ugrid"); }

/* whole, real: bytes of numbers in a binary file; 0: text. record: bytes around a record of Fortran. */
typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  int whole, real, record;
  int64_t n[COUNTS];
} reading;

static int take_integer(reading *r, int64_t *out)
{
  return r->whole ? triad_mesh_scan_binary_integer(r->s, r->whole, out) : triad_mesh_scan_integer(r->s, out);
}

static int take_counts(reading *r)
{
  r->s->at = r->record;
  for (int i = 0; i < COUNTS; i++) TRIAD_TRY(take_integer(r, &r->n[i]));
  r->s->at += r->whole ? 2 * r->record : 0;
  return TRIAD_OK;
}

/* Bytes of a binary file with these counts; -1: they are impossible. */
static int64_t size_of(const reading *r)
{
  static const int8_t each[COUNTS] = {
    [TRIANGLES] = 4, [QUADS] = 5, [TETS] = 4, [PYRAMIDS] = 5, [PRISMS] = 6, [HEXES] = 8};
  for (int i = 0; i < COUNTS; i++)
    if (r->n[i] < 0 || r->n[i] > INT32_MAX) return -1;
  int64_t bytes = COUNTS * r->whole + 4 * (int64_t)r->record + 3 * r->real * r->n[NODES];
  for (int i = 0; i < COUNTS; i++) bytes += (int64_t)each[i] * r->whole * r->n[i];
  return r->n[NODES] > 0 ? bytes : -1;
}

static int is_text(const triad_mesh_scan *s)
{
  for (int64_t i = 0; i < s->size && i < 64; i++)
    if (s->text[i] == '\0' || !strchr("0123456789 \t\r\n+-.eEdD", s->text[i])) return 0;
  return 1;
}

/* Is the length of the record of counts before it? */
static int has_mark(reading *r)
{
  int64_t mark;
  r->s->at = 0;
  return r->record == 0 || (triad_mesh_scan_binary_integer(r->s, 4, &mark) == TRIAD_OK && mark == COUNTS * r->whole);
}

/* Find the kind of a binary file: that whose size is the file's; or else, since other blocks may follow, the first
 * of the common kinds (reals of 8 bytes, integers of 4) that fits in it. */
static int find_kind(reading *r)
{
  reading fits = {.s = NULL};
  int swapped = 0;
  for (int i = 0; i < 16; i++) {
    reading here = *r;
    here.whole = i & 8 ? 8 : 4;
    here.real = i & 4 ? 4 : 8;
    here.record = i & 2 ? 4 : 0;
    r->s->swapped = i & 1;
    if (take_counts(&here) != TRIAD_OK || !has_mark(&here)) {
      triad_message_clear();
      continue;
    }
    const int64_t size = size_of(&here);
    if (size < 0 || (size != r->s->size && (i >= 4 || fits.s || size > r->s->size))) continue;
    fits = here;
    swapped = i & 1;
    if (size == r->s->size) break;
  }
  if (!fits.s) {
    r->s->at = 0;
    return triad_mesh_scan_bad(r->s,
                               "the size of the file, %" PRId64 " bytes, does not fit its counts in any kind of UGRID: "
                               "cut off, or another format",
                               r->s->size);
  }
  *r = fits;
  r->s->swapped = swapped;
  return TRIAD_OK;
}

static int take_points(reading *r)
{
  for (int64_t p = 0; p < r->n[NODES]; p++) {
    double x[3];
    for (int a = 0; a < 3; a++)
      TRIAD_TRY(r->whole ? triad_mesh_scan_binary_real(r->s, r->real, &x[a]) : triad_mesh_scan_real(r->s, &x[a]));
    TRIAD_TRY(triad_mesh_draft_point(r->d, x));
  }
  return TRIAD_OK;
}

/* Elements of a kind; corner k of ours is their point order[k]. */
static int take_elements(reading *r, int64_t n, int kind, const int8_t order[TRIAD_MESH_CORNERS])
{
  const int corners = triad_mesh_draft_corners(kind);
  for (int64_t i = 0; i < n; i++) {
    int64_t given[TRIAD_MESH_CORNERS], point[TRIAD_MESH_CORNERS];
    for (int k = 0; k < corners; k++) TRIAD_TRY(take_integer(r, &given[k]));
    for (int k = 0; k < corners; k++) point[k] = given[order[k]] > 0 ? given[order[k]] - 1 : -1;
    TRIAD_TRY(triad_mesh_draft_element(r->d, kind, point, -1, 0));
  }
  return TRIAD_OK;
}

static int take_surfaces(reading *r)
{
  for (int64_t i = 0; i < r->d->n_flat; i++) {
    int64_t surface;
    TRIAD_TRY(take_integer(r, &surface));
    TRIAD_TRY(triad_mesh_draft_group_of(r->d, 2, surface, NULL, &r->d->flat[i].patch));
  }
  return TRIAD_OK;
}

/* Groups of the .mapbc without sides are no patches of this mesh. */
static int drop_unused(reading *r)
{
  triad_mesh_draft *d = r->d;
  uint8_t *used = calloc((size_t)d->n_groups + 1, 1);
  if (!used) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " surfaces", r->s->path, d->n_groups);
  for (int64_t i = 0; i < d->n_flat; i++) used[d->flat[i].patch] = 1;
  for (int64_t i = 0; i < d->n_groups; i++)
    if (!used[i]) d->group[i].dim = 3;
  free(used);
  return TRIAD_OK;
}

static int parse(reading *r)
{
  static const int8_t same[TRIAD_MESH_CORNERS] = {0, 1, 2, 3, 4, 5, 6, 7},
                      pyramid[TRIAD_MESH_CORNERS] = {1, 0, 3, 4, 2};
  int64_t numbers = 0;
  r->s->binary = !is_text(r->s);
  if (r->s->binary) TRIAD_TRY(find_kind(r));
  TRIAD_TRY(take_counts(r));
  for (int i = 0; i < COUNTS; i++) {
    if (r->n[i] < 0 || r->n[i] > INT32_MAX)
      return triad_mesh_scan_bad(r->s, "a count of %" PRId64 ": damaged, or another format", r->n[i]);
    numbers += r->n[i];
  }
  TRIAD_TRY(triad_mesh_scan_check(r->s, numbers, 6, "nodes and elements"));
  TRIAD_TRY(take_points(r));
  TRIAD_TRY(take_elements(r, r->n[TRIANGLES], TRIAD_MESH_TRIANGLE, same));
  TRIAD_TRY(take_elements(r, r->n[QUADS], TRIAD_MESH_QUAD, same));
  TRIAD_TRY(triad_mesh_mapbc_names(r->d, r->s->path));
  TRIAD_TRY(take_surfaces(r));
  TRIAD_TRY(take_elements(r, r->n[TETS], TRIAD_MESH_TET, same));
  TRIAD_TRY(take_elements(r, r->n[PYRAMIDS], TRIAD_MESH_PYRAMID, pyramid));
  TRIAD_TRY(take_elements(r, r->n[PRISMS], TRIAD_MESH_PRISM, same));
  TRIAD_TRY(take_elements(r, r->n[HEXES], TRIAD_MESH_HEX, same));
  TRIAD_TRY(drop_unused(r));
  return triad_mesh_draft_give(r->d);
}

int triad_mesh_ugrid_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.text = NULL};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults};
  reading r = {.s = &s, .d = &d};
  int st = triad_mesh_scan_load(&s, path, guard);
  if (st == TRIAD_OK) st = parse(&r);
  triad_mesh_draft_free(&d);
  triad_mesh_scan_free(&s);
  return st;
}
